"""ReliefSc and ReliefFSc: margins from cannot-link pairs."""

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np

from pairsift._sklearn_compat import Interval, StrOptions
from pairsift._typing import (
    MISSING_MODES,
    FloatArray,
    MissingMode,
    PairArray,
    RandomState,
)
from pairsift._warnings import warn_caller
from pairsift.scores import NULLS, MarginRules, label_margins, pair_margins
from pairsift.selectors._base import N_JOBS, BaseScoreSelector, FromPairs, Supervision
from pairsift.selectors._cost import margin_seconds
from pairsift.selectors._method import CANNOT_LINKS, EITHER_LINKS, Learns, Method
from pairsift.selectors._relief import RAMP
from pairsift.selectors._tables import Table


class MarginSelector(FromPairs):
    """What the three share: differences Δ of any kind of column, missing values too."""

    _accepts_missing: ClassVar[bool] = True
    _accepts_categorical: ClassVar[bool] = True
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseScoreSelector._parameter_constraints,
        "symmetric": ["boolean"],
        "categorical_features": ["array-like", StrOptions({"auto"}), None],
        "missing": [StrOptions(set(MISSING_MODES))],
        "n_jobs": N_JOBS,
    }

    def _warn_if_alone(self, table: Table) -> None:
        if len(table.X) == 2:
            warn_caller(
                f"X has 2 rows: without the ends of a pair {type(self).__name__} finds "
                "no neighbours, and all margins are 0."
            )


