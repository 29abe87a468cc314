"""Margins to the nearest rows of the own and of the other classes."""

from typing import NamedTuple

import numpy as np

from pairsift._kernels._jit import (
    chunk_size,
    chunks_of,
    kernel,
    number_of_blocks,
    sum_of_blocks,
)
from pairsift._kernels.relief._all_rows import (
    DOUBLE_CELLS,
    all_distances,
    as_points,
    row_distances,
)
from pairsift._kernels.relief._diff import Columns
from pairsift._kernels.relief._find_neighbors import find_neighbors
from pairsift._kernels.relief._long_rows import (
    correct_long_sums,
    has_long_rows,
    long_corrections,
    long_distances,
)
from pairsift._kernels.relief._nearest_tables import (
    listed_rows,
    nearest_tables,
    no_tables,
    short_rows,
)
from pairsift._kernels.relief._pair_sums import add_pairs, as_cells, slopes
from pairsift._typing import FloatArray, IndexArray

CHUNK_ROWS = 64
# Differences of so many pairs are added at a time.
CHUNK_PAIRS = 1024


class Rules(NamedTuple):
    """How margins are taken, see `relief_sums`; rounding : as in `Points`."""

    miss_weights: FloatArray
    n_neighbors: int
    squared: bool
    share: bool
    is_ignored: bool
    rounding: tuple[float, float]


