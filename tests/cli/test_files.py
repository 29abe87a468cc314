"""Files of spreadsheet users: every encoding, format and archive reads the same."""

import zipfile

import numpy as np
import pandas as pd
import pytest

from pairsift.cli._tables import read_table
from pairsift.exceptions import DataError


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(12, 2)).round(3), columns=["größe", "x"])
    frame["ort"] = ["Köln", "Århus"] * 6
    return frame


def assert_reads(path, table, *notes, **options):
    read = read_table(path, **options)
    pd.testing.assert_frame_equal(read.features, table)
    assert list(read.notes) == list(notes)


@pytest.mark.parametrize(
    ("encoding", "notes"),
    [
        ("utf-8", []),
        ("utf-8-sig", []),
        ("utf-16", ["t.csv was read as UTF-16."]),
        ("utf-32", ["t.csv was read as UTF-32."]),
        (
            "cp1252",
            ["t.csv was read as Western European text (cp1252), not UTF-8."],
        ),
    ],
)
def test_encodings_are_found_and_said(table, tmp_path, encoding, notes):
    path = tmp_path / "t.csv"
    table.to_csv(path, index=False, encoding=encoding)
    assert_reads(path, table, *notes)


def test_an_encoding_is_said_by_every_command(run, table, tmp_path):
    path = tmp_path / "t.csv"
    table["class"] = ["a", "b"] * 6
    table.to_csv(path, index=False, encoding="utf-16")
    pairs = tmp_path / "p.csv"
    pairs.write_text("a,b,link\n0,1,cannot\n")
    said = "t.csv was read as UTF-16."
    assert said in run("select", path, "--label", "class").stderr
    query = ["query", path, "--drop", "class", "--max-queries", 1]
    assert said in run(*query, answers="d\n").stderr
    options = ["--constraints", pairs, "--out", tmp_path / "o.csv"]
    assert said in run("propagate", path, *options).stderr


