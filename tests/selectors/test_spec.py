"""SPEC as an estimator."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pairsift import SPEC, ConstraintError, LaplacianScore, PairConstraints
from pairsift.graphs import _spectrum, similarity_graph
from pairsift.scores import spec_label_score, spec_score
from tests.selectors.builders import problem


def test_default_is_the_third_style_with_eight_clusters():
    X, _ = problem()
    S = similarity_graph(X, n_neighbors=5, sigma=1.0)
    expected = spec_score(X, S, style=3, n_clusters=8)
    assert_array_equal(SPEC().fit(X).scores_, expected)


@pytest.mark.parametrize(
    "parameters",
    [
        {"graph": "mutual-knn", "n_neighbors": 9},
        {"graph": "epsilon", "epsilon": 2.5, "kernel": "binary"},
        {"graph": "full", "kernel": "self-tuning", "n_neighbors": 7},
        {"sigma": "auto"},
        {"kernel": "cosine"},
    ],
    ids=str,
)
def test_parameters_reach_the_graph(parameters):
    X, _ = problem()
    expected = spec_score(X, similarity_graph(X, **parameters))
    assert_allclose(SPEC(**parameters).fit(X).scores_, expected, rtol=1e-10)
    assert (expected != SPEC().fit(X).scores_).all()


def test_style_and_number_of_clusters_reach_the_score():
    X, y = problem()
    S = similarity_graph(X)
    for style in (1, 2, 3):
        scores = SPEC(style=style, n_clusters=3).fit(X).scores_
        assert_array_equal(scores, spec_score(X, S, style=style, n_clusters=3))
        scores = SPEC(style=style, n_clusters=2).fit(X, y).scores_
        expected = spec_label_score(X, y, style=style, n_clusters=2)
        assert_array_equal(scores, expected)


def test_second_style_is_the_laplacian_score():
    X, _ = problem()
    for graph in ("knn", "full"):
        expected = LaplacianScore(graph=graph, sigma=1.0).fit(X).scores_
        actual = SPEC(graph=graph, style=2).fit(X).scores_
        assert_allclose(actual, expected, rtol=1e-10)


def test_labels_are_used_where_there_are_some():
    X, y = problem()
    y[::4] = -1
    expected = spec_label_score(X, y)
    text = np.array(["a", "b", "c", None], dtype=object)[y]
    for labels in (y, text, y.astype(float)):
        assert_array_equal(SPEC().fit(X, labels).scores_, expected)
    without = SPEC().fit(X).scores_
    assert (without != expected).all()
    assert_array_equal(SPEC(use_labels=False).fit(X, y).scores_, without)
    assert_array_equal(SPEC().fit(X, np.full(40, -1)).scores_, without)


def test_other_targets_name_the_remedy():
    X, _ = problem()
    expected = SPEC().fit(X).scores_
    for y, message in [
        (X[:, 0], "continuous target: SPEC .*use_labels=False"),
        (np.zeros(40, dtype=int), "at least two classes, but y has 1 .*use_labels"),
    ]:
        with pytest.raises(ValueError, match=message):
            SPEC().fit(X, y)
        assert_array_equal(SPEC(use_labels=False).fit(X, y).scores_, expected)


def test_pairs_are_checked_and_not_used():
    X, y = problem()
    selector = SPEC().fit(X, constraints=PairConstraints.sample(y, 10, 10))
    assert_array_equal(selector.scores_, SPEC().fit(X).scores_)
    assert selector.n_constraints_used_ == 0
    with pytest.raises(ConstraintError, match="refer to 39 samples"):
        SPEC().fit(X, constraints=PairConstraints([(0, 1)], n_samples=39))


@pytest.mark.parametrize("style", [1, 2, 3])
def test_constant_feature_ranks_last_in_every_style(style):
    X, y = problem()
    X[:, 0] = 0.1
    for arguments in ((X,), (X, y)):
        assert SPEC(style=style).fit(*arguments).ranking_[0] == 6


def test_many_rows_in_any_order_give_the_same_scores(rng, monkeypatch):
    X, _ = problem(n_samples=400)
    X[:, 0] += 5.0 * (np.arange(400) % 2)
    expected = SPEC().fit(X).scores_
    monkeypatch.setattr(_spectrum, "MAX_DENSE", 100)
    for _ in range(3):
        order = rng.permutation(400)
        assert_allclose(SPEC().fit(X[order]).scores_, expected, rtol=1e-9)


def test_feature_that_follows_the_clusters_is_best(rng):
    X = rng.normal(size=(60, 5))
    X[:, 3] = np.repeat([-5.0, 0.0, 5.0], 20) + rng.normal(size=60)
    assert SPEC(n_clusters=3, sigma="auto").fit(X).order_[0] == 3


def test_two_rows_are_enough():
    # One edge, eigenvalues 0 and 2: nothing is smooth but the constant.
    assert_allclose(SPEC().fit([[0.0, 1.0], [1.0, 1.0]]).scores_, [0, 0], atol=1e-15)
    scores = SPEC(style=2).fit([[0.0, 1.0], [1.0, 1.0]]).scores_
    assert_array_equal(scores, [-2.0, -np.inf])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"style": 4}, "The 'style' parameter of SPEC"),
        ({"style": "3"}, "The 'style' parameter of SPEC"),
        ({"n_clusters": 0}, "The 'n_clusters' parameter of SPEC"),
        ({"use_labels": "no"}, "The 'use_labels' parameter of SPEC"),
        ({"graph": "epsilon"}, "graph='epsilon' needs epsilon"),
        ({"sigma": 1e-9}, "no two rows of X are similar at sigma=1e-09"),
    ],
)
def test_impossible_parameters_are_refused(parameters, message):
    X, _ = problem()
    with pytest.raises(ValueError, match=message):
        SPEC(**parameters).fit(X)
