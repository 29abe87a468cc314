"""Which class the nearest prototype of a row is of (S20 equation 39)."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.distance import cdist

from pairsift._checks import as_matrix
from pairsift._typing import FloatArray, IndexArray

# Distances held at once.
BLOCK_CELLS = 2**20
# Squared distances that differ by less, as a share, are equal up to rounding.
TIE = 1e-12


def nearest_prototype_classes(X: FloatArray, labels: ArrayLike) -> IndexArray:
    r"""Return the class of the prototype nearest to each row.

    Prototypes are the few rows whose class is known. A prototype is its own nearest
    one, even when an earlier prototype of another class has the same values.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Data without missing values, taken as given.
    labels : array-like of int of shape (n_samples,)
        Class number of each prototype, -1 for the other rows.

    Returns
    -------
    classes : ndarray of shape (n_samples,), dtype=int64
        Class number of the nearest prototype. Ties, up to rounding, go to the prototype
        of the smaller row.

    Raises
    ------
    ValueError
        If `X` is not a matrix of finite numbers, or `labels` does not hold an integer
        for each of its rows, or no prototype.

    See Also
    --------
    nearest_neighbors : The nearest rows, whether prototypes or not.

    Notes
    -----
    With the prototypes :math:`X^l` of class l and the Euclidean distance in the space
    of all features [1]_ (eq. 39), the class returned is that of

    .. math::
        NP(x_i) = \arg\min_{y \in \cup_l X^l} \delta^2(x_i, y).

    The distances to the prototypes are held for some rows at a time, so that memory
    stays linear in the number of rows.

    References
    ----------
    .. [1] A. Salmi, K. Hammouche, L. Macaire, "Similarity-based constraint score
       for feature selection", Knowledge-Based Systems 209, 106429, 2020,
       doi:10.1016/j.knosys.2020.106429.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.graphs import nearest_prototype_classes
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0], [9.0]])
    >>> nearest_prototype_classes(X, [7, -1, -1, -1, 5])
    array([7, 7, 7, 7, 5])
    """
    X = as_matrix(X)
    classes = _as_classes(labels, len(X))
    is_prototype = classes >= 0
    others, prototypes = np.flatnonzero(~is_prototype), np.flatnonzero(is_prototype)
    n_rows = max(1, BLOCK_CELLS // prototypes.size)
    for start in range(0, others.size, n_rows):
        rows = others[start : start + n_rows]
        classes[rows] = classes[prototypes[_nearest(X[rows], X[prototypes])]]
    return classes


def _as_classes(labels: ArrayLike, n_samples: int) -> IndexArray:
    classes = np.asarray(labels)
    if classes.shape != (n_samples,) or classes.dtype.kind not in "iu":
        raise ValueError(
            f"labels must hold an integer for each of the {n_samples} rows of X, got "
            f"{classes.dtype} values of shape {classes.shape}."
        )
    if not (classes >= 0).any():
        raise ValueError(
            "labels must hold the class of at least one prototype, got only -1."
        )
    return classes.astype(np.int64)


def _nearest(X: FloatArray, prototypes: FloatArray) -> IndexArray:
    # Not by the product of matrices, whose rounding is larger than that of a tie.
    squared = cdist(X, prototypes, "sqeuclidean")
    smallest = squared.min(axis=1, keepdims=True)
    if not np.isfinite(smallest).all():
        raise ValueError(
            "X holds numbers so large that distances overflow: scale it first."
        )
    # Integers scaled to [0, 1] have ties that rounding would decide by the columns.
    return (squared <= smallest * (1.0 + TIE)).argmax(axis=1)
