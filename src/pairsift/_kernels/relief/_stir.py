"""Means and variances of the differences to neighbours of the own and other classes."""

import numpy as np

from pairsift._kernels._jit import (
    chunk_size,
    chunks_of,
    kernel,
    number_of_blocks,
    on_threads,
)
from pairsift._kernels.relief._all_rows import as_points, row_distances
from pairsift._kernels.relief._diff import Columns, missing_difference
from pairsift._kernels.relief._find_neighbors import TIE, find_neighbors
from pairsift._kernels.relief._pair_sums import slopes
from pairsift._kernels.relief._relief import CHUNK_ROWS
from pairsift._kernels.relief._surf import mark_rows, own_radii
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
    nearer than the mean distance of x less half a standard deviation. Returns (4, 2, d)
    for hits and misses: number of neighbours, number of targets that have any, and,
    with the same weight for all of these, mean and variance.
    """
    n_samples, n_features = X.shape
    points, gaps = as_points(X, columns, np.float32 if n_neighbors else np.float64)
    n_blocks = number_of_blocks(targets.size)
    moments = np.zeros((n_blocks, 4, 2, n_features))
    n_chunk = chunk_size(n_samples, CHUNK_ROWS)
    n_places = points.blocks.shape[0] * points.blocks.shape[2]

    def fill(first, last):
        distances = np.empty((n_chunk, n_places), dtype=points.rows.dtype)
        for block in range(first, last):
            for queries in chunks_of(targets, block, n_blocks, n_chunk):
                row_distances(queries, points, gaps, False, distances)
                _add_rows(
                    X,
                    queries,
                    distances,
                    class_starts,
                    order,
                    n_neighbors,
                    points,
                    gaps,
                    columns,
                    moments[block],
                )

    on_threads(n_jobs, n_blocks, fill, cost=0.2 * targets.size * X.size)
    total = np.zeros((4, 2, n_features))
    for block in moments:
        _merge(total, block)
    total[3] /= np.maximum(total[1], 1.0)
    return total


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
def _add_rows(
    X, queries, distances, class_starts, order, n_neighbors, points, gaps, columns,
    moments,
):  # fmt: skip
    n_samples, n_features = X.shape
    candidates, places = np.empty(n_samples, dtype=np.int64), np.empty(n_samples)
    nearest = np.empty(max(n_neighbors, 1), dtype=np.float32)
    near, steepness = np.zeros(n_samples), slopes(columns)
    rows = np.arange(n_samples)
    more = np.zeros((4, 2, n_features))
    for q in range(queries.size):
        a = queries[q]
        own = np.searchsorted(class_starts, a, side="right") - 1
        first, last = class_starts[own], class_starts[own + 1]
        distances[q, a] = np.inf
        if n_neighbors == 0:
            inner, outer = own_radii(distances[q], a, n_samples, np.inf)
            mark_rows(distances[q], inner - TIE * outer, np.inf, np.inf, near)
        more[:] = 0.0
        for kind in range(2):
            if n_neighbors == 0:
                n_found = 0
                for r in range(n_samples):
                    if near[r] > 0.0 and (first <= r < last) == (kind == 0):
                        candidates[n_found], places[n_found] = r, 1.0
                        n_found += 1
            else:
                start, stop = (first, last) if kind == 0 else (0, n_samples)
                n_found = find_neighbors(
                    X, a, distances[q, start:stop], rows[start:stop], points.rounding,
                    order, False, True, columns, nearest, candidates, places,
                )  # fmt: skip
                distances[q, first:last] = np.inf
            _fill_row(
                X, a, candidates, places, n_found, points, gaps, columns, steepness,
                more[:, kind],
            )  # fmt: skip
        _merge(moments, more)


@kernel()
def _fill_row(
    X, a, candidates, places, n_found, points, gaps, columns, steepness, moments
):  # fmt: skip
    """Fill in number, 1, mean and sum of squares of Δ_f over the neighbours."""
    n_features = X.shape[1]
    deltas, counts = np.empty(n_features), moments[0]
    for turn in range(2):
        for i in range(n_found):
            h, place = candidates[i], places[i]
            if place == 0.0:
                continue
            _fill_differences(X, a, h, points, gaps, columns, steepness, deltas)
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


@kernel()
def _fill_differences(X, a, h, points, gaps, columns, steepness, deltas):
    """Fill in Δ_f(x_a, x_h), NaN where it is ignored."""
    for f in range(deltas.size):
        deltas[f] = min(abs(X[a, f] - X[h, f]) * steepness[f], 1.0)
        if steepness[f] == 0.0:
            deltas[f] = 0.0
    if gaps is not None:
        for end in range(2):
            row = a if end == 0 else h
            for i in range(gaps.starts[row], gaps.starts[row + 1]):
                f = points.features[gaps.cells[i]]
                deltas[f] = missing_difference(X, a, h, f, columns)
