"""Margins to the rows within a radius, in the weighted space."""

import numpy as np

from pairsift._kernels._jit import chunks_of, kernel, number_of_blocks, sum_of_blocks
from pairsift._kernels.relief._all_rows import as_points
from pairsift._kernels.relief._diff import Columns, missing_difference
from pairsift._kernels.relief._neighbors import ROUNDOFF_64
from pairsift._kernels.relief._weighted_differences import add_weighted_differences
from pairsift._typing import FloatArray, IndexArray

CHUNK_ROWS = 32


def radius_margins(
    X: FloatArray,
    points: FloatArray,
    labels: IndexArray,
    priors: FloatArray,
    weights: FloatArray,
    radius: float,
    columns: Columns,
    n_jobs: int | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Sum over rows the mean difference to misses less that to hits in the radius.

    Row b counts 1 - d/R for row a, where d = Σ_f w_f Δ_f(a, b) and R is `radius` times
    the distance within which a meets every class; means over every class are taken with
    these numbers, and means over classes with the priors.

    X : (n, d), sorted by classes; points : (n, d), the same with numeric columns
    scaled to [0, 1], NaN where missing; labels : (n,) classes 0, 1, ...; priors :
    (n_classes,); weights : (d,), not negative. Returns the sums (d,), and the number
    (d,) of rows with a hit and a miss.
    """
    n_samples, n_features = points.shape
    by_column = np.ascontiguousarray(points.T)
    features, cells = np.nonzero(np.isnan(by_column))
    starts = np.searchsorted(features, np.arange(n_features + 1))
    rows, missing = np.nonzero(np.isnan(points))
    row_starts = np.searchsorted(rows, np.arange(n_samples + 1))
    table, gaps = as_points(X, columns, np.float64)
    n_places = table.blocks.shape[0] * table.blocks.shape[2]
    n_blocks = number_of_blocks(n_samples)

    def add(first, last, sums):
        shares = np.zeros((CHUNK_ROWS + 1, n_places))
        for block in range(first, last):
            both = sums[block].reshape(2, n_features)
            for queries in chunks_of(np.arange(n_samples), block, n_blocks, CHUNK_ROWS):
                _fill_shares(
                    queries,
                    points,
                    by_column,
                    cells,
                    starts,
                    missing,
                    row_starts,
                    labels,
                    priors,
                    weights,
                    radius,
                    columns,
                    table.is_ignored,
                    shares,
                    both,
                )
                if not table.is_ignored:
                    add_weighted_differences(queries, shares, table, gaps, both[0])

    cost = 0.6 * n_samples * X.size
    sums = sum_of_blocks(n_jobs, 2 * n_features, add, n_blocks, cost=cost)
    return sums[:n_features], sums[n_features:]


@kernel()
def _fill_shares(
    queries,
    points,
    by_column,
    cells,
    starts,
    missing,
    row_starts,
    labels,
    priors,
    weights,
    radius,
    columns,
    is_ignored,
    shares,
    sums,
):
    """Fill in how much every row counts in the margins of some rows.

    Where differences may be ignored, add the margins themselves.
    """
    n_samples, n_features = points.shape
    # A row on the rim counts nothing, wherever rounding puts it.
    rounding = 4.0 * ROUNDOFF_64 * (n_features + 8)
    distances = np.empty(n_samples)
    totals = np.empty(priors.size)
    shares[:] = 0.0
    for q in range(queries.size):
        a, share = queries[q], shares[q]
        own = labels[a]
        _weighted_distances(a, by_column, cells, starts, weights, columns, distances)
        distances[a] = np.inf
        farthest = radius * _reach(distances, labels, priors.size)
        totals[:] = 0.0
        for b in range(n_samples):
            if farthest > 0.0:
                part = 1.0 - distances[b] / farthest
            else:
                part = 1.0 if distances[b] == 0.0 else 0.0
            share[b] = part if part > rounding else 0.0
            totals[labels[b]] += share[b]
        if is_ignored:
            _add_margin(
                points, a, share, missing, row_starts, labels, priors, columns, sums
            )
            continue
        of_misses = 0.0
        for c in range(priors.size):
            of_misses += priors[c] if c != own and totals[c] > 0.0 else 0.0
        is_counted = of_misses > 0.0 and totals[own] > 0.0
        for b in range(n_samples):
            c = labels[b]
            if not is_counted or share[b] == 0.0:
                share[b] = 0.0
            elif c == own:
                share[b] *= -1.0 / totals[own]
            else:
                share[b] *= priors[c] / of_misses / totals[c]
        sums[1] += 1.0 if is_counted else 0.0


@kernel()
def _add_margin(points, a, share, missing, row_starts, labels, priors, columns, sums):
    """Add the margin of row a; ignored differences are left out of every mean."""
    n_samples, n_features = points.shape
    totals = np.zeros((priors.size, n_features))
    counted = np.zeros((priors.size, n_features))
    for b in range(n_samples):
        if share[b] > 0.0:
            _add_differences(
                points, a, b, share[b], missing, row_starts, columns,
                totals[labels[b]], counted[labels[b]],
            )  # fmt: skip
    own = labels[a]
    for f in range(n_features):
        miss, weight = 0.0, 0.0
        for c in range(priors.size):
            if c != own and counted[c, f] > 0.0:
                miss += priors[c] * totals[c, f] / counted[c, f]
                weight += priors[c]
        if weight > 0.0 and counted[own, f] > 0.0:
            sums[0, f] += miss / weight - totals[own, f] / counted[own, f]
            sums[1, f] += 1.0


@kernel()
def _reach(distances, labels, n_classes):
    """Largest of the distances to the nearest row of every class."""
    nearest = np.full(n_classes, np.inf)
    for b in range(distances.size):
        nearest[labels[b]] = min(nearest[labels[b]], distances[b])
    farthest = 0.0
    for c in range(n_classes):
        if nearest[c] < np.inf:
            farthest = max(farthest, nearest[c])
    return farthest


@kernel()
def _weighted_distances(a, by_column, cells, starts, weights, columns, distances):
    """Σ_f w_f Δ_f of row a to all rows; ignored Δ are replaced by the mean of others.

    The inner loops run over rows, so that they are vectorised without touching the
    order of the sums. Inf for rows that share no known column.
    """
    is_categorical, codes, group = columns.is_categorical, columns.codes, columns.group
    one_missing, both_missing = columns.one_missing, columns.both_missing
    n_samples = distances.size
    ignored = np.zeros(n_samples if cells.size > 0 else 0)
    n_ignored = np.zeros(ignored.size, dtype=np.int64)
    distances[:] = 0.0
    total, n_weighted = 0.0, 0
    for f in range(weights.size):
        weight, x = weights[f], by_column[f, a]
        if weight == 0.0:
            continue
        total += weight
        n_weighted += 1
        if np.isnan(x):
            for b in range(n_samples):
                if codes[b, f] >= 0:
                    delta = one_missing[group[a], codes[b, f]]
                else:
                    delta = both_missing[group[a], group[b], f]
                is_ignored = np.isnan(delta)
                distances[b] += 0.0 if is_ignored else weight * delta
                ignored[b] += weight if is_ignored else 0.0
                n_ignored[b] += is_ignored
            continue
        if is_categorical[f]:
            for b in range(n_samples):
                y = by_column[f, b]
                distances[b] += weight if y != x and y == y else 0.0
        else:
            for b in range(n_samples):
                delta = abs(by_column[f, b] - x)
                distances[b] += weight * delta if delta == delta else 0.0
        for i in range(starts[f], starts[f + 1]):
            b = cells[i]
            delta = one_missing[group[b], codes[a, f]]
            is_ignored = np.isnan(delta)
            distances[b] += 0.0 if is_ignored else weight * delta
            ignored[b] += weight if is_ignored else 0.0
            n_ignored[b] += is_ignored
    for b in range(ignored.size):
        if n_ignored[b] == n_weighted:
            distances[b] = np.inf
        elif n_ignored[b] > 0:
            distances[b] *= total / (total - ignored[b])


@kernel()
def _add_differences(points, a, b, share, missing, starts, columns, total, counted):
    """Add share Δ_f(a, b) to the total, and the share where it is not ignored.

    missing, starts : the missing columns of every row, and where they begin. The loop
    over all columns is a vector; missing values are made up for afterwards.
    """
    x, y, is_categorical = points[a], points[b], columns.is_categorical
    for f in range(total.size):
        delta = abs(x[f] - y[f])
        delta = 1.0 if is_categorical[f] and delta > 0.0 else delta
        is_known = delta == delta
        total[f] += share * delta if is_known else 0.0
        counted[f] += share if is_known else 0.0
    for row in (a, b):
        for i in range(starts[row], starts[row + 1]):
            f = missing[i]
            # A cell that both rows miss is counted with b.
            if row == a and np.isnan(y[f]):
                continue
            delta = missing_difference(points, a, b, f, columns)
            if not np.isnan(delta):
                total[f] += share * delta
                counted[f] += share
