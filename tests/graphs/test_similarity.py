"""Similarity graphs, Laplacians and quadratic forms."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array, issparse

from pairsift import _kernels
from pairsift.graphs import (
    _nearest,
    degrees,
    degrees_and_forms,
    full_graph,
    laplacian,
    nearest_neighbors,
    pair_graph,
    quadratic_forms,
    similarity_graph,
    spreads,
)
from pairsift.graphs._constrained import (
    constrained_edges,
    edge_list,
    unlabelled_rows,
)
from tests.reference import graphs as reference


def dense(S):
    return S.toarray() if issparse(S) else S


@pytest.mark.slow
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


def test_epsilon_is_a_distance_that_is_not_reached():
    X = np.array([[0.0], [1.0], [1.5]])
    S = similarity_graph(X, graph="epsilon", epsilon=1.0, kernel="binary")
    assert_array_equal(S.toarray(), [[0, 0, 0], [0, 0, 1], [0, 1, 0]])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"graph": "kn"}, "graph must be one of 'knn'.*got 'kn'"),
        ({"kernel": "gausian"}, "kernel must be one of .*got 'gausian'"),
        ({"sigma": "atuo"}, "sigma must be a positive number or 'auto', got 'atuo'"),
        ({"sigma": -1}, "sigma must be a positive number"),
        ({"n_neighbors": 0}, "n_neighbors must be a whole number of at least 1, got 0"),
    ],
)
def test_misspelt_options_are_refused(rng, options, message):
    with pytest.raises(ValueError, match=message):
        similarity_graph(rng.normal(size=(9, 2)), **options)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.full((9, 2), np.nan), "X contains NaN"),
        (np.full((9, 2), np.inf), "X contains infinity"),
        (np.zeros((1, 2)), "at least two rows"),
        (np.zeros(3), "rows and columns"),
        (np.array([[1e300], [-1e300], [0.0]]), "distances overflow: scale it first"),
    ],
    ids=["nan", "inf", "one row", "one dimension", "overflow"],
)
def test_impossible_data_is_refused(X, message):
    with pytest.raises(ValueError, match=message):
        similarity_graph(X)


def test_graph_of_other_rows_is_refused(rng):
    X = rng.normal(size=(30, 2))
    for size in (20, 40):
        S = np.ones((size, size))
        for matrix in (S, csr_array(S)):
            with pytest.raises(ValueError, match="each of the 30 rows of X, got shape"):
                quadratic_forms(matrix, X)
    with pytest.raises(ValueError, match="normalization must be one of None"):
        laplacian(np.ones((2, 2)), "sym")


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


def tied_rows():
    """Points of a lattice, some of them twice, each tied with others around it."""
    lattice = np.stack(np.meshgrid(*[np.arange(4.0)] * 2), axis=-1).reshape(-1, 2)
    return 0.1 * np.vstack([lattice, lattice[:5], np.zeros((3, 2))])


@pytest.mark.slow
@pytest.mark.parametrize("graph", ["knn", "mutual-knn"])
@pytest.mark.parametrize("kernel", ["gaussian", "self-tuning", "binary"])
@pytest.mark.parametrize("n_neighbors", [1, 2, 5])
def test_all_rows_tied_with_the_last_neighbour_are_joined(
    rng, graph, kernel, n_neighbors
):
    X = tied_rows()
    options = {"graph": graph, "kernel": kernel, "sigma": "auto"}
    S = similarity_graph(X, n_neighbors=n_neighbors, **options)
    expected = reference.similarity(X.tolist(), k=n_neighbors, **options)
    assert_allclose(S.toarray(), expected, rtol=1e-10, atol=1e-14)
    order = rng.permutation(len(X))
    permuted = similarity_graph(X[order], n_neighbors=n_neighbors, **options)
    assert_allclose(permuted.toarray(), S.toarray()[order][:, order], rtol=1e-12)


def test_too_many_tied_neighbours_are_taken_from_the_top(monkeypatch):
    X = np.repeat([[0.0], [1.0], [3.0]], [4, 1, 2], axis=0)
    monkeypatch.setattr(_nearest, "MAX_EDGES", 11)
    with pytest.warns(UserWarning, match="so many equal rows.*last of the 2 nearest"):
        S = similarity_graph(X, n_neighbors=2, kernel="binary", graph="mutual-knn")
    # The four equal rows have 12 edges among them; each takes the first two of them.
    assert edge_list(S).tolist() == [[0, 1], [0, 2], [1, 2], [5, 6]]
    monkeypatch.setattr(_nearest, "MAX_EDGES", 12 + 4)
    S = similarity_graph(X, n_neighbors=2, kernel="binary", graph="mutual-knn")
    assert S[:4, :4].toarray().tolist() == (1 - np.eye(4)).tolist()


@pytest.mark.slow
def test_many_copies_of_a_row_do_not_fill_the_memory():
    X = np.zeros((6000, 1))
    X[:2] = 1.0
    with pytest.warns(UserWarning, match="so many equal rows"):
        S = similarity_graph(X, n_neighbors=3)
    assert S.nnz <= 2 * 3 * 6000


@pytest.mark.parametrize("graph", ["knn", "epsilon", "full"])
def test_sigma_at_which_all_similarities_vanish_is_refused(rng, graph):
    X = rng.random((30, 4))
    kth = nearest_neighbors(X, 3)[1][:, -1].mean()
    with pytest.raises(ValueError, match=f"take sigma={kth:.3g}, .*for 3 neigh"):
        similarity_graph(X, graph=graph, n_neighbors=3, sigma=1e-3, epsilon=0.5)
    S = full_graph(X, sigma=1e-3)
    with pytest.raises(ValueError, match="no two rows of X are similar at sigma=0.001"):
        degrees(S)


def test_distances_that_vanish_are_refused(rng):
    with pytest.raises(ValueError, match="distances vanish: scale it first"):
        similarity_graph(1e-200 * rng.random((9, 2)))


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
    args = (X, np.array([0]), np.array([[0]]), columns)
    assert_array_equal(_kernels.nearest_rows(*args, True, 1)[1], [[25.0]])
    assert_array_equal(_kernels.nearest_rows(*args, False, 1)[1], [[7.0]])


def test_rows_may_have_edges_to_themselves(rng):
    X = rng.normal(size=(9, 3))
    looped, plain = full_graph(X, loops=True), full_graph(X)
    assert_allclose(looped.whole(), plain.whole() + np.eye(9), rtol=0, atol=0)
    assert_allclose(degrees(looped), degrees(plain) + 1.0, rtol=1e-15)
    assert_array_equal(quadratic_forms(looped, X), quadratic_forms(plain, X))
    with pytest.raises(ValueError, match="no two rows of X are similar"):
        degrees(full_graph(X, sigma=1e-3, loops=True))
    with pytest.raises(ValueError, match="no two rows of X are similar"):
        full_graph(X, sigma=1e-3, loops=True).whole()


@pytest.mark.parametrize("kernel", ["gaussian", "self-tuning", "inverse", "cosine"])
@pytest.mark.parametrize("sigma", [0.7, "auto"])
def test_full_graph_need_not_be_stored(rng, kernel, sigma):
    X = rng.normal(size=(150, 3))
    X[10] = X[11]
    f = rng.normal(size=(150, 5))
    options = {"kernel": kernel, "sigma": sigma, "n_neighbors": 4}
    stored = similarity_graph(X, graph="full", **options)
    streamed = full_graph(X, **options)
    assert_array_equal(streamed.rows(0, 150), stored)
    d, forms = degrees_and_forms(streamed, f)
    assert_allclose(d, stored.sum(axis=1), rtol=1e-13)
    assert_allclose(forms, quadratic_forms(stored, f), rtol=1e-12)
    assert_allclose(degrees(streamed), d, rtol=1e-15)
    for n_jobs in (1, 2, 5):
        again = degrees_and_forms(streamed, f, n_jobs=n_jobs)
        assert_array_equal(again[0], d)
        assert_array_equal(again[1], forms)


def test_pairs_make_a_graph_of_their_own():
    S = pair_graph(np.array([[0, 2], [2, 0], [1, 2]]), 4, np.array([1.0, 2.0, 5.0]))
    expected = np.zeros((4, 4))
    expected[0, 2] = expected[2, 0] = 3.0
    expected[1, 2] = expected[2, 1] = 5.0
    assert_array_equal(S.toarray(), expected)
    assert_array_equal(edge_list(S), [[0, 2], [1, 2]])
    assert pair_graph(np.empty((0, 2), dtype=np.int64), 3).nnz == 0


def test_constrained_edges_name_every_pair_once(rng):
    X = rng.random((9, 2))
    near = similarity_graph(X, n_neighbors=1, kernel="binary")
    must, cannot = np.array([[4, 0], [0, 4]]), np.array([[1, 2]])
    edges = constrained_edges(X, must, cannot, near, sigma=0.5)
    named = {tuple(pair) for pair in edges.pairs.tolist()}
    assert named == {(0, 4), (1, 2)} | {tuple(e) for e in edge_list(near).tolist()}
    assert len(named) == len(edges.pairs)
    assert edges.pairs[edges.is_must].tolist() == [[0, 4]]
    assert edges.pairs[edges.is_cannot].tolist() == [[1, 2]]
    assert_array_equal(edges.pairs[edges.is_near], edge_list(near))
    is_unlabelled = unlabelled_rows(9, must, cannot)
    assert np.flatnonzero(~is_unlabelled).tolist() == [0, 1, 2, 4]
    free = [bool(is_unlabelled[a] or is_unlabelled[b]) for a, b in edges.pairs]
    assert edges.is_free.tolist() == free
    expected = [reference.weight(X, a, b, "gaussian", 0.5, 1) for a, b in edges.pairs]
    assert_allclose(edges.similarity, expected, rtol=1e-12)


def test_spreads_may_be_summed_over_some_rows(rng):
    X, d = rng.random((6, 2)), np.array([1.0, 0.0, 2.0, 1.0, 0.5, 0.0])
    mean = (d[:, None] * X).sum(axis=0) / d.sum()
    terms = d[:, None] * (X - mean) ** 2
    assert_allclose(spreads(d, X), terms.sum(axis=0), rtol=1e-12)
    among = np.array([True, True, False, False, True, False])
    assert_allclose(spreads(d, X, among), terms[among].sum(axis=0), rtol=1e-12)
    with pytest.raises(ValueError, match="joins no two rows .*sigma .*larger"):
        spreads(np.zeros(6), X)
