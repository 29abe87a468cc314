"""Nearest rows: exact, tied by index, and the same for any block and thread."""

import numba
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pairsift import _kernels
from tests.reference.margins import Delta, nearest


def search(
    X, queries, excluded, k, *, nominal=(), missing="probability", squared=False
):
    is_nominal = np.isin(np.arange(X.shape[1]), nominal)
    columns = _kernels.describe_columns(X, is_nominal, missing=missing)
    weights = np.ones(X.shape[1])
    return _kernels.nearest_rows(
        X, np.asarray(queries), np.asarray(excluded), columns, weights, squared, k
    )


@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize("missing", ["probability", "ignore", "constant", "distinct"])
@pytest.mark.parametrize("share_missing", [0.0, 0.15])
def test_neighbours_agree_with_plain_loops(rng, squared, missing, share_missing):
    X = rng.normal(size=(60, 5))
    X[:, 1] = rng.integers(0, 3, size=60)
    X[:, 3] = rng.integers(0, 4, size=60)
    X[rng.random(X.shape) < share_missing] = np.nan
    queries = np.arange(0, 60, 7)
    excluded = np.column_stack([queries, (queries + 1) % 60])
    rows, distances = search(
        X, queries, excluded, 4, nominal=[1, 3], missing=missing, squared=squared
    )
    delta = Delta(X, nominal=[1, 3], missing=missing)
    for q, out, found, distance in zip(queries, excluded, rows, distances, strict=True):
        assert found.tolist() == nearest(delta, q, set(out.tolist()), 4, squared)
        expected = [delta.distance(q, row, squared) for row in found]
        assert_allclose(distance, expected, rtol=1e-12)


@pytest.mark.parametrize("n_samples", [1, 2, 250, 251, 252, 600, 2000])
def test_every_block_is_searched(rng, n_samples):
    X = rng.normal(size=(n_samples, 3))
    queries = np.arange(n_samples)
    rows, _ = search(X, queries, queries[:, None], 3)
    span = np.ptp(X, axis=0)
    for q in queries[:: max(n_samples // 40, 1)]:
        distance = (np.abs(X - X[q]) / np.where(span > 0, span, np.inf)).sum(axis=1)
        distance[q] = np.inf
        expected = np.argsort(distance, kind="stable")[:3][: n_samples - 1]
        assert rows[q, : len(expected)].tolist() == expected.tolist()
        assert (rows[q, len(expected) :] == -1).all()


@pytest.mark.parametrize("n_features", [2000, 12_000])
def test_wide_data_is_searched_in_narrow_blocks(rng, n_features):
    X = rng.normal(size=(80, n_features))
    rows, _ = search(X, [5], [[5]], 2)
    distance = (np.abs(X - X[5]) / np.ptp(X, axis=0)).sum(axis=1)
    distance[5] = np.inf
    assert_array_equal(rows[0], np.argsort(distance)[:2])


def test_ties_go_to_the_smaller_row_whatever_the_order_of_columns(rng):
    # Thirds are not exact in binary: sums of the same terms in another order differ in
    # the last bit, and must still be ties.
    X = rng.integers(0, 4, size=(400, 9)).astype(float)
    queries = np.arange(0, 400, 13)
    expected, _ = search(X, queries, queries[:, None], 6)
    for _ in range(5):
        shuffled = np.ascontiguousarray(X[:, rng.permutation(9)])
        rows, _ = search(shuffled, queries, queries[:, None], 6)
        assert_array_equal(rows, expected)
    whole = (np.abs(X[:, None] - X) / 3).round(12)
    thirds = np.rint((whole * 3).sum(axis=2)).astype(int)
    for q, found in zip(queries, expected, strict=True):
        distance = thirds[q].astype(float)
        distance[q] = np.inf
        assert_array_equal(found, np.argsort(distance, kind="stable")[:6])


def test_constant_column_makes_no_difference(rng):
    X = rng.normal(size=(30, 3))
    with_constant = np.column_stack([np.full(30, 1e300), X, np.zeros(30)])
    queries = np.arange(30)
    expected = search(X, queries, queries[:, None], 5)
    found = search(with_constant, queries, queries[:, None], 5)
    assert_array_equal(found[0], expected[0])
    assert_array_equal(found[1], expected[1])


def test_rows_without_a_common_known_column_are_no_neighbours():
    X = np.array([[0.0, np.nan], [np.nan, 1.0], [1.0, 0.0]])
    rows, distances = search(X, [0], [[0]], 2, missing="ignore")
    assert_array_equal(rows, [[2, -1]])
    assert_array_equal(distances, [[2.0, np.inf]])


def test_any_thread_count_gives_equal_bits(rng):
    X = rng.normal(size=(3000, 30))
    queries = rng.choice(3000, size=300, replace=False)
    results = []
    for n_jobs in range(1, numba.config.NUMBA_NUM_THREADS + 1):
        with _kernels.threads(n_jobs):
            results.append(search(X, queries, queries[:, None], 10))
    for rows, distances in results[1:]:
        assert_array_equal(rows, results[0][0])
        assert_array_equal(distances, results[0][1])


def test_thread_count_is_restored():
    before = numba.get_num_threads()
    with _kernels.threads(1):
        assert numba.get_num_threads() == 1
    with pytest.raises(KeyError, match="stop"), _kernels.threads(1):
        raise KeyError("stop")
    assert numba.get_num_threads() == before
    with _kernels.threads(-1):
        assert numba.get_num_threads() == numba.config.NUMBA_NUM_THREADS


def test_unknown_kernel_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _kernels.nonsense  # noqa: B018
