"""RReliefF: relevance to a numeric target."""

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils.validation import check_consistent_length, column_or_1d

from pairsift._sklearn_compat import Interval, StrOptions
from pairsift._typing import FloatArray, MissingMode, RandomState
from pairsift.constraints import PairConstraints, as_label_array, sample_ids_of
from pairsift.scores import rrelieff_score
from pairsift.selectors._base import (
    BaseScoreSelector,
    all_or_nothing,
    refuse_wrong_labels,
)
from pairsift.selectors._method import Learns, Method
from pairsift.selectors._relief import LabelMarginSelector
from pairsift.selectors._tables import Table, as_table


class FromTarget(BaseScoreSelector):
    """Base of the selectors that learn from a number for each row."""

    n_labelled_: int

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        constraints: PairConstraints | None = None,
        sample_ids: Any = None,
        missing_label: Any = "auto",
    ) -> Self:
        """Score, rank and select the features.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data: NumPy, pandas or polars, and SciPy sparse where the tag
            ``input_tags.sparse`` of a selector says so.
        y : array-like of shape (n_samples,)
            A number for each row, not all the same; NaN or None where it is not known.
            -1 is a number as any other unless `missing_label` says so.
        constraints : PairConstraints, default=None
            Pairs of rows are checked, and not used.
        sample_ids : array-like of shape (n_samples,), default=None
            Row number or id of each row of `X` in the data set the constraints refer
            to.
        missing_label : number, None or "auto", default="auto"
            Number that means "not known", beside NaN and None; "auto" and None are
            none.

        Returns
        -------
        self : object
            The fitted selector. After an error it is as it was before.
        """
        with all_or_nothing(self):
            self._validate_params()
            refuse_wrong_labels(X, y)
            table = as_table(self, X)
            sample_ids = sample_ids_of(X, constraints, sample_ids)
            self._known(table, None, constraints, sample_ids)
            self.n_constraints_used_ = 0
            target = self._as_target(y, table, missing_label)
            self.scores_ = self._target_score(table, target)
            self._refuse_nan()
            return self._rank()

    def _target_score(self, table: Table, target: FloatArray) -> FloatArray:
        """Return one score per feature, higher is better; NaN is no target."""
        raise NotImplementedError("abstract: a selector defines its score")

    def _as_target(self, y: Any, table: Table, missing_label: Any) -> FloatArray:
        """Return y as numbers, NaN where not known, and count those that are."""
        name = type(self).__name__
        if y is None:
            raise ValueError(
                f"{name} requires y to be passed, but the target y is None: pass a "
                "number for each row."
            )
        given = column_or_1d(as_label_array(y), warn=True)
        check_consistent_length(table.X, given)
        # NumPy hands out dates as numbers of nanoseconds.
        given = given.astype(str) if given.dtype.kind in "mM" else given
        target = np.array([_as_number(value, name) for value in given.tolist()])
        if isinstance(missing_label, Real):
            target[target == missing_label] = np.nan
        known = target[~np.isnan(target)]
        if np.isinf(known).any():
            raise ValueError(f"y contains infinity, {name} needs finite numbers.")
        if np.unique(known).size < 2:
            found = f"only {known[0]}" if known.size else "none"
            raise ValueError(
                f"{name} needs a target with at least two different numbers, but y has "
                f"{found}."
            )
        self.n_labelled_ = known.size
        return target

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def _as_number(value: Any, name: str) -> float:
    if value is None or type(value).__name__ == "NAType":
        return np.nan
    if not isinstance(value, Real):
        raise ValueError(
            f"{name} needs a numeric target, but y holds {value!r}: for classes take "
            "ReliefF, or turn y into numbers."
        )
    return float(value)