def relief_sums(
    X: FloatArray,
    class_starts: IndexArray,
    targets: IndexArray,
    order: IndexArray,
    miss_weights: FloatArray,
    n_neighbors: int,
    squared: bool,
    share: bool,
    columns: Columns,
    n_jobs: int | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Σ_x Σ_c w_c mean_k Δ_f(x, M_k(x, c)) - mean_k Δ_f(x, H_k(x)) over the targets x.

    X : (n, d), sorted by classes; class_starts : (n_classes + 1,) where each begins;
    targets : rows of X; order : (n,) numbers of the rows that decide between ties;
    miss_weights : (n_classes, n_classes), w of the class of x and of c, or (0, 0) to
    take the misses of all classes together; squared : squared differences, in the
    distances too; share : whether rows tied at the last place share what places are
    left, or the smaller row takes them. Returns the sums (d,) over the targets whose
    differences are not all ignored, and the number of those (d,).
    """
    n_samples, n_features = X.shape
    is_long = targets.size == n_samples and has_long_rows(n_samples, columns)
    points, gaps = as_points(X, columns, np.float32, squared, transposed=not is_long)
    cells = as_cells(X, squared, columns)
    n_blocks = number_of_blocks(targets.size)
    n_known = np.zeros((n_blocks, n_features))
    n_chunk = chunk_size(n_samples, CHUNK_ROWS)
    n_places = points.blocks.shape[0] * points.blocks.shape[2]
    known, tables = np.empty((0, 0), dtype=np.float32), no_tables()
    if is_long:
        if gaps is not None:
            gaps = long_corrections(points, gaps, columns, squared, n_jobs)
        known = long_distances(points, gaps, squared, n_jobs)
    elif targets.size == n_samples:
        known = all_distances(points, gaps, squared, n_jobs)
    if targets.size == n_samples and known.size == 0:
        tables = nearest_tables(
            points, gaps, class_starts, n_neighbors, squared, n_jobs
        )

    # Few long rows: differences to missing values are added for all pairs at once.
    is_dense = is_long and gaps is not None and n_samples * X.size > DOUBLE_CELLS
    shares = np.zeros((n_samples, n_samples) if is_dense else (0, 0))
    rules = Rules(
        miss_weights,
        n_neighbors,
        squared,
        share,
        points.is_ignored,
        points.rounding,
    )

    def add_known(first, last, sums):
        edges = np.arange(first, last + 1) * n_samples // n_blocks
        parts = sums[first:last], n_known[first:last]
        _add_blocks(
            X, edges, known, tables, class_starts, order, rules, cells, columns, gaps,
            shares, *parts,
        )  # fmt: skip

    def add(first, last, sums):
        rough = np.empty((n_chunk, n_places), dtype=np.float32)
        for block in range(first, last):
            for queries in chunks_of(targets, block, n_blocks, n_chunk):
                place = np.arange(queries.size)
                if tables.rows.size > 0:
                    is_short = short_rows(queries, tables, n_neighbors, points.rounding)
                    place = np.where(is_short, np.cumsum(is_short) - 1, -1)
                if (place >= 0).any():
                    rest = queries[place >= 0]
                    row_distances(rest, points, gaps, squared, rough)
                parts = sums[block], n_known[block]
                _add_margins(
                    X, queries, place, rough, tables, class_starts, order, rules, cells,
                    columns, gaps, shares, *parts,
                )  # fmt: skip

    is_known = known.size > 0
    add = add_known if is_known else add
    n_found = targets.size * (class_starts.size - 1) * n_neighbors
    cost = (0.7 * n_features + 400.0) * n_found + targets.size * n_samples
    if tables.rows.size == 0 and not is_known:
        cost += 0.1 * targets.size * X.size
    sums = sum_of_blocks(n_jobs, n_features, add, n_blocks, cost=cost)
    if is_dense:
        correct_long_sums(shares, points, gaps, sums)
    return sums, n_known.sum(axis=0)


@kernel()
def _add_blocks(
    X,
    edges,
    known,
    tables,
    class_starts,
    order,
    rules,
    cells,
    columns,
    gaps,
    shares,
    sums,
    n_known,
):
    """Add the margins of blocks of rows whose distances to all rows are known."""
    for block in range(edges.size - 1):
        queries = np.arange(edges[block], edges[block + 1])
        _add_margins(
            X, queries, np.arange(queries.size), known[edges[block] :], tables,
            class_starts, order, rules, cells, columns, gaps, shares, sums[block],
            n_known[block],
        )  # fmt: skip


@kernel(part=True)
def _add_margins(
    X,
    queries,
    place,
    rough,
    tables,
    class_starts,
    order,
    rules,
    cells,
    columns,
    gaps,
    shares,
    sums,
    n_known,
):
    """Add the margins of some rows, and count those that are known.

    place : (q,) row of `rough` that has the distances of a query, -1 where the tables
    do; shares : as in `add_pairs`.
    """
    miss_weights, n_neighbors, squared, share, is_ignored, rounding = rules
    n_samples, n_features = X.shape
    n_classes = class_starts.size - 1
    is_pooled = miss_weights.shape[0] == 0
    candidates, places = np.empty(n_samples, dtype=np.int64), np.empty(n_samples)
    near = np.empty(n_neighbors, dtype=np.float32)
    all_rows = np.arange(n_samples)
    listed = np.empty(tables.rows.shape[0] * tables.rows.shape[2], dtype=np.int64)
    some = np.empty(listed.size, dtype=np.float32)
    margin = np.empty(n_features)
    pairs = np.empty((max(CHUNK_PAIRS, n_samples), 2), dtype=np.int64)
    # Not a constant, for which `add_pairs` would be compiled once more.
    weights, n_pairs = np.empty(len(pairs)), np.int64(0)
    for q in range(queries.size):
        a = queries[q]
        own = np.searchsorted(class_starts, a, side="right") - 1
        margin[:] = 0.0
        if place[q] >= 0:
            rough[place[q], a] = np.inf
        for step in range(2 if is_pooled else n_classes):
            c = (own + step) % n_classes
            first, last, weight = c, c + 1, -1.0
            if c != own and is_pooled:
                first, last, weight = 0, n_classes, 1.0
            elif c != own:
                weight = miss_weights[own, c]
            if place[q] >= 0:
                start, stop = class_starts[first], class_starts[last]
                distances, rows = rough[place[q], start:stop], all_rows[start:stop]
            else:
                n_listed = listed_rows(a, first, last, tables, some, listed)
                distances, rows = some[:n_listed], listed[:n_listed]
            if last - first > 1:
                is_own = (rows >= class_starts[own]) & (rows < class_starts[own + 1])
                distances[is_own] = np.inf
            n_found = find_neighbors(
                X, a, distances, rows, rounding, order, squared, share, columns, near,
                candidates, places,
            )  # fmt: skip
            if gaps is not None and is_ignored:
                add_mean(
                    X, a, candidates, places, places, n_found, squared, weight,
                    columns, margin,
                )  # fmt: skip
                continue
            if n_pairs + n_found > len(pairs):
                add_pairs(
                    pairs, weights, n_pairs, squared, cells, columns, gaps, shares, sums
                )
                n_pairs = np.int64(0)
            n_places = places[:n_found].sum()
            for i in range(n_found):
                if places[i] > 0.0:
                    pairs[n_pairs, 0], pairs[n_pairs, 1] = a, candidates[i]
                    weights[n_pairs] = weight * places[i] / n_places
                    n_pairs += 1
        if is_ignored:
            for f in range(n_features):
                if not np.isnan(margin[f]):
                    sums[f] += margin[f]
                    n_known[f] += 1.0
    if not is_ignored:
        add_pairs(pairs, weights, n_pairs, squared, cells, columns, gaps, shares, sums)
        n_known += queries.size


@kernel()
def add_mean(
    X, a, candidates, values, places, n_found, squared, weight, columns, margin
):  # fmt: skip
    """Add weight Σ_h value_h Δ_f(x_a, x_h) / Σ_h place_h over the candidates h.

    Ignored differences are left out of both sums; when all are, the margin is NaN.
    """
    if n_found == 0:
        return
    steepness = slopes(columns)
    total, n_counted = np.zeros(margin.size), np.zeros(margin.size)
    for i in range(n_found):
        h, value, place = candidates[i], values[i], places[i]
        for f in range(margin.size if place > 0.0 else 0):
            delta = abs(X[a, f] - X[h, f])
            is_known = delta == delta
            delta = min(delta * steepness[f], 1.0)
            delta = delta * delta if squared else delta
            total[f] += value * delta if is_known else 0.0
            n_counted[f] += place if is_known else 0.0
    for f in range(margin.size):
        is_known = n_counted[f] > 0.0
        margin[f] += weight * total[f] / n_counted[f] if is_known else np.nan
