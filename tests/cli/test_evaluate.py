"""pairsift evaluate: tables, report, going on, and users' mistakes."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from pairsift import FisherScore, ReliefFSc
from pairsift.cli import _evaluate
from pairsift.evaluation import compare
from tests.reports.pages import Page

METHODS = ("--methods", "relieff-sc,fisher,variance")
BASELINES = {"random-order", "all-features"}


@pytest.fixture
def table():
    """Fifty rows of two named classes that the second column tells apart."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(50, 4)), columns=["a", "b", "c", "d"])
    is_high = np.arange(50) % 2 == 1
    frame["b"] += 4.0 * is_high
    frame["class"] = np.where(is_high, "high", "low")
    return frame


@pytest.fixture
def data(table, tmp_path):
    path = tmp_path / "points.csv"
    table.to_csv(path, index=False)
    return path


@pytest.fixture
def evaluate(run, tmp_path):
    """Run the command on two splits in this process."""

    def invoke(*arguments, out=tmp_path / "out"):
        common = ("--label", "class", "--splits", 2, "--jobs", 1, "--out", out)
        return run("evaluate", *arguments, *common)

    return invoke


@pytest.fixture
def mistake(evaluate):
    """Run the command with a mistake in it and return what it says."""

    def check(*arguments, **options):
        result = evaluate(*arguments, **options)
        assert result.exit_code == 2, result.output
        assert result.stdout == ""
        last = result.stderr.splitlines()[-1]
        assert last.startswith("pairsift: error: ")
        return last

    return check


def test_the_table_is_that_of_the_library(evaluate, data, table, tmp_path):
    result = evaluate(data, *METHODS)
    assert result.exit_code == 0, result.stderr
    header, *rows = [line.split("\t") for line in result.stdout.splitlines()]
    assert header[:4] == ["method", "by", "learned from", "accuracy"]
    assert len(rows) == 5 * 2
    expected = compare(
        ["random-order", "all-features", FisherScore(), ReliefFSc()],
        table.drop(columns="class"),
        table["class"],
        n_splits=2,
    ).summary()
    for line in expected.itertuples():
        row = next(r for r in rows if r[:2] == [line.selector, line.classifier])
        shown = f"{100 * line.mean_accuracy:.1f} ± {100 * line.standard_error:.1f}"
        assert row[3] == shown
        assert row[2] == line.supervision
    runs = pd.read_csv(tmp_path / "out" / "runs.csv")
    # All features are a single number of features.
    assert len(runs) == 2 * 2 * (4 * 4 + 1)
    assert set(runs["data"]) == {"points"}
    assert pd.read_parquet(tmp_path / "out" / "runs.parquet").shape == runs.shape
    assert len(pd.read_csv(tmp_path / "out" / "summary.csv")) == 10


@pytest.mark.slow
def test_aliases_of_the_issue_are_known(evaluate, data):
    result = evaluate(
        data,
        "--methods",
        "relieff-sc,fcrsc,laplacian,relieff,mrmr",
        "--classifiers=1nn",
    )
    assert result.exit_code == 0, result.stderr
    names = {line.split("\t")[0] for line in result.stdout.splitlines()[1:]}
    methods = {"relieff-sc", "fcrsc", "laplacian-score", "relieff", "mrmr"}
    assert names == methods | BASELINES


def test_the_same_command_goes_on(evaluate, data, tmp_path):
    first = evaluate(data, *METHODS)
    cells = sorted((tmp_path / "out" / "finished" / "points" / "cells").iterdir())
    assert len(cells) == 10
    before = [cell.stat().st_mtime_ns for cell in cells[1:]]
    cells[0].unlink()
    again = evaluate(data, *METHODS)
    assert "points: 9 of 10 runs were finished before." in again.stderr
    assert [cell.stat().st_mtime_ns for cell in cells[1:]] == before
    # All but the time, the last column.
    cut = [re.sub(r"\t[^\t]*$", "", r.stdout, flags=re.M) for r in (first, again)]
    assert cut[0] == cut[1]


def test_an_interrupt_says_what_is_kept(evaluate, data, monkeypatch):
    from pairsift import evaluation

    real = evaluation.compare

    def interrupted(*arguments, progress, **options):
        def stop(n_done, n_cells):
            progress(n_done, n_cells)
            if n_done == 3:
                raise KeyboardInterrupt

        return real(*arguments, progress=stop, **options)

    monkeypatch.setattr(evaluation, "compare", interrupted)
    result = evaluate(data, *METHODS)
    assert result.exit_code == 130
    assert "interrupted: 3 runs are kept, of 10 on points" in result.stderr
    monkeypatch.undo()
    assert "3 of 10 runs were finished before" in evaluate(data, *METHODS).stderr


