"""Nearest rows of every group to every row, from one visit to each pair of rows."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairsift._kernels._jit import PART_COST, kernel, on_threads
from pairsift._kernels.relief._nearest import Groups, class_of
from pairsift._kernels.relief._tiles import Engine

# Rows that are looked at together, and blocks whose distances are held at a time.
STRIP_ROWS = 32
PANEL_BLOCKS = 4
# Places of a table behind those asked for, and most places of a row in all its tables.
SPARE_PLACES = 4
MAX_PLACES = 128
# Tables that are filled at the same time, at most; each takes as much memory.
MAX_TABLES = 16


class Tables(NamedTuple):
    """The nearest rows of each group, by distances in single precision.

    rows : (n_groups, n, k) int32, -1 for none; distances : the same, ascending, inf for
    none; worst : (n_groups, n), the last distance.
    """

    rows: NDArray[np.int32]
    distances: NDArray[np.float32]
    worst: NDArray[np.float32]


def empty_tables(n_groups: int, n_samples: int, n_places: int) -> Tables:
    """Return tables without rows."""
    shape = n_groups, n_samples, n_places
    return Tables(
        np.full(shape, -1, dtype=np.int32),
        np.full(shape, np.inf, dtype=np.float32),
        np.full(shape[:2], np.inf, dtype=np.float32),
    )


def nearest_tables(
    engine: Engine, groups: Groups, n_neighbors: int, n_jobs: int | None = -1
) -> Tables | None:
    """Return tables of a few more than n_neighbors rows; None when they do not pay."""
    n_groups, n_places = groups.shares.shape[1], n_neighbors + SPARE_PLACES
    if engine.is_ignored or n_groups * n_places > MAX_PLACES:
        return None
    n_samples = engine.encoded.n_samples
    tables = empty_tables(n_groups, n_samples, n_places)
    _fill(engine, groups, tables, _panels(engine.n_blocks, 0, 1), n_jobs)
    # The first block has met all rows. Where ties are many, tables are too short.
    is_short = short_rows(engine.rows_of(0), tables, n_neighbors, engine.rounding)
    if 4 * is_short.sum() > is_short.size:
        return None
    panels = _panels(engine.n_blocks, 1, engine.n_blocks)
    _fill(engine, groups, tables, panels, n_jobs)
    return tables


def _panels(n_blocks: int, first: int, last: int) -> list[tuple[int, int, int]]:
    """Return (i, j, k): block i with blocks j, ..., k - 1, none of them before it."""
    return [
        (i, j, min(j + PANEL_BLOCKS, n_blocks))
        for i in range(first, last)
        for j in range(i, n_blocks, PANEL_BLOCKS)
    ]


def _fill(
    engine: Engine,
    groups: Groups,
    tables: Tables,
    panels: list[tuple[int, int, int]],
    n_jobs: int | None,
) -> None:
    """Take the pairs of rows of some panels into the tables."""
    n_lines, width = engine.encoded.blocks.shape[1:]
    cost = (0.1 * n_lines + 2.0) * width * width * PANEL_BLOCKS
    n_parts = max(min(len(panels), MAX_TABLES), 1)
    others: list[Tables] = []

    def work(start: int, stop: int) -> None:
        own = empty_tables(*tables.rows.shape)
        edges = [part * len(panels) // n_parts for part in (start, stop)]
        some = panels[edges[0] : edges[1]]
        # What is no nearer than the rows found so far has no chance.
        own.worst[:] = tables.worst
        room = engine.new_strip(width, PANEL_BLOCKS).ravel()

        def fill_some(first: int, last: int) -> None:
            for i, j, k in some[first:last]:
                strip = room[: width * (k - j) * width].reshape(width, -1)
                engine.block_distances(i, j, k, strip)
                fill_tables(engine.rows_of(i), strip, j * width, groups, own)

        on_threads(1, len(some), fill_some, cost=cost * len(some))
        others.append(own)

    # Each part has tables of its own: few parts, which count what is done.
    on_threads(
        n_jobs, n_parts, work, cost=min(cost * len(panels), PART_COST), parts_each=1,
        is_counted=False,
    )  # fmt: skip
    for other in others:
        _merge(tables, other)


@kernel()
def fill_tables(rows, strip, start, groups, tables):
    """Take pairs of rows a and later rows b into the tables of both.

    strip[i, r] : the distance of rows[i] and row start + r.
    """
    worst, class_starts = tables.worst, groups.class_starts
    end, shift = min(start + strip.shape[1], worst.shape[1]), np.uint64(start)
    for i in range(rows.size):
        a, line = rows[i], strip[i]
        own = class_of(a, class_starts)
        first = max(start, a + 1)
        c = own
        while first < end:
            # Rows of one class, some at a time; classes may be empty.
            while first >= class_starts[c + 1]:
                c += 1
            last = min(first + STRIP_ROWS, class_starts[c + 1], end)
            of_a = int(c != own) if groups.is_pooled else c
            of_b = int(c != own) if groups.is_pooled else own
            bound, others, found = worst[of_a, a], worst[of_b], np.uint32(0)
            # Unsigned, so that no index may mean a place from the end.
            for r in range(np.uint64(first), np.uint64(last)):
                d = line[r - shift]
                found |= np.uint32((d < bound) | (d < others[r]))
            for b in range(first, last if found > 0 else first):
                d = line[b - start]
                if d < worst[of_a, a]:
                    _insert(a, of_a, b, d, tables)
                if d < worst[of_b, b]:
                    _insert(b, of_b, a, d, tables)
            first = last


@kernel(inner=True)
def _insert(a, g, b, distance, tables):
    """Take row b of group g into the table of row a; the smaller of tied rows first."""
    rows, distances = tables.rows[g, a], tables.distances[g, a]
    k = rows.size - 1
    while k > 0 and (
        distance < distances[k - 1]
        or (distance == distances[k - 1] and b < rows[k - 1])
    ):
        rows[k], distances[k] = rows[k - 1], distances[k - 1]
        k -= 1
    rows[k], distances[k] = b, distance
    tables.worst[g, a] = min(tables.worst[g, a], distances[-1])


@kernel()
def _merge(tables, other):
    """Take the rows of other tables into tables, in any order."""
    n_groups, n_samples, n_places = tables.rows.shape
    for g in range(n_groups):
        for a in range(n_samples):
            for k in range(n_places):
                d = other.distances[g, a, k]
                if not d < tables.worst[g, a]:
                    break
                _insert(a, g, other.rows[g, a, k], d, tables)


@kernel()
def short_rows(queries, tables, n_neighbors, rounding):
    """Whether more rows than the tables hold may be among the nearest, (q,)."""
    is_short = np.zeros(queries.size, dtype=np.bool_)
    for q in range(queries.size):
        for g in range(tables.rows.shape[0]):
            nearest = tables.distances[g, queries[q], n_neighbors - 1]
            worst = tables.worst[g, queries[q]]
            # More than where neighbours are chosen, whose bound is rounded, too.
            slack = 2.5 * (rounding[0] + rounding[1] * nearest)
            is_short[q] |= worst < np.inf and not nearest + slack < worst
    return is_short
