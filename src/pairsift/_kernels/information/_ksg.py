"""Mutual information of two continuous columns, for many pairs of columns."""

import numpy as np

from pairsift._kernels._jit import kernel, on_threads
from pairsift._kernels.information._class_spacings import SortedColumns
from pairsift._kernels.information._max_norm import NEARER, keep_smallest
from pairsift._typing import FloatArray, IndexArray


def ksg_pairs(
    x: SortedColumns,
    y: FloatArray,
    sorted_y: FloatArray,
    scales_y: FloatArray,
    pairs: IndexArray,
    psi: FloatArray,
    n_neighbors: int,
    floor: float,
    n_jobs: int | None = -1,
) -> tuple[FloatArray, IndexArray]:
    """First estimator of Kraskov et al. for pairs of a column x and a column y.

    ψ(k) + ψ(n) - <ψ(n_x + 1) + ψ(n_y + 1)>, where n_x is the number of other rows
    nearer on x, strictly, than the k-th neighbour by the larger of both differences.
    Rows are counted by whole numbers, so that their order does not change a bit, and
    none that is as far as the k-th neighbour up to rounding, so that units do not.

    x : p columns; y, sorted_y : (q, n), columns as they are and in ascending order;
    scales_y : (q,), by which differences are multiplied; pairs : (m, 2) columns of x
    and y; psi : (n,) with ψ(1), ..., ψ(n); n_neighbors < n; floor : smallest distance
    to the k-th neighbour.

    Returns values (m,) and in how many rows the distance was below the floor, (m,).
    """
    values = np.empty(len(pairs))
    n_floored = np.zeros(len(pairs), dtype=np.int64)

    def fill(first, last):
        _fill_pairs(
            x, y, sorted_y, scales_y, pairs[first:last], psi, n_neighbors, floor,
            values[first:last], n_floored[first:last],
        )  # fmt: skip

    row_cost = 5.0 * (psi.size * n_neighbors) ** 0.5 + 500.0
    on_threads(n_jobs, len(pairs), fill, cost=row_cost * len(pairs) * psi.size)
    return values, n_floored


@kernel()
def _fill_pairs(
    x, y, sorted_y, scales_y, pairs, psi, n_neighbors, floor, values, n_floored
):
    n_samples = psi.size
    beside = np.empty(n_samples)
    radii = np.empty(n_samples)
    edges = np.empty((n_samples, 2), dtype=np.int64)
    n_times = np.empty(n_samples, dtype=np.int64)
    for p in range(pairs.shape[0]):
        i, j = pairs[p]
        ascending, order, scale_x = x.ascending[i], x.order[i], x.scales[i]
        for r in range(n_samples):
            beside[r] = y[j, order[r]]
        repeats = _sort_runs(ascending, beside, edges)
        _kth_distances(
            ascending, scale_x, beside, scales_y[j], repeats, edges, n_neighbors, radii
        )
        for r in range(n_samples):
            if radii[r] < floor:
                radii[r] = floor
                n_floored[p] += 1
            radii[r] *= NEARER
        n_times[:] = 0
        _count_nearer(ascending, scale_x, ascending, radii, n_times)
        _count_nearer(sorted_y[j], scales_y[j], beside, radii, n_times)
        total = 0.0
        for r in range(n_samples):
            total += n_times[r] * psi[r]
        values[p] = psi[n_samples - 1] + psi[n_neighbors - 1] - total / n_samples


@kernel()
def _sort_runs(x, y, edges):
    """Sort y where x, ascending, repeats a value; return whether it does anywhere.

    edges : (n, 2), filled with the first and last place of the value at each place.
    """
    first, repeats = 0, False
    for r in range(1, x.size + 1):
        if r == x.size or x[r] != x[first]:
            if r - first > 1:
                y[first:r].sort()
                repeats = True
            edges[first:r, 0] = first
            edges[first:r, 1] = r - 1
            first = r
    return repeats


@kernel()
def _kth_distances(x, scale_x, y, scale_y, repeats, edges, n_neighbors, radii):
    """Distance of each row to its k-th neighbour; x is sorted, and walked outwards.

    A step to each side in turn, as far as x alone leaves a chance: to go to the nearer
    side instead would be a branch that processors mispredict (measured: half as fast).
    A step takes all rows of a value of x.
    """
    nearest = np.empty(n_neighbors)
    for r in range(x.size):
        nearest[:] = np.inf
        worst = np.inf
        x_here, y_here = x[r], y[r]
        left, right = edges[r, 0], edges[r, 1]
        if left < right:
            worst = _take_run(y, left, r - 1, r + 1, right, 0.0, scale_y, nearest, r)
        left -= 1
        right += 1
        goes_on = True
        while goes_on:
            goes_on = False
            if left >= 0 and (x_here - x[left]) * scale_x < worst:
                gap = (x_here - x[left]) * scale_x
                distance = max(gap, abs(y[left] - y_here) * scale_y)
                if repeats and edges[left, 0] < left:
                    first, last = edges[left]
                    worst = _enter_run(y, first, last, gap, scale_y, nearest, r)
                    left = first
                elif distance < worst:
                    worst = keep_smallest(nearest, distance)
                left -= 1
                goes_on = True
            if right < x.size and (x[right] - x_here) * scale_x < worst:
                gap = (x[right] - x_here) * scale_x
                distance = max(gap, abs(y[right] - y_here) * scale_y)
                if repeats and edges[right, 1] > right:
                    first, last = edges[right]
                    worst = _enter_run(y, first, last, gap, scale_y, nearest, r)
                    right = last
                elif distance < worst:
                    worst = keep_smallest(nearest, distance)
                right += 1
                goes_on = True
        radii[r] = worst


@kernel()
def _enter_run(y, first, last, gap, scale_y, nearest, r):
    """Take rows of a repeated value of x, which is `gap` away from that of row r."""
    middle = first + np.searchsorted(y[first : last + 1], y[r])
    return _take_run(y, first, middle - 1, middle, last, gap, scale_y, nearest, r)


@kernel()
def _take_run(y, first, below, above, last, gap, scale_y, nearest, r):
    """Take rows from `below` down and from `above` up, as long as they deserve it."""
    worst = nearest[nearest.size - 1]
    while below >= first and max(gap, (y[r] - y[below]) * scale_y) < worst:
        worst = keep_smallest(nearest, max(gap, (y[r] - y[below]) * scale_y))
        below -= 1
    while above <= last and max(gap, (y[above] - y[r]) * scale_y) < worst:
        worst = keep_smallest(nearest, max(gap, (y[above] - y[r]) * scale_y))
        above += 1
    return worst


@kernel()
def _count_nearer(ascending, scale, centres, radii, n_times):
    """Add 1 to n_times[c] for each centre with c other values nearer than its radius.

    Differences are compared, not sums with the radius, which rounding could move.
    """
    n_samples = ascending.size
    for r in range(n_samples):
        centre, radius = centres[r], radii[r]
        low, high = 0, n_samples
        while low < high:
            middle = (low + high) // 2
            if (centre - ascending[middle]) * scale < radius:
                high = middle
            else:
                low = middle + 1
        first = low
        high = n_samples
        while low < high:
            middle = (low + high) // 2
            if (ascending[middle] - centre) * scale < radius:
                low = middle + 1
            else:
                high = middle
        n_times[low - first - 1] += 1
