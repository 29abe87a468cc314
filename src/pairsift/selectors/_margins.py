"""ReliefSc, ReliefFSc and SimbaSc: margins from cannot-link pairs."""

import warnings
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np

from pairsift._sklearn_compat import Interval, StrOptions
from pairsift._typing import FloatArray, PairArray, RandomState
from pairsift.scores import (
    relieff_sc_label_score,
    relieff_sc_score,
    simba_sc_score,
)
from pairsift.selectors._base import (
    N_JOBS,
    BaseScoreSelector,
    FromPairs,
    Method,
    Supervision,
)
from pairsift.selectors._tables import Table


class MarginSelector(FromPairs):
    """What the three share: differences Δ of any kind of column, missing cells too."""

    _accepts_missing: ClassVar[bool] = True
    _accepts_categorical: ClassVar[bool] = True
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseScoreSelector._parameter_constraints,
        "symmetric": ["boolean"],
        "categorical_features": ["array-like", StrOptions({"auto"}), None],
        "missing": [StrOptions({"probability", "ignore", "constant", "distinct"})],
        "n_jobs": N_JOBS,
    }

    def _warn_if_alone(self, table: Table) -> None:
        if len(table.X) == 2:
            warnings.warn(
                f"X has 2 rows: without the ends of a pair {type(self).__name__} finds "
                "no neighbours, and all margins are 0.",
                UserWarning,
                stacklevel=4,
            )


