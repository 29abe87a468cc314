"""Margins to the rows within a radius, in the weighted space."""

import numpy as np

from pairsift._kernels._jit import kernel, number_of_blocks, sum_of_blocks
from pairsift._kernels.relief._cells import ROUNDOFF_64, fill_differences
from pairsift._kernels.relief._columns import Columns
from pairsift._kernels.relief._tiles import Engine
from pairsift._typing import FloatArray, IndexArray


def radius_margins(
    X: FloatArray,
    labels: IndexArray,
    priors: FloatArray,
    weights: FloatArray,
    radius: float,
    columns: Columns,
    n_jobs: int | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Sum over rows the mean difference to misses minus that to hits in the radius.

    Row b counts 1 - d/R for row a, where d = Σ_f w_f Δ_f(a, b) and R is `radius` times
    the distance within which a meets every class; means over every class are taken with
    these numbers, and means over classes with the priors.

    X : (n, d), sorted by classes; labels : (n,) classes 0, 1, ...; priors :
    (n_classes,); weights : (d,), not negative. Returns the sums (d,), and the number
    (d,) of rows with a hit and a miss.
    """
    n_samples, n_features = X.shape
    # Distances are weighted, the differences that they weigh are not.
    space = Engine(X, columns, np.float64, weights=weights)
    engine = Engine(X, columns, np.float64)
    everyone, n_blocks = np.arange(n_samples), number_of_blocks(n_samples)

    def add(first: int, last: int, sums: FloatArray) -> None:
        room = engine.new_strip(), engine.new_strip()
        for block in range(first, last):
            both = sums[block].reshape(2, n_features)
            for queries in engine.strips(everyone, block, n_blocks):
                strip, shares = (engine.part_of(part, queries.size) for part in room)
                space.distances(queries, strip)
                mark_linear(
                    queries, strip, labels, priors.size, n_features, radius, shares
                )
                if engine.is_ignored:
                    _add_known(engine.cells, queries, shares, labels, priors, both)
                else:
                    both[1] += _weigh(queries, labels, priors, shares)
                    engine.add_differences(queries, shares, both[0])

    cost = 0.6 * n_samples * X.size
    sums = sum_of_blocks(n_jobs, 2 * n_features, add, n_blocks, cost=cost)
    return sums[:n_features], sums[n_features:]


@kernel()
def mark_linear(queries, strip, labels, n_classes, n_features, radius, shares):
    """Fill in 1 - d/R where that is positive; R : the radius, see `radius_margins`."""
    # A row on the rim counts nothing, wherever rounding puts it.
    rounding = 4.0 * ROUNDOFF_64 * (n_features + 8)
    nearest = np.empty(n_classes)
    for q in range(queries.size):
        distances, share = strip[q, : labels.size], shares[q]
        distances[queries[q]] = np.inf
        nearest[:] = np.inf
        for b in range(labels.size):
            nearest[labels[b]] = min(nearest[labels[b]], distances[b])
        farthest = 0.0
        for c in range(n_classes):
            farthest = max(farthest, nearest[c] if nearest[c] < np.inf else 0.0)
        farthest *= radius
        for b in range(labels.size):
            part = 1.0 if distances[b] == 0.0 else 0.0
            if farthest > 0.0:
                part = 1.0 - distances[b] / farthest
            share[b] = part if part > rounding else 0.0


@kernel()
def _weigh(queries, labels, priors, shares):
    """Turn shares into weights of means; return how many rows have hits and misses."""
    n_counted = 0.0
    for q in range(queries.size):
        share, own, totals = shares[q], labels[queries[q]], np.zeros(priors.size)
        for b in range(labels.size):
            totals[labels[b]] += share[b]
        of_misses = 0.0
        for c in range(priors.size):
            of_misses += priors[c] if c != own and totals[c] > 0.0 else 0.0
        is_counted = of_misses > 0.0 and totals[own] > 0.0
        n_counted += 1.0 if is_counted else 0.0
        for b in range(labels.size):
            c = labels[b]
            if not is_counted or share[b] == 0.0:
                share[b] = 0.0
            elif c == own:
                share[b] *= -1.0 / totals[own]
            else:
                share[b] *= priors[c] / of_misses / totals[c]
    return n_counted


@kernel()
def _add_known(cells, queries, shares, labels, priors, sums):
    """Add margins; ignored differences are left out of every mean."""
    n_features = sums.shape[1]
    totals, counted = np.empty((2, priors.size, n_features))
    deltas = np.empty(n_features)
    for q in range(queries.size):
        totals[:] = counted[:] = 0.0
        for b in range(labels.size):
            share, c = shares[q, b], labels[b]
            if share == 0.0:
                continue
            fill_differences(cells, queries[q], b, False, deltas)
            for f in range(n_features):
                if deltas[f] == deltas[f]:
                    totals[c, f] += share * deltas[f]
                    counted[c, f] += share
        own = labels[queries[q]]
        for f in range(n_features):
            miss, weight = 0.0, 0.0
            for c in range(priors.size):
                if c != own and counted[c, f] > 0.0:
                    miss += priors[c] * totals[c, f] / counted[c, f]
                    weight += priors[c]
            if weight > 0.0 and counted[own, f] > 0.0:
                sums[0, f] += miss / weight - totals[own, f] / counted[own, f]
                sums[1, f] += 1.0
