"""The rule of the k nearest: float32 finds, float64 decides, tied rows share."""

from typing import NamedTuple

import numpy as np

from pairsift._kernels._jit import kernel
from pairsift._typing import BoolArray, FloatArray, IndexArray

# Up to this many numbers, counting finds the k-th least faster than sorting some in.
FEW = 64
# Least distances are kept side by side, as vectors do.
LANES = 16


class Groups(NamedTuple):
    """Whose neighbours a row has: the rows of each class are a group, or all misses.

    class_starts : (n_classes + 1,), where each class of the sorted rows begins.
    shares : (n_classes, n_groups), how much the mean over a group counts in the margin
        of a row of the class; -1 for the hits, 0 where there are none to be found.
    is_pooled : whether there are two groups, hits and all misses, or one per class.
    """

    class_starts: IndexArray
    shares: FloatArray
    is_pooled: bool

    def classes_of(self, rows: IndexArray) -> IndexArray:
        """Return the classes of some rows."""
        return np.searchsorted(self.class_starts[1:], rows, side="right")


def as_groups(
    class_starts: IndexArray, miss_weights: FloatArray, sizes: IndexArray | None = None
) -> Groups:
    """Prepare groups.

    miss_weights : (n_classes, n_classes), or (0, 0) to pool; sizes : (n_classes,), of
    the classes in all rows, of which these are a part.
    """
    sizes = np.diff(class_starts) if sizes is None else sizes
    hits = np.where(sizes > 1, -1.0, 0.0)
    if miss_weights.size == 0:
        return Groups(class_starts, np.column_stack([hits, np.ones(hits.size)]), True)
    shares = miss_weights.copy()
    np.fill_diagonal(shares, hits)
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
    """Who has the n_neighbors places of a list: the nearest rows.

    rounding : share of a distance by which tied ones may differ; share : whether rows
    tied at the last place share what is left, or those first in `order` (n,) take it,
    by their numbers when None.
    """

    n_neighbors: int
    rounding: float
    share: bool
    order: IndexArray | None = None


class Near(NamedTuple):
    """Rows that may be among the nearest of a query: list i between two starts.

    starts : (n_lists + 1,); rows, distances : (n_listed,), exact ones, or -1 where a
    row is surely nearer than the last.
    """

    starts: IndexArray
    rows: IndexArray
    distances: FloatArray

    def owners(self) -> IndexArray:
        """Return the list that each row is in, (n_listed,)."""
        return np.repeat(np.arange(self.starts.size - 1), np.diff(self.starts))

    def take(self, is_kept: BoolArray) -> "Near":
        """Return the lists without some of the rows."""
        starts = np.concatenate([[0], is_kept.cumsum()])[self.starts]
        return Near(starts, self.rows[is_kept], self.distances[is_kept])


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
def find_nearest(k, rounding, groups, own, queries, place, strip, tables):
    """List the rows of each group that may be among the k nearest of some rows.

    rounding : (q, 2), a distance d of query q is wrong by a + b d at most; own : (q,)
    classes of the queries; place : (q,) row of the strip that has the distances of a
    query to all rows, -1 where the tables have the least of them. Returns starts and
    rows as in `Near`, and whether a row is surely among the nearest.
    """
    n_samples, n_groups = groups.class_starts[-1], groups.shares.shape[1]
    starts = np.zeros(queries.size * n_groups + 1, dtype=np.int64)
    rows = np.empty(starts.size * (k + 1), dtype=np.int64)
    found, n_listed = np.empty(n_samples + 1, dtype=np.int64), 0
    is_sure = np.empty(rows.size, dtype=np.bool_)
    for q in range(queries.size):
        a, line = queries[q], strip[max(place[q], 0)]
        for g in range(n_groups):
            c = own[q] if groups.is_pooled else g
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
            n_found, least = list_nearest(k, rounding[q], rough, found)
            if n_listed + n_found > rows.size:
                rows, is_sure = grown(rows, n_found), grown(is_sure, n_found)
            for r in found[:n_found]:
                row = start + r if place[q] >= 0 else tables.rows[g, a, r]
                rows[n_listed] = row
                is_sure[n_listed] = n_found <= k or rough[r] < least
                n_listed += 1
            starts[q * n_groups + g + 1] = n_listed
    return starts, rows[:n_listed], is_sure[:n_listed]


