"""Features left out because others say nearly the same."""

import numpy as np

from pairsift._checks import as_matrix, check_choice, check_squarable
from pairsift._typing import FloatArray, IndexArray
from pairsift.scores._columns import centred_columns, is_constant, unit_columns
from pairsift.scores._search import SEARCH_TIE, ascending

COLLINEARITY_MEASURES = ("correlation", "cosine")
COLLINEARITY_PREFERENCES = ("uncorrelated", "variance", "first")
# Number of columns whose products with all others are held at a time.
BLOCK = 256


def collinearity_score(
    X: FloatArray,
    *,
    threshold: float = 0.9,
    measure: str = "correlation",
    prefer: str = "uncorrelated",
) -> FloatArray:
    """Score features by how little they are collinear with those kept before them.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
    threshold : float, default=0.9
        Collinearity, between 0 and 1, above which a feature is not kept.
    measure : {"correlation", "cosine"}, default="correlation"
        Scalar product of the columns at unit length, with or without their means taken
        off first. "cosine" is the published form.
    prefer : {"uncorrelated", "variance", "first"}, default="uncorrelated"
        Which features are looked at first, and so kept: those least collinear with all
        others on average, those of the largest variance, or the first columns.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        Minus the largest collinearity with the features kept before, 0 for the first.
        Features of at least ``-threshold`` are those kept. A constant feature scores
        ``-inf``.

    Notes
    -----
    The published filter [1]_, as [2]_ describes it, takes the scalar products
    :math:`P_{ij}` of the columns at unit length and removes features whose product
    with another is above a threshold. Which one of the two, it leaves open. Here the
    features are gone through in the order of `prefer`, ties by index, and one is kept
    unless :math:`|P_{ij}|` exceeds the threshold for a feature kept before. So every
    feature left out has one that stands for it, which a filter without order does not
    promise. The sign does not matter: a feature and its negative say the same.

    References
    ----------
    .. [1] E. Llobet, O. Gualdron, J. Brezmes, X. Vilanova, X. Correig, "An
       unsupervised dimensionality-reduction technique", IEEE Sensors, 2005.
    .. [2] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import collinearity_score
    >>> X = np.array([[0.0, 1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 1.0]])
    >>> collinearity_score(X, prefer="first").round(2)
    array([ 0. , -1. , -0.5])
    """
    X = as_matrix(X)
    check_squarable(X)
    check_choice(measure, "measure", COLLINEARITY_MEASURES)
    check_choice(prefer, "prefer", COLLINEARITY_PREFERENCES)
    if not 0.0 < threshold < 1.0:
        raise ValueError(f"threshold must be between 0 and 1, got {threshold!r}.")
    scores = np.full(X.shape[1], -np.inf)
    varying = np.flatnonzero(~is_constant(X))
    if varying.size:
        X = X[:, varying]
        Z = unit_columns(centred_columns(X) if measure == "correlation" else X)
        order = _order_of_preference(X, Z, prefer)
        scores[varying[order]] = 0.0 - _collinearity_with_kept(Z[:, order], threshold)
    return scores


def _order_of_preference(X: FloatArray, Z: FloatArray, prefer: str) -> IndexArray:
    if prefer == "first":
        return np.arange(Z.shape[1])
    if prefer == "variance":
        # Logarithms, so that variances are tied by their ratio.
        with np.errstate(divide="ignore", invalid="ignore"):
            return ascending(
                -np.log((centred_columns(X) ** 2).mean(axis=0)), SEARCH_TIE
            )
    sums = np.zeros(Z.shape[1])
    for first in range(0, Z.shape[1], BLOCK):
        sums[first : first + BLOCK] = np.abs(Z[:, first : first + BLOCK].T @ Z).sum(1)
    return ascending(sums, SEARCH_TIE * Z.shape[1])


def _collinearity_with_kept(Z: FloatArray, threshold: float) -> FloatArray:
    """Largest |product| of each column with the columns kept before it."""
    largest = np.zeros(Z.shape[1])
    kept: list[int] = []
    for first in range(0, Z.shape[1], BLOCK):
        block = Z[:, first : first + BLOCK]
        if kept:
            largest[first : first + BLOCK] = np.abs(block.T @ Z[:, kept]).max(axis=1)
        among = np.abs(block.T @ block)
        for j in range(block.shape[1]):
            if largest[first + j] <= threshold:
                kept.append(first + j)
                later = slice(first + j + 1, first + block.shape[1])
                largest[later] = np.maximum(largest[later], among[j, j + 1 :])
    # Copies are copies, whatever the rounding.
    return np.where(largest > 1.0 - SEARCH_TIE, 1.0, largest)
