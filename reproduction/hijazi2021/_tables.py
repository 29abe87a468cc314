"""The figures and times of Hijazi and Hoang 2021: FCRSC beside six other filters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from reproduction._experiment import (
    Cell,
    Column,
    Experiment,
    Paper,
    Part,
    read_cells,
)
from reproduction.hijazi2021._protocol import (
    COMPARED,
    CONSTRAINED,
    FEW_SIZES,
    MANY_ROWS,
    SHORT_OF_SIZES,
    TIMED,
    Data,
    run_all_features,
    run_compared,
    run_constrained,
    run_times,
)

KEY = "hijazi2021"
_N_RUNS = 10
_ALL = "all features"
_CLASSIFIERS = ("KNN", "SVM", "NB")

# Table 1 and section 3.3.
_DATA = (
    Data("Wine", "wine", 20),
    Data("WDBC", "wdbc", 40),
    Data("Ionosphere", "ionosphere", 20),
    Data("Spambase", "spambase", 100, 60, share=10),
    Data("Sonar", "sonar", 20),
    Data("Arrhythmia", "arrhythmia", 20),
)

_TABLE_2 = """
    Wine       | 0.41    9.06    71.62  13.66   569.04   1.70    9.61
    WDBC       | 0.81   73.68   205.70  43.25  3166.88   5.97   47.31
    Ionosphere | 0.34   29.66   128.20  28.39  1032.83   2.50   41.80
    Spambase   | 1.92 5408.62 15290.15 342.65 67081.99 755.62 1905.42
    Sonar      | 0.59   16.06   108.83  35.76   694.99   2.73   89.55
    Arrhythmia | 2.46   93.64  4727.31 446.71  1336.32   5.47 1463.52
