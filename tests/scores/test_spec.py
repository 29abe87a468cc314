"""SPEC against its definition."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import block_diag
from scipy.sparse import csr_array

from pairsift.graphs import _spectrum, full_graph, similarity_graph
from pairsift.scores import laplacian_score, spec_label_score, spec_score
from tests.reference import spec as reference


def dense(S):
    return np.asarray(S.todense() if hasattr(S, "todense") else S)


def expected_scores(X, S, style, k):
    S = dense(S).tolist()
    return [reference.score(S, column.tolist(), style, k) for column in X.T]


def datasets(rng):
    X = rng.random(size=(24, 4))
    yield "random", X, {"n_neighbors": 4}
    yield "ties", np.round(2 * X), {"n_neighbors": 3, "sigma": 0.5}
    yield "constant", np.column_stack([np.full(24, 0.1), X]), {"n_neighbors": 4}
    yield "duplicated rows", X[np.arange(24) // 3], {"n_neighbors": 4}
    yield "one feature", X[:, :1], {"n_neighbors": 4}
    yield "two rows", X[:2], {}
    yield "more neighbours than rows", X[:4], {"n_neighbors": 9}
    apart = X + 5.0 * (np.arange(24) % 3)[:, None]
    yield "disconnected", apart, {"n_neighbors": 3}
    yield "isolated rows", X, {"graph": "epsilon", "epsilon": 0.35}
    yield "mutual", X, {"graph": "mutual-knn", "n_neighbors": 2}
    yield "full", X, {"graph": "full", "kernel": "self-tuning"}


CASES = {name: case for name, *case in datasets(np.random.default_rng(0))}


# More clusters than rows are cut to these, and warn.
@pytest.mark.filterwarnings("ignore:n_clusters=")
@pytest.mark.parametrize("style", [1, 2, 3])
@pytest.mark.parametrize("name", CASES)
def test_scores_agree_with_the_definition(name, style):
    X, options = CASES[name]
    S = similarity_graph(X, **options)
    for k in (1, 2, 3, 5, 8, 40):
        expected = expected_scores(X, S, style, k)
        actual = spec_score(X, S, style=style, n_clusters=k)
        assert_allclose(actual, expected, rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize("name", CASES)
def test_second_style_is_the_laplacian_score(name):
    X, options = CASES[name]
    S = similarity_graph(X, **options)
    assert_allclose(
        spec_score(X, S, style=2), laplacian_score(X, S), rtol=1e-10, atol=0
    )


def test_a_full_graph_need_not_be_an_array(rng):
    X = rng.random(size=(15, 3))
    S = similarity_graph(X, graph="full")
    for style in (1, 2, 3):
        assert_allclose(
            spec_score(X, full_graph(X), style=style),
            spec_score(X, S, style=style),
            rtol=1e-10,
        )


# More clusters than rows are cut to these, and warn.
@pytest.mark.filterwarnings("ignore:n_clusters=")
@pytest.mark.parametrize("style", [1, 2, 3])
@pytest.mark.parametrize("k", [None, 2, 3, 4, 7, 50])
def test_label_scores_agree_with_the_definition(rng, style, k):
    X = np.column_stack([rng.normal(size=(25, 4)), np.full(25, 0.3)]) + 1.0
    labels = np.arange(25) % 4 - 1
    labels[:2] = 2
    S = reference.label_similarity(labels.tolist())
    known = X[labels >= 0]
    expected = [
        reference.score(S, column.tolist(), style, k or 3) for column in known.T
    ]
    actual = spec_label_score(X, labels, style=style, n_clusters=k)
    assert_allclose(actual, expected, rtol=1e-10, atol=1e-13)
    with_graph = spec_score(known, np.array(S), style=style, n_clusters=k or 3)
    assert_allclose(actual, with_graph, rtol=1e-10, atol=1e-13)


def test_labels_of_single_rows_are_taken(rng):
    X = rng.normal(size=(4, 2))
    # Nothing varies within classes: all of a feature but its mean lies between them.
    centred = ((X - X.mean(axis=0)) ** 2).sum(axis=0)
    scores = spec_label_score(X, [0, 1, 2, 3])
    assert_allclose(scores, 2 * centred / (X**2).sum(axis=0), rtol=1e-12)


def test_by_hand_on_a_path_of_three_nodes():
    S = csr_array(np.array([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]]))
    X = np.array([[1.0, 1.0], [0.0, -1.0], [-1.0, 1.0]])
    # Eigenvalues 0, 1, 2; the first column is the second eigenvector, the other one
    # the third, whose weight is 2 - 2.
    assert_allclose(spec_score(X, S, style=1), [-1, -2], rtol=1e-14)
    assert_allclose(spec_score(X, S, n_clusters=2), [1, 0], atol=1e-14)
    assert_allclose(spec_score(X, S, n_clusters=3), [1, 0], atol=1e-14)


def test_an_eigenspace_that_is_cut_counts_by_its_share():
    # Four components: three places beside the trivial one, all of eigenvalue 0.
    pair = np.array([[0.0, 1.0], [1.0, 0.0]])
    S = csr_array(block_diag(pair, pair, pair, pair))
    X = np.repeat([[1.0, 1.0], [1.0, 0.0], [-1.0, 0.0], [-1.0, -1.0]], 2, axis=0)
    for k, share in [(2, 1 / 3), (3, 2 / 3), (4, 1.0), (5, 1.0), (8, 1.0)]:
        assert_allclose(spec_score(X, S, n_clusters=k), [2 * share] * 2, rtol=1e-12)


def ring(n):
    S = np.zeros((n, n))
    S[np.arange(n), (np.arange(n) + 1) % n] = 1.0
    return csr_array(S + S.T)


@pytest.mark.parametrize("is_thin", [False, True])
@pytest.mark.parametrize("shape", ["ring", "rings", "random", "dense"])
def test_lanczos_finds_what_lapack_finds(rng, monkeypatch, shape, is_thin):
    # A ring has all eigenvalues twice, three equal rings have them six times.
    X = rng.random(size=(120, 3))
    S = {
        "ring": ring(120),
        "rings": csr_array(block_diag(*[ring(40).toarray()] * 3)),
        "random": similarity_graph(X, n_neighbors=3),
        "dense": similarity_graph(X, graph="full", sigma=0.1),
    }[shape]
    expected = [spec_score(X, S, n_clusters=k) for k in (4, 8, 9)]
    monkeypatch.setattr(_spectrum, "MAX_DENSE", 10)
    monkeypatch.setattr(_spectrum, "MAX_FULL", 10)
    monkeypatch.setattr(_spectrum, "_is_thin", lambda P: is_thin)
    actual = [spec_score(X, S, n_clusters=k) for k in (4, 8, 9)]
    assert_allclose(actual, expected, rtol=1e-9, atol=1e-13)


def test_eigenvectors_that_cannot_be_told_apart_are_refused(rng, monkeypatch):
    # All eigenvalues beside the first few lie within a hair's breadth of each other.
    X = rng.random(size=(300, 1))
    S = similarity_graph(X, graph="full")
    assert np.isfinite(spec_score(X, S, n_clusters=40)).all()
    expected = spec_score(X, S, n_clusters=3)
    monkeypatch.setattr(_spectrum, "MAX_FULL", 10)
    monkeypatch.setattr(_spectrum, "MAX_RESTARTS", 10)
    assert_allclose(spec_score(X, S, n_clusters=3), expected, rtol=1e-9)
    with pytest.raises(ValueError, match="too many to be told apart: choose another"):
        spec_score(X, S, n_clusters=40)


def test_lapack_helps_out_where_lanczos_fails(rng, monkeypatch):
    X = rng.random(size=(300, 5))
    S = similarity_graph(X)
    expected = spec_score(X, S)
    monkeypatch.setattr(_spectrum, "MAX_DENSE", 10)
    monkeypatch.setattr(_spectrum, "MAX_RESTARTS", 1)
    monkeypatch.setattr(_spectrum, "_is_thin", lambda P: False)
    assert_array_equal(spec_score(X, S), expected)


def test_faint_edges_join_nothing(rng):
    X = rng.random(size=(30, 3))
    apart = block_diag(np.ones((15, 15)), np.ones((15, 15)))
    joined = apart + 1e-14
    for k in (2, 5):
        assert_allclose(
            spec_score(X, csr_array(joined), n_clusters=k),
            spec_score(X, apart, n_clusters=k),
            rtol=1e-10,
        )


def test_thin_graphs_are_told_from_thick_ones(rng):
    line = similarity_graph(np.arange(3000.0)[:, None], n_neighbors=4)
    assert _spectrum._is_thin(line)
    thick = similarity_graph(rng.random(size=(9000, 20)), n_neighbors=5)
    assert not _spectrum._is_thin(thick)


def test_graph_is_left_as_it_was(rng):
    X = rng.random(size=(12, 2))
    S = similarity_graph(X)
    S.data[:4] = 0.0
    S = csr_array(S.maximum(S.T))
    before = S.copy()
    spec_score(X, S)
    assert_array_equal(S.data, before.data)
    assert_array_equal(S.indices, before.indices)


def test_zero_weights_do_not_join_components():
    joined = block_diag(np.ones((2, 2)), np.ones((2, 2))) - np.eye(4)
    S = csr_array(joined + 1e-9)
    S.data[S.data < 1e-3] = 0.0
    assert S.nnz == 16
    X = np.array([[0.0, 1.0], [0.3, 2.0], [1.0, 5.0], [4.0, 1.0]])
    assert_allclose(spec_score(X, S), spec_score(X, joined), rtol=1e-12)


def test_copies_of_a_column_tie_exactly():
    for seed in range(20):
        X = np.random.default_rng(seed).normal(size=(55, 9))
        X = np.hstack([X, X])
        for style in (1, 2, 3):
            scores = spec_score(X, similarity_graph(X), style=style)
            assert_array_equal(scores[:9], scores[9:])
            scores = spec_label_score(X, np.arange(55) % 3, style=style)
            assert_array_equal(scores[:9], scores[9:])


def test_input_that_cannot_be_scored_is_refused(rng):
    X = rng.random(size=(4, 2))
    S = similarity_graph(X)
    for style in (1, 2, 3):
        with pytest.raises(ValueError, match="S must have one row"):
            spec_score(X, S[:3][:, :3], style=style)
        with pytest.raises(ValueError, match="joins no two rows"):
            spec_score(X, csr_array((4, 4)), style=style)
    with pytest.raises(ValueError, match="style must be 1, 2 or 3, got 4"):
        spec_score(X, S, style=4)
    with pytest.raises(ValueError, match="n_clusters must be a whole number"):
        spec_score(X, S, n_clusters=0)
    with pytest.raises(ValueError, match="X contains NaN"):
        spec_score(np.full((4, 2), np.nan), S)
    with pytest.raises(ValueError, match="style must be 1, 2 or 3, got '3'"):
        spec_label_score(X, [0, 0, 1, 1], style="3")
    for labels in ([0, 0, -1, 0], [0, 1, 1]):
        with pytest.raises(ValueError, match="labels must hold .* two classes, got"):
            spec_label_score(X, labels)