@kernel(inner=True)
def grown(numbers, n_more):
    """Return the numbers in an array of more than twice the size."""
    out = np.empty(2 * numbers.size + n_more, dtype=numbers.dtype)
    for i in range(numbers.size):
        out[i] = numbers[i]
    return out


@kernel(inner=True)
def list_nearest(k, rounding, rough, found):
    """List those of some rows that may be the nearest; return how many there are.

    rough : their distances in single precision, inf for no neighbour; found : fills in
    their numbers. Returns, too, the distance below which a row is surely one of the
    k nearest.
    """
    nearest = np.float32(np.inf)
    if rough.size <= k:
        return _list_less(rough, nearest, found), nearest
    # A number that at least k distances do not exceed leaves few to look at.
    _, most = _doubtful_between(_bound_of_nearest(rough, k), rounding)
    n_near = _list_less(rough, most, found)
    some = np.empty(n_near, dtype=np.float32)
    for i in range(n_near):
        some[i] = rough[found[i]]
    least, most = _doubtful_between(_kth_least(some, k), rounding)
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


def places_of(near: Near, rule: Nearest) -> FloatArray:
    """Return how many places each row of the lists has, (n_listed,)."""
    places = np.ones(near.rows.size)
    if np.diff(near.starts).max(initial=0) > rule.n_neighbors:
        turns = near.rows if rule.order is None else rule.order[near.rows]
        _share_places(*rule[:3], near.starts, near.distances, turns, places)
    return places


def with_places(near: Near, rule: Nearest) -> Lists:
    """Return the rows that have places."""
    places = places_of(near, rule)
    near, places = near.take(places > 0.0), places[places > 0.0]
    return Lists(near.starts, near.rows, places, places)


@kernel()
def _share_places(k, rounding, share, starts, distances, turns, places):
    """Fill in places, see `Nearest`; lists of at most k rows are left alone."""
    for i in range(starts.size - 1):
        some, n_left, n_tied = slice(starts[i], starts[i + 1]), k, 0
        exact, taken, turn = distances[some], places[some], turns[some]
        if exact.size <= k:
            continue
        worst, waiting = _kth_least(exact, k), np.full(exact.size, np.inf)
        below, above = worst * (1.0 - rounding), worst * (1.0 + rounding)
        for r in range(exact.size):
            taken[r] = 1.0 if exact[r] < below else 0.0
            if exact[r] < below:
                n_left -= 1
            elif exact[r] <= above and exact[r] < np.inf:
                waiting[r] = turn[r]
                n_tied += 1
        last = _kth_least(waiting, n_left)
        for r in range(exact.size):
            if waiting[r] < np.inf:
                alone = 1.0 if waiting[r] <= last else 0.0
                taken[r] = n_left / n_tied if share else alone


def in_order(near: Near, rounding: float) -> tuple[Near, IndexArray]:
    """Sort each list by distance, tied rows by number; return the run each is in.

    A run is of rows of a list that are tied, one with the next; runs ascend.
    """
    owners = near.owners()
    order = np.lexsort((near.distances, owners))
    distances, is_first = near.distances[order], np.ones(order.size, dtype=bool)
    is_first[1:] = distances[1:] > distances[:-1] * (1.0 + rounding)
    is_first[1:] |= owners[1:] != owners[:-1]
    runs = is_first.cumsum()
    order = order[np.lexsort((near.rows[order], runs))]
    return Near(near.starts, near.rows[order], near.distances[order]), runs


def pairs_of(
    lists: Lists, groups: Groups, queries: IndexArray
) -> tuple[IndexArray, FloatArray]:
    """Return pairs (p, 2) of rows, and the weights (p,) of a mean over each group."""
    n_groups = groups.shares.shape[1]
    of_list = np.repeat(np.arange(lists.starts.size - 1), np.diff(lists.starts))
    pairs = np.column_stack([queries[of_list // n_groups], lists.rows])
    n_places = np.bincount(of_list, lists.places, lists.starts.size - 1)
    shares = groups.shares[groups.classes_of(queries)].ravel()
    return pairs, shares[of_list] * lists.values / n_places[of_list]
