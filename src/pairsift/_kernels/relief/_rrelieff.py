"""Differences of features and of a numeric target between near rows."""

import numpy as np

from pairsift._kernels._jit import kernel, number_of_blocks, sum_of_blocks
from pairsift._kernels.relief._cells import fill_differences, share_of_ties
from pairsift._kernels.relief._columns import Columns
from pairsift._kernels.relief._nearest import (
    Near,
    Nearest,
    in_order,
    one_group,
    places_of,
)
from pairsift._kernels.relief._neighbors import near_lists
from pairsift._kernels.relief._tiles import Engine
from pairsift._typing import FloatArray, IndexArray


def target_sums(
    X: FloatArray,
    target: FloatArray,
    targets: IndexArray,
    rank_weights: FloatArray,
    share: bool,
    columns: Columns,
    n_jobs: int | None = -1,
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Sum differences between the rows a in `targets` and their nearest rows b.

    X : (n, d); target : (n,) scaled to [0, 1]; rank_weights : (k,), weight of the first
    to the k-th nearest row; share : whether rows tied in distance share the weights of
    their ranks, or take them in order of rows. The weights v_ab of a row a are divided
    by their sum, over the rows b whose difference Δ_f is not ignored.

    Returns, all (d,), Σ_a Σ_b v_ab times δ, (1 - δ), δ Δ_f and (1 - δ) Δ_f, where δ is
    the difference of the target.
    """
    n_samples, n_features = X.shape
    engine, group = Engine(X, columns, np.float32), one_group(n_samples)
    rule = Nearest(rank_weights.size, share_of_ties(n_features), share)
    n_blocks = number_of_blocks(targets.size)

    def add(first: int, last: int, sums: FloatArray) -> None:
        for block in range(first, last):
            for queries in engine.strips(targets, block, n_blocks):
                strip = engine.strip_of(queries)
                near = near_lists(engine, rule.n_neighbors, group, queries, strip)
                near, weights = _ranked(near, rule, rank_weights)
                both = sums[block].reshape(4, n_features)
                _add_differences(engine.cells, target, queries, near, weights, both)

    cost = 0.2 * targets.size * (X.size + 20.0 * rank_weights.size * n_features)
    sums = sum_of_blocks(n_jobs, 4 * n_features, add, n_blocks, cost=cost)
    sums = sums.reshape(4, n_features)
    return sums[0], sums[1], sums[2], sums[3]


def _ranked(
    near: Near, rule: Nearest, rank_weights: FloatArray
) -> tuple[Near, FloatArray]:
    """Return the rows that have places, and their weights by the ranks of distances."""
    near, runs = in_order(near.take(places_of(near, rule) > 0.0), rule.rounding)
    ranks = np.arange(runs.size) - near.starts[near.owners()]
    weights = np.append(rank_weights, 0.0)[np.minimum(ranks, rank_weights.size)]
    if rule.share:
        weights = (np.bincount(runs, weights) / np.maximum(np.bincount(runs), 1))[runs]
    return near, weights


@kernel()
def _add_differences(cells, target, queries, lists, all_weights, sums):
    """Add the sums of some rows over their listed neighbours."""
    parts, deltas = np.empty(sums.shape), np.empty(sums.shape[1])
    for q in range(queries.size):
        a, some = queries[q], slice(lists.starts[q], lists.starts[q + 1])
        near, weights = lists.rows[some], all_weights[some]
        parts[:] = 0.0
        for i in range(near.size):
            delta_y = abs(target[a] - target[near[i]])
            differs, agrees = weights[i] * delta_y, weights[i] * (1.0 - delta_y)
            fill_differences(cells, a, near[i], False, deltas)
            for f in range(deltas.size):
                if deltas[f] == deltas[f]:
                    parts[0, f] += differs
                    parts[1, f] += agrees
                    parts[2, f] += differs * deltas[f]
                    parts[3, f] += agrees * deltas[f]
        for f in range(deltas.size):
            total = parts[0, f] + parts[1, f]
            for part in range(4 if total > 0.0 else 0):
                sums[part, f] += parts[part, f] / total
