"""Means and variances of the differences to neighbours of the own and other classes."""

import numpy as np

from pairsift._kernels._jit import kernel, number_of_blocks, on_threads
from pairsift._kernels.relief._cells import fill_differences, share_of_ties
from pairsift._kernels.relief._columns import Columns
from pairsift._kernels.relief._margins import lists_of
from pairsift._kernels.relief._nearest import Groups, Lists, Nearest, as_groups
from pairsift._kernels.relief._radius import MARKED, Radius, lists_of_marks, mark_within
from pairsift._kernels.relief._tiles import Engine
from pairsift._typing import FloatArray, IndexArray


def neighbor_moments(
    X: FloatArray,
    class_starts: IndexArray,
    targets: IndexArray,
    order: IndexArray,
    n_neighbors: int,
    columns: Columns,
    n_jobs: int | None = -1,
) -> FloatArray:
    """Moments of Δ_f(x, z) over the neighbours z of the targets x, hits and misses.

    X : (n, d), sorted by classes; class_starts : (n_classes + 1,) where each begins;
    targets : rows of X; order : (n,) numbers of the rows; n_neighbors : nearest hits,
    and nearest misses of any class, tied rows sharing the last places; 0 for all rows
    nearer than the mean distance of x minus half a standard deviation. Returns
    (4, 2, d) for hits and misses: number of neighbours, number of targets that have
    any, and, with the same weight for all of these, mean and variance.
    """
    engine, groups = (
        Engine(X, columns, np.float32),
        as_groups(class_starts, np.empty((0, 0))),
    )
    rule = Nearest(n_neighbors, share_of_ties(X.shape[1]), True, order)
    n_blocks, n_features = number_of_blocks(targets.size), X.shape[1]
    moments = np.zeros((n_blocks, 4, 2, n_features))

    def fill(first: int, last: int) -> None:
        for block in range(first, last):
            for queries in engine.strips(targets, block, n_blocks):
                if n_neighbors > 0:
                    lists = lists_of(engine, rule, groups, queries)
                else:
                    lists = _near_lists(engine, groups, queries)
                _add_rows(engine.cells, queries, lists, moments[block])

    on_threads(n_jobs, n_blocks, fill, cost=0.2 * targets.size * X.size)
    total = np.zeros((4, 2, n_features))
    for block in moments:
        total[0] += block[0]
        for kind in range(2):
            _merge(total[1:, kind], *block[1:, kind])
    total[3] /= np.maximum(total[1], 1.0)
    return total


def _near_lists(engine: Engine, groups: Groups, queries: IndexArray) -> Lists:
    """List the rows within the own radius of some rows."""
    strip, marks = (engine.new_strip(queries.size) for _ in range(2))
    engine.distances(queries, strip)
    rule = Radius(np.nan, False, engine.rounding)
    mark_within(engine, rule, queries, strip, marks)
    starts, rows, values = lists_of_marks(groups, queries, MARKED, marks)
    return Lists(starts, rows, values, values)


@kernel()
def _merge(moments, numbers, means, squares):
    """Add numbers to others: counts, means and sums of squares about them, (3, d)."""
    for f in range(numbers.size):
        n = moments[0, f]
        part = numbers[f] / max(n + numbers[f], 1e-300)
        shift = means[f] - moments[1, f]
        moments[2, f] += squares[f] + shift * shift * (n * part)
        moments[1, f] += shift * part
        moments[0, f] = n + numbers[f]


@kernel()
def _add_rows(cells, queries, lists, moments):
    """Add the moments of the hits and misses of some rows."""
    n_features = moments.shape[2]
    own, nothing = np.empty((3, n_features)), np.zeros(n_features)
    deltas, counted = np.empty(n_features), np.empty(n_features)
    # Lists of marks have two groups more, of far rows, which are empty.
    n_groups = (lists.starts.size - 1) // max(queries.size, 1)
    for q in range(queries.size):
        for kind in range(2):
            own[:] = 0.0
            start, stop = lists.starts[q * n_groups + kind : q * n_groups + kind + 2]
            for i in range(start, stop):
                fill_differences(cells, queries[q], lists.rows[i], False, deltas)
                for f in range(n_features):
                    is_known = deltas[f] == deltas[f]
                    counted[f] = lists.places[i] if is_known else 0.0
                    deltas[f] = deltas[f] if is_known else 0.0
                _merge(own, counted, deltas, nothing)
            for f in range(n_features):
                moments[0, kind, f] += own[0, f]
                # Every row counts as one, with the variance over its neighbours.
                own[2, f] /= max(own[0, f], 1e-300)
                own[0, f] = 1.0 if own[0, f] > 0.0 else 0.0
            _merge(moments[1:, kind], own[0], own[1], own[2])
