"""Quadratic forms f'Lf = ½ Σ_nm s_nm (f_n - f_m)² of all columns over a graph."""

from pairsift._kernels._jit import N_BLOCKS, kernel, sum_of_blocks
from pairsift._typing import FloatArray, IndexArray


def sparse_forms(
    X: FloatArray,
    indptr: IndexArray,
    indices: IndexArray,
    weights: FloatArray,
    n_jobs: int | None = None,
) -> FloatArray:
    """Forms of a symmetric S in CSR form, both directions of every edge stored.

    X : (n, d); returns (d,).
    """

    def add(first, last, forms):
        _add_sparse(X, indptr, indices, weights, first, last, forms)

    return sum_of_blocks(n_jobs, X.shape[1], add)


def dense_forms(X: FloatArray, S: FloatArray, n_jobs: int | None = None) -> FloatArray:
    """Forms of a symmetric S of shape (n, n); X : (n, d); returns (d,)."""

    def add(first, last, forms):
        _add_dense(X, S, first, last, forms)

    return sum_of_blocks(n_jobs, X.shape[1], add)


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
                    _add_edge(X, n, indices[e], weights[e], sums)


@kernel()
def _add_dense(X, S, first, last, forms):
    for block in range(first, last):
        sums = forms[block]
        # Strided rows, because the triangle gives later rows more work.
        for n in range(block, X.shape[0], N_BLOCKS):
            for m in range(n):
                _add_edge(X, n, m, S[n, m], sums)


@kernel(inline=True)
def _add_edge(X, n, m, weight, forms):
    """Add s (x_nf - x_mf)² to every form."""
    if weight == 0.0:
        return
    for f in range(forms.size):
        delta = X[n, f] - X[m, f]
        forms[f] += weight * delta * delta
