"""Continuous columns of rounded numbers, for estimates that measure distances."""

import numpy as np

from pairsift._typing import BoolArray, FloatArray


def spread_copies(
    X: FloatArray, is_discrete: BoolArray, rng: np.random.Generator
) -> FloatArray:
    """Move copies of a value in continuous columns, at random, as if it were rounded.

    No farther than half-way to the nearer of the neighbouring values, so that the order
    of different values stays. Estimates take logarithms of distances, which are 0
    between copies.
    """
    X = X.copy()
    for j in np.flatnonzero(~is_discrete):
        values, places, counts = np.unique(
            X[:, j], return_inverse=True, return_counts=True
        )
        if counts.max() == 1 or values.size == 1:
            continue
        gaps = np.diff(values)
        widths = np.minimum(np.append(gaps[:1], gaps), np.append(gaps, gaps[-1:]))
        shifts = (rng.random(len(X)) - 0.5) * widths[places]
        X[:, j] += np.where(counts[places] > 1, shifts, 0.0)
    return X