def test_other_settings_need_another_folder(evaluate, mistake, data):
    evaluate(data, *METHODS)
    said = mistake(data, *METHODS, "--pairs", 10)
    assert "n_pairs is 40 there and 10 here: give another folder" in said


def test_the_report_shows_what_was_found(evaluate, data, tmp_path):
    evaluate(data, *METHODS)
    report = (tmp_path / "out" / "report.html").read_text("utf-8")
    page = Page(report)
    text = " ".join(page.text)
    # Accuracy by two classifiers, two kinds of redundancy.
    assert page.count("svg", role="img") == 4
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert report.count("<polyline") == 4 * 5
    assert report.count("<polygon") == 2 * 5
    for words in (
        "Which method?",
        "has the highest mean accuracy",
        "number of best features used",
        "representation entropy",
        "Ranks of the features",
        "40 pairs, half of them cannot-links and half must-links",
        "unsupervised methods from no label",
        "pairsift evaluate",
    ):
        assert words in text
    assert not re.search(r"(src|href)\s*=|url\(|@import", report)


def test_several_data_sets_are_ranked(evaluate, data, table, tmp_path):
    other = tmp_path / "others.csv"
    table.assign(a=table["b"] ** 2).to_csv(other, index=False)
    result = evaluate(data, other, *METHODS)
    assert result.exit_code == 0, result.stderr
    header, *rows = [line.split("\t") for line in result.stdout.splitlines()]
    assert header[0] == "data"
    assert [row[0] for row in rows] == ["points"] * 10 + ["others"] * 10
    report = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert 'id="difference-1nn-title"' in report
    assert "over 2 data sets" in report
    ids = re.findall(r'id="([^"]+)"', report)
    assert len(ids) == len(set(ids))


def test_json(evaluate, data, strict_json, tmp_path):
    result = evaluate(data, *METHODS, "--json")
    document = strict_json(result.stdout)
    assert len(document["summary"]) == 10
    assert len(document["duels"]) == 20
    assert len(document["verdicts"]) == 1
    assert document["failures"] == []
    assert document["parameters"]["n_splits"] == 2
    assert document["files"][-1] == str(tmp_path / "out" / "report.html")
    line = next(s for s in document["summary"] if s["selector"] == "fisher-score")
    runs = pd.read_csv(tmp_path / "out" / "runs.csv")
    runs = runs[
        (runs["selector"] == "fisher-score")
        & (runs["classifier"] == line["classifier"])
        & (runs["n_features"] <= 2)
    ]
    assert_allclose(line["mean_accuracy"], runs["accuracy"].mean())


def test_one_split_has_no_error_in_json(run, data, strict_json, tmp_path):
    words = ("--label", "class", "--splits", 1, "--jobs", 1, "--out", tmp_path / "o")
    result = run("evaluate", data, *METHODS, *words, "--json")
    assert strict_json(result.stdout)["summary"][0]["standard_error"] is None


def test_questions_are_those_of_the_library(evaluate, data, table, tmp_path):
    words = ("--questions", 9, "--strategy", "random", "--wrong", 0.2)
    result = evaluate(data, "--methods", "relieff-sc,fisher", *words)
    assert result.exit_code == 0, result.stderr
    runs = pd.read_csv(tmp_path / "out" / "runs.csv")
    runs = runs[~runs["selector"].isin(BASELINES)]
    assert set(runs["supervision"]) == {"9 answers"}
    assert set(runs["n_answers"]) == {9}
    expected = compare(
        ["relieff-sc", "fisher"],
        table.drop(columns="class"),
        table["class"],
        n_splits=2,
        questions=9,
        strategy="random",
        wrong=0.2,
    ).table
    assert_allclose(runs["accuracy"], expected["accuracy"])
    assert_allclose(runs["n_used"], expected["n_used"])
    report = (tmp_path / "out" / "report.html").read_text("utf-8")
    said = " ".join(" ".join(Page(report).text).split())
    assert "the strategy random asks questions about training rows" in said
    assert "which their labels answer, 20% of them wrongly; methods of labels" in said


