"""Harmonic functions: where a random walk from a row meets the labelled rows."""

import numpy as np
from scipy.linalg import solve
from scipy.spatial.distance import cdist

from pairsift._typing import FloatArray, IndexArray

# A walk ends nowhere with this probability a step, where labels cannot be reached.
LOST = 1e-10
# Rows that reach labelled ones with less than this have all classes alike.
MIN_REACHED = 1e-4


def harmonic_probabilities(
    X: FloatArray, codes: IndexArray, bandwidth: float | None = None
) -> FloatArray:
    """Probabilities of the classes, (n, c): of the first labelled row of a walk.

    The walk goes from row i to row j with a probability in proportion to
    exp(-|x_i - x_j|² / λ²). codes : class numbers, -1 for none; bandwidth : λ, None for
    √2 times the mean distance to the fifth neighbour. Labelled rows have their class.
    """
    known = np.flatnonzero(codes >= 0)
    unknown = np.flatnonzero(codes < 0)
    n_classes = int(codes.max()) + 1
    probabilities = np.zeros((len(X), n_classes))
    probabilities[known, codes[known]] = 1.0
    if unknown.size == 0:
        return probabilities
    squared = cdist(X, X, "sqeuclidean")
    np.fill_diagonal(squared, np.inf)
    squared /= _width(squared, bandwidth)
    # Only ratios within a row count: without the smallest, no row is all 0.
    steps = np.exp(squared.min(axis=1, keepdims=True) - squared)
    steps /= steps.sum(axis=1, keepdims=True)
    onward = steps[np.ix_(unknown, unknown)]
    equations = (1.0 + LOST) * np.eye(unknown.size) - onward
    arrivals = steps[np.ix_(unknown, known)] @ probabilities[known]
    found = np.maximum(solve(equations, arrivals), 0.0)
    reached = found.sum(axis=1, keepdims=True)
    alike = np.full_like(found, 1.0 / n_classes)
    is_reached = reached > MIN_REACHED
    probabilities[unknown] = np.divide(found, reached, out=alike, where=is_reached)
    return probabilities


def _width(squared: FloatArray, bandwidth: float | None) -> float:
    """λ², or twice the squared mean distance to the fifth neighbour."""
    if bandwidth is not None:
        return float(bandwidth) ** 2
    place = min(5, len(squared) - 1) - 1
    nearest = np.partition(squared, place, axis=1)[:, place]
    width = 2.0 * float(np.sqrt(nearest).mean()) ** 2
    return width if width > 0.0 else 1.0
