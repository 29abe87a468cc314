"""Rows drawn while a text file is read: the draw of the loaded table."""

import gzip
import json
import zipfile

import numpy as np
import pandas as pd
import pytest

from pairsift.cli import _draws, _extent
from pairsift.cli._cost import draw_rows
from pairsift.cli._drawn_table import is_text, unread
from pairsift.cli._files import TableFile
from pairsift.cli._loading import Reading, loaded
from pairsift.cli._ranking import find_method
from pairsift.exceptions import DataError

READING = Reading("class", "id", ["drop me"], ["-9"], ["code"], None)


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    n = 60
    x = rng.normal(size=n).round(3)
    words = np.array(["a", 'say "so"', "two\nlines", " space", "5' pipe\"", "ä,ö"])
    return pd.DataFrame(
        {
            "id": [f"00{i}" for i in range(n)],
            "x": np.where(rng.random(n) < 0.1, -9, x),
            "n": rng.integers(0, 9, n),
            "is": rng.random(n) < 0.5,
            "code": rng.integers(1, 4, n),
            "word": words[rng.integers(0, 6, n)],
            "drop me": "z",
            "class": rng.choice(np.array(["p", "q", ""]), n),
        }
    )


def draw(given, n_rows):
    method = find_method("relieff")[1]
    table, _ = draw_rows(given.table, None, n_rows, method)
    return given.with_features(table)


def assert_same_draw(path, n_rows, reading=READING, has_margin=False):
    with loaded(path, reading) as given:
        whole = draw(given, n_rows)
        gaps = given.has_gaps, given.n_features
    with unread(path, reading) as given:
        drawn = draw(given, n_rows)
        assert (given.has_gaps, given.n_features) == gaps
    # Rows without values at the end of a file make real numbers of whole ones.
    pd.testing.assert_frame_equal(
        drawn.features, whole.features, check_dtype=not has_margin
    )
    assert drawn.ids == whole.ids
    assert drawn.n_drawn_from == whole.n_drawn_from
    assert (drawn.notes, drawn.label_notes) == (whole.notes, whole.label_notes)
    assert drawn.unlabelled_words == whole.unlabelled_words
    assert drawn.missing_label == whole.missing_label
    if whole.labels is None:
        assert drawn.labels is None
    else:
        known = pd.notna(whole.labels)
        assert (pd.notna(drawn.labels) == known).all()
        assert (drawn.labels[known] == whole.labels[known]).all()


@pytest.mark.parametrize("n_rows", [25, 60])
@pytest.mark.parametrize("at_once", [1, 8 * 7, 10**6])
def test_a_draw_is_that_of_the_loaded_table(
    frame, tmp_path, monkeypatch, at_once, n_rows
):
    monkeypatch.setattr(_extent, "DRAWN_AT_ONCE", at_once)
    path = tmp_path / "t.csv"
    frame.to_csv(path, index=False)
    assert_same_draw(path, n_rows)


@pytest.mark.parametrize("sign", [";", "\t"])
def test_a_draw_of_other_signs_and_encodings_is_the_same(frame, tmp_path, sign):
    path = tmp_path / "t.csv"
    frame.to_csv(path, index=False, sep=sign, decimal=",", encoding="utf-16")
    assert_same_draw(path, 20)


def test_a_draw_of_a_packed_file_without_labels_and_ids_is_the_same(frame, tmp_path):
    path = tmp_path / "t.csv.gz"
    frame.to_csv(path, index=False)
    assert is_text(path)
    reading = Reading(None, None, ["id", "class"], ["-9"], [], None)
    assert_same_draw(path, 20, reading)


def test_what_spreadsheets_leave_is_no_part_of_a_draw(frame, tmp_path):
    lines = frame.drop(columns="word").to_csv(index=False).splitlines()
    text = "\n".join([*(f"{line},," for line in lines), "", "," * 8, "," * 8])
    path = tmp_path / "t.csv"
    path.write_text(f"{text}\n")
    assert_same_draw(path, 20, has_margin=True)