def test_alphas_and_a_reference_are_those_of_the_library(
    evaluate, data, strict_json, tmp_path
):
    words = ("--classifiers", "1nn", "--questions", 8, "--spread")
    more = ("--alphas", "0.3,0.9", "--reference", "fisher", "--json")
    result = evaluate(data, "--methods", "relieff-sc", *words, *more)
    found = {x["selector"]: x for x in strict_json(result.stdout)["summary"]}
    methods = {"relieff-sc, alpha=0.3", "relieff-sc, alpha=0.9"}
    assert set(found) == methods | BASELINES
    assert all(0.0 <= found[name]["precision"] <= 1.0 for name in methods)
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "Mean accuracy against alpha" in page


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--alphas", "0.5"), "--alphas goes with --questions"),
        (("--questions", "3", "--alphas", "0.5"), "--alphas goes with --spread"),
        (("--questions", "3", "--spread", "--alphas", "a"), "--alphas takes numbers"),
        (("--reference", "no-such"), "no-such"),
    ],
)
def test_impossible_sweeps_are_mistakes(evaluate, data, words, message):
    result = evaluate(data, *words)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())


def test_a_grid_is_that_of_the_library(evaluate, data, table, strict_json, tmp_path):
    words = ("--methods", "relieff,variance", "--classifiers", "1nn")
    grid = ("--grid", "relieff.n_neighbors=1,3", "--grid", "relieff.missing=ignore")
    document = strict_json(evaluate(data, *words, *grid, "--json").stdout)
    expected = compare(
        ["relieff", "variance"],
        table.drop(columns="class"),
        table["class"],
        n_splits=2,
        classifiers="1nn",
        grid={"relieff__n_neighbors": [1, 3], "relieff__missing": ["ignore"]},
    ).summary()
    found = {x["selector"]: x["mean_accuracy"] for x in document["summary"]}
    assert len(found) == 3 + 2
    for line in expected.itertuples():
        assert_allclose(found[line.selector], line.mean_accuracy)
    assert document["parameters"]["grid"] == {
        "relieff__n_neighbors": [1, 3],
        "relieff__missing": ["ignore"],
    }
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "Mean accuracy against n_neighbors" in page


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["fisher"], "--grid takes a method, a parameter and values, such as"),
        (["relieff-sc.n_neighbors="], "--grid takes a method, a parameter and values"),
        (["relieff.n_neighbors=1"], "relieff is none of the --methods, add it there"),
        (["no-such.a=1"], "no-such"),
        (["relieff-sc.colour=1"], "there is no parameter 'colour', but "),
        (["relieff-sc.n_neighbors=0"], "n_neighbors"),
        (["relieff-sc.n_neighbors=many"], "n_neighbors"),
        (["relieff-sc.n_neighbors=1", "relieff-sc.n_neighbors=2"], "is given twice"),
        (["relieff-sc.n_neighbors=1,1"], "grid must make different lines"),
    ],
)
def test_impossible_grids_are_mistakes(mistake, data, words, message):
    options = [option for word in words for option in ("--grid", word)]
    assert message in mistake(data, *METHODS, *options)


def test_several_numbers_of_questions_make_a_line_each(
    evaluate, data, strict_json, tmp_path
):
    words = ("--classifiers", "1nn", "--questions", "0,6,all", "--mode", "cards")
    result = evaluate(data, "--methods", "semi-mrmr,variance", *words, "--json")
    document = strict_json(result.stdout)
    found = {line["selector"]: line for line in document["summary"]}
    assert set(found) == {
        "semi-mrmr, no questions",
        "semi-mrmr, 6 answers",
        "semi-mrmr, all labels",
        "variance-score",
        *BASELINES,
    }
    assert found["semi-mrmr, 6 answers"]["n_answers"] == 6
    assert found["semi-mrmr, all labels"]["n_answers"] is None
    assert document["parameters"]["questions"] == [0, 6, "all"]
    assert document["parameters"]["mode"] == "cards"
    again = evaluate(
        data, "--methods", "semi-mrmr,variance", *words[:3], "0,6,12,all", *words[4:]
    )
    assert "points: 12 of 14 runs were finished before." in again.stderr


