"""MRMR."""

from numbers import Integral, Real
from typing import Any, ClassVar

from pairsift._sklearn_compat import Interval, StrOptions
from pairsift._typing import FloatArray
from pairsift.scores import (
    MIN_REDUNDANCY,
    MRMR_ESTIMATORS,
    MRMR_FORMS,
    check_correlation,
    mrmr_path,
)
from pairsift.selectors._base import N_JOBS, BaseScoreSelector, FromClasses, Supervision
from pairsift.selectors._cost import Problem, n_tried
from pairsift.selectors._method import CLASSES, Method
from pairsift.selectors._semi_mrmr import CorrelationSearch
from pairsift.selectors._tables import Table

DISCRETE_FEATURES = [StrOptions({"auto"}), "boolean", "array-like"]


def _seconds(s: Any, z: Problem) -> float:
    if s.estimator == "correlation":
        return 2e-9 * z.m * n_tried(s, z)
    per_row = 5e-9 * (z.m * s.n_neighbors) ** 0.5 + 5e-7
    return float((5e-8 if s.discretize else per_row) * z.m * n_tried(s, z) / z.t)


class MRMR(CorrelationSearch, FromClasses):
    r"""Select relevant features that share little (mRMR).

    Adds one feature after the other: the one that tells most about the classes, minus
    what it shares with the features added before, on average, or divided by it. Uses
    the labelled rows only (but by correlation all rows for what features share).
    Given pairs and no labels, the groups of rows joined by must-links serve as classes.
    Units
    do not matter.

    Parameters
    ----------
    n_features_to_select : "auto", int, float or None, default=None
        Number or share of features to select, where the search ends; None adds all and
        only ranks. ``"auto"``, by correlation only, takes as few, of a hundred at most,
        as find held-out labelled rows again, see :class:`SemiMRMR`.
    estimator : {"information", "correlation"}, default="information"
        Mutual information, which sees relations of any shape, or explained variance and
        rank correlations, which are quicker and steadier where rows are few.
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
    categorical_features : "auto", array-like or None, default="auto"
        Categorical columns as a mask, indices or names; ``"auto"`` takes the text,
        category and boolean columns of a data frame. By information they are discrete.
    n_neighbors : int, default=6
        Number of neighbours by which continuous columns are estimated.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Difference of each feature when it was added, in nats; for quotients the share
        of its relevance in its relevance plus its redundancy (plus 0.01). At least 0,
        for a feature that tells nothing new, and at most that of the feature added
        before. Features that were not reached have what they offered at the last step,
        and follow by their relevance.
    path_scores_ : ndarray of shape (n_steps,)
        Difference or quotient of each added feature at its step, in nats or as a ratio;
        for the first one its relevance, ``-inf`` for constant features (0 by
        correlation).
    accuracies_ : ndarray of shape (n_steps,) or None
        Share of held-out labelled rows that the first 1, 2, ... features find again;
        None when the number was given.
    order_ : ndarray of shape (n_features,)
        Feature indices, best first; ties go to the lower index.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature, 1 is best.
    support_ : ndarray of shape (n_features,), dtype=bool
        Mask of the selected features.
    n_features_to_select_ : int
        Number of selected features.
    n_features_in_ : int
        Number of features seen in fit.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the features, when `X` has them.
    n_constraints_used_ : int
        Number of must-links that made the classes, 0 when labels did.

    See Also
    --------
    pairsift.scores.mrmr_path : The same as a function on arrays, with its Notes.
    SemiMRMR : By correlation, with classes spread to unlabelled rows.
    ForwardBackwardMI : What features tell together, and how many are needed.

    Notes
    -----
    The search of [1]_ for the criteria of equations 16 and 17 of [2]_: what the next
    feature tells about the classes, minus or divided by what it tells on average about
    the features added before, with the estimates of :mod:`pairsift.information`;
    :func:`pairsift.scores.mrmr_path` has the formulas. Only pairs with a feature added
    are estimated, so that a small `n_features_to_select` saves most of the time.
    ``discretize=1`` is what [1]_ does with continuous columns; it is many times
    quicker, and loses what is inside a piece. Otherwise equal numbers of a continuous
    column are moved apart, no farther than half-way to the values beside them:
    distances between copies say nothing. Constant features come last.

    By correlation, the relevance is the adjusted share of the variance of a feature
    between the classes, and two features share :math:`-\frac12 \ln (1 - \rho^2)`, with
    the rank correlation :math:`\rho` over all rows; :func:`pairsift.scores.mrmr_path`
    and :func:`pairsift.scores.semi_mrmr_path` have the details.

    References
    ----------
    .. [1] H. Peng, F. Long, C. Ding, "Feature selection based on mutual
       information: criteria of max-dependency, max-relevance, and
       min-redundancy", IEEE TPAMI 27(8), 1226-1238, 2005.
    .. [2] S. Hijazi, V. T. Hoang, "A constrained feature selection approach based
       on feature clustering and hypothesis margin maximization", 2021.

    Examples
    --------
    >>> from pairsift import MRMR
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> MRMR(3).fit(X, y).order_[:3]
    array([ 6, 10,  0])
    >>> MRMR("auto", estimator="correlation").fit(X, y).get_support(indices=True)
    array([ 6,  9, 12])
    """

    _method: ClassVar = Method(
        name="mrmr",
        learns_from=CLASSES,
        orientation="maximised",
        cost="O(dn√n) per step, O(nd) memory; O(dn) per step by correlation",
        seconds=_seconds,
        citation="Peng, Long, Ding 2005; Hijazi, Hoang 2021, eq. 16-17",
        cheaper={"estimator": "correlation"},
        dask=True,
    )
    _accepts_categorical: ClassVar[bool] = True
    _accepts_sparse: ClassVar[bool] = True
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_features_to_select": [
            *BaseScoreSelector._parameter_constraints["n_features_to_select"],
            StrOptions({"auto"}),
        ],
        "estimator": [StrOptions(set(MRMR_ESTIMATORS))],
        "form": [StrOptions(set(MRMR_FORMS)), None],
        "discretize": [None, Interval(Real, 0, None, closed="neither")],
        "discrete_features": DISCRETE_FEATURES,
        "categorical_features": ["array-like", StrOptions({"auto"}), None],
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "n_jobs": N_JOBS,
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | None = None,
        *,
        estimator: str = "information",
        form: str | None = None,
        discretize: float | None = None,
        discrete_features: Any = "auto",
        categorical_features: Any = "auto",
        n_neighbors: int = 6,
        n_jobs: int | None = -1,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.estimator = estimator
        self.form = form
        self.discretize = discretize
        self.discrete_features = discrete_features
        self.categorical_features = categorical_features
        self.n_neighbors = n_neighbors
        self.n_jobs = n_jobs

    def _takes_sparse(self) -> bool:
        return self.estimator == "correlation"

    def _refuse_blocks(self) -> None:
        if self.estimator != "correlation":
            raise TypeError(
                f"MRMR with estimator={self.estimator!r} does not work on data in "
                "blocks: take estimator='correlation'."
            )

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        assert supervision.labels is not None  # FromClasses sees to it
        if self.estimator == "correlation":
            check_correlation(self.form, self.discretize)
            return self._score_by_correlation(
                table, supervision.labels, is_spread=False
            )
        if self.n_features_to_select == "auto":
            raise ValueError(
                "n_features_to_select='auto' needs estimator='correlation': by "
                "information give a number, a share or None."
            )
        self.accuracies_ = None
        n_steps = self._n_steps(table.X.shape[1])
        order, values = mrmr_path(
            table.X,
            supervision.labels,
            n_features=n_steps,
            form=self.form,
            discretize=self.discretize,
            discrete_features=self.discrete_features,
            is_categorical=table.is_categorical,
            n_neighbors=self.n_neighbors,
            n_jobs=self.n_jobs,
        )
        if self.form == "quotient":
            return self._quotient_scores(order, values, n_steps, MIN_REDUNDANCY)
        self.path_scores_ = values[:n_steps]
        return self._entry_scores(order, values)
