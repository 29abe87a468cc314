"""Constraint scores 1 to 4 as selectors."""

from numbers import Real
from typing import Any, ClassVar

from pairsift._sklearn_compat import Interval
from pairsift._typing import FloatArray
from pairsift.scores import (
    PairSums,
    fit_constraint_score_1,
    fit_constraint_score_2,
    fit_constraint_score_3,
    fit_constraint_score_4,
    nearest_rows_graph,
    sums_of_classes,
    sums_of_pairs,
)
from pairsift.selectors._base import N_JOBS, FromPairs, Supervision
from pairsift.selectors._cost import graph_seconds
from pairsift.selectors._graphs import N_NEIGHBORS, OnGraph
from pairsift.selectors._method import BOTH_LINKS, EITHER_LINKS, Learns, Method
from pairsift.selectors._tables import Table

NOT_NEGATIVE = [Interval(Real, 0, None, closed="left")]


class FromForms(FromPairs):
    """Base of the scores to which pairs matter only by their sums of squares."""

    def _lists_pairs(self, table: Table) -> bool:
        return False

    def _sums(self, X: FloatArray, known: Supervision) -> PairSums:
        if known.is_listed or known.labels is None:
            return sums_of_pairs(X, known.must_link, known.cannot_link)
        return sums_of_classes(X, known.labels)


class ConstraintScore1(FromForms):
    """Select the features on which must-links are near and cannot-links far (CS1).

    Needs must-links and cannot-links.
    Given labels and no pairs, all pairs of labelled rows are used.
    A feature's unit does not matter.

    Parameters
    ----------
    n_features_to_select : int or float, default=None
        Number or share of features to select; None keeps all and only ranks.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Negated constraint scores, so that higher is better; ``-inf`` where all
        cannot-links are 0 apart.
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
    pairsift.scores.constraint_score_1 : The same as a function on arrays.

    Notes
    -----
    Equation 8 of [1]_, after [2]_: the sum of squared differences over the must-links
    divided by that over the cannot-links, see
    :func:`pairsift.scores.constraint_score_1`.

    References
    ----------
    .. [1] A. Salmi, K. Hammouche, L. Macaire, "Similarity-based constraint score
       for feature selection", Knowledge-Based Systems 209, 106429, 2020,
       doi:10.1016/j.knosys.2020.106429.
    .. [2] D. Zhang, S. Chen, Z.-H. Zhou, "Constraint score: a new filter method for
       feature selection with pairwise constraints", Pattern Recognition 41(5),
       1440-1451, 2008.

    Examples
    --------
    >>> from pairsift import ConstraintScore1, PairConstraints
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import minmax_scale
    >>> X, y = load_wine(return_X_y=True)
    >>> X = minmax_scale(X)
    >>> pairs = PairConstraints.sample(y, 30, 30, random_state=0)
    >>> selector = ConstraintScore1(3).fit(X, constraints=pairs)
    >>> selector.get_support(indices=True)
    array([ 6, 11, 12])
    """

    _method: ClassVar = Method(
        name="constraint-score-1",
        learns_from=BOTH_LINKS,
        orientation="minimised",
        cost="O(pd), O(nd) from labels",
        seconds=lambda s, z: 1e-8 * (z.n + (0 if z.m else z.p)) * z.d,
        citation="Zhang, Chen, Zhou 2008; Salmi 2020, eq. 8",
        dask=True,
    )
    _accepts_sparse: ClassVar[bool] = True

    def __init__(self, n_features_to_select: int | float | None = None) -> None:
        self.n_features_to_select = n_features_to_select

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        return fit_constraint_score_1(self._sums(table.X, supervision))


