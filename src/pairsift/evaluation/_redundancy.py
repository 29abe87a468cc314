"""How much the features of a subset repeat each other."""

import numpy as np
from numpy.typing import ArrayLike

from pairsift._typing import FloatArray
from pairsift.evaluation._validation import as_features, as_matrix
from pairsift.scores import centred_columns, unit_columns

# Columns whose correlations with all others are held at once.
_BLOCK_COLUMNS = 256


def representation_entropy(X: ArrayLike, features: ArrayLike | None = None) -> float:
    r"""Entropy of the variance along the principal directions of a subset.

    It is 0 when all variance lies along one direction, so that the features repeat
    each other, and the logarithm of their number when it is spread evenly.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Data, all finite.
    features : array-like of int or bool, optional
        Column numbers of the subset, or a mask such as ``selector.support_``; all
        columns by default.

    Returns
    -------
    float
        Entropy in nats, higher is less redundant; 0 if nothing varies.

    Raises
    ------
    DataError
        If `X` is not a matrix of finite numbers or `features` are not its columns; it
        is a `ValueError`.

    See Also
    --------
    redundancy_rate : Redundancy by correlations, free of the features' scales.

    Notes
    -----
    With :math:`\lambda_j` the eigenvalues of the covariance matrix of the :math:`d`
    features ([1]_, and section 1.7.1 of [2]_),

    .. math::
        H_R = - \sum_{j=1}^{d} \tilde\lambda_j \log \tilde\lambda_j, \qquad
        \tilde\lambda_j = \frac{\lambda_j}{\sum_{k=1}^{d} \lambda_k}.

    They are the squared singular values of the centred data up to a common factor, so
    the matrix of :math:`d \times d` is never formed. [2]_ does not name the base of
    the logarithm; it is e here. The entropy depends on the scales of the features:
    the papers scale to [0, 1] first.

    References
    ----------
    .. [1] P. Mitra, C. A. Murthy, S. K. Pal, "Unsupervised feature selection using
       feature similarity", IEEE TPAMI 24(3), 301-312, 2002,
       doi:10.1109/34.990133.
    .. [2] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.evaluation import representation_entropy
    >>> X = np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 1.0], [1.0, 0.0, 0.0],
    ...               [1.0, 1.0, 1.0]])
    >>> round(representation_entropy(X, [0, 1]), 3)  # log 2: as rich as can be
    0.693
    >>> round(representation_entropy(X, [1, 2]), 3)  # copies
    0.0
    """
    from scipy.linalg import svdvals
    from scipy.special import entr

    centred = centred_columns(_subset(X, features))
    if not centred.any():
        return 0.0
    singular_values = svdvals(centred)
    # Relative to the largest, so that squares neither overflow nor vanish.
    eigenvalues = (singular_values / singular_values[0]) ** 2
    return float(np.sum(entr(eigenvalues / eigenvalues.sum()), initial=0.0))


def redundancy_rate(
    X: ArrayLike, features: ArrayLike | None = None, absolute: bool = False
) -> float:
    r"""Mean linear correlation between the features of a subset, halved.

    A large value means that many features say the same.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Data, all finite.
    features : array-like of int or bool, optional
        Column numbers of the subset, or a mask such as ``selector.support_``; all
        columns by default.
    absolute : bool, default=False
        Whether to sum absolute correlations, so that opposite features count as
        redundant and do not cancel against equal ones.

    Returns
    -------
    float
        Redundancy, lower is less redundant; at most 1/2, and at least 0 if
        `absolute`. Fewer than two features give 0.

    Raises
    ------
    DataError
        If `X` is not a matrix of finite numbers or `features` are not its columns; it
        is a `ValueError`.

    See Also
    --------
    representation_entropy : Redundancy by the eigenvalues of the covariance matrix.

    Notes
    -----
    For a subset :math:`F_s` ([1]_, and section 1.7.1 of [2]_),

    .. math::
        RED(F_s) = \frac{1}{\mathrm{card}(F_s) (\mathrm{card}(F_s) - 1)}
                   \sum_{A_i, A_j \in F_s, \; i > j} corr(A_i, A_j).

    As published, the sum counts each pair once and the divisor counts it twice, so
    that the maximum is 1/2 and not 1, and correlations keep their signs, so that two
    opposite features lower the value. A constant feature has correlation 0 with every
    other, where the formula is 0/0.

    References
    ----------
    .. [1] Z. Zhao, L. Wang, H. Liu, "Efficient spectral feature selection with
       minimum redundancy", AAAI 24(1), 673-678, 2010.
    .. [2] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.evaluation import redundancy_rate
    >>> X = np.array([[0.0, 0.0, 2.0], [1.0, 2.0, 1.0], [2.0, 4.0, 0.0]])
    >>> round(redundancy_rate(X, [0, 1]), 3)  # copies
    0.5
    >>> round(redundancy_rate(X), 3)  # (1 - 1 - 1) / 6
    -0.167
    >>> round(redundancy_rate(X, absolute=True), 3)
    0.5
    """
    subset = _subset(X, features)
    n_features = subset.shape[1]
    if n_features < 2:
        return 0.0
    units = unit_columns(centred_columns(subset))
    total = 0.0
    for start in range(0, n_features, _BLOCK_COLUMNS):
        block = units[:, start : start + _BLOCK_COLUMNS]
        once = np.triu(block.T @ units, k=start + 1)
        total += float(np.abs(once).sum() if absolute else once.sum())
    return total / (n_features * (n_features - 1))


def _subset(X: ArrayLike, features: ArrayLike | None) -> FloatArray:
    matrix = as_matrix(X, "X")
    if features is None:
        return matrix
    columns = np.asarray(features)
    if columns.dtype == bool and columns.shape == (matrix.shape[1],):
        return matrix[:, columns]
    return matrix[:, as_features(columns, "features", matrix.shape[1])]
