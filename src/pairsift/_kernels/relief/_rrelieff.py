"""Differences of features and of a numeric target between near rows."""

import numpy as np

from pairsift._kernels._jit import (
    chunk_size,
    chunks_of,
    kernel,
    number_of_blocks,
    sum_of_blocks,
)
from pairsift._kernels.relief._all_rows import as_points, row_distances
from pairsift._kernels.relief._diff import Columns, known_difference, missing_difference
from pairsift._kernels.relief._find_neighbors import share_of_ties
from pairsift._typing import FloatArray, IndexArray

CHUNK_ROWS = 32


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
    points, gaps = as_points(X, columns, np.float64)
    n_chunk, n_blocks = (
        chunk_size(n_samples, CHUNK_ROWS),
        number_of_blocks(targets.size),
    )
    n_places = points.blocks.shape[0] * points.blocks.shape[2]

    def add(first, last, sums):
        distances = np.empty((n_chunk, n_places))
        for block in range(first, last):
            for queries in chunks_of(targets, block, n_blocks, n_chunk):
                row_distances(queries, points, gaps, False, distances)
                _add_differences(
                    X,
                    target,
                    queries,
                    distances,
                    rank_weights,
                    share,
                    columns,
                    sums[block].reshape(4, n_features),
                )

    cost = 0.6 * targets.size * X.size
    sums = sum_of_blocks(n_jobs, 4 * n_features, add, n_blocks, cost=cost)
    sums = sums.reshape(4, n_features)
    return sums[0], sums[1], sums[2], sums[3]


@kernel()
def _add_differences(
    X, target, queries, distances, rank_weights, share, columns, sums
):  # fmt: skip
    n_samples, n_features = X.shape
    scale, is_categorical = columns.scale, columns.is_categorical
    has_missing = columns.codes.shape[0] > 0
    parts, weights = np.empty((4, n_features)), np.empty(n_samples)
    changed, kept, changed_f, kept_f = parts[0], parts[1], parts[2], parts[3]
    for q in range(queries.size):
        a = queries[q]
        distances[q, a] = np.inf
        near = _near_rows(distances[q, :n_samples], rank_weights.size, n_features)
        _weigh(distances[q], near, rank_weights, share, n_features, weights)
        parts[:] = 0.0
        for i in range(near.size):
            b, weight = near[i], weights[i]
            if weight == 0.0:
                continue
            delta_y = abs(target[a] - target[b])
            differs, agrees = weight * delta_y, weight * (1.0 - delta_y)
            for f in range(n_features):
                delta = abs(X[a, f] - X[b, f])
                if has_missing and np.isnan(delta):
                    delta = missing_difference(X, a, b, f, columns)
                    if np.isnan(delta):
                        continue
                else:
                    delta = known_difference(delta, is_categorical[f], scale[f])
                changed[f] += differs
                kept[f] += agrees
                changed_f[f] += differs * delta
                kept_f[f] += agrees * delta
        for f in range(n_features):
            total = changed[f] + kept[f]
            if total > 0.0:
                for part in range(4):
                    sums[part, f] += parts[part, f] / total


@kernel()
def _near_rows(distances, n_neighbors, n_features):
    """List the n_neighbors nearest rows and all that are tied with the last of them."""
    last = min(n_neighbors, distances.size) - 1
    worst = np.partition(distances, last)[last]
    if np.isinf(worst):
        return np.flatnonzero(distances < np.inf)
    return np.flatnonzero(distances <= worst + _rounding(worst, n_features))


@kernel(inline=True)
def _rounding(distance, n_features):
    """How much two computed distances may differ that are equal."""
    return share_of_ties(n_features) * distance


@kernel()
def _weigh(distances, near, rank_weights, share, n_features, weights):
    """Give each near row the weight of its rank, 0 behind the last rank."""
    order = np.argsort(distances[near])
    first = 0
    while first < near.size:
        nearest = distances[near[order[first]]]
        most = nearest + _rounding(nearest, n_features)
        end = first + 1
        while end < near.size and distances[near[order[end]]] <= most:
            end += 1
        # Places in `near` are in the order of rows.
        tied = np.sort(order[first:end])
        total = rank_weights[first:end].sum()
        for i in range(tied.size):
            rank = first + i
            own = rank_weights[rank] if rank < rank_weights.size else 0.0
            weights[tied[i]] = total / tied.size if share else own
        first = end