class ConstrainedRelief(MarginSelector):
    """Relief-Sc over one or several neighbours."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **MarginSelector._parameter_constraints,
        "must_link_weight": [Interval(Real, 0, None, closed="left")],
        "null": [None, StrOptions(set(NULLS))],
        "ties": [StrOptions({"share", "index"})],
        "metric": [StrOptions({"manhattan", "euclidean"})],
        "exclude": [StrOptions({"pair", "self"})],
        "ramp": RAMP,
        "random_state": ["random_state", np.random.Generator],
    }

    def _learns(self) -> Learns:
        if self.must_link_weight > 0 or self.null == "must-links":
            return EITHER_LINKS
        return CANNOT_LINKS

    def _margins(
        self, table: Table, supervision: Supervision, n_neighbors: int
    ) -> FloatArray:
        if self.exclude == "pair":
            self._warn_if_alone(table)
        rules = MarginRules(
            n_neighbors,
            self.must_link_weight,
            self.null,
            self.ties,
            self.metric,
            self.exclude,
            self.n_jobs,
            self.ramp,
        )
        if supervision.is_listed:
            z, scores = pair_margins(
                table.X,
                self._directed(supervision.cannot_link),
                self._directed(supervision.must_link),
                rules,
                is_categorical=table.is_categorical,
                missing=self.missing,
                labels=supervision.labels,
                random_state=self.random_state,
            )
            # The mean of both directions; with a null, scores are means over both.
            n_directions = 2 if self.symmetric else 1
            z = z / n_directions
            scores = z if self.null is None else scores
        else:
            z, scores = label_margins(
                table.X, supervision.labels, rules, is_categorical=table.is_categorical
            )
        positive = np.maximum(scores, 0.0)
        self.margins_ = z
        self.weights_ = positive / (np.linalg.norm(positive) or 1.0)
        return scores

    def _lists_pairs(self, table: Table) -> bool:
        return self.ramp is not None or not self.symmetric or table.has_missing

    def _directed(self, pairs: PairArray) -> PairArray:
        return np.concatenate([pairs, pairs[:, ::-1]]) if self.symmetric else pairs


class ReliefSc(ConstrainedRelief):
    r"""Select features by which cannot-links differ more than near rows (Relief-Sc).

    A feature is good when, for two rows that were said to be different, a row differs
    more from the other's nearest neighbour than from its own.

    Parameters
    ----------
    n_features_to_select : int or float, default=None
        Number or share of features to select; None keeps all and only ranks.
    symmetric : bool, default=True
        Average both directions of every pair, so that the numbering of the rows
        cannot change the result. False is the published sum over (n, m), with the
        smaller row number as n.
    exclude : {"pair", "self"}, default="pair"
        Which rows are no near-hits of an end of a pair: both ends, or only itself as
        published.
    null : {"random-pairs", "must-links"} or None, default=None
        Pairs whose mean margin is subtracted from that of the cannot-links: random
        pairs of rows, or the must-links. None is published, and biased, see Notes.
    ties : {"share", "index"}, default="share"
        Which rows take the last places when rows are equally far: all of them share
        the places left, so that the order of rows does not matter, or the smaller row
        numbers take them.
    metric : {"manhattan", "euclidean"}, default="manhattan"
        Distance by which neighbours are found, over the differences Δ.
    must_link_weight : float, default=0.0
        Weight of the margins of must-links, which are subtracted; 0 is published.
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
    random_state : int, Generator, RandomState or None, default=0
        Seed of the random pairs; nothing else is random.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        The margins z, so that negative margins are still ranked; with a `null`, z per
        pair minus that of the null pairs.
    margins_ : ndarray of shape (n_features,)
        The margins z as published, with a `null` too.
    weights_ : ndarray of shape (n_features,)
        The weights w, the positive part of `scores_` at unit norm; without a `null`
        they are the published ones.
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
        Number of must-links and cannot-links used.

    See Also
    --------
    ReliefFSc : The same over several neighbours, more robust to noise.

    Notes
    -----
    Equations 3.8 and 3.15 of [1]_, with :math:`H(x)` the nearest neighbour of x among
    all rows, and :math:`\Delta_f` the difference on feature f divided by its range over
    all rows (0 or 1 for a categorical feature, 0 for a constant one):

    .. math::
        z_f = \sum_{(n, m)} \Delta_f(x_n, H(x_m)) - \Delta_f(x_n, H(x_n)), \qquad
        w = z^+ / \|z^+\|_2

    Features with :math:`z_f \le 0` all have :math:`w_f = 0`, hence the ranking by z.
    Distances that agree up to rounding are tied. If m rows are as far as the K-th
    neighbour and r of the K places are theirs, each of them counts r/m.
    Numeric cells are compared with missing ones on a discretisation of the range
    into 20 bins, given the class of the row where `y` tells it.

    The published margin is biased: it measures how much a feature decides who is near,
    as well as whether it tells the pairs apart. A feature with few values that are far
    apart, such as a categorical one among numbers, gets a large z even if it means
    nothing, because near-hits share its value: a column of coin flips added to Wine is
    ranked first, with about twice the z of the best measurement. So z does not
    compare features of different kinds. A `null` (ours) is the cure:

    .. math::
        s_f = \bar z_f - \bar z_f^{null}

    where the bars are means over the cannot-links and over the null pairs.
    ``"must-links"`` takes the must-links given, or those of `y`. ``"random-pairs"``
    draws as many pairs of rows as there are cannot-links, but from 500 to 10,000 (or
    all there are); when pairs come from `y`, it is the mean over all pairs of labelled
    rows, without any drawing, as long as X has no missing values and `symmetric` is
    True. With a `must_link_weight` of v the score is
    :math:`s_f - v (\bar z_f^{must} - \bar z_f^{null})`.

    A `ramp` is the remedy that [1]_ names and does not try. On its Heart data, six
    ramps raised the highest mean accuracy of a curve from 75.3 to between 76.6 and
    77.4, and changed the mean over the first half of the ranking from 61.2 to between
    60.1 and 63.7, where a random order of features has 63.7 and a null 63.4. With a
    ramp, the pairs of labels are listed.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.
    .. [2] S. Hijazi, D. Hamad, M. Kalakech, A. Kalakech, "Active learning of
       constraints for weighted feature selection", Advances in Data Analysis
       and Classification, 2020.

    Examples
    --------
    >>> from pairsift import PairConstraints, ReliefSc
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> c = PairConstraints.sample(y, n_cannot_link=20, random_state=0)
    >>> ReliefSc(5).fit(X, constraints=c).n_constraints_used_
    20
    """

    _method: ClassVar = Method(
        name="relief-sc",
        learns_from=CANNOT_LINKS,
        orientation="maximised",
        cost="O(pnd) time, O(p + d) memory; O(n²d) and O(n) with labels",
        seconds=lambda s, z: margin_seconds(z, has_ramp=s.ramp is not None),
        citation="Hijazi 2019, eq. 3.8",
        dask=True,
    )

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        symmetric: bool = True,
        exclude: str = "pair",
        null: str | None = None,
        ties: str = "share",
        metric: str = "manhattan",
        must_link_weight: float = 0.0,
        ramp: tuple[float, float] | None = None,
        categorical_features: Any = "auto",
        missing: MissingMode = "probability",
        random_state: RandomState = 0,
        n_jobs: int | None = -1,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.symmetric = symmetric
        self.exclude = exclude
        self.null = null
        self.ties = ties
        self.metric = metric
        self.must_link_weight = must_link_weight
        self.ramp = ramp
        self.categorical_features = categorical_features
        self.missing = missing
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        return self._margins(table, supervision, n_neighbors=1)


class ReliefFSc(ConstrainedRelief):
    r"""Select features by which cannot-links differ more than k near rows (ReliefF-Sc).

    As :class:`ReliefSc`, with margins averaged over several nearest neighbours: less
    sensitive to noise, and the better default.

    Parameters
    ----------
    n_features_to_select : int or float, default=None
        Number or share of features to select; None keeps all and only ranks.
    n_neighbors : int, default=10
        Number K of near-hits on either side; where there are fewer candidates the mean
        is taken over those there are.
    symmetric : bool, default=True
        Average both directions of every pair, so that the numbering of the rows
        cannot change the result. False is the published sum over (n, m), with the
        smaller row number as n.
    exclude : {"pair", "self"}, default="pair"
        Which rows are no near-hits of an end of a pair: both ends, or only itself as
        published.
    null : {"random-pairs", "must-links"} or None, default=None
        Pairs whose mean margin is subtracted from that of the cannot-links: random
        pairs of rows, or the must-links. None is published, and biased, see Notes.
    ties : {"share", "index"}, default="share"
        Which rows take the last places when rows are equally far: all of them share
        the places left, so that the order of rows does not matter, or the smaller row
        numbers take them.
    metric : {"manhattan", "euclidean"}, default="manhattan"
        Distance by which neighbours are found, over the differences Δ.
    must_link_weight : float, default=0.0
        Weight of the margins of must-links, which are subtracted; 0 is published.
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
    random_state : int, Generator, RandomState or None, default=0
        Seed of the random pairs; nothing else is random.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        The margins z, so that negative margins are still ranked; with a `null`, z per
        pair minus that of the null pairs.
    margins_ : ndarray of shape (n_features,)
        The margins z as published, with a `null` too.
    weights_ : ndarray of shape (n_features,)
        The weights w, the positive part of `scores_` at unit norm; without a `null`
        they are the published ones.
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
        Number of must-links and cannot-links used.

    See Also
    --------
    ReliefSc : One neighbour only; its Notes on differences, ties and missing values
        hold here too.

    Notes
    -----
    Equation 3.16 of [1]_: as :class:`ReliefSc`, with means over the K nearest
    neighbours; :func:`pairsift.scores.relieff_sc_score` has the formula.

    The published margin is biased, and compares only features of the same kind: a
    column of coin flips added to Wine is ranked first. ``null="random-pairs"`` is the
    cure, see the Notes of :class:`ReliefSc`.

    Algorithm 2 of [2]_ prints :math:`\|z\|` for :math:`\|z^+\|`, and
    :math:`\Delta(x_m, H(x_n))` against its own equation 13.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.
    .. [2] S. Hijazi, V. T. Hoang, "A constrained feature selection approach based
       on feature clustering and hypothesis margin maximization", 2021.

    Examples
    --------
    >>> from pairsift import PairConstraints, ReliefFSc
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> c = PairConstraints.sample(y, n_cannot_link=20, random_state=0)
    >>> selector = ReliefFSc(n_features_to_select=3).fit(X, constraints=c)
    >>> selector.transform(X).shape
    (178, 3)
    """

    _method: ClassVar = Method(
        name="relieff-sc",
        learns_from=CANNOT_LINKS,
        orientation="maximised",
        cost="O(pnd) time, O(pk + d) memory; O(n²d) and O(nk) with labels",
        seconds=lambda s, z: margin_seconds(z, has_ramp=s.ramp is not None),
        citation="Hijazi 2019, eq. 3.16",
        dask=True,
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **ConstrainedRelief._parameter_constraints,
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        n_neighbors: int = 10,
        symmetric: bool = True,
        exclude: str = "pair",
        null: str | None = None,
        ties: str = "share",
        metric: str = "manhattan",
        must_link_weight: float = 0.0,
        ramp: tuple[float, float] | None = None,
        categorical_features: Any = "auto",
        missing: MissingMode = "probability",
        random_state: RandomState = 0,
        n_jobs: int | None = -1,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_neighbors = n_neighbors
        self.symmetric = symmetric
        self.exclude = exclude
        self.null = null
        self.ties = ties
        self.metric = metric
        self.must_link_weight = must_link_weight
        self.ramp = ramp
        self.categorical_features = categorical_features
        self.missing = missing
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        return self._margins(table, supervision, n_neighbors=self.n_neighbors)
