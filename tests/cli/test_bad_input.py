"""Mistakes of a user: one clear line, exit code 2, no traceback."""

import pytest

PAIRS = "a,b,link\n"


def test_a_missing_file_offers_similar_names(refused, wine_csv):
    said = refused("select", wine_csv.with_name("wime.csv"))

    assert "did you mean 'wine.csv'?" in said


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("d.csv", b"", "is empty"),
        ("d.csv", b"a,b\n", "has no rows"),
        ("d.csv", b"\xff\xfe\x00", "cannot be read as CSV"),
        ("d.csv", b"a,b\n1,2\n1,2,3\n", "line 3 has 3 cells, those before it have 2"),
        ("d.csv", b"a,b\n1,2,3\n4,5,6\n", "more cells than its header"),
        ("d.csv.gz", b"a,b\n1,2\n", "d.csv.gz"),
        ("d.parquet", b"junk", "cannot be read as Parquet"),
        ("d.parquet", b"PAR1 junk PAR1", "cannot be read as Parquet"),
        ("d.xls", b"junk", "ends in .csv"),
        ("d", b"a,b\n1,2\n", "ends in .csv"),
    ],
    ids=["empty", "header-only", "binary", "ragged", "long-rows", "no-gzip", "short",
         "torn", "excel", "no-suffix"],
)  # fmt: skip
def test_an_unreadable_file_is_refused(refused, tmp_path, name, content, said):
    (tmp_path / name).write_bytes(content)

    assert said in refused("select", tmp_path / name)


def test_a_folder_is_no_data_file(refused, tmp_path):
    (tmp_path / "d.csv").mkdir()

    assert "is a folder" in refused("select", tmp_path / "d.csv")


@pytest.mark.parametrize("option", ["--label", "--id", "--drop"])
def test_a_missing_column_offers_similar_names(refused, wine_csv, option):
    said = refused("select", wine_csv, option, "Clas")

    assert f"no column 'Clas' for {option} (did you mean 'class'?)" in said


def test_no_column_left_is_refused(refused, write_csv):
    said = refused("select", write_csv("d.csv", "y\n1\n2\n"), "--label", "y")

    assert "no column left" in said


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ("x\n1\n", "minimum of 2 is required"),
        ("x,z\n1,inf\n2,3\n", "'z' holds infinite values"),
        ("x,z\n1,a\n2,b\n", "column 'z' is categorical"),
        ("x,z\n1,\n2,3\n", "column 'z' has missing values"),
    ],
    ids=["one-row", "infinite", "text", "missing"],
)
def test_data_that_the_method_cannot_use_is_refused(refused, write_csv, columns, said):
    data = write_csv("d.csv", columns)

    assert said in refused("select", data, "--method", "laplacian-score")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([], "`pairsift query`, which accept them"),
        (["--label", "y"], "such as relieff"),
        (["--constraints"], "such as pair-logistic"),
    ],
    ids=["nothing", "labels", "pairs"],
)
def test_missing_values_are_refused_with_what_works(refused, write_csv, given, said):
    data = write_csv("d.csv", "x,z,y\n1,,a\n2,3,b\n3,4,a\n4,1,b\n")
    if given == ["--constraints"]:
        given = [*given, write_csv("p.csv", "a,b,link\n0,1,cannot\n"), "--drop", "y"]
    method = ["--method", "laplacian-score"] if given else ["--drop", "y"]

    assert said in refused("select", data, *given, *method)


def test_dates_and_lists_are_refused_by_name(refused, tmp_path):
    import pandas as pd

    x = [1.0, 2.0]
    dates = pd.DataFrame({"x": x, "when": pd.to_datetime(["2020-01-01", "2021-01-01"])})
    dates.to_parquet(tmp_path / "dates.parquet")
    lists = pd.DataFrame({"x": x, "parts": [[1], [2, 3]]})
    lists.to_parquet(tmp_path / "lists.parquet")

    assert "column 'when' holds" in refused("select", tmp_path / "dates.parquet")
    assert "column 'parts' holds lists" in refused("select", tmp_path / "lists.parquet")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "lacks the column 'a'"),
        (PAIRS, "holds no pairs"),
        ("a,b\n0,1\n", "lacks the column 'link'"),
        (PAIRS + "0,999,cannot\n", "(0, 999) is out of range"),
        (PAIRS + "x,1,cannot\n", "'x' is no row number"),
        (PAIRS + "0,1,maybe\n", "link is 'maybe'"),
        (PAIRS + "3,3,cannot\n", "joins a row with itself"),
        (PAIRS + "0,1,must\n1,0,cannot\n", "both a must-link and a cannot-link"),
    ],
    ids=["empty", "header-only", "no-link", "out-of-range", "text",
         "unknown-link", "itself", "both"],
)  # fmt: skip
def test_wrong_constraints_are_refused(refused, wine_csv, write_csv, content, said):
    pairs = write_csv("p.csv", content)

    assert said in refused(
        "select", wine_csv, "--drop", "class", "--constraints", pairs
    )


def test_a_method_without_the_links_it_needs_refuses(refused, wine_csv, write_csv):
    pairs = write_csv("p.csv", PAIRS + "0,1,must\n")
    select = ["select", wine_csv, "--drop", "class", "--constraints", pairs]

    said = refused(*select, "--method", "relieff-sc")
    assert "ReliefFSc needs cannot-link pairs" in said


