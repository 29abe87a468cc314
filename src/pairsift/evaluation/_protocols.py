"""How the papers split rows, draw prototypes and judge a ranking with them."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pairsift._random import as_generator
from pairsift._typing import IndexArray, RandomState
from pairsift.evaluation._accuracy import (
    AccuracyCurve,
    check_kinds,
    check_task,
    nearest_neighbor_accuracies,
)
from pairsift.evaluation._clustering import spread_classes
from pairsift.evaluation._validation import as_labels, as_prototypes
from pairsift.exceptions import DataError

_CONTEXTS = ("supervised", "semi-supervised")


def first_rows_split(
    y: ArrayLike, fraction: float = 0.5
) -> tuple[IndexArray, IndexArray]:
    r"""Split rows into training and test rows: the first of each class train.

    The split of the papers, which leaves nothing to chance. Where the order of the
    rows means something, prefer a random split.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Class of each row.
    fraction : float, default=0.5
        Part of each class that trains, above 0 and below 1.

    Returns
    -------
    train_rows, test_rows : ndarray of int
        Row numbers in ascending order.

    Raises
    ------
    DataError
        If `y` is not a list of labels or `fraction` is out of range; it is a
        `ValueError`.

    See Also
    --------
    draw_prototypes : Draws the few training rows whose labels are known.

    Notes
    -----
    Of :math:`n_c` rows of a class the first :math:`\lceil fraction \cdot n_c \rceil`
    train. So does [1]_ with one half; [2]_ takes one half too, 0.6 for WBCD and 0.66
    for WDBC, and prints one training row less than this for WBCD and Dermatology.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.
    .. [2] A. Salmi, K. Hammouche, L. Macaire, "Similarity-based constraint score
       for feature selection", Knowledge-Based Systems 209, 106429, 2020,
       doi:10.1016/j.knosys.2020.106429.

    Examples
    --------
    >>> from pairsift.evaluation import first_rows_split
    >>> train_rows, test_rows = first_rows_split(["a", "a", "b", "a", "b"])
    >>> train_rows, test_rows
    (array([0, 1, 2]), array([3, 4]))
    """
    labels = as_labels(y, "y", np.size(y), "X")
    if not isinstance(fraction, float | np.floating) or not 0 < fraction < 1:
        raise DataError(f"fraction must be above 0 and below 1, got {fraction!r}.")
    is_train = np.zeros(labels.size, dtype=bool)
    for label in np.unique(labels):
        rows = np.flatnonzero(labels == label)
        # Rounded first: 0.07 * 100 is a little more than 7.
        n_train = np.ceil(round(float(fraction) * rows.size, 9))
        is_train[rows[: int(n_train)]] = True
    return np.flatnonzero(is_train), np.flatnonzero(~is_train)


def draw_prototypes(
    y: ArrayLike, n_per_class: int, random_state: RandomState = 0
) -> NDArray[Any]:
    """Keep the labels of a few rows of each class, drawn at random.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Class labels; rows without one (-1, None, NaN or empty text) are never drawn.
    n_per_class : int
        Number of prototypes of each class.
    random_state : int, Generator, RandomState or None, default=0
        Seed of the draw.

    Returns
    -------
    ndarray of shape (n_samples,)
        The labels of the rows drawn; elsewhere -1 when labels are numbers, None when
        they are text.

    Raises
    ------
    DataError
        If a class has too few rows, or there is none; it is a `ValueError`.

    See Also
    --------
    must_link_expansion : What the nearest prototypes tell about the other rows.
    pairsift.PairConstraints.from_labels : The pairs of the prototypes.

    Examples
    --------
    >>> from pairsift.evaluation import draw_prototypes
    >>> draw_prototypes([4, 4, 4, 5, 5, 5], n_per_class=1)
    array([-1, -1,  4, -1,  5, -1])
    """
    codes, classes = as_prototypes(y, "y", np.size(y), "X")
    counts = np.bincount(codes[codes >= 0])
    if not isinstance(n_per_class, Integral) or not 1 <= n_per_class <= counts.min():
        raise DataError(
            f"n_per_class must be a whole number from 1 to {counts.min()}, the number "
            f"of rows of class {classes[counts.argmin()]}, got {n_per_class!r}."
        )
    rng = as_generator(random_state)
    is_drawn = np.zeros(codes.size, dtype=bool)
    for c in range(classes.size):
        rows = np.flatnonzero(codes == c)
        is_drawn[rng.choice(rows, int(n_per_class), replace=False)] = True
    labels = classes[codes]
    if labels.dtype.kind in "biuf":
        return np.where(is_drawn, labels, -1)
    return np.where(is_drawn, labels.astype(object), None)


def prototype_accuracy_curve(
    X_train: ArrayLike,
    y_prototypes: ArrayLike,
    X_test: ArrayLike,
    y_test: ArrayLike,
    order: ArrayLike,
    *,
    context: str = "supervised",
    sizes: ArrayLike | None = None,
    sigma: float | str = 1.0,
) -> AccuracyCurve:
    """Measure test accuracy of a ranking when few training rows are labelled.

    Judging a ranking by a classifier that knows the labels of all training rows says
    little about a case in which few are known. Here the classifier knows as much as
    the selector did.

    Parameters
    ----------
    X_train : array-like of shape (n_train, n_features)
        Training rows.
    y_prototypes : array-like of shape (n_train,)
        Classes of the labelled training rows, the prototypes; the others hold -1
        (numbers) or None, NaN or empty text.
    X_test : array-like of shape (n_test, n_features)
        Rows to be judged on.
    y_test : array-like of shape (n_test,)
        Class of each test row.
    order : array-like of shape (n_ranked,)
        Column numbers, best feature first, such as ``selector.order_``.
    context : {"supervised", "semi-supervised"}, default="supervised"
        Whether a test row takes the class of its nearest prototype, or of its nearest
        training row after the others got classes by constrained spectral clustering.
    sizes : array-like of int, optional
        Numbers of features to measure; all from 1 to `n_ranked` by default.
    sigma : float or "auto", default=1.0
        Scale of the similarities of the clustering.

    Returns
    -------
    AccuracyCurve
        The sizes in ascending order, each once, and the accuracy at each.

    Raises
    ------
    DataError
        If the arguments do not fit each other; it is a `ValueError`.
    ValueError
        If `sigma` is not positive.

    See Also
    --------
    accuracy_curve : When all training rows are labelled.
    constrained_spectral_clustering : The clustering.
    rank_sums : Compares methods over many draws of prototypes.

    Notes
    -----
    The two protocols of [1]_ (sections 5.2 and 5.3.2). The clustering sees the first
    `size` features of the ranking, like the classifier: [1]_ clusters and classifies
    "in the selected feature subspace". It is made anew for each size, at a cost cubic
    in the number of training rows.

    References
    ----------
    .. [1] A. Salmi, K. Hammouche, L. Macaire, "Similarity-based constraint score
       for feature selection", Knowledge-Based Systems 209, 106429, 2020,
       doi:10.1016/j.knosys.2020.106429.

    Examples
    --------
    >>> from pairsift.evaluation import draw_prototypes, prototype_accuracy_curve
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> X = (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0))
    >>> labels = draw_prototypes(y[::2], n_per_class=3)
    >>> task = X[::2], labels, X[1::2], y[1::2], [6, 12, 9]
    >>> prototype_accuracy_curve(*task).accuracies.round(3)
    array([0.708, 0.831, 0.899])
    >>> curve = prototype_accuracy_curve(*task, context="semi-supervised")
    >>> curve.accuracies.round(3)
    array([0.584, 0.697, 0.831])
    """
    if context not in _CONTEXTS:
        raise DataError(
            f"context must be {' or '.join(map(repr, _CONTEXTS))}, got {context!r}."
        )
    task = check_task(X_train, X_test, y_test, order, sizes)
    codes, classes = as_prototypes(
        y_prototypes, "y_prototypes", len(task.train), "X_train"
    )
    check_kinds(classes, "y_prototypes", task.truth)
    if context == "supervised":
        rows = np.flatnonzero(codes >= 0)
        task = task._replace(train=task.train[rows])
        known = np.broadcast_to(codes[rows], (task.sizes.size, rows.size))
    else:
        subspaces = [task.train[:, :size] for size in task.sizes]
        known = np.array(
            [spread_classes(X, codes, sigma, "additive") for X in subspaces]
        )
    return AccuracyCurve(task.sizes, nearest_neighbor_accuracies(task, classes[known]))
