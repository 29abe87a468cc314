"""Nearest rows: exact, tied by index, and the same for any block and thread."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pairsift import _kernels
from tests.reference.margins import Delta, nearest


def search(
    X,
    queries,
    excluded,
    k,
    *,
    categorical=(),
    missing="probability",
    squared=False,
    n_jobs=None,
):
    is_categorical = np.isin(np.arange(X.shape[1]), categorical)
    columns = _kernels.describe_columns(X, is_categorical, missing=missing)
    queries, excluded = np.asarray(queries), np.asarray(excluded)
    return _kernels.nearest_rows(X, queries, excluded, columns, squared, k, n_jobs)


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
        X, queries, excluded, 4, categorical=[1, 3], missing=missing, squared=squared
    )
    delta = Delta(X, categorical=[1, 3], missing=missing)
    for q, out, found, distance in zip(queries, excluded, rows, distances, strict=True):
        assert found.tolist() == nearest(delta, q, set(out.tolist()), 4, squared)
        expected = [delta.distance(q, row, squared) for row in found]
        assert_allclose(distance, expected, rtol=1e-12)


@pytest.fixture(params=["differences", "products"])
def road(request, monkeypatch):
    """Both ways to the neighbours by Euclidean distance, whatever the size."""
    least = {"differences": np.inf, "products": 0}[request.param]
    monkeypatch.setattr("pairsift._kernels.relief._neighbors.MANY_CELLS", least)


@pytest.mark.usefixtures("road")
@pytest.mark.parametrize("n_samples", [2, 63, 65, 4095, 4100])
@pytest.mark.parametrize("kind", ["random", "ties", "duplicates", "outlier"])
def test_euclidean_neighbours_are_exact_on_both_roads(rng, n_samples, kind):
    X = rng.normal(size=(n_samples, 6))
    if kind == "ties":
        X = np.round(X)
    if kind == "duplicates":
        X[n_samples // 2 :] = X[: n_samples - n_samples // 2]
    if kind == "outlier":
        X[n_samples // 3] = 1e25
    queries = np.arange(0, n_samples, max(n_samples // 50, 1))
    X *= np.array([1.0, 0.5, 0.0, 2.0, 1.0, 1.0])
    rows, distances = _kernels.nearest_rows(
        X, queries, queries[:, None], _kernels.plain_columns(X), True, 4
    )
    for q, found, distance in zip(queries, rows, distances, strict=True):
        expected = ((X - X[q]) ** 2).sum(axis=1)
        expected[q] = np.inf
        n_found = min(4, n_samples - 1)
        nearest_first = np.argsort(expected.round(10), kind="stable")[:n_found]
        assert found[:n_found].tolist() == nearest_first.tolist()
        assert_allclose(distance[:n_found], expected[nearest_first], rtol=1e-12)
        assert (found[n_found:] == -1).all()


@pytest.mark.usefixtures("road")
def test_euclidean_neighbours_are_the_same_for_any_number_of_threads(rng):
    X = rng.normal(size=(700, 9))
    columns, queries = _kernels.plain_columns(X), np.arange(700)
    results = [
        _kernels.nearest_rows(X, queries, queries[:, None], columns, True, 5, n_jobs)
        for n_jobs in (1, 2, 5)
    ]
    for rows, distances in results[1:]:
        assert_array_equal(rows, results[0][0])
        assert_array_equal(distances, results[0][1])


@pytest.mark.parametrize("n_samples", [1, 2, 247, 248, 249, 600, 2000])
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


@pytest.mark.slow
@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize("missing", ["probability", "ignore", "constant", "distinct"])
def test_missing_values_over_several_blocks_with_classes(rng, missing, squared):
    X = rng.normal(size=(300, 4))
    X[:, 2] = rng.integers(0, 3, size=300)
    X[rng.random(X.shape) < 0.3] = np.nan
    labels = rng.integers(-1, 3, size=300)
    is_categorical = np.array([False, False, True, False])
    columns = _kernels.describe_columns(
        X, is_categorical, missing=missing, labels=labels
    )
    queries = np.array([3, 250, 271, 299])
    rows, distances = _kernels.nearest_rows(
        X, queries, queries[:, None], columns, squared, 6
    )
    delta = Delta(X, categorical=[2], missing=missing, labels=labels)
    for q, found, distance in zip(queries, rows, distances, strict=True):
        expected = []
        for b in range(300):
            terms = [delta(q, b, j) for j in range(4)]
            known = [t**2 if squared else t for t in terms if not np.isnan(t)]
            if b != q and known:
                expected.append((float(f"{sum(known) * 4 / len(known):.11g}"), b))
        expected = sorted(expected)[:6]
        assert found.tolist() == [b for _, b in expected]
        assert_allclose(distance, [d for d, _ in expected], rtol=1e-10)


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
    # Sums of five terms in another order: each is wrong by at most 4 units.
    assert_allclose(found[1], expected[1], rtol=8 * 2.0**-53, atol=0)


def test_rows_without_a_common_known_column_are_no_neighbours():
    X = np.array([[0.0, np.nan], [np.nan, 1.0], [1.0, 0.0]])
    rows, distances = search(X, [0], [[0]], 2, missing="ignore")
    assert_array_equal(rows, [[2, -1]])
    assert_array_equal(distances, [[2.0, np.inf]])


def test_any_thread_count_gives_equal_bits(rng):
    X = rng.normal(size=(3000, 30))
    queries = rng.choice(3000, size=600, replace=False)
    results = [
        search(X, queries, queries[:, None], 10, n_jobs=n_jobs)
        for n_jobs in (1, 2, 3, 8, -1, None)
    ]
    for rows, distances in results[1:]:
        assert_array_equal(rows, results[0][0])
        assert_array_equal(distances, results[0][1])


@pytest.mark.parametrize("n_jobs", [None, 1, 2, 7, 100, -1, -2, -1000])
@pytest.mark.parametrize("n_items", [0, 1, 5, 64])
def test_threads_share_the_items_without_gap_or_overlap(n_jobs, n_items):
    done = []
    _kernels.on_threads(
        n_jobs, n_items, lambda start, stop: done.extend(range(start, stop)), cost=1e6
    )
    assert sorted(done) == list(range(n_items))


def test_error_on_a_thread_reaches_the_caller():
    def fail(start, stop):
        raise KeyError("stop")

    with pytest.raises(KeyError, match="stop"):
        _kernels.on_threads(2, 4, fail, cost=1e6)


@pytest.mark.usefixtures("road")
@pytest.mark.parametrize("spread", [1e-9, 1e-7])
@pytest.mark.parametrize("outlier", [1e6, 0.0])
@pytest.mark.parametrize("offset", [0.0, 1e9])
@pytest.mark.parametrize("factor", [1.0, 1e-200, 1e60])
@pytest.mark.parametrize("squared", [False, True])
def test_single_precision_never_decides(rng, spread, outlier, offset, factor, squared):
    # Neighbours nearer to each other than single precision can tell, an outlier that
    # stretches the range a millionfold, values that overflow single precision.
    X = 1.0 + spread * rng.normal(size=(300, 4))
    X[17] = outlier
    X = (X + offset) * factor
    queries = np.arange(0, 300, 11)
    for columns in (
        _kernels.describe_columns(X, np.zeros(4, dtype=bool)),
        _kernels.plain_columns(X),
    ):
        # Uncompiled, NumPy would warn of the overflow that is the point here.
        with np.errstate(over="ignore", invalid="ignore"):
            rows, _ = _kernels.nearest_rows(
                X, queries, queries[:, None], columns, squared, 5, n_jobs=1
            )
        for q, found in zip(queries, rows, strict=True):
            delta = np.abs(X - X[q]) * columns.scale
            distance = (delta**2 if squared else delta).cumsum(axis=1)[:, -1]
            distance[q] = np.inf
            expected = np.argsort(distance, kind="stable")[:5]
            assert_allclose(distance[found], distance[expected], rtol=1e-14)


def test_unknown_kernel_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _kernels.nonsense  # noqa: B018
