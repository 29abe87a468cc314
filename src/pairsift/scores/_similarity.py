"""Similarity-based constraint score: subsets in which rows alike are near (S20)."""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from pairsift import _kernels
from pairsift._checks import as_matrix, check_memory, check_positive
from pairsift._typing import BoolArray, FloatArray, IndexArray, PairArray
from pairsift.constraints import as_pairs
from pairsift.scores._search import (
    SEARCH_TIE,
    ascending,
    check_n_features,
    first_lowest,
    forward_path,
)

# So few candidates are taken in double precision at once.
FEW_CANDIDATES = 4
# Widths tried by sigma="auto" in units of the median distance, widest first: each is
# the next divided by √2, so that the similarities are those of the next squared.
WIDTHS = 2.0 ** np.arange(3.0, -3.5, -0.5)
# Products of rows, rows and columns for which distances are taken at a time.
BLOCK_CELLS = 20_000_000


def similarity_class_path(
    X: FloatArray,
    classes: IndexArray,
    *,
    n_features: int | None = None,
    sigma: float | str = 1.0,
    n_jobs: int | None = -1,
) -> tuple[IndexArray, FloatArray, float]:
    r"""Add features one by one so that similarities tell classes apart.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data, taken as given: scale it to [0, 1] first if the units differ.
    classes : ndarray of shape (n_samples,), dtype=int64
        Class number of each row, for instance from
        :func:`pairsift.graphs.nearest_prototype_classes`; rows with -1 are left out.
    n_features : int, default=None
        Number of features to add, None for all.
    sigma : float or "auto", default=1.0
        Width of the similarities; ``"auto"`` is the width for which all features
        together have the smallest error, out of 13 between 1/8 and 8 times the median
        of the distances above 0, each :math:`\sqrt2` times the one before.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Returns
    -------
    order : ndarray of shape (n_columns,), dtype=int64
        All features in the order in which they were added; behind them those that were
        not, by their error beside the others at the last step.
    errors : ndarray of shape (n_columns,)
        The error :math:`\varepsilon` after each step, smaller is better; for features
        that were not added, the error with them at the last step.
    sigma : float
        The width used.

    Raises
    ------
    ValueError
        If `X` is not a matrix of finite numbers, `classes` does not have two rows of
        known class, or another argument is out of its range.

    See Also
    --------
    similarity_pair_path : The same over listed pairs.

    Notes
    -----
    Equation 33 of [1]_ over all ordered pairs of rows, not divided by their number,

    .. math::
        \varepsilon(F) = \sum_{i, j} (w_{ij}(F) - \hat w_{ij})^2, \qquad
        w_{ij}(F) = \exp\left(-\frac{1}{2 \sigma^2}
                    \sum_{f \in F} (x_{if} - x_{jf})^2\right)

    with the target :math:`\hat w_{ij}` 1 for rows of the same class and 0 for others,
    and the forward search of its algorithm 1. Equation 32 prints the norm itself, whose
    order is the same. Errors that agree up to rounding are tied, and ties go to the
    smaller index.

    Since :math:`w(F \cup f) = w(F) \, w(f)`, a step is one pass over the pairs for each
    feature left, in single precision; those that could be the best after a bound of the
    rounding errors are taken again in double precision. The similarities of all pairs
    take :math:`n^2/2` numbers, and nothing else grows with the pairs.

    References
    ----------
    .. [1] A. Salmi, K. Hammouche, L. Macaire, "Similarity-based constraint score
       for feature selection", Knowledge-Based Systems 209, 106429, 2020,
       doi:10.1016/j.knosys.2020.106429.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import similarity_class_path
    >>> X = np.array([[0.0, 0.0], [0.1, 1.0], [0.9, 0.0], [1.0, 1.0]])
    >>> order, errors, _ = similarity_class_path(X, np.array([0, 0, 1, 1]), sigma=0.5)
    >>> order
    array([0, 1])
    >>> errors.round(2)
    array([0.35, 3.17])
    """
    X, classes = as_matrix(X), np.asarray(classes)
    is_known = classes >= 0
    if classes.shape != (len(X),) or is_known.sum() < 2:
        raise ValueError(
            f"classes must hold a class number for each of the {len(X)} rows of X, and "
            f"two that are not -1, got {classes!r}."
        )
    X, classes = X[is_known], classes[is_known].astype(np.int64)
    # Half a table for the search, and some more for the widths.
    check_memory(
        (5 if sigma == "auto" else 1) * 4 * len(X) ** 2,
        f"the similarities of {len(X)} rows",
        "fit to some of the rows, or to pairs of rows (context='supervised' with "
        "constraints=), or take ReliefF, which holds no such table",
    )
    width = _width(sigma, lambda: _best_width(*_all_pairs(X, classes)))
    n_steps = check_n_features(n_features, X.shape[1])
    search = _ClassSearch(X, classes, width, n_jobs)
    order, errors = forward_path(search, X.shape[1], n_steps)
    return order, 2.0 * errors, width


