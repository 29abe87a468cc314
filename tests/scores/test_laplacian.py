"""Laplacian score against the matrix form in plain loops."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from pairsift.graphs import laplacian, similarity_graph
from pairsift.scores import laplacian_score
from tests.reference import graphs as reference


@pytest.mark.parametrize("graph", ["knn", "mutual-knn", "epsilon", "full"])
def test_score_agrees_with_plain_loops(rng, graph):
    X = rng.random(size=(25, 4))
    options = {"graph": graph, "epsilon": 0.6, "kernel": "gaussian", "sigma": 0.7}
    S = similarity_graph(X, n_neighbors=4, **options)
    dense = reference.similarity(X.tolist(), k=4, **options)
    expected = [reference.laplacian_score(dense, X[:, f].tolist()) for f in range(4)]
    assert_allclose(laplacian_score(X, S), expected, rtol=1e-10)


def test_score_is_the_published_ratio_of_matrices(rng):
    X = rng.random(size=(20, 3))
    S = similarity_graph(X, graph="full")
    L, D = laplacian(S), np.diag(S.sum(axis=1))
    one = np.ones(20)
    for f in range(3):
        a = X[:, f] - (X[:, f] @ D @ one) / (one @ D @ one)
        assert_allclose(
            laplacian_score(X, S)[f], -(a @ L @ a) / (a @ D @ a), rtol=1e-10
        )


def test_constant_feature_is_worst(rng):
    X = np.column_stack([np.full(15, 0.1), rng.random(15)])
    scores = laplacian_score(X, similarity_graph(X))
    assert scores[0] == -np.inf
    assert np.isfinite(scores[1])


def test_feature_varying_only_on_nodes_without_edges_is_worst():
    S = csr_array(np.array([[0.0, 0, 0], [0, 0, 1], [0, 1, 0]]))
    X = np.array([[0.7, 0.0], [0.1, 0.0], [0.1, 1.0]])
    assert_array_equal(laplacian_score(X, S), [-np.inf, -2.0])


def test_graph_without_edges_is_refused():
    with pytest.raises(ValueError, match="the graph joins no two rows"):
        laplacian_score(np.zeros((3, 1)), csr_array((3, 3)))
