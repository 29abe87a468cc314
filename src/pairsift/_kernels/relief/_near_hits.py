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
    nearest, distances = nearest_rows(
        X,
        queries,
        queries[:, None],
        columns,
        squared,
        number_to_find(n_neighbors, share, len(X)),
        n_jobs,
    )
    has_missing = columns.codes.shape[0] > 0
    hits, cut, bounds = hits_of_tables(
        nearest, distances, n_neighbors, share, X.shape, has_missing
    )
    if cut.size == 0:
        return hits
    return _completed(X, queries, hits, cut, bounds, columns, squared, n_jobs)


def number_to_find(n_neighbors: int, share: bool, n_samples: int) -> int:
    """Return how many nearest rows `hits_of_tables` has to see."""
    # One more than the (K + 1)-th, to see whether that one is tied.
    return min(n_neighbors + 1 + share, max(n_samples - 1, 1))


def hits_of_tables(
    nearest: IndexArray,
    distances: FloatArray,
    n_neighbors: int,
    share: bool,
    shape: tuple[int, ...],
    has_missing: bool,
) -> tuple[NearHits, IndexArray, FloatArray]:
    """Choose the near-hits among the nearest rows, tables (q, k) of `nearest_rows`.

    shape : of X. Returns the hits, the queries (m,) that more rows than the tables hold
    may be tied with, and bounds (m, 2) of the distances of tied rows.
    """
    is_hit, n_found = nearest >= 0, nearest.shape[1]
    nothing = np.empty(0, dtype=np.int64), np.empty((0, 2))
    if not share or n_found <= n_neighbors:
        n_sure = np.minimum(is_hit.sum(axis=1), n_neighbors)
        return _listed(nearest, is_hit, n_sure, n_neighbors), *nothing
    last, rounding = distances[:, n_neighbors, None], share_of_ties(shape[1])
    least, most = last * (1.0 - rounding), last * (1.0 + rounding)
    is_hit &= distances <= most
    hits = _listed(nearest, is_hit, (distances < least).sum(axis=1), n_neighbors)
    is_cut = is_hit[:, -1] & (n_found < shape[0] - 1)
    if not has_missing:
        # Copies of a row are interchangeable: any of them will do.
        is_cut &= distances[:, -1] > 0.0
    cut = np.flatnonzero(is_cut)
    return hits, cut, np.hstack([least, most])[cut]


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
    found = tied_rows(
        X, queries[cut], queries[cut], bounds, columns, squared, len(X), n_jobs
    )
    return with_tied_rows(hits, cut, found)


def tied_rows(
    X: FloatArray,
    queries: IndexArray,
    own: IndexArray,
    bounds: FloatArray,
    columns: Columns,
    squared: bool,
    n_candidates: int,
    n_jobs: int | None,
) -> list[tuple[IndexArray, IndexArray]]:
    """Return the rows nearer than bounds (q, 2) to each query, and those between them.

    own : (q,) rows that are not looked at, -1 for none; n_candidates : only the first
    rows of X, this many, are looked at.
    """
    lower = Differences(X, columns, squared)
    nothing = np.empty(0, dtype=np.int64)
    found = [(nothing, nothing)] * queries.size

    def search(first: int, last: int) -> None:
        for i in range(first, last):
            distances = lower.bounds(queries[i : i + 1])[0, :n_candidates]
            if own[i] >= 0:
                distances[own[i]] = np.inf
            found[i] = rows_within(
                lower.cells, queries[i], distances, *bounds[i], squared
            )

    on_threads(n_jobs, queries.size, search, cost=1.0 * queries.size * X.size)
    return found


def with_tied_rows(
    hits: NearHits, cut: IndexArray, found: list[tuple[IndexArray, IndexArray]]
) -> NearHits:
    """Replace the hits of the queries `cut` by rows of `tied_rows`."""
    lists, n_sure = np.split(hits.rows, hits.starts[1:-1]), hits.n_sure.copy()
    for query, (sure, tied) in zip(cut, found, strict=True):
        lists[query], n_sure[query] = np.concatenate([sure, tied]), sure.size
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
