"""Margins to the nearest rows of the own and of the other classes."""

import numpy as np

from pairsift._kernels._all_rows import (
    as_points,
    exact_distance,
    rounding_error,
    row_distances,
)
from pairsift._kernels._diff import Columns
from pairsift._kernels._jit import (
    chunk_size,
    chunks_of,
    kernel,
    number_of_blocks,
    sum_of_blocks,
)
from pairsift._kernels._neighbors import ROUNDOFF_64
from pairsift._typing import FloatArray, IndexArray

CHUNK_ROWS = 64
STRIP_ROWS = 64
# Distances that agree up to this share are tied.
TIE = 1e-12
# Differences of so many pairs are added at a time, on columns that fit a cache.
CHUNK_PAIRS = 4096
SLICE_COLUMNS = 512


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
    n_blocks = number_of_blocks(targets.size)
    n_known = np.zeros((n_blocks, n_features))
    n_chunk = chunk_size(n_samples, CHUNK_ROWS)
    n_places = points.blocks.shape[0] * points.blocks.shape[2]

    def add(first, last, sums):
        rough = np.empty((n_chunk, n_places), dtype=np.float32)
        for block in range(first, last):
            for queries in chunks_of(targets, block, n_blocks, n_chunk):
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
                    points,
                    columns,
                    sums[block],
                    n_known[block],
                )

    sums = sum_of_blocks(n_jobs, n_features, add, n_blocks)
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
    points,
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
    margin, steepness = np.empty(n_features), slopes(columns)
    pairs = np.empty((max(CHUNK_PAIRS, n_samples), 2), dtype=np.int64)
    weights, n_pairs = np.empty(len(pairs)), 0
    for q in range(queries.size):
        a = queries[q]
        own = np.searchsorted(class_starts, a, side="right") - 1
        margin[:] = 0.0
        rough[q, a] = np.inf
        for step in range(2 if is_pooled else n_classes):
            c = (own + step) % n_classes
            if c == own or not is_pooled:
                start, stop = class_starts[c], class_starts[c + 1]
                weight = -1.0 if c == own else miss_weights[own, c]
            else:
                start, stop, weight = 0, n_samples, 1.0
                rough[q, class_starts[own] : class_starts[own + 1]] = np.inf
            n_found = find_candidates(
                rough[q], start, stop, n_features, squared, columns, near, candidates
            )
            n_found = share_places(
                X, a, candidates, n_found, order, near.size, squared, share, columns,
                places,
            )  # fmt: skip
            if points.is_ignored:
                add_mean(
                    X, a, candidates, places, places, n_found, squared, weight, columns,
                    margin,
                )  # fmt: skip
                continue
            if n_pairs + n_found > len(pairs):
                _add_pairs(
                    X, pairs, weights, n_pairs, squared, points, columns, steepness,
                    sums,
                )  # fmt: skip
                n_pairs = 0
            n_places = places[:n_found].sum()
            for i in range(n_found):
                if places[i] > 0.0:
                    pairs[n_pairs, 0], pairs[n_pairs, 1] = a, candidates[i]
                    weights[n_pairs] = weight * places[i] / n_places
                    n_pairs += 1
        if points.is_ignored:
            for f in range(n_features):
                if not np.isnan(margin[f]):
                    sums[f] += margin[f]
                    n_known[f] += 1.0
    if not points.is_ignored:
        _add_pairs(
            X, pairs, weights, n_pairs, squared, points, columns, steepness, sums
        )
        n_known += queries.size


@kernel()
def find_candidates(
    rough, start, stop, n_features, squared, columns, near, candidates
):  # fmt: skip
    """List the rows start, ..., stop - 1 that may be among the nearest; their number.

    near : (k,) work space. What single precision cannot tell apart is listed.
    """
    last = near.size - 1
    near[:] = np.inf
    for first in range(start, stop if stop - start > near.size else start, STRIP_ROWS):
        strip = rough[first : min(first + STRIP_ROWS, stop)]
        if not _has_less(strip, near[last]):
            continue
        for distance in strip:
            if distance < near[last]:
                k = last
                while k > 0 and distance < near[k - 1]:
                    near[k] = near[k - 1]
                    k -= 1
                near[k] = distance
    # Twice: what is nearest by rough distances, and another row, may both be wrong.
    slack = 2.1 * rounding_error(near[last], n_features, squared, columns)
    most = np.nextafter(np.float32(near[last] + slack), np.float32(np.inf))
    n_found = 0
    for first in range(start, stop, STRIP_ROWS):
        strip = rough[first : min(first + STRIP_ROWS, stop)]
        if not _has_less(strip, most):
            continue
        for r in range(strip.size):
            if strip[r] < most:
                candidates[n_found] = first + r
                n_found += 1
    return n_found


