"""Rules of a radius: who is near and who is far, and how much every row counts.

A rule takes a strip of distances and fills in weights of the same shape: 1 for near
rows, -1 for far ones, or any number. `weigh_groups` turns them into weights of means.
"""

from typing import NamedTuple

import numpy as np

from pairsift._kernels._jit import kernel
from pairsift._kernels.relief._cells import (
    ROUNDOFF_64,
    TIE,
    Cells,
    exact_distances,
)
from pairsift._kernels.relief._nearest import class_of, grown
from pairsift._kernels.relief._tiles import Engine
from pairsift._typing import FloatArray, IndexArray

# Rows that are looked at together: few of them are near a radius.
SOME_ROWS = 256
NOTHING = np.empty(0)
# What means are over, see `weigh_groups`.
MARKED, EVERYONE, PRESENT, NEAREST = range(4)


class Radius(NamedTuple):
    """Rows nearer than an inner radius are near, those beyond an outer one far.

    center : the radius of all rows, or NaN: the mean distance of each row minus and
    plus half a standard deviation; with_far : whether far rows count; rounding : of the
    distances, see `Engine`; means : (n,) mean distances, exact, or (0,) to take those
    of rounded distances; errors : (n,) as `Engine.row_errors`, or (0,).
    """

    center: float
    with_far: bool
    rounding: tuple[float, float]
    means: FloatArray = NOTHING
    errors: FloatArray = NOTHING


def mark_within(
    engine: Engine,
    rule: Radius,
    queries: IndexArray,
    strip: FloatArray,
    weights: FloatArray,
) -> None:
    """Fill in 1 for near rows, -1 for far ones, 0 for others and for the row itself.

    strip : distances by the engine. Those that rounding may have put on the wrong side
    of a radius are taken again in double precision; so are all distances of a row if
    the error of its own radius matters.
    """
    doubtful = _mark_some(engine, rule, queries, strip, weights)
    if engine.dtype is np.float64:
        for q in doubtful:
            _mark_exactly(engine.cells, rule, queries[q], weights[q])
    elif doubtful.size > 0:
        rows, exact = queries[doubtful], engine.in_double
        distances, marks = exact.new_strip(rows.size), exact.new_strip(rows.size)
        exact.distances(rows, distances)
        rule = Radius(rule.center, rule.with_far, exact.rounding)
        mark_within(exact, rule, rows, distances, marks)
        weights[doubtful] = marks[: rows.size]


def _mark_some(
    engine: Engine,
    rule: Radius,
    queries: IndexArray,
    strip: FloatArray,
    weights: FloatArray,
) -> IndexArray:
    """Mark rows; return the queries of which an exact distance is too near a radius."""
    radii, wrong, places, rows = mark_near(
        rule, queries, strip, engine.encoded.n_samples, weights
    )
    if rows.size == 0:
        return rows
    exact = exact_distances(engine.cells, queries[places], rows, False)
    inner, outer, wrong = radii[places, 0], radii[places, 1], wrong[places]
    is_far = rule.with_far & (exact > outer + TIE * outer) & (exact < np.inf)
    is_near = exact < inner - TIE * outer
    weights[places, rows] = is_near.astype(float) - is_far
    is_off = np.abs(exact - inner) < wrong
    is_off |= rule.with_far & (np.abs(exact - outer) < wrong)
    return np.unique(places[is_off])


def _mark_exactly(cells: Cells, rule: Radius, a: int, marks: FloatArray) -> None:
    """Mark the rows within the own radius of row a, all in double precision."""
    everyone = np.arange(len(cells.X))
    exact = exact_distances(cells, np.full(everyone.size, a), everyone, False)
    exact[a] = np.inf
    known = exact[exact < np.inf]
    half = 0.5 * known.std()
    inner, outer = known.mean() - half, known.mean() + half
    is_far = rule.with_far & (exact > outer + TIE * outer) & (exact < np.inf)
    marks[: exact.size] = (exact < inner - TIE * outer).astype(float) - is_far


