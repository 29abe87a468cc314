"""Odd cells, labels that may be none, labels beside pairs: used right, or said."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.preprocessing import minmax_scale

from pairsift import ConstraintScore1, PairConstraints, ReliefFSc
from pairsift.cli._checks import label_warnings
from pairsift.cli._na_words import EMPTY_WORDS
from pairsift.cli._tables import read_table, scale
from pairsift.reports import Table


@pytest.fixture
def odd(wine, tmp_path):
    """Wine with one odd cell."""

    def write(word, row=17, column="proline", name="odd.csv"):
        frame = wine.astype({column: object})
        frame.loc[row, column] = word
        path = tmp_path / name
        if name.endswith(".parquet"):
            frame.astype({column: str}).to_parquet(path)
        else:
            frame.to_csv(path, index=False)
        return path

    return write


@pytest.mark.parametrize("command", ["select", "query", "propagate", "evaluate"])
@pytest.mark.parametrize("word", ["-", "?", "<5"])
def test_an_odd_cell_among_numbers_is_refused(refused, odd, write_csv, command, word):
    data = odd(word)
    pairs = write_csv("p.csv", "a,b,link\n0,100,cannot\n")
    options = {
        "select": ["--label", "class"],
        "query": ["--drop", "class"],
        "propagate": ["--drop", "class", "--constraints", pairs],
        "evaluate": ["--label", "class", "--out", data.with_name("e")],
    }[command]
    said = refused(command, data, *options)

    assert f"177 of 178 cells of 'proline' are numbers; '{word}' in row 17 is" in said
    quoted = word if word == "-" else f"'{word}'"
    assert f"--na {quoted} makes missing values, --categorical proline takes" in said


@pytest.mark.parametrize("name", ["odd.csv", "odd.parquet"])
@pytest.mark.parametrize("word", ["-", "-999"])
def test_a_word_for_missing_values_makes_them_missing(wine, odd, word, name):
    read = read_table(odd(word, name=name), na=[word], drop=["class"])
    wine.loc[17, "proline"] = np.nan
    pd.testing.assert_frame_equal(read.features, wine.drop(columns="class"))


def test_a_number_for_missing_values_makes_them_missing(wine, tmp_path):
    wine["proline"] = wine["proline"].astype(int)
    wine.loc[17, "proline"] = -999
    wine.to_parquet(tmp_path / "w.parquet")
    read = read_table(tmp_path / "w.parquet", na=["-999"], drop=["class"])
    assert np.flatnonzero(read.features["proline"].isna()).tolist() == [17]


def test_a_column_can_be_taken_as_text(run, odd, write_csv, strict_json):
    result = run("select", odd("-"), "--label", "class", "--categorical", "proline")
    assert result.exit_code == 0, result.stderr
    y = np.arange(40) % 2
    rng = np.random.default_rng(0)
    codes = np.where(y, 2, rng.choice([1, 3], 40))
    data = write_csv("d.csv", {"x": rng.random(40), "code": codes, "y": y})
    select = ["select", data, "--label", "y", "--method", "relieff", "--json"]
    scores = {}
    for options in ([], ["--categorical", "code"]):
        document = strict_json(run(*select, *options).stdout)
        scores[len(options)] = {f["feature"]: f["score"] for f in document["ranking"]}
    assert scores[2]["code"] > scores[0]["code"]


def test_a_column_to_take_as_text_must_be_there(refused, wine_csv):
    said = refused("select", wine_csv, "--categorical", "prolin")
    assert "no column 'prolin' for --categorical (did you mean 'proline'?)" in said


@pytest.mark.parametrize(
    ("cells", "cure"),
    [
        (["1,234", "2,345", "999"], "write the numbers without commas"),
        (["10%", "20%", "5%"], "write the numbers without the unit '%'"),
        (["3.5 mg", "12 mg", "7"], "write the numbers without the unit 'mg'"),
        (["€10", "€ 2.5", "7 €"], "write the numbers without the unit '€'"),
    ],
    ids=["thousands", "percent", "unit", "currency"],
)
def test_numbers_with_commas_or_units_are_refused(refused, write_csv, cells, cure):
    data = write_csv("d.csv", {"x": range(12), "price": cells * 4})
    said = refused("select", data)
    assert f"{cure}, --categorical price takes the column as text." in said


DATES = [
    "2024-01-0{}",
    "0{}.03.2024",
    "2024-1-{} 10:00",
    "2024/1/{}",
    "1{}/01/2024 00:00",
    "2024010{}",
    "0{}-Mar-2024",
    "May {}, 2024",
]


@pytest.mark.parametrize("date", DATES)
def test_dates_are_refused_as_those_of_parquet_are(run, refused, write_csv, date):
    days = [date.format(1 + i % 3) for i in range(12)]
    data = write_csv("d.csv", {"x": range(12), "day": days})
    said = refused("select", data)
    first = days[0] if days[0].isdecimal() else repr(days[0])
    assert f"column 'day' holds dates, such as {first}: " in said
    assert "leave the column out with --drop day, or take it as text with " in said
    assert run("select", data, "--categorical", "day").exit_code == 0


def test_the_same_command_asks_on_with_the_words_of_the_table(run, odd):
    options = ["--na", "-", "--strategy", "uncertainty", "--max-queries", 2]
    result = run("query", odd("-"), "--drop", "class", *options, answers="s\nd\n")
    assert result.exit_code == 0, result.stderr
    assert "--drop class --na - --constraints " in result.stderr


def test_a_sign_among_words_is_doubted(run, write_csv):
    rng = np.random.default_rng(0)
    words = ["red", "blue", "?", "red"] * 5
    data = write_csv("d.csv", {"x": rng.random(20), "c": words, "y": ["a", "b"] * 10})
    said = run("select", data, "--label", "y", "--method", "relieff").stderr
    assert "column 'c' holds '?' in 5 rows, taken as a value" in said
    assert "--na '?' makes missing values" in said
    data = write_csv("d.csv", {"x": rng.random(20), "y": ["a", "b", "-", "a"] * 5})
    said = run("select", data, "--label", "y").stderr
    assert "rows with '-' in the label column are taken as a class" in said
    assert "warning" not in run("select", data, "--label", "y", "--na", "-").stderr


def labelled(write_csv, labels):
    rng = np.random.default_rng(0)
    columns = {"x": rng.random(len(labels)), "z": rng.random(len(labels))}
    return write_csv("d.csv", columns | {"class": labels})


def test_minus_one_and_one_are_two_classes(run, write_csv, strict_json):
    data = labelled(write_csv, [-1, 1, 1] * 8)
    words = labelled(lambda _, c: write_csv("w.csv", c), ["no", "yes", "yes"] * 8)
    select = ["--label", "class", "--method", "relieff", "--json"]
    result = run("select", data, *select)
    assert result.exit_code == 0, result.stderr
    said = "-1 (8 rows) and 1 (16 rows) in 'class' are taken as two classes"
    assert said in result.stderr
    expected = strict_json(run("select", words, *select).stdout)
    assert strict_json(result.stdout) == expected
    assert expected["n_labelled"] == 24
    evaluate = ["--label", "class", "--methods", "relieff", "--splits", 2, "--jobs", 1]
    result = run("evaluate", data, *evaluate, "--out", data.with_name("e"))
    assert result.exit_code == 0, result.stderr
    assert said in result.stderr
    assert "left out" not in result.stderr


def test_minus_one_beside_two_classes_is_counted(run, write_csv, strict_json):
    data = labelled(write_csv, [-1, 0, 1] * 8)
    select = ["select", data, "--label", "class", "--method", "relieff", "--json"]
    document = strict_json(run(*select).stdout)
    assert document["n_labelled"] == 16
    (warning,) = document["warnings"]
    assert warning.startswith("8 of 24 rows hold -1 in the label column and are taken")
    for value, n_labelled in (("", 24), ("-1", 16), ("0", 16)):
        document = strict_json(run(*select, "--unlabelled", value).stdout)
        assert document["n_labelled"] == n_labelled
        assert document["warnings"] == []


@pytest.mark.parametrize("mark", ["unknown", "?", "-"])
def test_a_word_may_mark_unlabelled_rows(run, write_csv, strict_json, mark):
    data = labelled(write_csv, ["a", "b", mark] * 8)
    select = ["select", data, "--label", "class", "--unlabelled", mark, "--json"]
    document = strict_json(run(*select).stdout)
    assert document["n_labelled"] == 16
    assert document["warnings"] == []


def test_an_unlabelled_mark_that_does_not_occur_is_said(run, write_csv):
    data = labelled(write_csv, ["a", "b"] * 8)
    result = run("select", data, "--label", "class", "--unlabelled", "none")
    assert "no cell of 'class' is 'none', the --unlabelled one." in result.stderr


def test_a_word_among_labels_that_are_numbers_is_refused(refused, run, write_csv):
    data = labelled(write_csv, ["1", "2"] * 8 + ["?"])
    said = refused("select", data, "--label", "class")
    assert "16 of 17 cells of 'class' are numbers; '?' in row 16 is not" in said
    assert "--unlabelled '?' takes such rows as unlabelled" in said
    for options in (["--unlabelled", "?"], ["--categorical", "class"]):
        result = run("select", data, "--label", "class", *options)
        assert result.exit_code == 0, result.stderr


def test_propagate_takes_minus_one_as_a_class(run, write_csv, strict_json):
    data = labelled(write_csv, [-1, 1] * 8)
    pairs = write_csv("p.csv", "a,b,link\n0,1,cannot\n")
    options = ["--label", "class", "--constraints", pairs, "--json"]
    found = strict_json(run("propagate", data, *options).stdout)["agreement"]
    assert found["n_unlabelled"] == 0


def test_a_label_for_each_row_is_said(run, write_csv):
    data = labelled(write_csv, [f"r{row}" for row in range(12)])
    said = run("select", data, "--label", "class").stderr
    assert "each of the 12 rows has a label of its own" in said


@pytest.mark.parametrize("name", ["class", "Label", "target", "y", "class_label"])
def test_a_column_named_like_a_label_is_doubted(run, write_csv, name):
    rng = np.random.default_rng(0)
    data = write_csv("d.csv", {"u": rng.random(20), name: rng.random(20)})
    said = f"column {name!r} is named like a label, but taken as a feature"
    assert said in run("select", data).stderr
    assert said in run("query", data, "--max-queries", 1, answers="q\n").stderr
    assert said not in run("select", data, "--drop", name).stderr


def test_coordinates_and_other_names_are_not_doubted(run, write_csv):
    rng = np.random.default_rng(0)
    names = ["x", "y", "label_width", "classic"]
    data = write_csv("d.csv", {name: rng.random(20) for name in names})
    assert "named like a label" not in run("select", data).stderr


@pytest.mark.parametrize(
    ("column", "is_said"),
    [
        (["u", "v", "w"] * 7, True),
        ([3, 1, 2] * 7, True),
        ([3.5, 1.5, np.nan] * 7, True),
        (["u", "v", "u"] * 7, False),
        (["u", "v", "w"] * 6 + ["v", "w", "u"], False),
    ],
    ids=["text", "numbers", "gaps", "two for three", "with exceptions"],
)
def test_a_column_that_repeats_the_label_is_doubted(column, is_said):
    rng = np.random.default_rng(0)
    features = pd.DataFrame({"x": rng.random(21), "copy": column})
    found = label_warnings(Table(features, np.array(["a", "b", "c"] * 7)))
    assert len(found) == is_said
    assert all("column 'copy' repeats the label, value by" in text for text in found)


def test_a_column_that_repeats_the_label_is_said(run, write_csv):
    rng = np.random.default_rng(0)
    columns = {"x": rng.random(20), "copy": [3, 7] * 10, "kind": ["a", "b"] * 10}
    said = run("select", write_csv("d.csv", columns), "--label", "kind").stderr
    assert "column 'copy' repeats the label, value by value, but is taken as" in said


@pytest.mark.parametrize(
    ("method", "selector"),
    [("relieff-sc", ReliefFSc()), ("constraint-score-1", ConstraintScore1())],
)
def test_pairs_and_labels_are_used_together(
    run, wine, strict_json, write_csv, method, selector
):
    wine["class"] = [None] * 178
    rows = [1, 2, 60, 65, 140]
    wine.loc[rows, "class"] = ["a", "a", "b", "b", "c"]
    data = write_csv("w.csv", wine)
    pairs = write_csv("p.csv", "a,b,link\n20,100,cannot\n1,2,must\n20,21,must\n")
    given = PairConstraints([(20, 21), (1, 2)], [(20, 100)], n_samples=178)
    select = ["select", data, "--label", "class", "--constraints", pairs]
    result = run(*select, "--method", method, "--json")
    X = minmax_scale(wine.drop(columns="class"))
    joined = given | PairConstraints.from_labels(wine["class"].to_numpy())
    expected = selector.fit(X, constraints=joined)
    document = strict_json(result.stdout)
    names = [line["feature"] for line in document["ranking"]]
    assert names == [wine.columns[j] for j in expected.order_]
    assert document["n_constraints_used"] == expected.n_constraints_used_
    n_given = 1 if method == "relieff-sc" else 3
    n_labelled = expected.n_constraints_used_ - n_given
    assert f"{n_labelled} of them of labelled rows" in result.stderr
    unused = [w for w in document["warnings"] if "not used" in w]
    assert len(unused) == (method == "relieff-sc")
    assert all(w.startswith("2 must-links are not used") for w in unused)


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        ("r1,r3,must\n", "r1 and r3 are a must-link, but labelled 'a' and 'b'"),
        ("r1,r2,cannot\n", "r1 and r2 are a cannot-link, but labelled 'a' and 'a'"),
    ],
)
def test_pairs_that_labels_deny_are_named(refused, write_csv, pairs, said):
    rng = np.random.default_rng(0)
    columns = {"id": [f"r{j}" for j in range(12)], "x": rng.random(12)}
    labels = [None, "a", "a", "b", *([None] * 8)]
    data = write_csv("d.csv", columns | {"kind": labels})
    pairs = write_csv("p.csv", f"a,b,link\nr8,r9,cannot\n{pairs}")
    select = ["select", data, "--id", "id", "--label", "kind", "--constraints", pairs]
    text = refused(*select, "--method", "relieff-sc")
    assert f"the labels contradict 1 of the pairs: {said}" in text


def test_pairs_drawn_from_labels_are_added_to_those_given(run, wine_csv, write_csv):
    pairs = write_csv("p.csv", "a,b,link\n0,3,cannot\n")
    select = ["select", wine_csv, "--label", "class", "--constraints", pairs]
    result = run(*select, "--sample-pairs", 10, "--method", "relieff-sc")
    assert result.exit_code == 0, result.stderr
    assert "11 pairs used" in result.stderr


def test_labels_of_two_kinds_in_a_typed_file_are_refused(refused, monkeypatch, data):
    kinds = np.array([1, "a"] * 20, dtype=object)
    original = read_table

    def read(*arguments, **options):
        return replace(original(*arguments, **options), labels=kinds)

    monkeypatch.setattr("pairsift.cli._loading.read_table", read)
    said = refused("select", data, "--label", "a")
    assert "y mixes text such as 'a' with other labels such as 1" in said


def test_a_range_that_overflows_is_scaled_like_any_other():
    most = np.finfo(float).max
    frame = pd.DataFrame({"wide": [-most, 0.0, most, np.nan], "a": [1.0, 2, 3, 4]})
    scaled = scale(frame.assign(text="x"))
    np.testing.assert_array_equal(scaled["wide"], [0.0, 0.5, 1.0, np.nan])
    np.testing.assert_array_equal(scaled["a"], np.arange(4) / 3)


def test_ids_that_two_rows_have_are_no_fault_of_the_pairs(refused, write_csv):
    data = write_csv("d.csv", {"id": ["p", "q", "q", "r"], "x": range(4)})
    pairs = write_csv("pairs.csv", "a,b,link\np,r,cannot\n")
    said = refused("select", data, "--id", "id", "--constraints", pairs)
    assert "more than one row of the data has the id 'q'" in said
    assert "pairs.csv" not in said


def test_an_error_of_classes_names_the_words_that_were_taken_for_none(
    refused, write_csv
):
    data = write_csv("d.csv", {"x": range(8), "kind": ["nan", "good"] * 4})
    said = refused("select", data, "--label", "kind")
    assert "needs at least two classes" in said
    assert "rows with 'nan' in the label column are taken as unlabelled" in said


def test_a_label_of_parquet_that_reads_as_none_is_said(run, tmp_path):
    pytest.importorskip("pyarrow")
    path = tmp_path / "d.parquet"
    columns = {"x": np.arange(8.0), "kind": ["nan", "good"] * 4}
    pd.DataFrame(columns).to_parquet(path)
    options = ["select", path, "--label", "kind", "--method", "fisher-score"]
    said = "rows with 'nan' in the label column are taken as a class"
    for reading in ("--stream", "--no-stream"):
        done = run(*options, reading)
        assert f"{said}; --unlabelled nan if they have no label" in done.stderr
    assert said not in run(*options, "--unlabelled", "").stderr


def test_dates_as_numbers_in_blocks_are_refused(refused, tmp_path):
    pytest.importorskip("pyarrow")
    path = tmp_path / "d.parquet"
    days = 20240101 + np.arange(12) % 3
    pd.DataFrame({"x": np.arange(12.0), "day": days}).to_parquet(path)
    said = refused("select", path, "--stream", "--method", "variance-score")
    assert "column 'day' holds dates, such as 20240101: " in said


@pytest.mark.parametrize("name", ["d.csv", "d.parquet"])
def test_rounded_whole_numbers_are_said(run, tmp_path, name):
    pytest.importorskip("pyarrow")
    path, stream = tmp_path / name, ["--stream"] * name.endswith("parquet")
    frame = pd.DataFrame({"x": np.arange(12.0), "key": 2**53 + np.arange(12)})
    frame.to_csv(path, index=False) if name == "d.csv" else frame.to_parquet(path)
    done = run("select", path, "--method", "variance-score", *stream)
    said = "column 'key' holds whole numbers beyond 2**53, which are rounded"
    assert done.exit_code == 0
    assert said in done.stderr
    assert said not in run("select", path, "--id", "key", *stream).stderr


@pytest.fixture
def countries(tmp_path):
    """Classes that the country tells apart, one of which is NA; a gap among numbers."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.random((30, 3)), columns=list("abc"))
    frame.loc[3, "a"] = np.nan
    frame["country"] = ["NA", "DE", "FR"] * 10
    frame["kind"] = ["x", "y", "z"] * 10
    frame.to_csv(tmp_path / "d.csv", index=False, na_rep="NA")
    return tmp_path / "d.csv"


