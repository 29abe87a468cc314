"""The main command, from files to ranking."""

import json
import re
import warnings

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.preprocessing import minmax_scale

from pairsift import (
    FisherScore,
    PairConstraints,
    PairLogistic,
    ReliefFSc,
    RReliefF,
    SimbaSc,
    VarianceScore,
    propagate,
)
from pairsift.cli._console import print_table


def features_of(result):
    return [line.split("\t")[1] for line in result.stdout.splitlines()[1:]]


def test_a_third_of_the_labels_missing_gives_a_ranking_as_json(
    run, wine, wine_csv, strict_json
):
    result = run(
        "select", wine_csv, "--label", "class", "--method", "relieff-sc",
        "--top", 5, "--json",
    )  # fmt: skip
    document = strict_json(result.stdout)

    X = wine.drop(columns="class")
    expected = ReliefFSc(5).fit(minmax_scale(X), wine["class"].to_numpy())
    lines = document["ranking"]
    assert document["method"] == "relieff-sc"
    assert document["parameters"]["n_features_to_select"] == 5
    assert document["n_rows"] == 178
    assert document["n_features"] == 13
    assert document["n_labelled"] == 118
    assert document["n_constraints_used"] == expected.n_constraints_used_
    assert set(document["versions"]) >= {"python", "numpy", "numba", "pairsift"}
    assert [line["feature"] for line in lines] == list(X.columns[expected.order_])
    assert [line["rank"] for line in lines] == list(range(1, 14))
    assert [line["selected"] for line in lines] == [True] * 5 + [False] * 8
    # Two ways to scale differ in the last bit.
    scores = [line["score"] for line in lines]
    assert_allclose(scores, expected.scores_[expected.order_], rtol=1e-9)


def test_integer_labels_take_minus_one_and_empty_as_unlabelled(
    run, write_csv, strict_json
):
    data = write_csv("d.csv", "x,y\n0,0\n1,1\n2,-1\n3,\n0,0\n1,1\n")
    result = run("select", data, "--label", "y", "--json")

    assert strict_json(result.stdout)["n_labelled"] == 4


def test_a_number_is_predicted_from_the_others(run, wine, tmp_path, strict_json):
    frame = wine.drop(columns="class")
    frame.loc[::5, "alcohol"] = np.nan
    path = tmp_path / "wine.csv"
    frame.to_csv(path, index=False)
    options = ("select", path, "--method", "rrelieff", "--drop", "proline", "--json")
    document = strict_json(run(*options, "--label", "alcohol").stdout)
    kept = frame.dropna()
    X = kept.drop(columns=["alcohol", "proline"])
    expected = RReliefF().fit(X, kept["alcohol"])
    assert document["n_labelled"] == len(kept)
    assert document["ranking"][0]["feature"] == X.columns[expected.order_[0]]
    refused = run("select", path, "--method", "rrelieff")
    assert refused.exit_code == 2
    assert "rrelieff needs a numeric target: give --label COLUMN" in refused.stderr


def test_pairs_are_ranked_by_the_pair_model_unless_told_otherwise(
    run, wine, wine_csv, strict_json, tmp_path
):
    y = wine["class"].to_numpy()
    c = PairConstraints.sample(y, 20, 20, random_state=0)
    c.to_csv(tmp_path / "p.csv")
    select = ["select", wine_csv, "--drop", "class", "--constraints"]
    result = run(*select, tmp_path / "p.csv", "--json")

    X = wine.drop(columns="class")
    expected = PairLogistic().fit(minmax_scale(X), constraints=c)
    document = strict_json(result.stdout)
    assert document["method"] == "pair-logistic"
    names = [line["feature"] for line in document["ranking"]]
    assert names == list(X.columns[expected.order_])


def test_an_answer_that_the_others_speak_against_is_named(run, write_csv, tmp_path):
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    data = write_csv("d.csv", {"x": 5.0 * y + rng.random(60), "z": rng.random(60)})
    c = PairConstraints.sample(y, 20, 20, random_state=0)
    used = {tuple(pair) for pair in c.must_link.tolist()}
    lie = next((0, j) for j in range(2, 60, 2) if (0, j) not in used)
    told = PairConstraints(c.must_link, [*c.cannot_link, lie], n_samples=60)
    told.to_csv(tmp_path / "p.csv")
    result = run("select", data, "--constraints", tmp_path / "p.csv")

    said = f"rows 0 and {lie[1]}: you said different; the other answers say"
    assert said in result.stderr


