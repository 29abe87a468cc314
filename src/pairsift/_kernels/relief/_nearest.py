"""The rule of the k nearest: float32 finds, float64 decides, tied rows share."""

from typing import NamedTuple

import numpy as np

from pairsift._kernels._jit import kernel
from pairsift._kernels.relief._cells import exact_distance, share_of_ties
from pairsift._typing import FloatArray, IndexArray

# Up to this many numbers, counting finds the k-th least faster than sorting some in.
FEW = 64
# Least distances are kept side by side, as vectors do.
LANES = 16


class Groups(NamedTuple):
    """Whose neighbours a row has: the rows of each class are a group, or all misses.

    class_starts : (n_classes + 1,), where each class of the sorted rows begins.
    shares : (n_classes, n_groups), how much the mean over a group counts in the margin
        of a row of the class; -1 for the hits.
    is_pooled : whether there are two groups, hits and all misses, or one per class.
    """

    class_starts: IndexArray
    shares: FloatArray
    is_pooled: bool


def as_groups(class_starts: IndexArray, miss_weights: FloatArray) -> Groups:
    """Prepare groups; miss_weights : (n_classes, n_classes), or (0, 0) to pool."""
    if miss_weights.size == 0:
        shares = np.tile([-1.0, 1.0], (class_starts.size - 1, 1))
        return Groups(class_starts, shares, True)
    shares = miss_weights.copy()
    np.fill_diagonal(shares, -1.0)
    return Groups(class_starts, shares, False)


def one_group(n_samples: int) -> Groups:
    """Return the group of all rows."""
    return Groups(np.array([0, n_samples]), np.ones((1, 1)), False)


@kernel(inner=True)
def class_of(row, class_starts):
    """Return the class of a row; empty classes have none."""
    c = 0
    while row >= class_starts[c + 1]:
        c += 1
    return c


class Nearest(NamedTuple):
    """The n_neighbors nearest rows of a group; see `k_nearest`.

    squared : whether distances are; share : whether tied rows share the last places, or
    those first in `order` (n,) take them; rounding : (a, b), a distance d in single
    precision is wrong by a + b d at most.
    """

    n_neighbors: int
    squared: bool
    share: bool
    rounding: tuple[float, float]
    order: IndexArray


class Lists(NamedTuple):
    """Neighbours of some rows: of query q and group g between two starts.

    starts : (q * n_groups + 1,); rows, places : (n_listed,), how many of the places of
    the group each row has; values : (n_listed,), what it counts in a sum.
    """

    starts: IndexArray
    rows: IndexArray
    places: FloatArray
    values: FloatArray


@kernel()
def nearest_lists(cells, rule, groups, queries, place, strip, tables):
    """List the nearest rows of each group to some rows.

    place : (q,) row of the strip that has the distances of a query to all rows, -1
    where the tables have the least of them.
    """
    n_samples, n_groups = cells.X.shape[0], groups.shares.shape[1]
    starts = np.zeros(queries.size * n_groups + 1, dtype=np.int64)
    found, places = np.empty(n_samples + 1, dtype=np.int64), np.empty(n_samples + 1)
    rows = np.empty(starts.size * (rule.n_neighbors + 1), dtype=np.int64)
    taken, n_listed = np.empty(rows.size), 0
    everyone = np.empty(n_samples, dtype=np.int32)
    for a in range(n_samples):
        everyone[a] = a
    for q in range(queries.size):
        a, line = queries[q], strip[max(place[q], 0)]
        own = class_of(a, groups.class_starts)
        first, last = groups.class_starts[own], groups.class_starts[own + 1]
        for g in range(n_groups):
            if place[q] < 0:
                rough, members = tables.distances[g, a], tables.rows[g, a]
            elif groups.is_pooled and g == 1:
                line[first:last] = np.inf
                rough, members = line[:n_samples], everyone
            else:
                c = own if groups.is_pooled else g
                start, stop = groups.class_starts[c], groups.class_starts[c + 1]
                line[a] = np.inf
                rough, members = line[start:stop], everyone[start:stop]
            n_found = k_nearest(cells, rule, a, rough, members, found, places)
            if n_listed + n_found > rows.size:
                rows, taken = _grown(rows, n_found), _grown(taken, n_found)
            for i in range(n_found):
                if places[i] > 0.0:
                    rows[n_listed], taken[n_listed] = members[found[i]], places[i]
                    n_listed += 1
            starts[q * n_groups + g + 1] = n_listed
    return starts, rows[:n_listed], taken[:n_listed]


@kernel(inner=True)
def _grown(numbers, n_more):
    """Return the numbers in an array of more than twice the size."""
    out = np.empty(2 * numbers.size + n_more, dtype=numbers.dtype)
    for i in range(numbers.size):
        out[i] = numbers[i]
    return out


