"""Loading by name: folders, cache, downloads that never leave the machine, errors."""

import csv
import gzip
import io
import os
import socket
from pathlib import Path
from urllib.error import URLError

import numpy as np
import pandas as pd
import pytest
import sklearn.datasets
from numpy.testing import assert_array_equal
from sklearn.utils import Bunch

from pairsift.datasets import _sources, available, load
from pairsift.exceptions import DataError

SHARED = Path(
    os.environ.get("PAIRSIFT_DATA") or Path(__file__).parents[3] / "shared" / "data"
)
# Left out because of the time they take.
LARGE = {"mnist", "kdd99_10pct"}
FETCH_OPENML = sklearn.datasets.fetch_openml


def no_network(*args, **kwargs):
    raise URLError("no network in tests")


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """Give each test an empty cache and no network."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("PAIRSIFT_CACHE", str(folder))
    monkeypatch.delenv("PAIRSIFT_DATA", raising=False)
    monkeypatch.setattr(_sources, "urlopen", no_network)
    monkeypatch.setattr(sklearn.datasets, "fetch_openml", no_network)
    return folder


def write(folder, file, text):
    folder.mkdir(exist_ok=True)
    path = folder / file
    path.write_text(text, encoding="utf-8")
    return path


def serve(monkeypatch, files):
    """Answer requests from a dict of path endings; return the list of asked URLs."""
    asked = []

    def urlopen(url, timeout):
        assert timeout > 0
        asked.append(url)
        [content] = [files[end] for end in files if url.endswith(end)]
        return io.BytesIO(content)

    monkeypatch.setattr(_sources, "urlopen", urlopen)
    return asked


def rows_of(values, labels, separator=",", label_first=False):
    """Write rows as the UCI repository does."""
    lines = []
    for value, label in zip(values, labels, strict=True):
        cells = [str(cell) for cell in value]
        cells = [str(label), *cells] if label_first else [*cells, str(label)]
        lines.append(separator.join(cells))
    return ("\n".join(lines) + "\n").encode()


@pytest.mark.parametrize("name", ["Wine", " WINE ", "wine"])
def test_case_of_the_name_does_not_matter(name):
    assert load(name).name == "wine"


@pytest.mark.parametrize("name", ["page-blocks", "Page Blocks", "PAGE_BLOCKS"])
def test_dash_and_blank_are_the_same_as_underscore(tmp_path, name):
    write(tmp_path, "page_blocks.csv", "height,class\n1,2\n")
    assert load(name, data_dir=tmp_path).name == "page_blocks"


@pytest.mark.parametrize(
    ("alias", "file"),
    [
        ("soybean", "soybean_small"),
        ("heart", "heart_statlog"),
        ("segmentation", "segmentation_full"),
        ("libras", "libras_movement"),
        ("leukemia", "leukemia_5147"),
        ("allaml", "leukemia_allaml"),
        ("pie10p", "warppie10p"),
        ("kdd99", "kdd99_normal_smurf"),
        ("steel", "steel_plates_faults"),
        ("CNAE-9", "cnae9"),
        ("Multiple Features", "mfeat"),
    ],
)
def test_short_name_and_file_name_are_one_data_set(tmp_path, alias, file):
    write(tmp_path, f"{file}.csv", "f1,class\n1,a\n")
    by_alias = load(alias, data_dir=tmp_path)
    by_file = load(file, data_dir=tmp_path)
    assert by_alias.name == by_file.name
    assert_array_equal(by_alias.data, by_file.data)


def test_available_names_are_sorted_and_cover_the_papers():
    names = available()
    assert names == sorted(set(names))
    papers = """wine wdbc sonar soybean heart ionosphere spambase arrhythmia
    segmentation segmentation_train dermatology libras mfeat cnae9 colon leukemia allaml
    yale orl pie10p madelon pendigits ilpd kdd99 kdd99_10pct boston page_blocks steel
    wbcd wbcd_699 mnist colon_discrete leukemia_golub_raw"""
    assert set(papers.split()) <= set(names)


def test_unknown_name_gives_close_ones():
    with pytest.raises(
        DataError, match=r"unknown data set 'sonnar': did you mean 'sona"
    ):
        load("sonnar")
    with pytest.raises(
        DataError, match=r"unknown data set 'zzzz'.*available\(\) lists"
    ):
        load("zzzz")


def test_wine_comes_from_scikit_learn():
    wine = load("wine")
    reference = sklearn.datasets.load_wine()
    assert_array_equal(wine.data, reference.data)
    assert_array_equal(wine.target, [f"class_{c}" for c in reference.target])
    assert wine.feature_names == reference.feature_names
    assert wine.target_names == ["class_0", "class_1", "class_2"]
    assert wine.source == "scikit-learn"
    assert wine.categorical_features == []
    assert wine.target.dtype == object
    assert wine.data.dtype == np.float64
    assert "178 samples, 13 features, 3 classes" in wine.DESCR


def test_wdbc_names_have_no_blanks():
    wdbc = load("wdbc")
    reference = sklearn.datasets.load_breast_cancer()
    assert_array_equal(wdbc.data, reference.data)
    assert wdbc.feature_names[7] == "mean_concave_points"
    assert_array_equal(wdbc.target == "malignant", reference.target == 0)


def test_wine_comes_from_the_folder_that_holds_it(tmp_path):
    path = write(tmp_path, "wine.csv", "alcohol,class\n1,class_0\n2,class_1\n")
    wine = load("wine", data_dir=tmp_path)
    assert wine.data.shape == (2, 1)
    assert wine.source == str(path)


def test_wine_comes_from_scikit_learn_when_the_folder_lacks_it(tmp_path):
    assert load("wine", data_dir=tmp_path).source == "scikit-learn"


def test_labels_stay_text_and_integers_become_floats(tmp_path):
    write(tmp_path, "sonar.csv", "f1,f2,class\n1,2.5,01\n3,4,1\n5,6,10\n7,8,2\n")
    bunch = load("sonar", data_dir=tmp_path)
    assert_array_equal(bunch.data, [[1, 2.5], [3, 4], [5, 6], [7, 8]])
    assert bunch.data.dtype == np.float64
    assert bunch.data.flags.c_contiguous
    assert list(bunch.target) == ["01", "1", "10", "2"]
    assert bunch.target_names == ["01", "1", "2", "10"]


def test_arrays_belong_to_the_caller(tmp_path):
    write(tmp_path, "sonar.csv", "f1,class\n1,R\n")
    write(tmp_path, "boston.csv", "CRIM,target\n1,2\n")
    for name in ("sonar", "boston"):
        bunch = load(name, data_dir=tmp_path)
        assert bunch.data.flags.writeable
        assert bunch.target.flags.writeable


def test_missing_values_are_nan_and_missing_labels_none(tmp_path):
    write(tmp_path, "ilpd.csv", "age,gender,class\n,Male,1\n65,,\n")
    bunch = load("ilpd", data_dir=tmp_path)
    assert bunch.data.isna().to_numpy().tolist() == [[True, False], [False, True]]
    assert list(bunch.target) == ["1", None]
    assert bunch.target_names == ["1"]


def test_column_without_any_value_is_nan(tmp_path):
    write(tmp_path, "sonar.csv", "f1,f2,class\n,1,a\n,2,b\n")
    assert_array_equal(
        load("sonar", data_dir=tmp_path).data, [[np.nan, 1], [np.nan, 2]]
    )


def test_text_columns_make_the_data_a_frame(tmp_path):
    write(tmp_path, "ilpd.csv", "age,gender,class\n65,Female,1\n62,Male,2\n")
    bunch = load("ilpd", data_dir=tmp_path)
    assert isinstance(bunch.data, pd.DataFrame)
    assert bunch.data["gender"].tolist() == ["Female", "Male"]
    assert bunch.data["age"].dtype == np.float64
    assert bunch.categorical_features == ["gender"]
    assert "frame" not in bunch


def test_as_frame_gives_the_whole_table(tmp_path):
    write(tmp_path, "sonar.csv", "f1,class\n1,R\n2,M\n")
    bunch = load("sonar", data_dir=tmp_path, as_frame=True)
    assert list(bunch.data.columns) == ["f1"]
    assert list(bunch.frame.columns) == ["f1", "class"]
    assert bunch.frame["class"].tolist() == ["R", "M"]


def test_wide_table_gives_a_frame_without_a_warning(tmp_path):
    header = ",".join(f"f{j}" for j in range(1, 501))
    write(tmp_path, "colon.csv", f"{header},class\n{'1,' * 500}tumor\n")
    assert load("colon", data_dir=tmp_path, as_frame=True).frame.shape == (1, 501)


def test_boston_target_is_a_number(tmp_path):
    write(tmp_path, "boston.csv", "CRIM,CHAS,target\n0.1,0,24\n0.2,1,21.6\n")
    boston = load("boston", data_dir=tmp_path)
    assert_array_equal(boston.target, [24.0, 21.6])
    assert boston.target_names == ["target"]
    assert boston.categorical_features == ["CHAS"]
    assert "numerical target" in boston.DESCR


def test_patterns_name_categorical_columns(tmp_path):
    header = "age,sex,chDI_Qwave,chDI_RRwaveExists,class"
    write(tmp_path, "arrhythmia.csv", f"{header}\n1,0,2,1,8\n")
    write(tmp_path, "soybean_small.csv", "date,hail,class\n1,0,D1\n")
    found = load("arrhythmia", data_dir=tmp_path).categorical_features
    assert found == ["sex", "chDI_RRwaveExists"]
    assert load("soybean", data_dir=tmp_path).categorical_features == ["date", "hail"]


def test_compressed_file_is_read(tmp_path):
    with gzip.open(tmp_path / "sonar.csv.gz", "wt", encoding="utf-8") as file:
        file.write("f1,class\n1,R\n")
    assert load("sonar", data_dir=str(tmp_path)).data.shape == (1, 1)


def test_byte_order_mark_is_not_part_of_the_first_name(tmp_path):
    write(tmp_path, "sonar.csv", "\ufefff1,class\n1,R\n")
    assert load("sonar", data_dir=tmp_path).feature_names == ["f1"]


def test_argument_comes_before_environment_and_that_before_the_cache(
    tmp_path, cache, monkeypatch
):
    write(cache, "sonar.csv", "f1,class\n3,R\n")
    assert load("sonar").data[0, 0] == 3
    write(tmp_path / "environment", "sonar.csv", "f1,class\n2,R\n")
    monkeypatch.setenv("PAIRSIFT_DATA", str(tmp_path / "environment"))
    assert load("sonar").data[0, 0] == 2
    write(tmp_path / "argument", "sonar.csv", "f1,class\n1,R\n")
    assert load("sonar", data_dir=tmp_path / "argument").data[0, 0] == 1


def test_cache_folder_follows_the_platform(tmp_path, monkeypatch):
    monkeypatch.delenv("PAIRSIFT_CACHE")
    variable = "LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME"
    monkeypatch.setenv(variable, str(tmp_path))
    path = write(tmp_path / "pairsift", "sonar.csv", "f1,class\n1,R\n")
    assert load("sonar").source == str(path)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no HOME")
def test_cache_folder_is_below_home_by_default(tmp_path, monkeypatch):
    monkeypatch.delenv("PAIRSIFT_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".cache").mkdir()
    path = write(tmp_path / ".cache" / "pairsift", "sonar.csv", "f1,class\n1,R\n")
    assert load("sonar").source == str(path)


def test_offline_and_uncached_names_set_file_folders_and_remedy(
    tmp_path, cache, monkeypatch
):
    monkeypatch.setenv("PAIRSIFT_DATA", str(tmp_path))
    with pytest.raises(DataError) as caught:
        load("heart")
    message = str(caught.value)
    for part in (
        "'heart'",
        "'heart_statlog.csv'",
        repr(str(tmp_path)),
        repr(str(cache)),
        "statlog/heart/heart.dat failed (<urlopen error no network in tests>)",
        "data_dir",
        "PAIRSIFT_DATA",
    ):
        assert part in message
    assert "\n" not in message
    assert not cache.exists()


@pytest.mark.parametrize(
    "name", ["colon", "leukemia", "allaml", "yale", "orl", "pie10p"]
)
def test_set_without_download_source_says_so(name):
    with pytest.raises(
        DataError, match="it has no download source; put the file there"
    ):
        load(name)


def test_data_dir_without_the_file_does_not_download(tmp_path, monkeypatch):
    asked = serve(monkeypatch, {})
    with pytest.raises(DataError, match=r"no file 'sonar\.csv' or 'sonar\.csv\.gz' in"):
        load("sonar", data_dir=tmp_path)
    assert asked == []


@pytest.mark.parametrize("name", ["sonar", "wine"])
def test_data_dir_that_does_not_exist_is_an_error(tmp_path, name):
    with pytest.raises(
        DataError, match=r"data_dir must be an existing folder.*nowhere"
    ):
        load(name, data_dir=tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "cannot be read as CSV"),
        (b"f1,class\n", "has no rows"),
        (b"class\na\n", "no feature columns"),
        (b"f1,f2\n1,2\n", "has no column 'class'"),
        (b"f1,class\n1,a\n2,b,c,d\n", "cannot be read as CSV"),
        (b"f1,class\n1,2,a\n2,3,b\n", "cannot be read as CSV"),
        (b"f1,class\n\xff\xfe\x00,a\n", "cannot be read as CSV"),
        (b'f1,class\n"1,a\n', "cannot be read as CSV"),
        (b"f1,class\n1,a\nabc,b\n", "column 'f1' .* must hold numbers, got 'abc'"),
    ],
)
def test_broken_file_is_named(tmp_path, content, message):
    (tmp_path / "sonar.csv").write_bytes(content)
    with pytest.raises(DataError, match=rf"sonar\.csv.*{message}|{message}"):
        load("sonar", data_dir=tmp_path)
    with pytest.raises(DataError, match=r"sonar\.csv"):
        load("sonar", data_dir=tmp_path)


def test_broken_compressed_file_is_named(tmp_path):
    whole = gzip.compress(b"f1,class\n" + b"1,a\n" * 1000)
    for content in (b"not gzip", whole[:-20], whole[:20] + b"\0" * 30):
        (tmp_path / "sonar.csv.gz").write_bytes(content)
        with pytest.raises(DataError, match=r"sonar\.csv\.gz' cannot be read as CSV"):
            load("sonar", data_dir=tmp_path)


def test_boston_without_target_is_an_error(tmp_path):
    write(tmp_path, "boston.csv", "CRIM,class\n1,2\n")
    with pytest.raises(DataError, match="has no column 'target'"):
        load("boston", data_dir=tmp_path)


def test_download_is_cached_and_not_repeated(cache, monkeypatch):
    rng = np.random.default_rng(0)
    values = rng.random((208, 60)).round(4)
    labels = ["R"] * 97 + ["M"] * 111
    asked = serve(monkeypatch, {"sonar.all-data": rows_of(values, labels)})
    first = load("sonar")
    assert first.source == asked[0]
    assert first.source.startswith("https://archive.ics.uci.edu/")
    assert [path.name for path in cache.iterdir()] == ["sonar.csv"]
    second = load("sonar")
    assert len(asked) == 1
    assert second.source == str(cache / "sonar.csv")
    for bunch in (first, second):
        assert_array_equal(bunch.data, values)
        assert list(bunch.target) == labels
        assert bunch.feature_names == [f"f{j}" for j in range(1, 61)]


def test_heart_labels_are_spelt_out(monkeypatch):
    rng = np.random.default_rng(0)
    values = rng.integers(0, 9, (270, 13)).astype(float)
    labels = rng.integers(1, 3, 270)
    serve(monkeypatch, {"heart.dat": rows_of(values, labels, separator=" ")})
    heart = load("heart")
    assert_array_equal(heart.data, values)
    assert_array_equal(heart.target == "present", labels == 2)
    assert heart.feature_names[-1] == "thal"
    assert "thal" in heart.categorical_features


def test_segmentation_header_is_skipped_and_the_files_joined(monkeypatch):
    rng = np.random.default_rng(0)
    values = rng.random((2310, 19)).round(6)
    labels = rng.choice(["SKY", "GRASS"], 2310)
    header = b";;; comment\n;;; comment\n\nREGION-CENTROID-COL,HUE-MEAN\n\n"
    split = {
        "segmentation.data": header
        + rows_of(values[:210], labels[:210], label_first=True),
        "segmentation.test": header
        + rows_of(values[210:], labels[210:], label_first=True),
    }
    serve(monkeypatch, split)
    full, train = load("segmentation"), load("segmentation_train")
    assert_array_equal(full.data, values)
    assert_array_equal(full.target, labels)
    assert_array_equal(train.data, values[:210])


def test_question_marks_are_missing_and_identifiers_dropped(monkeypatch):
    rng = np.random.default_rng(0)
    values = rng.integers(1, 11, (699, 10)).astype(object)
    incomplete = rng.choice(699, 16, replace=False)
    values[incomplete, 6] = "?"
    labels = rng.choice([2, 4], 699)
    serve(monkeypatch, {"wisconsin.data": rows_of(values, labels)})
    everything = load("wbcd_699")
    assert everything.data.shape == (699, 9)
    assert_array_equal(
        np.flatnonzero(np.isnan(everything.data[:, 5])), sorted(incomplete)
    )
    complete = load("wbcd")
    kept = np.setdiff1d(np.arange(699), incomplete)
    assert_array_equal(complete.data, values[kept, 1:].astype(float))
    assert list(complete.target) == [str(label) for label in labels[kept]]


def test_steel_indicators_become_one_class(monkeypatch):
    rng = np.random.default_rng(0)
    values = rng.random((1941, 27)).round(4)
    fault = rng.integers(0, 7, 1941)
    table = np.hstack([values, np.eye(7)[fault]])
    text = io.BytesIO()
    np.savetxt(text, table, delimiter="\t", fmt="%.4f")
    serve(monkeypatch, {"Faults.NNA": text.getvalue()})
    steel = load("steel")
    assert_array_equal(steel.data, values)
    assert_array_equal(steel.target == "Bumps_Fault", fault == 5)
    assert steel.categorical_features == ["TypeOfSteel_A300", "TypeOfSteel_A400"]


@pytest.mark.slow
def test_mfeat_blocks_stand_side_by_side(cache, monkeypatch):
    rng = np.random.default_rng(0)
    widths = {"fou": 76, "fac": 216, "kar": 64, "pix": 240, "zer": 47, "mor": 6}
    blocks = {name: rng.integers(0, 99, (2000, d)) for name, d in widths.items()}
    files = {}
    for name, block in blocks.items():
        text = io.BytesIO()
        np.savetxt(text, block, fmt="  %d")
        files[f"mfeat-{name}"] = text.getvalue()
    serve(monkeypatch, files)
    mfeat = load("mfeat")
    assert_array_equal(mfeat.data, np.hstack(list(blocks.values())))
    assert list(mfeat.target[[0, 199, 200, 1999]]) == ["0", "0", "1", "9"]
    assert mfeat.feature_names[76] == "fac_1"
    assert [path.name for path in cache.iterdir()] == ["mfeat.csv.gz"]


@pytest.mark.slow
def test_madelon_labels_come_from_their_own_files(monkeypatch):
    rng = np.random.default_rng(0)
    values = rng.integers(400, 600, (2600, 500))
    labels = rng.choice([-1, 1], 2600)

    def rows(table):
        return (
            "\n".join(" ".join(map(str, row)) + " " for row in table) + "\n"
        ).encode()

    files = {
        "madelon_train.data": rows(values[:2000]),
        "madelon_valid.data": rows(values[2000:]),
        "MADELON/madelon_train.labels": rows(labels[:2000, None]),
        "madelon/madelon_valid.labels": rows(labels[2000:, None]),
    }
    serve(monkeypatch, files)
    madelon = load("madelon")
    assert_array_equal(madelon.data, values)
    assert list(madelon.target) == [str(label) for label in labels]


def test_kdd99_is_a_fixed_draw_of_the_compressed_file(monkeypatch):
    rng = np.random.default_rng(0)
    values = np.tile(np.arange(41), (7000, 1)).astype(object)
    values[:, 0] = np.arange(7000)
    values[:, 1] = "tcp"
    labels = rng.permutation(["normal."] * 3000 + ["smurf."] * 3000 + ["perl."] * 1000)
    content = gzip.compress(rows_of(values, labels))
    serve(monkeypatch, {"kddcup.data_10_percent.gz": content})
    kdd99 = load("kdd99")
    assert kdd99.data.shape == (5000, 41)
    assert (np.diff(kdd99.data["duration"]) > 0).all()
    assert kdd99.data["protocol_type"].unique().tolist() == ["tcp"]
    assert_array_equal(kdd99.target, labels[kdd99.data["duration"].astype(int)])
    assert (kdd99.target == "smurf.").sum() == 2500


def test_openml_table_gets_the_documented_names(cache, monkeypatch):
    rng = np.random.default_rng(0)
    values = rng.random((506, 13)).round(3)
    values[:, 3] = rng.integers(0, 2, 506)
    frame = pd.DataFrame(values, columns=[f"V{j}" for j in range(13)])
    frame["V3"] = frame["V3"].astype(int).astype(str).astype("category")
    target = pd.Series(rng.random(506).round(3), name="MEDV")
    asked = []

    def fetch_openml(**options):
        asked.append(options)
        return Bunch(data=frame, target=target)

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", fetch_openml)
    boston = load("boston")
    assert_array_equal(boston.data, values)
    assert_array_equal(boston.target, target)
    assert boston.feature_names[3] == "CHAS"
    assert boston.source == "https://www.openml.org/d/531"
    assert asked[0]["data_id"] == 531
    assert Path(asked[0]["data_home"]).is_relative_to(cache)


@pytest.mark.parametrize(
    "content", [b"<html>moved</html>", b"", b"1,2,R\n3,4,M\n", b"\x00\xff"]
)
def test_download_of_something_else_is_an_error_and_not_cached(
    cache, monkeypatch, content
):
    serve(monkeypatch, {"sonar.all-data": content})
    with pytest.raises(DataError, match=r"'sonar'.*sonar\.all-data.*data_dir"):
        load("sonar")
    assert not cache.exists()


def test_timeout_is_an_error_that_names_the_address(monkeypatch):
    def urlopen(url, timeout):
        raise TimeoutError("timed out")

    monkeypatch.setattr(_sources, "urlopen", urlopen)
    with pytest.raises(DataError, match=r"sonar\.all-data failed \(timed out\)"):
        load("sonar")


@pytest.mark.slow
def test_openml_out_of_reach_is_an_error_without_a_warning(monkeypatch):
    def getaddrinfo(*args, **kwargs):
        raise OSError("no such host")

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    monkeypatch.setattr(sklearn.datasets, "fetch_openml", FETCH_OPENML)
    with pytest.raises(DataError, match=r"openml\.org/d/531 failed .*no such host"):
        load("boston")


def test_interrupted_write_leaves_nothing_behind(cache, monkeypatch):
    rng = np.random.default_rng(0)
    content = rows_of(rng.random((208, 60)), ["R"] * 208)
    serve(monkeypatch, {"sonar.all-data": content})

    def full_disk(source, target):
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", full_disk)
    with pytest.raises(
        DataError, match=r"cannot be written .*disk full.*PAIRSIFT_CACHE"
    ):
        load("sonar")
    assert list(cache.iterdir()) == []


def test_cache_folder_that_cannot_be_made_is_an_error(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    content = rows_of(rng.random((208, 60)), ["R"] * 208)
    serve(monkeypatch, {"sonar.all-data": content})
    write(tmp_path, "occupied", "a file, not a folder")
    monkeypatch.setenv("PAIRSIFT_CACHE", str(tmp_path / "occupied" / "cache"))
    with pytest.raises(DataError, match="cannot be written to the cache folder"):
        load("sonar")


def manifest():
    if not (SHARED / "MANIFEST.csv").is_file():
        return []
    with open(SHARED / "MANIFEST.csv", encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row["name"] not in LARGE]


def label_counts(text):
    pairs = (part.rpartition("=") for part in text.split(";"))
    return {label: int(count) for label, _, count in pairs}


@pytest.mark.slow
@pytest.mark.shared_data
@pytest.mark.skipif(not manifest(), reason="the files of the papers are not here")
@pytest.mark.parametrize("row", manifest(), ids=lambda row: row["name"])
def test_published_file_loads_as_its_manifest_says(row):
    bunch = load(row["name"], data_dir=SHARED)
    assert bunch.data.shape == (int(row["samples"]), int(row["features"]))
    n_missing = pd.DataFrame(bunch.data).isna().to_numpy().sum()
    assert n_missing == int(row["missing_cells"])  # the word of the manifest
    if row["classes"]:
        found = dict(zip(*np.unique(bunch.target, return_counts=True), strict=True))
        assert found == label_counts(row["class_counts"])
    else:
        assert bunch.target.dtype == np.float64


@pytest.mark.shared_data
@pytest.mark.skipif(not manifest(), reason="the files of the papers are not here")
@pytest.mark.parametrize("row", manifest(), ids=lambda row: row["name"])
def test_documented_names_are_those_of_the_published_file(row):
    from pairsift.datasets._registry import DATASETS

    dataset = DATASETS[row["name"]]
    opened = gzip.open if row["file"].endswith(".gz") else open
    with opened(SHARED / row["file"], "rt", encoding="utf-8", newline="") as file:
        header = next(csv.reader(file))
    assert header[-1] == dataset.target
    if dataset.columns:
        assert header[:-1] == list(dataset.columns)
        assert dataset.source.n_samples == int(row["samples"])


@pytest.mark.shared_data
@pytest.mark.skipif(not manifest(), reason="the files of the papers are not here")
@pytest.mark.parametrize("name", ["wine", "wdbc"])
def test_scikit_learn_and_file_agree(name):
    ours, theirs = load(name, data_dir=SHARED), load(name)
    assert_array_equal(ours.data, theirs.data)
    assert_array_equal(ours.target, theirs.target)
    assert ours.feature_names == theirs.feature_names


@pytest.mark.shared_data
@pytest.mark.skipif(not manifest(), reason="the files of the papers are not here")
@pytest.mark.parametrize(
    ("name", "expected"),
    [("soybean", 35), ("heart", 6), ("arrhythmia", 73), ("kdd99", 8), ("steel", 2)],
)
def test_number_of_categorical_columns_is_the_documented_one(name, expected):
    assert len(load(name, data_dir=SHARED).categorical_features) == expected
