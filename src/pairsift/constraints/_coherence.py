"""Informativeness and coherence of pairs (Davidson, Wagstaff and Basu 2006)."""

import numpy as np

from pairsift._typing import BoolArray, FloatArray, IndexArray, PairArray

# Two pairs that share an end touch in a point; rounding must not make it a length.
TOUCHING = 1e-9


def informativeness(
    clusters: IndexArray, must_link: PairArray, cannot_link: PairArray
) -> float:
    """Share of the pairs that a clustering denies; a row of cluster -1 is alone."""
    n_pairs = len(must_link) + len(cannot_link)
    if not n_pairs:
        return 0.0
    n_denied = int((~_are_together(clusters, must_link)).sum())
    n_denied += int(_are_together(clusters, cannot_link).sum())
    return n_denied / n_pairs


def _are_together(clusters: IndexArray, pairs: PairArray) -> BoolArray:
    a, b = clusters[pairs[:, 0]], clusters[pairs[:, 1]]
    together: BoolArray = (a == b) & (a >= 0)
    return together


def coherence(X: FloatArray, must_link: PairArray, cannot_link: PairArray) -> float:
    """Share of the (must-link, cannot-link) pairs without projected overlap."""
    if not len(must_link) or not len(cannot_link):
        return 1.0
    # At any scale of the data, squares neither overflow nor vanish.
    X = X / (np.abs(X).max() or 1.0)
    n_coherent = 0
    for a, b in must_link:
        apart = ~_overlap(X[a], X[b], X[cannot_link[:, 0]], X[cannot_link[:, 1]])
        n_coherent += int(apart.sum())
    return n_coherent / (len(must_link) * len(cannot_link))


def _overlap(
    a: FloatArray, b: FloatArray, starts: FloatArray, ends: FloatArray
) -> BoolArray:
    """Whether the segment a-b overlaps each other segment, projected either way."""
    # Other segments seen from a-b: positions along it, where a is 0 and b is 1.
    axis = b - a
    others_on_axis = _shared_length((starts - a) @ axis, (ends - a) @ axis, axis @ axis)
    axes = ends - starts
    from_start = np.einsum("ij,ij->i", a - starts, axes)
    from_end = np.einsum("ij,ij->i", b - starts, axes)
    axis_on_others = _shared_length(from_start, from_end, (axes * axes).sum(axis=1))
    return (others_on_axis > TOUCHING) | (axis_on_others > TOUCHING)


def _shared_length(
    first: FloatArray, second: FloatArray, squared_length: FloatArray
) -> FloatArray:
    """Share of a segment covered by the projection of another, 0 for a mere point."""
    low, high = np.minimum(first, second), np.maximum(first, second)
    covered = np.minimum(high, squared_length) - np.maximum(low, 0.0)
    return np.divide(
        covered, squared_length, out=np.zeros_like(covered), where=squared_length > 0
    )
