"""sSelect: features whose clusters are separate on a graph and agree with labels."""

from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.special import xlogy

from pairsift._checks import as_matrix
from pairsift._typing import BoolArray, FloatArray, IndexArray
from pairsift.graphs import FullGraph, degrees_and_forms, spreads
from pairsift.scores._irelief import class_codes

ROUNDING = 1e-9


def sselect_score(
    X: FloatArray,
    S: csr_array | FloatArray | FullGraph,
    labels: Any,
    *,
    lambda_: float = 0.1,
    n_jobs: int | None = -1,
) -> FloatArray:
    r"""Score features by the clusters that they make of the rows.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
    S : csr_array, ndarray or FullGraph of shape (n_samples, n_samples)
        Symmetric similarities, for instance from
        :func:`pairsift.graphs.similarity_graph`.
    labels : array-like of shape (n_samples,)
        Class numbers, at least two of them, and -1 for unlabelled rows.
    lambda_ : float, default=0.1
        Weight of the separation of the clusters, from 0 to 1; their agreement with
        the labels weighs the rest.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        Negated scores, so that higher is better; ``-inf`` for a feature that is
        constant on the rows that have edges.

    Notes
    -----
    A feature f becomes a cluster indicator, orthogonal to the degrees, and is judged by
    how its two clusters are separated on the graph of all rows and by how they agree
    with the labels y of the labelled rows ([1]_, and section 3.3 of [2]_):

    .. math::
        g = f - \frac{f^T D 1}{1^T D 1} 1, \qquad
        s_f = \lambda \frac{g^T L g}{g^T D g}
              + (1 - \lambda) (1 - \mathrm{NMI}(\mathrm{sign}(g), y))

    which is minimised, and negated here. The first fraction is the Laplacian score.

    Three things are settled here. The mutual information is normalised by the
    geometric mean of the two entropies, and is 0 where either of them is. A row with
    :math:`g \ge 0` is in one cluster, one with :math:`g < 0` in the other, where
    :math:`g` counts as 0 when rounding alone makes it differ: down to
    :math:`-10^{-9} \max |g|`. And a constant feature, for which the first fraction
    is not defined, ranks last.

    References
    ----------
    .. [1] Z. Zhao, H. Liu, "Semi-supervised feature selection via spectral
       analysis", SDM 7, 641-646, 2007.
    .. [2] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import sselect_score
    >>> S = np.array([[0.0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]])
    >>> X = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
    >>> sselect_score(X, S, [0, -1, -1, 1])
    array([-0. , -0.2])
    """
    X = as_matrix(X)
    if not 0 <= lambda_ <= 1:
        raise ValueError(f"lambda_ must be a number from 0 to 1, got {lambda_!r}.")
    codes = class_codes(labels, len(X))
    d, forms = degrees_and_forms(S, X, n_jobs=n_jobs)
    spread = spreads(d, X)
    disagreement = 1.0 - _agreement(_is_high(X, d)[codes >= 0], codes[codes >= 0])
    separation = forms / np.where(spread > 0, spread, 1.0)
    sums = lambda_ * separation + (1.0 - lambda_) * disagreement
    return np.where(spread > 0, -sums, -np.inf)


def _is_high(X: FloatArray, d: FloatArray) -> BoolArray:
    """Tell which cells are not below the mean of their column weighted by d."""
    indicator = X - X[np.flatnonzero(d)[0]]
    indicator -= (d[:, None] * indicator).sum(axis=0) / d.sum()
    return np.asarray(indicator >= -ROUNDING * np.abs(indicator).max(axis=0))


def _agreement(is_high: BoolArray, codes: IndexArray) -> FloatArray:
    """Return the normalised mutual information of every column and the classes."""
    n_rows = len(codes)
    is_member = codes[:, None] == np.arange(codes.max() + 1)
    sizes = is_member.sum(axis=0).astype(np.float64)
    # Counts of rows are exact, however the product of matrices is computed.
    high = is_high.T.astype(np.float64) @ is_member.astype(np.float64)
    clusters = np.stack([high.sum(axis=1), n_rows - high.sum(axis=1)], axis=1)
    of_clusters, of_classes = _entropy(clusters), _entropy(sizes)
    of_both = _entropy(np.hstack([high, sizes - high]))
    information = of_clusters + of_classes - of_both
    ratio = np.zeros(len(high))
    np.divide(
        information,
        # Of a column in one cluster, rounding may leave an entropy below 0.
        np.sqrt(np.maximum(of_clusters * of_classes, 0.0)),
        out=ratio,
        where=(clusters > 0).all(axis=1),
    )
    return np.clip(ratio, 0.0, 1.0)


def _entropy(counts: FloatArray) -> FloatArray:
    total = counts.sum(axis=-1)
    return np.asarray(np.log(total) - xlogy(counts, counts).sum(axis=-1) / total)
