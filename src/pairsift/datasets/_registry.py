"""The table of data sets that `load` knows."""

from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import partial

from pairsift.datasets import _columns as columns
from pairsift.datasets._sources import (
    WHITESPACE,
    Bundled,
    OpenML,
    Uci,
    read_labels_apart,
    read_mfeat,
    read_normal_smurf,
    read_rows,
    read_steel,
)


@dataclass(frozen=True)
class Dataset:
    """What is known of a data set before it is loaded.

    `columns` and `source` are given together: only a downloaded table needs names.
    `categorical` holds names or patterns of the categorical columns. `file` is the
    name of the CSV file where it is not `name`.
    """

    name: str
    title: str
    citation: str
    columns: tuple[str, ...] = ()
    source: Uci | OpenML | Bundled | None = None
    categorical: tuple[str, ...] = ()
    file: str = ""
    aliases: tuple[str, ...] = ()
    target: str = "class"

    @property
    def files(self) -> tuple[str, str]:
        """Names under which the table is looked for in a folder."""
        stem = self.file or self.name
        return f"{stem}.csv", f"{stem}.csv.gz"

    @property
    def is_regression(self) -> bool:
        """Whether the target is a number, not a class."""
        return self.target != "class"

    def is_categorical(self, column: str) -> bool:
        """Whether the column is documented as categorical."""
        return any(fnmatchcase(column, pattern) for pattern in self.categorical)


_KDD_FILE = "kddcup99-mld/kddcup.data_10_percent.gz"
_KDD_CATEGORICAL = (
    *("protocol_type", "service", "flag", "land"),
    *("logged_in", "root_shell", "is_host_login", "is_guest_login"),
)
_WBCD_FILE = "breast-cancer-wisconsin/breast-cancer-wisconsin.data"
_MADELON_FILES = (
    "madelon/MADELON/madelon_train.data",
    "madelon/MADELON/madelon_valid.data",
    "madelon/MADELON/madelon_train.labels",
    "madelon/madelon_valid.labels",
)
_GOLUB = "Golub et al., Science 286, 1999"
_ALON = "Alon et al., PNAS 96, 1999"

