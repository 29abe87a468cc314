"""Rules of a radius: who is near and who is far, and how much every row counts.

A rule takes a strip of distances and fills in weights of the same shape: 1 for near
rows, -1 for far ones, or any number. `weigh_groups` turns them into weights of means.
"""

from typing import NamedTuple

import numpy as np

from pairsift._kernels._jit import kernel
from pairsift._kernels.relief._cells import TIE, exact_distance
from pairsift._kernels.relief._nearest import class_of
from pairsift._kernels.relief._tiles import Engine
from pairsift._typing import FloatArray, IndexArray

# Rows that are looked at together: few of them are near a radius.
SOME_ROWS = 256


class Radius(NamedTuple):
    """Rows nearer than an inner radius are near, those beyond an outer one far.

    center : the radius of all rows, or NaN: the mean distance of each row minus and
    plus half a standard deviation; with_far : whether far rows count; rounding : of the
    distances, see `Engine`.
    """

    center: float
    with_far: bool
    rounding: tuple[float, float]


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
    is_doubtful = mark_near(engine.cells, rule, queries, strip, weights)
    if not is_doubtful.any():
        return
    rows, exact = queries[is_doubtful], engine.in_double
    distances, marks = exact.new_strip(rows.size), exact.new_strip(rows.size)
    exact.distances(rows, distances)
    rule = rule._replace(rounding=exact.rounding)
    mark_near(engine.cells, rule, rows, distances, marks)
    weights[np.flatnonzero(is_doubtful)] = marks[: rows.size]


@kernel()
def mark_near(cells, rule, queries, strip, weights):
    """Mark rows as `mark_within`; return where single precision fails, (q,)."""
    n_samples, has_own = cells.X.shape[0], np.isnan(rule.center)
    exact = np.empty(n_samples)
    is_doubtful = np.zeros(queries.size, dtype=np.bool_)
    for q in range(queries.size):
        a, line, near = queries[q], strip[q, :n_samples], weights[q, :n_samples]
        line[a] = np.inf
        inner = outer = rule.center
        if has_own:
            inner, outer = own_radii(line)
        error = rule.rounding[0] + (rule.rounding[1] + TIE) * outer
        # One error of the mean, and half a one of the deviation.
        of_radius = 1.5 * error if has_own else 0.0
        mark_rows(line, inner, outer, rule.with_far, near)
        if _settle(cells, rule, a, line, inner, outer, error, of_radius, near):
            continue
        if strip.itemsize < 8:
            is_doubtful[q] = True
            continue
        for b in range(n_samples):
            exact[b] = exact_distance(cells, a, b, False)
        exact[a] = np.inf
        inner, outer = own_radii(exact)
        least, most = inner - TIE * outer, outer + TIE * outer
        mark_rows(exact, least, most, rule.with_far, near)
    return is_doubtful


@kernel(inner=True)
def mark_rows(distances, inner, outer, with_far, near):
    """Fill in 1 for distances below `inner`, -1 for finite ones above `outer`."""
    kind = distances.dtype.type
    least, most, far = kind(inner), kind(outer), kind(np.inf)
    most = most if with_far else far
    one, zero = near.dtype.type(1), near.dtype.type(0)
    for r in range(near.size):
        d = distances[r]
        near[r] = one if d < least else (-one if (d > most) & (d < far) else zero)


@kernel(inner=True)
def _settle(cells, rule, a, distances, inner, outer, error, of_radius, near):
    """Mark rows within the error of a radius by exact distances; whether that works.

    It fails when an exact distance is within the error of the radius itself.
    """
    slack = error + of_radius
    for start in range(0, distances.size, SOME_ROWS):
        some = distances[start : start + SOME_ROWS]
        n_found = _count_between(some, inner, slack)
        n_found += _count_between(some, outer, slack) if rule.with_far else 0
        for r in range(start, start + some.size if n_found > 0 else start):
            is_inner = abs(distances[r] - inner) <= slack
            is_outer = rule.with_far and abs(distances[r] - outer) <= slack
            if not (is_inner or is_outer):
                continue
            exact = exact_distance(cells, a, r, False)
            if is_inner and abs(exact - inner) < of_radius:
                return False
            if is_outer and abs(exact - outer) < of_radius:
                return False
            near[r] = 1 if exact < inner - TIE * outer else 0
            if rule.with_far and outer + TIE * outer < exact < np.inf:
                near[r] = -1
    return True


@kernel(inner=True)
def _count_between(distances, radius, slack):
    """Return the number of distances within the slack of a radius, or a few more."""
    kind = distances.dtype.type
    low, high = kind(radius - 1.01 * slack), kind(radius + 1.01 * slack)
    low, high = np.nextafter(low, kind(-np.inf)), np.nextafter(high, kind(np.inf))
    n_found = np.uint32(0)
    for r in range(distances.size):
        n_found += np.uint32((distances[r] >= low) & (distances[r] <= high))
    return np.int64(n_found)


@kernel(inner=True)
def own_radii(distances):
    """Return the mean of the finite distances minus and plus half a deviation."""
    n, mean, square = row_moments(distances)
    half = 0.5 * np.sqrt(square / max(n, 1.0))
    return mean - half, mean + half


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
def weigh_groups(groups, queries, over_all, weights):
    """Turn marks into weights: the mean over each group and sign, times its share.

    over_all : means are over all rows of a group, and not over those of a sign.
    """
    class_starts, shares = groups.class_starts, groups.shares
    n_classes = class_starts.size - 1
    numbers, everyone = np.empty((n_classes, 2)), np.empty(2)
    for q in range(queries.size):
        own = class_of(queries[q], class_starts)
        everyone[:] = 0.0
        for c in range(n_classes):
            part = weights[q, class_starts[c] : class_starts[c + 1]]
            if over_all:
                numbers[c, :] = part.size - (1 if c == own else 0)
            else:
                numbers[c, 0], numbers[c, 1] = _count_signs(part)
            everyone[0] += numbers[c, 0]
            everyone[1] += numbers[c, 1]
        for c in range(n_classes):
            part = weights[q, class_starts[c] : class_starts[c + 1]]
            n_near, n_far = numbers[c, 0], numbers[c, 1]
            if groups.is_pooled and c != own:
                n_near, n_far = (
                    everyone[0] - numbers[own, 0],
                    everyone[1] - numbers[own, 1],
                )
            share = shares[own, int(c != own) if groups.is_pooled else c]
            of_near = weights.dtype.type(share / max(n_near, 1.0))
            of_far = weights.dtype.type(share / max(n_far, 1.0))
            for r in range(part.size):
                part[r] *= of_near if part[r] > 0 else of_far


@kernel(inner=True)
def _count_signs(part):
    """Numbers of positive and of negative entries."""
    n_near, n_far = np.uint32(0), np.uint32(0)
    for r in range(part.size):
        n_near += np.uint32(part[r] > 0)
        n_far += np.uint32(part[r] < 0)
    return np.float64(n_near), np.float64(n_far)


@kernel()
def lists_of_marks(groups, queries, over_all, marks):
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
                    if group != g or (over_all and side == 1):
                        continue
                    first, last = groups.class_starts[c], groups.class_starts[c + 1]
                    for r in range(first, last):
                        mark = marks[q, r] if side == 0 else -marks[q, r]
                        is_taken = r != queries[q] if over_all else mark > 0.0
                        if is_taken:
                            rows[n_listed], values[n_listed] = r, marks[q, r]
                            n_listed += 1
                starts[(2 * q + side) * n_groups + g + 1] = n_listed
    return starts, rows[:n_listed], values[:n_listed]
