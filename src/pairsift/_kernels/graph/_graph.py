"""Quadratic forms f'Lf = ½ Σ_nm s_nm (f_n - f_m)² of all columns over a graph."""

import numpy as np

from pairsift._kernels._jit import N_BLOCKS, kernel, on_threads, sum_of_blocks
from pairsift._typing import FloatArray, IndexArray, PairArray

# Rows of X that stay in the cache while others pass over them: 8 (vectors) times an odd
# number, so that they do not fall on the same lines of the cache.
ROWS_IN_CACHE = 104


def sparse_forms(
    X: FloatArray,
    indptr: IndexArray,
    indices: IndexArray,
    weights: FloatArray,
    n_jobs: int | None = -1,
) -> FloatArray:
    """Forms of a symmetric S in CSR form, both directions of every edge stored.

    X : (n, d); returns (d,).
    """

    def add(first, last, forms):
        _add_sparse(X, indptr, indices, weights, first, last, forms)

    return sum_of_blocks(n_jobs, X.shape[1], add, cost=0.2 * indices.size * X.shape[1])


def dense_forms(X: FloatArray, S: FloatArray, n_jobs: int | None = -1) -> FloatArray:
    """Forms of a symmetric S of shape (n, n); X : (n, d); returns (d,)."""

    def add(first, last, forms):
        _add_dense(X, S, first, last, forms)

    return sum_of_blocks(n_jobs, X.shape[1], add, cost=0.3 * len(X) * X.size)


@kernel()
def add_rows_of_forms(X, Y, S, start, forms):
    """Add the forms of the edges from rows start, start + 1, ... to smaller rows.

    X : (n, d), rows 0, 1, ...; Y : (k, d), rows start, start + 1, ..., which may be
    among those of X, or before or behind them; S : (k, n) their similarities.
    """
    n_samples = X.shape[0]
    for first in range(0, min(start + S.shape[0], n_samples), ROWS_IN_CACHE):
        behind = min(first + ROWS_IN_CACHE, n_samples)
        for r in range(S.shape[0]):
            for m in range(first, min(behind, start + r)):
                _add_edge(Y, r, X, m, S[r, m], forms)


def squared_distances(X: FloatArray, Y: FloatArray) -> FloatArray:
    """Squared distances of the rows of Y to those of X : (len(Y), len(X))."""
    squared = np.empty((len(Y), len(X)))

    def fill(first, last):
        _fill_squares(X, Y[first:last], squared[first:last])

    cost = 0.1 * len(Y) * X.size
    on_threads(1, len(Y), fill, cost=cost, is_counted=False)
    return squared


@kernel()
def _fill_squares(X, Y, squared):
    """Fill in squared distances; the inner loop runs over rows of a transposed block.

    So it is vectorised without touching the order of the sums.
    """
    n_samples, n_features = X.shape
    block = np.zeros((n_features, ROWS_IN_CACHE))
    sums = np.empty(ROWS_IN_CACHE)
    for first in range(0, n_samples, ROWS_IN_CACHE):
        n_rows = min(ROWS_IN_CACHE, n_samples - first)
        for r in range(n_rows):
            for j in range(n_features):
                block[j, r] = X[first + r, j]
        for q in range(Y.shape[0]):
            sums[:] = 0.0
            for j in range(n_features):
                x = Y[q, j]
                for r in range(ROWS_IN_CACHE):
                    delta = block[j, r] - x
                    sums[r] += delta * delta
            for r in range(n_rows):
                squared[q, first + r] = sums[r]


def pair_distances(X: FloatArray, pairs: PairArray) -> FloatArray:
    """Squared distances (p,) of pairs (p, 2) of rows."""
    squared = np.empty(len(pairs))

    def fill(first, last):
        _fill_distances(X, pairs[first:last], squared[first:last])

    on_threads(1, len(pairs), fill, cost=0.5 * len(pairs) * X.shape[1])
    return squared


@kernel()
def _fill_distances(X, pairs, squared):
    terms = np.empty(X.shape[1])
    for p in range(pairs.shape[0]):
        a, b = pairs[p, 0], pairs[p, 1]
        for j in range(X.shape[1]):
            delta = X[a, j] - X[b, j]
            terms[j] = delta * delta
        squared[p] = terms.sum()


@kernel()
def _add_sparse(X, indptr, indices, weights, first, last, forms):
    n_samples = X.shape[0]
    for block in range(first, last):
        start = block * n_samples // N_BLOCKS
        stop = (block + 1) * n_samples // N_BLOCKS
        sums = forms[block]
        for n in range(start, stop):
            for e in range(indptr[n], indptr[n + 1]):
                # The other direction of the edge is the same number.
                if indices[e] < n:
                    _add_edge(X, n, X, indices[e], weights[e], sums)


@kernel()
def _add_dense(X, S, first, last, forms):
    for block in range(first, last):
        sums = forms[block]
        # Strided rows, because the triangle gives later rows more work.
        for n in range(block, X.shape[0], N_BLOCKS):
            for m in range(n):
                _add_edge(X, n, X, m, S[n, m], sums)


@kernel(inline=True)
def _add_edge(X, n, Y, m, weight, forms):
    """Add s (x_nf - y_mf)² to every form."""
    if weight == 0.0:
        return
    for f in range(forms.size):
        delta = X[n, f] - Y[m, f]
        forms[f] += weight * delta * delta
