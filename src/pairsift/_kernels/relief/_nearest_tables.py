"""Nearest rows of every class to every row, from one visit to each pair of rows."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairsift._kernels._jit import PART_COST, kernel, on_threads
from pairsift._kernels.relief._all_rows import Points, tile_distances
from pairsift._kernels.relief._missing_values import Gaps
from pairsift._typing import IndexArray

STRIP_ROWS = 32
# Places of a table behind those asked for, and most places of a row in all its tables.
SPARE_PLACES = 4
MOST_PLACES = 128
# Tables that are filled at the same time, at most; each takes as much memory.
MOST_TABLES = 16


class Tables(NamedTuple):
    """The nearest rows of each class, by distances in single precision.

    rows : (n_classes, n, k) int32; distances : the same, ascending, inf behind the last
    row of a class; worst : (n_classes, n_blocks * width), the last distance.
    """

    rows: NDArray[np.int32]
    distances: NDArray[np.float32]
    worst: NDArray[np.float32]


def no_tables() -> Tables:
    """Return empty tables."""
    rows = np.empty((0, 0, 0), dtype=np.int32)
    return Tables(rows, rows.astype(np.float32), np.empty((0, 0), dtype=np.float32))


def nearest_tables(
    points: Points,
    gaps: Gaps | None,
    class_starts: IndexArray,
    n_neighbors: int,
    squared: bool,
    n_jobs: int | None = None,
) -> Tables:
    """Return tables of a few more than n_neighbors rows; empty when they do not pay."""
    n_classes, n_places = class_starts.size - 1, n_neighbors + SPARE_PLACES
    if points.is_ignored or n_classes * n_places > MOST_PLACES:
        return no_tables()
    n_blocks, n_lines, width = points.blocks.shape
    tile_cost = (0.15 * n_lines + 8.0) * width * width
    parts: list[Tables] = []

    def fill(tiles):
        groups = np.array_split(tiles, max(min(len(tiles), MOST_TABLES), 1))

        def work(start, stop):
            n_samples = len(points.rows)
            tables = Tables(
                np.full((n_classes, n_samples, n_places), -1, dtype=np.int32),
                np.full((n_classes, n_samples, n_places), np.inf, dtype=np.float32),
                np.full((n_classes, n_blocks * width), np.inf, dtype=np.float32),
            )
            part = np.concatenate(groups[start:stop])

            def fill_some(first, last):
                _fill_tables(
                    part[first:last], points, gaps, class_starts, squared, tables
                )

            on_threads(1, len(part), fill_some, cost=tile_cost * len(part))
            parts.append(tables)

        # Each part has tables of its own: few parts, which count what is done.
        cost = min(tile_cost * len(tiles), PART_COST)
        on_threads(n_jobs, len(groups), work, cost=cost, parts_each=1, is_counted=False)

    tiles = np.column_stack(np.triu_indices(n_blocks))
    fill(tiles[:n_blocks])
    # The first block has met all rows. Where ties are many, tables are too short.
    first = np.arange(min(width, len(points.rows)))
    _merge_tables(parts[0], parts[1:])
    del parts[1:]
    is_short = short_rows(first, parts[0], n_neighbors, points.rounding)
    if 4 * is_short.sum() > first.size:
        return no_tables()
    fill(tiles[n_blocks:])
    _merge_tables(parts[0], parts[1:])
    return parts[0]


@kernel()
def _fill_tables(tiles, points, gaps, class_starts, squared, tables):
    """Take the pairs of rows of two blocks into the tables of both."""
    width, n_samples = points.blocks.shape[2], points.rows.shape[0]
    worst = tables.worst
    distances = np.empty((width, width), dtype=np.float32)
    class_of = np.searchsorted(class_starts, np.arange(n_samples), side="right") - 1
    for t in range(tiles.shape[0]):
        row, column = tiles[t, 0] * width, tiles[t, 1] * width
        tile_distances(tiles[t, 0], tiles[t, 1], points, gaps, squared, distances)
        end, shift = min(column + width, n_samples), np.uint64(column)
        for a in range(row, min(row + width, n_samples)):
            own, first, q = class_of[a], max(column, a + 1), np.uint64(a - row)
            while first < end:
                # Rows of one class, some at a time.
                c = class_of[first]
                last = min(first + STRIP_ROWS, class_starts[c + 1], end)
                bound, found = worst[c, a], np.uint32(0)
                # Unsigned, so that no index may mean a place from the end.
                for r in range(np.uint64(first), np.uint64(last)):
                    d = distances[q, r - shift]
                    found |= np.uint32((d < bound) | (d < worst[own, r]))
                for b in range(first, last if found > 0 else first):
                    d = distances[q, b - column]
                    if d < worst[c, a]:
                        _insert(a, c, b, d, tables)
                    if d < worst[own, b]:
                        _insert(b, own, a, d, tables)
                first = last


@kernel()
def _insert(a, c, b, distance, tables):
    """Take row b of class c into the table of row a."""
    rows, distances = tables.rows[c, a], tables.distances[c, a]
    k = rows.size - 1
    while k > 0 and distance < distances[k - 1]:
        rows[k], distances[k] = rows[k - 1], distances[k - 1]
        k -= 1
    rows[k], distances[k] = b, distance
    tables.worst[c, a] = distances[-1]


def _merge_tables(tables: Tables, others: list[Tables]) -> None:
    for other in others:
        _merge(tables, other)


@kernel()
def _merge(tables, other):
    n_classes, n_samples, n_places = tables.rows.shape
    for c in range(n_classes):
        for a in range(n_samples):
            for k in range(n_places):
                d = other.distances[c, a, k]
                if not d < tables.worst[c, a]:
                    break
                _insert(a, c, other.rows[c, a, k], d, tables)


@kernel()
def short_rows(queries, tables, n_neighbors, rounding):
    """Whether more rows than the tables hold may be among the nearest, (q,)."""
    is_short = np.zeros(queries.size, dtype=np.bool_)
    for q in range(queries.size):
        for c in range(tables.rows.shape[0]):
            nearest = tables.distances[c, queries[q], n_neighbors - 1]
            worst = tables.worst[c, queries[q]]
            # More than where neighbours are chosen, whose bound is rounded, too.
            slack = 2.5 * (rounding[0] + rounding[1] * nearest)
            is_short[q] |= worst < np.inf and not nearest + slack < worst
    return is_short


@kernel(part=True)
def listed_rows(a, first, last, tables, distances, rows):
    """List the rows of classes first, ..., last - 1 in the tables of row a, ascending.

    Returns their number.
    """
    n_found = 0
    for c in range(first, last):
        for k in range(tables.rows.shape[2]):
            b = tables.rows[c, a, k]
            if b < 0:
                break
            i = n_found
            while i > 0 and rows[i - 1] > b:
                rows[i], distances[i] = rows[i - 1], distances[i - 1]
                i -= 1
            rows[i], distances[i] = b, tables.distances[c, a, k]
            n_found += 1
    return n_found