@kernel()
def mark_near(rule, queries, strip, n_samples, weights):
    """Mark rows by rounded distances, and list those that these may put wrong.

    Returns inner and outer radius of each query (q, 2), by how much they may be wrong
    (q,), and which query and row are in doubt, two arrays (n_doubtful,).
    """
    radii, wrong = np.empty((queries.size, 2)), np.zeros(queries.size)
    found, n_listed = np.empty(n_samples + 1, dtype=np.int64), 0
    places = np.empty(queries.size, dtype=np.int64)
    rows = np.empty(queries.size, dtype=np.int64)
    for q in range(queries.size):
        line, near = strip[q, :n_samples], weights[q, :n_samples]
        line[queries[q]] = np.inf
        inner = outer = rule.center
        if np.isnan(rule.center):
            inner, outer, wrong[q] = _own_radii(rule, queries[q], line)
        radii[q, 0], radii[q, 1] = inner, outer
        error = rule.rounding[0] + (rule.rounding[1] + TIE) * outer + wrong[q]
        n_found = _mark_line(line, inner, outer, error, rule.with_far, near, found)
        if n_listed + n_found > rows.size:
            rows, places = grown(rows, n_found), grown(places, n_found)
        for r in found[:n_found]:
            rows[n_listed], places[n_listed] = r, q
            n_listed += 1
    return radii, wrong, places[:n_listed], rows[:n_listed]


@kernel(inner=True)
def _own_radii(rule, a, distances):
    """Return the mean distance of row a minus and plus half a deviation, and its error.

    Errors a + b d change a mean by their mean, and a deviation by their root mean
    square, which is a + b times that of the distances at most.
    """
    n, mean, square = row_moments(distances)
    deviation = np.sqrt(square / max(n, 1.0))
    relative = (rule.rounding[1] + TIE) * np.sqrt(mean * mean + deviation * deviation)
    wrong = 1.5 * (rule.rounding[0] + relative)
    if rule.means.size > 0:
        mean = rule.means[a]
        wrong = 0.5 * (rule.errors[a] + relative) + 8.0 * n * ROUNDOFF_64 * mean
    return mean - 0.5 * deviation, mean + 0.5 * deviation, wrong


@kernel(inner=True)
def _mark_line(distances, inner, outer, error, with_far, near, found):
    """Fill in 1 for distances below `inner`, -1 for finite ones above `outer`.

    found : fills in the rows within the error of a radius; returns their number.
    """
    kind = distances.dtype.type
    least, most, far = kind(inner), kind(outer), kind(np.inf)
    low, high = _around(least, error)
    low_far, high_far = _around(most, error) if with_far else (far, -far)
    one, zero, n_found = near.dtype.type(1), near.dtype.type(0), 0
    for start in range(0, near.size, SOME_ROWS):
        stop, is_doubtful = min(start + SOME_ROWS, near.size), np.uint32(0)
        for r in range(np.uint64(start), np.uint64(stop)):
            d = distances[r]
            near[r] = one if d < least else zero
            is_doubtful |= np.uint32((d >= low) & (d <= high))
        # A loop of its own: most rules have no far rows, and compare half as often.
        for r in range(np.uint64(start), np.uint64(stop if with_far else start)):
            d = distances[r]
            near[r] -= one if (d > most) & (d < far) else zero
            is_doubtful |= np.uint32((d >= low_far) & (d <= high_far))
        for r in range(start, stop if is_doubtful else start):
            d = distances[r]
            found[n_found] = r
            n_found += int((low <= d <= high) | (low_far <= d <= high_far))
    return n_found


@kernel(inner=True)
def _around(radius, error):
    """Return bounds of the distances within the error of a radius, or a few more."""
    kind = type(radius)
    low, high = kind(radius - 1.01 * error), kind(radius + 1.01 * error)
    return np.nextafter(low, kind(-np.inf)), np.nextafter(high, kind(np.inf))


@kernel(inner=True, reordered=True)
def row_moments(distances):
    """Return count, mean and sum of squares about it of the finite distances."""
    # About a number that is near the mean, so that little cancels.
    other = distances[0] if distances[0] < np.inf else distances[-1]
    shift = 1.0 * other if other < np.inf else 0.0
    total, square, n_finite = 0.0, 0.0, 0
    for r in range(distances.size):
        is_finite = distances[r] < np.inf
        d = 1.0 * distances[r] - shift
        d = d if is_finite else 0.0
        total += d
        square += d * d
        n_finite += int(is_finite)
    n = 1.0 * n_finite
    mean = total / max(n, 1.0)
    return n, shift + mean, max(square - total * mean, 0.0)


