"""The demo, end to end."""

import re
import shlex

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_digits
from typer.testing import CliRunner

from pairsift import SemiMRMR
from pairsift.active import Person, choose_features
from pairsift.cli import _demo, app
from pairsift.evaluation import compare


def run_demo(*arguments):
    """Run the demo with fewer splits."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_demo, "N_SPLITS", 2)
        result = CliRunner().invoke(app, ["demo", *map(str, arguments)])
    assert result.exit_code == 0, result.stderr
    return result


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo") / "the demo"
    return folder, run_demo("--out-dir", folder)


@pytest.mark.slow
def test_the_demo_writes_its_files_and_says_what_to_open(demo):
    folder, result = demo

    for name in _demo._FILES:
        assert (folder / name).stat().st_size > 0
    assert f"Open {folder / 'report.html'} in a browser" in result.stdout
    report = (folder / "report.html").read_text(encoding="utf-8")
    for known in ("30 answers", "no questions", "all labels"):
        assert f"semi-mrmr, {known}" in report
    assert report.count('class="cell"') == 54
    assert report.count('class="cell marked"') == 10


def test_the_demo_is_short(demo):
    _, result = demo
    lines = result.stdout.splitlines()

    # What it is about, a table of four lines, the verdict, what to open, what to type.
    assert len(lines) == 1 + 4 + 1 + 3
    assert lines[1].split("\t")[0] == "ranked from"
    assert [line.split("\t")[0] for line in lines[2:5]] == [*_demo._QUESTIONS]


@pytest.mark.slow
def test_the_verdict_is_that_of_compare(tmp_path, strict_json):
    document = strict_json(run_demo("--out-dir", tmp_path, "--json").stdout)
    X, y = load_digits(return_X_y=True, as_frame=True)
    expected = compare(
        [SemiMRMR()],
        X,
        y,
        questions=[0, 30, "all"],
        wrong=0.1,
        classifiers=["1nn"],
        n_splits=2,
        test_size=0.2,
        sizes=range(1, 65),
    )

    for line in expected.summary().itertuples():
        found = document["ranked_from"][line.supervision]
        assert_allclose(found["mean_accuracy"], line.mean_accuracy)
        assert_allclose(found["standard_error"], line.standard_error)
    # With all pixels it cannot matter how they were ranked.
    accuracies = [known["accuracy"]["64"] for known in document["ranked_from"].values()]
    assert len(set(accuracies)) == 1
    duels = expected.duels("semi-mrmr, no questions").set_index("selector")
    gain = 100 * duels.loc["semi-mrmr, 30 answers", "difference"]
    assert f"no questions ({gain:+.1f} points" in document["verdict"]


def test_the_ranking_is_that_of_the_library(demo):
    folder, _ = demo
    X, y = load_digits(return_X_y=True, as_frame=True)
    chosen = choose_features(X, Person(y, 0.1), 30, selector=SemiMRMR(10))

    ranking = pd.read_csv(folder / "ranking.csv")
    assert list(ranking["feature"]) == list(X.columns[chosen.order_])
    assert ranking["selected"].sum() == 10


def test_the_tables_are_whole_and_can_be_selected_from(demo, run):
    folder, result = demo

    digits = pd.read_csv(folder / "digits.csv")
    assert digits.shape == (1797, 65)
    assert np.array_equal(digits["digit"], load_digits().target)
    step = next(s for s in result.stdout.splitlines() if " query " in s)
    taken = run(*shlex.split(step)[1:], answers="n\n")
    assert taken.exit_code == 0, taken.stderr
    told = run("select", folder / "wine.csv", "--label", "class", "--top", "5")
    assert told.exit_code == 0, told.stderr


def test_a_difference_is_clear_when_its_p_value_is_small():
    duel = {"difference": 0.021, "standard_error": 0.006, "p_value": 0.01}
    text = _demo._duel_text(duel, "no questions")
    assert text == "beat no questions (+2.1 points, standard error 0.6)"
    worse = duel | {"difference": -0.021}
    assert re.match("lose to all labels", _demo._duel_text(worse, "all labels"))
    unclear = duel | {"p_value": 0.2}
    assert "do not clearly differ from" in _demo._duel_text(unclear, "all labels")


def test_something_is_shown_before_anything_is_loaded(monkeypatch, tmp_path):
    shown = []
    real = _demo.Messages.progress

    def progress(messages, text, total=None):
        shown.append(text)
        return real(messages, text, total)

    def interrupted(**_):
        raise KeyboardInterrupt

    monkeypatch.setattr(_demo.Messages, "progress", progress)
    monkeypatch.setattr("sklearn.datasets.load_digits", interrupted)
    result = CliRunner().invoke(app, ["demo", "--out-dir", str(tmp_path / "d")])
    assert result.exit_code == 130
    assert shown == ["Loading"]
    # A pipe shows no progress: one line on standard error takes its place.
    assert result.stderr.splitlines()[0].startswith("pairsift: a session sorts 30")
    assert result.stdout == ""
