"""Nearest rows with exact distances: tables of them, and near-hits with their ties."""

from typing import NamedTuple

import numpy as np

from pairsift._kernels._jit import kernel, on_threads, one_blas_thread
from pairsift._kernels.relief._cells import (
    as_cells,
    error_of_sums,
    exact_distances,
    share_of_ties,
)
from pairsift._kernels.relief._columns import Columns
from pairsift._kernels.relief._encoded import ROUNDOFF_32
from pairsift._kernels.relief._nearest import (
    Groups,
    Near,
    Nearest,
    find_nearest,
    in_order,
    one_group,
    places_of,
)
from pairsift._kernels.relief._tables import Tables, empty_tables
from pairsift._kernels.relief._tiles import Engine
from pairsift._typing import FloatArray, IndexArray

# Products of matrices pay from this many cells on; their errors grow with the columns.
MANY_CELLS = 10_000_000
MAX_COLUMNS = 100_000
PRODUCT_ROWS = 256


class Products:
    """Distances |a|² + |b|² - 2ab, products of matrices in single precision.

    With d columns and unit roundoff u, the product is wrong by at most du|a||b| and the
    rounding of a and b by less: together less than 2c(|a|² + |b|²) with c = (d + 32)u.
    Because |b| is |a| plus the distance at most, that is below 2c(3|a|² + 2|a - b|²).
    """

    squared = True
    strip_rows = PRODUCT_ROWS

    def __init__(self, X: FloatArray, columns: Columns) -> None:
        self.cells = as_cells(X, columns)
        points = (X - columns.offset) * columns.scale
        points -= points.mean(axis=0)
        self._points = points.astype(np.float32)
        self._norms = np.einsum("ij,ij->i", points, points)
        self._c = (X.shape[1] + 32) * ROUNDOFF_32

    def strip_of(self, queries: IndexArray) -> FloatArray:
        """Return the distances of some rows to all rows."""
        strip = self._points[queries] @ self._points.T
        strip *= -2.0
        strip += self._norms.astype(np.float32)
        strip += self._norms[queries, None].astype(np.float32)
        return strip

    def rounding_of(self, queries: IndexArray) -> FloatArray:
        """Return (a, b) of each row, (q, 2): a distance d is wrong by a + b d."""
        absolute = 6.0 * self._c * self._norms[queries]
        return np.column_stack([absolute, np.full(queries.size, 4.0 * self._c)])


