"""Degrees, Laplacians, and the quadratic forms of all features at once."""

import numpy as np
from scipy.sparse import csr_array, diags_array, issparse

from pairsift import _kernels
from pairsift._checks import as_matrix, check_choice
from pairsift._typing import FloatArray


def degrees(S: csr_array | FloatArray) -> FloatArray:
    """Return the degree of every node, the sum of the weights of its edges.

    Parameters
    ----------
    S : csr_array or ndarray of shape (n_samples, n_samples)
        Symmetric similarities.

    Returns
    -------
    d : ndarray of shape (n_samples,)
        Degrees.
    """
    return np.asarray(S.sum(axis=1)).ravel()


def laplacian(
    S: csr_array | FloatArray, normalization: str | None = None
) -> csr_array | FloatArray:
    r"""Return a Laplacian matrix of a graph.

    Parameters
    ----------
    S : csr_array or ndarray of shape (n_samples, n_samples)
        Symmetric similarities with a zero diagonal.
    normalization : {None, "symmetric", "random-walk"}, default=None
        None is :math:`L = D - S`, the others :math:`D^{-1/2} L D^{-1/2}` and
        :math:`D^{-1} L`. The row of a node without edges is zero.

    Returns
    -------
    L : csr_array or ndarray of shape (n_samples, n_samples)
        Sparse when `S` is.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.graphs import laplacian
    >>> laplacian(np.array([[0.0, 2.0], [2.0, 0.0]]), "random-walk")
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    check_choice(normalization, "normalization", (None, "symmetric", "random-walk"))
    d = degrees(S)
    L = csr_array(diags_array(d) - S) if issparse(S) else np.diag(d) - S
    if normalization is None:
        return L
    power = {"symmetric": 0.5, "random-walk": 1.0}[normalization]
    left = np.divide(1.0, d**power, out=np.zeros_like(d), where=d > 0)
    right = left if normalization == "symmetric" else np.ones_like(d)
    if issparse(S):
        return csr_array(diags_array(left) @ L @ diags_array(right))
    return left[:, None] * L * right


def quadratic_forms(
    S: csr_array | FloatArray, X: FloatArray, *, n_jobs: int | None = None
) -> FloatArray:
    r"""Return :math:`f^T L f` for every column f of X, with :math:`L = D - S`.

    Summed as :math:`\frac12 \sum_{nm} s_{nm} (f_n - f_m)^2` over the edges, which loses
    no digits when the form is small, and without any temporary of the size of `S`.

    Parameters
    ----------
    S : csr_array or ndarray of shape (n_samples, n_samples)
        Symmetric similarities.
    X : ndarray of shape (n_samples, n_features)
        The features.
    n_jobs : int, default=None
        Number of threads, None for all cores.

    Returns
    -------
    forms : ndarray of shape (n_features,)
        Quadratic forms, never negative when `S` has no negative weight.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.graphs import quadratic_forms
    >>> quadratic_forms(np.array([[0.0, 2.0], [2.0, 0.0]]), np.array([[1.0], [4.0]]))
    array([18.])
    """
    X = as_matrix(X)
    if S.shape != (len(X), len(X)):
        raise ValueError(
            f"S must have one row and column for each of the {len(X)} rows of X, got "
            f"shape {S.shape}."
        )
    if issparse(S):
        S = csr_array(S)
        indptr, indices = S.indptr.astype(np.int64), S.indices.astype(np.int64)
        return _kernels.sparse_forms(X, indptr, indices, S.data, n_jobs)
    return _kernels.dense_forms(X, np.ascontiguousarray(S, dtype=np.float64), n_jobs)
