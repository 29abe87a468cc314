"""Degrees, Laplacians, and the quadratic forms of all features at once."""

import numpy as np
from scipy.sparse import csr_array, diags_array, issparse

from pairsift import _kernels
from pairsift._blocks import Blocks, OneBlock, Rows
from pairsift._checks import check_choice, check_squarable_range
from pairsift._typing import BoolArray, FloatArray, PairArray
from pairsift.graphs._full_graph import FullGraph
from pairsift.graphs._in_blocks import as_blocks, rows_of_pairs


def degrees(S: csr_array | FloatArray | FullGraph) -> FloatArray:
    """Return the degree of every node, the sum of the weights of its edges.

    Parameters
    ----------
    S : csr_array, ndarray or FullGraph of shape (n_samples, n_samples)
        Symmetric similarities.

    Returns
    -------
    d : ndarray of shape (n_samples,)
        Degrees.
    """
    if isinstance(S, FullGraph):
        return S.sums(np.empty((S.shape[0], 0)))[0]
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


def spreads(d: FloatArray, X: Rows, among: BoolArray | None = None) -> FloatArray:
    r"""Return :math:`\tilde f^T D \tilde f` for every column f of X.

    Here :math:`\tilde f = f - \frac{f^T D 1}{1^T D 1}` is the column without its mean
    weighted by the degrees.

    Parameters
    ----------
    d : ndarray of shape (n_samples,)
        Degrees of the nodes, none of them negative and not all of them 0.
    X : ndarray of shape (n_samples, n_features)
        The features.
    among : ndarray of shape (n_samples,), dtype=bool, default=None
        Rows over which to sum; the mean is always that of all rows.

    Returns
    -------
    spreads : ndarray of shape (n_features,)
        Exactly 0 for a feature that is constant on the nodes that have edges.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.graphs import spreads
    >>> spreads(np.array([1.0, 1.0, 2.0]), np.array([[0.0], [4.0], [2.0]]))
    array([8.])
    """
    if not d.any():
        raise ValueError(
            "the graph joins no two rows by a weight above 0: scale X first, or choose "
            "sigma (for example 'auto') or epsilon larger."
        )
    blocks = as_blocks(X)
    # Counted from a row that has edges, a feature constant on all of those is 0.
    origin = blocks.rows(np.flatnonzero(d)[:1])[0]
    mean = blocks.reduce(_weighted_sums, np.add, origin, by_row=d) / d.sum()
    if among is not None:
        d = np.where(among, d, 0.0)
    return blocks.reduce(_weighted_squares, np.add, origin, mean, by_row=d)


def _weighted_sums(
    X: FloatArray, first_row: int, d: FloatArray, origin: FloatArray
) -> FloatArray:
    # Sums over rows, not products of matrices: equal columns get equal bits.
    return (d[:, None] * (X - origin)).sum(axis=0)


def _weighted_squares(
    X: FloatArray, first_row: int, d: FloatArray, origin: FloatArray, mean: FloatArray
) -> FloatArray:
    return (d[:, None] * (X - origin - mean) ** 2).sum(axis=0)


def quadratic_forms(
    S: csr_array | FloatArray | FullGraph, X: Rows, *, n_jobs: int | None = -1
) -> FloatArray:
    r"""Return :math:`f^T L f` for every column f of X, with :math:`L = D - S`.

    Summed as :math:`\frac12 \sum_{nm} s_{nm} (f_n - f_m)^2` over the edges, which loses
    no digits when the form is small, and without any temporary of the size of `S`.

    Parameters
    ----------
    S : csr_array, ndarray or FullGraph of shape (n_samples, n_samples)
        Symmetric similarities.
    X : ndarray of shape (n_samples, n_features)
        The features.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

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
    return degrees_and_forms(S, X, n_jobs=n_jobs)[1]


def degrees_and_forms(
    S: csr_array | FloatArray | FullGraph, X: Rows, *, n_jobs: int | None = -1
) -> tuple[FloatArray, FloatArray]:
    """Return what :func:`degrees` and :func:`quadratic_forms` do, in one pass.

    Parameters
    ----------
    S : csr_array, ndarray or FullGraph of shape (n_samples, n_samples)
        Symmetric similarities.
    X : ndarray of shape (n_samples, n_features)
        The features.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Returns
    -------
    d : ndarray of shape (n_samples,)
        Degrees.
    forms : ndarray of shape (n_features,)
        Quadratic forms.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.graphs import degrees_and_forms
    >>> degrees_and_forms(np.array([[0.0, 2.0], [2.0, 0.0]]), np.array([[1.0], [4.0]]))
    (array([2., 2.]), array([18.]))
    """
    blocks = as_blocks(X)
    low, high, _ = blocks.extremes
    check_squarable_range(low, high)
    check_graph(S, blocks)
    if isinstance(S, FullGraph):
        return S.sums(blocks, n_jobs)
    if isinstance(blocks, OneBlock) and not issparse(S):
        weights = np.ascontiguousarray(S, dtype=np.float64)
        return degrees(S), _kernels.dense_forms(blocks.X, weights, n_jobs)
    if isinstance(blocks, OneBlock):
        return degrees(S), _forms(blocks.X, csr_array(S), n_jobs)
    return degrees(S), _forms_in_parts(blocks, csr_array(S), n_jobs)


def _forms(X: FloatArray, S: csr_array, n_jobs: int | None) -> FloatArray:
    """Sum over the edges of S to smaller rows."""
    indptr, indices = S.indptr.astype(np.int64), S.indices.astype(np.int64)
    return _kernels.sparse_forms(X, indptr, indices, S.data, n_jobs)


def _forms_in_parts(blocks: Blocks, S: csr_array, n_jobs: int | None) -> FloatArray:
    """Sum over some edges at a time, and gather the rows that they join."""
    first = np.repeat(np.arange(S.shape[0]), np.diff(S.indptr))
    is_used = (S.indices < first) & (S.data != 0.0)
    weights = S.data[is_used]
    edges: PairArray = np.column_stack([first, S.indices])[is_used]
    forms = np.zeros(blocks.shape[1])
    for some in rows_of_pairs(blocks, edges):
        # Places are in the order of rows: smaller ones stay smaller.
        cells = (weights[some.part], (some.pairs[:, 0], some.pairs[:, 1]))
        size = some.rows.size
        forms += _forms(some.X, csr_array(cells, shape=(size, size)), n_jobs)
    return forms


def check_graph(S: csr_array | FloatArray | FullGraph, X: Rows) -> None:
    """Refuse a graph of other rows than those of X."""
    if S.shape != (len(X), len(X)):
        raise ValueError(
            f"S must have one row and column for each of the {len(X)} rows of X, got "
            f"shape {S.shape}."
        )
