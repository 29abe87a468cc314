"""Quadratic forms f'Lf = ½ Σ_nm s_nm (f_n - f_m)² of all columns over a graph."""

import numpy as np
from numba import prange

from pairsift._kernels._jit import N_BLOCKS, kernel


@kernel(parallel=True)
def sparse_forms(X, indptr, indices, weights):
    """Forms of a symmetric S in CSR form, both directions of every edge stored.

    X : (n, d); returns (d,).
    """
    n_samples, n_features = X.shape
    forms = np.zeros((N_BLOCKS, n_features))
    for block in prange(N_BLOCKS):
        first = block * n_samples // N_BLOCKS
        last = (block + 1) * n_samples // N_BLOCKS
        for n in range(first, last):
            for e in range(indptr[n], indptr[n + 1]):
                # The other direction of the edge is the same number.
                if indices[e] < n:
                    _add_edge(X, n, indices[e], weights[e], forms[block])
    return forms.sum(axis=0)


@kernel(parallel=True)
def dense_forms(X, S):
    """Forms of a symmetric S of shape (n, n); X : (n, d); returns (d,)."""
    n_samples, n_features = X.shape
    forms = np.zeros((N_BLOCKS, n_features))
    for block in prange(N_BLOCKS):
        # Strided rows, because the triangle gives later rows more work.
        for n in range(block, n_samples, N_BLOCKS):
            for m in range(n):
                _add_edge(X, n, m, S[n, m], forms[block])
    return forms.sum(axis=0)


@kernel(inline=True)
def _add_edge(X, n, m, weight, forms):
    """Add s (x_nf - x_mf)² to every form."""
    if weight == 0.0:
        return
    for f in range(forms.size):
        delta = X[n, f] - X[m, f]
        forms[f] += weight * delta * delta
