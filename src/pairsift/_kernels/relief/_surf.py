"""Margins to all rows within, and beyond, a radius: the SURF family."""

from functools import cache

import numpy as np

from pairsift._kernels._jit import (
    chunk_size,
    chunks_of,
    kernel,
    number_of_blocks,
    on_threads,
    sum_of_blocks,
)
from pairsift._kernels.relief._all_rows import (
    DOUBLE_CELLS,
    MOST_32,
    all_distances,
    as_points,
    exact_distance,
    in_single,
    row_distances,
    tiles_of,
)
from pairsift._kernels.relief._diff import Columns, ignores_missing
from pairsift._kernels.relief._find_neighbors import TIE
from pairsift._kernels.relief._pair_sums import slopes
from pairsift._kernels.relief._relief import add_mean
from pairsift._kernels.relief._weighted_differences import (
    add_pairs,
    add_weighted_differences,
)
from pairsift._typing import FloatArray, IndexArray

CHUNK_ROWS = 96
# Few enough of the distances to be taken again one by one: one in so many.
FEW_OF = 16
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
    exact = cache(lambda: as_points(X, columns, np.float64))
    is_ignored = ignores_missing(columns)
    # A sigmoid of distances magnifies their errors, the mean of what is known as well.
    is_rough = targets.size * X.size > DOUBLE_CELLS
    is_rough &= rule != SIGMOID and not is_ignored
    points, gaps = as_points(X, columns, np.int32) if is_rough else exact()
    cells, their_gaps = in_single(points, gaps) if is_rough else (points, gaps)
    center, width = center * points.unit, width * points.unit
    n_blocks = number_of_blocks(targets.size)
    n_known = np.zeros((n_blocks, n_features))
    n_chunk = chunk_size(n_samples, CHUNK_ROWS)
    n_places = points.blocks.shape[0] * points.blocks.shape[2]

    def weigh(queries, distances, weights, sums, n_known):
        again, place = distances, np.arange(queries.size)
        radii = np.empty((0, 2))
        if is_rough:
            place, radii = _doubtful_rows(
                X, queries, distances, rule, center, with_far, points, columns
            )
            doubtful = queries[place >= 0]
            again = np.empty((doubtful.size, n_places))
            if gaps is None:
                _complete_distances(X, doubtful, columns, again)
            elif doubtful.size > 0:
                row_distances(doubtful, *exact(), False, again)
        _weigh(
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
            points,
            gaps,
            columns,
            weights,
            sums,
            n_known,
        )

    def add(first, last, sums):
        distances = np.empty((n_chunk, n_places), dtype=points.rows.dtype)
        weights = np.zeros((n_chunk + 1, n_places), dtype=cells.rows.dtype)
        for block in range(first, last):
            for queries in chunks_of(targets, block, n_blocks, n_chunk):
                row_distances(queries, points, gaps, False, distances)
                weigh(queries, distances, weights, sums[block], n_known[block])
                if not is_ignored:
                    add_weighted_differences(
                        queries, weights, cells, their_gaps, sums[block]
                    )

    known = np.empty((0, 0))
    if targets.size == n_samples and not is_ignored:
        known = all_distances(points, gaps, False, n_jobs)
    if known.size == 0:
        cost = 0.3 * targets.size * X.size
        sums = sum_of_blocks(n_jobs, n_features, add, n_blocks, cost=cost)
        return sums, n_known.sum(axis=0)

    # The weights of all pairs take the places of their distances.
    weights = known.view(cells.rows.dtype)

    def weigh_known(first, last):
        unused = np.empty(n_features)
        queries, some = np.arange(first, last), slice(first, last)
        weigh(queries, known[some], weights[some], unused, unused)

    def add_tiles(first, last):
        add_pairs(tiles[first:last], weights, cells, their_gaps, sums[first:last])

    on_threads(n_jobs, n_samples, weigh_known, cost=5.0 * n_samples**2)
    tiles = tiles_of(points.blocks.shape[0])
    sums = np.zeros((len(tiles), n_features))
    cost = 0.1 * n_samples * X.size
    on_threads(n_jobs, len(tiles), add_tiles, cost=cost, parts_each=len(tiles))
    return sums.sum(axis=0), np.full(n_features, float(n_samples))