def test_a_word_of_missing_values_can_be_kept_in_columns_of_text(
    run, countries, strict_json
):
    command = ["select", countries, "--label", "kind", "--method", "relieff"]
    kept = run(*command, "--keep-na", "NA", "--json")
    first = strict_json(kept.stdout)["ranking"][0]
    assert (first["feature"], first["score"]) == (
        "country",
        pytest.approx(1.0, rel=1e-10),
    )
    assert "missing values in 'a' (1).\n" in kept.stderr
    assert "missing values in 'a' (1), 'country' (10)." in run(*command).stderr


def test_a_kept_word_is_a_class_of_labels(run, countries, strict_json):
    command = ["select", countries, "--label", "country", "--drop", "kind"]
    options = ["--method", "relieff", "--json"]
    lost = run(*command, *options)
    assert "(20 labelled)" in lost.stderr
    assert (
        "'NA' in the label column are taken as unlabelled; --keep-na NA" in lost.stderr
    )
    assert "(30 labelled)" in run(*command, *options, "--keep-na", "NA").stderr


def test_other_commands_keep_words_too(run, countries, write_csv, tmp_path):
    pairs = write_csv("p.csv", "a,b,link\n0,1,cannot\n0,3,must\n")
    keep = ["--drop", "kind", "--keep-na", "NA"]
    done = run("propagate", countries, "--constraints", pairs, *keep)
    assert done.exit_code == 0
    assert "country" not in done.stderr
    options = ["--strategy", "uncertainty", "--max-queries", 2]
    done = run("query", countries, *keep, *options, answers="s\nd\n")
    assert done.exit_code == 0, done.stderr
    assert "--keep-na NA" in done.stderr


def test_a_word_is_either_missing_or_kept(refused, countries):
    said = refused("select", countries, "--na", "NA", "--keep-na", "NA")
    assert "both --na and --keep-na name 'NA'" in said


def test_the_words_of_an_empty_cell_are_those_of_pandas():
    from pandas._libs.parsers import STR_NA_VALUES

    assert set(EMPTY_WORDS) == STR_NA_VALUES


def test_an_error_of_classes_names_the_minus_one_that_was_read_as_none(
    refused, write_csv
):
    data = write_csv("d.csv", {"x": range(8), "kind": [-1, 0] * 4})
    said = refused("select", data, "--label", "kind")
    assert "needs at least two classes" in said
    assert "-1 in the label column was read as 'no label'; --unlabelled" in said