"""
# What the text of sections 3.6 and 3.7 says of the curves: figure, row, column.
_STATED = {
    ("3", "WDBC", "FCRSC C4.5 Acc"): 94.60,
    ("3", "WDBC", "FCRSC C4.5 d"): 12,
    ("4", "Sonar", "FCRSC C4.5 Acc"): 75.94,
    ("4", "Sonar", "FCRSC C4.5 d"): 19,
    ("9", "Variance", "KNN Acc"): 82.03,
    ("9", "Variance", "KNN d"): 60,
    ("9", "Laplacian", "KNN Acc"): 82.03,
    ("9", "Laplacian", "KNN d"): 60,
    ("9", _ALL, "KNN Acc"): 82.03,
    ("9", "FCRSC", "KNN Acc"): 83.04,
    ("9", "FCRSC", "KNN d"): 37,
    ("10", _ALL, "KNN Acc"): 52.93,
    ("10", "FCRSC", "KNN Acc"): 55.3,
    ("10", "FCRSC", "KNN d"): 117,
    ("10", "ReliefF", "KNN Acc"): 55.5,
    ("10", "ReliefF", "KNN d"): 141,
    ("10", "mRMR", "KNN Acc"): 55.5,
    ("10", "mRMR", "KNN d"): 141,
}
_ONE_DECIMAL = (55.3, 55.5)
# Why cells differ: by data set, else by method.
_NOTES = {
    "Sonar": "already without selection, random splits give more than the article has.",
    "mRMR": "how the article estimates mutual information is not told.",
}

_PROTOCOL = (
    "Two thirds of the rows, drawn at random in each run, train; features are scaled "
    "to [0, 1] over all rows, missing values filled with the mean. The curve is the "
    "mean over the runs; a cell is its highest accuracy, and the smallest number d of "
    "features that has it. FCRSC ranks one feature per cluster, mRMR as many; their "
    "curves end at the smallest number of clusters of all runs. Of the runs asked for, "
    "Spambase gets one in ten, but two at least. Above "
    f"{MANY_ROWS} rows and above {SHORT_OF_SIZES} features, all classifiers but 1-NN "
    f"are tried at {FEW_SIZES} sizes only."
)
_MODELS = (
    "KNN is 1-NN, SVM has the cubic kernel (1 + x'y)³, NB is Gaussian naive Bayes "
    "(WEKA's, used there, keeps variances away from 0). mRMR cuts features at one "
    "standard deviation around the mean; how the article did is not told."
)
_TREE = (
    "C4.5 stands for a tree by entropy with two rows a leaf, which is not pruned. RE "
    "is the representation entropy of the training rows, in nats, averaged over the "
    "sizes up to the number of clusters, where all three methods have a ranking."
)


def _cell(figure: str, row: str, column: str, unit: str) -> Cell:
    published = _STATED.get((figure, row, column))
    decimals = {"%": 2, "features": 0}.get(unit, 3)
    if published in _ONE_DECIMAL:
        decimals = 1
    return Cell(row, column, published, None, unit, decimals, _N_RUNS)


def _cells(figure: str, row: str, columns: Mapping[str, str]) -> tuple[Cell, ...]:
    return tuple(_cell(figure, row, name, unit) for name, unit in columns.items())


def _constrained_figure(figure: str, data: Sequence[Data]) -> Experiment:
    columns: dict[str, str] = {}
    for method in CONSTRAINED:
        columns |= {f"{method} C4.5 Acc": "%", f"{method} C4.5 d": "features"}
        columns |= {f"{method} RE": "nats"}
    names = ", ".join(line.row for line in data)
    return Experiment(
        KEY,
        f"figure-{figure}",
        f"Accuracy and redundancy of constrained methods: {names}",
        f"{_PROTOCOL} {_TREE}",
        tuple(
            Part(
                _cells(figure, line.row, columns),
                partial(run_constrained, line),
                share=line.share,
            )
            for line in data
        ),
        _N_RUNS,
        also=(f"hijazi2019 figure-3.{int(figure) + 2}",),
    )


def _compared_figure(figure: str, data: Data) -> Experiment:
    accuracies = {f"{name} Acc": "%" for name in _CLASSIFIERS}
    columns: dict[str, str] = {}
    for name in _CLASSIFIERS:
        columns |= {f"{name} Acc": "%", f"{name} d": "features"}
    whole = Part(
        _cells(figure, _ALL, accuracies),
        partial(run_all_features, _ALL, data, _CLASSIFIERS),
        _NOTES.get(data.row, ""),
        data.share,
    )
    methods = [
        Part(
            _cells(figure, method, columns),
            partial(run_compared, data, method, _CLASSIFIERS),
            _NOTES.get(data.row, _NOTES.get(method, "")),
            data.share,
        )
        for method in COMPARED
    ]
    return Experiment(
        KEY,
        f"figure-{figure}",
        f"Accuracy with three classifiers: {data.row}",
        f"{_PROTOCOL} {_MODELS}",
        (whole, *methods),
        _N_RUNS,
        picture="column",
        also=(f"hijazi2019 figure-3.{int(figure) + 2}",),
    )


def _times() -> Experiment:
    cells = read_cells(_TABLE_2, [Column(m, "ms", 2, _N_RUNS) for m in TIMED])
    return Experiment(
        KEY,
        "2",
        "Run times of seven methods",
        "Time to rank the features of the training rows, after a run that is not "
        "counted: our median, the mean of the article, which had a machine of 2.6 GHz.",
        tuple(
            Part(
                tuple(cell for cell in cells if cell.row == line.row),
                partial(run_times, line),
                share=line.share,
            )
            for line in _DATA
        ),
        _N_RUNS,
        also=("hijazi2019 3.9",),
    )


PAPER = Paper(
    KEY,
    "S. Hijazi, V. T. Hoang, A constrained feature selection approach based on feature "
    "clustering and hypothesis margin maximization, 2021.",
    (
        _constrained_figure("3", _DATA[:3]),
        _constrained_figure("4", _DATA[3:]),
        *(_compared_figure(str(5 + k), data) for k, data in enumerate(_DATA)),
        _times(),
    ),
)
