"""Cells and their parts, by looking up every one."""

import numpy as np
import pytest

from pairsift import _kernels


@pytest.mark.parametrize(("n", "m"), [(1, 1), (1, 40), (40, 1), (300, 50), (50, 300)])
def test_parts_are_those_that_hold_the_cells(n, m):
    rng = np.random.default_rng(n + m)
    # Few different numbers: cells tie with each other and with ends.
    x = np.sort(rng.integers(-20, 20, n) / 4.0)
    ends = np.unique(np.append(rng.integers(-40, 40, m - 1) / 8.0, 5.0))
    low, high = np.empty(ends.size), np.empty(ends.size)
    counts = np.empty(ends.size, dtype=np.int64)

    _kernels.count_parts(x, ends, low, high, counts)

    before = -np.inf
    for k, end in enumerate(ends):
        cells = x[(before < x) & (x <= end)]
        assert counts[k] == cells.size
        assert low[k] == cells.min(initial=np.inf)
        assert high[k] == cells.max(initial=-np.inf)
        before = end
    assert counts.sum() == n


@pytest.mark.parametrize(("n", "m"), [(1, 1), (1, 40), (40, 1), (300, 50), (50, 300)])
def test_cells_take_the_value_of_their_part(n, m):
    rng = np.random.default_rng(n + m)
    x = rng.integers(-20, 20, n) / 4.0
    ends = np.unique(np.append(rng.integers(-40, 40, m - 1) / 8.0, 5.0))
    values, line = rng.normal(size=ends.size), np.empty(n)

    _kernels.spread_parts(x, np.argsort(x), ends, values, line)

    assert line.tolist() == [values[np.flatnonzero(ends >= cell)[0]] for cell in x]
