"""mRMR: features that tell about the classes and not about each other."""

from typing import Any

import numpy as np

from pairsift._checks import check_at_least, check_choice, check_positive
from pairsift._typing import BoolArray, FloatArray, IndexArray
from pairsift.information import (
    as_numbers,
    column_table,
    discrete_mask,
    pair_information,
)
from pairsift.scores._copies import spread_copies
from pairsift.scores._correlation_path import correlation_path
from pairsift.scores._correlation_search import MIN_REDUNDANCY, add_features
from pairsift.scores._irelief import class_codes
from pairsift.scores._search import check_n_features

MRMR_ESTIMATORS = ("information", "correlation")
MRMR_FORMS = ("difference", "quotient")


def mrmr_path(
    X: FloatArray,
    labels: Any,
    *,
    n_features: int | None = None,
    estimator: str = "information",
    form: str | None = None,
    discretize: float | None = None,
    discrete_features: Any = "auto",
    is_categorical: BoolArray | None = None,
    n_neighbors: int = 6,
    n_jobs: int | None = -1,
) -> tuple[IndexArray, FloatArray]:
    r"""Add features of large relevance and small redundancy, one after the other.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
    labels : array-like of shape (n_samples,)
        Class labels, at least two of them; unlabelled rows (-1) are left out.
    n_features : int, default=None
        Number of steps, None for all features.
    estimator : {"information", "correlation"}, default="information"
        Mutual information, or explained variance and rank correlations, see Notes.
    form : {"difference", "quotient"}, default=None
        Relevance minus redundancy (MID), or divided by it (MIQ). None is the difference
        of informations, and the quotient of correlations, which has no other form.
    discretize : float, default=None
        Cut continuous columns into three values at the mean plus and minus this number
        of standard deviations; None takes them as they are. Only for informations, as
        are `discrete_features`, `n_neighbors` and `n_jobs`.
    discrete_features : "auto", bool or ndarray of shape (n_features,), default="auto"
        Discrete columns: all, none, or a mask. ``"auto"`` takes a column for discrete
        when it has at most :math:`\max(10, \sqrt n)` distinct values, and at most half
        as many as rows, among all rows.
    is_categorical : ndarray of shape (n_features,), dtype=bool, default=None
        Categorical columns, whose numbers only name categories; None for none. By
        information they are discrete in any case.
    n_neighbors : int, default=6
        Number of neighbours by which continuous columns are estimated.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Returns
    -------
    order : ndarray of shape (n_features,), dtype=int64
        All features: those added, in order, then the others by their relevance.
    values : ndarray of shape (n_features,)
        Difference or quotient of each feature of `order` at the step at which it was
        added, of the others at the last step. At the first step it is the relevance,
        ``-inf`` for constant features (0 by correlation).

    See Also
    --------
    semi_mrmr_path : By correlation, with classes spread to unlabelled rows.

    Notes
    -----
    With the relevance :math:`I(f; y)` and the features S added before, the next feature
    has the largest

    .. math::
        I(f; y) - \frac{1}{|S|} \sum_{s \in S} I(f; s) \qquad \text{or} \qquad
        I(f; y) \Big/ \Big( \frac{1}{|S|} \sum_{s \in S} I(f; s) + 0.01 \Big)

    This is the search of [1]_ and [2]_ for the criteria of equations 16 and 17 of [3]_.
    Estimates are those of :mod:`pairsift.information`, as they are. In the quotient the
    mean redundancy counts 0 where it is below, 0.01 nats are added to it, as estimates
    near 0 would decide alone, and a relevance below 0 is not divided. Constant features
    come last.

    [2]_ cuts columns at the mean plus and minus one standard deviation, which is
    ``discretize=1``; [3]_ does not say. Cut columns are quicker, and lose what is
    inside a piece.

    Estimates measure distances, which say nothing where numbers are rounded and many
    are equal: on Wine the estimate is -10 nats for a column of 39 values. So equal
    numbers of a continuous column are moved apart, no farther than half-way to the
    nearer of the values beside them.

    By correlation, the relevance of a column is the adjusted share of its variance
    between the K classes of the n labelled rows, at least 0, and two columns with the
    rank correlation :math:`\rho` over all rows, labelled or not, share

    .. math::
        R^2_{adj} = 1 - (1 - \eta^2) \frac{n - 1}{n - K}, \qquad
        I(f; s) = -\tfrac12 \ln (1 - \rho^2)

    which is the information of two normal variables. :func:`semi_mrmr_path` tells what
    this is for categorical columns and for copies.

    References
    ----------
    .. [1] C. Ding, H. Peng, "Minimum redundancy feature selection from microarray
       gene expression data", Journal of Bioinformatics and Computational
       Biology 3(2), 185-205, 2005.
    .. [2] H. Peng, F. Long, C. Ding, "Feature selection based on mutual
       information: criteria of max-dependency, max-relevance, and
       min-redundancy", IEEE TPAMI 27(8), 1226-1238, 2005.
    .. [3] S. Hijazi, V. T. Hoang, "A constrained feature selection approach based
       on feature clustering and hypothesis margin maximization", 2021.

    Examples
    --------
    Column 2 is nearly a copy of column 0, and comes last:

    >>> import numpy as np
    >>> from pairsift.scores import mrmr_path
    >>> X = np.random.default_rng(0).normal(size=(300, 2))
    >>> y = X[:, 0] + 0.5 * X[:, 1] > 0
    >>> mrmr_path(np.column_stack([X, X[:, 0] + 0.1 * X[:, 1]]), y)[0]
    array([2, 1, 0])
    """
    check_choice(estimator, "estimator", MRMR_ESTIMATORS)
    check_choice(form, "form", (*MRMR_FORMS, None))
    check_at_least(n_neighbors, "n_neighbors", 1)
    X = as_numbers(X)
    codes = class_codes(labels, len(X))
    n_steps = check_n_features(n_features, X.shape[1])
    names = categorical_mask(is_categorical, X.shape[1])
    if estimator == "correlation":
        check_correlation(form, discretize)
        return correlation_path(X, codes, names, n_steps, is_spread=False)[:2]
    is_discrete = discrete_mask(X, discrete_features) | names
    if discretize is None:
        X = spread_copies(X, is_discrete, codes)
    X, codes = X[codes >= 0], codes[codes >= 0]
    if discretize is not None:
        check_positive(discretize, "discretize")
        X = _cut(X, is_discrete, float(discretize))
        is_discrete = np.ones_like(is_discrete)
    options = {"n_neighbors": n_neighbors, "n_jobs": n_jobs}
    search = _Informations(X, is_discrete, codes, form == "quotient", **options)
    return add_features(search, n_steps)


