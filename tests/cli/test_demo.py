"""The demo, end to end."""

import shlex

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from pairsift.cli import _wine
from pairsift.cli._wine import LABELS, OURS, RANDOM, WAYS, Accuracy, Wine


@pytest.fixture
def demo(run, tmp_path, monkeypatch):
    monkeypatch.setattr(_wine, "N_HALVINGS", 2)
    folder = tmp_path / "the demo"
    result = run("demo", "--out-dir", folder)
    assert result.exit_code == 0, result.stderr
    return folder, result


def test_the_demo_writes_its_files_and_says_where(demo):
    folder, result = demo

    for name in ("report.html", "ranking.csv", "answers.csv", "wine.csv"):
        assert (folder / name).stat().st_size > 0
        assert str(folder / name) in result.stdout
    report = (folder / "report.html").read_text(encoding="utf-8")
    for way in WAYS:
        assert f"</svg>{way}</li>" in report


def test_the_demo_compares_all_ways_and_says_which_wins(demo):
    _, result = demo
    header = next(s for s in result.stdout.splitlines() if f"\t{RANDOM}\t" in s)

    assert header.split("\t") == ["best features", *WAYS]
    assert "Mean accuracy over the first half of the ranking:" in result.stdout
    assert "better in" in result.stdout


def test_the_next_step_gives_the_same_ranking(demo, run):
    folder, result = demo
    line = next(s for s in result.stdout.splitlines() if "--top" in s)
    again = run(*shlex.split(line)[1:])

    assert again.exit_code == 0, again.stderr
    features = [row.split("\t")[1] for row in again.stdout.splitlines()[1:]]
    assert features == list(pd.read_csv(folder / "ranking.csv")["feature"])


def test_every_next_step_can_be_taken(demo, run):
    _, result = demo
    steps = result.stdout.partition("Next steps:")[2].strip().splitlines()

    assert len(steps) == 5
    for step in steps:
        taken = run(*shlex.split(step)[1:], answers="d\n")
        assert taken.exit_code == 0, taken.stderr


def test_the_demo_as_json(run, tmp_path, strict_json):
    document = strict_json(run("demo", "--out-dir", tmp_path, "--json").stdout)

    assert (document["n_train"], document["n_test"]) == (90, 88)
    assert (document["n_questions"], document["n_halvings"]) == (30, 20)
    assert [line["way"] for line in document["ways"]] == list(WAYS)
    for line in document["ways"]:
        # With all features it cannot matter which pairs were asked about.
        assert_allclose(line["mean"][-1], document["accuracy_all_features"])
        assert len(line["mean"]) == len(line["deviation"]) == 13


@pytest.mark.parametrize("seed", [0, 1])
def test_wine_is_split_in_halves_of_every_class(seed):
    wine = Wine.load(seed)
    n_train = pd.Series(wine.y_train).value_counts()
    n_test = pd.Series(wine.y_test).value_counts()

    assert sorted(n_train) == [24, 30, 36]
    assert sorted(n_test) == [24, 29, 35]


@pytest.mark.parametrize("strategy", ["random", "eigenvector", "uncertainty"])
def test_each_way_has_as_many_questions_and_true_answers(strategy):
    wine = Wine.load()
    pairs = wine.answers(strategy)

    assert pairs.n_must_link + pairs.n_cannot_link == 30
    a, b = wine.y_train[pairs.cannot_link].T
    assert (a != b).all()
    a, b = wine.y_train[pairs.must_link].T
    assert (a == b).all()


def test_accuracy_summarises_the_halvings_by_hand():
    low = np.array([[0.5, 0.7, 1.0], [0.7, 0.9, 0.9], [0.9, 0.8, 0.8]])
    gain = np.array([[0.1, 0.1, 0.0], [0.2, 0.2, 0.0], [-0.3, -0.3, 0.0]])
    curves = dict.fromkeys(WAYS, low) | {OURS: low + gain}
    accuracy = Accuracy(curves, {})
    duel = accuracy.duel(OURS, RANDOM)

    assert accuracy.sizes == [1, 2, 3]
    assert_allclose(accuracy.mean(RANDOM), [0.7, 0.8, 0.9])
    assert_allclose(accuracy.deviation(RANDOM), [0.2, 0.1, 0.1])
    assert_allclose(accuracy.error(RANDOM), np.array([0.2, 0.1, 0.1]) / np.sqrt(3))
    # The first half of three features are two.
    assert_allclose(accuracy.first_half(LABELS), [0.6, 0.8, 0.85])
    assert_allclose(accuracy.all, 0.9)
    # Gains 0.1, 0.2, -0.3: variance 0.14 / 2, standard error its root over 3.
    assert_allclose([duel.gain, duel.error], [0.0, np.sqrt(0.07 / 3)], atol=1e-12)
    assert (duel.n_better, duel.n_worse, duel.is_clear) == (2, 1, False)