class ConstrainedRelief(MarginSelector):
    """Relief-Sc over one or several neighbours."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **MarginSelector._parameter_constraints,
        "must_link_weight": [Interval(Real, 0, None, closed="left")],
        "metric": [StrOptions({"manhattan", "euclidean"})],
        "exclude": [StrOptions({"pair", "self"})],
    }

    def _uses_must_link(self) -> bool:
        return bool(self.must_link_weight > 0)

    def _margins(
        self, table: Table, supervision: Supervision, n_neighbors: int
    ) -> FloatArray:
        if self.exclude == "pair":
            self._warn_if_alone(table)
        options = {
            "n_neighbors": n_neighbors,
            "must_link_weight": self.must_link_weight,
            "metric": self.metric,
            "exclude": self.exclude,
            "is_categorical": table.is_categorical,
            "n_jobs": self.n_jobs,
        }
        if supervision.is_listed:
            z = relieff_sc_score(
                table.X,
                self._directed(supervision.cannot_link),
                must_link=self._directed(supervision.must_link),
                missing=self.missing,
                labels=supervision.labels,
                **options,
            )
            self.margins_ = z / 2 if self.symmetric else z
        else:
            self.margins_ = relieff_sc_label_score(
                table.X, supervision.labels, **options
            )
        positive = np.maximum(self.margins_, 0.0)
        self.weights_ = positive / (np.linalg.norm(positive) or 1.0)
        return self.margins_

    def _lists_pairs(self, table: Table) -> bool:
        return not self.symmetric or bool(np.isnan(table.X.sum()))

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
        Who is no near-hit of an end of a pair: both ends, or only itself as published.
    metric : {"manhattan", "euclidean"}, default="manhattan"
        Distance by which neighbours are found, over the differences Δ.
    must_link_weight : float, default=0.0
        Weight of the margins of must-links, which are subtracted; 0 is published.
    categorical_features : "auto", array-like or None, default="auto"
        Qualitative columns as a mask, indices or names; ``"auto"`` takes the text,
        category and boolean columns of a data frame.
    missing : {"probability", "ignore", "constant", "distinct"}, default="probability"
        Difference to a missing cell (NaN): probability of a different value (ReliefD),
        left out (ReliefC), one minus one over the number of values (ReliefB), or one
        to a known and zero to a missing cell (Relieved-F).
    n_jobs : int, default=None
        Number of threads, None for all cores.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        The margins z, so that negative margins are still ranked.
    margins_ : ndarray of shape (n_features,)
        The margins z.
    weights_ : ndarray of shape (n_features,)
        The published weights w, the positive part of z at unit norm.
    order_ : ndarray of shape (n_features,)
        Feature indices, best first; ties go to the lower index.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature, 1 is best.
    support_ : ndarray of shape (n_features,), dtype=bool
        Mask of the selected features.
    n_features_to_select_ : int
        Number of selected features.
    n_constraints_used_ : int
        Number of pairs used.
    n_features_in_ : int
        Number of features seen in fit.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the features, when `X` has them.

    See Also
    --------
    ReliefFSc : The same over several neighbours, more robust to noise.

    Notes
    -----
    Equations 3.8 and 3.15 of [1]_, with :math:`H(x)` the nearest neighbour of x among
    all rows, and :math:`\Delta_f` the difference on feature f divided by its range over
    all rows (0 or 1 for a qualitative feature, 0 for a constant one):

    .. math::
        z_f = \sum_{(n, m)} \Delta_f(x_n, H(x_m)) - \Delta_f(x_n, H(x_n)), \qquad
        w = z^+ / \|z^+\|_2

    Features with :math:`z_f \le 0` all have :math:`w_f = 0`, hence the ranking by z.
    Distances that agree up to rounding are tied, and ties go to the smaller row.
    Quantitative cells are compared with missing ones on a discretisation of the range
    into 20 bins, given the class of the row where `y` tells it.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale, 2019.
    .. [2] S. Hijazi, D. Hamad, M. Kalakech, A. Kalakech, "Active learning of
       constraints for weighted feature selection", Advances in Data Analysis and
       Classification, 2020.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from pairsift import PairConstraints, ReliefSc
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> c = PairConstraints.sample(y, n_cannot_link=20, random_state=0)
    >>> ReliefSc(5).fit(X, constraints=c).n_constraints_used_
    20
    """

    _method: ClassVar = Method(
        name="relief-sc",
        context="constrained",
        needs="cannot-links (or labels)",
        orientation="maximised",
        cost="O(pnd) time, O(p + d) memory; O(n²d) and O(n) with labels",
        citation="Hijazi 2019, eq. 3.8",
    )

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        symmetric: bool = True,
        exclude: str = "pair",
        metric: str = "manhattan",
        must_link_weight: float = 0.0,
        categorical_features: Any = "auto",
        missing: str = "probability",
        n_jobs: int | None = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.symmetric = symmetric
        self.exclude = exclude
        self.metric = metric
        self.must_link_weight = must_link_weight
        self.categorical_features = categorical_features
        self.missing = missing
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
        Who is no near-hit of an end of a pair: both ends, or only itself as published.
    metric : {"manhattan", "euclidean"}, default="manhattan"
        Distance by which neighbours are found, over the differences Δ.
    must_link_weight : float, default=0.0
        Weight of the margins of must-links, which are subtracted; 0 is published.
    categorical_features : "auto", array-like or None, default="auto"
        Qualitative columns as a mask, indices or names; ``"auto"`` takes the text,
        category and boolean columns of a data frame.
    missing : {"probability", "ignore", "constant", "distinct"}, default="probability"
        Difference to a missing cell (NaN): probability of a different value (ReliefD),
        left out (ReliefC), one minus one over the number of values (ReliefB), or one
        to a known and zero to a missing cell (Relieved-F).
    n_jobs : int, default=None
        Number of threads, None for all cores.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        The margins z, so that negative margins are still ranked.
    margins_ : ndarray of shape (n_features,)
        The margins z.
    weights_ : ndarray of shape (n_features,)
        The published weights w, the positive part of z at unit norm.
    order_ : ndarray of shape (n_features,)
        Feature indices, best first; ties go to the lower index.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature, 1 is best.
    support_ : ndarray of shape (n_features,), dtype=bool
        Mask of the selected features.
    n_features_to_select_ : int
        Number of selected features.
    n_constraints_used_ : int
        Number of pairs used.
    n_features_in_ : int
        Number of features seen in fit.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the features, when `X` has them.

    See Also
    --------
    ReliefSc : One neighbour only; its Notes on differences, ties and missing cells
        hold here too.

    Notes
    -----
    Equation 3.16 of [1]_, with :math:`H_k(x)` the k-th nearest neighbour of x:

    .. math::
        z_f = \sum_{(n, m)} \frac1K \sum_{k=1}^K
              \Delta_f(x_n, H_k(x_m)) - \Delta_f(x_n, H_k(x_n)), \qquad
        w = z^+ / \|z^+\|_2

    Algorithm 2 of [2]_ prints :math:`\|z\|` for :math:`\|z^+\|`, and
    :math:`\Delta(x_m, H(x_n))` against its own equation 13.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale, 2019.
    .. [2] S. Hijazi, V. T. Hoang, "Constrained feature selection based on feature
       clustering and hypothesis margin", 2021.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from pairsift import PairConstraints, ReliefFSc
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> c = PairConstraints.sample(y, n_cannot_link=20, random_state=0)
    >>> selector = ReliefFSc(n_features_to_select=3).fit(X, constraints=c)
    >>> selector.transform(X).shape
    (178, 3)
    """

    _method: ClassVar = Method(
        name="relieff-sc",
        context="constrained",
        needs="cannot-links (or labels)",
        orientation="maximised",
        cost="O(pnd) time, O(pk + d) memory; O(n²d) and O(nk) with labels",
        citation="Hijazi 2019, eq. 3.16",
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
        metric: str = "manhattan",
        must_link_weight: float = 0.0,
        categorical_features: Any = "auto",
        missing: str = "probability",
        n_jobs: int | None = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_neighbors = n_neighbors
        self.symmetric = symmetric
        self.exclude = exclude
        self.metric = metric
        self.must_link_weight = must_link_weight
        self.categorical_features = categorical_features
        self.missing = missing
        self.n_jobs = n_jobs

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        return self._margins(table, supervision, n_neighbors=self.n_neighbors)


class SimbaSc(MarginSelector):
    r"""Select features by gradient ascent on the margins of cannot-links (Simba-Sc).

    Gradient ascent on the margins of :class:`ReliefSc` with Euclidean norms, where the
    neighbours are found anew in the weighted space at every step. Of two copies of a
    feature one step can make both grow, so redundancy is only partly dealt with.

    Parameters
    ----------
    n_features_to_select : int or float, default=None
        Number or share of features to select; None keeps all and only ranks.
    n_starts : int, default=5
        Number of passes, each over its own random order of the pairs; the one with the
        largest total margin is kept.
    step : float, default=1.0
        Length of the gradient steps; article and slides have 0.5, the thesis 1.
    symmetric : bool, default=True
        Step along the mean of the gradients of both directions of a pair. False is
        the published step for (n, m), with the smaller row number as n.
    categorical_features : "auto", array-like or None, default="auto"
        Qualitative columns as a mask, indices or names; ``"auto"`` takes the text,
        category and boolean columns of a data frame.
    missing : {"probability", "ignore", "constant", "distinct"}, default="probability"
        Difference to a missing cell (NaN), as in :class:`ReliefSc`.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the orders.
    n_jobs : int, default=None
        Number of threads, None for all cores.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Squared weights, the largest of which is 1; 0 for a constant feature.
    order_ : ndarray of shape (n_features,)
        Feature indices, best first; ties go to the lower index.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature, 1 is best.
    support_ : ndarray of shape (n_features,), dtype=bool
        Mask of the selected features.
    n_features_to_select_ : int
        Number of selected features.
    n_constraints_used_ : int
        Number of pairs used.
    n_features_in_ : int
        Number of features seen in fit.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the features, when `X` has them.

    Notes
    -----
    Algorithm 3.3 of [1]_, whose step is

    .. math::
        w_f \leftarrow w_f + \left[
            \frac{\Delta_f(x_n, H(x_m))^2}{\|x_n - H(x_m)\|_w} -
            \frac{\Delta_f(x_n, H(x_n))^2}{\|x_n - H(x_n)\|_w} \right] w_f

    with near-hits in the space weighted by w, neither of them n or m; at the end
    :math:`w^2 / \max w^2`. Equations 3.20 and 3.21 of [1]_ print the norms to the third
    power; the derivative has the first. A zero norm contributes nothing.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale, 2019.
    .. [2] M. Yang, J. Song, "A novel hypothesis-margin based approach for feature
       selection with side pairwise constraints", Neurocomputing 73(16-18), 2859-2872,
       2010.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from pairsift import PairConstraints, SimbaSc
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> c = PairConstraints.sample(y, n_cannot_link=20, random_state=0)
    >>> float(SimbaSc(random_state=0).fit(X, constraints=c).scores_.max())
    1.0
    """

    _method: ClassVar = Method(
        name="simba-sc",
        context="constrained",
        needs="cannot-links (or labels)",
        orientation="maximised",
        cost="O(pnd) a start, O(d) memory",
        citation="Yang, Song 2010; Hijazi 2019, algorithm 3.3",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **MarginSelector._parameter_constraints,
        "n_starts": [Interval(Integral, 1, None, closed="left")],
        "step": [Interval(Real, 0, None, closed="neither")],
        "random_state": ["random_state", np.random.Generator],
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        n_starts: int = 5,
        step: float = 1.0,
        symmetric: bool = True,
        categorical_features: Any = "auto",
        missing: str = "probability",
        random_state: RandomState = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_starts = n_starts
        self.step = step
        self.symmetric = symmetric
        self.categorical_features = categorical_features
        self.missing = missing
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        self._warn_if_alone(table)
        return simba_sc_score(
            table.X,
            supervision.cannot_link,
            n_starts=self.n_starts,
            step=self.step,
            symmetric=self.symmetric,
            is_categorical=table.is_categorical,
            missing=self.missing,
            labels=supervision.labels,
            random_state=self.random_state,
            n_jobs=self.n_jobs,
        )