def near_lists(
    space: Engine | Products,
    n_neighbors: int,
    groups: Groups,
    queries: IndexArray,
    strip: FloatArray,
    *,
    own: IndexArray | None = None,
    place: IndexArray | None = None,
    tables: Tables | None = None,
    is_exact: bool = True,
) -> Near:
    """List the rows of each group that may be among the nearest, see `find_nearest`.

    own : classes of the queries, unless they follow from their numbers; place : unless
    they are the rows of the strip; is_exact : whether to compute the distances of rows
    that are surely near, too.
    """
    n_groups = groups.shares.shape[1]
    own = groups.classes_of(queries) if own is None else own
    place = np.arange(queries.size) if place is None else place
    tables = empty_tables(n_groups, 0, 0) if tables is None else tables
    rounding = space.rounding_of(queries)
    starts, rows, is_sure = find_nearest(
        n_neighbors, rounding, groups, own, queries, place, strip, tables
    )
    near = Near(starts, rows, np.full(rows.size, -1.0))
    wanted = np.arange(rows.size) if is_exact else np.flatnonzero(~is_sure)
    if wanted.size > 0:
        ends = queries[near.owners()[wanted] // n_groups], rows[wanted]
        near.distances[wanted] = exact_distances(space.cells, *ends, space.squared)
    return near


def search_lists(
    space: Engine | Products,
    rule: Nearest,
    groups: Groups,
    queries: IndexArray,
    excluded: IndexArray,
    own: IndexArray | None = None,
    n_jobs: int | None = -1,
) -> Near:
    """List the rows of each group that have a place by the rule, with their distances.

    excluded : as in `nearest_rows`; own : as in `near_lists`.
    """
    no_row = np.empty(0, dtype=np.int64)
    parts = {-1: Near(np.zeros(1, dtype=np.int64), no_row, np.empty(0))}
    own = groups.classes_of(queries) if own is None else own

    def search(first: int, last: int) -> None:
        for start in range(first, last, space.strip_rows):
            part = slice(start, min(start + space.strip_rows, last))
            some, strip = queries[part], space.strip_of(queries[part])
            _bar(strip, excluded[part])
            near = near_lists(
                space, rule.n_neighbors, groups, some, strip, own=own[part]
            )
            parts[start] = cut(near, rule, space.cells.columns.tells_copies)

    cost = 0.2 * queries.size * space.cells.X.size
    with one_blas_thread():
        on_threads(n_jobs, queries.size, search, cost=cost)
    return joined([parts[start] for start in sorted(parts)])


@kernel()
def _bar(strip, excluded):
    """Put rows that are no neighbours of a query out of reach."""
    for q in range(excluded.shape[0]):
        for row in excluded[q]:
            if row >= 0:
                strip[q, row] = np.inf


def cut(near: Near, rule: Nearest, tells_copies: bool) -> Near:
    """Leave out rows without a place; tells_copies : as in `Columns`."""
    if tells_copies:
        # Copies of a row are interchangeable: any that fill the places will do.
        n_copies = (near.distances == 0.0).cumsum()
        before = np.concatenate([[0], n_copies])[near.starts[:-1]]
        n_copies -= np.repeat(before, np.diff(near.starts))
        near = near.take((near.distances > 0.0) | (n_copies <= rule.n_neighbors))
    return near.take(places_of(near, rule) > 0.0)


def joined(parts: list[Near]) -> Near:
    """Put lists behind each other."""
    sizes = np.concatenate([np.diff(part.starts) for part in parts])
    return Near(
        np.concatenate([[0], sizes.cumsum()]),
        np.concatenate([part.rows for part in parts]),
        np.concatenate([part.distances for part in parts]),
    )


def nearest_rows(
    X: FloatArray,
    queries: IndexArray,
    excluded: IndexArray,
    columns: Columns,
    squared: bool,
    n_neighbors: int,
    n_jobs: int | None = -1,
    n_candidates: int | None = None,
) -> tuple[IndexArray, FloatArray]:
    """Find the k nearest rows of X to some of its rows, nearest first.

    Distance: Σ_j Δ_j, or Σ_j Δ_j² when `squared`. Distances that agree up to rounding
    are tied, and ties go to the smaller row.

    X : (n, d) float64; queries : (q,) rows; excluded : (q, e) rows that are no
    neighbours of each query, -1 for none (a query itself never is one); columns :
    Columns; n_candidates : only the first rows of X, this many, are neighbours; None
    for all. Returns rows (q, k) int64, -1 where there are too few, and distances
    (q, k), inf there.
    """
    space, exponent = _space_of(X, columns, squared, queries.size)
    rule = Nearest(n_neighbors, error_of_sums(X.shape[1]), share=False)
    group = one_group(len(X) if n_candidates is None else n_candidates)
    near = search_lists(space, rule, group, queries, excluded, n_jobs=n_jobs)
    return tables_of(near, rule, 2 * exponent if squared else exponent)


def _space_of(
    X: FloatArray, columns: Columns, squared: bool, n_queries: int
) -> tuple[Engine | Products, int]:
    """Choose how to compare rows; differences are divided by a power of two."""
    is_plain = columns.codes.size == 0 and not columns.is_categorical.any()
    is_plain &= not columns.has_ramp
    if not is_plain:
        return Engine(X, columns, np.float32, squared), 0
    # Differences as given are brought to 1, so that nothing overflows and no digit is
    # lost.
    largest = (columns.scale * columns.span).max(initial=0.0)
    exponent = int(np.frexp(largest)[1])
    columns = columns._replace(scale=np.ldexp(columns.scale, -exponent))
    is_large = n_queries * X.size >= MANY_CELLS and X.shape[1] <= MAX_COLUMNS
    if squared and is_large:
        return Products(X, columns), exponent
    return Engine(X, columns, np.float32, squared), exponent


def tables_of(
    near: Near, rule: Nearest, exponent: int = 0
) -> tuple[IndexArray, FloatArray]:
    """Return tables (q, k) of lists, distances times a power of two."""
    near, _ = in_order(near, rule.rounding)
    owners = near.owners()
    places = np.arange(owners.size) - near.starts[owners]
    shape = near.starts.size - 1, rule.n_neighbors
    rows, distances = np.full(shape, -1, dtype=np.int64), np.full(shape, np.inf)
    rows[owners, places] = near.rows
    with np.errstate(over="ignore"):
        distances[owners, places] = np.ldexp(near.distances, exponent)
    rows[np.isinf(distances)] = -1
    return rows, distances


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
    n_jobs: int | None = -1,
) -> NearHits:
    """Find the K nearest rows of X to some of its rows, and the rows tied with them.

    X : (n, d); queries : (q,) rows; columns, squared : as in `nearest_rows`; share :
    whether tied rows share the last places, or the smaller rows take them.
    """
    n_neighbors = min(n_neighbors, len(X))
    space, _ = _space_of(X, columns, squared, queries.size)
    rule = Nearest(n_neighbors + 1, share_of_ties(X.shape[1]), share)
    near = search_lists(
        space, rule, one_group(len(X)), queries, queries[:, None], n_jobs=n_jobs
    )
    return hits_of_lists(near, rule)


def hits_of_lists(near: Near, rule: Nearest) -> NearHits:
    """Choose the near-hits; near : lists for one place more, the next in line."""
    near, runs = in_order(near, rule.rounding)
    sizes, n_neighbors = np.diff(near.starts), rule.n_neighbors - 1
    n_sure = np.minimum(sizes, n_neighbors)
    if rule.share:
        has_next = sizes > n_neighbors
        last_runs = runs[near.starts[1:][has_next] - 1]
        first_of_run = np.searchsorted(runs, last_runs)
        n_sure[has_next] = first_of_run - near.starts[:-1][has_next]
    return NearHits(near.starts, near.rows, n_sure, n_neighbors)


@kernel()
def hits_of(hits, q):
    """Rows with a place of their own, rows that share, and how many places these have.

    Returns (sure, tied, n_shared) of query q.
    """
    start, stop = hits.starts[q], hits.starts[q + 1]
    middle = start + hits.n_sure[q]
    n_shared = hits.n_neighbors - hits.n_sure[q] if middle < stop else 0
    return hits.rows[start:middle], hits.rows[middle:stop], n_shared
