"""Gradient steps of Simba-Sc, with neighbours in the weighted space."""

import numpy as np

from pairsift._kernels._diff import cell_difference
from pairsift._kernels._jit import kernel
from pairsift._kernels._neighbors import (
    BLOCK_ROWS,
    distances_with_missing,
    keep_nearest,
)


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
    n_samples, n_features = X.shape
    has_missing = columns.codes.shape[0] > 0
    excluded = np.array([n, m])
    rows = np.full((2, 1), -1, dtype=np.int64)
    distances = np.full((2, 1), np.inf)
    found = np.empty(BLOCK_ROWS)
    for start in range(0, n_samples, BLOCK_ROWS):
        n_rows = min(BLOCK_ROWS, n_samples - start)
        for end in range(2):
            a = excluded[end]
            if has_missing:
                distances_with_missing(
                    X, a, start, n_rows, columns, weights, True, found
                )
            else:
                distances_to_block(
                    X[a], X_transposed, start, n_rows, columns, weights, found
                )
            keep_nearest(
                found, start, n_rows, excluded, n_features, rows[end], distances[end]
            )
    return rows[0, 0], rows[1, 0]


@kernel()
def distances_to_block(query, X_transposed, start, n_rows, columns, weights, distance):
    """Squared distances of one row to the rows start, ... , none with missing cells."""
    distance[:n_rows] = 0.0
    for j in range(query.size):
        x, factor = query[j], weights[j] * columns.scale[j]
        values = X_transposed[j, start : start + n_rows]
        if columns.is_nominal[j]:
            for r in range(n_rows):
                distance[r] += factor * factor if values[r] != x else 0.0
        else:
            for r in range(n_rows):
                delta = (values[r] - x) * factor
                distance[r] += delta * delta


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