def similarity_pair_path(
    X: FloatArray,
    must_link: Any,
    cannot_link: Any,
    *,
    n_features: int | None = None,
    sigma: float | str = 1.0,
    n_jobs: int | None = -1,
) -> tuple[IndexArray, FloatArray, float]:
    r"""Add features one by one so that similarities keep pair constraints.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data, taken as given: scale it to [0, 1] first if the units differ.
    must_link, cannot_link : array-like of shape (n_pairs, 2)
        Row numbers of `X`; each pair counts in both directions.
    n_features : int, default=None
        Number of features to add, None for all.
    sigma : float or "auto", default=1.0
        Width of the similarities, or how to find it, as in
        :func:`similarity_class_path` with the distances of the pairs.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Returns
    -------
    order : ndarray of shape (n_columns,), dtype=int64
        All features in the order in which they were added; behind them those that were
        not, by their error beside the others at the last step.
    errors : ndarray of shape (n_columns,)
        The error :math:`\varepsilon` after each step, smaller is better; for features
        that were not added, the error with them at the last step.
    sigma : float
        The width used.

    Raises
    ------
    ValueError
        If `X` is not a matrix of finite numbers, there is no pair, or another argument
        is out of its range.

    See Also
    --------
    similarity_class_path : All pairs of rows of known class, without listing them.

    Notes
    -----
    Equation 36 of [1]_: :math:`\varepsilon(F) = \sum (w_{ij}(F) - \hat w_{ij})^2` over
    the ordered constrained pairs, with the target 1 for must-links and 0 for
    cannot-links. Everything else is as in :func:`similarity_class_path`.

    References
    ----------
    .. [1] A. Salmi, K. Hammouche, L. Macaire, "Similarity-based constraint score
       for feature selection", Knowledge-Based Systems 209, 106429, 2020,
       doi:10.1016/j.knosys.2020.106429.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import similarity_pair_path
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    >>> order, errors, _ = similarity_pair_path(X, [(0, 1)], [(0, 2)])
    >>> order
    array([0, 1])
    >>> errors.round(2)
    array([0.74, 1.05])
    """
    X = as_matrix(X)
    must = as_pairs(must_link, len(X), name="must_link")
    cannot = as_pairs(cannot_link, len(X), name="cannot_link")
    pairs = np.concatenate([must, cannot])
    if not len(pairs):
        raise ValueError("must_link and cannot_link must hold a pair, got none.")
    targets = np.repeat([1.0, 0.0], [len(must), len(cannot)])
    width = _width(sigma, lambda: _best_width(_squared_distances(X, pairs), targets))
    n_steps = check_n_features(n_features, X.shape[1])
    search = _PairSearch(X, pairs, targets, width, n_jobs)
    order, errors = forward_path(search, X.shape[1], n_steps)
    return order, 2.0 * errors, width


