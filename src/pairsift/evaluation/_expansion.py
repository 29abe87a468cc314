"""How many must-links a few prototypes spread to, and how many of them are right."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pairsift._typing import IndexArray
from pairsift.constraints import encode_labels
from pairsift.evaluation._validation import as_labels, as_matrix, as_prototypes
from pairsift.exceptions import DataError
from pairsift.graphs import nearest_prototype_classes


@dataclass(frozen=True, eq=False)
class MustLinkExpansion:
    """The must-links that prototypes spread to all rows, counted.

    A pair counts twice, once from either end, and no row is paired with itself.

    Parameters
    ----------
    nml : float
        Number of must-links after the expansion for each given one, at least 1.
    cnml : float
        Fraction of the new must-links that join rows of one true class; NaN when
        there is no new one.
    n_must_link : int
        Number of ordered pairs of prototypes of one class.
    n_expanded : int
        Number of ordered pairs of rows whose nearest prototypes are of one class.
    classes : ndarray of shape (n_samples,)
        Class of the nearest prototype of each row.

    See Also
    --------
    must_link_expansion : Measures an expansion.

    Examples
    --------
    >>> from pairsift.evaluation import must_link_expansion
    >>> found = must_link_expansion([[0], [1], [2], [9]], [0, 0, -1, 1], [0, 0, 0, 1])
    >>> found.n_must_link, found.n_expanded, found.nml, found.cnml
    (2, 6, 3.0, 1.0)
    >>> found.classes
    array([0, 0, 0, 1])
    """

    nml: float
    cnml: float
    n_must_link: int
    n_expanded: int
    classes: NDArray[Any]


def must_link_expansion(
    X: ArrayLike, y_prototypes: ArrayLike, y_true: ArrayLike
) -> MustLinkExpansion:
    r"""Measure the must-links that follow from the nearest prototypes.

    When every row takes the class of its nearest prototype, how many pairs does that
    add to those between prototypes, and how many of the new ones are right?

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Data, all finite.
    y_prototypes : array-like of shape (n_samples,)
        Classes of the prototypes, at least two of them of one class; the other rows
        hold -1 (numbers) or None, NaN or empty text.
    y_true : array-like of shape (n_samples,)
        True class of every row.

    Returns
    -------
    MustLinkExpansion
        With the rates `nml` and `cnml`, the numbers of pairs and the classes found.

    Raises
    ------
    DataError
        If the arguments do not fit each other or no two prototypes are of one class;
        it is a `ValueError`.

    See Also
    --------
    pairsift.graphs.nearest_prototype_classes : The classes alone.
    draw_prototypes : Draws prototypes at random.

    Notes
    -----
    With :math:`M` the pairs of prototypes of one class, :math:`NP(x)` the prototype
    nearest to :math:`x` in the space of all features, :math:`X^l` the prototypes of
    class l and :math:`\omega` the true class, equations 38, 41 and 42 of [1]_ are

    .. math::
        M^{SS} = \{ (x_i, x_j) : NP(x_i) \in X^l \text{ and } NP(x_j) \in X^l
                 \text{ for some } l \}, \qquad
        NML = \frac{|M^{SS}|}{|M|},

    .. math::
        CNML = \frac{| \{ (x_i, x_j) \in M^{SS} \setminus M :
               \omega(x_i) = \omega(x_j) \} |}{| M^{SS} \setminus M |}.

    Both leave out :math:`i = j`, as the sizes of :math:`M` printed in [1]_ do. A
    prototype is its own nearest one, and equal distances go to the smaller row. The
    pairs are counted by classes and never listed.

    References
    ----------
    .. [1] A. Salmi, K. Hammouche, L. Macaire, "Similarity-based constraint score
       for feature selection", Knowledge-Based Systems 209, 106429, 2020,
       doi:10.1016/j.knosys.2020.106429.

    Examples
    --------
    >>> from pairsift.evaluation import draw_prototypes, must_link_expansion
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> X = (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0))
    >>> found = must_link_expansion(X, draw_prototypes(y, 3), y)
    >>> found.n_must_link
    18
    >>> round(found.nml, 1), round(found.cnml, 3)
    (619.7, 0.723)
    """
    matrix = as_matrix(X, "X")
    codes, names = as_prototypes(y_prototypes, "y_prototypes", len(matrix), "X")
    truth = as_labels(y_true, "y_true", len(matrix), "X")
    is_prototype = codes >= 0
    n_unknown = int((encode_labels(truth)[0] < 0).sum())
    if n_unknown:
        raise DataError(
            f"y_true must hold the class of every row, got {n_unknown} rows without "
            "one."
        )
    n_must_link = _n_pairs(codes[is_prototype])
    if n_must_link == 0:
        raise DataError(
            "y_prototypes must hold at least two prototypes of one class, got "
            f"{is_prototype.sum()} of {names.size} classes."
        )
    found = nearest_prototype_classes(matrix, codes)
    n_expanded = _n_pairs(found)
    # Pairs that agree in the class found and in the true one, without those given.
    cells = found + names.size * np.unique(truth, return_inverse=True)[1]
    n_right = _n_pairs(cells) - _n_pairs(cells[is_prototype])
    n_new = n_expanded - n_must_link
    return MustLinkExpansion(
        nml=n_expanded / n_must_link,
        cnml=n_right / n_new if n_new else float("nan"),
        n_must_link=n_must_link,
        n_expanded=n_expanded,
        classes=names[found],
    )


def _n_pairs(codes: IndexArray) -> int:
    """Count ordered pairs of different rows with equal codes."""
    counts = np.bincount(codes)
    return int(np.sum(counts * (counts - 1)))
