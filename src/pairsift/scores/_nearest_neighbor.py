"""Forward search by the accuracy of the nearest neighbour (SFS-1NN)."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from pairsift import _kernels
from pairsift._checks import as_matrix, check_memory
from pairsift._typing import FloatArray, IndexArray
from pairsift.scores._search import (
    SEARCH_TIE,
    ascending,
    check_n_features,
    first_lowest,
    forward_path,
)


def nearest_neighbor_path(
    X: FloatArray,
    classes: IndexArray,
    splits: Iterable[tuple[Any, Any]] | None = None,
    *,
    n_features: int | None = None,
    n_jobs: int | None = -1,
) -> tuple[IndexArray, FloatArray]:
    """Add features one by one so that nearest neighbours are of the same class.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data, taken as given: scale it first if the units differ.
    classes : ndarray of shape (n_samples,), dtype=int64
        Class number of each row.
    splits : iterable of pairs of array-like, default=None
        Training and test rows of each fold, as the ``split`` of scikit-learn's
        splitters gives them. None leaves one row out at a time.
    n_features : int, default=None
        Number of features to add, None for all.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Returns
    -------
    order : ndarray of shape (n_columns,), dtype=int64
        All features in the order in which they were added; behind them those that were
        not, by their accuracy beside the others at the last step.
    accuracies : ndarray of shape (n_columns,)
        Accuracy after each step, the mean over the folds; for features that were not
        added, the accuracy with them at the last step.

    Raises
    ------
    ValueError
        If `X` is not a matrix of finite numbers with a class for each of two rows, a
        fold is empty, or another argument is out of its range.

    Notes
    -----
    The wrapper SFS-1NN of [1]_ (section 5.2.3), after [2]_: every row of a test fold
    takes the class of the row of the training fold at the smallest Euclidean distance
    in the subset, and the feature added next is the one with the highest accuracy.
    Where several rows are tied as the nearest (distances agree up to rounding), the
    share of them that has the right class counts, so that the order of the rows does
    not matter; tied accuracies go to the smaller feature.

    The squared distances of the subset are kept, :math:`n^2` numbers, and one more
    feature adds one square. A row farther in the subset than some other row is with any
    feature added cannot be nearest, which spares most of the work after a few steps.

    References
    ----------
    .. [1] A. Salmi, K. Hammouche, L. Macaire, "Similarity-based constraint score
       for feature selection", Knowledge-Based Systems 209, 106429, 2020,
       doi:10.1016/j.knosys.2020.106429.
    .. [2] R. Kohavi, G. H. John, "Wrappers for feature subset selection",
       Artificial Intelligence 97(1-2), 273-324, 1997.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import nearest_neighbor_path
    >>> X = np.array([[0.0, 0.0], [5.0, 1.0], [1.0, 8.0], [6.0, 9.0]])
    >>> order, accuracies = nearest_neighbor_path(X, np.array([0, 0, 1, 1]))
    >>> order
    array([1, 0])
    >>> accuracies
    array([1., 1.])
    """
    X, classes = as_matrix(X), np.asarray(classes)
    if classes.shape != (len(X),) or classes.size < 2:
        raise ValueError(
            f"classes must hold a class number for each of the {len(X)} rows of X, at "
            f"least two, got {classes!r}."
        )
    if (classes < 0).any():
        raise ValueError(
            f"classes must hold no row without a class, got {(classes < 0).sum()} with "
            "a negative number: leave them out of X."
        )
    search = _NeighborSearch(X, classes.astype(np.int64), splits, n_jobs)
    n_steps = check_n_features(n_features, X.shape[1])
    return forward_path(search, X.shape[1], n_steps)


class _NeighborSearch:
    def __init__(
        self,
        X: FloatArray,
        classes: IndexArray,
        splits: Iterable[tuple[Any, Any]] | None,
        n_jobs: int | None,
    ) -> None:
        self.X, self.classes, self.n_jobs = _in_range(X), classes, n_jobs
        self.leaves_one_out = splits is None
        everything = np.arange(len(X))
        self.splits = [(everything, everything)]
        if splits is not None:
            self.splits = [_as_rows(split, len(X)) for split in splits]
        if not self.splits:
            raise ValueError("splits must hold at least one split, got none.")
        check_memory(
            8 * len(X) ** 2,
            f"the distances between {len(X)} rows",
            "fit to some of the rows, or take ReliefF",
        )
        self.D = np.zeros((len(X), len(X)))
        self.n_added = 0

    def add(self, feature: int) -> None:
        column = np.ascontiguousarray(self.X[:, feature])
        _kernels.add_squares(column, self.n_jobs, self.D)
        self.n_added += 1

    def best(self, left: IndexArray) -> tuple[int, float]:
        accuracies = self._accuracies(left)
        winner = first_lowest(-accuracies, SEARCH_TIE)
        return int(left[winner]), float(accuracies[winner])

    def ranked(self, left: IndexArray) -> tuple[IndexArray, FloatArray]:
        accuracies = self._accuracies(left)
        order = ascending(-accuracies, SEARCH_TIE)
        return left[order], accuracies[order]

    def _accuracies(self, left: IndexArray) -> FloatArray:
        shares = [
            _kernels.neighbor_hits(
                self.X,
                left,
                self.D,
                self.classes,
                train,
                test,
                self.leaves_one_out,
                self.n_added + 1,
                self.n_jobs,
            )
            / test.size
            for train, test in self.splits
        ]
        return np.sum(shares, axis=0) / len(shares)


def _in_range(X: FloatArray) -> FloatArray:
    """Scale by a power of two, exactly, so that no sum of squares overflows."""
    largest = np.abs(X).max()
    return np.ldexp(X, -int(np.frexp(largest)[1])) if largest > 0.0 else X


def _as_rows(split: tuple[Any, Any], n_samples: int) -> tuple[IndexArray, IndexArray]:
    try:
        train, test = (
            np.arange(n_samples)[
                np.asarray(rows, dtype=None if len(rows) else np.int64)
            ]
            for rows in split
        )
    except (IndexError, TypeError, ValueError):
        raise ValueError(
            f"splits must be pairs of row numbers below {n_samples}, got {split!r}."
        ) from None
    if not train.size or not test.size:
        raise ValueError(
            f"every split needs training and test rows, got {train.size} and "
            f"{test.size}."
        )
    return np.sort(train), test