def test_binary_in_the_place_of_text_is_refused(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes("a,b\n1,2\n".encode("utf-16-le"))
    with pytest.raises(DataError, match="holds NUL bytes.*save it as UTF-8"):
        read_table(path)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", "  "])
def test_the_separator_of_a_text_file_is_found(table, tmp_path, separator):
    path = tmp_path / "t.txt"
    lines = [separator.join(map(str, row)) for row in table.itertuples(index=False)]
    path.write_text("\n".join([separator.join(table), *lines]), encoding="utf-8")
    assert_reads(path, table)


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.parquet"])
def test_a_zip_of_one_table_is_read(table, tmp_path, name):
    inner = tmp_path / name
    if name == "t.parquet":
        table.to_parquet(inner)
    else:
        table.to_csv(inner, index=False, sep="," if name == "t.csv" else "\t")
    with zipfile.ZipFile(tmp_path / "t.zip", "w") as archive:
        archive.write(inner, f"folder/{name}")
        archive.writestr("__MACOSX/folder/._t.csv", "junk")
        archive.writestr("folder/", "")
    assert_reads(tmp_path / "t.zip", table)


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"a.csv": "x\n1\n", "b.csv": "x\n1\n"}, "it has 'a.csv', 'b.csv': take out"),
        ({}, "must hold one file, it has none"),
        ({"a.docx": "x"}, "and its member 'a.docx' does not"),
    ],
    ids=["two", "none", "other"],
)
def test_a_zip_without_one_table_is_refused(refused, tmp_path, members, said):
    with zipfile.ZipFile(tmp_path / "t.zip", "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    assert said in refused("select", tmp_path / "t.zip")


def test_a_broken_zip_is_refused(refused, tmp_path):
    path = tmp_path / "t.zip"
    path.write_bytes(b"junk")
    assert "cannot be read as ZIP" in refused("select", path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("t.csv", "x,z\n" + "1,2\n" * 50)
    content = bytearray(path.read_bytes())
    content[45] ^= 0xFF
    path.write_bytes(content)
    assert "cannot be read as CSV" in refused("select", path)


class Book:
    """A workbook as pandas reads it, which needs a package that may not be there."""

    def __init__(self, *sheets):
        self.sheets = sheets
        self.sheet_names = [f"Sheet{j}" for j in range(len(sheets))]

    def parse(
        self, header=0, nrows=None, dtype=None, na_values=None, keep_default_na=True
    ):
        frame = self.sheets[0].copy()
        if header is None:
            return pd.DataFrame([list(frame.columns)]).astype(str)
        for name, kind in (dtype or {}).items():
            frame[name] = frame[name].astype(kind)
        return frame.mask(frame.isin(na_values))


@pytest.fixture
def write_book(tmp_path, monkeypatch):
    def write(*sheets):
        path = tmp_path / "t.xlsx"
        path.write_bytes(b"as if")
        monkeypatch.setattr(pd, "ExcelFile", lambda file, engine: Book(*sheets))
        return path

    return write


def test_the_first_sheet_of_a_workbook_is_read(table, write_book):
    assert_reads(write_book(table), table)
    said = "t.xlsx has 2 sheets: the first, 'Sheet0', was read."
    assert_reads(write_book(table, table), table, said)


def test_numbers_kept_as_text_in_a_workbook_are_numbers(table, write_book):
    as_text = table.assign(x=table["x"].astype(str).astype(object))
    assert_reads(write_book(as_text), table)
    as_text.loc[3, "x"] = "-"
    with pytest.raises(DataError, match="11 of 12 cells of 'x' are numbers; '-' in"):
        read_table(write_book(as_text))
    assert read_table(write_book(as_text), na=["-"]).features["x"].isna().sum() == 1


def test_categories_of_a_typed_file_stay_categories(table, tmp_path):
    codes = pd.Series(["1", "2"] * 6)
    table.assign(a=codes, b=codes.astype("category")).to_parquet(tmp_path / "t.pq")
    features = read_table(tmp_path / "t.pq").features
    assert features["a"].dtype == np.int64
    assert features["b"].dtype == "category"
    features = read_table(tmp_path / "t.pq", categorical=["a"]).features
    assert features["a"].tolist() == codes.tolist()
    assert features["a"].dtype == "category"


def test_a_workbook_without_the_package_names_the_cure(
    refused, monkeypatch, write_book, table
):
    def fail(file, engine):
        raise ImportError("Missing optional dependency 'openpyxl'")

    path = write_book(table)
    monkeypatch.setattr(pd, "ExcelFile", fail)
    assert "pip install openpyxl" in refused("select", path)


def test_a_broken_workbook_is_refused(refused, monkeypatch, write_book, table):
    def fail(file, engine):
        raise zipfile.BadZipFile("File is not a zip file")

    path = write_book(table)
    monkeypatch.setattr(pd, "ExcelFile", fail)
    assert "cannot be read as Excel: File is not a zip file" in refused("select", path)


def test_repeated_names_in_a_workbook_are_refused(refused, write_book, table):
    twice = table.set_axis(["a", "b", "a"], axis=1)
    assert "more than one column 'a'" in refused("select", write_book(twice))


def test_real_workbooks_are_read(table, tmp_path):
    pytest.importorskip("openpyxl")
    table.to_excel(tmp_path / "t.xlsx", index=False)
    assert_reads(tmp_path / "t.xlsx", table)


def test_a_very_long_field_is_read_in_a_table_and_said_in_constraints(
    run, refused, write_csv
):
    name = "x" * 200_000
    text = f"{name},z\n" + "".join(f"{row},{row % 5}\n" for row in range(20))
    data = write_csv("d.csv", text)
    assert name in run("select", data).stdout
    pairs = write_csv("p.csv", f"a,b,link\n0,{'1' * 200_000},cannot\n")
    said = refused("select", data, "--constraints", pairs)
    assert "p.csv line 2 cannot be read as CSV: field larger than field limit" in said


@pytest.mark.parametrize("word", ["01.03.2024", "10.0.0.7", "v1.2"])
@pytest.mark.parametrize("separator", [";", "\t"])
def test_points_of_dates_do_not_hide_decimal_commas(table, tmp_path, word, separator):
    table["ort"] = [word, "x"] * 6
    table.to_csv(tmp_path / "t.csv", index=False, sep=separator, decimal=",")
    assert_reads(tmp_path / "t.csv", table)


def test_decimal_points_beside_lists_with_commas_stay_points(table, tmp_path):
    table["ort"] = ["1,2", "x"] * 6
    table.to_csv(tmp_path / "t.csv", index=False, sep=";")
    assert_reads(tmp_path / "t.csv", table)


def test_empty_margin_of_a_spreadsheet_is_left_out(table, tmp_path):
    lines = table.to_csv(index=False).splitlines()
    path = tmp_path / "t.csv"
    path.write_text("\n".join([*(f"{line},," for line in lines), ",,,,"]) + "\n")
    note = "t.csv: 2 columns and 1 row at the end without any value left out."
    assert_reads(path, table, note)

    table.loc[3, "ort"] = "NA"
    lines = table.to_csv(index=False).splitlines()
    path.write_text("\n".join([*lines, ",,", ",,"]) + "\n")
    read = read_table(path, label="ort")
    assert read.labels.size == 12
    assert read.unlabelled_words == ("NA",)
    note = "t.csv: 2 rows at the end without any value left out."
    assert read.notes == (note,)


def test_empty_rows_and_columns_inside_a_table_stay(table, tmp_path):
    table.insert(1, "empty", np.nan)
    table.loc[5] = np.nan
    table["named"] = np.nan
    table.to_csv(tmp_path / "t.csv", index=False)
    assert_reads(tmp_path / "t.csv", table)


def test_columns_without_a_name_are_said(run, write_csv):
    data = write_csv("t.csv", ",x,\n0,5,1\n1,3,2\n2,4,2\n")
    said = run("select", data, "--method", "variance-score").stderr
    names = "here called Unnamed: 0, Unnamed: 2."
    assert f"t.csv: 2 columns have no name in the header, {names}" in said