def test_the_published_framework_is_one_command(evaluate, data, table, strict_json):
    words = ("--strategy", "eigenvector", "--spread", "--graph", "full")
    result = evaluate(
        data, "--methods", "relieff-sc,fcrsc", "--questions", 12, *words, "--json"
    )
    document = strict_json(result.stdout)
    expected = compare(
        ["relieff-sc", "fcrsc"],
        table.drop(columns="class"),
        table["class"],
        n_splits=2,
        questions=12,
        strategy="eigenvector",
        spread=True,
    ).summary()
    found = {(x["selector"], x["classifier"]): x for x in document["summary"]}
    for line in expected.itertuples():
        same = found[line.selector, line.classifier]
        assert_allclose(same["mean_accuracy"], line.mean_accuracy)
        assert same["n_used"] == line.n_used > 12
    assert re.match(
        r"points: 12 answers were spread to \d+ pairs", document["notes"][0]
    )
    assert document["parameters"]["spread"] == {"graph": "full"}


def test_rows_without_a_label_are_left_out(evaluate, table, tmp_path):
    path = tmp_path / "part.csv"
    table.loc[::5, "class"] = None
    table.to_csv(path, index=False)
    result = evaluate(path, *METHODS)
    assert result.exit_code == 0, result.stderr
    assert "part: 10 rows without a label are left out" in result.stderr
    assert "40 rows" in (tmp_path / "out" / "report.html").read_text("utf-8")


def test_a_method_that_fails_is_a_warning(evaluate, table, tmp_path):
    # Must-links cannot be drawn from two labels.
    path = tmp_path / "d.csv"
    table.to_csv(path, index=False)
    words = ("--methods", "constraint-score-1,variance", "--labelled", 2)
    result = evaluate(path, *words)
    assert result.exit_code == 0, result.stderr
    assert re.search(
        r"warning: constraint-score-1 failed on 2 of 2 splits of d: ConstraintError",
        result.stderr,
    )
    names = {line.split("\t")[0] for line in result.stdout.splitlines()[1:]}
    assert names == {"variance-score"} | BASELINES


def test_nothing_but_failures_is_an_error(mistake, table, tmp_path):
    path = tmp_path / "d.csv"
    table.to_csv(path, index=False)
    said = mistake(path, "--methods", "constraint-score-1", "--labelled", 2)
    assert "no method could be fitted" in said


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--methods", "relief-x"], "there is no method 'relief-x'"),
        (["--methods", ","], "--methods takes names with commas between them"),
        (["--methods", "rrelieff"], "needs a numeric target"),
        (["--classifiers", "5nn"], "classifier must be one of '1nn'"),
        (["--test-size", "2"], "test_size must be above 0 and below 1"),
        (["--questions", "5", "--pairs", "5"], "--questions goes without --pairs"),
        (["--questions", "5", "--labelled", "5"], "goes without --labelled"),
        (["--questions", "5,x"], "--questions takes numbers with commas between them"),
        (["--questions", "5,5"], "questions must be different numbers"),
        (["--questions", "5", "--wrong", "2"], "wrong must be a share from 0 to 1"),
        (
            ["--questions", "5", "--strategy", "random", "--mode", "cards"],
            "--mode cards goes with --strategy sort, got random",
        ),
        (["--strategy", "sort"], "--strategy goes with --questions"),
        (["--mode", "pairs"], "--mode goes with --questions"),
        (["--spread"], "--spread goes with --questions"),
        (["--wrong", "0.1"], "--wrong goes with --questions"),
        (["--questions", "5", "--graph", "full"], "--graph goes with --spread"),
        (["--labelled", "1"], "n_labelled must be a whole number from 2"),
        (["--drop", "zz"], "has no column 'zz' for --drop"),
        (["--jobs", "0"], "n_jobs must be a number of processes"),
    ],
)
def test_mistakes_take_one_line(run, data, tmp_path, words, message):
    result = run("evaluate", data, "--label", "class", "--out", tmp_path / "o", *words)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert message in result.stderr


def test_text_and_missing_values_are_taken_and_it_is_said_how(
    evaluate, table, tmp_path, strict_json
):
    path = tmp_path / "mixed.csv"
    words = np.where(table["class"] == "high", "red", "blue")
    words = np.where(np.arange(50) % 9 == 0, None, words)
    table.assign(e=words, c=table["c"].where(table["c"] < 1.5)).to_csv(
        path, index=False
    )
    result = evaluate(path, *METHODS, "--classifiers", "1nn", "--json")
    document = strict_json(result.stdout)

    assert result.exit_code == 0, result.stderr
    assert document["failures"] == []
    numbers = (
        "mixed: missing values filled with the mean of the training rows, text as one "
        "column per value, for "
    )
    assert document["notes"] == [
        f"{numbers}all classifiers.",
        "mixed: text and missing values as they are, for relieff-sc.",
        f"{numbers}fisher-score, variance-score.",
    ]
    assert document["notes"][1] in " ".join(result.stderr.split())
    report = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert document["notes"][1] in " ".join(" ".join(Page(report).text).split())


