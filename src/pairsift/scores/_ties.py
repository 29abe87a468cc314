"""Scores that agree up to rounding are tied: rounding must not rank features."""

import numpy as np

from pairsift._typing import FloatArray, IndexArray

# Share of a score by which tied ones may differ.
ROUNDING = 1e-10


def score_levels(scores: FloatArray) -> IndexArray:
    """Return the number of each score among the distinct ones, 0 for the lowest."""
    order = np.argsort(scores, kind="stable")
    # Of a run of scores, each is compared with the one before it.
    lower, upper = scores[order[:-1]], scores[order[1:]]
    with np.errstate(invalid="ignore", over="ignore"):
        is_far = upper - lower > ROUNDING * np.maximum(np.abs(lower), np.abs(upper))
    is_step = np.where(np.isinf(lower) | np.isinf(upper), lower != upper, is_far)
    levels = np.empty(scores.size, dtype=np.int64)
    levels[order] = np.concatenate([[0], np.cumsum(is_step)])
    return levels