@kernel(inner=True)
def k_nearest(cells, rule, a, rough, members, found, places):
    """Find those of some rows that are nearest to row a; return their number.

    rough : their distances in single precision, inf for no neighbour; found : fills in
    their numbers among the members; places : how many of the k places each has. Where
    single precision cannot tell, distances in double precision decide.
    """
    k, nearest = rule.n_neighbors, np.float32(np.inf)
    if rough.size > k:
        # A number that at least k distances do not exceed leaves few to look at.
        _, most = _doubtful_between(_bound_of_nearest(rough, k), rule.rounding)
        n_near = _list_less(rough, most, found)
        some = np.empty(n_near, dtype=np.float32)
        for i in range(n_near):
            some[i] = rough[found[i]]
        nearest = _kth_least(some, k)
    else:
        n_near = _list_less(rough, nearest, found)
    least, most = _doubtful_between(nearest, rule.rounding)
    n_found, n_sure = 0, 0
    for i in range(n_near):
        distance = rough[found[i]]
        if distance < most:
            found[n_found], places[n_found] = found[i], 0.0
            if distance < least:
                places[n_found] = 1.0
                n_sure += 1
            n_found += 1
    if n_found <= k:
        places[:n_found] = 1.0
    else:
        _share_places(cells, rule, a, members, found[:n_found], k - n_sure, places)
    return n_found


@kernel(inner=True)
def _doubtful_between(nearest, rounding):
    """Return bounds of the rough distances that may be as near as a certain one."""
    if nearest == np.inf:
        return np.float32(-np.inf), nearest
    # Twice: what is nearest by rough distances, and another row, may both be wrong.
    slack = 2.1 * (rounding[0] + rounding[1] * nearest)
    least = np.nextafter(np.float32(nearest - slack), np.float32(-np.inf))
    most = np.nextafter(np.float32(nearest + slack), np.float32(np.inf))
    return least, most


@kernel(inner=True)
def _bound_of_nearest(rough, k):
    """Return a number that at least k of the distances do not exceed, or inf.

    That is the k-th of the least distances in each lane of some parts of them.
    """
    n_parts = -(-3 * k // (2 * LANES))
    least = np.empty(n_parts * LANES, dtype=np.float32)
    least[:] = np.inf
    n_strips = rough.size // LANES
    for part in range(n_parts):
        lanes = least[part * LANES : (part + 1) * LANES]
        first, last = part * n_strips // n_parts, (part + 1) * n_strips // n_parts
        for strip in range(first, last):
            some = rough[strip * LANES : (strip + 1) * LANES]
            for r in range(LANES):
                lanes[r] = some[r] if some[r] < lanes[r] else lanes[r]
    return _kth_least(least, k)


@kernel(inner=True)
def _kth_least(numbers, k):
    """Return the k-th least number, inf when there are fewer.

    It is the largest of the numbers that have fewer than k less ones.
    """
    kth, n_numbers = numbers.dtype.type(-np.inf), np.uint64(numbers.size)
    if k <= numbers.size <= FEW:
        n_less = np.zeros(numbers.size, dtype=np.uint32)
        for i in range(n_numbers):
            number = numbers[i]
            for r in range(n_numbers):
                n_less[r] += np.uint32(number < numbers[r])
        for i in range(n_numbers):
            if n_less[i] < k and numbers[i] > kth:
                kth = numbers[i]
        return kth
    near = np.empty(k, dtype=numbers.dtype)
    near[:] = np.inf
    for number in numbers:
        if number < near[k - 1]:
            i = k - 1
            while i > 0 and number < near[i - 1]:
                near[i] = near[i - 1]
                i -= 1
            near[i] = number
    return near[k - 1]


@kernel(inner=True)
def _list_less(numbers, bound, found):
    """List the places of the numbers below a bound; return how many. No branches.

    found : one place more than numbers.
    """
    n_found = 0
    for r in range(numbers.size):
        found[n_found] = r
        n_found += int(numbers[r] < bound)
    return n_found


@kernel(inner=True)
def _share_places(cells, rule, a, members, found, n_left, places):
    """Share n_left places among the rows found that have none yet, by distance.

    Distances that agree up to rounding in double precision are tied.
    """
    distances, turns = np.empty(found.size), np.empty(found.size)
    distances[:] = turns[:] = np.inf
    for i in range(found.size):
        if places[i] == 0.0:
            row = members[found[i]]
            distances[i] = exact_distance(cells, a, row, rule.squared)
    worst, rounding = _kth_least(distances, n_left), share_of_ties(cells.X.shape[1])
    below, above = worst * (1.0 - rounding), worst * (1.0 + rounding)
    n_tied = 0
    for i in range(found.size):
        if places[i] == 0.0 and distances[i] < below:
            places[i] = 1.0
            n_left -= 1
        elif places[i] == 0.0 and distances[i] <= above:
            turns[i] = rule.order[members[found[i]]]
            n_tied += 1
    last = _kth_least(turns, n_left)
    for i in range(found.size):
        if turns[i] < np.inf:
            taken = 1.0 if turns[i] <= last else 0.0
            places[i] = n_left / n_tied if rule.share else taken


@kernel()
def pairs_of(lists, groups, queries):
    """Return pairs (p, 2) of rows, and the weights (p,) of a mean over each group."""
    n_groups = groups.shares.shape[1]
    pairs = np.empty((lists.rows.size, 2), dtype=np.int64)
    weights = np.empty(lists.rows.size)
    for q in range(queries.size):
        own = class_of(queries[q], groups.class_starts)
        for g in range(n_groups):
            start, stop = (
                lists.starts[q * n_groups + g],
                lists.starts[q * n_groups + g + 1],
            )
            n_places = 0.0
            for i in range(start, stop):
                n_places += lists.places[i]
            for i in range(start, stop):
                pairs[i, 0], pairs[i, 1] = queries[q], lists.rows[i]
                weights[i] = groups.shares[own, g] * lists.values[i] / n_places
    return pairs, weights
