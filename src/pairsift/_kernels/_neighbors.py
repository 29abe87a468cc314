"""Nearest rows, by blocks of rows and never with an array of all distances."""

import numpy as np

from pairsift._kernels._diff import Columns, cell_difference
from pairsift._kernels._jit import kernel, on_threads
from pairsift._typing import FloatArray, IndexArray

# A block of reference rows, transposed, stays in the cache while a chunk of queries
# passes over it. Its width is 8 (a vector) times an odd number: a power of two would
# put the cells of a row being transposed into the same few cache lines, an odd width
# would tear the vectors (measured: either is twice as slow).
BLOCK_VECTORS = 31
BLOCK_ROWS = 8 * BLOCK_VECTORS
BLOCK_CELLS = 60_000
CHUNK_QUERIES = 256
# Unit roundoff of single and of double precision.
ROUNDOFF_32 = 2.0**-24
ROUNDOFF_64 = 2.0**-53


def nearest_rows(
    X: FloatArray,
    queries: IndexArray,
    excluded: IndexArray,
    columns: Columns,
    weights: FloatArray,
    squared: bool,
    n_neighbors: int,
    n_jobs: int | None = None,
) -> tuple[IndexArray, FloatArray]:
    """Find the k nearest rows of X to some of its rows, nearest first.

    Distance: Σ_j w_j Δ_j, or Σ_j (w_j Δ_j)² when `squared`. Distances that agree up to
    rounding are tied, and ties go to the smaller row.

    X : (n, d) float64; queries : (q,) rows; excluded : (q, e) rows that are no
    neighbours of each query, -1 for none (a query itself has to be listed); columns :
    Columns; weights : (d,). Returns rows (q, k) int64, -1 where there are too few, and
    distances (q, k), inf there.
    """
    rows = np.full((queries.size, n_neighbors), -1, dtype=np.int64)
    distances = np.full((queries.size, n_neighbors), np.inf)

    def search(first, last):
        # Chunks keep the tables of the queries in the cache; every chunk transposes
        # all rows, so they should not be small.
        for start in range(first, last, CHUNK_QUERIES):
            part = slice(start, min(start + CHUNK_QUERIES, last))
            tables = rows[part], distances[part]
            _search(
                X, queries[part], excluded[part], columns, weights, squared, *tables
            )

    on_threads(n_jobs, queries.size, search)
    return rows, distances


