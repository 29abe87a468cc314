"""Nearest rows, by blocks of rows and never with an array of all distances."""

import numpy as np

from pairsift._kernels._jit import kernel, on_threads, one_blas_thread
from pairsift._kernels.relief._diff import Columns, known_difference, missing_difference
from pairsift._typing import FloatArray, IndexArray

# A block of reference rows, transposed, stays in the cache while a chunk of queries
# passes over it. Its width is 8 (a vector) times an odd number: a power of two would
# put the cells of a row being transposed into the same few cache lines, an odd width
# would tear the vectors (measured: either is twice as slow).
BLOCK_VECTORS = 31
BLOCK_CELLS = 60_000
CHUNK_QUERIES = 256
ROUGH_QUERIES = 32
# Products of matrices: so many cells make them worth while, so many rows of X a time,
# and so many of them before the tables are asked again how near a row has to be.
MANY_CELLS = 10_000_000
TILE_ROWS = 4096
STRIP_ROWS = 64
# Unit roundoff of single and of double precision.
ROUNDOFF_32 = 2.0**-24
ROUNDOFF_64 = 2.0**-53
TINY_32 = 2.0**-120


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
    is_plain = columns.codes.shape[0] == 0 and not columns.is_categorical.any()
    if squared and is_plain and queries.size * X.size >= MANY_CELLS:
        _search_products(
            X, queries, excluded, columns, weights, rows, distances, n_jobs
        )
        return rows, distances

    def search(first, last):
        # Chunks keep the tables of the queries in the cache; every chunk transposes
        # all rows, so they should not be small.
        for start in range(first, last, CHUNK_QUERIES):
            part = slice(start, min(start + CHUNK_QUERIES, last))
            tables = rows[part], distances[part]
            _search(
                X, queries[part], excluded[part], columns, weights, squared, *tables
            )

    cost = (0.2 if columns.codes.shape[0] == 0 else 2.0) * queries.size * X.size
    on_threads(n_jobs, queries.size, search, cost=cost)
    return rows, distances


def _search_products(
    X: FloatArray,
    queries: IndexArray,
    excluded: IndexArray,
    columns: Columns,
    weights: FloatArray,
    rows: IndexArray,
    distances: FloatArray,
    n_jobs: int | None,
) -> None:
    """Fill the tables by |a|² + |b|² - 2ab, a product of matrices in single precision.

    With d columns and unit roundoff u, the product is wrong by at most du|a||b| and the
    rounding of a and b by less: together less than c(|a|² + |b|²) with c = (d + 32)u.
    """
    n_samples, n_features = X.shape
    c = (n_features + 32) * ROUNDOFF_32
    points = (X - columns.offset) * (columns.scale * weights)
    points -= points.mean(axis=0)
    # Brought to 1 by a power of two, nothing overflows and no digit is lost.
    unit = np.ldexp(1.0, -int(np.frexp(np.abs(points).max())[1]))
    points *= unit
    norms = (1.0 - c) * np.einsum("ij,ij->i", points, points)
    points, tile_norms = points.astype(np.float32), norms.astype(np.float32)

    def search(first, last):
        for start in range(first, last, CHUNK_QUERIES):
            part = slice(start, min(start + CHUNK_QUERIES, last))
            ends = points[queries[part]]
            for tile in range(0, n_samples, TILE_ROWS):
                products = ends @ points[tile : tile + TILE_ROWS].T
                _refine_products(
                    X,
                    queries[part],
                    excluded[part],
                    tile,
                    products,
                    norms,
                    tile_norms,
                    unit,
                    columns,
                    weights,
                    rows[part],
                    distances[part],
                )

    with one_blas_thread():
        on_threads(n_jobs, queries.size, search, cost=0.1 * queries.size * X.size)


@kernel()
def _refine_products(
    X,
    queries,
    excluded,
    tile,
    products,
    norms,
    tile_norms,
    unit,
    columns,
    weights,
    rows,
    distances,
):
    """Take the rows of a tile into the tables where they deserve a place."""
    n_queries, n_tile = products.shape
    candidates = np.empty(STRIP_ROWS, dtype=np.int64)
    for q in range(n_queries):
        norm = norms[queries[q]]
        for first in range(0, n_tile, STRIP_ROWS):
            last = min(first + STRIP_ROWS, n_tile)
            worst = distances[q, -1] * unit * unit * (1.0 + 8.0 * ROUNDOFF_32)
            # Products below the smallest number of single precision are lost.
            most = np.float32(worst - norm + TINY_32)
            n_candidates = 0
            for r in range(first, last):
                lower = tile_norms[tile + r] - np.float32(2.0) * products[q, r]
                n_candidates += 0 if lower > most else 1
            if n_candidates == 0:
                continue
            n_candidates = 0
            for r in range(first, last):
                lower = tile_norms[tile + r] - np.float32(2.0) * products[q, r]
                candidates[n_candidates] = tile + r
                n_candidates += 0 if lower > most else 1
            keep_nearest(
                X,
                queries[q],
                candidates[:n_candidates],
                excluded[q],
                columns,
                weights,
                True,
                rows[q],
                distances[q],
            )