@kernel()
def mark_sigmoid(center, width, queries, strip, n_samples, weights):
    """Fill in tanh(2 (center - d) / width), 0 for the row itself and where d is inf."""
    for q in range(queries.size):
        line, near = strip[q], weights[q]
        for r in range(n_samples):
            is_far_away = line[r] == np.inf or width == 0.0
            s = np.tanh(2.0 * (center - line[r]) / width)
            near[r] = 0.0 if is_far_away else s
        near[queries[q]] = 0.0


@kernel()
def weigh_groups(groups, queries, over, weights):
    """Turn marks into weights: the mean over each group and sign, times its share.

    over : what means are over: MARKED, rows of a sign, by their marks; EVERYONE, all
    rows of a group; PRESENT, as MARKED, but shares are scaled to add up to 1 over the
    groups that have any, and a row without hits or misses counts nothing. Returns how
    many rows count.
    """
    class_starts, n_counted = groups.class_starts, 0
    n_classes = class_starts.size - 1
    numbers, everyone = np.empty((n_classes, 2)), np.empty(2)
    for q in range(queries.size):
        own = class_of(queries[q], class_starts)
        everyone[:] = 0.0
        for c in range(n_classes):
            part = weights[q, class_starts[c] : class_starts[c + 1]]
            numbers[c, :] = part.size - (1 if c == own else 0)
            if over != EVERYONE:
                numbers[c, 0], numbers[c, 1] = _sum_of_signs(part)
            everyone += numbers[c]
        scale = 1.0
        if over == PRESENT:
            scale = _share_of_misses(groups.shares[own], own, numbers)
        n_counted += int(scale > 0.0)
        for c in range(n_classes):
            part = weights[q, class_starts[c] : class_starts[c + 1]]
            n_near, n_far = numbers[c]
            if groups.is_pooled and c != own:
                n_near, n_far = everyone - numbers[own]
            share = groups.shares[own, int(c != own) if groups.is_pooled else c]
            if scale != 1.0 and c != own:
                share /= scale
            of_near = weights.dtype.type(share / n_near if n_near > 0.0 else 0.0)
            of_far = weights.dtype.type(share / n_far if n_far > 0.0 else 0.0)
            for r in range(part.size):
                part[r] *= of_near if part[r] > 0 else of_far
            if scale == 0.0:
                part[:] = 0
    return n_counted


@kernel(inner=True)
def _share_of_misses(shares, own, numbers):
    """Σ share over the classes other than the own one with marks; 0 without hits."""
    total = 0.0
    for c in range(shares.size):
        total += shares[c] if c != own and numbers[c, 0] > 0.0 else 0.0
    return total if numbers[own, 0] > 0.0 else 0.0


@kernel(inner=True, reordered=True)
def _sum_of_signs(part):
    """Return the sums of the positive and of the negative entries, both positive."""
    total, size = 0.0, 0.0
    for r in range(part.size):
        total += part[r]
        size += abs(part[r])
    return 0.5 * (size + total), 0.5 * (size - total)


@kernel()
def lists_of_marks(groups, queries, over, marks):
    """List the marked rows by group and sign, or all rows of a group, as `Lists`.

    Groups of near rows come first, then those of far rows.
    """
    n_samples, n_groups = groups.class_starts[-1], groups.shares.shape[1]
    starts = np.zeros(2 * queries.size * n_groups + 1, dtype=np.int64)
    rows = np.empty(queries.size * n_samples, dtype=np.int64)
    values, n_listed = np.empty(rows.size), 0
    for q in range(queries.size):
        own = class_of(queries[q], groups.class_starts)
        for side in range(2):
            for g in range(n_groups):
                for c in range(groups.class_starts.size - 1):
                    group = int(c != own) if groups.is_pooled else c
                    if group != g or (over == EVERYONE and side == 1):
                        continue
                    first, last = groups.class_starts[c], groups.class_starts[c + 1]
                    for r in range(first, last):
                        mark = marks[q, r] if side == 0 else -marks[q, r]
                        is_taken = r != queries[q] if over == EVERYONE else mark > 0.0
                        if is_taken:
                            rows[n_listed], values[n_listed] = r, marks[q, r]
                            n_listed += 1
                starts[(2 * q + side) * n_groups + g + 1] = n_listed
    return starts, rows[:n_listed], values[:n_listed]