def test_row_ids_and_row_numbers_give_the_same_ranking(run, wine, write_csv):
    ids = [f"{row:04}" for row in range(len(wine))]
    data = write_csv("w.csv", wine.drop(columns="class").assign(bottle=ids))
    numbers = write_csv("n.csv", {"a": [0, 5], "b": [100, 150], "link": ["cannot"] * 2})
    names = write_csv(
        "i.csv", {"a": ["0000", "0005"], "b": ["0100", "0150"], "link": ["cannot"] * 2}
    )

    by_id = run("select", data, "--id", "bottle", "--constraints", names)
    by_number = run("select", data, "--drop", "bottle", "--constraints", numbers)

    assert by_id.exit_code == 0, by_id.stderr
    assert by_id.stdout == by_number.stdout


@pytest.mark.parametrize("name", ["w.tsv", "w.tab", "w.csv.gz", "w.parquet", "w.pq"])
def test_every_format_gives_the_same_ranking(run, wine, wine_csv, tmp_path, name):
    path = tmp_path / name
    if name.endswith(("parquet", "pq")):
        wine.to_parquet(path)
    else:
        wine.to_csv(path, index=False, sep="," if "csv" in name else "\t")

    expected = run("select", wine_csv, "--label", "class").stdout
    result = run("select", path, "--label", "class")

    assert result.exit_code == 0, result.stderr
    assert result.stdout == expected


def test_semicolons_are_found_in_a_csv(run, wine, wine_csv, tmp_path):
    wine.to_csv(tmp_path / "s.csv", index=False, sep=";")

    expected = run("select", wine_csv, "--label", "class").stdout
    assert run("select", tmp_path / "s.csv", "--label", "class").stdout == expected


def test_a_named_parquet_index_is_a_column(run, wine, tmp_path, write_csv):
    pairs = write_csv("p.csv", "a,b,link\nw0,w100,cannot\n")
    wine.index = pd.Index([f"w{row}" for row in range(len(wine))], name="bottle")
    wine.to_parquet(tmp_path / "w.parquet")
    result = run(
        "select", tmp_path / "w.parquet", "--id", "bottle", "--drop", "class",
        "--constraints", pairs,
    )  # fmt: skip

    assert result.exit_code == 0, result.stderr
    assert "1 pairs used" in result.stderr


def test_without_knowledge_the_default_is_unsupervised(run, wine_csv):
    result = run("select", wine_csv, "--drop", "class")

    assert "method unsupervised-mrmr" in result.stderr


def test_a_class_name_finds_its_method(run, wine, wine_csv):
    result = run("select", wine_csv, "--label", "class", "--method", "FisherScore")

    X = wine.drop(columns="class")
    expected = FisherScore().fit(X, wine["class"].to_numpy())
    assert features_of(result) == list(X.columns[expected.order_])


def test_scaling_is_to_the_unit_range_unless_told_otherwise(run, wine, wine_csv):
    common = ["select", wine_csv, "--drop", "class", "--method", "variance-score"]
    X = wine.drop(columns="class")
    scaled = VarianceScore().fit(minmax_scale(X)).order_
    as_given = VarianceScore().fit(X).order_

    assert features_of(run(*common)) == list(X.columns[scaled])
    assert features_of(run(*common, "--no-scale")) == list(X.columns[as_given])


def test_text_columns_and_missing_values_are_ranked_by_the_relief_family(
    run, write_csv
):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 40)
    noise = rng.random(40)
    noise[3] = np.nan
    data = write_csv(
        "d.csv", {"noise": noise, "colour": np.where(y, "red", "white"), "y": y}
    )
    result = run("select", data, "--label", "y")

    assert result.exit_code == 0, result.stderr
    assert features_of(result) == ["colour", "noise"]


def test_parameters_are_read_as_literals_or_text(run, wine_csv, strict_json):
    result = run(
        "select", wine_csv, "--label", "class", "--json", "--method", "relieff-sc",
        "--param", "n_neighbors=3", "--param", "metric=euclidean",
        "--param", "symmetric=false", "--param", "must_link_weight=0.5",
    )  # fmt: skip
    parameters = strict_json(result.stdout)["parameters"]

    assert parameters["n_neighbors"] == 3
    assert parameters["metric"] == "euclidean"
    assert parameters["symmetric"] is False
    assert parameters["must_link_weight"] == 0.5


def test_a_random_method_gives_the_same_result_each_time(run, wine, wine_csv):
    result = run("select", wine_csv, "--label", "class", "--method", "simba-sc")

    X = wine.drop(columns="class")
    selector = SimbaSc(random_state=0)
    expected = selector.fit(minmax_scale(X), wine["class"].to_numpy())
    assert features_of(result) == list(X.columns[expected.order_])


def test_infinite_scores_are_null_with_their_text_in_json(run, write_csv, strict_json):
    columns = {"x": [0, 1, 2, 4, 8], "same": [1] * 5}
    table = write_csv("d.csv", columns)
    result = run("select", table, "--method", "laplacian-score", "--json")
    last = strict_json(result.stdout)["ranking"][-1]

    assert last["feature"] == "same"
    assert last["score"] is None
    assert last["score_text"] == "-inf"


