"""SCGS."""

from numbers import Integral, Real
from typing import Any, ClassVar

from sklearn.exceptions import ConvergenceWarning

from pairsift._sklearn_compat import Interval, StrOptions
from pairsift._typing import FloatArray
from pairsift._warnings import warn_caller
from pairsift.constraints import LabelledPairs, is_continuous
from pairsift.graphs import similarity_graph
from pairsift.scores import fit_scgs, not_converged
from pairsift.selectors._base import (
    N_JOBS,
    FromClasses,
    Supervision,
    refuse_contradiction,
    warn_of_conflicts,
)
from pairsift.selectors._cost import graph_seconds
from pairsift.selectors._graphs import N_NEIGHBORS, SIGMA
from pairsift.selectors._method import Learns, Method
from pairsift.selectors._tables import Table


class SCGS(FromClasses):
    r"""Select features by sparse weights fitted to labels, pairs and neighbours (SCGS).

    Semi-supervised, pairwise constraint-guided sparse learning. Classes come from
    labels or, without any, from the groups of rows joined by must-links; pairs are
    those given or, without any, all pairs of labelled rows; all rows make the graph.
    The data is taken as given: where units differ, scale to [0, 1] first
    (``sklearn.preprocessing.MinMaxScaler``).

    Parameters
    ----------
    n_features_to_select : int or float, default=None
        Number or share of features to select; None keeps all and only ranks.
    alpha : float, default=0.1
        Weight of the penalty, from 0 to 1, as a share of the smallest that makes all
        weights 0: the larger, the fewer features have weights.
    beta : float, default=1.0
        Weight of the pairs.
    gamma : float, default=1.0
        Weight of the graph, which is not built when this is 0.
    penalty : {"l1", "l21"}, default="l1"
        Sum of the absolute weights, or of the norms of the features' weights over the
        classes, which selects a feature for all classes or for none.
    n_neighbors : int, default=5
        Number of nearest neighbours to which a row is joined, cut to
        ``n_samples - 1``.
    sigma : float or "auto", default=1.0
        The :math:`\sigma` of :math:`\exp(-d^2/2\sigma^2)`; ``"auto"`` is the mean
        distance to the `n_neighbors`-th neighbour.
    max_iter : int, default=20000
        Most proximal steps to take.
    tol : float, default=1e-8
        Where to stop: at this duality gap, as a share of the objective at zero weights.
    n_jobs : int or None, default=-1
        Number of threads that look for neighbours: -1 for all cores, None as in joblib.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        For a feature with weights, their norm over the classes. For one without, from
        -1 to 0, how near it is to getting some. ``-inf`` for a constant feature.
    coef_ : ndarray of shape (n_classes, n_features)
        Weight of each feature for each class; classes are in sorted order, groups of
        must-links in order of their smallest row.
    n_iter_ : int
        Number of proximal steps taken.
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
    pairsift.scores.scgs_score : The same as a function on arrays.

    Notes
    -----
    After [1]_ as outlined in section 5.3.4 of [2]_: a linear model of the classes, with
    a term of the pairs, a term of the graph and a sparse penalty;
    :func:`pairsift.scores.scgs_score` has the formula. Our sources outline the terms
    but do not print them, so their form is decided there.

    Groups of must-links that belong to one class are told apart like all others when
    they have to serve as classes: labels of even a few rows do better.

    Features without weights would all tie at 0. They are ranked by the size of their
    gradient instead, as a share of what would give them weights, minus 1.

    References
    ----------
    .. [1] M. Liu, D. Zhang, "Pairwise constraint-guided sparse learning for feature
       selection", IEEE Transactions on Cybernetics 46(1), 298-310, 2016.
    .. [2] A. Salmi, K. Hammouche, L. Macaire, "Similarity-based constraint score
       for feature selection", Knowledge-Based Systems 209, 106429, 2020,
       doi:10.1016/j.knosys.2020.106429.

    Examples
    --------
    >>> from pairsift import SCGS, PairConstraints
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import minmax_scale
    >>> X, y = load_wine(return_X_y=True)
    >>> X = minmax_scale(X)
    >>> SCGS(3).fit(X, y).get_support(indices=True)
    array([ 6,  9, 12])
    >>> pairs = PairConstraints.sample(y, 30, 30, random_state=0)
    >>> SCGS(3).fit(X, constraints=pairs).n_constraints_used_
    60
    """

    _method: ClassVar = Method(
        name="scgs",
        learns_from=Learns(must="for classes", cannot="if any", labels="as pairs"),
        orientation="maximised",
        cost="O(n²d) time, O(nd) memory",
        seconds=lambda s, z: graph_seconds(s, z) + 1e-6 * z.n * z.d,
        citation="Liu, Zhang 2016; Salmi 2020, section 5.3.4",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **FromClasses._parameter_constraints,
        "alpha": [Interval(Real, 0, 1, closed="right")],
        "beta": [Interval(Real, 0, None, closed="left")],
        "gamma": [Interval(Real, 0, None, closed="left")],
        "penalty": [StrOptions({"l1", "l21"})],
        "n_neighbors": N_NEIGHBORS,
        "sigma": SIGMA,
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "n_jobs": N_JOBS,
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        alpha: float = 0.1,
        beta: float = 1.0,
        gamma: float = 1.0,
        penalty: str = "l1",
        n_neighbors: int = 5,
        sigma: float | str = 1.0,
        max_iter: int = 20_000,
        tol: float = 1e-8,
        n_jobs: int | None = -1,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.alpha = alpha
        self.beta = beta
        self.gamma = gamma
        self.penalty = penalty
        self.n_neighbors = n_neighbors
        self.sigma = sigma
        self.max_iter = max_iter
        self.tol = tol
        self.n_jobs = n_jobs

    def _resolve(
        self,
        table: Table,
        y: Any,
        constraints: Any,
        sample_ids: Any,
        missing_label: Any = "auto",
    ) -> Supervision:
        # In a pipeline for regression, y is no label and the pairs are all there is.
        labels = None if constraints is not None and is_continuous(y) else y
        known = super()._resolve(table, labels, constraints, sample_ids, missing_label)
        assert known.labels is not None  # FromClasses sees to it
        n_pairs = len(known.must_link) + len(known.cannot_link)
        if constraints is None:
            pairs = LabelledPairs(known.labels)
            n_pairs = pairs.count("must") + pairs.count("cannot")
            known = known._replace(is_listed=False)
        if self.beta > 0:
            if constraints is not None:
                warn_of_conflicts(constraints)
            refuse_contradiction(known, type(self).__name__)
            self.n_constraints_used_ = n_pairs
        return known

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        S = None
        if self.gamma > 0:
            S = similarity_graph(
                table.X,
                n_neighbors=self.n_neighbors,
                sigma=self.sigma,
                n_jobs=self.n_jobs,
            )
        fit = fit_scgs(
            table.X,
            supervision.labels,
            S,
            must_link=supervision.must_link if supervision.is_listed else None,
            cannot_link=supervision.cannot_link if supervision.is_listed else None,
            alpha=self.alpha,
            beta=self.beta,
            gamma=self.gamma,
            penalty=self.penalty,
            max_iter=self.max_iter,
            tol=self.tol,
        )
        if fit.gap > self.tol:
            message = f"SCGS did not converge: {not_converged(fit, self.tol)}"
            warn_caller(message, ConvergenceWarning)
        self.coef_, self.n_iter_ = fit.coef.T, fit.n_iter
        return fit.scores