class RReliefF(FromTarget):
    r"""Select features by which near rows of other target values differ (RReliefF).

    A feature is good when near rows that differ on it also differ on the target, and
    near rows that agree on the target agree on it, which sees features that only matter
    together. For classes take :class:`ReliefF`.

    Parameters
    ----------
    n_features_to_select : int or float, default=None
        Number or share of features to select; None keeps all and only ranks.
    n_neighbors : int, default=70
        Number K of nearest rows; all other rows when there are fewer.
    sigma : float or None, default=20.0
        How fast the weights :math:`\exp(-(rank/\sigma)^2)` of the neighbours fall with
        their rank; None for equal weights, which call for fewer neighbours.
    ramp : tuple of two floats or None, default=None
        ``(low, high)``, shares of the range of a feature: differences of numbers up to
        `low` count as 0, from `high` on as 1, and linearly between. None is the share
        itself, see :func:`pairsift.scores.relieff_score`.
    categorical_features : "auto", array-like or None, default="auto"
        Categorical columns as a mask, indices or names; ``"auto"`` takes the text,
        category and boolean columns of a data frame.
    missing : {"probability", "ignore", "constant", "distinct"}, default="probability"
        Difference to a missing value (NaN): the probability of another value (ReliefD,
        without classes), left out (ReliefC), one minus one over the number of values
        (ReliefB), or 1 and between two missing values 0 (Relieved-F).
    ties : {"share", "index"}, default="share"
        What rows equally far do with the weights of their ranks: share them equally, so
        that the order of rows does not matter, or the smaller row numbers take the
        smaller ranks.
    max_samples : int, default=None
        Number of rows drawn to take the sums over; None for all. Neighbours are found
        among all rows anyway.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the draw.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        The weight of each feature, from -1 to 1; 0 for a constant one.
    n_labelled_ : int
        Number of rows with a target; the others are left out of everything.
    n_constraints_used_ : int
        Number of pairs used: 0.
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

    See Also
    --------
    pairsift.scores.rrelieff_score : The same as a function on arrays, with its Notes.

    Notes
    -----
    With the weighted numbers of near rows that differ on the target, on feature A, and
    on both [1]_, m in all:

    .. math::
        w_A = \frac{N_{dC \& dA}}{N_{dC}} - \frac{N_{dA} - N_{dC \& dA}}{m - N_{dC}}

    Differences of numbers, the target's too, are divided by their range. The nearer the
    neighbours, the less they differ on the target: scores of different data sets,
    numbers of rows or of neighbours cannot be compared.

    References
    ----------
    .. [1] M. Robnik-Šikonja, I. Kononenko, "Theoretical and empirical analysis of
       ReliefF and RReliefF", Machine Learning 53, 23-69, 2003.
    .. [2] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from pairsift import RReliefF
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> list(RReliefF(2).fit(X, y).get_feature_names_out())
    ['bmi', 's5']
    """

    _method: ClassVar = Method(
        name="rrelieff",
        learns_from=Learns(labels="numbers"),
        orientation="maximised",
        cost="O(n²d), O(nd) memory",
        seconds=lambda s, z: (
            (3e-10 * z.d + 1.5e-8) * (s.max_samples or z.m) * z.m / z.t
        ),
        citation="Robnik-Šikonja, Kononenko 1997, 2003",
    )
    _accepts_missing: ClassVar[bool] = True
    _accepts_categorical: ClassVar[bool] = True
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **LabelMarginSelector._parameter_constraints,
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "sigma": [Interval(Real, 0, None, closed="neither"), None],
        "ties": [StrOptions({"share", "index"})],
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        n_neighbors: int = 70,
        sigma: float | None = 20.0,
        ramp: tuple[float, float] | None = None,
        categorical_features: Any = "auto",
        missing: MissingMode = "probability",
        ties: str = "share",
        max_samples: int | None = None,
        random_state: RandomState = None,
        n_jobs: int | None = -1,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_neighbors = n_neighbors
        self.sigma = sigma
        self.ramp = ramp
        self.categorical_features = categorical_features
        self.missing = missing
        self.ties = ties
        self.max_samples = max_samples
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _target_score(self, table: Table, target: FloatArray) -> FloatArray:
        return rrelieff_score(
            table.X,
            target,
            n_neighbors=self.n_neighbors,
            sigma=self.sigma,
            ramp=self.ramp,
            ties=self.ties,
            is_categorical=table.is_categorical,
            missing=self.missing,
            max_samples=self.max_samples,
            random_state=self.random_state,
            n_jobs=self.n_jobs,
        )
