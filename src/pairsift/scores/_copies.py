"""Continuous columns of rounded numbers, for estimates that measure distances."""

import zlib

import numpy as np

from pairsift._typing import BoolArray, FloatArray, IndexArray


def spread_copies(
    X: FloatArray, is_discrete: BoolArray, codes: IndexArray
) -> FloatArray:
    """Move copies of a value in continuous columns, as if it had been rounded.

    No farther than half-way to the nearer of the neighbouring values, so that the order
    of different values stays. Estimates take logarithms of distances, which are 0
    between copies. Shifts look random, and follow from the ranks of the values alone:
    rows, columns and labels `codes` in another order have the same, classes that are
    numbered otherwise too, equal columns equal ones, and columns in other units shifts
    in these units.
    """
    # -0.0 is equal to 0.0, but has other bits.
    X = X + 0.0
    uniques = [np.unique(x, return_inverse=True, return_counts=True) for x in X.T]
    ranks = np.array([places.ravel() for _, places, _ in uniques])
    order, seeds = _order_of_rows(ranks, codes)
    for j in np.flatnonzero(~is_discrete):
        values, places, counts = uniques[j]
        if counts.max() == 1 or values.size == 1:
            continue
        gaps = np.diff(values)
        widths = np.minimum(np.append(gaps[:1], gaps), np.append(gaps, gaps[-1:]))
        shifts = np.empty(len(X))
        shifts[order] = np.random.default_rng(seeds[j]).random(len(X)) - 0.5
        X[:, j] += np.where(counts[places] > 1, shifts * widths[places], 0.0)
    return X


def _order_of_rows(
    ranks: IndexArray, codes: IndexArray
) -> tuple[IndexArray, list[int]]:
    """Order rows by ranks and labels, and give each column a number by its ranks.

    ranks : (d, n). Columns have numbers by how often values repeat, first. They make
    an order of rows, and this order tells columns apart whose values repeat alike. Of
    equal rows, that of the class comes first whose rows do, not that of the first name.
    """
    keys = np.zeros_like(codes)
    for _ in range(2):
        _, groups = np.unique(keys, return_inverse=True)
        seeds = [
            zlib.crc32(np.sort(groups * (r.max() + 1) + r).tobytes()) for r in ranks
        ]
        keys = np.zeros_like(codes)
        for seed, r in zip(seeds, ranks, strict=True):
            keys = keys + (seed + 1) * r
    return np.lexsort((codes, _numbers_by_rows(codes, keys), keys)), seeds


def _numbers_by_rows(codes: IndexArray, keys: IndexArray) -> IndexArray:
    """Give classes numbers by the keys of their rows; -1, for no class, stays."""
    rows_of = [np.sort(keys[codes == c]).tobytes() for c in range(codes.max() + 1)]
    places = {rows: number for number, rows in enumerate(sorted(set(rows_of)))}
    numbers = np.array([*(places[rows] for rows in rows_of), -1])
    return numbers[codes]
