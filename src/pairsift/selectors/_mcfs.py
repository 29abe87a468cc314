"""MCFS: features that explain the clusters of a graph together."""

from numbers import Integral
from typing import Any, ClassVar

import numpy as np

from pairsift._sklearn_compat import Interval
from pairsift._typing import FloatArray
from pairsift.scores import fit_mcfs
from pairsift.selectors._base import BaseScoreSelector, Supervision
from pairsift.selectors._cost import graph_seconds
from pairsift.selectors._graphs import OnGraph
from pairsift.selectors._method import NOTHING, Method
from pairsift.selectors._tables import Table


class MCFS(OnGraph):
    r"""Select the features that explain the clusters of the rows together (MCFS).

    The smoothest eigenvectors of a similarity graph show its clusters. Each is
    explained by few features in a sparse regression, and features with a large
    coefficient are good; of features that say the same, one has it. Needs no labels and
    no pairs.
    The data is taken as given: where units differ, scale to [0, 1] first
    (``sklearn.preprocessing.MinMaxScaler``).

    Parameters
    ----------
    n_features_to_select : int or float, default=None
        Number or share of features to select; None keeps all and only ranks.
    n_clusters : int, default=5
        Number of eigenvectors to explain, which is about the number of clusters.
    n_nonzero : int, default=None
        Most features with a coefficient in a regression. None is the number of features
        to select or, where that is None, half of all; never more than rows allow.
    graph : {"knn", "mutual-knn", "epsilon", "full"}, default="knn"
        Which rows are joined, see :func:`pairsift.graphs.similarity_graph`. The full
        graph takes an array of n_samples x n_samples.
    n_neighbors : int, default=5
        Number of nearest neighbours, cut to ``n_samples - 1``.
    kernel : str, default="gaussian"
        "gaussian", "self-tuning", "inverse", "cosine" or "binary": weight of an edge.
    epsilon : float, default=None
        Distance below which rows are joined in the epsilon graph.
    sigma : float or "auto", default="auto"
        The :math:`\sigma` of :math:`\exp(-d^2/2\sigma^2)`; ``"auto"`` is the mean
        distance to the `n_neighbors`-th neighbour.
    n_jobs : int or None, default=-1
        Number of threads that build the graph: -1 for all cores, None as in joblib.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Largest absolute coefficient over the regressions. A feature without any is
        between -1 and 0, the nearer to 0 the nearer it was to getting one; ``-inf``
        for a constant feature.
    coef_ : ndarray of shape (n_targets, n_features)
        The coefficients.
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
    SPEC : Every feature by itself on the same eigenvectors.
    pairsift.scores.mcfs_score : The same as a function on arrays.

    Notes
    -----
    Equations 3.4 to 3.6 of [1]_ after [2]_: Lasso explains the eigenvectors, and a
    feature counts by its largest coefficient. :func:`pairsift.scores.mcfs_score` has
    the formula, and what is done about ties.

    References
    ----------
    .. [1] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.
    .. [2] D. Cai, C. Zhang, X. He, "Unsupervised feature selection for
       multi-cluster data", KDD 16, 333-342, 2010.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import minmax_scale
    >>> from pairsift import MCFS
    >>> X, _ = load_wine(return_X_y=True)
    >>> MCFS(3, n_clusters=3).fit(minmax_scale(X)).get_support(indices=True)
    array([0, 6, 7])
    """

    _method: ClassVar = Method(
        name="mcfs",
        learns_from=NOTHING,
        orientation="maximised",
        cost="O(n²d) for the graph, O(nds) an eigenvector with s steps",
        seconds=lambda s, z: graph_seconds(s, z) + (2e-4 + 1e-6 * z.d) * z.n,
        citation="Cai, Zhang, He 2010; Coelho 2013, eq. 3.4-3.6",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseScoreSelector._parameter_constraints,
        **OnGraph._graph_constraints,
        "n_clusters": [Interval(Integral, 1, None, closed="left")],
        "n_nonzero": [None, Interval(Integral, 1, None, closed="left")],
    }

    coef_: FloatArray

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        n_clusters: int = 5,
        n_nonzero: int | None = None,
        graph: str = "knn",
        n_neighbors: int = 5,
        kernel: str = "gaussian",
        epsilon: float | None = None,
        sigma: float | str = "auto",
        n_jobs: int | None = -1,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_clusters = n_clusters
        self.n_nonzero = n_nonzero
        self.graph = graph
        self.n_neighbors = n_neighbors
        self.kernel = kernel
        self.epsilon = epsilon
        self.sigma = sigma
        self.n_jobs = n_jobs

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        X = table.X.astype(np.float64)
        n_nonzero = self.n_nonzero
        if n_nonzero is None and self.n_features_to_select is not None:
            n_nonzero = self._number_to_select(X.shape[1])
        fit = fit_mcfs(
            X,
            self._similarities(X),
            n_clusters=self.n_clusters,
            n_nonzero=n_nonzero,
        )
        self.coef_ = fit.coefficients
        return fit.scores
