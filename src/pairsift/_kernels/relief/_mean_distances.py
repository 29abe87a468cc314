"""Mean distances of rows without a look at pairs of rows: one sort per column."""

import numpy as np

from pairsift._kernels._jit import sum_of_blocks
from pairsift._kernels.relief._columns import Columns
from pairsift._typing import FloatArray

# Sums are taken over columns in this many parts, each of the size of a column.
MOST_PARTS = 16


def mean_distances(
    X: FloatArray, columns: Columns, n_jobs: int | None = None
) -> FloatArray:
    """Mean distance Σ_b Σ_f Δ_f(a, b) / (n - 1) of each row a of X to the others, (n,).

    In double precision, for differences of which none is ignored.
    """
    n_samples = len(X)
    varying = np.flatnonzero(columns.scale > 0.0)
    n_parts = max(min(varying.size, MOST_PARTS), 1)

    def add(first: int, last: int, sums: FloatArray) -> None:
        for part in range(first, last):
            edges = [i * varying.size // n_parts for i in (part, part + 1)]
            for f in varying[edges[0] : edges[1]]:
                _add_known(
                    X[:, f], columns.is_categorical[f], columns.scale[f], sums[part]
                )
                if columns.codes.size > 0:
                    _add_missing(columns, f, sums[part])

    cost = 200.0 * X.size
    sums = sum_of_blocks(n_jobs, n_samples, add, n_parts, cost=cost)
    return sums / max(n_samples - 1.0, 1.0)


def _add_known(
    x: FloatArray, is_categorical: bool, scale: float, sums: FloatArray
) -> None:
    """Add the differences of each known cell of a column to the others."""
    known = np.flatnonzero(~np.isnan(x))
    values, n_known = x[known], known.size
    if is_categorical:
        _, codes, counts = np.unique(values, return_inverse=True, return_counts=True)
        sums[known] += n_known - counts[codes]
        return
    order = np.argsort(values)
    # With v the ascending values, cell k is larger by v_k - v_i than the k before it:
    # Σ_i |v_k - v_i| = (2k + 2 - n) v_k + Σ_i v_i - 2 Σ_{i ≤ k} v_i.
    v = (values[order] - values[order[:1]]) * scale
    so_far, k = v.cumsum(), np.arange(n_known)
    sums[known[order]] += (2.0 * k + 2.0 - n_known) * v + v.sum() - 2.0 * so_far


def _add_missing(columns: Columns, f: int, sums: FloatArray) -> None:
    """Add the differences that one row, or both, miss."""
    codes, group = columns.codes[:, f], columns.group
    is_missing = codes < 0
    n_groups = columns.one_missing.shape[0]
    n_missing = np.bincount(group[is_missing], minlength=n_groups)
    for g in np.flatnonzero(n_missing):
        to_known = columns.one_missing[g, codes[~is_missing]]
        sums[~is_missing] += n_missing[g] * to_known
        both = columns.both_missing[g, :, f]
        # The row itself is one of those that miss the value.
        sums[is_missing & (group == g)] += to_known.sum() + n_missing @ both - both[g]