class ConstraintScore2(FromForms):
    r"""Select features by must-links minus weighted cannot-links (CS2).

    Needs must-links or cannot-links.
    Given labels and no pairs, all pairs of labelled rows are used.
    The data is taken as given: where units differ, scale to [0, 1] first
    (``sklearn.preprocessing.MinMaxScaler``).

    Parameters
    ----------
    n_features_to_select : int or float, default=None
        Number or share of features to select; None keeps all and only ranks.
    lambda_ : float, default=0.1
        Weight of the cannot-links.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Negated constraint scores, so that higher is better; 0 for a constant
        feature.
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
    pairsift.scores.constraint_score_2 : The same as a function on arrays.

    Notes
    -----
    Equations 9 and 11 of [1]_, after [2]_: the sum of squared differences over the
    must-links minus `lambda_` times that over the cannot-links, see
    :func:`pairsift.scores.constraint_score_2`. Every pair counts once. [1]_ uses
    :math:`\lambda = 1`, [2]_ 0.1.

    References
    ----------
    .. [1] A. Salmi, K. Hammouche, L. Macaire, "Similarity-based constraint score
       for feature selection", Knowledge-Based Systems 209, 106429, 2020,
       doi:10.1016/j.knosys.2020.106429.
    .. [2] D. Zhang, S. Chen, Z.-H. Zhou, "Constraint score: a new filter method for
       feature selection with pairwise constraints", Pattern Recognition 41(5),
       1440-1451, 2008.

    Examples
    --------
    >>> from pairsift import ConstraintScore2, PairConstraints
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import minmax_scale
    >>> X, y = load_wine(return_X_y=True)
    >>> X = minmax_scale(X)
    >>> pairs = PairConstraints.sample(y, 30, 30, random_state=0)
    >>> selector = ConstraintScore2(3).fit(X, constraints=pairs)
    >>> selector.get_support(indices=True)
    array([ 3,  6, 12])
    """

    _method: ClassVar = Method(
        name="constraint-score-2",
        learns_from=EITHER_LINKS,
        orientation="minimised",
        cost="O(pd), O(nd) from labels",
        seconds=lambda s, z: 1e-8 * (z.n + (0 if z.m else z.p)) * z.d,
        citation="Zhang, Chen, Zhou 2008; Salmi 2020, eq. 9",
        dask=True,
    )
    _accepts_sparse: ClassVar[bool] = True
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **FromForms._parameter_constraints,
        "lambda_": NOT_NEGATIVE,
    }

    def __init__(
        self, n_features_to_select: int | float | None = None, *, lambda_: float = 0.1
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.lambda_ = lambda_

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        return fit_constraint_score_2(self._sums(table.X, supervision), self.lambda_)


class ConstraintScore3(FromForms):
    """Select features by must-links and neighbours over cannot-links (CS3, LSDF).

    Needs cannot-links; must-links and unlabelled rows add to what should be near.
    Given labels and no pairs, all pairs of labelled rows are used.
    The data is taken as given: where units differ, scale to [0, 1] first
    (``sklearn.preprocessing.MinMaxScaler``).
    Also importable as ``LSDF``.

    Parameters
    ----------
    n_features_to_select : int or float, default=None
        Number or share of features to select; None keeps all and only ranks.
    gamma : float, default=100.0
        Weight of a must-link beside that of two neighbours, 1.
    n_neighbors : int, default=5
        Number of nearest neighbours, cut to ``n_samples - 1``.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Negated constraint scores, so that higher is better; ``-inf`` where all
        cannot-links are 0 apart.
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
    pairsift.scores.constraint_score_3 : The same as a function on arrays.

    Notes
    -----
    Equations 12 and 13 of [1]_, after [2]_: the spread of a feature over must-links and
    neighbours divided by that over cannot-links, see
    :func:`pairsift.scores.constraint_score_3`. Two rows are neighbours when either is
    among the nearest of the other.

    References
    ----------
    .. [1] A. Salmi, K. Hammouche, L. Macaire, "Similarity-based constraint score
       for feature selection", Knowledge-Based Systems 209, 106429, 2020,
       doi:10.1016/j.knosys.2020.106429.
    .. [2] J. Zhao, K. Lu, X. He, "Locality sensitive semi-supervised feature
       selection", Neurocomputing 71, 1842-1849, 2008.

    Examples
    --------
    >>> from pairsift import ConstraintScore3, PairConstraints
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import minmax_scale
    >>> X, y = load_wine(return_X_y=True)
    >>> X = minmax_scale(X)
    >>> pairs = PairConstraints.sample(y, 30, 30, random_state=0)
    >>> selector = ConstraintScore3(3).fit(X, constraints=pairs)
    >>> selector.get_support(indices=True)
    array([ 6, 11, 12])
    """

    _method: ClassVar = Method(
        name="constraint-score-3",
        learns_from=Learns(must="if any", cannot="required", labels="as pairs"),
        orientation="minimised",
        cost="O(n²d) time, O(nk) memory",
        seconds=graph_seconds,
        citation="Zhao, Lu, He 2008; Salmi 2020, eq. 13",
        aliases=("lsdf",),
        dask=True,
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **FromForms._parameter_constraints,
        "gamma": NOT_NEGATIVE,
        "n_neighbors": N_NEIGHBORS,
        "n_jobs": N_JOBS,
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        gamma: float = 100.0,
        n_neighbors: int = 5,
        n_jobs: int | None = -1,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.gamma = gamma
        self.n_neighbors = n_neighbors
        self.n_jobs = n_jobs

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        return fit_constraint_score_3(
            table.X,
            self._sums(table.X, supervision),
            nearest_rows_graph(table.X, self.n_neighbors, self.n_jobs),
            gamma=self.gamma,
            n_jobs=self.n_jobs,
        )


LSDF = ConstraintScore3


class ConstraintScore4(OnGraph, FromForms):
    r"""Select features by the Laplacian score times constraint score 1 (CS4).

    Needs must-links and cannot-links.
    Given labels and no pairs, all pairs of labelled rows are used.
    The data is taken as given: where units differ, scale to [0, 1] first
    (``sklearn.preprocessing.MinMaxScaler``).

    Parameters
    ----------
    n_features_to_select : int or float, default=None
        Number or share of features to select; None keeps all and only ranks.
    graph : {"full", "knn", "mutual-knn", "epsilon"}, default="full"
        Which rows are joined, see :func:`pairsift.graphs.similarity_graph`. The full
        graph is never stored, but takes time in proportion to n_samples².
    n_neighbors : int, default=5
        Number of nearest neighbours, cut to ``n_samples - 1``.
    epsilon : float, default=None
        Distance below which rows are joined in the epsilon graph.
    kernel : str, default="gaussian"
        "gaussian", "self-tuning", "inverse", "cosine" or "binary": weight of an edge.
    sigma : float or "auto", default=1.0
        The :math:`\sigma` of :math:`\exp(-d^2/2\sigma^2)`; ``"auto"`` is the mean
        distance to the `n_neighbors`-th neighbour.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Negated constraint scores, so that higher is better; ``-inf`` where either
        denominator is 0.
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
    pairsift.scores.constraint_score_4 : The same as a function on arrays.

    Notes
    -----
    Equations 14 to 16 of [1]_, after [2]_: the Laplacian score times
    :class:`ConstraintScore1`, see :func:`pairsift.scores.constraint_score_4`. In the
    full graph each row has an edge to itself, of weight 1, as equation 1 has it; it
    counts in the degrees (equation 3).

    References
    ----------
    .. [1] A. Salmi, K. Hammouche, L. Macaire, "Similarity-based constraint score
       for feature selection", Knowledge-Based Systems 209, 106429, 2020,
       doi:10.1016/j.knosys.2020.106429.
    .. [2] M. Kalakech, P. Biela, L. Macaire, D. Hamad, "Constraint scores for
       semi-supervised feature selection: a comparative study", Pattern
       Recognition Letters 32, 656-665, 2011.

    Examples
    --------
    >>> from pairsift import ConstraintScore4, PairConstraints
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import minmax_scale
    >>> X, y = load_wine(return_X_y=True)
    >>> X = minmax_scale(X)
    >>> pairs = PairConstraints.sample(y, 30, 30, random_state=0)
    >>> selector = ConstraintScore4(3).fit(X, constraints=pairs)
    >>> selector.get_support(indices=True)
    array([ 6, 11, 12])
    """

    _method: ClassVar = Method(
        name="constraint-score-4",
        learns_from=BOTH_LINKS,
        orientation="minimised",
        cost="O(n²d) time, O(n) memory",
        seconds=graph_seconds,
        citation="Kalakech et al. 2011; Salmi 2020, eq. 14",
        cheaper={"graph": "knn"},
        dask=True,
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **FromForms._parameter_constraints,
        **OnGraph._graph_constraints,
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        graph: str = "full",
        n_neighbors: int = 5,
        epsilon: float | None = None,
        kernel: str = "gaussian",
        sigma: float | str = 1.0,
        n_jobs: int | None = -1,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.graph = graph
        self.n_neighbors = n_neighbors
        self.epsilon = epsilon
        self.kernel = kernel
        self.sigma = sigma
        self.n_jobs = n_jobs

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        sums = self._sums(table.X, supervision)
        S = self._similarities(table.X, loops=True)
        return fit_constraint_score_4(table.X, sums, S, self.n_jobs)