@kernel()
def _doubtful_rows(
    X, queries, distances, rule, center, with_far, points, columns
):  # fmt: skip
    """Find the rows whose neighbours only distances in double precision tell.

    Returns (q,) a number for each of those, -1 for others, and (q, 2) rough radii.
    Where a few distances in double precision tell, they take the places of rough ones.
    """
    n_samples = X.shape[0]
    place, radii = np.full(queries.size, -1), np.full((queries.size, 2), center)
    n_doubtful = 0
    for q in range(queries.size):
        a, line = queries[q], distances[q, :n_samples]
        line[a] = points.far
        if rule == OWN_RADIUS:
            radii[q] = own_radii(line, a, n_samples, points.far)
        inner, outer = radii[q]
        error = points.rounding[0] + (points.rounding[1] + TIE) * outer
        # One error of the mean, and half a one of the deviation.
        of_radius = 1.5 * error if rule == OWN_RADIUS else 0.0
        slack = error + of_radius
        n_between = _count_between(line, inner, slack)
        n_between += _count_between(line, outer, slack) if with_far else 0
        is_settled = FEW_OF * n_between <= n_samples
        if is_settled and n_between > 0:
            is_settled = _settle(
                X, a, line, inner, outer, slack, of_radius, with_far, points, columns
            )
        if not is_settled:
            place[q] = n_doubtful
            n_doubtful += 1
    return place, radii


@kernel()
def _count_between(distances, radius, slack):
    """Return the number of distances within the slack of a radius."""
    low = distances.dtype.type(np.floor(radius - slack))
    high = distances.dtype.type(np.ceil(min(radius + slack, MOST_32)))
    n_found = np.uint32(0)
    for r in range(distances.size):
        n_found += np.uint32((distances[r] >= low) & (distances[r] <= high))
    return np.int64(n_found)


@kernel()
def _settle(X, a, distances, inner, outer, slack, of_radius, with_far, points, columns):
    """Replace distances within the slack of a radius; whether that could be done.

    By numbers beyond doubt: less than all, as far as a radius, or more than all. It
    fails when a distance is within the error of the radius itself.
    """
    for r in range(distances.size):
        d = distances[r]
        if abs(d - inner) > slack and not (with_far and abs(d - outer) <= slack):
            continue
        exact = points.unit * exact_distance(X, a, r, False, columns)
        if abs(exact - inner) < of_radius or (
            with_far and abs(exact - outer) < of_radius
        ):
            return False
        if exact < inner - TIE * outer:
            distances[r] = -1
        elif with_far and exact > outer + TIE * outer:
            distances[r] = points.far - 1
        else:
            distances[r] = np.ceil(inner)
    return True


@kernel(reordered=True)
def _complete_distances(X, queries, columns, out):
    """Fill in the distances of rows to all rows in double precision, none missing."""
    steepness = slopes(columns)
    for q in range(queries.size):
        x, line = X[queries[q]], out[q]
        for r in range(X.shape[0]):
            y, total = X[r], 0.0
            for f in range(x.size):
                total += min(abs(x[f] - y[f]) * steepness[f], 1.0)
            line[r] = total


def distance_moments(
    X: FloatArray, columns: Columns, n_jobs: int | None = None
) -> tuple[float, float]:
    """Mean and standard deviation of the distances between different rows."""
    n_samples = len(X)
    points, gaps = as_points(X, columns, np.float64)
    n_blocks = number_of_blocks(n_samples)
    moments = np.zeros((n_blocks, 3))
    n_places = points.blocks.shape[0] * points.blocks.shape[2]
    n_chunk = chunk_size(n_samples, CHUNK_ROWS)

    def fill(first, last):
        distances = np.empty((n_chunk, n_places))
        for block in range(first, last):
            for queries in chunks_of(np.arange(n_samples), block, n_blocks, n_chunk):
                row_distances(queries, points, gaps, False, distances)
                _add_moments(distances, queries, n_samples, moments[block])

    on_threads(n_jobs, n_blocks, fill, cost=0.2 * n_samples * X.size)
    total = np.zeros(3)
    for block in moments:
        _merge(total, *block)
    return total[1], float(np.sqrt(total[2] / max(total[0], 1.0)))


