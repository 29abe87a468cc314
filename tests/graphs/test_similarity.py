"""Similarity graphs, Laplacians and quadratic forms."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array, issparse

from pairsift import _kernels
from pairsift.graphs import (
    degrees,
    laplacian,
    nearest_neighbors,
    quadratic_forms,
    similarity_graph,
)
from tests.reference import graphs as reference


def dense(S):
    return S.toarray() if issparse(S) else S


@pytest.mark.parametrize("graph", ["knn", "mutual-knn", "epsilon", "full"])
@pytest.mark.parametrize(
    "kernel", ["gaussian", "self-tuning", "inverse", "cosine", "binary"]
)
@pytest.mark.parametrize("sigma", [0.6, "auto"])
def test_graph_agrees_with_plain_loops(rng, graph, kernel, sigma):
    X = rng.normal(size=(23, 3))
    X[5] = X[9]
    X[2] = 0.0
    options = {"graph": graph, "epsilon": 1.2, "kernel": kernel, "sigma": sigma}
    S = similarity_graph(X, n_neighbors=4, **options)
    expected = reference.similarity(X.tolist(), k=4, **options)
    assert issparse(S) == (graph != "full")
    assert_allclose(dense(S), expected, rtol=1e-10, atol=1e-14)
    assert_array_equal(dense(S), dense(S).T)
    assert_array_equal(dense(S).diagonal(), np.zeros(23))


def test_more_neighbours_than_rows_join_everyone(rng):
    X = rng.normal(size=(5, 2))
    S = similarity_graph(X, n_neighbors=50, kernel="binary")
    assert_array_equal(S.toarray(), 1 - np.eye(5))


def test_epsilon_graph_needs_its_radius(rng):
    with pytest.raises(ValueError, match="graph='epsilon' needs epsilon"):
        similarity_graph(rng.normal(size=(5, 2)), graph="epsilon")


def test_only_duplicates_make_a_graph_of_ones():
    X = np.zeros((4, 2))
    for kernel in ("gaussian", "self-tuning", "inverse"):
        S = similarity_graph(
            X, n_neighbors=2, kernel=kernel, sigma="auto", graph="full"
        )
        assert_array_equal(S, 1 - np.eye(4))


def test_neighbours_tie_to_the_smaller_row():
    X = np.array([[0.0], [1.0], [-1.0], [1.0]])
    rows, distances = nearest_neighbors(X, 2)
    assert_array_equal(rows, [[1, 2], [3, 0], [0, 1], [1, 0]])
    assert_array_equal(distances, [[1, 1], [0, 1], [1, 2], [0, 1]])


def test_laplacians_agree_with_their_definitions(rng):
    S = similarity_graph(rng.normal(size=(12, 3)), n_neighbors=3)
    A = S.toarray()
    d = A.sum(axis=1)
    assert_allclose(degrees(S), d, rtol=1e-14)
    L = np.diag(d) - A
    expected = {
        None: L,
        "symmetric": np.diag(d**-0.5) @ L @ np.diag(d**-0.5),
        "random-walk": np.diag(1 / d) @ L,
    }
    for normalization, matrix in expected.items():
        assert_allclose(laplacian(A, normalization), matrix, atol=1e-14)
        sparse = laplacian(S, normalization)
        assert issparse(sparse)
        assert_allclose(sparse.toarray(), matrix, atol=1e-14)


def test_node_without_edges_has_a_zero_row():
    S = np.zeros((3, 3))
    S[0, 1] = S[1, 0] = 2.0
    for normalization in (None, "symmetric", "random-walk"):
        for form in (S, csr_array(S)):
            assert_array_equal(dense(laplacian(form, normalization))[2], np.zeros(3))


def test_forms_agree_with_plain_loops_sparse_and_dense(rng):
    X = rng.normal(size=(30, 5)) + 1000.0
    S = similarity_graph(X, n_neighbors=4, sigma="auto")
    expected = [reference.quadratic_form(dense(S), X[:, f]) for f in range(5)]
    assert_allclose(quadratic_forms(S, X), expected, rtol=1e-12)
    assert_allclose(quadratic_forms(dense(S), X), expected, rtol=1e-12)
    f = np.full((30, 1), 0.1)
    assert_array_equal(quadratic_forms(S, f), [0.0])


def test_forms_have_the_same_bits_on_any_number_of_threads(rng):
    X = rng.normal(size=(500, 9))
    S = similarity_graph(X, graph="full")
    knn = similarity_graph(X)
    for matrix in (S, knn):
        results = [
            quadratic_forms(matrix, X, n_jobs=n_jobs) for n_jobs in (1, 2, 5, None)
        ]
        for result in results[1:]:
            assert_array_equal(result, results[0])


def test_plain_columns_measure_raw_differences():
    X = np.array([[0.0, 0.0], [3.0, 4.0]])
    columns = _kernels.plain_columns(X)
    args = (X, np.array([0]), np.array([[0]]), columns, np.ones(2))
    assert_array_equal(_kernels.nearest_rows(*args, True, 1)[1], [[25.0]])
    assert_array_equal(_kernels.nearest_rows(*args, False, 1)[1], [[7.0]])
