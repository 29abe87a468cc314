"""Gradient steps of Simba-Sc, with neighbours in the weighted space."""

import numpy as np

from pairsift._kernels._diff import Columns, known_difference, missing_difference
from pairsift._kernels._jit import kernel, on_threads
from pairsift._kernels._neighbors import keep_nearest
from pairsift._typing import FloatArray, PairArray

# Nanoseconds per cell for the neighbours of a pair, about.
PAIR_COST = 2.0


def simba_pass(
    X: FloatArray,
    pairs: PairArray,
    columns: Columns,
    step: float,
    symmetric: bool,
    weights: FloatArray,
) -> None:
    """One pass over ordered cannot-links (n, m) in the order given, changing `weights`.

    w_f += step · w_f [ Δ_f(x_n, H(x_m))² / ||x_n - H(x_m)||_w
                        - Δ_f(x_n, H(x_n))² / ||x_n - H(x_n)||_w ]

    with the mean over (n, m) and (m, n) in place of the bracket when `symmetric`.
    """

    def go(first, last):
        _pass(X, pairs[first:last], columns, step, symmetric, weights)

    on_threads(1, len(pairs), go, cost=PAIR_COST * len(pairs) * X.size)


def total_margin(
    X: FloatArray,
    pairs: PairArray,
    columns: Columns,
    symmetric: bool,
    weights: FloatArray,
) -> float:
    """Σ ||x_n - H(x_m)||_w - ||x_n - H(x_n)||_w over the ordered pairs (n, m)."""
    totals = []

    def add(first, last):
        totals.append(_total(X, pairs[first:last], columns, symmetric, weights))

    on_threads(1, len(pairs), add, cost=PAIR_COST * len(pairs) * X.size)
    return sum(totals)


@kernel()
def _pass(X, pairs, columns, step, symmetric, weights):
    gradient = np.empty(weights.size)
    for p in range(pairs.shape[0]):
        n, m = pairs[p]
        hits = nearest_to_pair(X, n, m, columns, weights)
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
def _total(X, pairs, columns, symmetric, weights):
    total, deltas = 0.0, np.empty(weights.size)
    for p in range(pairs.shape[0]):
        n, m = pairs[p]
        hits = nearest_to_pair(X, n, m, columns, weights)
        if hits[0] < 0 or hits[1] < 0:
            continue
        margin = _differences(X, n, hits[1], columns, weights, deltas)
        margin -= _differences(X, n, hits[0], columns, weights, deltas)
        if symmetric:
            margin += _differences(X, m, hits[0], columns, weights, deltas)
            margin -= _differences(X, m, hits[1], columns, weights, deltas)
            margin *= 0.5
        total += margin
    return total


@kernel()
def nearest_to_pair(X, n, m, columns, weights):
    """Rows nearest to n and to m, neither of them n or m; -1 where there is none."""
    everyone, ends = np.arange(X.shape[0]), np.array([n, m])
    rows = np.full((2, 1), -1, dtype=np.int64)
    distances = np.full((2, 1), np.inf)
    for e in range(2):
        keep_nearest(
            X, ends[e], everyone, ends, columns, weights, True, rows[e], distances[e]
        )
    return rows[0, 0], rows[1, 0]


@kernel()
def _differences(X, a, b, columns, weights, deltas):
    """Fill in Δ_f(a, b), 0 where it is ignored, and return ||x_a - x_b||_w."""
    scale, is_nominal = columns.scale, columns.is_nominal
    total = 0.0
    for f in range(deltas.size):
        delta = abs(X[a, f] - X[b, f])
        if np.isnan(delta):
            delta = missing_difference(X, a, b, f, columns)
        else:
            delta = known_difference(delta, is_nominal[f], scale[f])
        deltas[f] = 0.0 if np.isnan(delta) else delta
        total += (deltas[f] * weights[f]) ** 2
    return np.sqrt(total)


@kernel()
def _add_gradient(X, a, b, columns, weights, sign, gradient):
    """Add sign · Δ_f(a, b)² / ||x_a - x_b||_w; nothing when the norm is 0."""
    if b < 0:
        return
    deltas = np.empty(weights.size)
    norm = _differences(X, a, b, columns, weights, deltas)
    if norm > 0.0:
        for f in range(weights.size):
            gradient[f] += sign * deltas[f] * deltas[f] / norm