@kernel(reordered=True)
def add_sorted_lines(lines, first, columns, totals):
    """Add the differences of all pairs of known cells on columns `first`, ...

    lines : the columns, each sorted, missing values last.
    """
    for j in range(lines.shape[0]):
        line, f, total = lines[j], first + j, 0.0
        n_known, least, n_less = line.size, line[0], 0
        while n_known > 0 and np.isnan(line[n_known - 1]):
            n_known -= 1
        if columns.is_categorical[f]:
            for k in range(1, n_known):
                n_less = k if line[k] != line[k - 1] else n_less
                total += n_less
        else:
            # Cell k is the larger one of k pairs, and the smaller one of the rest.
            for k in range(n_known):
                total += (2.0 * k - n_known + 1.0) * (line[k] - least)
        totals[f] += total * columns.scale[f]


@kernel()
def _add_moments(distances, queries, n_samples, moments):
    for q in range(queries.size):
        n, mean, square = _row_moments(distances[q], queries[q], n_samples, np.inf)
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


@kernel(reordered=True)
def _row_moments(distances, a, n_samples, far):
    """Return count, mean and sum of squares of the distances of row a to others."""
    distances[a] = far
    other = distances[1 if a == 0 else 0]
    shift = 1.0 * other if other < far else 0.0
    total, square, n_finite = 0.0, 0.0, 0
    for r in range(n_samples):
        is_finite = distances[r] < far
        d = 1.0 * distances[r] - shift
        d = d if is_finite else 0.0
        total += d
        square += d * d
        n_finite += int(is_finite)
    n = 1.0 * n_finite
    mean = total / max(n, 1.0)
    return n, shift + mean, max(square - total * mean, 0.0)


@kernel()
def own_radii(distances, a, n_samples, far):
    """Return the mean distance of row a less and plus half a standard deviation."""
    n, mean, square = _row_moments(distances, a, n_samples, far)
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
    points,
    gaps,
    columns,
    weights,
    sums,
    n_known,
):
    """Fill in the weight of every row in the margins of some rows.

    weights : may be the distances themselves.
    place : (q,) row of `again` that has the distances of a query in double precision,
    or -1 where its radii and distances suffice. Where differences may be ignored, the
    margins themselves are added.
    """
    n_samples, n_classes = X.shape[0], class_starts.size - 1
    is_pooled = miss_weights.shape[0] == 0
    numbers = np.empty((n_classes, 2))
    factors = np.empty((n_classes, 2))
    # Apart from the weights, or loops that fill them are not vectorised.
    line = np.empty(n_samples, dtype=distances.dtype)
    weights[: queries.size, n_samples:] = 0.0
    for q in range(queries.size):
        a, near = queries[q], weights[q, :n_samples]
        own = np.searchsorted(class_starts, a, side="right") - 1
        for r in range(n_samples):
            line[r] = distances[q, r]
        if rule == SIGMOID:
            for r in range(n_samples):
                is_far_away = line[r] == points.far or width == 0.0
                s = np.tanh(2.0 * (center - line[r]) / width)
                near[r] = 0.0 if is_far_away else s
        elif place[q] >= 0:
            # In double precision, whose unit is 1.
            inner = outer = center / points.unit
            if rule == OWN_RADIUS:
                inner, outer = own_radii(again[place[q]], a, n_samples, np.inf)
            least, most = inner - TIE * outer, outer + TIE * outer
            most = most if with_far else np.inf
            mark_rows(again[place[q]], least, most, np.inf, near)
        else:
            # Whole numbers; what is at the radius has been settled.
            least = np.ceil(radii[q, 0])
            most = max(np.floor(radii[q, 1]), least)
            most = most if with_far else np.float64(points.far)
            mark_rows(line, least, most, points.far, near)
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
        if gaps is not None and points.is_ignored:
            _add_margin(
                X, a, own, near, class_starts, miss_weights, rule, columns, sums,
                n_known,
            )  # fmt: skip
            continue
        for c in range(n_classes):
            part = near[class_starts[c] : class_starts[c + 1]]
            of_near = weights.dtype.type(factors[c, 0])
            of_far = weights.dtype.type(factors[c, 1])
            for r in range(part.size):
                part[r] *= of_near if part[r] > 0 else of_far
    if not points.is_ignored:
        n_known += queries.size


@kernel()
def mark_rows(distances, least, most, far, near):
    """Fill in 1 for distances below `least`, -1 for those above `most`, but not far."""
    least, most = distances.dtype.type(least), distances.dtype.type(most)
    one, zero = near.dtype.type(1), near.dtype.type(0)
    for r in range(near.size):
        d = distances[r]
        near[r] = one if d < least else (-one if (d > most) & (d < far) else zero)


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
