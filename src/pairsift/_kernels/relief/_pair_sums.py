"""Sums of weighted differences over pairs of rows, in double precision."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairsift._kernels._jit import kernel
from pairsift._kernels.relief._diff import Columns
from pairsift._typing import FloatArray, IndexArray

# Differences of all pairs are added on so many columns, whose cells fit a cache.
SLICE_COLUMNS = 256


@kernel()
def slopes(columns):
    """Return s with Δ_f = min(s_f |x - y|, 1) for known cells of either kind."""
    steepness = columns.scale.copy()
    for f in range(steepness.size):
        if columns.is_categorical[f] and steepness[f] > 0.0:
            steepness[f] = 1e300
    return steepness


class Cells(NamedTuple):
    """All cells as sums of differences read them, and which of them are missing.

    X : (n, d), the smallest value of the column in the place of missing values.
    missing : (n_missing,) int32, columns of missing values, by rows.
    starts : (n, n_slices + 1), where those of a row begin in each slice of columns;
        empty without missing values.
    steepness : (d,), s with Δ = min(s |x - y|, 1) for known cells of either kind.
    is_plain : whether Δ = s |x - y|.
    """

    X: FloatArray
    missing: NDArray[np.int32]
    starts: IndexArray
    steepness: FloatArray
    is_plain: bool


def as_cells(X: FloatArray, squared: bool, columns: Columns) -> Cells:
    """Prepare the cells of X, shape (n, d), for `add_pairs`."""
    missing, starts = np.empty(0, dtype=np.int32), np.empty((0, 0), dtype=np.int64)
    if columns.codes.shape[0] > 0:
        missing = np.empty(np.count_nonzero(columns.codes < 0), dtype=np.int32)
        starts = np.empty((len(X), -(-X.shape[1] // SLICE_COLUMNS) + 1), dtype=np.int64)
        X = X.copy()
        _list_missing(X, columns, missing, starts)
    is_plain = not (squared or bool(columns.is_categorical.any()))
    return Cells(X, missing, starts, slopes(columns), is_plain)


@kernel()
def _list_missing(X, columns, missing, starts):
    """Fill in missing values and their places."""
    codes, offset, n = columns.codes, columns.offset, 0
    for i in range(X.shape[0]):
        for f in range(X.shape[1]):
            if f % SLICE_COLUMNS == 0:
                starts[i, f // SLICE_COLUMNS] = n
            if codes[i, f] < 0:
                X[i, f], missing[n] = offset[f], f
                n += 1
        starts[i, -1] = n


@kernel(fused=True)
def add_pairs(pairs, weights, n_pairs, squared, cells, columns, gaps, shares, sums):
    """Add Σ w Δ_f over pairs of rows, a slice of columns after the other.

    shares : (n, n), to which weights are added instead of the differences of missing
    cells; or (0, 0).
    """
    X, is_plain, steepness = cells.X, cells.is_plain, cells.steepness
    n_features = X.shape[1]
    here = np.empty(min(SLICE_COLUMNS, n_features))
    for start in range(0, n_features, SLICE_COLUMNS):
        stop = min(start + SLICE_COLUMNS, n_features)
        part, steep = here[: stop - start], steepness[start:stop]
        part[:] = 0.0
        p = 0
        while p < n_pairs:
            a = pairs[p, 0]
            # Neighbours of one row, four at a time.
            n_same = 1
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
            if is_plain:
                for f in range(part.size):
                    part[f] += (u * abs(x[f] - y0[f]) + v * abs(x[f] - y1[f])) + (
                        w * abs(x[f] - y2[f]) + z * abs(x[f] - y3[f])
                    )
            else:
                for f in range(part.size):
                    s = steep[f]
                    part[f] += (
                        u * _bounded(x[f] - y0[f], s, squared)
                        + v * _bounded(x[f] - y1[f], s, squared)
                    ) + (
                        w * _bounded(x[f] - y2[f], s, squared)
                        + z * _bounded(x[f] - y3[f], s, squared)
                    )
            p += n_same
        for f in range(part.size):
            sums[start + f] += part[f] * steep[f] if is_plain else part[f]
        if gaps is not None and shares.shape[0] == 0:
            piece = start // SLICE_COLUMNS
            _correct_pairs(
                pairs, weights, n_pairs, piece, squared, cells, columns, sums
            )
    for p in range(n_pairs if shares.shape[0] > 0 else 0):
        shares[pairs[p, 0], pairs[p, 1]] += weights[p]


@kernel(inline=True)
def _bounded(delta, steep, squared):
    delta = min(abs(delta) * steep, 1.0)
    return delta * delta if squared else delta


@kernel()
def _correct_pairs(
    pairs, weights, n_pairs, piece, squared, cells, columns, sums
):  # fmt: skip
    """Replace the differences that an end of a pair misses, on a slice of columns."""
    X, steepness = cells.X, cells.steepness
    missing, starts = cells.missing, cells.starts
    codes, group, offset = columns.codes, columns.group, columns.offset
    one_missing, both_missing = columns.one_missing, columns.both_missing
    for p in range(n_pairs):
        for end in range(2):
            a, b = pairs[p, end], pairs[p, 1 - end]
            g, h = group[a], group[b]
            for i in range(starts[a, piece], starts[a, piece + 1]):
                f = missing[i]
                code = codes[b, f]
                if code >= 0:
                    delta = one_missing[g, code]
                elif end == 0:
                    delta = both_missing[g, h, f]
                else:
                    continue
                delta = delta * delta if squared else delta
                delta -= _bounded(X[b, f] - offset[f], steepness[f], squared)
                sums[f] += weights[p] * delta
