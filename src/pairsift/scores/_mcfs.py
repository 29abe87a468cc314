"""MCFS: features that explain the clusters of a graph together."""

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from pairsift import _kernels
from pairsift._checks import as_matrix, check_at_least, check_squarable
from pairsift._typing import FloatArray
from pairsift.graphs import FullGraph
from pairsift.scores._cluster_targets import cluster_targets
from pairsift.scores._columns import centred_columns
from pairsift.scores._ties import TIED, tied_scores


class ClusterFit(NamedTuple):
    """Scores, and the regressions behind them."""

    scores: FloatArray
    """(d,)"""
    coefficients: FloatArray
    """(n_targets, d)"""


def mcfs_score(
    X: FloatArray,
    S: csr_array | FloatArray | FullGraph,
    *,
    n_clusters: int = 5,
    n_nonzero: int | None = None,
) -> FloatArray:
    r"""Score features by how much they explain the clusters of a graph together.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
    S : csr_array, ndarray or FullGraph of shape (n_samples, n_samples)
        Symmetric similarities, for instance from
        :func:`pairsift.graphs.similarity_graph`. A full graph is stored.
    n_clusters : int, default=5
        Number of eigenvectors to explain, which is about the number of clusters.
    n_nonzero : int, default=None
        Most features with a coefficient in a regression; None is half of all. Never
        more than rows allow.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        Largest absolute coefficient over the regressions. A feature without any is
        between -1 and 0, the nearer to 0 the nearer it was to getting one; ``-inf``
        for a constant feature.

    See Also
    --------
    pairsift.MCFS : The same as a selector, with the coefficients.
    spec_score : Every feature by itself on the same eigenvectors.

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
    features with a coefficient have, minus 1.

    Where the graph has several components there is no unique set of eigenvectors for
    the eigenvalue 0: the largest components, 1 inside and 0 outside, take their place.
    Rows without edges are left out. Where several components are as large as the last,
    and for the eigenvectors of another multiple eigenvalue, which symmetric data have,
    the principal axes of the columns in their space are taken: they do not depend on
    the solver or the order of the rows, unless these axes are tied themselves.

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
    >>> from pairsift.graphs import similarity_graph
    >>> from pairsift.scores import mcfs_score
    >>> X = minmax_scale(load_wine().data)
    >>> scores = mcfs_score(X, similarity_graph(X), n_clusters=3, n_nonzero=3)
    >>> sorted(scores.argsort()[-3:].tolist())
    [0, 6, 7]
    """
    return fit_mcfs(X, S, n_clusters=n_clusters, n_nonzero=n_nonzero).scores


def fit_mcfs(
    X: FloatArray,
    S: csr_array | FloatArray | FullGraph,
    *,
    n_clusters: int,
    n_nonzero: int | None,
) -> ClusterFit:
    """Return what `mcfs_score` does, and the coefficients of the regressions."""
    X = as_matrix(X)
    check_squarable(X)
    check_at_least(n_clusters, "n_clusters", 1)
    # Eigenvectors have the same bits for any number of threads; and further on, these
    # would only wait for each other: the products are small.
    with _kernels.one_blas_thread():
        return _fit(X, S, n_clusters, n_nonzero)


def _fit(
    X: FloatArray,
    S: csr_array | FloatArray | FullGraph,
    n_clusters: int,
    n_nonzero: int | None,
) -> ClusterFit:
    # Other scores do not wait for scikit-learn.
    from pairsift._sklearn_compat import lasso_by_steps

    rows, targets = cluster_targets(X, S, n_clusters)
    columns = centred_columns(X[rows])
    n_steps = _n_steps(n_nonzero, *columns.shape)
    # Between copies Lasso cannot decide: the first one stands for all.
    first = np.sort(np.unique(columns, axis=1, return_index=True)[1])
    distinct = columns[:, first]
    coefficients = np.zeros((targets.shape[1], columns.shape[1]))
    coefficients[:, first] = [lasso_by_steps(distinct, y, n_steps) for y in targets.T]
    nearness = np.array(
        [
            _shares(columns, y - columns @ a)
            for y, a in zip(targets.T, coefficients, strict=True)
        ]
    )
    largest = np.abs(coefficients).max(axis=0)
    scores = np.where(largest > 0.0, largest, nearness.max(axis=0) - 1.0)
    # A copy of a feature with a coefficient is as near to one as can be: at 0, but for
    # rounding.
    scores[(scores <= 0.0) & (scores > -TIED)] = 0.0
    scores = np.where(columns.any(axis=0), scores, -np.inf)
    return ClusterFit(tied_scores(scores), coefficients)


def _n_steps(wanted: int | None, n_rows: int, n_features: int) -> int:
    if wanted is None:
        wanted = (n_features + 1) // 2
    check_at_least(wanted, "n_nonzero", 1)
    return max(1, min(wanted, n_features, n_rows - 1))


def _shares(columns: FloatArray, residual: FloatArray) -> FloatArray:
    """Return shares of the largest absolute product with the residual, 0 for none."""
    products = np.abs((columns * residual[:, None]).sum(axis=0))
    largest = products.max()
    is_left = largest > 1e-12 * np.linalg.norm(columns, axis=0).max()
    return products / largest if is_left else np.zeros_like(products)