@kernel()
def _has_less(strip, bound):
    """Whether any number is less than the bound; a loop of vectors without a branch."""
    found = np.uint32(0)
    for r in range(strip.size):
        found |= np.uint32(strip[r] < bound)
    return found > 0


@kernel(inline=True)
def share_of_ties(n_features):
    """Return the share of a distance by which tied ones may differ."""
    return max(TIE, 4.0 * ROUNDOFF_64 * (n_features + 8))


@kernel()
def share_places(
    X, a, candidates, n_found, order, n_neighbors, squared, share, columns, places
):
    """Give each candidate its share of the n_neighbors places; returns their number.

    Distances are taken in double precision; those that agree up to rounding are tied.
    """
    n_features = X.shape[1]
    if n_found <= n_neighbors:
        places[:n_found] = 1.0
        return n_found
    for i in range(n_found):
        places[i] = exact_distance(X, a, candidates[i], squared, columns)
    worst = np.sort(places[:n_found])[n_neighbors - 1]
    rounding = share_of_ties(n_features)
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
def add_mean(
    X, a, candidates, values, places, n_found, squared, weight, columns, margin
):  # fmt: skip
    """Add weight Σ_h value_h Δ_f(x_a, x_h) / Σ_h place_h over the candidates h.

    Ignored differences are left out of both sums; when all are, the margin is NaN.
    """
    if n_found == 0:
        return
    steepness = slopes(columns)
    total, n_counted = np.zeros(margin.size), np.zeros(margin.size)
    for i in range(n_found):
        h, value, place = candidates[i], values[i], places[i]
        for f in range(margin.size if place > 0.0 else 0):
            delta = abs(X[a, f] - X[h, f])
            is_known = delta == delta
            delta = min(delta * steepness[f], 1.0)
            delta = delta * delta if squared else delta
            total[f] += value * delta if is_known else 0.0
            n_counted[f] += place if is_known else 0.0
    for f in range(margin.size):
        is_known = n_counted[f] > 0.0
        margin[f] += weight * total[f] / n_counted[f] if is_known else np.nan


@kernel()
def slopes(columns):
    """Return s with Δ_f = min(s_f |x - y|, 1) for known cells of either kind."""
    steepness = columns.scale.copy()
    for f in range(steepness.size):
        if columns.is_nominal[f] and steepness[f] > 0.0:
            steepness[f] = 1e300
    return steepness


@kernel()
def _add_pairs(X, pairs, weights, n_pairs, squared, points, columns, steepness, sums):
    """Add Σ w Δ_f over pairs of rows, a slice of columns after the other."""
    n_features = X.shape[1]
    has_missing = columns.codes.shape[0] > 0
    is_plain = not (has_missing or squared or columns.is_nominal.any())
    here = np.empty(min(SLICE_COLUMNS, n_features))
    for start in range(0, n_features, SLICE_COLUMNS):
        stop = min(start + SLICE_COLUMNS, n_features)
        part, steep = here[: stop - start], steepness[start:stop]
        part[:] = 0.0
        for p in range(n_pairs):
            x, y = X[pairs[p, 0], start:stop], X[pairs[p, 1], start:stop]
            weight = weights[p]
            if is_plain:
                for f in range(part.size):
                    part[f] += weight * abs(x[f] - y[f])
                continue
            for f in range(part.size):
                delta = abs(x[f] - y[f])
                is_known = delta == delta
                delta = min(delta * steep[f], 1.0)
                delta = delta * delta if squared else delta
                part[f] += weight * delta if is_known else 0.0
        sums[start:stop] += part * steep if is_plain else part
    if has_missing:
        _add_missing_pairs(X, pairs, weights, n_pairs, squared, points, columns, sums)


@kernel()
def _add_missing_pairs(X, pairs, weights, n_pairs, squared, points, columns, sums):
    """Add Σ w Δ_f over the differences that an end of a pair misses."""
    cells, starts, features = points.cells, points.cell_starts, points.features
    codes, group = columns.codes, columns.group
    one_missing, both_missing = columns.one_missing, columns.both_missing
    for p in range(n_pairs):
        for end in range(2):
            a, b = pairs[p, end], pairs[p, 1 - end]
            for i in range(starts[a], starts[a + 1]):
                f = features[cells[i]]
                code = codes[b, f]
                if code >= 0:
                    delta = one_missing[group[a], code]
                elif end == 0:
                    delta = both_missing[group[a], group[b], f]
                else:
                    continue
                sums[f] += weights[p] * (delta * delta if squared else delta)
