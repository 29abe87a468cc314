"""Mean distances of rows without a look at pairs of rows: one sort per column."""

import numpy as np

from pairsift._kernels._jit import sum_of_blocks
from pairsift._kernels.relief._columns import Columns
from pairsift._typing import FloatArray, IndexArray

# Sums are taken over columns in this many parts, each of the size of a column.
MAX_PARTS = 16
# Cells of the columns that are looked at together.
SOME_CELLS = 2**14


def mean_distances(
    X: FloatArray, columns: Columns, n_jobs: int | None = -1
) -> FloatArray:
    """Mean distance Σ_b Σ_f Δ_f(a, b) / (n - 1) of each row a of X to the others, (n,).

    In double precision, for differences of which none is ignored.
    """
    n_samples, varies = len(X), columns.scale > 0.0
    numeric = np.flatnonzero(varies & ~columns.is_categorical)
    varying = np.append(numeric, np.flatnonzero(varies & columns.is_categorical))
    n_parts, step = max(min(varying.size, MAX_PARTS), 1), SOME_CELLS // n_samples + 1

    def add(first: int, last: int, sums: FloatArray) -> None:
        for part in range(first, last):
            edges = [i * varying.size // n_parts for i in (part, part + 1)]
            middle = min(max(numeric.size, edges[0]), edges[1])
            for start, stop in ((edges[0], middle), (middle, edges[1])):
                for i in range(start, stop, step):
                    some = varying[i : min(i + step, stop)]
                    sums[part] += _to_known(X, columns, some)
                    if columns.codes.size > 0:
                        sums[part] += _to_missing(columns, some)

    cost = 200.0 * X.size
    sums = sum_of_blocks(n_jobs, n_samples, add, n_parts, cost=cost)
    return sums / max(n_samples - 1.0, 1.0)


def _to_known(X: FloatArray, columns: Columns, some: IndexArray) -> FloatArray:
    """Sum the differences of known cells to others, (n,); columns of one kind."""
    lines = X[:, some].T
    # Missing values come last.
    order = np.argsort(lines, axis=1)
    v = np.take_along_axis(lines, order, axis=1)
    is_known = ~np.isnan(v)
    n_known = is_known.sum(axis=1, keepdims=True)
    if columns.is_categorical[some[0]]:
        is_new = np.ones(v.shape, dtype=bool)
        is_new[:, 1:] = v[:, 1:] != v[:, :-1]
        runs = is_new.ravel().cumsum().reshape(v.shape)
        terms = n_known - np.bincount(runs.ravel())[runs]
    else:
        # With v the ascending values, cell k is larger by v_k - v_i than the k before
        # it: Σ_i |v_k - v_i| = (2k + 2 - n) v_k + Σ_i v_i - 2 Σ_{i ≤ k} v_i.
        v = np.where(is_known, (v - v[:, :1]) * columns.scale[some, None], 0.0)
        so_far, k = v.cumsum(axis=1), np.arange(len(X))
        terms = (2.0 * k + 2.0 - n_known) * v + so_far[:, -1:] - 2.0 * so_far
    sums = np.empty(v.shape)
    np.put_along_axis(sums, order, np.where(is_known, terms, 0.0), axis=1)
    return np.asarray(sums.sum(axis=0))


def _to_missing(columns: Columns, some: IndexArray) -> FloatArray:
    """Sum the differences that one row, or both, miss, (n,)."""
    codes, group = columns.codes[:, some].T, columns.group
    is_missing = codes < 0
    n_groups = columns.one_missing.shape[0]
    of_group = [is_missing & (group == g) for g in range(n_groups)]
    n_missing = np.array([missing.sum(axis=1) for missing in of_group])
    sums = np.zeros(group.size)
    for g in range(n_groups):
        to_known = np.where(is_missing, 0.0, columns.one_missing[g][codes])
        both = columns.both_missing[g][:, some]
        # The row itself is one of those that miss the value.
        to_all = to_known.sum(axis=1) + (n_missing * both).sum(axis=0) - both[g]
        terms = n_missing[g][:, None] * to_known + to_all[:, None] * of_group[g]
        sums += terms.sum(axis=0)
    return sums