@kernel()
def _search(X, queries, excluded, columns, weights, squared, rows, distances):
    """Fill the tables of one chunk of queries, block by block of rows."""
    n_samples, n_features = X.shape
    n_vectors = min(max(BLOCK_CELLS // (8 * n_features), 4), BLOCK_VECTORS)
    block_rows = 8 * (n_vectors | 1)
    has_missing = columns.codes.shape[0] > 0
    block = np.empty((n_features, block_rows), dtype=np.float32)
    query = np.empty(n_features, dtype=np.float32)
    rough = np.empty(block_rows, dtype=np.float32)
    distance = np.empty(block_rows)
    for start in range(0, n_samples, block_rows):
        n_rows = min(block_rows, n_samples - start)
        if not has_missing:
            for r in range(n_rows):
                _to_single(X[start + r], columns, weights, block[:, r])
        for q in range(queries.size):
            a, worst = queries[q], distances[q, -1]
            if has_missing:
                distances_with_missing(
                    X, a, start, n_rows, columns, weights, squared, distance
                )
            else:
                _to_single(X[a], columns, weights, query)
                rough_distances(query, block, n_rows, columns, weights, squared, rough)
                refine(
                    X,
                    a,
                    start,
                    n_rows,
                    columns,
                    weights,
                    squared,
                    worst,
                    rough,
                    distance,
                )
            keep_nearest(
                distance, start, n_rows, excluded[q], n_features, rows[q], distances[q]
            )


@kernel()
def _to_single(cells, columns, weights, out):
    """Cells in single precision: w · scale · (x - offset), or a qualitative value."""
    for j in range(out.size):
        scaled = (cells[j] - columns.offset[j]) * (columns.scale[j] * weights[j])
        out[j] = cells[j] if columns.is_nominal[j] else scaled


@kernel()
def rough_distances(query, block, n_rows, columns, weights, squared, rough):
    """Distances of one row to a transposed block, in single precision.

    The inner loops run over rows, so that they are vectorised without touching the
    order of the sums.
    """
    rough[:n_rows] = 0.0
    for j in range(query.size):
        x, values = query[j], block[j, :n_rows]
        if columns.is_nominal[j]:
            weight = np.float32(columns.scale[j] * weights[j])
            step = weight * weight if squared else weight
            for r in range(n_rows):
                rough[r] += step if values[r] != x else np.float32(0.0)
        elif squared:
            for r in range(n_rows):
                delta = values[r] - x
                rough[r] += delta * delta
        else:
            for r in range(n_rows):
                rough[r] += abs(values[r] - x)


@kernel()
def refine(X, a, start, n_rows, columns, weights, squared, worst, rough, distance):
    """Exact distances of row a where the rough ones may be below `worst`, else inf.

    The terms are not negative, so an exact sum is given up when it is too large.
    """
    n_features = X.shape[1]
    slack = 0.0
    for j in range(n_features):
        if not columns.is_nominal[j]:
            slack += weights[j] * columns.scale[j] * columns.span[j]
    slack *= 4.0 * ROUNDOFF_32
    # (√D + slack)² bounds a rounded sum of squares, by the triangle inequality.
    most = (np.sqrt(worst) + slack) ** 2 if squared else worst + slack
    most *= 1.0 + 2.0 * ROUNDOFF_32 * (n_features + 8)
    for r in range(n_rows):
        distance[r] = np.inf
        # Not "<=": single precision may overflow to NaN, which excludes nobody.
        if rough[r] > most:
            continue
        total, j = 0.0, 0
        while j < n_features and total <= worst:
            factor = columns.scale[j] * weights[j]
            if columns.is_nominal[j]:
                delta = factor if X[a, j] != X[start + r, j] else 0.0
            else:
                delta = abs(X[a, j] - X[start + r, j]) * factor
            total += delta * delta if squared else delta
            j += 1
        if j == n_features:
            distance[r] = total


@kernel()
def distances_with_missing(X, a, start, n_rows, columns, weights, squared, distance):
    """Distances of row a to a block of rows, some cells of which are missing.

    Ignored differences are replaced by the mean of the others; rows that share no known
    column are infinitely far.
    """
    n_features = X.shape[1]
    for r in range(n_rows):
        total, n_ignored = 0.0, 0
        for j in range(n_features):
            delta = cell_difference(X, a, start + r, j, columns)
            if np.isnan(delta):
                n_ignored += 1
            else:
                delta *= weights[j]
                total += delta * delta if squared else delta
        if n_ignored == n_features:
            total = np.inf
        elif n_ignored > 0:
            total *= n_features / (n_features - n_ignored)
        distance[r] = total


@kernel()
def keep_nearest(distance, start, n_rows, excluded, n_features, rows, distances):
    """Merge a block of distances into a table of nearest rows, in order of rows."""
    n_neighbors = rows.size
    # A sum of d non-negative terms is wrong by at most about d units in the last place.
    below = 1.0 - 2.0 * ROUNDOFF_64 * (n_features + 8)
    for r in range(n_rows):
        if not distance[r] < distances[n_neighbors - 1] * below:
            continue
        row = start + r
        is_excluded = False
        for other in excluded:
            is_excluded |= other == row
        if is_excluded:
            continue
        k = n_neighbors - 1
        while k > 0 and distance[r] < distances[k - 1] * below:
            rows[k], distances[k] = rows[k - 1], distances[k - 1]
            k -= 1
        rows[k], distances[k] = row, distance[r]
