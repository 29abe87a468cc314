"""Variance inside clusters against the variance of all rows."""

from typing import Any

import numpy as np

from pairsift._checks import as_matrix, check_squarable
from pairsift._typing import FloatArray
from pairsift.scores._columns import is_constant
from pairsift.scores._variance import class_moments, variance_score


def cluster_variance_score(X: FloatArray, clusters: Any) -> FloatArray:
    r"""Score features by how narrow given clusters of rows are on them.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
    clusters : array-like of shape (n_samples,)
        Cluster number of each row; rows with -1 are in none, and count for the
        variance of all rows only.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        Near 1 where all clusters are narrow, near 0 where they are as wide as the data,
        negative where some are wider; ``-inf`` for a constant feature.

    Notes
    -----
    Equation 3.3 of [1]_ after [2]_, with the variance :math:`s^2_f` of feature f and
    :math:`s^2_{fj}` inside cluster j, both population variances:

    .. math:: \text{score}_f = \frac1k \sum_{j=1}^k \Big(1 - \frac{s^2_{fj}}{s^2_f}\Big)

    Every cluster counts the same, however small: a cluster of one row counts 1.

    References
    ----------
    .. [1] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.
    .. [2] H. Zeng, Y. Cheung, "Iterative feature selection in Gaussian mixture
       clustering with automatic model selection", IJCNN, 2277-2282, 2007.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import cluster_variance_score
    >>> X = np.array([[0.0, 0.0], [0.0, 4.0], [9.0, 0.0], [9.0, 4.0]])
    >>> cluster_variance_score(X, [0, 0, 1, 1])
    array([1., 0.])
    """
    X = as_matrix(X)
    check_squarable(X)
    numbers = np.asarray(clusters)
    if numbers.shape != (len(X),) or not (numbers >= 0).any():
        raise ValueError(
            f"clusters must hold a cluster number for each of the {len(X)} rows of X, "
            f"and not only -1, got {clusters!r}."
        )
    sizes, _, scatters, *_ = class_moments(X, numbers)
    inside = (scatters / sizes[:, None]).mean(axis=0)
    overall = variance_score(X)
    constant = is_constant(X) | (overall == 0.0)
    ratio = inside / np.where(constant, 1.0, overall)
    return np.where(constant, -np.inf, 1.0 - ratio)