def test_unknown_ids_are_named(refused, write_csv):
    data = write_csv("d.csv", "id,x\nu,1\nv,2\nw,4\n")
    unknown = write_csv("u.csv", PAIRS + "u,z,cannot\n")

    said = refused("select", data, "--id", "id", "--constraints", unknown)
    assert "no row of the data has the id 'z'" in said


def test_contradiction_is_named_by_id_and_stops_only_what_needs_classes(
    run, refused, write_csv
):
    data = write_csv("d.csv", "id,x,z\nu,1,5\nv,2,0\nw,4,1\nq,3,3\n")
    pairs = write_csv("c.csv", PAIRS + "u,v,same\nv,w,must\nu,w,different\n")
    select = ["select", data, "--id", "id", "--constraints", pairs, "--method"]
    chain = "cannot-link (u, w) contradicts the must-link chain u - v - w"

    assert chain in refused(*select, "constraint-score-7")
    for method in ("pair-logistic", "relieff-sc", "constraint-score-1"):
        done = run(*select, method)
        assert done.exit_code == 0
        assert " ".join(done.stderr.split()).count(chain) == 1


def test_rows_without_an_id_are_refused(refused, write_csv):
    data = write_csv("d.csv", "id,x\nu,1\n,2\nw,4\n")

    assert "row 1 (counted from 0) has no id" in refused("select", data, "--id", "id")


def test_a_missing_constraints_file_is_refused(refused, wine_csv, tmp_path):
    said = refused("select", wine_csv, "--constraints", tmp_path / "p.csv")

    assert "p.csv: No such file or directory" in said


@pytest.mark.parametrize(
    "labels", [["a", "a", "a", "a"], ["a", "a", None, None]], ids=["equal", "one-class"]
)
def test_one_class_is_refused(refused, write_csv, labels):
    data = write_csv("d.csv", {"x": [1, 2, 3, 5], "y": labels})

    assert "1 class" in refused("select", data, "--label", "y")


def test_a_continuous_label_is_refused(refused, wine_csv):
    said = refused("select", wine_csv, "--drop", "class", "--label", "alcohol")

    assert "continuous target" in said


def test_a_method_that_needs_more_says_how_to_give_it(refused, wine_csv):
    said = refused("select", wine_csv, "--drop", "class", "--method", "relieff-sc")

    assert "give --label COLUMN or --constraints FILE" in said


RELIEFF = ("--method", "relieff")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--method", "xyz"], "no method 'xyz': `pairsift methods` lists all."),
        (["--method", "relieff-cs"], "did you mean relieff-sc"),
        ([*RELIEFF, "--param", "n_neighbours=3"], "did you mean 'n_neighbors'?"),
        (["--param", "n_neighbors"], "KEY=VALUE"),
        (["--param", "n_neighbors=3"], "semi-mrmr has no parameter 'n_neighbors'"),
        ([*RELIEFF, "--param", "n_neighbors=0"], "'n_neighbors' parameter"),
        ([*RELIEFF, "--param", "missing=taxi"], "'missing' parameter"),
        (["--top", "14"], "--top 14 asks for more than the 13 features"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_options_are_refused(refused, wine_csv, arguments, said):
    assert said in refused("select", wine_csv, "--label", "class", *arguments)


@pytest.mark.parametrize("option", ["--out", "--report"])
@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("nowhere/r.csv", "there is no folder"),
        ("wine.csv/r.csv", "there is no folder"),
        ("folder.csv", "is a folder"),
        ("wine.csv", "is given twice"),
    ],
)
def test_an_unwritable_path_is_refused_before_the_work(
    refused, wine_csv, monkeypatch, option, path, said
):
    def work(*_, **__):
        raise AssertionError("the data was ranked before the path was checked")

    monkeypatch.setattr("pairsift.cli._loading.rank_features", work)
    (wine_csv.parent / "folder.csv").mkdir()
    path = wine_csv.parent / path

    assert said in refused("select", wine_csv, "--label", "class", option, path)


def test_a_ranking_file_of_unknown_format_is_refused(refused, wine_csv):
    path = wine_csv.with_name("r.docx")

    assert "must end in one of" in refused(
        "select", wine_csv, "--label", "class", "--out", path
    )


def test_a_demo_folder_that_is_a_file_is_refused(refused, wine_csv):
    assert "is no folder" in refused("demo", "--out-dir", wine_csv)


def test_repeated_column_names_are_refused(run, write_csv):
    table = write_csv("t.csv", "a,b,a\n1,2,3\n4,5,6\n")
    result = run("select", table)
    assert result.exit_code == 2
    assert "more than one column 'a'" in result.stderr


def test_a_folder_without_a_suffix_is_no_data_file(run, tmp_path):
    result = run("select", tmp_path)
    assert result.exit_code == 2
    assert "is a folder, not a data file: give a file, or a folder" in result.stderr
    (tmp_path / "t.parquet").write_bytes(b"")
    result = run("evaluate", tmp_path, "--label", "kind")
    assert result.exit_code == 2
    assert "select, query and label read the Parquet files of a folder" in result.stderr


def test_a_guess_of_the_command_ends_in_one_mark(refused):
    said = refused("selct")
    assert "?." not in said
    assert said.endswith("See `pairsift --help`.\n")


def test_the_number_of_features_is_said_once(run, wine_csv):
    result = run(
        "select",
        wine_csv,
        "--label",
        "class",
        "--top",
        5,
        "--param",
        "n_features_to_select=3",
    )
    assert result.exit_code == 2
    assert "say the same" in result.stderr
