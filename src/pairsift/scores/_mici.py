"""Maximal information compression index, and features clustered by it."""

from typing import NamedTuple

import numpy as np

from pairsift._checks import (
    as_matrix,
    check_at_least,
    check_memory,
    check_squarable,
)
from pairsift._typing import FloatArray, IndexArray
from pairsift.scores._columns import centred_columns, is_constant, unit_columns
from pairsift.scores._search import SEARCH_TIE, ascending, first_lowest

# Tables of all pairs of features that are held at the same time.
N_TABLES = 5


class FeatureClusters(NamedTuple):
    """Which features stand for which."""

    scores: FloatArray
    representatives: IndexArray
    """For each feature the one that discarded it, itself if retained."""
    epsilon: float
    """Dissimilarity up to which features were discarded."""


def mici_score(X: FloatArray, *, n_neighbors: int = 5) -> FloatArray:
    r"""Score features by what is lost without them, after clustering the features.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data, taken as given: scale it first if the units differ.
    n_neighbors : int, default=5
        How many features the first representative discards, cut to the number of
        others; the larger, the fewer features are retained.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        For a discarded feature its dissimilarity to the feature that discarded it, for
        a retained one that to the nearest other retained feature; for the only one,
        its variance and :math:`\epsilon` together. Retained features score higher than
        all others. A constant feature scores ``-inf``.

    Notes
    -----
    The dissimilarity of two features is the maximal information compression index of
    [1]_, the smaller eigenvalue of their covariance matrix, 0 for features that depend
    on each other linearly:

    .. math::
        2 \lambda_2 = v_f + v_g - \sqrt{(v_f - v_g)^2 + 4 c_{fg}^2}

    with variances v and covariance c. The feature with the smallest dissimilarity to
    its k-th nearest feature is retained, and these k features are discarded. That
    dissimilarity, of the first round, is :math:`\epsilon`. The same is repeated among
    the features not discarded, the retained included. Where even the smallest
    dissimilarity exceeds :math:`\epsilon`, k is lowered by one, until k is 0.

    Three things are settled here. The listing of [1]_ ends when k is 1, although its
    text discards at k = 1 too; the text is followed, so that no two retained features
    are within :math:`\epsilon` of each other. A feature of a tie, as the two nearest of
    all are when k is 1, is retained if it is nearer to all others together, then by
    index. And constant features, which the index finds similar to any other, are left
    out at the beginning.

    References
    ----------
    .. [1] P. Mitra, C. A. Murthy, S. K. Pal, "Unsupervised feature selection using
       feature similarity", IEEE TPAMI 24(3), 301-312, 2002,
       doi:10.1109/34.990133.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import mici_score
    >>> X = np.array([[0.0, 0.1, 2.0], [1.0, 1.0, 0.0], [2.0, 2.0, 2.0], [3, 3, 0]])
    >>> mici_score(X, n_neighbors=1).round(4)
    array([4.000e-04, 6.053e-01, 6.053e-01])
    """
    return fit_mici(X, n_neighbors).scores


def fit_mici(X: FloatArray, n_neighbors: int) -> FeatureClusters:
    """Cluster as in :func:`mici_score`, and tell which feature stands for which."""
    X = as_matrix(X)
    check_squarable(X)
    check_at_least(n_neighbors, "n_neighbors", 1)
    scores = np.full(X.shape[1], -np.inf)
    representatives = np.arange(X.shape[1])
    varying = np.flatnonzero(~is_constant(X))
    D = compression_indices(X[:, varying])
    is_left = np.ones(varying.size, dtype=bool)
    k, epsilon = min(n_neighbors, varying.size - 1), np.inf
    radii = _radii(D, k)
    while k >= 1:
        if radii.min() > epsilon * (1.0 + SEARCH_TIE):
            k -= 1
            radii = _radii(D, k)
            continue
        if np.isinf(epsilon):
            epsilon = float(radii.min())
        chosen = _most_compact(radii, D)
        others = np.flatnonzero(np.isfinite(D[chosen]))
        gone = others[ascending(D[chosen, others], SEARCH_TIE * radii[chosen])[:k]]
        scores[varying[gone]] = D[chosen, gone]
        representatives[varying[gone]] = varying[chosen]
        is_left[gone] = False
        # Only features that lost one of their nearest have others now.
        is_stale = is_left & (D[:, gone] <= radii[:, None]).any(axis=1)
        D[gone], D[:, gone], radii[gone] = np.inf, np.inf, np.inf
        radii[is_stale] = _radii(D[is_stale], k)
    epsilon = epsilon if np.isfinite(epsilon) else 0.0
    left = np.flatnonzero(is_left)
    if left.size == 1:
        scores[varying[left]] = X[:, varying[left]].var(axis=0) + epsilon
    elif left.size:
        scores[varying[left]] = D[left].min(axis=1)
    return FeatureClusters(scores, representatives, epsilon)


def _radii(D: FloatArray, k: int) -> FloatArray:
    """Return the k-th smallest of every row, inf where there are fewer."""
    if k < 1 or not len(D):
        return np.full(len(D), np.inf)
    return np.partition(D, k - 1, axis=1)[:, k - 1]


def compression_indices(X: FloatArray) -> FloatArray:
    """Smaller eigenvalue of the covariance of every two columns, inf on the diagonal.

    X : (n, d) without constant columns.
    """
    check_memory(
        N_TABLES * 8 * X.shape[1] ** 2,
        f"the dissimilarities of {X.shape[1]} features",
        "leave features out first (VarianceScore), or take CollinearityFilter",
    )
    centred = centred_columns(X)
    v = (centred**2).mean(axis=0)
    units = unit_columns(centred)
    correlations = units.T @ units
    correlations = (correlations + correlations.T) / 2.0
    least, most = np.minimum(v[:, None], v), np.maximum(v[:, None], v)
    ratio = least / most
    # In units of the larger variance, whose square may overflow. The product of the
    # eigenvalues over the larger: their difference would cancel.
    gap = np.hypot(1.0 - ratio, 2.0 * correlations * np.sqrt(ratio))
    D = least * (1.0 - correlations**2) / ((1.0 + ratio + gap) / 2.0)
    # What rounding leaves of 0.
    D[least * 1e-13 >= D] = 0.0
    np.fill_diagonal(D, np.inf)
    return D


def _most_compact(radii: FloatArray, D: FloatArray) -> int:
    tied = np.flatnonzero(radii <= radii.min() * (1.0 + SEARCH_TIE))
    if tied.size == 1:
        return int(tied[0])
    totals = np.where(np.isinf(D[tied]), 0.0, D[tied]).sum(axis=1)
    return int(tied[first_lowest(totals, SEARCH_TIE * totals.min())])
