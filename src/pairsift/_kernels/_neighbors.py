"""Nearest rows, by blocks of rows and never with an array of all distances."""

import numpy as np
from numba import prange

from pairsift._kernels._diff import cell_difference
from pairsift._kernels._jit import kernel

# A block of reference rows, transposed, stays in the cache while a chunk of queries
# passes over it. Block widths are odd: a power of two would put the cells of a row
# that is being transposed into the same few cache lines (measured: twice as slow).
BLOCK_ROWS = 251
BLOCK_CELLS = 30_000


@kernel(parallel=True)
def nearest_rows(X, queries, excluded, columns, weights, squared, n_neighbors):
    """Find the k nearest rows of X to some of its rows, nearest first.

    Distance: Σ_j w_j Δ_j, or Σ_j (w_j Δ_j)² when `squared`. Distances that agree up to
    rounding are tied, and ties go to the smaller row.

    X : (n, d) float64; queries : (q,) rows; excluded : (q, e) rows that are no
    neighbours of each query, -1 for none (a query itself has to be listed); columns :
    Columns; weights : (d,). Returns rows (q, k) int64, -1 where there are too few, and
    distances (q, k), inf there.
    """
    n_queries = queries.size
    rows = np.full((n_queries, n_neighbors), -1, dtype=np.int64)
    distances = np.full((n_queries, n_neighbors), np.inf)
    chunk_size = min(max(n_queries // 8 + 1, 8), 64)
    n_chunks = (n_queries + chunk_size - 1) // chunk_size
    for chunk in prange(n_chunks):
        start = chunk * chunk_size
        stop = min(start + chunk_size, n_queries)
        _search(
            X,
            queries[start:stop],
            excluded[start:stop],
            columns,
            weights,
            squared,
            rows[start:stop],
            distances[start:stop],
        )
    return rows, distances


@kernel()
def _search(X, queries, excluded, columns, weights, squared, rows, distances):
    """Fill the neighbour tables of one chunk of queries."""
    n_samples, n_features = X.shape
    has_missing = columns.codes.shape[0] > 0
    block_rows = min(max(BLOCK_CELLS // n_features, 32), BLOCK_ROWS) | 1
    block = np.empty((n_features, block_rows))
    distance = np.empty(block_rows)
    for start in range(0, n_samples, block_rows):
        n_rows = min(block_rows, n_samples - start)
        if not has_missing:
            for r in range(n_rows):
                for j in range(n_features):
                    block[j, r] = X[start + r, j]
        for q in range(queries.size):
            if has_missing:
                distances_with_missing(
                    X, queries[q], start, n_rows, columns, weights, squared, distance
                )
            else:
                distances_to_block(
                    X[queries[q]], block, 0, n_rows, columns, weights, squared, distance
                )
            keep_nearest(
                distance, start, n_rows, excluded[q], n_features, rows[q], distances[q]
            )


@kernel()
def distances_to_block(
    query, block, start, n_rows, columns, weights, squared, distance
):
    """Distances of one row to columns start, ... of transposed rows, none missing.

    The inner loops run over rows, so that they are vectorised although every sum is
    taken in the order of the columns.
    """
    distance[:n_rows] = 0.0
    for j in range(query.size):
        x, factor = query[j], weights[j] * columns.scale[j]
        values = block[j, start : start + n_rows]
        if columns.is_nominal[j]:
            step = factor * factor if squared else factor
            for r in range(n_rows):
                distance[r] += step if values[r] != x else 0.0
        elif squared:
            for r in range(n_rows):
                delta = (values[r] - x) * factor
                distance[r] += delta * delta
        else:
            for r in range(n_rows):
                distance[r] += abs(values[r] - x) * factor


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
    below = 1.0 - 2.3e-16 * (n_features + 8)
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
