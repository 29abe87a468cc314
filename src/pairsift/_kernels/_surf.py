"""Margins to all rows within, and beyond, a radius: the SURF family."""

import numpy as np

from pairsift._kernels._all_rows import (
    all_distances,
    as_points,
    rounding_error,
    row_distances,
)
from pairsift._kernels._diff import Columns
from pairsift._kernels._find_neighbors import TIE
from pairsift._kernels._jit import (
    chunk_size,
    chunks_of,
    kernel,
    number_of_blocks,
    on_threads,
    sum_of_blocks,
)
from pairsift._kernels._neighbors import ROUNDOFF_32
from pairsift._kernels._relief import add_mean
from pairsift._kernels._weighted_differences import (
    add_couples,
    add_weighted_differences,
)
from pairsift._typing import FloatArray, IndexArray

CHUNK_ROWS = 96
# Up to so many differences, everything is computed in double precision.
DOUBLE_CELLS = 30_000_000
# What decides: one radius for all rows, one of each row, or a sigmoid of the distance.
SAME_RADIUS, OWN_RADIUS, SIGMOID = range(3)


def surf_sums(
    X: FloatArray,
    class_starts: IndexArray,
    targets: IndexArray,
    miss_weights: FloatArray,
    rule: int,
    center: float,
    width: float,
    with_far: bool,
    columns: Columns,
    n_jobs: int | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Σ_x Σ_c w_c mean Δ_f(x, near misses of c) - mean Δ_f(x, near hits), over targets.

    X : (n, d), sorted by classes; class_starts : (n_classes + 1,) where each begins;
    targets : rows of X; miss_weights : (n_classes, n_classes), w of the class of x and
    of c, or (0, 0) to take the misses of all classes together; rule : SAME_RADIUS,
    near is closer than `center`; OWN_RADIUS, closer than the mean distance of the row
    less half a standard deviation; SIGMOID, every row counts
    tanh(2 (center - distance) / width); with_far : subtract the same over rows farther
    than the radius (OWN_RADIUS: than the mean plus half a standard deviation). Returns
    the sums (d,) over the targets whose differences are not all ignored, and the number
    of those (d,).
    """
    n_samples, n_features = X.shape
    exact = as_points(X, columns, np.float64)
    rough = exact
    # A sigmoid of distances magnifies their errors.
    is_rough = rule != SIGMOID and targets.size * X.size > DOUBLE_CELLS
    if is_rough:
        rough = as_points(X, columns, np.float32)
    n_blocks = number_of_blocks(targets.size)
    n_known = np.zeros((n_blocks, n_features))
    n_chunk = chunk_size(n_samples, CHUNK_ROWS)
    shape = (n_chunk, rough.blocks.shape[0] * rough.blocks.shape[2])

    known = shares = np.empty((0, 0))
    if targets.size == n_samples:
        known = all_distances(X, rough, columns, False, n_jobs)
    is_whole = known.size > 0 and not rough.is_ignored
    if is_whole:
        shares = np.zeros_like(known)

    def add(first, last, sums):
        distances = np.empty(shape, dtype=rough.rows.dtype)
        again = np.empty(shape if is_rough else (0, 0))
        weights = np.zeros((n_chunk + 1, shape[1]), dtype=rough.rows.dtype)
        for block in range(first, last):
            for queries in chunks_of(targets, block, n_blocks, n_chunk):
                part = slice(queries[0], queries[-1] + 1)
                if known.size > 0:
                    distances = known[part]
                else:
                    row_distances(X, queries, rough, columns, False, distances)
                if is_whole:
                    weights = shares[part]
                place, radii = np.arange(queries.size), np.empty((0, 2))
                if is_rough:
                    place, radii = _doubtful_rows(
                        queries, distances, rule, center, with_far, columns, X.shape
                    )
                    doubtful = queries[place >= 0]
                    if doubtful.size > 0:
                        row_distances(
                            X, doubtful, exact, columns, False, again[: doubtful.size]
                        )
                _weigh(
                    X,
                    queries,
                    distances,
                    radii,
                    place,
                    again if is_rough else distances,
                    class_starts,
                    miss_weights,
                    rule,
                    center,
                    width,
                    with_far,
                    rough.is_ignored,
                    columns,
                    weights,
                    sums[block],
                    n_known[block],
                )
                if not (is_whole or rough.is_ignored):
                    add_weighted_differences(
                        queries, weights, rough, columns, sums[block]
                    )

    sums = sum_of_blocks(n_jobs, n_features, add, n_blocks)
    if is_whole:
        tiles = np.column_stack(np.triu_indices(rough.blocks.shape[0]))

        def add_tiles(first, last, sums):
            for t in range(first, last):
                add_couples(*tiles[t], shares, rough, columns, sums[t])

        sums = sum_of_blocks(n_jobs, n_features, add_tiles, len(tiles))
    return sums, n_known.sum(axis=0)


@kernel()
def _doubtful_rows(
    queries, distances, rule, center, with_far, columns, shape
):  # fmt: skip
    """Find the rows whose neighbours single precision cannot tell.

    Returns (q,) a number for each of those, -1 for others, and (q, 2) rough radii.
    """
    n_samples, n_features = shape
    place, radii = np.full(queries.size, -1), np.full((queries.size, 2), center)
    # One error of the distance; of a row's own radius, one of the mean and half a one
    # of the deviation.
    n_errors = 2.5 if rule == OWN_RADIUS else 1.0
    n_doubtful = 0
    for q in range(queries.size):
        distances[q, queries[q]] = np.inf
        if rule == OWN_RADIUS:
            radii[q] = own_radii(distances[q], queries[q], n_samples)
        inner, outer = radii[q]
        # The edges themselves are rounded, too.
        slack = n_errors * rounding_error(outer, n_features, False, columns)
        slack += (TIE + 2.0 * ROUNDOFF_32) * outer
        if _has_between(distances[q, :n_samples], inner, slack) or (
            with_far and _has_between(distances[q, :n_samples], outer, slack)
        ):
            place[q] = n_doubtful
            n_doubtful += 1
    return place, radii


@kernel()
def _has_between(distances, radius, slack):
    """Whether any distance is within the slack of a radius."""
    low, high = np.float32(radius - slack), np.float32(radius + slack)
    n_found = np.uint32(0)
    for r in range(distances.size):
        n_found += np.uint32((distances[r] >= low) & (distances[r] <= high))
    return n_found > 0


def distance_moments(
    X: FloatArray, columns: Columns, n_jobs: int | None = None
) -> tuple[float, float]:
    """Mean and standard deviation of the distances between different rows."""
    n_samples = len(X)
    points = as_points(X, columns, np.float64)
    n_blocks = number_of_blocks(n_samples)
    moments = np.zeros((n_blocks, 3))
    n_places = points.blocks.shape[0] * points.blocks.shape[2]
    n_chunk = chunk_size(n_samples, CHUNK_ROWS)

    def fill(first, last):
        distances = np.empty((n_chunk, n_places))
        for block in range(first, last):
            for queries in chunks_of(np.arange(n_samples), block, n_blocks, n_chunk):
                row_distances(X, queries, points, columns, False, distances)
                _add_moments(distances, queries, n_samples, moments[block])

    on_threads(n_jobs, n_blocks, fill)
    total = np.zeros(3)
    for block in moments:
        _merge(total, *block)
    return total[1], float(np.sqrt(total[2] / max(total[0], 1.0)))


@kernel()
def _add_moments(distances, queries, n_samples, moments):
    for q in range(queries.size):
        n, mean, square = _row_moments(distances[q], queries[q], n_samples)
        _merge(moments, n, mean, square)


@kernel()
def _merge(moments, n, mean, square):
    """Add numbers to others: their count, mean and sum of squares about it."""
    total = moments[0] + n
    if total > 0.0:
        shift = mean - moments[1]
        moments[2] += square + shift * shift * (moments[0] * n / total)
        moments[1] += shift * (n / total)
        moments[0] = total


@kernel()
def _row_moments(distances, a, n_samples):
    """Return count, mean and sum of squares of the distances of row a to others."""
    distances[a] = np.inf
    other = np.float64(distances[1 if a == 0 else 0])
    shift = other if other < np.inf else 0.0
    sums, squares = np.zeros(256), np.zeros(256)
    n_infinite = 0
    for first in range(0, n_samples, 256):
        strip = distances[first : min(first + 256, n_samples)]
        n_bad = np.uint32(0)
        for r in range(strip.size):
            is_finite = strip[r] < np.inf
            d = np.float64(strip[r]) - shift if is_finite else 0.0
            sums[r] += d
            squares[r] += d * d
            n_bad += np.uint32(not is_finite)
        n_infinite += int(n_bad)
    total, square = sums.sum(), squares.sum()
    n = np.float64(n_samples - n_infinite)
    mean = total / max(n, 1.0)
    return n, shift + mean, max(square - total * mean, 0.0)


@kernel()
def own_radii(distances, a, n_samples):
    """Return the mean distance of row a less and plus half a standard deviation."""
    n, mean, square = _row_moments(distances, a, n_samples)
    half = 0.5 * np.sqrt(square / max(n, 1.0))
    return mean - half, mean + half


@kernel()
def _weigh(
    X,
    queries,
    distances,
    radii,
    place,
    again,
    class_starts,
    miss_weights,
    rule,
    center,
    width,
    with_far,
    is_ignored,
    columns,
    weights,
    sums,
    n_known,
):
    """Fill in the weight of every row in the margins of some rows.

    place : (q,) row of `again` that has the distances of a query in double precision,
    or -1 where its radii and distances suffice. Where differences may be ignored, the
    margins themselves are added.
    """
    n_samples, n_classes = X.shape[0], class_starts.size - 1
    is_pooled = miss_weights.shape[0] == 0
    numbers = np.empty((n_classes, 2))
    factors = np.empty((n_classes, 2))
    weights[:] = 0.0
    for q in range(queries.size):
        a, near = queries[q], weights[q, :n_samples]
        own = np.searchsorted(class_starts, a, side="right") - 1
        if rule == SIGMOID:
            for r in range(n_samples):
                is_far_away = distances[q, r] == np.inf or width == 0.0
                s = np.tanh(2.0 * (center - distances[q, r]) / width)
                near[r] = 0.0 if is_far_away else s
        elif place[q] >= 0:
            inner, outer = center, center
            if rule == OWN_RADIUS:
                inner, outer = own_radii(again[place[q]], a, n_samples)
            mark_rows(again[place[q]], inner, outer, with_far, near)
        else:
            mark_rows(distances[q], radii[q, 0], radii[q, 1], with_far, near)
        near[a] = 0.0
        for c in range(n_classes):
            part = near[class_starts[c] : class_starts[c + 1]]
            if rule == SIGMOID:
                numbers[c, 0] = part.size - (1 if c == own else 0)
                numbers[c, 1] = numbers[c, 0]
            else:
                numbers[c, 0], numbers[c, 1] = _count_signs(part)
        for c in range(n_classes):
            for side in range(2):
                n, share = numbers[c, side], -1.0
                if c != own and is_pooled:
                    n, share = numbers[:, side].sum() - numbers[own, side], 1.0
                elif c != own:
                    share = miss_weights[own, c]
                factors[c, side] = share / n if n > 0.0 else 0.0
        if is_ignored:
            _add_margin(
                X,
                a,
                own,
                near,
                class_starts,
                miss_weights,
                rule,
                columns,
                sums,
                n_known,
            )
            continue
        for c in range(n_classes):
            part = near[class_starts[c] : class_starts[c + 1]]
            of_near = weights.dtype.type(factors[c, 0])
            of_far = weights.dtype.type(factors[c, 1])
            for r in range(part.size):
                part[r] *= of_near if part[r] > 0 else of_far
    if not is_ignored:
        n_known += queries.size


@kernel()
def mark_rows(distances, inner, outer, with_far, near):
    """Fill in 1 for rows nearer than `inner`, -1 for those farther than `outer`."""
    least = distances.dtype.type(inner - TIE * outer)
    most = distances.dtype.type(outer + TIE * outer if with_far else np.inf)
    one, zero = near.dtype.type(1), near.dtype.type(0)
    for r in range(near.size):
        d = distances[r]
        near[r] = one if d < least else (-one if (d > most) & (d < np.inf) else zero)


@kernel()
def _count_signs(part):
    """Numbers of positive and of negative entries."""
    n_near, n_far = np.uint32(0), np.uint32(0)
    for r in range(part.size):
        n_near += np.uint32(part[r] > 0)
        n_far += np.uint32(part[r] < 0)
    return np.float64(n_near), np.float64(n_far)


@kernel()
def _add_margin(
    X, a, own, near, class_starts, miss_weights, rule, columns, sums, n_known
):  # fmt: skip
    """Add the margin of row a; ignored differences are left out of every mean."""
    n_samples, n_features = X.shape
    n_classes = class_starts.size - 1
    is_pooled = miss_weights.shape[0] == 0
    rows, places = np.empty(n_samples, dtype=np.int64), np.ones(n_samples)
    values, margin = np.empty(n_samples), np.zeros(n_features)
    for step in range(2 if is_pooled else n_classes):
        c = (own + step) % n_classes
        weight = -1.0 if c == own else 1.0
        if c != own and not is_pooled:
            weight = miss_weights[own, c]
        for sign in (1.0, -1.0):
            n_found = 0
            for r in range(n_samples):
                is_own = class_starts[own] <= r < class_starts[own + 1]
                is_here = class_starts[c] <= r < class_starts[c + 1]
                if is_pooled and c != own:
                    is_here = not is_own
                if rule == SIGMOID:
                    is_taken = sign > 0.0 and r != a
                else:
                    is_taken = near[r] * sign > 0.0
                if is_here and is_taken:
                    rows[n_found], values[n_found] = r, near[r]
                    n_found += 1
            add_mean(
                X, a, rows, values, places, n_found, False, weight, columns, margin
            )
    for f in range(n_features):
        if not np.isnan(margin[f]):
            sums[f] += margin[f]
            n_known[f] += 1.0
