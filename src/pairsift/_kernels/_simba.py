"""Gradient steps of Simba-Sc, with neighbours in the weighted space."""

import numpy as np
from numba import prange

from pairsift._kernels._diff import cell_difference
from pairsift._kernels._jit import kernel
from pairsift._kernels._neighbors import (
    BLOCK_ROWS,
    distances_to_block,
    distances_with_missing,
    keep_nearest,
)

CHUNK_ROWS = 32 * BLOCK_ROWS


@kernel()
def simba_pass(X, X_transposed, pairs, columns, step, symmetric, weights):
    """One pass over ordered cannot-links (n, m) in the order given, changing `weights`.

    w_f += step · w_f [ Δ_f(x_n, H(x_m))² / ||x_n - H(x_m)||_w
                        - Δ_f(x_n, H(x_n))² / ||x_n - H(x_n)||_w ]

    with the mean over (n, m) and (m, n) in place of the bracket when `symmetric`.
    """
    gradient = np.empty(weights.size)
    for p in range(pairs.shape[0]):
        n, m = pairs[p]
        hits = nearest_to_pair(X, X_transposed, n, m, columns, weights)
        gradient[:] = 0.0
        share = 0.5 if symmetric else 1.0
        _add_gradient(X, n, hits[1], columns, weights, share, gradient)
        _add_gradient(X, n, hits[0], columns, weights, -share, gradient)
        if symmetric:
            _add_gradient(X, m, hits[0], columns, weights, share, gradient)
            _add_gradient(X, m, hits[1], columns, weights, -share, gradient)
        for f in range(weights.size):
            weights[f] += step * gradient[f] * weights[f]


@kernel()
def total_margin(X, X_transposed, pairs, columns, symmetric, weights):
    """Σ ||x_n - H(x_m)||_w - ||x_n - H(x_n)||_w over the ordered pairs (n, m)."""
    total = 0.0
    for p in range(pairs.shape[0]):
        n, m = pairs[p]
        hits = nearest_to_pair(X, X_transposed, n, m, columns, weights)
        if hits[0] < 0 or hits[1] < 0:
            continue
        margin = _norm(X, n, hits[1], columns, weights)
        margin -= _norm(X, n, hits[0], columns, weights)
        if symmetric:
            margin += _norm(X, m, hits[0], columns, weights)
            margin -= _norm(X, m, hits[1], columns, weights)
            margin *= 0.5
        total += margin
    return total


@kernel()
def nearest_to_pair(X, X_transposed, n, m, columns, weights):
    """Rows nearest to n and to m, neither of them n or m; -1 where there is none."""
    n_chunks = (X.shape[0] + CHUNK_ROWS - 1) // CHUNK_ROWS
    rows = np.full((n_chunks, 2), -1, dtype=np.int64)
    distances = np.full((n_chunks, 2), np.inf)
    if n_chunks == 1:
        # Starting threads would take longer than the search.
        _search_chunk(X, X_transposed, n, m, 0, columns, weights, rows, distances)
        return rows[0]
    _search_chunks(X, X_transposed, n, m, columns, weights, rows, distances)
    nobody = np.empty(0, dtype=np.int64)
    for chunk in range(1, n_chunks):
        for end in range(2):
            # The best of the chunks so far is kept in line 0.
            keep_nearest(
                distances[chunk, end : end + 1],
                rows[chunk, end],
                1,
                nobody,
                X.shape[1],
                rows[0, end : end + 1],
                distances[0, end : end + 1],
            )
    return rows[0]


@kernel(parallel=True)
def _search_chunks(X, X_transposed, n, m, columns, weights, rows, distances):
    for chunk in prange(rows.shape[0]):
        _search_chunk(X, X_transposed, n, m, chunk, columns, weights, rows, distances)


@kernel()
def _search_chunk(X, X_transposed, n, m, chunk, columns, weights, rows, distances):
    """Fill line `chunk` of the tables with the rows nearest to n and to m in it."""
    start = chunk * CHUNK_ROWS
    stop = min(start + CHUNK_ROWS, X.shape[0])
    for end in range(2):
        _nearest_in(
            X,
            X_transposed,
            n if end == 0 else m,
            m if end == 0 else n,
            start,
            stop,
            columns,
            weights,
            rows[chunk, end : end + 1],
            distances[chunk, end : end + 1],
        )


@kernel()
def _nearest_in(
    X, X_transposed, a, partner, start, stop, columns, weights, row, distance
):
    """Row nearest to a among start..stop-1, in arrays of one element."""
    n_features = X.shape[1]
    has_missing = columns.codes.shape[0] > 0
    found = np.empty(BLOCK_ROWS)
    excluded = np.array([a, partner])
    for first in range(start, stop, BLOCK_ROWS):
        n_rows = min(BLOCK_ROWS, stop - first)
        if has_missing:
            distances_with_missing(X, a, first, n_rows, columns, weights, True, found)
        else:
            distances_to_block(
                X[a], X_transposed, first, n_rows, columns, weights, True, found
            )
        keep_nearest(found, first, n_rows, excluded, n_features, row, distance)


@kernel(inline=True)
def _norm(X, a, b, columns, weights):
    """||x_a - x_b||_w = (Σ_f (w_f Δ_f)²)^½, ignored differences left out."""
    total = 0.0
    for f in range(weights.size):
        delta = cell_difference(X, a, b, f, columns) * weights[f]
        if not np.isnan(delta):
            total += delta * delta
    return np.sqrt(total)


@kernel()
def _add_gradient(X, a, b, columns, weights, sign, gradient):
    """Add sign · Δ_f(a, b)² / ||x_a - x_b||_w; nothing when the norm is 0."""
    if b < 0:
        return
    norm = _norm(X, a, b, columns, weights)
    if norm == 0.0:
        return
    for f in range(weights.size):
        delta = cell_difference(X, a, b, f, columns)
        if not np.isnan(delta):
            gradient[f] += sign * delta * delta / norm
