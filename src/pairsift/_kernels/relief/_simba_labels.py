"""Gradient steps of Simba, with near-hits and near-misses in the weighted space."""

import numpy as np

from pairsift._kernels._jit import kernel, on_threads
from pairsift._kernels.relief._cells import Cells
from pairsift._kernels.relief._simba import (
    Block,
    add_gradients,
    nearest_of,
    norm_of,
    rough_distances,
)
from pairsift._typing import FloatArray, IndexArray

# Nanoseconds per cell for the neighbours of a row, about.
ROW_COST = 0.2


def simba_label_pass(
    cells: Cells,
    block: Block,
    order: IndexArray,
    labels: IndexArray,
    step: float,
    weights: FloatArray,
) -> None:
    """One pass over the rows in the order given, changing `weights`.

    w_f += step · w_f [ Δ_f(x, M(x))² / ||x - M(x)||_w
                        - Δ_f(x, H(x))² / ||x - H(x)||_w ]

    block : what `single_columns` returns; order : (r,) rows; labels : (n,) class
    numbers; weights : (d,). A row without a hit or without a miss is passed over.
    """

    def go(first, last):
        _pass(cells, block, order[first:last], labels, step, weights)

    on_threads(1, order.size, go, cost=ROW_COST * order.size * cells.X.size)


def total_label_margin(
    cells: Cells, block: Block, labels: IndexArray, weights: FloatArray
) -> float:
    """Σ ||x - M(x)||_w - ||x - H(x)||_w over the rows that have both."""
    totals = []

    def add(first, last):
        totals.append(_total(cells, block, first, last, labels, weights))

    on_threads(1, labels.size, add, cost=ROW_COST * labels.size * cells.X.size)
    return sum(totals)


@kernel()
def _pass(cells, block, order, labels, step, weights):
    gradient = np.empty(weights.size)
    for n in order:
        hit, miss = near_hit_and_miss(cells, block, n, labels, weights)
        gradient[:] = 0.0
        add_gradients(cells, n, miss, hit, weights, 1.0, gradient)
        for f in range(weights.size):
            weights[f] += step * gradient[f] * weights[f]


@kernel()
def _total(cells, block, first, last, labels, weights):
    total = 0.0
    for n in range(first, last):
        hit, miss = near_hit_and_miss(cells, block, n, labels, weights)
        if hit >= 0 and miss >= 0:
            total += norm_of(cells, n, miss, weights) - norm_of(cells, n, hit, weights)
    return total


@kernel()
def near_hit_and_miss(cells, block, n, labels, weights):
    """Rows nearest to n of its class and of any other; -1 where there is none."""
    rough = rough_distances(cells, block, n, weights)
    rough[n] = np.inf
    is_hit, far = labels == labels[n], np.float32(np.inf)
    hit, _ = nearest_of(cells, n, np.where(is_hit, rough, far), weights)
    miss, _ = nearest_of(cells, n, np.where(is_hit, far, rough), weights)
    return hit, miss
