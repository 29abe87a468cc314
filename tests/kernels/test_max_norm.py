"""Neighbours by the largest difference, against all distances at once."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from pairsift import _kernels


def all_distances(points, scales, cells):
    gaps = (np.abs(points[:, None] - points[None]) * scales).max(axis=2)
    gaps[cells[:, None] != cells[None]] = np.inf
    np.fill_diagonal(gaps, np.inf)
    return gaps


@pytest.mark.parametrize("shape", [(1, 1), (2, 3), (17, 1), (200, 2), (300, 6)])
@pytest.mark.parametrize("n_cells", [1, 5])
@pytest.mark.parametrize("kind", ["normal", "ties", "copies"])
def test_tables_are_exact(rng, shape, n_cells, kind):
    points = rng.normal(size=shape)
    if kind == "ties":
        points = np.round(points)
    if kind == "copies":
        points[: len(points) // 2] = points[0]
    scales = rng.uniform(0.5, 2.0, size=shape[1])
    cells = np.unique(rng.integers(0, n_cells, size=len(points)), return_inverse=True)[
        1
    ]
    gaps = all_distances(points, scales, cells)
    sizes = np.bincount(cells)[cells]
    forest = _kernels.grow_forest(points, scales, cells)
    assert_array_equal(np.sort(forest.order), np.arange(len(points)))
    for k in (1, 4):
        place = np.minimum(k, np.maximum(sizes - 1, 1)) - 1
        expected = np.sort(gaps, axis=1)[np.arange(len(points)), place]
        assert_array_equal(_kernels.cell_distances(forest, k, 1), expected)
        radii = np.where(np.isfinite(expected), np.maximum(expected, 1e-10), 1.0)
        counts = (gaps < radii[:, None]).sum(axis=1)
        assert_array_equal(_kernels.cell_counts(forest, radii, 1), counts)


def test_any_number_of_threads_gives_the_same(rng):
    points, cells = rng.normal(size=(1200, 3)), np.zeros(1200, dtype=np.int64)
    forest = _kernels.grow_forest(points, np.ones(3), cells)
    one, three = (_kernels.cell_distances(forest, 3, n) for n in (1, 3))
    assert_array_equal(one, three)
