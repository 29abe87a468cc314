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
    between copies. Shifts look random, and follow from the values alone: rows, columns
    and labels `codes` in another order have the same, and equal columns equal ones.
    """
    # -0.0 is equal to 0.0, but has other bits.
    X = X + 0.0
    uniques = [np.unique(x, return_inverse=True, return_counts=True) for x in X.T]
    seeds = [zlib.crc32(np.sort(x).tobytes()) for x in X.T]
    keys = codes * 104_729
    for seed, (_, places, _) in zip(seeds, uniques, strict=True):
        keys = keys + (seed + 1) * places
    order = np.argsort(keys, kind="stable")
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
