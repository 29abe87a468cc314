"""MCFS: features that explain the clusters of a graph together."""

import warnings
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import lars_path

from pairsift import _kernels
from pairsift._checks import check_squarable
from pairsift._docstrings import documented
from pairsift._sklearn_compat import Interval
from pairsift._typing import FloatArray
from pairsift.scores import centred_columns, cluster_targets
from pairsift.selectors._base import BaseScoreSelector, Supervision
from pairsift.selectors._cost import graph_seconds
from pairsift.selectors._graphs import OnGraph
from pairsift.selectors._method import NOTHING, Method
from pairsift.selectors._tables import Table


@documented
class MCFS(OnGraph):
    r"""Select the features that explain the clusters of the rows together (MCFS).

    The smoothest eigenvectors of a similarity graph show its clusters. Each is
    explained by few features in a sparse regression, and features with a large
    coefficient are good; of features that say the same, one has it. Needs no labels and
    no pairs.
    {units}

    Parameters
    ----------
    {n_features_to_select}
    n_clusters : int, default=5
        Number of eigenvectors to explain, which is about the number of clusters.
    n_nonzero : int, default=None
        Most features with a coefficient in a regression. None is the number of features
        to select or, where that is None, half of all; never more than rows allow.
    graph : {"knn", "mutual-knn", "epsilon", "full"}, default="knn"
        Which rows are joined, see :func:`pairsift.graphs.similarity_graph`. The full
        graph takes an array of n_samples x n_samples.
    {n_neighbors, kernel, epsilon, sigma_auto}
    n_jobs : int, default=None
        Number of threads that build the graph, None for all cores.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Largest absolute coefficient over the regressions. A feature without any is
        between -1 and 0, the nearer to 0 the nearer it was to getting one; ``-inf``
        for a constant feature.
    coef_ : ndarray of shape (n_targets, n_features)
        The coefficients.
    {fitted}

    See Also
    --------
    SPEC : Every feature by itself on the same eigenvectors.

    Notes
    -----
    Equations 3.4 to 3.6 of [1]_ after [2]_. The eigenvectors
    :math:`L \vartheta_k = \lambda_k D \vartheta_k` with the smallest eigenvalues beside
    the constant one ([1]_ prints the largest) are explained by Lasso, from least angle
    regression stopped at `n_nonzero` steps:

    .. math::
        \min_{a_k} \|\vartheta_k - X a_k\|^2 \quad \text{s.t. } |a_k| \le \gamma_k,
        \qquad \text{score}_f = \max_k |a_{kf}|

    Columns and eigenvectors are centred, and eigenvectors of unit length, so that each
    counts the same. Of equal columns the first one gets the coefficient. Features
    without any, which the sources leave tied at 0, are ordered by their largest share,
    over k, of the correlation with what is left of :math:`\vartheta_k` that the
    features with a coefficient have, less 1.

    Where the graph has several components there is no unique set of eigenvectors for
    the eigenvalue 0: the largest components, 1 inside and 0 outside, take their place.
    Rows without edges are left out. Where several components are as large as the last,
    and for the eigenvectors of another multiple eigenvalue, which symmetric data have,
    the principal axes of the columns in their space are taken: they do not depend on
    the solver or the order of the rows, unless these axes are tied themselves.

    References
    ----------
    {coelho2013, cai2010}

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
        n_jobs: int | None = None,
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
        check_squarable(X)
        rows, targets = cluster_targets(X, self._similarities(X), self.n_clusters)
        columns = centred_columns(X[rows])
        n_steps = self._n_steps(*columns.shape)
        # Between copies Lasso cannot decide: the first one stands for all.
        first = np.sort(np.unique(columns, axis=1, return_index=True)[1])
        distinct = columns[:, first]
        self.coef_ = np.zeros((targets.shape[1], columns.shape[1]))
        # Threads would only wait for each other: the products are small.
        with _kernels.one_blas_thread():
            self.coef_[:, first] = [_lasso(distinct, y, n_steps) for y in targets.T]
        nearness = np.array(
            [
                _shares(columns, y - columns @ a)
                for y, a in zip(targets.T, self.coef_, strict=True)
            ]
        )
        largest = np.abs(self.coef_).max(axis=0)
        scores = np.where(largest > 0.0, largest, nearness.max(axis=0) - 1.0)
        return np.where(columns.any(axis=0), scores, -np.inf)

    def _n_steps(self, n_rows: int, n_features: int) -> int:
        wanted = self.n_nonzero
        if wanted is None and self.n_features_to_select is not None:
            wanted = self._number_to_select(n_features)
        elif wanted is None:
            wanted = (n_features + 1) // 2
        return max(1, min(wanted, n_features, n_rows - 1))


def _lasso(columns: FloatArray, target: FloatArray, n_steps: int) -> FloatArray:
    """Coefficients after `n_steps` steps of least angle regression."""
    with warnings.catch_warnings():
        # A column that others add up to is left out, as it should be.
        warnings.simplefilter("ignore", ConvergenceWarning)
        _, _, path = lars_path(columns, target, method="lasso", max_iter=n_steps)
    return path[:, -1]


def _shares(columns: FloatArray, residual: FloatArray) -> FloatArray:
    """Return shares of the largest absolute product with the residual, 0 for none."""
    products = np.abs((columns * residual[:, None]).sum(axis=0))
    largest = products.max()
    is_left = largest > 1e-12 * np.linalg.norm(columns, axis=0).max()
    return products / largest if is_left else np.zeros_like(products)
