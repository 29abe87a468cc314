"""Exact differences of rows, in double precision: what decides."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairsift._kernels._jit import kernel
from pairsift._kernels.relief._columns import Columns, ignores_missing
from pairsift._typing import FloatArray, IndexArray

# Unit roundoff of double precision.
ROUNDOFF_64 = 2.0**-53
# Distances that agree up to this share are tied.
TIE = 1e-12
# Differences of all pairs are added on this many columns at a time, which fit a cache.
SLICE_COLUMNS = 256


class Cells(NamedTuple):
    """The rows as they were given, Δ_f(a, b) = min(max(s_f |x_af - x_bf| - r, 0), 1).

    X : (n, d), NaN where missing.
    slopes : (d,), s: the inverse range of a numeric column, a huge number for a
        categorical one, so that values that differ are 1 apart, 0 for a constant one.
    start : r, where a ramp begins, or 0.
    missing : (n_missing,) int32, columns of missing values, by rows.
    starts : (n + 1,), where the missing values of each row begin.
    is_ignored : whether differences to missing values are ignored.
    columns : what these differences are.
    """

    X: FloatArray
    slopes: FloatArray
    start: float
    missing: NDArray[np.int32]
    starts: IndexArray
    is_ignored: bool
    columns: Columns


def as_cells(X: FloatArray, columns: Columns) -> Cells:
    """Prepare the rows of X, shape (n, d), for exact differences."""
    starts = np.zeros(len(X) + 1, dtype=np.int64)
    missing = np.empty(0, dtype=np.int32)
    if columns.codes.size > 0:
        rows, lines = np.nonzero(columns.codes < 0)
        starts[1:] = np.bincount(rows, minlength=len(X)).cumsum()
        missing = lines.astype(np.int32)
    is_ignored = ignores_missing(columns)
    slopes, start = slopes_of(columns), float(columns.start)
    return Cells(X, slopes, start, missing, starts, is_ignored, columns)


def slopes_of(columns: Columns) -> FloatArray:
    """Return the slopes of `Cells`, (d,)."""
    is_categorical = columns.is_categorical & (columns.scale > 0.0)
    return np.where(is_categorical, 1e300, columns.slope * columns.scale)


def error_of_sums(n_features: int) -> float:
    """Return the share by which equal sums of d non-negative terms may differ.

    Each is wrong by at most about d units in the last place.
    """
    return 2.0 * ROUNDOFF_64 * (n_features + 8)


def share_of_ties(n_features: int) -> float:
    """Return the share of a distance by which tied ones may differ."""
    return max(TIE, 2.0 * error_of_sums(n_features))


@kernel(inline=True)
def missing_delta(columns, a, b, f):
    """Δ_f where row a misses it, and row b may as well; NaN when to be ignored."""
    code = columns.codes[b, f]
    if code < 0:
        return columns.both_missing[columns.group[a], columns.group[b], f]
    return columns.one_missing[columns.group[a], code]


@kernel()
def exact_distance(cells, a, b, squared):
    """Σ_f Δ_f, or Σ_f Δ_f² when `squared`; inf when no column is known.

    Ignored differences are replaced by the mean of the others that vary.
    """
    x, y, n_ignored = cells.X[a], cells.X[b], 0
    total = _known_distance(x, y, cells.slopes, cells.start, squared)
    for end in range(2):
        row, other = (a, b) if end == 0 else (b, a)
        for i in range(cells.starts[row], cells.starts[row + 1]):
            f = cells.missing[i]
            # What both rows miss is counted once.
            if end == 1 and cells.columns.codes[other, f] < 0:
                continue
            delta = missing_delta(cells.columns, row, other, f)
            n_ignored += 1 if np.isnan(delta) else 0
            delta = 0.0 if np.isnan(delta) else delta
            total += delta * delta if squared else delta
    if n_ignored == 0:
        return total
    n_varying = 0
    for f in range(cells.slopes.size):
        n_varying += 1 if cells.slopes[f] > 0.0 else 0
    n_known = n_varying - n_ignored
    return total * n_varying / n_known if n_known > 0 else np.inf


@kernel()
def exact_distances(cells, rows, others, squared):
    """Return `exact_distance` of rows[i] and others[i], (n_pairs,)."""
    distances = np.empty(rows.size)
    for i in range(rows.size):
        distances[i] = exact_distance(cells, rows[i], others[i], squared)
    return distances


@kernel(inner=True, reordered=True)
def _known_distance(x, y, slopes, start, squared):
    """Sum the differences on the columns that both rows know."""
    total = 0.0
    for f in range(x.size):
        delta = difference(x[f] - y[f], slopes[f], start, squared)
        total += delta if x[f] == x[f] and y[f] == y[f] else 0.0
    return total


@kernel(fused=True)
def add_pairs(cells, pairs, weights, squared, ramp, sums):
    """Add Σ w Δ_f(a, b) over pairs (p, 2) of rows (a, b), some columns at a time.

    A difference that a row misses counts 1: see `correct_pairs`. ramp : where it
    starts, None without one: Numba then leaves it out.
    """
    X, n_pairs = cells.X, weights.size
    for start in range(0, X.shape[1], SLICE_COLUMNS):
        stop = min(start + SLICE_COLUMNS, X.shape[1])
        part, slopes = sums[start:stop], cells.slopes[start:stop]
        p = 0
        while p < n_pairs:
            # Neighbours of one row, four at a time; behind the last one it is taken
            # again, with weight 0.
            a, n_same = pairs[p, 0], 1
            while n_same < 4 and p + n_same < n_pairs and pairs[p + n_same, 0] == a:
                n_same += 1
            last = p + n_same - 1
            k, m = min(p + 1, last), min(p + 2, last)
            u, v = weights[p], weights[k] if n_same > 1 else 0.0
            w = weights[m] if n_same > 2 else 0.0
            z = weights[last] if n_same > 3 else 0.0
            x, y0 = X[a, start:stop], X[pairs[p, 1], start:stop]
            y1, y2 = X[pairs[k, 1], start:stop], X[pairs[m, 1], start:stop]
            y3 = X[pairs[last, 1], start:stop]
            for f in range(part.size):
                s = slopes[f]
                part[f] += (
                    u * difference(x[f] - y0[f], s, ramp, squared)
                    + v * difference(x[f] - y1[f], s, ramp, squared)
                ) + (
                    w * difference(x[f] - y2[f], s, ramp, squared)
                    + z * difference(x[f] - y3[f], s, ramp, squared)
                )
            p += n_same


@kernel(inline=True)
def difference(delta, slope, start, squared):
    """Δ of cells delta apart, or Δ²; 1 where missing: comparisons with NaN are False.

    start : of a ramp, 0 or None without one. What rounding leaves there is 0, so that
    it parts no ties.

    Array arguments and fields are counted references, which cost more than the
    arithmetic of a cell: loops over cells read them once, before the loop, and call
    only functions of scalars.
    """
    delta = abs(delta) * slope
    if start is not None:
        delta = 0.0 if delta <= start * (1.0 + TIE) else delta - start
    delta = delta if delta < 1.0 else 1.0
    return delta * delta if squared else delta


@kernel()
def correct_pairs(cells, pairs, weights, squared, sums):
    """Replace the 1 that stands for a difference that an end of a pair misses."""
    starts, missing, columns = cells.starts, cells.missing, cells.columns
    codes, group = columns.codes, columns.group
    one_missing, both_missing = columns.one_missing, columns.both_missing
    for p in range(weights.size):
        for end in range(2):
            a, b = pairs[p, end], pairs[p, 1 - end]
            for i in range(starts[a], starts[a + 1]):
                f = missing[i]
                code = codes[b, f]
                if code < 0 and end == 1:
                    continue
                # As `missing_delta`, but a call costs more than all this.
                delta = both_missing[group[a], group[b], f]
                if code >= 0:
                    delta = one_missing[group[a], code]
                delta = delta * delta if squared else delta
                sums[f] += weights[p] * (delta - 1.0)
    # Of a constant column rounding must leave nothing.
    for f in range(sums.size):
        sums[f] = sums[f] if cells.slopes[f] > 0.0 else 0.0


@kernel()
def fill_differences(cells, a, b, squared, deltas):
    """Fill in Δ_f(a, b), or Δ_f², NaN where it is ignored."""
    X, slopes, start = cells.X, cells.slopes, cells.start
    for f in range(deltas.size):
        deltas[f] = difference(X[a, f] - X[b, f], slopes[f], start, squared)
    for end in range(2):
        row, other = (a, b) if end == 0 else (b, a)
        for i in range(cells.starts[row], cells.starts[row + 1]):
            f = cells.missing[i]
            delta = missing_delta(cells.columns, row, other, f)
            deltas[f] = delta * delta if squared else delta
