"""sSelect against plain loops."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.metrics import normalized_mutual_info_score

from pairsift.graphs import full_graph, similarity_graph
from pairsift.scores import laplacian_score, sselect_score
from tests.reference import sselect as reference


def datasets(rng):
    X = rng.random(size=(24, 4))
    yield "random", X, {"n_neighbors": 4}
    yield "ties", np.round(4 * X), {"n_neighbors": 3, "sigma": 0.5}
    yield "constant", np.column_stack([np.full(24, 0.1), X]), {"n_neighbors": 4}
    yield "duplicated rows", X[np.arange(24) // 3], {"n_neighbors": 4}
    yield "one feature", X[:, :1], {"n_neighbors": 4}
    yield "two rows", X[:2], {}
    yield "more neighbours than rows", X[:4], {"n_neighbors": 9}
    apart = X + 5.0 * (np.arange(24) % 3)[:, None]
    yield "disconnected", apart, {"n_neighbors": 3}
    yield "isolated rows", X, {"graph": "epsilon", "epsilon": 0.35}
    yield "full", X, {"graph": "full"}


CASES = {name: case for name, *case in datasets(np.random.default_rng(0))}


@pytest.mark.parametrize("lambda_", [0, 0.1, 0.5, 1])
@pytest.mark.parametrize("name", CASES)
def test_scores_agree_with_plain_loops(rng, name, lambda_):
    X, options = CASES[name]
    S = similarity_graph(X, **options)
    dense = np.asarray(S.todense() if hasattr(S, "todense") else S).tolist()
    labels = rng.integers(-1, 3, size=len(X))
    labels[:2] = [0, 1]
    expected = [
        reference.score(dense, column.tolist(), labels.tolist(), lambda_)
        for column in X.T
    ]
    actual = sselect_score(X, S, labels, lambda_=lambda_)
    assert_allclose(actual, expected, rtol=1e-10, atol=1e-14)


def test_extremes_are_the_laplacian_score_and_mutual_information(rng):
    X = rng.random(size=(30, 5))
    S = similarity_graph(X)
    labels = np.arange(30) % 4 - 1
    assert_allclose(
        sselect_score(X, S, labels, lambda_=1), laplacian_score(X, S), rtol=1e-12
    )
    degree = S.sum(axis=1)
    is_high = (degree @ X) / degree.sum() <= X
    known = labels >= 0
    expected = [
        normalized_mutual_info_score(
            labels[known], column[known], average_method="geometric"
        )
        for column in is_high.T
    ]
    actual = sselect_score(X, S, labels, lambda_=0) + 1
    assert_allclose(actual, expected, rtol=1e-10, atol=1e-14)


def test_values_at_the_mean_are_in_the_upper_cluster_whatever_the_rounding():
    # The mean of 0.1, 0.2 and 0.3 is not 0.2 in binary, and depends on the order.
    rng = np.random.default_rng(0)
    S = np.ones((30, 30)) - np.eye(30)
    values = np.repeat([0.1, 0.2, 0.3], 10)
    labels = np.repeat([0, 1, 1], 10)
    for scale in (1.0, 3e-7, 7e9):
        for _ in range(20):
            order = rng.permutation(30)
            X = scale * values[order, None]
            scores = sselect_score(X, S, labels[order], lambda_=0)
            assert_allclose(scores, [0.0], atol=1e-14)


def test_labels_in_one_cluster_agree_with_nothing():
    # Both labelled rows are above the mean: the clusters tell them not apart.
    X = np.array([[1.0], [2.0], [-9.0], [-9.0]])
    S = np.ones((4, 4)) - np.eye(4)
    assert_array_equal(sselect_score(X, S, [0, 1, -1, -1], lambda_=0), [-1.0])


def test_a_full_graph_need_not_be_an_array(rng):
    X = rng.random(size=(15, 3))
    labels = np.arange(15) % 3 - 1
    expected = sselect_score(X, similarity_graph(X, graph="full"), labels)
    assert_allclose(sselect_score(X, full_graph(X), labels), expected, rtol=1e-12)


def test_copies_of_a_column_tie_exactly():
    for seed in range(20):
        X = np.random.default_rng(seed).normal(size=(55, 9))
        X = np.hstack([X, X])
        scores = sselect_score(X, similarity_graph(X), np.arange(55) % 4 - 1)
        assert_array_equal(scores[:9], scores[9:])


def test_input_that_cannot_be_scored_is_refused(rng):
    X = rng.random(size=(4, 2))
    S, labels = similarity_graph(X), [0, 1, -1, -1]
    with pytest.raises(ValueError, match="S must have one row"):
        sselect_score(X, S[:3][:, :3], labels)
    with pytest.raises(ValueError, match="joins no two rows"):
        sselect_score(X, csr_array((4, 4)), labels)
    for lambda_ in (-0.1, 1.1, np.nan):
        with pytest.raises(ValueError, match="lambda_ must be a number from 0 to 1"):
            sselect_score(X, S, labels, lambda_=lambda_)
    for wrong in ([0, 0, -1, 0], [0, 1, 1]):
        with pytest.raises(ValueError, match="labels must hold .* two classes, got"):
            sselect_score(X, S, wrong)
