"""Laplacian score: features that keep neighbours together and vary overall."""

import numpy as np
from scipy.sparse import csr_array

from pairsift._blocks import Rows
from pairsift._typing import FloatArray
from pairsift.graphs import FullGraph, degrees_and_forms, spreads
from pairsift.scores._in_blocks import as_blocks


def laplacian_score(
    X: Rows, S: csr_array | FloatArray | FullGraph, *, n_jobs: int | None = -1
) -> FloatArray:
    r"""Score features by how well they respect a graph of the rows.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
    S : csr_array, ndarray or FullGraph of shape (n_samples, n_samples)
        Symmetric similarities, for instance from
        :func:`pairsift.graphs.similarity_graph`.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        Negated Laplacian scores; ``-inf`` for a feature that is constant on the nodes
        that have edges.

    Notes
    -----
    Equations 1.25 and 1.26 of [1]_, negated because [2]_ prefers small values:

    .. math::
        LS_f = \frac{\tilde f^T L \tilde f}{\tilde f^T D \tilde f}, \qquad
        \tilde f = f - \frac{f^T D 1}{1^T D 1} 1

    The sum form 1.23 of [1]_ counts every edge twice and takes the plain mean.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.
    .. [2] X. He, D. Cai, P. Niyogi, "Laplacian score for feature selection", NIPS
       18, 507-514, 2005.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import laplacian_score
    >>> S = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    >>> laplacian_score(np.array([[0.0, 0.0], [1.0, 2.0], [2.0, 0.0]]), S)
    array([-1., -2.])
    """
    blocks = as_blocks(X)
    d, forms = degrees_and_forms(S, blocks, n_jobs=n_jobs)
    return negated_ratio(forms, spreads(d, blocks))


def negated_ratio(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """Turn a ratio that is minimised around; the worst where there is none."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = numerator / denominator
    return np.where(denominator > 0, -ratio, -np.inf)
