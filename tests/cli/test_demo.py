"""The demo, end to end."""

import shlex

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from pairsift import PairConstraints
from pairsift.cli._wine import Accuracy, Wine


@pytest.fixture
def demo(run, tmp_path):
    folder = tmp_path / "the demo"
    result = run("demo", "--out-dir", folder)
    assert result.exit_code == 0, result.stderr
    return folder, result


def test_the_demo_writes_its_files_and_says_where(demo):
    folder, result = demo

    for name in ("report.html", "ranking.csv", "constraints.csv", "wine.csv"):
        assert (folder / name).stat().st_size > 0
        assert str(folder / name) in result.stdout
    report = (folder / "report.html").read_text(encoding="utf-8")
    assert 'id="curve-title"' in report
    assert "mean of 20 draws" in report


def test_the_next_step_gives_the_same_ranking(demo, run):
    folder, result = demo
    line = next(s for s in result.stdout.splitlines() if "--constraints" in s)
    again = run(*shlex.split(line)[1:])

    assert again.exit_code == 0, again.stderr
    features = [row.split("\t")[1] for row in again.stdout.splitlines()[1:]]
    assert features == list(pd.read_csv(folder / "ranking.csv")["feature"])


def test_the_demo_as_json_tells_single_numbers_from_means(run, tmp_path, strict_json):
    document = strict_json(run("demo", "--out-dir", tmp_path, "--json").stdout)
    last = document["accuracy"][-1]

    assert (document["n_train"], document["n_test"]) == (90, 88)
    assert document["n_constraints_used"] == 20
    assert [line["n_features"] for line in document["accuracy"]] == list(range(1, 14))
    # With all features the draw of the couples cannot matter.
    assert set(last) == {"n_features", "draw_0", "mean", "min", "max"}
    assert_allclose(
        [last[key] for key in ("draw_0", "mean", "min", "max")],
        document["accuracy_all_features"],
    )


def test_wine_is_split_in_halves_of_every_class():
    wine = Wine.load()
    n_train = pd.Series(wine.y_train).value_counts()
    n_test = pd.Series(wine.y_test).value_counts()

    assert sorted(n_train) == [24, 30, 36]
    assert sorted(n_test) == [24, 29, 35]


def test_the_couples_are_of_different_classes():
    wine = Wine.load()
    pairs = wine.draw(seed=0)

    assert isinstance(pairs, PairConstraints)
    assert (pairs.n_cannot_link, pairs.n_must_link) == (20, 0)
    a, b = wine.y_train[pairs.cannot_link].T
    assert (a != b).all()


def test_accuracy_summarises_the_draws_by_hand():
    accuracy = Accuracy(np.array([[0.5, 1.0], [0.7, 1.0], [0.9, 1.0]]))

    assert accuracy.sizes == [1, 2]
    assert accuracy.one == [0.5, 1.0]
    assert_allclose(accuracy.mean, [0.7, 1.0])
    assert accuracy.spread == [(0.5, 0.9), (1.0, 1.0)]
    assert accuracy.all == 1.0
