"""The rule of the k nearest: float32 finds, float64 decides, tied rows share."""

from typing import NamedTuple

import numpy as np

from pairsift._kernels._jit import kernel
from pairsift._kernels.relief._cells import exact_distances, share_of_ties
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
    """The n_neighbors nearest rows of a group; see `find_nearest`.

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
def find_nearest(rule, groups, queries, place, strip, tables):
    """List the rows of each group that are, or may be, among the nearest of some rows.

    place : (q,) row of the strip that has the distances of a query to all rows, -1
    where the tables have the least of them. Returns starts, rows and places as in
    `Lists`, places 0 where single precision cannot tell, and how many places those
    rows share (q * n_groups,).
    """
    n_samples, n_groups = groups.class_starts[-1], groups.shares.shape[1]
    starts = np.zeros(queries.size * n_groups + 1, dtype=np.int64)
    left = np.zeros(queries.size * n_groups, dtype=np.int64)
    rows = np.empty(starts.size * (rule.n_neighbors + 1), dtype=np.int64)
    found, n_listed = np.empty(n_samples + 1, dtype=np.int64), 0
    places = np.empty(rows.size)
    for q in range(queries.size):
        a, line = queries[q], strip[max(place[q], 0)]
        own = class_of(a, groups.class_starts)
        for g in range(n_groups):
            c = own if groups.is_pooled else g
            start, stop = groups.class_starts[c], groups.class_starts[c + 1]
            if place[q] < 0:
                rough = tables.distances[g, a]
            else:
                line[a] = np.inf
                if groups.is_pooled and g == 1:
                    # The hits have been listed before the misses.
                    line[start:stop] = np.inf
                    start, stop = 0, n_samples
                rough = line[start:stop]
            n_found, least = list_nearest(rule, rough, found)
            if n_listed + n_found > rows.size:
                rows, places = grown(rows, n_found), grown(places, n_found)
            i = q * n_groups + g
            left[i] = rule.n_neighbors
            for r in found[:n_found]:
                is_sure = int(n_found <= rule.n_neighbors or rough[r] < least)
                row = start + r if place[q] >= 0 else tables.rows[g, a, r]
                rows[n_listed], places[n_listed] = row, is_sure
                left[i] -= is_sure
                n_listed += 1
            starts[i + 1] = n_listed
    return starts, rows[:n_listed], places[:n_listed], left


@kernel(inner=True)
def grown(numbers, n_more):
    """Return the numbers in an array of more than twice the size."""
    out = np.empty(2 * numbers.size + n_more, dtype=numbers.dtype)
    for i in range(numbers.size):
        out[i] = numbers[i]
    return out


@kernel(inner=True)
def list_nearest(rule, rough, found):
    """List those of some rows that may be the nearest; return how many there are.

    rough : their distances in single precision, inf for no neighbour; found : fills in
    their numbers. Returns, too, the distance below which a row is surely one of the
    n_neighbors nearest.
    """
    k, nearest = rule.n_neighbors, np.float32(np.inf)
    if rough.size <= k:
        return _list_less(rough, nearest, found), nearest
    # A number that at least k distances do not exceed leaves few to look at.
    _, most = _doubtful_between(_bound_of_nearest(rough, k), rule.rounding)
    n_near = _list_less(rough, most, found)
    some = np.empty(n_near, dtype=np.float32)
    for i in range(n_near):
        some[i] = rough[found[i]]
    least, most = _doubtful_between(_kth_least(some, k), rule.rounding)
    n_found = 0
    for i in range(n_near):
        found[n_found] = found[i]
        n_found += int(rough[found[i]] < most)
    return n_found, least


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
    # A heap of the k least numbers so far, the largest on top: k may be all rows.
    heap = np.full(k, np.inf).astype(numbers.dtype)
    for number in numbers:
        if number < heap[0]:
            place, child = 0, 1
            while child < k:
                child += int(child + 1 < k and heap[child + 1] > heap[child])
                if heap[child] <= number:
                    break
                heap[place], place, child = heap[child], child, 2 * child + 1
            heap[place] = number
    return heap[0]


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


def settle_nearest(cells, rule, groups, queries, starts, rows, places, left):
    """Turn what `find_nearest` returns into `Lists`: exact distances decide."""
    open_places = np.flatnonzero(places == 0.0)
    if open_places.size > 0:
        owners = np.repeat(queries, np.diff(starts[:: groups.shares.shape[1]]))
        distances = np.full(rows.size, np.inf)
        distances[open_places] = exact_distances(
            cells, owners[open_places], rows[open_places], rule.squared
        )
        rounding = share_of_ties(cells.X.shape[1])
        share_places(rule, rounding, starts, rows, distances, left, places)
        is_kept = places > 0.0
        starts = np.concatenate([[0], is_kept.cumsum()])[starts]
        rows, places = rows[is_kept], places[is_kept]
    return Lists(starts, rows, places, places)


@kernel()
def share_places(rule, rounding, starts, rows, distances, left, places):
    """Share the places left of each list among its rows without one, by distance.

    distances : (n_listed,) exact ones of the rows without a place, inf elsewhere. Those
    that agree up to the share `rounding` are tied.
    """
    for i in range(left.size):
        some, n_left = slice(starts[i], starts[i + 1]), left[i]
        exact, taken = distances[some], places[some]
        if n_left == 0 or exact.size <= rule.n_neighbors:
            continue
        turns, n_tied = np.full(exact.size, np.inf), 0
        worst = _kth_least(exact, n_left)
        below, above = worst * (1.0 - rounding), worst * (1.0 + rounding)
        for r in range(exact.size):
            if exact[r] < below:
                taken[r] = 1.0
                n_left -= 1
            elif exact[r] <= above and exact[r] < np.inf:
                turns[r] = rule.order[rows[starts[i] + r]]
                n_tied += 1
        last = _kth_least(turns, n_left)
        for r in range(exact.size):
            if turns[r] < np.inf:
                alone = 1.0 if turns[r] <= last else 0.0
                taken[r] = n_left / n_tied if rule.share else alone


def pairs_of(
    lists: Lists, groups: Groups, queries: IndexArray
) -> tuple[IndexArray, FloatArray]:
    """Return pairs (p, 2) of rows, and the weights (p,) of a mean over each group."""
    n_groups = groups.shares.shape[1]
    of_list = np.repeat(np.arange(lists.starts.size - 1), np.diff(lists.starts))
    pairs = np.column_stack([queries[of_list // n_groups], lists.rows])
    own = np.searchsorted(groups.class_starts[1:], queries, side="right")
    n_places = np.bincount(of_list, lists.places, lists.starts.size - 1)
    shares = groups.shares[own].ravel()
    return pairs, shares[of_list] * lists.values / n_places[of_list]