def test_an_infinite_parameter_is_still_valid_json(run, wine_csv, strict_json):
    result = run(
        "select", wine_csv, "--drop", "class", "--json",
        "--method", "laplacian-score", "--param", "sigma=1e999",
    )  # fmt: skip

    if result.exit_code == 0:
        assert strict_json(result.stdout)["parameters"]["sigma"] == "inf"
    else:
        assert result.exit_code == 2


@pytest.mark.parametrize("name", ["r.csv", "r.tsv", "r.json", "r.parquet"])
def test_the_ranking_is_written_in_the_format_of_the_name(
    run, wine_csv, tmp_path, name
):
    path = tmp_path / name
    run("select", wine_csv, "--label", "class", "--top", 2, "--out", path)
    read = {
        ".csv": pd.read_csv,
        ".tsv": lambda file: pd.read_csv(file, sep="\t"),
        ".json": lambda file: pd.DataFrame(json.loads(file.read_text())),
        ".parquet": pd.read_parquet,
    }[path.suffix]
    frame = read(path)

    assert list(frame.columns) == ["rank", "feature", "score", "selected"]
    assert list(frame["rank"]) == list(range(1, 14))
    assert list(frame["selected"]) == [True] * 2 + [False] * 11


@pytest.mark.parametrize(
    ("n_features", "top", "n_rows", "ending"),
    [(40, 3, 3, "... and 37 more (use --out for all)"), (40, 40, 30, "10 more"),
     (20, 3, 20, None), (40, None, 10, "... and 30 more (use --out for all)")],
    ids=["selected", "first", "all", "default"],
)  # fmt: skip
def test_a_terminal_shows_what_can_be_read(
    run, write_csv, monkeypatch, n_features, top, n_rows, ending
):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    rng = np.random.default_rng(0)
    data = write_csv(
        "d.csv", {f"feature{j}": rng.random(12) for j in range(n_features)}
    )
    arguments = [] if top is None else ["--top", top]
    shown = run("select", data, "--method", "variance-score", *arguments).stdout

    assert shown.count("feature") - 1 == n_rows
    assert "\t" not in shown
    assert ending is None or ending in shown


def test_brackets_in_names_are_printed_as_they_are(monkeypatch, capsys):
    monkeypatch.setenv("FORCE_COLOR", "1")
    print_table(["feature"], [["[bold]x[/]"]])

    assert "[bold]x[/]" in capsys.readouterr().out


def test_pairs_can_be_sampled_from_labels(run, wine, wine_csv, strict_json):
    arguments = ["select", wine_csv, "--label", "class", "--sample-pairs", 25, "--json"]
    result = run(*arguments, "--method", "relieff-sc")
    document = strict_json(result.stdout)
    assert document["n_constraints_used"] == 25
    pairs = PairConstraints.sample(wine["class"], 25, random_state=0)
    expected = ReliefFSc().fit(wine.drop(columns="class"), constraints=pairs)
    scores = {line["feature"]: line["score"] for line in document["ranking"]}
    names = list(wine.columns.drop("class"))
    assert_allclose([scores[name] for name in names], expected.scores_, rtol=1e-9)


def test_sampling_pairs_needs_labels(run, wine_csv):
    result = run("select", wine_csv, "--sample-pairs", 5)
    assert result.exit_code == 2
    assert "--sample-pairs draws from labels" in result.stderr
    result = run("select", wine_csv, "--label", "class", "--sample-pairs", 10**7)
    assert result.exit_code == 2
    assert "that exist among the 118 labelled rows" in result.stderr


def test_sampled_pairs_are_of_both_kinds_where_both_are_used(run, wine_csv):
    arguments = ["select", wine_csv, "--label", "class", "--sample-pairs", 25, "--json"]
    result = run(*arguments, "--method", "constraint-score-1")
    assert json.loads(result.stdout)["n_constraints_used"] == 50


def test_sampled_pairs_stand_in_for_the_labels(run, wine_csv):
    arguments = ["select", wine_csv, "--label", "class", "--sample-pairs", 9]
    result = run(*arguments, "--method", "similarity-constraint-score", "--json")
    assert json.loads(result.stdout)["n_constraints_used"] == 9
    assert "not used: labels" not in result.stderr


def test_pairs_beside_labels_are_said_to_be_unused(run, wine_csv, tmp_path):
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("a,b,link\n0,1,must\n0,100,cannot\n")
    arguments = ["select", wine_csv, "--label", "class", "--constraints", pairs]
    result = run(*arguments, "--method", "fisher-score")
    assert "not used: labels are given, and fisher-score learns from" in result.stderr


