"""Relief and ReliefF: margins from class labels."""

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np

from pairsift._sklearn_compat import Interval, StrOptions
from pairsift._typing import (
    MISSING_MODES,
    BoolArray,
    FloatArray,
    IndexArray,
    MissingMode,
    RandomState,
)
from pairsift._warnings import warn_caller
from pairsift.scores import relief_score, relieff_score
from pairsift.selectors._base import N_JOBS, BaseScoreSelector, FromClasses, Supervision
from pairsift.selectors._cost import relief_seconds
from pairsift.selectors._method import CLASSES, Method
from pairsift.selectors._tables import Table

SIGNIFICANT: dict[str, list[Any]] = {
    "n_features_to_select": [
        *BaseScoreSelector._parameter_constraints["n_features_to_select"],
        StrOptions({"significant"}),
    ],
    "alpha": [Interval(Real, 0, 1, closed="neither")],
}
"""Accepted parameters of a selector that knows what is more than chance."""
RAMP: list[Any] = [tuple, list, None]
"""Accepted types of a ramp; its numbers are checked with the score."""


class LabelMarginSelector(FromClasses):
    """What the Relief family with labels shares: Δ of any column, drawn rows."""

    _accepts_missing: ClassVar[bool] = True
    _accepts_categorical: ClassVar[bool] = True
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseScoreSelector._parameter_constraints,
        "categorical_features": ["array-like", StrOptions({"auto"}), None],
        "missing": [StrOptions(set(MISSING_MODES))],
        "ramp": RAMP,
        "max_samples": [Interval(Integral, 1, None, closed="left"), None],
        "random_state": ["random_state", np.random.Generator],
        "n_jobs": N_JOBS,
    }

    n_labelled_: int

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        assert supervision.labels is not None  # FromClasses sees to it
        self.n_labelled_ = int((supervision.labels >= 0).sum())
        if self.n_features_to_select == "significant":
            self._prepare_test(table)
        return self._margins(
            table.X,
            supervision.labels,
            is_categorical=table.is_categorical,
            missing=self.missing,
            ramp=self.ramp,
            max_samples=self.max_samples,
            random_state=self.random_state,
            n_jobs=self.n_jobs,
        )

    def _margins(self, X: FloatArray, labels: IndexArray, **options: Any) -> FloatArray:
        """Return the mean margin of each feature."""
        raise NotImplementedError("abstract: a selector defines its margins")

    def _prepare_test(self, table: Table) -> None:
        """Refuse data that the test does not hold for."""

    def _is_significant(self) -> BoolArray:
        """Return which features are more than chance."""
        raise NotImplementedError("abstract: a selector that accepts the word tests")

    def _best_number(self) -> int:
        return int(self._is_significant().sum())

    def _rank(self) -> Self:
        super()._rank()
        if self.n_features_to_select == "significant":
            # Ranks and tests need not agree: degrees of freedom differ.
            self.support_ = self._is_significant()
            if not self.support_.any():
                warn_caller(
                    f"no feature is significant at alpha={self.alpha}: none is "
                    "selected."
                )
        return self


class ThresholdSelector(LabelMarginSelector):
    """Selects, if wanted, the margins above the threshold of Kira and Rendell."""

    # No margin of a row is larger.
    _largest_margin: ClassVar[float] = 1.0
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **LabelMarginSelector._parameter_constraints,
        **SIGNIFICANT,
    }

    alpha: float
    threshold_: float

    def _prepare_test(self, table: Table) -> None:
        if self.missing == "ignore" and table.has_missing:
            raise ValueError(
                'n_features_to_select="significant" counts the rows of a mean, of '
                'which missing="ignore" leaves some out: set missing to another value, '
                "or impute first."
            )

    def _is_significant(self) -> BoolArray:
        n_rows = min(self.n_labelled_, self.max_samples or self.n_labelled_)
        self.threshold_ = self._largest_margin / float(np.sqrt(self.alpha * n_rows))
        is_above: BoolArray = self.scores_ > self.threshold_
        return is_above


