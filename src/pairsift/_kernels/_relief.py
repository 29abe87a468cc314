"""Margins to the nearest rows of the own and of the other classes."""

import numpy as np

from pairsift._kernels._all_rows import as_points, row_distances
from pairsift._kernels._diff import Columns, known_difference, missing_difference
from pairsift._kernels._jit import N_BLOCKS, kernel, sum_of_blocks
from pairsift._kernels._neighbors import ROUNDOFF_32, ROUNDOFF_64
from pairsift._typing import FloatArray, IndexArray

# Distances of so many rows to all others are held at a time, fewer when they are many.
CHUNK_ROWS = 32
CHUNK_DISTANCES = 4_000_000
STRIP_ROWS = 64


def relief_sums(
    X: FloatArray,
    class_starts: IndexArray,
    targets: IndexArray,
    order: IndexArray,
    miss_weights: FloatArray,
    n_neighbors: int,
    squared: bool,
    share: bool,
    columns: Columns,
    n_jobs: int | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Σ_x Σ_c w_c mean_k Δ_f(x, M_k(x, c)) - mean_k Δ_f(x, H_k(x)) over the targets x.

    X : (n, d), sorted by classes; class_starts : (n_classes + 1,) where each begins;
    targets : rows of X; order : (n,) numbers of the rows that decide between ties;
    miss_weights : (n_classes, n_classes), w of the class of x and of c, or (0, 0) to
    take the misses of all classes together; squared : squared differences, in the
    distances too; share : whether rows tied at the last place share what places are
    left, or the smaller row takes them. Returns the sums (d,) over the targets whose
    differences are not all ignored, and the number of those (d,).
    """
    n_samples, n_features = X.shape
    points = as_points(X, columns, np.float32)
    n_known = np.zeros((N_BLOCKS, n_features))
    n_chunk = max(1, min(CHUNK_ROWS, CHUNK_DISTANCES // n_samples))
    n_places = points.blocks.shape[0] * points.blocks.shape[2]

    def add(first, last, sums):
        rough = np.empty((n_chunk, n_places), dtype=np.float32)
        for block in range(first, last):
            stop = (block + 1) * targets.size // N_BLOCKS
            for start in range(block * targets.size // N_BLOCKS, stop, n_chunk):
                queries = targets[start : min(start + n_chunk, stop)]
                row_distances(X, queries, points, columns, squared, rough)
                _add_margins(
                    X,
                    queries,
                    rough,
                    class_starts,
                    order,
                    miss_weights,
                    n_neighbors,
                    squared,
                    share,
                    columns,
                    sums[block],
                    n_known[block],
                )

    sums = sum_of_blocks(n_jobs, n_features, add)
    return sums, n_known.sum(axis=0)


@kernel()
def _add_margins(
    X,
    queries,
    rough,
    class_starts,
    order,
    miss_weights,
    n_neighbors,
    squared,
    share,
    columns,
    sums,
    n_known,
):
    """Add the margins of some rows, and count those that are known."""
    n_samples, n_features = X.shape
    n_classes = class_starts.size - 1
    is_pooled = miss_weights.shape[0] == 0
    candidates, places = np.empty(n_samples, dtype=np.int64), np.empty(n_samples)
    near = np.empty(n_neighbors, dtype=np.float32)
    margin = np.empty(n_features)
    for q in range(queries.size):
        a = queries[q]
        own = np.searchsorted(class_starts, a, side="right") - 1
        margin[:] = 0.0
        rough[q, a] = np.inf
        for c in range(n_classes):
            start, stop = class_starts[c], class_starts[c + 1]
            weight = -1.0
            if c != own and is_pooled:
                continue
            if c != own:
                weight = miss_weights[own, c]
            n_found = _candidates(
                rough[q], start, stop, n_features, squared, near, candidates
            )
            n_found = _places(
                X, a, candidates, n_found, order, near.size, squared, share, columns,
                places,
            )  # fmt: skip
            _add_mean(
                X, a, candidates, places, n_found, squared, weight, columns, margin
            )
        if is_pooled:
            rough[q, class_starts[own] : class_starts[own + 1]] = np.inf
            n_found = _candidates(
                rough[q], 0, n_samples, n_features, squared, near, candidates
            )
            n_found = _places(
                X, a, candidates, n_found, order, near.size, squared, share, columns,
                places,
            )  # fmt: skip
            _add_mean(X, a, candidates, places, n_found, squared, 1.0, columns, margin)
        for f in range(n_features):
            if not np.isnan(margin[f]):
                sums[f] += margin[f]
                n_known[f] += 1.0


@kernel()
def _candidates(rough, start, stop, n_features, squared, near, candidates):
    """List the rows start, ..., stop - 1 that may be among the nearest; their number.

    near : (k,) work space. What single precision cannot tell apart is listed.
    """
    last = near.size - 1
    near[:] = np.inf
    for first in range(start, stop if stop - start > near.size else start, STRIP_ROWS):
        end = min(first + STRIP_ROWS, stop)
        worst = near[last]
        n_nearer = 0
        for r in range(first, end):
            n_nearer += 1 if rough[r] < worst else 0
        if n_nearer == 0:
            continue
        for r in range(first, end):
            if rough[r] < near[last]:
                k = last
                while k > 0 and rough[r] < near[k - 1]:
                    near[k] = near[k - 1]
                    k -= 1
                near[k] = rough[r]
    # Cells are at most 1 apart: rounding them changes a sum by less than the slack, and
    # the sum itself is wrong by at most d units in its last place. Twice: the nearest
    # by rough distances, and another row, may be wrong to either side.
    slack = 8.0 * ROUNDOFF_32 * n_features
    factor = 1.0 + 4.0 * ROUNDOFF_32 * (n_features + 8)
    worst = near[last] * factor
    bound = (np.sqrt(worst) + 2.0 * slack) ** 2 if squared else worst + 2.0 * slack
    most = np.float32(bound * factor)
    n_found = 0
    for first in range(start, stop, STRIP_ROWS):
        end = min(first + STRIP_ROWS, stop)
        n_near = 0
        for r in range(first, end):
            n_near += 1 if rough[r] <= most else 0
        if n_near == 0:
            continue
        for r in range(first, end):
            if rough[r] <= most and rough[r] < np.inf:
                candidates[n_found] = r
                n_found += 1
    return n_found


@kernel()
def _places(
    X, a, candidates, n_found, order, n_neighbors, squared, share, columns, places
):
    """Give each candidate its share of the n_neighbors places; returns their number.

    Distances are taken in double precision; those that agree up to rounding are tied.
    """
    scale, is_nominal, n_features = columns.scale, columns.is_nominal, X.shape[1]
    for i in range(n_found):
        b = candidates[i]
        total, n_ignored = 0.0, 0
        for j in range(n_features):
            delta = abs(X[a, j] - X[b, j])
            if np.isnan(delta):
                delta = missing_difference(X, a, b, j, columns)
            else:
                delta = known_difference(delta, is_nominal[j], scale[j])
            n_ignored += 1 if np.isnan(delta) else 0
            term = delta * delta if squared else delta
            total += 0.0 if np.isnan(delta) else term
        if n_ignored > 0:
            total = total * n_features / (n_features - n_ignored)
        places[i] = total
    if n_found <= n_neighbors:
        places[:n_found] = 1.0
        return n_found
    worst = np.sort(places[:n_found])[n_neighbors - 1]
    rounding = 4.0 * ROUNDOFF_64 * (n_features + 8)
    below, above = worst * (1.0 - rounding), worst * (1.0 + rounding)
    tied = np.empty(n_found, dtype=np.int64)
    n_left, n_tied = n_neighbors, 0
    for i in range(n_found):
        if places[i] < below:
            n_left -= 1
        elif places[i] <= above:
            tied[n_tied] = order[candidates[i]]
            n_tied += 1
    last = np.sort(tied[:n_tied])[n_left - 1]
    for i in range(n_found):
        if places[i] < below:
            places[i] = 1.0
        elif places[i] > above:
            places[i] = 0.0
        elif share:
            places[i] = n_left / n_tied
        else:
            places[i] = 1.0 if order[candidates[i]] <= last else 0.0
    return n_found


@kernel()
def _add_mean(
    X, a, candidates, places, n_found, squared, weight, columns, margin
):  # fmt: skip
    """Add the weighted mean of Δ_f(x_a, x_h) over the candidates h with a place.

    Ignored differences are left out of the mean; when all are, the margin is NaN.
    """
    if n_found == 0:
        return
    scale, is_nominal = columns.scale, columns.is_nominal
    has_missing = columns.codes.shape[0] > 0
    total, n_counted = np.zeros(margin.size), np.zeros(margin.size)
    n_places = 0.0
    for i in range(n_found):
        h, place = candidates[i], places[i]
        if place == 0.0:
            continue
        n_places += place
        for f in range(margin.size):
            delta = abs(X[a, f] - X[h, f])
            if has_missing and np.isnan(delta):
                delta = missing_difference(X, a, h, f, columns)
            else:
                delta = known_difference(delta, is_nominal[f], scale[f])
            delta = delta * delta if squared else delta
            if has_missing:
                n_counted[f] += 0.0 if np.isnan(delta) else place
                delta = 0.0 if np.isnan(delta) else delta
            total[f] += place * delta
    for f in range(margin.size):
        if not has_missing:
            margin[f] += weight * total[f] / n_places
        elif n_counted[f] > 0.0:
            margin[f] += weight * total[f] / n_counted[f]
        else:
            margin[f] = np.nan