def test_methods_answer_to_their_names_in_the_literature(run, wine_csv):
    result = run("select", wine_csv, "--label", "class", "--method", "lsdf", "--json")
    assert json.loads(result.stdout)["method"] == "constraint-score-3"


def test_labels_are_used_by_spec_when_they_are_given(run, wine_csv):
    result = run("select", wine_csv, "--label", "class", "--method", "spec")
    assert result.exit_code == 0
    assert "not used" not in result.stderr
    blind = run("select", wine_csv, "--drop", "class", "--method", "spec")
    assert blind.exit_code == 0
    assert blind.stdout != result.stdout


def test_words_read_as_no_label_are_named(run, write_csv, strict_json):
    rows = [f"{i},{i * i % 7},{['None', 'Mild', 'Hard'][i % 3]}" for i in range(21)]
    table = write_csv("t.csv", "\n".join(["a,b,severity", *rows]) + "\n")
    document = strict_json(run("select", table, "--label", "severity", "--json").stdout)
    assert document["n_labelled"] == 14
    assert any("rows with 'None' in the label" in text for text in document["warnings"])


def test_decimal_commas_are_numbers(run, wine, wine_csv, tmp_path):
    path = tmp_path / "comma.csv"
    wine.to_csv(path, index=False, sep=";", decimal=",")
    arguments = ["--label", "class", "--json"]
    comma = json.loads(run("select", path, *arguments).stdout)
    point = json.loads(run("select", wine_csv, *arguments).stdout)
    assert comma["ranking"] == point["ranking"]


@pytest.fixture
def answered(wine, wine_csv, tmp_path):
    """Wine without its classes, and forty pairs that they answer."""
    pairs = PairConstraints.sample(wine["class"], 20, 20, random_state=0)
    pairs.to_csv(tmp_path / "pairs.csv")
    return wine_csv, "--drop", "class", "--constraints", tmp_path / "pairs.csv"


def test_pairs_are_spread_on_the_way(run, wine, answered, strict_json, tmp_path):
    words = ("--method", "relieff-sc", "--spread")
    result = run("select", *answered, *words, "--json")
    document = strict_json(result.stdout)
    X = minmax_scale(wine.drop(columns="class"))
    given = PairConstraints.from_csv(tmp_path / "pairs.csv", n_samples=len(X))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        spread = propagate(given, X, graph="knn")
    expected = ReliefFSc().fit(X, constraints=spread)

    assert document["n_constraints_used"] == spread.n_cannot_link > 20
    names = wine.drop(columns="class").columns[expected.order_]
    assert [line["feature"] for line in document["ranking"]] == list(names)
    told = document["spread"]
    assert (told["graph"], told["n_given"]) == ("knn", 40)
    assert told["n_cannot_link"] == spread.n_cannot_link
    assert told["held_out"][0]["auc"] == pytest.approx(spread.held_out[0].auc)
    assert f"40 given pairs spread to {len(spread)}: 20 must-links" in result.stderr
    said = "the spread cannot-links may be" if told["held_out"][0]["is_chance"] else ""
    assert (said or "check of the cannot-links: 20 given") in result.stderr


def test_only_given_pairs_are_doubted_and_all_are_counted(run, answered):
    result = run("select", *answered, "--method", "pair-logistic", "--spread")
    n_pairs = int(re.search(r"40 given pairs spread to (\d+)", result.stderr).group(1))
    assert f"({n_pairs} pairs used)" in result.stderr


def test_the_graph_of_spreading_can_be_the_published_one(run, answered, strict_json):
    by = {
        graph: strict_json(
            run("select", *answered, "--spread", "--graph", graph, "--json").stdout
        )["spread"]
        for graph in ("knn", "full")
    }
    assert by["full"]["n_cannot_link"] != by["knn"]["n_cannot_link"]


def test_contradicting_pairs_are_left_out_of_spreading(run, wine_csv, write_csv):
    pairs = "a,b,link\n0,1,must\n1,2,must\n0,2,cannot\n0,70,cannot\n3,150,cannot\n"
    path = write_csv("p.csv", pairs)
    words = ("--drop", "class", "--constraints", path, "--method", "relieff-sc")
    result = run("select", wine_csv, *words, "--spread")
    assert result.exit_code == 0, result.stderr
    assert "1 given pair is not spread, the least supported" in result.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--drop", "class", "--spread"], "--spread goes with --constraints"),
        (["--label", "class", "--spread"], "--spread goes with --constraints"),
        (["--drop", "class", "--graph", "full"], "--graph goes with --spread"),
    ],
)
def test_spreading_needs_pairs(refused, wine_csv, words, said):
    assert said in refused("select", wine_csv, *words)


def test_spreading_goes_without_labels(refused, answered):
    words = [word for word in answered if word not in ("--drop", "class")]
    said = refused("select", *words, "--label", "class", "--spread")
    assert "without --label" in said