def test_numbers_as_labels_and_one_column_are_the_same(tmp_path):
    rng = np.random.default_rng(0)
    path = tmp_path / "t.csv"
    frame = pd.DataFrame({"x": rng.normal(size=40), "class": rng.integers(-1, 2, 40)})
    frame.loc[3, "x"] = np.nan
    frame.to_csv(path, index=False)
    assert_same_draw(path, 15, Reading("class", None, [], [], [], None))
    assert_same_draw(path, 15, Reading("class", None, [], [], [], "0"))
    frame[["x"]].to_csv(path, index=False)
    assert_same_draw(path, 15, Reading(None, None, [], [], [], None))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("class,x\n", "has no rows"),
        ("", "is empty"),
        ("class,x\na,1\nb,2,3\nc,1\n", "line 3 has 3 cells"),
        ("class,x\na,1,5\nb,2,3\nc,1,8\n", "more cells than its header"),
        ("class,x,x\na,1,5\n", "more than one column 'x'"),
        ("x,y\n1,2\n", "no column 'class'"),
        ("class\na\n", "no column left"),
        ("class,x\na,1\nb,inf\n", "infinite"),
    ],
)
def test_faults_are_said_as_of_a_loaded_table(tmp_path, text, said):
    path = tmp_path / "t.csv"
    path.write_text(text)
    reading = Reading("class", None, [], [], [], None)
    for opened in (loaded, unread):
        with pytest.raises(DataError, match=said), opened(path, reading) as given:
            given.with_features(given.table)


@pytest.fixture
def never_whole(monkeypatch):
    def fail(*_):
        raise AssertionError("the whole file was read")

    monkeypatch.setattr(TableFile, "read", fail)


def test_select_draws_while_it_reads(run, frame, tmp_path, never_whole):
    path = tmp_path / "t.csv"
    frame.to_csv(path, index=False)
    words = ["--label", "class", "--id", "id", "--drop", "drop me"]
    done = run("select", path, *words, "--max-samples", 20, "--json")
    assert done.exit_code == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["n_rows"], told["n_drawn_from"]) == (20, 60)


def test_query_draws_while_it_reads(run, frame, tmp_path, never_whole):
    path = tmp_path / "t.csv"
    frame.to_csv(path, index=False)
    words = ["--drop", "class", "--id", "id", "--drop", "drop me", "--max-samples", 20]
    done = run("query", path, *words, "--json", answers="n\nn\n1\n")
    assert done.exit_code == 0, done.stderr
    rows = pd.read_csv(tmp_path / "constraints.csv", dtype=str)[["a", "b"]]
    assert set(rows.to_numpy().ravel()) <= set(frame["id"])


def test_columns_to_show_of_a_draw_are_read_without_the_rest(
    frame, tmp_path, never_whole
):
    path = tmp_path / "t.csv"
    frame.to_csv(path, index=False)
    reading = Reading(None, None, ["word"], [], [], None)
    table = _draws.read_or_draw(path, reading, 20)
    shown = _draws.more_columns(path, table, ["word"], [])
    rows = _draws.drawn_rows(60, 20)
    assert shown["word"].tolist() == frame["word"].str.strip(" ").iloc[rows].tolist()
    with pytest.raises(DataError, match="no column 'wrd' to show.*'word'"):
        _draws.more_columns(path, table, ["wrd"], [])


def test_kinds_of_files_are_told_apart(tmp_path):
    with zipfile.ZipFile(tmp_path / "t.zip", "w") as archive:
        archive.writestr("t.parquet", "")
    assert not is_text(tmp_path / "t.zip")
    for name, is_one in [
        ("t.csv", True),
        ("t.tsv.gz", True),
        ("t.parquet", False),
        ("t.parquet.gz", False),
        ("t.xlsx", False),
    ]:
        (tmp_path / name).write_bytes(gzip.compress(b""))
        assert is_text(tmp_path / name) == is_one
