"""Nearest rows, by strips of distances and never with an array of all of them."""

import numpy as np

from pairsift._kernels._jit import kernel, on_threads, one_blas_thread
from pairsift._kernels.relief._cells import ROUNDOFF_64, Cells, as_cells, exact_distance
from pairsift._kernels.relief._columns import Columns
from pairsift._kernels.relief._encoded import ROUNDOFF_32
from pairsift._kernels.relief._nearest import _bound_of_nearest, _kth_least, _list_less
from pairsift._kernels.relief._tiles import Engine
from pairsift._typing import FloatArray, IndexArray

# Products of matrices pay from this many cells on; queries and rows of a product.
MANY_CELLS = 10_000_000
PRODUCT_ROWS = 256
TINY_32 = 2.0**-120


def nearest_rows(
    X: FloatArray,
    queries: IndexArray,
    excluded: IndexArray,
    columns: Columns,
    squared: bool,
    n_neighbors: int,
    n_jobs: int | None = None,
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
    n_candidates = len(X) if n_candidates is None else n_candidates
    rows = np.full((queries.size, n_neighbors), -1, dtype=np.int64)
    distances = np.full((queries.size, n_neighbors), np.inf)
    is_plain = columns.codes.size == 0 and not columns.is_categorical.any()
    exponent = 0
    if is_plain:
        # Differences as given are brought to 1 by a power of two, so that nothing
        # overflows and no digit is lost.
        largest = (columns.scale * columns.span).max(initial=0.0)
        exponent = int(np.frexp(largest)[1])
        columns = columns._replace(scale=np.ldexp(columns.scale, -exponent))
    is_large = queries.size * X.size >= MANY_CELLS
    bounds = Products if squared and is_plain and is_large else Differences
    lower = bounds(X, columns, squared)

    def search(first: int, last: int) -> None:
        for start in range(first, last, lower.n_rows):
            part = slice(start, min(start + lower.n_rows, last))
            _take_nearest(
                lower.cells, queries[part], excluded[part],
                lower.bounds(queries[part]), n_candidates, squared, rows[part],
                distances[part],
            )  # fmt: skip

    with one_blas_thread():
        on_threads(n_jobs, queries.size, search, cost=0.2 * queries.size * X.size)
    with np.errstate(over="ignore"):
        distances = np.ldexp(distances, 2 * exponent if squared else exponent)
    rows[np.isinf(distances)] = -1
    return rows, distances


class Differences:
    """Lower bounds of distances, from the tile engine."""

    def __init__(self, X: FloatArray, columns: Columns, squared: bool) -> None:
        self.engine = Engine(X, columns, np.float32, squared)
        self.cells: Cells = self.engine.cells
        self.n_rows = len(self.engine.new_strip())

    def bounds(self, queries: IndexArray) -> FloatArray:
        """Return lower bounds of the distances of some rows to all rows."""
        strip = self.engine.new_strip(queries.size)
        self.engine.distances(queries, strip)
        absolute, relative = self.engine.rounding
        # A little more, because this is rounded, too.
        strip *= np.float32(1.0 - 1.01 * relative - 4.0 * ROUNDOFF_32)
        strip -= np.float32(1.01 * absolute)
        return strip


class Products:
    """Lower bounds of |a|² + |b|² - 2ab, products of matrices in single precision.

    With d columns and unit roundoff u, the product is wrong by at most du|a||b| and the
    rounding of a and b by less: together less than c(|a|² + |b|²) with c = (d + 32)u.
    """

    n_rows = PRODUCT_ROWS

    def __init__(self, X: FloatArray, columns: Columns, squared: bool) -> None:
        self.cells = as_cells(X, columns)
        points = (X - columns.offset) * columns.scale
        points -= points.mean(axis=0)
        norms = np.einsum("ij,ij->i", points, points)
        c = (X.shape[1] + 32) * ROUNDOFF_32
        self.points = points.astype(np.float32)
        self.norms = ((1.0 - 2.0 * c) * norms).astype(np.float32)

    def bounds(self, queries: IndexArray) -> FloatArray:
        """Return lower bounds of the distances of some rows to all rows."""
        lower = self.points[queries] @ self.points.T
        lower *= -2.0
        lower += self.norms
        lower += self.norms[queries, None]
        return lower


@kernel()
def _take_nearest(cells, queries, excluded, lower, n_samples, squared, rows, distances):
    """Fill in the nearest of the first rows, given lower bounds of the distances."""
    k = rows.shape[1]
    found = np.empty(n_samples + 1, dtype=np.int64)
    for q in range(queries.size):
        a, line = queries[q], lower[q, :n_samples]
        if a < n_samples:
            line[a] = np.inf
        for b in excluded[q]:
            if b >= 0:
                line[b] = np.inf
        # The k-th least exact distance of some rows bounds that of all.
        worst = np.inf
        if n_samples > k:
            n_some = _list_less(line, _above(_bound_of_nearest(line, k)), found)
            exact = np.empty(n_some)
            for i in range(n_some):
                exact[i] = exact_distance(cells, a, found[i], squared)
            worst = _kth_least(exact, k)
        n_found = _list_less(line, _above(worst), found)
        for i in range(n_found):
            distance = exact_distance(cells, a, found[i], squared)
            _insert(found[i], distance, cells.X.shape[1], rows[q], distances[q])


@kernel(inner=True)
def _above(distance):
    """Return a number in single precision above those that a distance may round to."""
    return np.float32(distance * (1.0 + 8.0 * ROUNDOFF_32) + TINY_32)


@kernel(inner=True)
def _insert(b, distance, n_features, rows, distances):
    """Take row b, larger than those before, into a table; ties stay behind."""
    # A sum of d non-negative terms is wrong by at most about d units in the last place.
    below, k = 1.0 - 2.0 * ROUNDOFF_64 * (n_features + 8), rows.size
    while k > 0 and distance < distances[k - 1] * below:
        k -= 1
        if k + 1 < rows.size:
            rows[k + 1], distances[k + 1] = rows[k], distances[k]
    if k < rows.size:
        rows[k], distances[k] = b, distance


@kernel()
def merge_nearest(rows, distances, later_rows, later_distances, n_features):
    """Take the nearest among later rows into tables of nearest rows, (q, k).

    Returns new tables; ties stay behind, so that the tables are those of all rows.
    """
    rows, distances = rows.copy(), distances.copy()
    for q in range(rows.shape[0]):
        for i in np.argsort(later_rows[q]):
            if later_rows[q, i] >= 0:
                _insert(
                    later_rows[q, i], later_distances[q, i], n_features, rows[q],
                    distances[q],
                )  # fmt: skip
    return rows, distances


@kernel()
def rows_within(cells, a, lower, least, most, squared):
    """Rows nearer to row a than `least`, and those from there to `most`, ascending.

    lower : (n,) lower bounds of the distances in single precision.
    """
    distances, bound = np.full(lower.size, np.inf), _above(most)
    for b in range(lower.size):
        if lower[b] < bound and b != a:
            distances[b] = exact_distance(cells, a, b, squared)
    is_tied = (distances >= least) & (distances <= most)
    return np.flatnonzero(distances < least), np.flatnonzero(is_tied)