def categorical_mask(is_categorical: Any, n_features: int) -> BoolArray:
    """Return the mask of categorical columns, of none by default."""
    if is_categorical is None:
        return np.zeros(n_features, dtype=bool)
    mask = np.asarray(is_categorical)
    if mask.dtype != bool or mask.shape != (n_features,):
        raise ValueError(
            f"is_categorical must be a mask of the {n_features} columns, got "
            f"{is_categorical!r}."
        )
    return mask


def check_correlation(form: str | None, discretize: float | None) -> None:
    """Refuse what only informations have."""
    if form == "difference":
        raise ValueError(
            "form='difference' needs estimator='information': an explained variance "
            "and a redundancy in nats can only be divided; take form='quotient'."
        )
    if discretize is not None:
        raise ValueError(
            f"discretize={discretize!r} needs estimator='information': correlations "
            "are of the columns as they are; leave it out."
        )


def _cut(X: FloatArray, is_discrete: BoolArray, n_deviations: float) -> FloatArray:
    """-1, 0 or 1 for continuous columns: below, around and above the mean."""
    away = X - X.mean(axis=0)
    around = np.abs(away) <= n_deviations * X.std(axis=0)
    return np.where(is_discrete, X, np.where(around, 0.0, np.sign(away)))


class _Informations:
    """Relevance of all features, and what each shares with the features added."""

    def __init__(
        self,
        X: FloatArray,
        is_discrete: BoolArray,
        codes: IndexArray,
        is_quotient: bool,
        **options: Any,
    ) -> None:
        self.options, self.is_quotient = options, is_quotient
        self.table = column_table(X, is_discrete)
        classes = column_table(codes.astype(np.float64)[:, None], np.array([True]))
        pairs = np.column_stack([np.arange(X.shape[1]), np.zeros(X.shape[1], int)])
        relevance = pair_information(self.table, classes, pairs, **options)[0]
        self.relevance = np.where(self.table.varies, relevance, -np.inf)
        self.shared = np.zeros(X.shape[1])

    def gains(self, left: IndexArray, n_added: int) -> FloatArray:
        relevance = self.relevance[left]
        if n_added == 0:
            return relevance
        redundancy = self.shared[left] / n_added
        if not self.is_quotient:
            return relevance - redundancy
        quotient = relevance / (np.maximum(redundancy, 0.0) + MIN_REDUNDANCY)
        return np.where(relevance > 0.0, quotient, relevance)

    def add(self, feature: int, left: IndexArray) -> None:
        pairs = np.column_stack([np.full_like(left, feature), left])
        self.shared[left] += pair_information(
            self.table, self.table, pairs, **self.options
        )[0]
