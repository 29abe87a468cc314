"""Distances by blocks, against the same in double precision, pair by pair."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pairsift._kernels._all_rows import (
    all_distances,
    as_points,
    exact_distance,
    row_distances,
)
from pairsift._kernels._diff import describe_columns

N_ROWS, N_COLUMNS = 60, 70


def mixed_rows(rng, missing, share_missing):
    X = rng.normal(size=(N_ROWS, N_COLUMNS))
    X[:, ::5] = rng.integers(0, 4, size=X[:, ::5].shape)
    X[:, 7] = 1.0
    X[1] = X[0]
    X[rng.random(X.shape) < share_missing] = np.nan
    is_nominal = np.arange(N_COLUMNS) % 5 == 0
    labels = np.repeat([0, 1, 2], N_ROWS // 3)
    return X, describe_columns(X, is_nominal, missing, labels)


@pytest.mark.parametrize("missing", ["probability", "ignore", "constant", "distinct"])
@pytest.mark.parametrize("share_missing", [0.0, 0.05, 0.5])
@pytest.mark.parametrize("squared", [False, True])
def test_errors_of_distances_stay_within_their_bound(
    rng, missing, share_missing, squared, monkeypatch
):
    monkeypatch.setattr("pairsift._kernels._all_rows.BLOCK_VECTORS", 2)
    X, columns = mixed_rows(rng, missing, share_missing)
    exact = np.array(
        [
            [exact_distance(X, a, b, squared, columns) for b in range(N_ROWS)]
            for a in range(N_ROWS)
        ]
    )
    points = as_points(X, columns, np.float32, squared)
    rough = all_distances(X, points, columns, squared, 2)
    absolute, relative = points.rounding
    bound = absolute + relative * exact
    assert (np.abs(rough[:N_ROWS, :N_ROWS] - exact) <= bound).all()
    assert_array_equal(rough[:N_ROWS, N_ROWS:], np.inf)
    queries = np.array([3, 59, 20, 21, 0])
    some = np.empty((5, len(rough)), dtype=np.float32)
    row_distances(X, queries, points, columns, squared, some)
    assert_allclose(some, rough[queries], rtol=1e-4, atol=1e-5)
    # Corrections of missing cells, kept or not.
    monkeypatch.setattr("pairsift._kernels._all_rows.MOST_CELLS", 0)
    points = as_points(X, columns, np.float32, squared)
    assert_array_equal(all_distances(X, points, columns, squared, 1), rough)
    in_double = as_points(X, columns, np.float64, squared)
    distances = all_distances(X, in_double, columns, squared)[:N_ROWS, :N_ROWS]
    assert_allclose(distances, exact, rtol=1e-12, atol=1e-12)


def test_too_many_distances_are_not_kept(rng, monkeypatch):
    X, columns = mixed_rows(rng, "ignore", 0.0)
    points = as_points(X, columns, np.float32)
    monkeypatch.setattr("pairsift._kernels._all_rows.CHUNK_DISTANCES", 4095)
    assert all_distances(X, points, columns, False).shape == (0, 0)
    monkeypatch.setattr("pairsift._kernels._all_rows.CHUNK_DISTANCES", 4096)
    assert all_distances(X, points, columns, False).shape == (64, 64)
