"""Scores that agree up to rounding are tied: rounding must not rank features."""

import numpy as np

from pairsift._typing import FloatArray, IndexArray

# Share of a score by which tied ones may differ.
ROUNDING = 1e-10
# Share of a score by which those of equal features may differ.
TIED = 1e-9


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


def tied_scores(scores: FloatArray, least: float = 0.0) -> FloatArray:
    """Return scores in which those that agree up to rounding are equal.

    Scores within the tolerance of the best of their group take its value, because equal
    features may differ by rounding, and by another one on each processor. The tolerance
    is a share of this best score, or of `least` if that is larger.
    """
    tied, best = scores.copy(), np.inf
    for j in np.argsort(-scores, kind="stable"):
        # Infinite scores are only equal to each other.
        size = abs(best) if np.isfinite(best) else 0.0
        if scores[j] != best and best - scores[j] > TIED * max(size, least):
            best = scores[j]
        tied[j] = best
    return tied
