"""Cells of a sorted column, and the parts that they fall into."""

import numpy as np

from pairsift._kernels._jit import kernel


@kernel()
def count_parts(x, ends, low, high, counts):
    """Write the extremes and the number of the cells of each part.

    x : (n,) ascending; ends : (m,) ascending, the largest value that each part may
    have; low, high, counts : (m,), inf, -inf and 0 where a part has no cell. n + m
    steps: to look up each end takes several times that.
    """
    place = 0
    for k in range(ends.size):
        first = place
        while place < x.size and x[place] <= ends[k]:
            place += 1
        counts[k] = place - first
        low[k] = x[first] if place > first else np.inf
        high[k] = x[place - 1] if place > first else -np.inf


@kernel()
def spread_parts(x, order, ends, values, line):
    """Write the value of the part of each cell.

    x, line : (n,) cells and their values; order : (n,) sorts the cells; ends : (m,) as
    above, the last no smaller than any cell; values : (m,).
    """
    k = 0
    for place in range(order.size):
        i = order[place]
        while k < ends.size - 1 and ends[k] < x[i]:
            k += 1
        line[i] = values[k]
