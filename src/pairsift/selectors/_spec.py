"""SPEC."""

from numbers import Integral
from typing import Any, ClassVar

import numpy as np

from pairsift._sklearn_compat import Interval
from pairsift._typing import FloatArray
from pairsift.constraints import is_continuous
from pairsift.exceptions import ConstraintError
from pairsift.scores import spec_label_score, spec_score
from pairsift.selectors._base import BaseScoreSelector, Supervision
from pairsift.selectors._cost import Problem, graph_seconds
from pairsift.selectors._graphs import OnGraph
from pairsift.selectors._method import Learns, Method
from pairsift.selectors._tables import Table


def _seconds(s: Any, z: Problem) -> float:
    if s.use_labels and z.m:
        return 5e-8 * z.n * z.d
    return graph_seconds(s, z) + (3e-4 * z.n if s.style == 3 else 0.0)


class SPEC(OnGraph):
    r"""Select the features that follow the smooth eigenvectors of a graph (SPEC).

    Needs no labels and no pairs; labels, when there are some, make the graph.
    The data is taken as given: where units differ, scale to [0, 1] first
    (``sklearn.preprocessing.MinMaxScaler``).

    Parameters
    ----------
    n_features_to_select : int or float, default=None
        Number or share of features to select; None keeps all and only ranks.
    style : {1, 2, 3}, default=3
        Which of the three ranking functions, see Notes. The second is the Laplacian
        score of the same graph.
    n_clusters : int, default=None
        The k of :math:`\varphi_3`, the number of clusters to look for, cut to the
        number of rows with a warning. None for the number of classes where labels are
        used, and for 8 otherwise. With 1 all features tie at 0. The other styles do not
        use it.
    graph : {"knn", "mutual-knn", "epsilon", "full"}, default="knn"
        Which rows are joined, see :func:`pairsift.graphs.similarity_graph`. In the
        third style the full graph takes an array of n_samples x n_samples.
    n_neighbors : int, default=5
        Number of nearest neighbours, cut to ``n_samples - 1``.
    kernel : str, default="gaussian"
        "gaussian", "self-tuning", "inverse", "cosine" or "binary": weight of an edge.
    epsilon : float, default=None
        Distance below which rows are joined in the epsilon graph.
    sigma : float or "auto", default=1.0
        The :math:`\sigma` of :math:`\exp(-d^2/2\sigma^2)`; ``"auto"`` is the mean
        distance to the `n_neighbors`-th neighbour.
    use_labels : bool, default=True
        Whether labels, where `y` has some, make the graph: the supervised variant,
        which uses the labelled rows only and none of the graph parameters. False
        leaves `y` alone, whatever it is.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        :math:`-\varphi_1`, :math:`-\varphi_2` or :math:`\varphi_3`, higher is better.
        A constant feature scores ``-inf`` in the first two styles, 0 in the third.
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
        Always 0.

    See Also
    --------
    pairsift.scores.spec_score : The same as a function on arrays.
    pairsift.scores.spec_label_score : The supervised variant.

    Notes
    -----
    How smooth a feature is on the graph [1]_: its quadratic form with the normalised
    Laplacian (style 1), that without the trivial eigenvector (2), or its part in the k
    first eigenvectors (3); :func:`pairsift.scores.spec_score` has the formulas.

    The first two are minimised, and stored negated. :math:`\gamma` of [1]_ is the
    identity. The supervised variant has :math:`s_{ij} = 1/n_l` for two rows of class l,
    and for a row with itself; its eigenvectors are known, so it takes a pass over the
    data.

    A constant feature, best of all by :math:`\varphi_1` as published, ranks last. Where
    k cuts through a multiple eigenvalue, as in a graph of more than k components, the
    sum over all its eigenvectors counts, times the share that k leaves room for: the
    result does not depend on which of them an eigensolver happens to return.

    References
    ----------
    .. [1] Z. Zhao, H. Liu, "Spectral feature selection for supervised and
       unsupervised learning", ICML 24, 1151-1157, 2007.

    Examples
    --------
    >>> from pairsift import SPEC
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import minmax_scale
    >>> X, y = load_wine(return_X_y=True)
    >>> X = minmax_scale(X)
    >>> SPEC(3).fit(X).get_support(indices=True)
    array([ 6,  9, 12])
    >>> SPEC(3).fit(X, y).get_support(indices=True)
    array([ 6,  9, 12])
    """

    _method: ClassVar = Method(
        name="spec",
        learns_from=Learns(labels="if given"),
        orientation="maximised",
        cost="O(n²d) time, O(nk) memory",
        seconds=_seconds,
        citation="Zhao, Liu 2007, ICML",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseScoreSelector._parameter_constraints,
        **OnGraph._graph_constraints,
        "style": [Interval(Integral, 1, 3, closed="both")],
        "n_clusters": [None, Interval(Integral, 1, None, closed="left")],
        "use_labels": ["boolean"],
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        style: int = 3,
        n_clusters: int | None = None,
        graph: str = "knn",
        n_neighbors: int = 5,
        kernel: str = "gaussian",
        epsilon: float | None = None,
        sigma: float | str = 1.0,
        use_labels: bool = True,
        n_jobs: int | None = -1,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.style = style
        self.n_clusters = n_clusters
        self.graph = graph
        self.n_neighbors = n_neighbors
        self.kernel = kernel
        self.epsilon = epsilon
        self.sigma = sigma
        self.use_labels = use_labels
        self.n_jobs = n_jobs

    def _resolve(
        self,
        table: Table,
        y: Any,
        constraints: Any,
        sample_ids: Any,
        missing_label: Any = "auto",
    ) -> Supervision:
        self.n_constraints_used_ = 0
        if not self.use_labels:
            y = None
        elif y is not None and is_continuous(y):
            raise ValueError(
                "y must hold class labels, got a continuous target: SPEC uses labels "
                "where there are some; pass use_labels=False to leave y alone."
            )
        known = self._known(table, y, constraints, sample_ids, missing_label)
        if known.labels is None or not (known.labels >= 0).any():
            return known._replace(labels=None)
        if np.unique(known.labels[known.labels >= 0]).size < 2:
            raise ConstraintError(
                "SPEC needs at least two classes, but y has 1 class: pass "
                f"use_labels=False to leave y alone.{known.hint}"
            )
        return known

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        if supervision.labels is not None:
            return spec_label_score(
                table.X,
                supervision.labels,
                style=self.style,
                n_clusters=self.n_clusters,
            )
        return spec_score(
            table.X,
            self._similarities(table.X),
            style=self.style,
            n_clusters=self.n_clusters,
            n_jobs=self.n_jobs,
        )
