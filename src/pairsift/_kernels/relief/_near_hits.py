"""Near-hits of rows: K places, the last of which equally distant rows share."""

from typing import NamedTuple

import numpy as np

from pairsift._kernels._jit import kernel, on_threads
from pairsift._kernels.relief._cells import share_of_ties
from pairsift._kernels.relief._columns import Columns
from pairsift._kernels.relief._neighbors import Differences, nearest_rows, rows_within
from pairsift._typing import BoolArray, FloatArray, IndexArray


class NearHits(NamedTuple):
    """The near-hits of some rows, and the next in line.

    The hits of query q are rows[starts[q] : starts[q + 1]]. The first n_sure[q] of them
    have one place each. The others are as far as the (K + 1)-th nearest row; they share
    the K - n_sure[q] places left, and the place of a partner that may not have one.
    There are no others when a query has at most K candidates.
    """

    starts: IndexArray
    rows: IndexArray
    n_sure: IndexArray
    n_neighbors: int


def near_hits(
    X: FloatArray,
    queries: IndexArray,
    columns: Columns,
    squared: bool,
    n_neighbors: int,
    share: bool,
    n_jobs: int | None = None,
) -> NearHits:
    """Find the K nearest rows of X to some of its rows, and the rows tied with them.

    X : (n, d); queries : (q,) rows; columns, squared : as in `nearest_rows`; share :
    whether tied rows share the last places, or the smaller rows take them.
    """
    # One more than the (K + 1)-th, to see whether that one is tied.
    n_found = min(n_neighbors + 1 + share, max(len(X) - 1, 1))
    nearest, distances = nearest_rows(
        X,
        queries,
        queries[:, None],
        columns,
        squared,
        n_found,
        n_jobs,
    )
    is_hit = nearest >= 0
    if not share or n_found <= n_neighbors:
        n_sure = np.minimum(is_hit.sum(axis=1), n_neighbors)
        return _listed(nearest, is_hit, n_sure, n_neighbors)
    last, rounding = distances[:, n_neighbors, None], share_of_ties(X.shape[1])
    least, most = last * (1.0 - rounding), last * (1.0 + rounding)
    is_hit &= distances <= most
    hits = _listed(nearest, is_hit, (distances < least).sum(axis=1), n_neighbors)
    is_cut = is_hit[:, -1] & (n_found < len(X) - 1)
    if columns.codes.shape[0] == 0:
        # Copies of a row are interchangeable: any of them will do.
        is_cut &= distances[:, -1] > 0.0
    cut = np.flatnonzero(is_cut)
    if cut.size == 0:
        return hits
    bounds = np.hstack([least, most])[cut]
    return _completed(X, queries, hits, cut, bounds, columns, squared, n_jobs)


def _listed(
    nearest: IndexArray, is_hit: BoolArray, n_sure: IndexArray, n_neighbors: int
) -> NearHits:
    starts = np.concatenate([[0], is_hit.sum(axis=1).cumsum()])
    return NearHits(starts, nearest[is_hit], n_sure, n_neighbors)


def _completed(
    X: FloatArray,
    queries: IndexArray,
    hits: NearHits,
    cut: IndexArray,
    bounds: FloatArray,
    columns: Columns,
    squared: bool,
    n_jobs: int | None,
) -> NearHits:
    """List all tied rows of the queries `cut`, whose last distances have bounds."""
    lower = Differences(X, columns, squared)
    lists, n_sure = np.split(hits.rows, hits.starts[1:-1]), hits.n_sure.copy()

    def search(first: int, last: int) -> None:
        for i in range(first, last):
            query, (least, most) = queries[cut[i]], bounds[i]
            distances = lower.bounds(queries[cut[i : i + 1]])[0, : len(X)]
            sure, tied = rows_within(
                lower.cells, query, distances, least, most, squared
            )
            lists[cut[i]], n_sure[cut[i]] = np.concatenate([sure, tied]), sure.size

    on_threads(n_jobs, cut.size, search, cost=1.0 * cut.size * X.size)
    starts = np.concatenate([[0], np.cumsum([rows.size for rows in lists])])
    return NearHits(starts, np.concatenate(lists), n_sure, hits.n_neighbors)


@kernel()
def hits_of(hits, q):
    """Rows with a place of their own, rows that share, and how many places these have.

    Returns (sure, tied, n_shared) of query q.
    """
    start, stop = hits.starts[q], hits.starts[q + 1]
    middle = start + hits.n_sure[q]
    n_shared = hits.n_neighbors - hits.n_sure[q] if middle < stop else 0
    return hits.rows[start:middle], hits.rows[middle:stop], n_shared