class Relief(ThresholdSelector):
    r"""Select features by which the nearest row of another class differs (Relief).

    A feature is good when rows differ on it from the nearest row of another class more
    than from the nearest row of their own. :class:`ReliefF` takes several neighbours of
    every class and is less easily misled by noise.

    Given pairs and no labels, the groups of rows joined by must-links serve as classes.

    Parameters
    ----------
    n_features_to_select : int, float, "significant" or None, default=None
        Number or share of features to select; None keeps all and only ranks.
        ``"significant"`` selects the features whose margin exceeds the threshold τ of
        Kira and Rendell, often none: see the Notes of :class:`Relief`.
    alpha : float, default=0.05
        Largest probability that a feature without any margin exceeds τ; only used by
        ``n_features_to_select="significant"``.
    ties : {"share", "index"}, default="share"
        Which rows take the last places when rows are equally far: all of them share
        the places left, so that the order of rows does not matter, or the smaller row
        numbers take them.
    ramp : tuple of two floats or None, default=None
        ``(low, high)``, shares of the range of a feature: differences of numbers up to
        `low` count as 0, from `high` on as 1, and linearly between. None is the share
        itself, see :func:`pairsift.scores.relieff_score`.
    categorical_features : "auto", array-like or None, default="auto"
        Categorical columns as a mask, indices or names; ``"auto"`` takes the text,
        category and boolean columns of a data frame.
    missing : {"probability", "ignore", "constant", "distinct"}, default="probability"
        Difference to a missing value (NaN): the probability of another value, in its
        class where there are classes (ReliefD), left out (ReliefC), one minus one over
        the number of values (ReliefB), or 1 to a known and 0 to a missing value
        (Relieved-F).
    max_samples : int, default=None
        Most labelled rows to take the mean over, drawn at random; None for all.
        Neighbours are found among all labelled rows anyway.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the draw.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        The mean margin of each feature, from -1 to 1; 0 for a constant one.
    threshold_ : float
        The threshold τ, with ``n_features_to_select="significant"`` only.
    n_labelled_ : int
        Number of rows with a class; the others are left out of everything.
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
    pairsift.scores.relief_score : The same as a function on arrays.

    Notes
    -----
    Algorithm 2.1 of [1]_ over all labelled rows: the mean squared difference to the
    nearest miss minus that to the nearest hit; :func:`pairsift.scores.relief_score` has
    the formula. Differences are divided by the range of the feature (0 or 1 for a
    categorical one). A row alone in its class has no hit to subtract.

    The algorithm selects what exceeds a threshold τ. With the mean over m rows of
    margins from -1 to 1, which is 0 at most for an irrelevant feature, Chebyshev's
    inequality gives :math:`P(w_f \ge \tau) \le 1 / (m \tau^2)`, so [2]_ proposes
    :math:`0 < \tau \le 1 / \sqrt{\alpha m}`. ``"significant"`` takes the upper end,
    for each feature by itself, as nothing else is known. It is very careful: with
    ``alpha=0.05`` and 200 rows τ is 0.32, more than most relevant features have. For
    another τ take ``scores_ > tau``. The inequality asks for rows drawn independently,
    which they are only roughly. Where margins reach from -2 to 2, as in
    :class:`SURFStar`, τ is twice as large.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.
    .. [2] K. Kira, L. A. Rendell, "A practical approach to feature selection",
       ICML, 249-256, 1992.

    Examples
    --------
    >>> from pairsift import Relief
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> list(Relief(2).fit(X, y).get_feature_names_out())
    ['alcohol', 'proline']
    """

    _method: ClassVar = Method(
        name="relief",
        learns_from=CLASSES,
        orientation="maximised",
        cost="O(n²d), O(nd) memory",
        seconds=lambda s, z: relief_seconds(s, z, 1),
        citation="Kira, Rendell 1992; Hijazi 2019, algorithm 2.1",
        dask=True,
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **ThresholdSelector._parameter_constraints,
        "ties": [StrOptions({"share", "index"})],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | None = None,
        *,
        alpha: float = 0.05,
        ties: str = "share",
        ramp: tuple[float, float] | None = None,
        categorical_features: Any = "auto",
        missing: MissingMode = "probability",
        max_samples: int | None = None,
        random_state: RandomState = None,
        n_jobs: int | None = -1,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.alpha = alpha
        self.ties = ties
        self.ramp = ramp
        self.categorical_features = categorical_features
        self.missing = missing
        self.max_samples = max_samples
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _margins(self, X: FloatArray, labels: IndexArray, **options: Any) -> FloatArray:
        return relief_score(X, labels, ties=self.ties, **options)


class ReliefF(ThresholdSelector):
    """Select features by which near rows of other classes differ (ReliefF).

    A feature is good when rows differ on it from their nearest rows of other classes
    more than from those of their own, which sees features that only matter together.

    Given pairs and no labels, the groups of rows joined by must-links serve as classes.

    Parameters
    ----------
    n_features_to_select : int, float, "significant" or None, default=None
        Number or share of features to select; None keeps all and only ranks.
        ``"significant"`` selects the features whose margin exceeds the threshold τ of
        Kira and Rendell, often none: see the Notes of :class:`Relief`.
    alpha : float, default=0.05
        Largest probability that a feature without any margin exceeds τ; only used by
        ``n_features_to_select="significant"``.
    n_neighbors : int, default=10
        Number K of hits, and of misses of every other class; where a class has fewer,
        the mean is taken over those there are.
    categorical_features : "auto", array-like or None, default="auto"
        Categorical columns as a mask, indices or names; ``"auto"`` takes the text,
        category and boolean columns of a data frame.
    missing : {"probability", "ignore", "constant", "distinct"}, default="probability"
        Difference to a missing value (NaN): the probability of another value, in its
        class where there are classes (ReliefD), left out (ReliefC), one minus one over
        the number of values (ReliefB), or 1 to a known and 0 to a missing value
        (Relieved-F).
    ties : {"share", "index"}, default="share"
        Which rows take the last places when rows are equally far: all of them share
        the places left, so that the order of rows does not matter, or the smaller row
        numbers take them.
    ramp : tuple of two floats or None, default=None
        ``(low, high)``, shares of the range of a feature: differences of numbers up to
        `low` count as 0, from `high` on as 1, and linearly between. None is the share
        itself, see :func:`pairsift.scores.relieff_score`.
    max_samples : int, default=None
        Most labelled rows to take the mean over, drawn at random; None for all.
        Neighbours are found among all labelled rows anyway.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the draw.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        The mean margin of each feature, from -1 to 1; 0 for a constant one.
    threshold_ : float
        The threshold τ, with ``n_features_to_select="significant"`` only.
    n_labelled_ : int
        Number of rows with a class; the others are left out of everything.
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
    pairsift.scores.relieff_score : The same as a function on arrays.

    Notes
    -----
    Equation 2.4 of [1]_ over all labelled rows: the mean difference to the nearest
    misses of every other class, weighted by its prior, minus that to the nearest hits;
    :func:`pairsift.scores.relieff_score` has the formula, and says how ties and missing
    values count. Differences are divided by the range of the feature (0 or 1 for a
    categorical one). A row alone in its class has no hits to subtract.

    The threshold τ of ``n_features_to_select="significant"`` is that of
    :class:`Relief`, as margins are means over rows of numbers from -1 to 1 here, too.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.
    .. [2] I. Kononenko, "Estimating attributes: analysis and extensions of RELIEF",
       ECML, 171-182, 1994.
    .. [3] M. Robnik-Šikonja, I. Kononenko, "Theoretical and empirical analysis of
       ReliefF and RReliefF", Machine Learning 53, 23-69, 2003.

    Examples
    --------
    >>> from pairsift import ReliefF
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> list(ReliefF(2).fit(X, y).get_feature_names_out())
    ['flavanoids', 'od280/od315_of_diluted_wines']
    """

    _method: ClassVar = Method(
        name="relieff",
        learns_from=CLASSES,
        orientation="maximised",
        cost="O(n²d), O(nd) memory",
        seconds=lambda s, z: relief_seconds(s, z, s.n_neighbors),
        citation="Kononenko 1994; Hijazi 2019, eq. 2.4",
        dask=True,
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **ThresholdSelector._parameter_constraints,
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "ties": [StrOptions({"share", "index"})],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | None = None,
        *,
        alpha: float = 0.05,
        n_neighbors: int = 10,
        categorical_features: Any = "auto",
        missing: MissingMode = "probability",
        ties: str = "share",
        ramp: tuple[float, float] | None = None,
        max_samples: int | None = None,
        random_state: RandomState = None,
        n_jobs: int | None = -1,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.alpha = alpha
        self.n_neighbors = n_neighbors
        self.categorical_features = categorical_features
        self.missing = missing
        self.ties = ties
        self.ramp = ramp
        self.max_samples = max_samples
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _margins(self, X: FloatArray, labels: IndexArray, **options: Any) -> FloatArray:
        return relieff_score(
            X, labels, n_neighbors=self.n_neighbors, ties=self.ties, **options
        )
