"""Gradient steps of Simba, with near-hits and near-misses in the weighted space."""

import numpy as np

from pairsift._kernels._jit import kernel, on_threads
from pairsift._kernels.relief._columns import Columns
from pairsift._kernels.relief._simba import (
    _add_gradient,
    _differences,
    keep_nearest,
)
from pairsift._typing import FloatArray, IndexArray

# Nanoseconds per cell for the neighbours of a row, about.
ROW_COST = 0.2


def simba_label_pass(
    X: FloatArray,
    order: IndexArray,
    labels: IndexArray,
    columns: Columns,
    step: float,
    weights: FloatArray,
) -> None:
    """One pass over the rows in the order given, changing `weights`.

    w_f += step · w_f [ Δ_f(x, M(x))² / ||x - M(x)||_w
                        - Δ_f(x, H(x))² / ||x - H(x)||_w ]

    X : (n, d); order : (r,) rows; labels : (n,) class numbers; weights : (d,). A row
    without a hit or without a miss is passed over.
    """

    def go(first, last):
        _pass(X, order[first:last], labels, columns, step, weights)

    on_threads(1, order.size, go, cost=ROW_COST * order.size * X.size)


def total_label_margin(
    X: FloatArray, labels: IndexArray, columns: Columns, weights: FloatArray
) -> float:
    """Σ ||x - M(x)||_w - ||x - H(x)||_w over the rows that have both."""
    totals = []

    def add(first, last):
        totals.append(_total(X, first, last, labels, columns, weights))

    on_threads(1, len(X), add, cost=ROW_COST * len(X) * X.size)
    return sum(totals)


@kernel()
def _pass(X, order, labels, columns, step, weights):
    gradient = np.empty(weights.size)
    for r in range(order.size):
        hit, miss = near_hit_and_miss(X, order[r], labels, columns, weights)
        if hit < 0 or miss < 0:
            continue
        gradient[:] = 0.0
        _add_gradient(X, order[r], miss, columns, weights, 1.0, gradient)
        _add_gradient(X, order[r], hit, columns, weights, -1.0, gradient)
        for f in range(weights.size):
            weights[f] += step * gradient[f] * weights[f]


@kernel()
def _total(X, first, last, labels, columns, weights):
    total, deltas = 0.0, np.empty(weights.size)
    for n in range(first, last):
        hit, miss = near_hit_and_miss(X, n, labels, columns, weights)
        if hit >= 0 and miss >= 0:
            total += _differences(X, n, miss, columns, weights, deltas)
            total -= _differences(X, n, hit, columns, weights, deltas)
    return total


@kernel()
def near_hit_and_miss(X, n, labels, columns, weights):
    """Rows nearest to n of its class and of any other; -1 where there is none."""
    rows = np.full((2, 1), -1, dtype=np.int64)
    distances = np.full((2, 1), np.inf)
    itself = np.array([n])
    is_hit = labels == labels[n]
    hits, misses = np.flatnonzero(is_hit), np.flatnonzero(~is_hit)
    keep_nearest(X, n, hits, itself, columns, weights, True, rows[0], distances[0])
    keep_nearest(X, n, misses, itself, columns, weights, True, rows[1], distances[1])
    return rows[0, 0], rows[1, 0]