def test_two_files_of_one_name_are_refused(mistake, data, table, tmp_path):
    (tmp_path / "sub").mkdir()
    table.to_csv(tmp_path / "sub" / "points.csv", index=False)
    said = mistake(data, tmp_path / "sub" / "points.csv")
    assert "two data files are called 'points'" in said


def test_settings_of_the_store_are_readable(evaluate, data, tmp_path):
    evaluate(data, *METHODS)
    path = tmp_path / "out" / "finished" / "points" / "settings.json"
    stored = json.loads(path.read_text("utf-8"))
    assert stored["n_pairs"] == 40
    assert stored["shape"] == [50, 4]


@pytest.mark.parametrize(
    ("width", "expected"),
    [
        (200, ["method", "by", "best", "RE", "RED", "stability", "rank", "seconds"]),
        (60, ["method", "by", "best", "stability", "rank", "seconds"]),
        (47, ["method", "by", "best", "stability", "rank"]),
        (10, ["method", "by", "rank"]),
    ],
)
def test_a_narrow_terminal_shows_what_matters(width, expected):
    header = ["method", "by", "best", "RE", "RED", "stability", "rank", "seconds"]
    rows = [["relieff", "1nn", "98.1 @ 9", "1.2", "0.12", "0.8", "1.3", "0.02"]]
    kept, cells = _evaluate.fitting(header, rows, width)
    assert kept == expected
    assert cells == [[rows[0][header.index(name)] for name in expected]]


def test_each_line_is_told_when_its_splits_are_finished(evaluate, data, table):
    result = evaluate(data, *METHODS, "--classifiers", "1nn")
    found = [
        line
        for line in result.stderr.splitlines()
        if line.startswith("pairsift: points: ")
    ]
    assert len(found) == 5
    summary = compare(
        "fisher",
        table.drop(columns="class"),
        table["class"],
        n_splits=2,
        classifiers="1nn",
    ).summary()
    mean, error = 100 * summary.loc[0, ["mean_accuracy", "standard_error"]]
    expected = f"fisher-score: accuracy {mean:.1f} ± {error:.1f} by 1nn"
    assert f"pairsift: points: {expected}" in found
    assert "accuracy" not in evaluate(data, *METHODS, "--quiet").stderr


def test_the_verdict_comes_last_and_leaves_the_table_alone(evaluate, data):
    result = evaluate(data, *METHODS, "--splits", 2)
    assert result.stderr.splitlines()[-1].startswith("pairsift: On points, ")
    assert "On points" not in result.stdout


def test_a_default_method_that_takes_too_long_is_left_out(
    evaluate, data, monkeypatch, strict_json
):
    def seconds(selector, *_, **__):
        return 1000.0 if selector._method.name in ("mrmr", "fcrsc") else 0.1

    monkeypatch.setattr("pairsift.selectors.estimate_seconds", seconds)
    result = evaluate(data, "--grid", "fcrsc.n_neighbors=2", "--classifiers", "1nn")
    names = {line.partition("\t")[0] for line in result.stdout.splitlines()}
    assert "mrmr" not in names
    assert "fcrsc, n_neighbors=2" in names
    assert "mrmr is left out: its 2 rankings would take 30 minutes" in result.stderr


def test_a_method_that_is_named_is_never_left_out(evaluate, data, monkeypatch):
    monkeypatch.setattr("pairsift.selectors.estimate_seconds", lambda *_, **__: 1e9)
    result = evaluate(data, "--methods", "fisher", "--classifiers", "1nn")
    assert "fisher-score" in result.stdout
    assert "left out" not in result.stderr


def test_the_quickest_default_method_stays(evaluate, data, monkeypatch):
    def seconds(selector, *_, **__):
        return 1e6 if selector._method.name == "laplacian-score" else 1e9

    monkeypatch.setattr("pairsift.selectors.estimate_seconds", seconds)
    result = evaluate(data, "--classifiers", "1nn")
    names = {line.split("\t")[0] for line in result.stdout.splitlines()[1:]}
    assert names == {"laplacian-score"} | BASELINES
