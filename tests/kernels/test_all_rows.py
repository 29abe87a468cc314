"""Distances by blocks, against the same in double precision, pair by pair."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pairsift._kernels.relief._all_rows import (
    all_distances,
    as_points,
    exact_distance,
    in_single,
    row_distances,
)
from pairsift._kernels.relief._diff import describe_columns
from pairsift._kernels.relief._long_rows import long_corrections, long_distances

N_ROWS, N_COLUMNS = 60, 70


def mixed_rows(rng, missing, share_missing):
    X = rng.normal(size=(N_ROWS, N_COLUMNS))
    X[:, ::5] = rng.choice([-3.0, -0.1, 0.0, 4.0], size=X[:, ::5].shape)
    X[:, 7] = 1.0
    X[1] = X[0]
    X[rng.random(X.shape) < share_missing] = np.nan
    is_categorical = np.arange(N_COLUMNS) % 5 == 0
    labels = np.repeat([0, 1, 2], N_ROWS // 3)
    return X, describe_columns(X, is_categorical, missing, labels)


def in_double(X, columns, squared):
    rows = range(len(X))
    distances = [
        [exact_distance(X, a, b, squared, columns) for b in rows] for a in rows
    ]
    return np.array(distances)


@pytest.mark.parametrize("missing", ["probability", "ignore", "constant", "distinct"])
@pytest.mark.parametrize("share_missing", [0.0, 0.05, 0.5])
@pytest.mark.parametrize("squared", [False, True])
def test_errors_of_distances_stay_within_their_bound(
    rng, missing, share_missing, squared, monkeypatch
):
    monkeypatch.setattr("pairsift._kernels.relief._all_rows.BLOCK_VECTORS", 2)
    X, columns = mixed_rows(rng, missing, share_missing)
    exact = in_double(X, columns, squared)
    points, gaps = as_points(X, columns, np.float32, squared)
    rough = all_distances(points, gaps, squared, 2)
    absolute, relative = points.rounding
    bound = absolute + relative * exact
    assert (np.abs(rough[:N_ROWS, :N_ROWS] - exact) <= bound).all()
    assert_array_equal(rough[:N_ROWS, N_ROWS:], np.inf)
    queries = np.array([3, 59, 20, 21, 0])
    some = np.empty((5, len(rough)), dtype=np.float32)
    row_distances(queries, points, gaps, squared, some)
    assert_allclose(some, rough[queries], rtol=1e-4, atol=1e-5)
    # Corrections of missing values, kept or not.
    monkeypatch.setattr("pairsift._kernels.relief._all_rows.MOST_CELLS", 0)
    points, gaps = as_points(X, columns, np.float32, squared)
    assert_array_equal(all_distances(points, gaps, squared, 1), rough)
    points, gaps = as_points(X, columns, np.float64, squared)
    distances = all_distances(points, gaps, squared)[:N_ROWS, :N_ROWS]
    assert_allclose(distances, exact, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("missing", ["probability", "constant", "distinct"])
@pytest.mark.parametrize("share_missing", [0.0, 0.05, 0.5])
def test_whole_numbers_stay_within_their_bound(
    rng, missing, share_missing, monkeypatch
):
    monkeypatch.setattr("pairsift._kernels.relief._all_rows.BLOCK_VECTORS", 2)
    X, columns = mixed_rows(rng, missing, share_missing)
    exact = in_double(X, columns, False)
    points, gaps = as_points(X, columns, np.int32)
    rough = all_distances(points, gaps, False, 2)
    absolute, relative = points.rounding
    off = np.abs(rough[:N_ROWS, :N_ROWS] - points.unit * exact)
    assert (off <= absolute + relative * points.unit * exact).all()
    # Better than single precision.
    assert absolute < 1e-6 * points.unit * N_COLUMNS
    assert (rough[:N_ROWS, N_ROWS:] == np.iinfo(np.int32).max).all()
    some = np.empty((2, len(rough)), dtype=np.int32)
    row_distances(np.array([59, 4]), points, gaps, False, some)
    assert_array_equal(some, rough[[59, 4]])
    single = in_single(points, gaps)
    distances = all_distances(*single, False)[:N_ROWS, :N_ROWS]
    assert_allclose(distances, exact, rtol=1e-5, atol=1e-5)


def test_whole_numbers_do_not_run_over():
    # All differences are 1, and two rows miss two cells in three.
    X = np.zeros((40, 3000))
    X[1::2] = 1.0
    X[:, 1000:] = np.where(np.arange(40)[:, None] < 2, np.nan, X[:, 1000:])
    columns = describe_columns(X, np.zeros(3000, dtype=bool), "distinct")
    points, gaps = as_points(X, columns, np.int32)
    distances = all_distances(points, gaps, False)[:40, :40] / points.unit
    assert_allclose(distances[0, 1], 1000, rtol=1e-4)
    assert_allclose(distances[0, 3], 3000, rtol=1e-4)
    assert_allclose(distances[2, 3], 3000, rtol=1e-4)


@pytest.mark.parametrize("n_rows", [2, 3, 60])
@pytest.mark.parametrize("missing", [None, "probability", "constant", "distinct"])
@pytest.mark.parametrize("squared", [False, True])
def test_sums_along_the_rows_stay_within_their_bound(rng, n_rows, missing, squared):
    X = rng.normal(size=(n_rows, 700))
    X[:, ::2] = rng.integers(3, 7, size=(n_rows, 350))
    is_categorical, labels = np.arange(700) % 2 == 0, np.arange(n_rows) % 2
    if missing is not None:
        X[rng.random(X.shape) < 0.1] = np.nan
    columns = describe_columns(X, is_categorical, missing or "distinct", labels)
    exact = in_double(X, columns, squared)
    points, gaps = as_points(X, columns, np.float32, squared, transposed=False)
    if gaps is not None:
        gaps = long_corrections(points, gaps, columns, squared, 2)
    distances = long_distances(points, gaps, squared, 2)
    absolute, relative = points.rounding
    # Nobody asks for the distance of a row to itself.
    np.fill_diagonal(exact, distances.diagonal())
    assert (np.abs(distances - exact) <= absolute + relative * exact).all()
    assert_array_equal(distances, long_distances(points, gaps, squared, 1))


def test_too_many_distances_are_not_kept(rng, monkeypatch):
    X, columns = mixed_rows(rng, "ignore", 0.0)
    points, gaps = as_points(X, columns, np.float32)
    monkeypatch.setattr("pairsift._kernels.relief._all_rows.CHUNK_DISTANCES", 4095)
    assert all_distances(points, gaps, False).shape == (0, 0)
    monkeypatch.setattr("pairsift._kernels.relief._all_rows.CHUNK_DISTANCES", 4096)
    assert all_distances(points, gaps, False).shape == (64, 64)