@kernel()
def _search(X, queries, excluded, columns, weights, squared, rows, distances):
    """Fill the tables of one chunk of queries, block by block of rows.

    All distances are taken roughly, in single precision; those that leave a chance of
    a place are taken again in double precision, so that rounding decides nothing.
    """
    n_samples, n_features = X.shape
    n_vectors = min(max(BLOCK_CELLS // (8 * n_features), 4), BLOCK_VECTORS)
    block_rows = 8 * (n_vectors | 1)
    has_missing = columns.codes.shape[0] > 0
    block = np.zeros((n_features, block_rows), dtype=np.float32)
    ends = np.empty((queries.size, n_features), dtype=np.float32)
    rough = np.empty((ROUGH_QUERIES, block_rows), dtype=np.float32)
    slack = rough_slack(columns, weights)
    _to_single(X, queries, columns, weights, ends)
    for start in range(0, n_samples, block_rows):
        stop = min(start + block_rows, n_samples)
        _to_single(X, np.arange(start, stop), columns, weights, block.T)
        for first in range(0, queries.size, ROUGH_QUERIES):
            part = slice(first, min(first + ROUGH_QUERIES, queries.size))
            if has_missing:
                rough_with_missing(
                    ends[part],
                    block,
                    queries[part],
                    start,
                    columns,
                    weights,
                    squared,
                    rough,
                )
            else:
                rough_distances(ends[part], block, columns, weights, squared, rough)
            _refine(
                X,
                queries[part],
                excluded[part],
                start,
                stop,
                rough,
                slack,
                columns,
                weights,
                squared,
                rows[part],
                distances[part],
            )


@kernel()
def _to_single(X, rows, columns, weights, out):
    """Rows in single precision: w · scale · (x - offset), or a categorical value."""
    offset, scale, is_categorical = (
        columns.offset,
        columns.scale,
        columns.is_categorical,
    )
    for r in range(rows.size):
        for j in range(X.shape[1]):
            value = X[rows[r], j]
            scaled = (value - offset[j]) * (scale[j] * weights[j])
            out[r, j] = value if is_categorical[j] else scaled


@kernel()
def single_columns(X, columns):
    """All rows in single precision, transposed : (d, n)."""
    block = np.empty((X.shape[1], X.shape[0]), dtype=np.float32)
    _to_single(X, np.arange(X.shape[0]), columns, np.ones(X.shape[1]), block.T)
    return block


@kernel()
def rough_slack(columns, weights):
    """Most by which rounding to single precision changes a sum of differences."""
    largest = 0.0
    for j in range(weights.size):
        largest = max(largest, weights[j] * columns.scale[j] * columns.span[j])
        if columns.is_categorical[j] or columns.codes.shape[0] > 0:
            largest = max(largest, weights[j])
    return 4.0 * ROUNDOFF_32 * weights.size * largest


@kernel()
def rough_distances(ends, block, columns, weights, squared, rough):
    """Distances of some rows to a transposed block, in single precision.

    The inner loops run over rows, so that they are vectorised without touching the
    order of the sums.
    """
    scale, is_categorical = columns.scale, columns.is_categorical
    rough[:] = 0.0
    for q in range(ends.shape[0]):
        for j in range(ends.shape[1]):
            x = ends[q, j]
            if is_categorical[j]:
                weight = np.float32(scale[j] * weights[j])
                step = weight * weight if squared else weight
                for r in range(rough.shape[1]):
                    rough[q, r] += step if block[j, r] != x else np.float32(0.0)
            elif squared:
                for r in range(rough.shape[1]):
                    delta = block[j, r] - x
                    rough[q, r] += delta * delta
            else:
                for r in range(rough.shape[1]):
                    rough[q, r] += abs(block[j, r] - x)


@kernel()
def rough_with_missing(ends, block, queries, start, columns, weights, squared, rough):
    """Distances of some rows to a transposed block with missing values, roughly."""
    codes, group = columns.codes, columns.group
    one_missing, both_missing = columns.one_missing, columns.both_missing
    scale, is_categorical = columns.scale, columns.is_categorical
    n_rows, n_varying = min(rough.shape[1], group.size - start), (scale > 0.0).sum()
    n_ignored = np.empty(n_rows, dtype=np.float32)
    fill = np.empty(n_rows, dtype=np.float32)
    rough[:] = 0.0
    for q in range(queries.size):
        a = queries[q]
        n_ignored[:] = 0.0
        for j in range(ends.shape[1]):
            # What the difference is where a row of the block misses the cell; where the
            # query misses it, that is every row.
            x = ends[q, j]
            if np.isnan(x):
                for r in range(n_rows):
                    if np.isnan(block[j, r]):
                        fill[r] = both_missing[group[a], group[start + r], j]
                    else:
                        fill[r] = one_missing[group[a], codes[start + r, j]]
            else:
                for r in range(n_rows):
                    fill[r] = one_missing[group[start + r], codes[a, j]]
            weight = np.float32(weights[j])
            mismatch = np.float32(scale[j] * weights[j])
            for r in range(n_rows):
                delta = abs(block[j, r] - x)
                if is_categorical[j]:
                    delta = mismatch if delta > 0 else delta
                delta = fill[r] * weight if np.isnan(delta) else delta
                term = delta * delta if squared else delta
                is_ignored = np.isnan(term)
                n_ignored[r] += np.float32(1.0) if is_ignored else np.float32(0.0)
                rough[q, r] += np.float32(0.0) if is_ignored else term
        for r in range(n_rows):
            n_known = n_varying - n_ignored[r]
            if n_ignored[r] > 0.0:
                rough[q, r] = rough[q, r] * (n_varying / n_known) if n_known else np.inf


@kernel()
def _refine(
    X,
    queries,
    excluded,
    start,
    stop,
    rough,
    slack,
    columns,
    weights,
    squared,
    rows,
    distances,
):
    """Take the rows start, ..., stop - 1 into the tables where they deserve a place."""
    candidates = np.empty(stop - start, dtype=np.int64)
    for q in range(queries.size):
        worst = distances[q, -1]
        # (√D + slack)² bounds a rounded sum of squares, by the triangle inequality.
        bound = (np.sqrt(worst) + slack) ** 2 if squared else worst + slack
        most = np.float32(bound * (1.0 + 2.0 * ROUNDOFF_32 * (X.shape[1] + 8)))
        # Not "<=": single precision may overflow to NaN, which excludes nobody.
        n_candidates = 0
        for r in range(stop - start):
            n_candidates += 0 if rough[q, r] > most else 1
        if n_candidates == 0:
            continue
        n_candidates = 0
        for r in range(stop - start):
            candidates[n_candidates] = start + r
            n_candidates += 0 if rough[q, r] > most else 1
        keep_nearest(
            X,
            queries[q],
            candidates[:n_candidates],
            excluded[q],
            columns,
            weights,
            squared,
            rows[q],
            distances[q],
        )


@kernel()
def keep_nearest(
    X, a, candidates, excluded, columns, weights, squared, rows, distances
):
    """Insert the candidates, in ascending order, into the table of row a.

    Distances are summed in the order of the columns. Ignored differences are replaced
    by the mean of the others that vary; rows that share none are infinitely far.
    """
    scale, is_categorical, n_features = (
        columns.scale,
        columns.is_categorical,
        X.shape[1],
    )
    # A sum of d non-negative terms is wrong by at most about d units in the last place.
    below = 1.0 - 2.0 * ROUNDOFF_64 * (n_features + 8)
    last, n_varying = rows.size - 1, (scale > 0.0).sum()
    for c in range(candidates.size):
        b = candidates[c]
        total, n_ignored, j = 0.0, 0, 0
        worst = distances[last] * below
        # No term is negative, and ignored ones only make the sum larger.
        while j < n_features and total < worst:
            delta = abs(X[a, j] - X[b, j])
            if np.isnan(delta):
                delta = missing_difference(X, a, b, j, columns)
            else:
                delta = known_difference(delta, is_categorical[j], scale[j])
            delta *= weights[j]
            n_ignored += 1 if np.isnan(delta) else 0
            term = delta * delta if squared else delta
            total += 0.0 if np.isnan(delta) else term
            j += 1
        if n_ignored > 0:
            n_known = n_varying - n_ignored
            total = total * n_varying / n_known if n_known > 0 else np.inf
        if not total < worst:
            continue
        is_excluded = False
        for e in range(excluded.size):
            is_excluded |= excluded[e] == b
        if is_excluded:
            continue
        k = last
        while k > 0 and total < distances[k - 1] * below:
            rows[k], distances[k] = rows[k - 1], distances[k - 1]
            k -= 1
        rows[k], distances[k] = b, total
