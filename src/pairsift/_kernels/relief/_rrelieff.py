"""Differences of features and of a numeric target between near rows."""

import numpy as np

from pairsift._kernels._jit import kernel, number_of_blocks, sum_of_blocks
from pairsift._kernels.relief._cells import (
    exact_distance,
    fill_differences,
    share_of_ties,
)
from pairsift._kernels.relief._columns import Columns
from pairsift._kernels.relief._margins import lists_of
from pairsift._kernels.relief._nearest import Nearest, one_group
from pairsift._kernels.relief._tiles import Engine
from pairsift._typing import FloatArray, IndexArray


def target_sums(
    X: FloatArray,
    target: FloatArray,
    targets: IndexArray,
    rank_weights: FloatArray,
    share: bool,
    columns: Columns,
    n_jobs: int | None = None,
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
    order = np.arange(n_samples)
    rule = Nearest(rank_weights.size, False, share, engine.rounding, order)
    n_blocks = number_of_blocks(targets.size)

    def add(first: int, last: int, sums: FloatArray) -> None:
        for block in range(first, last):
            for queries in engine.strips(targets, block, n_blocks):
                lists = lists_of(engine, rule, group, queries)
                _add_differences(
                    engine.cells, target, queries, lists, rank_weights, share,
                    sums[block].reshape(4, n_features),
                )  # fmt: skip

    cost = 0.2 * targets.size * (X.size + 20.0 * rank_weights.size * n_features)
    sums = sum_of_blocks(n_jobs, 4 * n_features, add, n_blocks, cost=cost)
    sums = sums.reshape(4, n_features)
    return sums[0], sums[1], sums[2], sums[3]


@kernel()
def _add_differences(cells, target, queries, lists, rank_weights, share, sums):
    """Add the sums of some rows over their listed neighbours."""
    parts, deltas = np.empty(sums.shape), np.empty(sums.shape[1])
    for q in range(queries.size):
        a, near = queries[q], lists.rows[lists.starts[q] : lists.starts[q + 1]]
        weights = _rank(cells, a, near, rank_weights, share)
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


@kernel(inner=True)
def _rank(cells, a, near, rank_weights, share):
    """Return the weights of near rows by the ranks of their distances to row a."""
    weights, distances = np.empty(near.size), np.empty(near.size)
    for i in range(near.size):
        distances[i] = exact_distance(cells, a, near[i], False)
    order, first = np.argsort(distances), 0
    while first < near.size:
        most = distances[order[first]] * (1.0 + share_of_ties(cells.X.shape[1]))
        end = first + 1
        while end < near.size and distances[order[end]] <= most:
            end += 1
        # Places in `near` are in the order of rows.
        tied = np.sort(order[first:end])
        total = rank_weights[first:end].sum()
        for i in range(tied.size):
            rank = first + i
            own = rank_weights[rank] if rank < rank_weights.size else 0.0
            weights[tied[i]] = total / tied.size if share else own
        first = end
    return weights
