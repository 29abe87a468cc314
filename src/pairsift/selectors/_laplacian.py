"""LaplacianScore."""

from typing import Any, ClassVar

from pairsift._typing import FloatArray
from pairsift.scores import laplacian_score
from pairsift.selectors._base import BaseScoreSelector, Supervision
from pairsift.selectors._cost import graph_seconds
from pairsift.selectors._graphs import OnGraph
from pairsift.selectors._method import NOTHING, Method
from pairsift.selectors._tables import Table


class LaplacianScore(OnGraph):
    r"""Select the features that keep neighbouring rows together.

    Needs no labels and no pairs.
    The data is taken as given: where units differ, scale to [0, 1] first
    (``sklearn.preprocessing.MinMaxScaler``).

    Parameters
    ----------
    n_features_to_select : int or float, default=None
        Number or share of features to select; None keeps all and only ranks.
    graph : {"knn", "mutual-knn", "epsilon", "full"}, default="knn"
        Which rows are joined, see :func:`pairsift.graphs.similarity_graph`. The full
        graph is never stored, but takes time in proportion to n_samples².
    n_neighbors : int, default=5
        Number of nearest neighbours, cut to ``n_samples - 1``.
    epsilon : float, default=None
        Distance below which rows are joined in the epsilon graph.
    kernel : str, default="gaussian"
        "gaussian", "self-tuning", "inverse", "cosine" or "binary": weight of an edge.
    sigma : float or "auto", default="auto"
        The :math:`\sigma` of :math:`\exp(-d^2/2\sigma^2)`; ``"auto"`` is the mean
        distance to the `n_neighbors`-th neighbour.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Negated Laplacian scores, so that higher is better; ``-inf`` for a constant
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
        Always 0.

    Notes
    -----
    Equations 1.25 and 1.26 of [1]_, negated because [2]_ prefers small values: how much
    a feature differs along the edges of the graph, divided by its variance;
    :func:`pairsift.scores.laplacian_score` has the formula. Equation 1.24 of [1]_
    prints :math:`\exp(-d^2/\sigma^2)`. The tables of [1]_ come out with ``graph="full",
    kernel="self-tuning", n_neighbors=7``.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.
    .. [2] X. He, D. Cai, P. Niyogi, "Laplacian score for feature selection", NIPS
       18, 507-514, 2005.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import minmax_scale
    >>> from pairsift import LaplacianScore
    >>> X = minmax_scale(load_wine().data)
    >>> LaplacianScore(3).fit(X).get_support(indices=True)
    array([ 6, 11, 12])
    """

    _method: ClassVar = Method(
        name="laplacian-score",
        learns_from=NOTHING,
        orientation="minimised",
        cost="O(n²d) time, O(nk) memory",
        seconds=graph_seconds,
        citation="He, Cai, Niyogi 2005; Hijazi 2019, eq. 1.25",
        aliases=("laplacian",),
        dask=True,
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseScoreSelector._parameter_constraints,
        **OnGraph._graph_constraints,
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        graph: str = "knn",
        n_neighbors: int = 5,
        epsilon: float | None = None,
        kernel: str = "gaussian",
        sigma: float | str = "auto",
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
        S = self._similarities(table.X)
        return laplacian_score(table.X, S, n_jobs=self.n_jobs)
