"""The nearest rows of every row, and all those tied with the last of them."""

import warnings
from typing import NamedTuple

import numpy as np

from pairsift import _kernels
from pairsift._checks import as_matrix, check_at_least
from pairsift._docstrings import documented
from pairsift._typing import FloatArray, IndexArray

BLOCK_CELLS = 2**22
MOST_EDGES = 2**23
"""Edges to tied neighbours that may be listed."""


class Edges(NamedTuple):
    """Directed edges between rows."""

    first: IndexArray
    second: IndexArray
    squared: FloatArray
    """Their squared lengths."""


@documented
def nearest_neighbors(
    X: FloatArray, n_neighbors: int, *, n_jobs: int | None = None
) -> tuple[IndexArray, FloatArray]:
    """Find the Euclidean nearest neighbours of every row; ties go to the smaller row.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Data without missing values.
    n_neighbors : int
        How many, cut to ``n_samples - 1``.
    {n_jobs}

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
    X = as_matrix(X)
    check_at_least(n_neighbors, "n_neighbors", 1)
    n_samples = len(X)
    if n_samples < 2:
        raise ValueError("X must have at least two rows to have neighbours, got one.")
    most = np.ptp(X, axis=0).max()
    if 0 < most < 1e-150:
        raise ValueError(
            "X holds numbers so little apart that distances vanish: scale it first."
        )
    everyone = np.arange(n_samples)
    rows, squared = _kernels.nearest_rows(
        X,
        everyone,
        everyone[:, None],
        _kernels.plain_columns(X),
        True,
        min(n_neighbors, n_samples - 1),
        n_jobs,
    )
    if (rows < 0).any():
        raise ValueError(
            "X holds numbers so large that distances overflow: scale it first."
        )
    return rows, np.sqrt(squared)


def nearest_edges(
    X: FloatArray, n_neighbors: int, n_jobs: int | None = None
) -> tuple[Edges, FloatArray]:
    """Join every row to its nearest ones; return the distances to the k-th, too.

    A row is joined to all rows tied with its k-th nearest, so that the order of the
    rows does not matter. Where too many are tied, those first in X are taken.
    """
    check_at_least(n_neighbors, "n_neighbors", 1)
    # The neighbour behind the last one shows where there are ties.
    rows, distances = nearest_neighbors(X, n_neighbors + 1, n_jobs=n_jobs)
    k = min(n_neighbors, len(X) - 1)
    kth = distances[:, k - 1]
    most = kth**2 * (1.0 + _kernels.share_of_ties(X.shape[1]))
    is_tied = np.asarray((distances[:, k:] ** 2 <= most[:, None]).any(axis=1))
    tied = _edges_within_reach(X, np.flatnonzero(is_tied), most, n_jobs)
    if tied is None:
        warnings.warn(
            "X has so many equal rows that those tied with the last of the "
            f"{k} nearest do not fit into memory: the first ones in X were taken, and "
            "another order of rows gives other results; leave copies of rows out.",
            stacklevel=3,
        )
        is_tied[:] = False
        tied = []
    single = np.flatnonzero(~is_tied)
    found = Edges(
        np.repeat(single, k),
        rows[single, :k].ravel(),
        distances[single, :k].ravel() ** 2,
    )
    return Edges(*map(np.concatenate, zip(found, *tied, strict=True))), kth


def _edges_within_reach(
    X: FloatArray, rows: IndexArray, most: FloatArray, n_jobs: int | None
) -> list[Edges] | None:
    """Join some rows to all within a squared distance; None for too many edges."""
    found: list[Edges] = []
    n_left = MOST_EDGES
    step = max(BLOCK_CELLS // len(X), 1)
    for start in range(0, rows.size, step):
        part = rows[start : start + step]
        squared = _squared_distances(X, part, n_jobs)
        is_near = squared <= most[part, None]
        is_near[np.arange(part.size), part] = False
        n_left -= int(np.count_nonzero(is_near))
        if n_left < 0:
            return None
        place, second = np.nonzero(is_near)
        found.append(Edges(part[place], second, squared[is_near]))
    return found


def _squared_distances(
    X: FloatArray, rows: IndexArray, n_jobs: int | None
) -> FloatArray:
    squared = np.empty((rows.size, len(X)))

    def fill(first: int, last: int) -> None:
        squared[first:last] = _kernels.squared_distances(X, rows[first:last])

    _kernels.on_threads(n_jobs, rows.size, fill, cost=0.1 * rows.size * X.size)
    return squared
