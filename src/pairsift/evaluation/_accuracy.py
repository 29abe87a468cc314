"""Accuracy of a classifier on the best 1, 2, 3, ... features of a ranking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pairsift._typing import FloatArray, IndexArray
from pairsift.evaluation._validation import (
    as_features,
    as_integers,
    as_labels,
    as_matrix,
)
from pairsift.exceptions import DataError

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

_NAMES = ("1nn", "svm", "naive-bayes", "tree")
# Distances of one block and their squares stay in a second-level cache.
_BLOCK_ENTRIES = 1 << 16


@dataclass(frozen=True, eq=False)
class AccuracyCurve:
    """Test accuracy against the number of best-ranked features used.

    A good ranking rises early: few features reach the best accuracy.

    Parameters
    ----------
    sizes : ndarray of shape (n_sizes,)
        Numbers of features, ascending.
    accuracies : ndarray of shape (n_sizes,)
        Fraction of test rows classified rightly with each of these numbers.

    See Also
    --------
    accuracy_curve : Measures such a curve.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.evaluation import AccuracyCurve
    >>> curve = AccuracyCurve(np.arange(1, 5), np.array([0.7, 0.9, 0.9, 0.8]))
    >>> curve.best_size, curve.best_accuracy
    (2, 0.9)
    >>> round(curve.mean_first_half, 3)
    0.8
    """

    sizes: IndexArray
    accuracies: FloatArray

    @property
    def best_size(self) -> int:
        """Smallest number of features that reaches the best accuracy."""
        return int(self.sizes[np.argmax(self.accuracies)])

    @property
    def best_accuracy(self) -> float:
        """Largest accuracy of the curve."""
        return float(np.max(self.accuracies))

    @property
    def mean_first_half(self) -> float:
        """Mean accuracy over the measured sizes among 1, ..., ceil(d / 2).

        Here d is the largest size measured. Unlike the best point, which one lucky
        size decides, this mean compares whole rankings.
        """
        half = -(-int(self.sizes[-1]) // 2)
        is_early = np.asarray(self.sizes) <= half
        if not is_early.any():
            raise DataError(
                f"mean_first_half needs accuracies at sizes up to {half}, "
                f"but the smallest of sizes is {self.sizes[0]}."
            )
        return float(np.mean(np.asarray(self.accuracies)[is_early]))


def accuracy_curve(
    X_train: ArrayLike,
    y_train: ArrayLike,
    X_test: ArrayLike,
    y_test: ArrayLike,
    order: ArrayLike,
    *,
    classifier: str | BaseEstimator = "1nn",
    sizes: ArrayLike | None = None,
) -> AccuracyCurve:
    r"""Measure test accuracy with the best 1, 2, 3, ... features of a ranking.

    The classifier learns from the training rows and the first `size` features of
    `order`, and is judged on the test rows, once for each size.

    Parameters
    ----------
    X_train : array-like of shape (n_train, n_features)
        Rows to learn from. Columns of data frames are taken by position.
    y_train : array-like of shape (n_train,)
        Class of each training row, as numbers or text.
    X_test : array-like of shape (n_test, n_features)
        Rows to be judged on.
    y_test : array-like of shape (n_test,)
        Class of each test row.
    order : array-like of shape (n_ranked,)
        Column numbers, best feature first, such as ``selector.order_``; it may leave
        features out.
    classifier : {"1nn", "svm", "naive-bayes", "tree"} or classifier, default="1nn"
        Nearest neighbour by Euclidean distance; support vectors with a linear kernel
        and C = 1; Gaussian naive Bayes; decision tree by entropy; or any scikit-learn
        classifier, which is cloned for each size and never changed.
    sizes : array-like of int, optional
        Numbers of features to measure; all from 1 to `n_ranked` by default.

    Returns
    -------
    AccuracyCurve
        The sizes in ascending order, each once, and the accuracy at each.

    Raises
    ------
    DataError
        If the arguments do not fit each other; it is a `ValueError`.

    See Also
    --------
    prototype_accuracy_curve : The same with few labelled training rows.
    representation_entropy : Redundancy of a subset, by its covariance matrix.
    redundancy_rate : Redundancy of a subset, by its correlations.

    Notes
    -----
    With :math:`F_s` the first :math:`s` features of the ranking,

    .. math::
        \mathrm{accuracy}(s) = \frac{1}{n_{test}} \, \mathrm{card} \{ i :
            \hat{y}_{F_s}(x_i) = y_i \},

    a fraction where [1]_ (eq. 1.18) gives a percentage. Equal distances to two
    training rows are decided for the row that comes first; distances that are equal in
    other units may differ by rounding here, and then the smaller one decides. The
    nearest neighbours of all sizes are found in one pass that adds one feature at a
    time to the squared distances, so a whole curve costs as much as its last point.

    The features are handed to the other classifiers in the order of the ranking.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.

    Examples
    --------
    >>> from pairsift.evaluation import accuracy_curve
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> X = (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0))
    >>> curve = accuracy_curve(X[::2], y[::2], X[1::2], y[1::2], order=[6, 12, 9])
    >>> curve.sizes
    array([1, 2, 3])
    >>> curve.accuracies.round(3)
    array([0.618, 0.865, 0.955])
    """
    task = check_task(X_train, X_test, y_test, order, sizes)
    known = as_labels(y_train, "y_train", len(task.train), "X_train")
    check_kinds(known, "y_train", task.truth)
    model = _check_classifier(classifier)
    if model is None:
        accuracies = nearest_neighbor_accuracies(
            task, np.broadcast_to(known, (task.sizes.size, known.size))
        )
    else:
        accuracies = _model_accuracies(model, known, task)
    return AccuracyCurve(task.sizes, accuracies)


class Task(NamedTuple):
    """What is to be classified, by which columns, in the order of the ranking."""

    train: FloatArray
    test: FloatArray
    truth: NDArray[Any]
    sizes: IndexArray


def check_task(
    X_train: ArrayLike,
    X_test: ArrayLike,
    y_test: ArrayLike,
    order: ArrayLike,
    sizes: ArrayLike | None,
) -> Task:
    """Return the task, or an error that names the argument that does not fit."""
    train, test = as_matrix(X_train, "X_train"), as_matrix(X_test, "X_test")
    if train.shape[1] != test.shape[1]:
        raise DataError(
            "X_train and X_test must have the same columns, got "
            f"{train.shape[1]} and {test.shape[1]}."
        )
    truth = as_labels(y_test, "y_test", len(test), "X_test")
    ranked = as_features(order, "order", train.shape[1])
    measured = _check_sizes(sizes, len(ranked))
    return Task(train[:, ranked], test[:, ranked], truth, measured)


def check_kinds(known: NDArray[Any], name: str, truth: NDArray[Any]) -> None:
    """Refuse to compare text with numbers."""
    if (known.dtype.kind in "US") != (truth.dtype.kind in "US"):
        raise DataError(
            f"{name} and y_test must be of one kind, got "
            f"{known.dtype} and {truth.dtype}."
        )


def _check_sizes(sizes: ArrayLike | None, n_ranked: int) -> IndexArray:
    if n_ranked == 0:
        raise DataError("order must name at least one feature, got none.")
    if sizes is None:
        return np.arange(1, n_ranked + 1)
    measured = np.unique(as_integers(sizes, "sizes"))
    if measured.size == 0:
        raise DataError("sizes must hold at least one number of features, got none.")
    outside = measured[(measured < 1) | (measured > n_ranked)]
    if outside.size:
        raise DataError(
            f"sizes must be from 1 to {n_ranked}, the length of order, "
            f"got {outside[0]}."
        )
    return measured


def _check_classifier(classifier: str | BaseEstimator) -> BaseEstimator | None:
    """Return the scikit-learn classifier meant, None for our own 1-NN."""
    from sklearn.base import is_classifier
    from sklearn.naive_bayes import GaussianNB
    from sklearn.svm import SVC
    from sklearn.tree import DecisionTreeClassifier

    if isinstance(classifier, str) and classifier in _NAMES:
        return {
            "1nn": None,
            "svm": SVC(kernel="linear", C=1.0),
            "naive-bayes": GaussianNB(),
            "tree": DecisionTreeClassifier(criterion="entropy", random_state=0),
        }[classifier]
    is_instance = hasattr(classifier, "fit") and not isinstance(classifier, type)
    if is_instance and is_classifier(classifier):
        return classifier
    raise DataError(
        f"classifier must be one of {', '.join(map(repr, _NAMES))} or an instance of "
        f"a scikit-learn classifier, got {classifier!r}."
    )


def nearest_neighbor_accuracies(task: Task, known: NDArray[Any]) -> FloatArray:
    """Accuracy of 1-NN on the first columns, for all sizes in one pass.

    `known` has a row for each size, with the labels of the training rows.
    """
    # One row per feature: the loop below reads a feature at a time.
    train, test = np.ascontiguousarray(task.train.T), np.ascontiguousarray(task.test.T)
    n_right = np.zeros(len(task.sizes), dtype=np.int64)
    n_rows = max(1, _BLOCK_ENTRIES // train.shape[1])
    for start in range(0, test.shape[1], n_rows):
        rows = slice(start, start + n_rows)
        block = Task(train, test[:, rows], task.truth[rows], task.sizes)
        n_right += _count_right(block, known)
    return n_right / test.shape[1]


def _count_right(block: Task, known: NDArray[Any]) -> IndexArray:
    """Count rightly classified test rows of one transposed block, for each size."""
    train, test, truth, sizes = block
    squared_distances = np.zeros((test.shape[1], train.shape[1]))
    difference = np.empty_like(squared_distances)
    n_right = np.zeros(len(sizes), dtype=np.int64)
    n_measured = 0
    for size in range(1, sizes[-1] + 1):
        np.subtract(test[size - 1, :, np.newaxis], train[size - 1], out=difference)
        difference *= difference
        squared_distances += difference
        if size == sizes[n_measured]:
            nearest = squared_distances.argmin(axis=1)
            n_right[n_measured] = np.count_nonzero(known[n_measured][nearest] == truth)
            n_measured += 1
    return n_right


def _model_accuracies(
    model: BaseEstimator, known: NDArray[Any], task: Task
) -> FloatArray:
    """Accuracy of a fresh copy of the model on the first columns, for each size."""
    from sklearn.base import clone

    train, test, truth, sizes = task
    accuracies = [
        np.mean(
            clone(model).fit(train[:, :size], known).predict(test[:, :size]) == truth
        )
        for size in sizes
    ]
    return np.array(accuracies)
