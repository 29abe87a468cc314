"""The nearest rows of every row, and all those tied with the last of them.

Of data in blocks, some rows at a time travel to all blocks, where they are compared
with the rows of each; tables of neighbours and lists of edges are merged, so that every
pair of blocks meets, and no more than the graph is held here.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

from pairsift import _kernels
from pairsift._blocks import Blocks, OneBlock, Rows
from pairsift._checks import check_at_least, check_memory
from pairsift._typing import FloatArray, IndexArray
from pairsift._warnings import warn_caller
from pairsift.graphs._in_blocks import as_blocks, targets_of

BLOCK_CELLS = 2**22
MAX_EDGES = 2**23
"""Edges to tied neighbours that may be listed."""
EDGE_BYTES = 120.0
"""Bytes that each neighbour of a row takes while a sparse graph is built."""


class Edges(NamedTuple):
    """Directed edges between rows."""

    first: IndexArray
    second: IndexArray
    squared: FloatArray
    """Their squared lengths."""


def nearest_neighbors(
    X: Rows, n_neighbors: int, *, n_jobs: int | None = -1
) -> tuple[IndexArray, FloatArray]:
    """Find the Euclidean nearest neighbours of every row; ties go to the smaller row.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Data without missing values.
    n_neighbors : int
        How many, cut to ``n_samples - 1``.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Returns
    -------
    rows : ndarray of shape (n_samples, n_neighbors), dtype=int64
        Neighbours of each row, nearest first, never the row itself.
    distances : ndarray of shape (n_samples, n_neighbors)
        Their distances.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.graphs import nearest_neighbors
    >>> nearest_neighbors(np.array([[0.0], [1.0], [3.0]]), 1)[0].ravel()
    array([1, 0, 1])
    """
    blocks = as_blocks(X)
    check_at_least(n_neighbors, "n_neighbors", 1)
    if len(blocks) < 2:
        raise ValueError("X must have at least two rows to have neighbours, got one.")
    low, high, _ = blocks.extremes
    if 0 < (high - low).max() < 1e-150:
        raise ValueError(
            "X holds numbers so little apart that distances vanish: scale it first."
        )
    rows, squared = _nearest_tables(blocks, min(n_neighbors, len(blocks) - 1), n_jobs)
    if (rows < 0).any():
        raise ValueError(
            "X holds numbers so large that distances overflow: scale it first."
        )
    return rows, np.sqrt(squared)


def _nearest_tables(
    blocks: Blocks, n_neighbors: int, n_jobs: int | None
) -> tuple[IndexArray, FloatArray]:
    """Return tables (n, k) of the nearest rows and their squared distances."""
    everyone = np.arange(len(blocks))
    # Of the columns only the extremes matter: rows that have them stand for all.
    columns = _kernels.plain_columns(np.stack(blocks.extremes[:2]))
    if isinstance(blocks, OneBlock):
        return _kernels.nearest_rows(
            blocks.X, everyone, everyone[:, None], columns, True, n_neighbors, n_jobs
        )
    shape = (len(blocks), n_neighbors)
    check_memory(
        16.0 * shape[0] * shape[1],
        f"the nearest neighbours of {shape[0]} rows",
        "take fewer neighbours, or some of the rows",
    )
    rows, squared = np.empty(shape, dtype=np.int64), np.empty(shape)
    rules, group = _kernels.ColumnRules(columns), np.zeros(shape[0], dtype=np.int32)
    for some in targets_of(blocks, everyone):
        found = blocks.reduce(
            _kernels.nearest_in_block,
            _kernels.join_nearest,
            _kernels.Targets(some, blocks.rows(some), group[some]),
            rules,
            True,
            n_neighbors,
            by_row=group,
        )
        rows[some], squared[some] = found.rows, found.distances
    return rows, squared


def nearest_edges(
    blocks: Blocks, n_neighbors: int, n_jobs: int | None = -1
) -> tuple[Edges, FloatArray]:
    """Join every row to its nearest ones; return the distances to the k-th, too.

    A row is joined to all rows tied with its k-th nearest, so that the order of the
    rows does not matter. Where too many are tied, those first in X are taken.
    """
    check_at_least(n_neighbors, "n_neighbors", 1)
    k = min(n_neighbors, len(blocks) - 1)
    check_memory(
        EDGE_BYTES * len(blocks) * k,
        f"the edges from {len(blocks)} rows to {k} neighbours each",
        "take fewer neighbours, or some of the rows",
    )
    # The neighbour behind the last one shows where there are ties.
    rows, distances = nearest_neighbors(blocks, n_neighbors + 1, n_jobs=n_jobs)
    kth = distances[:, k - 1]
    most = kth**2 * (1.0 + _kernels.share_of_ties(blocks.shape[1]))
    is_tied = np.asarray((distances[:, k:] ** 2 <= most[:, None]).any(axis=1))
    tied = edges_within(blocks, np.flatnonzero(is_tied), most, MAX_EDGES, n_jobs)
    if tied is None:
        warn_caller(
            "X has so many equal rows that those tied with the last of the "
            f"{k} nearest do not fit into memory: the first ones in X were taken, and "
            "another order of rows gives other results; leave copies of rows out."
        )
        is_tied[:] = False
        tied = []
    single = np.flatnonzero(~is_tied)
    found = Edges(
        np.repeat(single, k),
        rows[single, :k].ravel(),
        distances[single, :k].ravel() ** 2,
    )
    return joined_edges([found, *tied]), kth


def joined_edges(parts: list[Edges]) -> Edges:
    """Put edges behind one another."""
    return Edges(*map(np.concatenate, zip(*parts, strict=True)))


def edges_within(
    blocks: Blocks,
    rows: IndexArray,
    most: FloatArray,
    n_edges: float,
    n_jobs: int | None,
) -> list[Edges] | None:
    """Join some rows to all within squared distances; None for too many edges.

    rows : ascending; most : (n,) the largest squared distance from each row of X.
    """
    found: list[Edges] = []
    n_jobs = n_jobs if isinstance(blocks, OneBlock) else 1
    for some in targets_of(blocks, rows):
        edges = blocks.reduce(
            _edges_of_block,
            partial(_join_edges, n_edges),
            some,
            blocks.rows(some),
            most[some],
            n_edges,
            n_jobs,
        )
        if edges is None:
            return None
        # By rows, as they are in memory, and not by blocks.
        order = np.argsort(edges.first, kind="stable")
        found.append(Edges(*(part[order] for part in edges)))
        n_edges -= edges.first.size
    return found


def _edges_of_block(
    X: FloatArray,
    first_row: int,
    rows: IndexArray,
    points: FloatArray,
    most: FloatArray,
    n_edges: float,
    n_jobs: int | None,
) -> Edges | None:
    """Join some rows, with values `points`, to rows of a block; None for too many."""
    found = [Edges(rows[:0], rows[:0], most[:0])]
    step = max(BLOCK_CELLS // len(X), 1)
    for start in range(0, rows.size, step):
        part = slice(start, start + step)
        squared = _squared_distances(X, points[part], n_jobs)
        is_near = squared <= most[part, None]
        place, second = np.nonzero(is_near)
        first, second = rows[part][place], second + first_row
        is_other = first != second
        found.append(
            Edges(first[is_other], second[is_other], squared[is_near][is_other])
        )
        n_edges -= int(np.count_nonzero(is_other))
        if n_edges < 0:
            return None
    return joined_edges(found)


def _join_edges(
    n_edges: float, first: Edges | None, later: Edges | None
) -> Edges | None:
    if first is None or later is None or first[0].size + later[0].size > n_edges:
        return None
    return joined_edges([first, later])


def _squared_distances(
    X: FloatArray, points: FloatArray, n_jobs: int | None
) -> FloatArray:
    squared = np.empty((len(points), len(X)))

    def fill(first: int, last: int) -> None:
        squared[first:last] = _kernels.squared_distances(X, points[first:last])

    _kernels.on_threads(n_jobs, len(points), fill, cost=0.1 * len(points) * X.size)
    return squared
