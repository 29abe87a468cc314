"""The nearest of some rows, by distances in single precision that decide for sure."""

import numpy as np

from pairsift._kernels._jit import kernel
from pairsift._kernels.relief._all_rows import exact_distance
from pairsift._kernels.relief._neighbors import ROUNDOFF_64

# Distances that agree up to this share are tied.
TIE = 1e-12
# Up to so many numbers, counting finds the k-th least faster than sorting some in.
FEW = 64
# Least distances are kept side by side, as vectors do.
LANES = 16


@kernel(part=True)
def find_neighbors(
    X, a, rough, rows, rounding, order, squared, share, columns, near, candidates,
    places,
):  # fmt: skip
    """List those of some rows that are nearest to row a; their number.

    rough : distances of the rows in single precision; rounding : as in `Points`; near :
    (k,) work space; places : the share of the k places that each row has. Where single
    precision cannot tell who has a place, distances are taken in double precision.
    """
    nearest = np.float32(np.inf)
    found = np.empty(rows.size + 1, dtype=np.int64)
    if rows.size > near.size:
        bound = _bound_of_nearest(rough, near)
        _, most = _doubtful_between(bound, rounding)
        n_near = _list_less(rough, most, found)
        nearest = _kth_least(rough[found[:n_near]], near)
    else:
        n_near = _list_less(rough, nearest, found)
    least, most = _doubtful_between(nearest, rounding)
    doubtful = np.empty(n_near, dtype=np.int64)
    n_found, n_doubtful = 0, 0
    for i in range(n_near):
        distance = rough[found[i]]
        if distance < most:
            candidates[n_found], places[n_found] = rows[found[i]], 1.0
            if not distance < least:
                doubtful[n_doubtful] = n_found
                n_doubtful += 1
            n_found += 1
    if n_found <= near.size:
        return n_found
    n_left = near.size - (n_found - n_doubtful)
    doubtful = doubtful[:n_doubtful]
    _share_places(
        X, a, candidates, doubtful, order, n_left, squared, share, columns, places
    )
    return n_found


@kernel(part=True)
def _doubtful_between(nearest, rounding):
    """Return bounds of the rough distances that may be as near as a certain one."""
    # Twice: what is nearest by rough distances, and another row, may both be wrong.
    slack = 2.1 * (rounding[0] + rounding[1] * nearest)
    least = np.nextafter(np.float32(nearest - slack), np.float32(-np.inf))
    most = np.nextafter(np.float32(nearest + slack), np.float32(np.inf))
    return least, most


@kernel(part=True)
def _bound_of_nearest(rough, near):
    """Return a number that at least k of the distances do not exceed, or inf.

    That is the k-th of the least distances in each lane of some parts of them.
    """
    n_parts = -(-3 * near.size // (2 * LANES))
    least = np.full(n_parts * LANES, np.inf, dtype=np.float32)
    n_strips = rough.size // LANES
    for part in range(n_parts):
        lanes = least[part * LANES : (part + 1) * LANES]
        for strip in range(
            part * n_strips // n_parts, (part + 1) * n_strips // n_parts
        ):
            some = rough[strip * LANES : (strip + 1) * LANES]
            for r in range(LANES):
                lanes[r] = some[r] if some[r] < lanes[r] else lanes[r]
    return _kth_least(least, near)


@kernel()
def _kth_least(numbers, near):
    """Return the k-th least number, inf when there are fewer; near : (k,) work space.

    It is the largest of the numbers that have fewer than k less ones.
    """
    kth, n_numbers = numbers.dtype.type(-np.inf), np.uint64(numbers.size)
    if near.size <= numbers.size <= FEW:
        n_less = np.zeros(numbers.size, dtype=np.uint32)
        for i in range(n_numbers):
            number = numbers[i]
            for r in range(n_numbers):
                n_less[r] += np.uint32(number < numbers[r])
        for i in range(n_numbers):
            if n_less[i] < near.size and numbers[i] > kth:
                kth = numbers[i]
        return kth
    near[:] = np.inf
    last = near.size - 1
    for number in numbers:
        if number < near[last]:
            k = last
            while k > 0 and number < near[k - 1]:
                near[k] = near[k - 1]
                k -= 1
            near[k] = number
    return near[last]


@kernel(part=True)
def _list_less(numbers, bound, found):
    """List the places of the numbers below a bound; their number. No branches.

    found : one place more than numbers.
    """
    n_found = 0
    for r in range(numbers.size):
        found[n_found] = r
        n_found += int(numbers[r] < bound)
    return n_found


@kernel(inline=True)
def share_of_ties(n_features):
    """Return the share of a distance by which tied ones may differ."""
    return max(TIE, 4.0 * ROUNDOFF_64 * (n_features + 8))


@kernel(part=True)
def _share_places(
    X, a, candidates, doubtful, order, n_left, squared, share, columns, places
):  # fmt: skip
    """Share n_left places among the doubtful candidates, by distance.

    Distances that agree up to rounding in double precision are tied.
    """
    distances = np.empty(doubtful.size)
    for i in range(doubtful.size):
        b = candidates[doubtful[i]]
        distances[i] = exact_distance(X, a, b, squared, columns)
    worst = _kth_least(distances, np.empty(n_left))
    rounding = share_of_ties(X.shape[1])
    below, above = worst * (1.0 - rounding), worst * (1.0 + rounding)
    tied, n_tied = np.empty(doubtful.size), 0
    for i in range(doubtful.size):
        if distances[i] < below:
            n_left -= 1
        elif distances[i] <= above:
            tied[n_tied] = order[candidates[doubtful[i]]]
            n_tied += 1
    last = _kth_least(tied[:n_tied], np.empty(n_left))
    for i in range(doubtful.size):
        if distances[i] < below:
            continue
        place = 0.0
        if distances[i] <= above and share:
            place = n_left / n_tied
        elif distances[i] <= above:
            place = 1.0 if order[candidates[doubtful[i]]] <= last else 0.0
        places[doubtful[i]] = place
