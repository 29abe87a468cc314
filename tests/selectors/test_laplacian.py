"""LaplacianScore as an estimator."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pairsift import LaplacianScore
from pairsift.graphs import similarity_graph
from pairsift.scores import laplacian_score
from tests.selectors.builders import problem


def test_default_is_the_nearest_neighbour_graph_with_its_own_scale():
    X, _ = problem()
    S = similarity_graph(X, n_neighbors=5, sigma="auto")
    assert_array_equal(LaplacianScore().fit(X).scores_, laplacian_score(X, S))


@pytest.mark.parametrize(
    "parameters",
    [
        {"graph": "mutual-knn", "n_neighbors": 9},
        {"graph": "epsilon", "epsilon": 2.5, "kernel": "binary"},
        {"graph": "full", "kernel": "self-tuning", "n_neighbors": 7},
        {"kernel": "cosine"},
        {"kernel": "inverse", "sigma": 0.3},
    ],
    ids=str,
)
def test_parameters_reach_the_graph(parameters):
    X, _ = problem()
    S = similarity_graph(X, **{"sigma": "auto", **parameters})
    scores = LaplacianScore(**parameters).fit(X).scores_
    assert_allclose(scores, laplacian_score(X, S), rtol=1e-13)
    assert (scores != LaplacianScore().fit(X).scores_).any()


def test_feature_that_follows_the_clusters_is_best(rng):
    cluster = np.repeat([0.0, 5.0, 10.0], 20)
    X = rng.normal(size=(60, 5))
    X[:, 3] = cluster + 0.1 * rng.normal(size=60)
    X = X / X.std(axis=0)
    assert LaplacianScore().fit(X).order_[0] == 3


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"graph": "epsilon"}, "graph='epsilon' needs epsilon"),
        ({"graph": "epsilon", "epsilon": 1e-9}, "joins no two rows .*epsilon larger"),
        ({"sigma": 1e-9}, "no two rows of X are similar .*or scale X first"),
        ({"n_jobs": 0}, "The 'n_jobs' parameter of LaplacianScore"),
        ({"graph": "star"}, "The 'graph' parameter of LaplacianScore"),
        ({"kernel": "box"}, "The 'kernel' parameter of LaplacianScore"),
        ({"sigma": 0}, "The 'sigma' parameter of LaplacianScore"),
        ({"n_neighbors": 0}, "The 'n_neighbors' parameter of LaplacianScore"),
    ],
)
def test_impossible_graphs_are_refused(parameters, message):
    X, _ = problem()
    with pytest.raises(ValueError, match=message):
        LaplacianScore(**parameters).fit(X)


def test_copies_of_a_column_tie_exactly(rng):
    for seed in range(30):
        draw = np.random.default_rng(seed)
        X = draw.normal(size=(55, 9))
        scores = LaplacianScore().fit(np.hstack([X, X])).scores_
        assert_array_equal(scores[:9], scores[9:])


def test_two_rows_are_enough():
    scores = LaplacianScore().fit([[0.0, 1.0], [1.0, 1.0]]).scores_
    # One edge: f'Lf = s, and f'Df = s (1/4 + 1/4), twice that small.
    assert_array_equal(scores, [-2.0, -np.inf])