class _ClassSearch:
    """Forward search over all pairs of rows, each counted once."""

    def __init__(
        self, X: FloatArray, classes: IndexArray, sigma: float, n_jobs: int | None
    ) -> None:
        self.columns = np.ascontiguousarray(X.T)
        self.classes, self.factor, self.n_jobs = classes, _factor(sigma), n_jobs
        self.rough, self.is_near, self.wrong = _kernels.rough_columns(
            self.columns, self.factor
        )
        self.first_copy = _first_copies(self.columns)
        sizes = np.unique(classes, return_counts=True)[1]
        self.n_same = float((sizes * (sizes - 1) // 2).sum())
        self.W = np.empty(len(X) * (len(X) - 1) // 2)

        def fill(first: int, last: int) -> None:
            self.W[first:last] = 1.0

        # In parts, because gigabytes take seconds that cannot be interrupted.
        _kernels.on_threads(n_jobs, self.W.size, fill, cost=2.0 * self.W.size)
        self._measure()

    def _measure(self) -> None:
        self.parts, self.largest = _kernels.error_parts(
            self.W, self.classes, self.n_jobs
        )
        # Where so little is left to be gained or lost all features are tied, for good.
        self.is_over = self.parts <= 0.25 * SEARCH_TIE * self.n_same

    def add(self, feature: int) -> None:
        if not self.is_over:
            _kernels.add_feature(
                self.columns[feature], self.factor, self.n_jobs, self.W
            )
            self._measure()

    def best(self, left: IndexArray) -> tuple[int, float]:
        if self.is_over:
            return int(left[0]), self.n_same
        candidates = self._without_copies(left)
        return self._best(candidates, *self._roughly(candidates))

    def ranked(self, left: IndexArray) -> tuple[IndexArray, FloatArray]:
        if self.is_over:
            return left, np.full(left.size, self.n_same)
        candidates = self._without_copies(left)
        gains, bounds = self._roughly(candidates)
        feature, error = self._best(candidates, gains, bounds)
        errors = self.n_same + gains
        is_close = _overlap(gains, bounds, SEARCH_TIE * error)
        errors[is_close] = self._exactly(candidates[is_close])
        of_copies = np.empty(len(self.columns))
        of_copies[self.first_copy[candidates]] = errors
        order = left[ascending(of_copies[self.first_copy[left]], SEARCH_TIE * error)]
        order = np.concatenate([[feature], order[order != feature]])
        of_copies[self.first_copy[feature]] = error
        return order, of_copies[self.first_copy[order]]

    def _without_copies(self, left: IndexArray) -> IndexArray:
        """Leave out all but the first of copies: they are tied."""
        return left[np.sort(np.unique(self.first_copy[left], return_index=True)[1])]

    def _roughly(self, candidates: IndexArray) -> tuple[FloatArray, FloatArray]:
        """Return errors less `n_same`, and how wrong they may be."""
        if candidates.size <= FEW_CANDIDATES:
            return np.zeros(candidates.size), np.full(candidates.size, np.inf)
        gains = _kernels.rough_errors(
            self.rough,
            self.is_near,
            candidates,
            self.W,
            self.classes,
            self.largest,
            self.n_jobs,
        )
        wrong = self.wrong[candidates]
        return gains, _kernels.rough_bound(wrong, self.parts, self.largest, self.W.size)

    def _exactly(self, candidates: IndexArray) -> FloatArray:
        return _kernels.similarity_errors(
            self.columns,
            candidates,
            self.is_near,
            self.W,
            self.classes,
            self.factor,
            self.n_jobs,
        )

    def _best(
        self, candidates: IndexArray, gains: FloatArray, bounds: FloatArray
    ) -> tuple[int, float]:
        """Take exactly those that may be the best or tied with it."""
        lowest, most = (gains - bounds).min(), (gains + bounds).min()
        tie = SEARCH_TIE * max(self.n_same + most, 0.0)
        contenders = np.flatnonzero(gains - bounds <= most + tie)
        first = contenders[0]
        if gains[first] + bounds[first] <= lowest + SEARCH_TIE * max(
            self.n_same + lowest, 0.0
        ):
            contenders = contenders[:1]
        errors = self._exactly(candidates[contenders])
        winner = first_lowest(errors, SEARCH_TIE * errors.min())
        return int(candidates[contenders[winner]]), float(errors[winner])


class _PairSearch:
    """Forward search over listed pairs, each counted once."""

    def __init__(
        self,
        X: FloatArray,
        pairs: PairArray,
        targets: FloatArray,
        sigma: float,
        n_jobs: int | None,
    ) -> None:
        self.X, self.pairs, self.targets = X, pairs, targets
        self.factor, self.n_jobs = _factor(sigma), n_jobs
        self.weights = np.ones(len(pairs))

    def add(self, feature: int) -> None:
        x = self.X[:, feature]
        with np.errstate(over="ignore"):
            delta = (x[self.pairs[:, 0]] - x[self.pairs[:, 1]]) * self.factor
            self.weights *= np.exp2(-(delta**2))

    def best(self, left: IndexArray) -> tuple[int, float]:
        errors = self._errors(left)
        winner = first_lowest(errors, SEARCH_TIE * errors.min())
        return int(left[winner]), float(errors[winner])

    def ranked(self, left: IndexArray) -> tuple[IndexArray, FloatArray]:
        errors = self._errors(left)
        winner = first_lowest(errors, SEARCH_TIE * errors.min())
        order = ascending(errors, SEARCH_TIE * errors[winner])
        order = np.concatenate([[winner], order[order != winner]])
        return left[order], errors[order]

    def _errors(self, left: IndexArray) -> FloatArray:
        return _kernels.pair_errors(
            self.X, self.pairs, self.weights, self.targets, self.factor, self.n_jobs
        )[left]


def _factor(sigma: float) -> float:
    """K of exp(-δ²/2σ²) = 2^-(k δ)²."""
    return float(np.sqrt(np.log2(np.e) / 2.0) / sigma)


def _first_copies(columns: FloatArray) -> IndexArray:
    """First column with the same differences between rows."""
    # Minus zero is zero, and constants are copies of each other.
    with np.errstate(over="ignore"):
        shifted = columns - columns[:, :1] + 0.0
    first: dict[bytes, int] = {}
    return np.array([first.setdefault(x.tobytes(), f) for f, x in enumerate(shifted)])


def _overlap(values: FloatArray, bounds: FloatArray, tolerance: float) -> BoolArray:
    """Tell which values, known up to bounds, cannot be ordered among the others."""
    order = np.argsort(values, kind="stable")
    low, high = (values - bounds)[order], (values + bounds)[order]
    highest_before = np.maximum.accumulate(np.concatenate([[-np.inf], high[:-1]]))
    lowest_behind = np.minimum.accumulate(np.concatenate([[np.inf], low[:0:-1]]))[::-1]
    is_close = np.empty(values.size, dtype=bool)
    is_close[order] = (low - tolerance <= highest_before) | (
        high + tolerance >= lowest_behind
    )
    return is_close


def _width(sigma: Any, find: Callable[[], float]) -> float:
    if isinstance(sigma, str) and sigma == "auto":
        return find()
    check_positive(sigma, "sigma")
    return float(sigma)


def _best_width(squared: FloatArray, targets: FloatArray | BoolArray) -> float:
    """Find the width for which pairs with these distances have the smallest error."""
    positive = squared[squared > 0.0]
    if not positive.size:
        return 1.0
    widths = WIDTHS * float(np.median(np.sqrt(positive)))
    w = np.exp(squared / (-2.0 * widths[0] ** 2))
    errors = np.empty(widths.size)
    for k in range(widths.size):
        errors[k] = ((w - targets) ** 2).sum()
        w *= w
    # Ties go to the smaller width, which stands behind.
    return float(widths[::-1][first_lowest(errors[::-1], SEARCH_TIE * errors.min())])


def _all_pairs(X: FloatArray, classes: IndexArray) -> tuple[FloatArray, BoolArray]:
    """Return squared distances and targets of all pairs of rows."""
    squared, is_same = [], []
    rows = np.arange(len(X))
    # Some rows at a time: SciPy cannot be interrupted.
    step = max(1, BLOCK_CELLS // X.size)
    for start in range(0, len(X), step):
        some = rows[start : start + step]
        is_later = rows > some[:, np.newaxis]
        squared.append(cdist(X[some], X, "sqeuclidean")[is_later])
        is_same.append((classes[some, np.newaxis] == classes)[is_later])
    return np.concatenate(squared), np.concatenate(is_same)


def _squared_distances(X: FloatArray, pairs: PairArray) -> FloatArray:
    return ((X[pairs[:, 0]] - X[pairs[:, 1]]) ** 2).sum(axis=1)
