"""Margins to the rows within a radius, in the weighted space."""

import numpy as np

from pairsift._kernels._jit import kernel, number_of_blocks, sum_of_blocks
from pairsift._kernels.relief._cells import ROUNDOFF_64, fill_differences
from pairsift._kernels.relief._columns import Columns
from pairsift._kernels.relief._margins import add_marked
from pairsift._kernels.relief._nearest import as_groups
from pairsift._kernels.relief._radius import PRESENT
from pairsift._kernels.relief._tiles import Engine
from pairsift._typing import FloatArray, IndexArray


def radius_margins(
    X: FloatArray,
    labels: IndexArray,
    priors: FloatArray,
    weights: FloatArray,
    radius: float,
    columns: Columns,
    n_jobs: int | None = -1,
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
    engine = Engine(X, columns, np.float64)
    if not engine.is_ignored:
        space = Engine(X, columns, np.float64, weights=weights)
    everyone, n_blocks = np.arange(n_samples), number_of_blocks(n_samples)
    starts = np.searchsorted(labels, np.arange(priors.size + 1))
    groups = as_groups(starts, np.tile(priors, (priors.size, 1)))
    n_known = np.zeros((n_blocks, n_features))

    def add(first: int, last: int, sums: FloatArray) -> None:
        for block in range(first, last):
            for queries in engine.strips(everyone, block, n_blocks):
                strip, marks = (engine.new_strip(queries.size) for _ in range(2))
                if engine.is_ignored:
                    _fill_known(engine.cells, weights, queries, strip)
                else:
                    space.distances(queries, strip)
                mark_linear(queries, strip, starts, n_features, radius, marks)
                add_marked(
                    engine, groups, queries, PRESENT, marks, sums[block], n_known[block]
                )

    cost = 0.6 * n_samples * X.size
    sums = sum_of_blocks(n_jobs, n_features, add, n_blocks, cost=cost)
    return sums, n_known.sum(axis=0)


@kernel()
def _fill_known(cells, weights, queries, strip):
    """Fill in Σ w Δ over the known differences, times Σ w over Σ w of the known.

    The engine takes a missing value for 0 and takes the difference off again: where
    the other columns weigh little, what it leaves is rounding.
    """
    deltas, total = np.empty(weights.size), 0.0
    for f in range(weights.size):
        total += weights[f] if cells.slopes[f] > 0.0 else 0.0
    for q in range(queries.size):
        for b in range(cells.X.shape[0]):
            fill_differences(cells, queries[q], b, False, deltas)
            distance, known = 0.0, 0.0
            for f in range(deltas.size):
                if deltas[f] == deltas[f] and cells.slopes[f] > 0.0:
                    distance += weights[f] * deltas[f]
                    known += weights[f]
            strip[q, b] = distance * (total / known) if known > 0.0 else np.inf


@kernel()
def mark_linear(queries, strip, class_starts, n_features, radius, marks):
    """Fill in 1 - d/R where that is positive; R : the radius, see `radius_margins`."""
    # A row on the rim counts nothing, wherever rounding puts it.
    rounding = 4.0 * ROUNDOFF_64 * (n_features + 8)
    for q in range(queries.size):
        distances, mark = strip[q, : class_starts[-1]], marks[q]
        distances[queries[q]] = np.inf
        farthest = 0.0
        for c in range(class_starts.size - 1):
            nearest = np.inf
            for b in range(class_starts[c], class_starts[c + 1]):
                nearest = min(nearest, distances[b])
            farthest = max(farthest, nearest if nearest < np.inf else 0.0)
        farthest *= radius
        for b in range(distances.size):
            part = 1.0 if distances[b] == 0.0 else 0.0
            if farthest > 0.0:
                part = 1.0 - distances[b] / farthest
            mark[b] = part if part > rounding else 0.0