_DATASETS = (
    Dataset(
        "wine",
        "Chemical analysis of wines of three cultivars",
        "Aeberhard and Forina, UCI",
        source=Bundled("load_wine"),
    ),
    Dataset(
        "wdbc",
        "Cell nuclei of breast tumours, diagnostic",
        "Wolberg, Street and Mangasarian, UCI",
        source=Bundled("load_breast_cancer"),
    ),
    Dataset(
        "wbcd",
        "Cytology of breast tumours, complete rows",
        "Wolberg and Mangasarian, UCI",
        columns.WBCD,
        Uci(683, (_WBCD_FILE,), partial(read_rows, identifiers=1, complete=True)),
    ),
    Dataset(
        "wbcd_699",
        "Cytology of breast tumours, all rows",
        "Wolberg and Mangasarian, UCI",
        columns.WBCD,
        Uci(699, (_WBCD_FILE,), partial(read_rows, identifiers=1)),
    ),
    Dataset(
        "sonar",
        "Sonar returns of mines and rocks",
        "Sejnowski and Gorman, UCI",
        columns.numbered("f", 60),
        Uci(208, ("undocumented/connectionist-bench/sonar/sonar.all-data",)),
    ),
    Dataset(
        "soybean",
        "Diseases of soybeans, small version",
        "Michalski, UCI",
        columns.SOYBEAN,
        Uci(47, ("soybean/soybean-small.data",)),
        categorical=("*",),
        file="soybean_small",
    ),
    Dataset(
        "heart",
        "Heart disease, Statlog version",
        "UCI Statlog (Heart)",
        columns.HEART,
        Uci(
            270,
            ("statlog/heart/heart.dat",),
            partial(
                read_rows,
                separator=WHITESPACE,
                recode={"1": "absent", "2": "present"},
            ),
        ),
        categorical=(
            *("sex", "chest_pain_type", "fasting_blood_sugar", "thal"),
            *("resting_electrocardiographic_results", "exercise_induced_angina"),
        ),
        file="heart_statlog",
    ),
    Dataset(
        "ionosphere",
        "Radar returns from the ionosphere",
        "Sigillito et al., UCI",
        columns.numbered("f", 34),
        Uci(351, ("ionosphere/ionosphere.data",)),
    ),
    Dataset(
        "spambase",
        "Word and character frequencies of e-mails, spam or not",
        "Hopkins et al., UCI",
        columns.SPAMBASE,
        Uci(4601, ("spambase/spambase.data",)),
    ),
    Dataset(
        "arrhythmia",
        "Electrocardiograms with and without arrhythmia",
        "Guvenir et al., UCI",
        columns.ARRHYTHMIA,
        Uci(452, ("arrhythmia/arrhythmia.data",)),
        categorical=("sex", "*Exists"),
    ),
    Dataset(
        "segmentation",
        "Regions of outdoor images, training and test file",
        "Vision Group, University of Massachusetts, UCI",
        columns.SEGMENTATION,
        Uci(
            2310,
            ("image/segmentation.data", "image/segmentation.test"),
            partial(read_rows, label=0, skip=5),
        ),
        file="segmentation_full",
    ),
    Dataset(
        "segmentation_train",
        "Regions of outdoor images, training file",
        "Vision Group, University of Massachusetts, UCI",
        columns.SEGMENTATION,
        Uci(210, ("image/segmentation.data",), partial(read_rows, label=0, skip=5)),
    ),
    Dataset(
        "dermatology",
        "Erythemato-squamous diseases of the skin",
        "Ilter and Guvenir, UCI",
        columns.DERMATOLOGY,
        Uci(366, ("dermatology/dermatology.data",)),
        categorical=("family_history",),
    ),
    Dataset(
        "libras",
        "Hand movements of Brazilian sign language",
        "Dias, Peres and Biscaro, UCI",
        columns.points(45),
        Uci(360, ("libras/movement_libras.data",)),
        file="libras_movement",
    ),
    Dataset(
        "mfeat",
        "Six kinds of features of handwritten digits",
        "Duin, UCI Multiple Features",
        columns.MFEAT,
        Uci(
            2000,
            tuple(f"mfeat/mfeat-{k}" for k in columns.MFEAT_BLOCKS),
            read_mfeat,
        ),
        aliases=("multiple_features",),
    ),
    Dataset(
        "cnae9",
        "Word counts of descriptions of Brazilian companies",
        "Ciarelli and Oliveira, UCI",
        columns.numbered("word_", 856),
        Uci(1080, ("00233/CNAE-9.data",), partial(read_rows, label=0)),
        aliases=("cnae_9",),
    ),
    Dataset("colon", "Gene expression of colon tumours", _ALON),
    Dataset(
        "colon_discrete",
        "Gene expression of colon tumours in three levels",
        f"{_ALON}, ASU feature selection repository",
    ),
    Dataset(
        "leukemia",
        "Gene expression of leukaemias, 5147 genes",
        _GOLUB,
        file="leukemia_5147",
    ),
    Dataset(
        "allaml",
        "Gene expression of leukaemias, standardised",
        f"{_GOLUB}, ASU feature selection repository",
        file="leukemia_allaml",
    ),
    Dataset(
        "leukemia_golub_raw",
        "Gene expression of leukaemias, raw intensities",
        _GOLUB,
    ),
    Dataset(
        "yale",
        "Faces of the Yale database, 32 x 32 pixels",
        "Belhumeur et al., ASU feature selection repository",
    ),
    Dataset(
        "orl",
        "Faces of the AT&T (ORL) database, 32 x 32 pixels",
        "Samaria and Harter, ASU feature selection repository",
    ),
    Dataset(
        "pie10p",
        "Faces of ten persons of the CMU PIE database",
        "Sim et al., ASU feature selection repository",
        file="warppie10p",
    ),
    Dataset(
        "madelon",
        "Artificial data of the NIPS 2003 challenge, training and validation file",
        "Guyon, UCI",
        columns.numbered("f", 500),
        Uci(2600, _MADELON_FILES, read_labels_apart),
    ),
    Dataset(
        "pendigits",
        "Pen strokes of handwritten digits",
        "Alpaydin and Alimoglu, UCI",
        columns.points(8),
        Uci(10992, ("pendigits/pendigits.tra", "pendigits/pendigits.tes")),
    ),
    Dataset(
        "ilpd",
        "Indian liver patients",
        "Ramana and Venkateswarlu, UCI",
        columns.ILPD,
        Uci(583, ("00225/Indian%20Liver%20Patient%20Dataset%20(ILPD).csv",)),
        categorical=("gender",),
    ),
    Dataset(
        "kdd99",
        "Network connections, normal and smurf attacks",
        "KDD Cup 1999, UCI",
        columns.KDD99,
        Uci(5000, (_KDD_FILE,), read_normal_smurf),
        _KDD_CATEGORICAL,
        file="kdd99_normal_smurf",
    ),
    Dataset(
        "kdd99_10pct",
        "Network connections, ten percent file",
        "KDD Cup 1999, UCI",
        columns.KDD99,
        Uci(494021, (_KDD_FILE,)),
        _KDD_CATEGORICAL,
    ),
    Dataset(
        "boston",
        "Median house values of Boston suburbs in 1000 USD",
        "Harrison and Rubinfeld, 1978, StatLib",
        columns.BOSTON,
        OpenML(506, 531),
        categorical=("CHAS",),
        target="target",
    ),
    Dataset(
        "page_blocks",
        "Blocks of the layout of documents",
        "Malerba, UCI",
        columns.PAGE_BLOCKS,
        OpenML(5473, 30),
    ),
    Dataset(
        "steel",
        "Faults of steel plates",
        "Semeion, UCI",
        columns.STEEL,
        Uci(1941, ("00198/Faults.NNA",), read_steel),
        categorical=("TypeOfSteel_*",),
        file="steel_plates_faults",
    ),
    Dataset(
        "mnist",
        "Handwritten digits, 28 x 28 pixels",
        "LeCun, Cortes and Burges",
        columns.numbered("p", 784, start=0),
        OpenML(70000, 554),
    ),
)

DATASETS = {
    key: dataset
    for dataset in _DATASETS
    for key in (dataset.name, dataset.file or dataset.name, *dataset.aliases)
}
