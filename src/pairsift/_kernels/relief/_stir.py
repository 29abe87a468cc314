"""Means and variances of the differences to neighbours of the own and other classes."""

import numpy as np

from pairsift._kernels._jit import kernel, number_of_blocks, on_threads
from pairsift._kernels.relief._cells import fill_differences, share_of_ties
from pairsift._kernels.relief._columns import Columns
from pairsift._kernels.relief._margins import lists_of
from pairsift._kernels.relief._nearest import Groups, Lists, Nearest, as_groups
from pairsift._kernels.relief._radius import Radius, lists_of_marks, mark_within
from pairsift._kernels.relief._tiles import Engine
from pairsift._typing import FloatArray, IndexArray


def neighbor_moments(
    X: FloatArray,
    class_starts: IndexArray,
    targets: IndexArray,
    order: IndexArray,
    n_neighbors: int,
    columns: Columns,
    n_jobs: int | None = None,
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
    n_blocks = number_of_blocks(targets.size)
    moments = np.zeros((n_blocks, 4, 2, X.shape[1]))

    def fill(first: int, last: int) -> None:
        for block in range(first, last):
            for queries in engine.strips(targets, block, n_blocks):
                if n_neighbors > 0:
                    lists = lists_of(engine, rule, groups, queries)
                else:
                    lists = _near_lists(engine, groups, queries)
                _add_rows(engine.cells, queries, lists, moments[block])

    on_threads(n_jobs, n_blocks, fill, cost=0.2 * targets.size * X.size)
    total = np.zeros((4, 2, X.shape[1]))
    for block in moments:
        _merge(total, block)
    total[3] /= np.maximum(total[1], 1.0)
    return total


def _near_lists(engine: Engine, groups: Groups, queries: IndexArray) -> Lists:
    """List the rows within the own radius of some rows."""
    strip, marks = (engine.new_strip(queries.size) for _ in range(2))
    engine.distances(queries, strip)
    rule = Radius(np.nan, False, engine.rounding)
    mark_within(engine, rule, queries, strip, marks)
    starts, rows, values = lists_of_marks(groups, queries, False, marks)
    return Lists(starts, rows, values, values)


@kernel()
def _merge(total, more):
    """Add numbers to others: counts, rows, means and sums of squares about them."""
    for kind in range(2):
        for f in range(total.shape[2]):
            n, m = total[1, kind, f], more[1, kind, f]
            total[0, kind, f] += more[0, kind, f]
            if m == 0.0:
                continue
            shift = more[2, kind, f] - total[2, kind, f]
            total[3, kind, f] += more[3, kind, f] + shift * shift * (n * m / (n + m))
            total[2, kind, f] += shift * (m / (n + m))
            total[1, kind, f] = n + m


@kernel()
def _add_rows(cells, queries, lists, moments):
    """Add the moments of the hits and misses of some rows."""
    more = np.empty(moments.shape)
    # Lists of marks have two groups more, of far rows, which are empty.
    n_groups = (lists.starts.size - 1) // max(queries.size, 1)
    for q in range(queries.size):
        more[:] = 0.0
        for kind in range(2):
            start, stop = lists.starts[q * n_groups + kind : q * n_groups + kind + 2]
            rows, places = lists.rows[start:stop], lists.places[start:stop]
            _fill_row(cells, queries[q], rows, places, more[:, kind])
        _merge(moments, more)


@kernel(inner=True)
def _fill_row(cells, a, rows, places, moments):
    """Fill in number, 1, mean and sum of squares of Δ_f over the neighbours."""
    n_features, counts = moments.shape[1], moments[0]
    deltas = np.empty(n_features)
    for turn in range(2):
        for i in range(rows.size):
            place = 1.0 * places[i]
            fill_differences(cells, a, rows[i], False, deltas)
            for f in range(n_features):
                is_known = deltas[f] == deltas[f]
                if turn == 0:
                    counts[f] += place if is_known else 0.0
                    moments[2, f] += place * deltas[f] if is_known else 0.0
                else:
                    shift = deltas[f] - moments[2, f]
                    moments[3, f] += place * shift * shift if is_known else 0.0
        for f in range(n_features):
            if counts[f] > 0.0:
                moments[1, f] = 1.0
                moments[2 + turn, f] /= counts[f]
