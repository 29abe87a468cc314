"""Columns rebuilt from other columns: least squares with weights that sum to 1."""

from typing import Any

import numpy as np

from pairsift._kernels._jit import kernel, on_threads
from pairsift._typing import FloatArray

# A column this near to the span of others, in squared length, is in it.
DEPENDENT = 1e-12
# Below this, whether it is has to be asked again, free of rounding.
NEARLY_DEPENDENT = 1e-5
# For -1 as a literal, what it is handed to would be compiled once more.
NO_PLACE: Any = np.int64(-1)


def rebuild(
    gram: FloatArray,
    first: int,
    last: int,
    penalty: float,
    is_signed: bool,
    most: int,
    tol: float,
    n_jobs: int | None = -1,
) -> tuple[FloatArray, FloatArray]:
    """Weights by which the columns first, ..., last - 1 are rebuilt from all others.

    With b = A_i, each minimises ½ |b - X s|² + penalty |s|₁ over 1's = 1 and s_i = 0,
    and over s >= 0 unless signed. It is an active-set method: the column with the
    largest violation enters, columns whose weight would change sign leave, and between
    the two the minimum over the columns in the set is solved for. Ties go to the
    smaller index.

    gram : (d, d) X'X, in which X ends in a constant row: columns then depend on one
    another only by weights that sum to 1; penalty : at least 0; most : number of
    columns that can be independent; tol : gap at which to stop.

    Returns weights (last - first, d) and the gaps (last - first,): by how much the
    objective can at most be lowered.
    """
    weights = np.zeros((last - first, len(gram)))
    gaps = np.empty(last - first)

    def fill(start, stop):
        for row in range(start, stop):
            gaps[row] = _rebuild_one(
                gram, first + row, penalty, is_signed, most, tol, weights[row]
            )

    on_threads(n_jobs, last - first, fill, cost=0.03 * weights.size * most**2)
    return weights, gaps


@kernel()
def _rebuild_one(gram, i, penalty, is_signed, most, tol, s):
    n_columns = len(gram)
    members = np.empty(most + 1, dtype=np.int64)
    signs = np.ones(most + 1)
    inverse = np.empty((min(most + 1, 32), min(most + 1, 32)))
    correlations = np.empty(n_columns)
    members[0] = _nearest(gram, i)
    inverse[0, 0] = 1.0 / gram[members[0], members[0]]
    s[members[0]] = 1.0
    k = np.int64(1)  # as a literal it would have what is called compiled twice
    best = np.inf
    kept = s.copy()
    # Every step lowers the objective; the bound is for those lost in rounding.
    for _ in range(20 * (most + 5)):
        _correlate(gram, i, members[:k], s, correlations)
        gap = _gap(gram, i, correlations, s, penalty, is_signed)
        if gap < best:
            best = gap
            _copy(s, kept)
        if gap <= tol or k > most:
            break
        level = 0.0
        for p in range(k):
            level += (correlations[members[p]] - penalty * signs[p]) / k
        j, sign = _entering(correlations, s, i, level, penalty, is_signed)
        if j < 0:
            break
        signs[k] = sign
        if k == len(inverse):
            larger = np.empty((2 * k, 2 * k))
            for p in range(k):
                _copy(inverse[p], larger[p])
            inverse = larger
        k = _enter(gram, members, signs, inverse, k, j, s)
        if k < 0:
            break
        k = _descend(gram, i, members, signs, inverse, k, penalty, s)
        if k < 0:
            break
    _copy(kept, s)
    return best


@kernel(inline=True)
def _copy(source, target):
    """Set target[:] = source; that line takes Numba seconds to compile."""
    for j in range(source.size):
        target[j] = source[j]


@kernel()
def _nearest(gram, i):
    nearest, least = -1, np.inf
    for j in range(len(gram)):
        distance = gram[j, j] - 2.0 * gram[i, j]
        if j != i and distance < least:
            nearest, least = j, distance
    return nearest


@kernel()
def _correlate(gram, i, members, s, correlations):
    """X'(b - X s), four columns of weights at a time."""
    _copy(gram[i], correlations)
    k = len(members)
    for p in range(0, k - k % 4, 4):
        m0, m1, m2, m3 = members[p], members[p + 1], members[p + 2], members[p + 3]
        s0, s1, s2, s3 = s[m0], s[m1], s[m2], s[m3]
        g0, g1, g2, g3 = gram[m0], gram[m1], gram[m2], gram[m3]
        for j in range(correlations.size):
            correlations[j] -= (s0 * g0[j] + s1 * g1[j]) + (s2 * g2[j] + s3 * g3[j])
    for p in range(k - k % 4, k):
        weight, g = s[members[p]], gram[members[p]]
        for j in range(correlations.size):
            correlations[j] -= weight * g[j]


@kernel()
def _gap(gram, i, correlations, s, penalty, is_signed):
    """Objective at s less that of the dual at the residual, scaled to be feasible."""
    largest, smallest, along, norm = -np.inf, np.inf, 0.0, 0.0
    for j in range(s.size):
        if j != i:
            largest = max(largest, correlations[j])
            smallest = min(smallest, correlations[j])
            along += correlations[j] * s[j]
            norm += abs(s[j])
    share, left = 1.0, 0.0
    if is_signed and largest - smallest > 2.0 * penalty:
        share = 2.0 * penalty / (largest - smallest)
        # |b - X s|² = b'(b - X s) - (X s)'(b - X s)
        left = max(correlations[i] - along, 0.0)
    gap = share * (largest - along) + penalty * (norm - 1.0)
    return max(gap + 0.5 * (1.0 - share) ** 2 * left, 0.0)


@kernel()
def _entering(correlations, s, i, level, penalty, is_signed):
    """Find the column outside that lowers the objective fastest, or -1."""
    entering, sign, most = -1, 1.0, 0.0
    for j in range(s.size):
        if j == i or s[j] != 0.0:
            continue
        up = correlations[j] - level - penalty
        if up > most:
            entering, sign, most = j, 1.0, up
        down = level - penalty - correlations[j]
        if is_signed and down > most:
            entering, sign, most = j, -1.0, down
    return entering, sign


@kernel()
def _enter(gram, members, signs, inverse, k, j, s):
    """Add a column, whose sign stands behind the others', to the set and the inverse.

    A column in the span of the set (it sums to 1) first takes over weight from the
    others, which leaves b - X s as it is and lowers |s|₁, until one of them is used up.
    Returns the new size of the set, or -1 when rounding leaves no way.
    """
    sign = signs[k]
    while True:
        t, apart = _project(gram, members, inverse, k, j)
        if apart < NEARLY_DEPENDENT * gram[j, j]:
            apart = _correct(gram, members, inverse, k, j, t)
            if apart < 0.0:
                _renew(gram, members, inverse, k)
                t, apart = _project(gram, members, inverse, k, j)
        if apart > DEPENDENT * gram[j, j]:
            break
        step, leaving = np.inf, NO_PLACE
        for p in range(k):
            if sign * signs[p] * t[p] > DEPENDENT:
                ratio = abs(s[members[p]] / t[p])
                if ratio < step:
                    step, leaving = ratio, p
        lowered = 1.0
        for p in range(k):
            lowered -= sign * signs[p] * t[p]
        if leaving < 0 or lowered >= 0.0 or k == 1:
            return -1
        for p in range(k):
            s[members[p]] -= sign * step * t[p]
        s[j] += sign * step
        s[members[leaving]] = 0.0
        _remove(members, signs, inverse, k, leaving)
        k -= 1
    _border(inverse, k, t, apart)
    members[k] = j
    signs[k] = sign
    return k + 1


@kernel()
def _project(gram, members, inverse, k, j):
    """Weights of column j in the span of the set, and the square of what is left."""
    t = _times(inverse, k, gram[j], members)
    apart = gram[j, j]
    for p in range(k):
        apart -= t[p] * gram[j, members[p]]
    return t, apart


@kernel()
def _correct(gram, members, inverse, k, j, t):
    """Correct the rounding in the weights of column j; return what is left again.

    Returns -1 when the inverse is not good enough for that.
    """
    places = np.arange(k)
    for _ in range(3):
        left = _members_times(gram, members, k, t)
        for p in range(k):
            left[p] = gram[j, members[p]] - left[p]
        change = _times(inverse, k, left, places)
        t += change
        size = np.abs(change).max()
        if size <= 1e-14:
            break
    if not size <= 1e-10 * max(1.0, np.abs(t).max()):
        return -1.0
    apart = gram[j, j]
    for p in range(k):
        apart -= t[p] * gram[j, members[p]]
    return max(apart, 0.0)


@kernel()
def _members_times(gram, members, k, vector):
    """Multiply the products of the columns in the set by a vector."""
    product = np.zeros(k)
    for p in range(k):
        factor, g = vector[p], gram[members[p]]
        for q in range(k):
            product[q] += factor * g[members[q]]
    return product


@kernel()
def _border(inverse, k, t, apart):
    """Add a row and a column to the inverse."""
    for p in range(k):
        factor, row = t[p] / apart, inverse[p]
        for q in range(k):
            row[q] += factor * t[q]
        inverse[p, k] = -factor
        inverse[k, p] = -factor
    inverse[k, k] = 1.0 / apart


@kernel()
def _renew(gram, members, inverse, k):
    """Compute the inverse anew, free of what rounding did to it in many steps."""
    for p in range(k):
        j = members[p]
        t, apart = _project(gram, members, inverse, p, j)
        _border(inverse, p, t, max(apart, 1e-15 * gram[j, j]))


@kernel()
def _remove(members, signs, inverse, k, leaving):
    """Take a column out of the set and the inverse; the last takes its place."""
    last = k - 1
    for q in range(k):
        swapped = inverse[leaving, q]
        inverse[leaving, q] = inverse[last, q]
        inverse[last, q] = swapped
    for q in range(k):
        swapped = inverse[q, leaving]
        inverse[q, leaving] = inverse[q, last]
        inverse[q, last] = swapped
    for p in range(last):
        factor = inverse[p, last] / inverse[last, last]
        for q in range(last):
            inverse[p, q] -= factor * inverse[last, q]
    members[leaving] = members[last]
    signs[leaving] = signs[last]


@kernel()
def _descend(gram, i, members, signs, inverse, k, penalty, s):
    """Go to the minimum over the set; columns whose weights change sign leave it.

    Returns the new size of the set, or -1 when rounding leaves no way.
    """
    entered = members[k - 1]
    started = s[entered] != 0.0
    while True:
        target = _minimum(gram, i, members, signs, inverse, k, penalty)
        step, leaving = 1.0, NO_PLACE
        for p in range(k):
            if signs[p] * target[p] <= 0.0:
                now = s[members[p]]
                ratio = now / (now - target[p]) if now != 0.0 else 0.0
                if ratio < step or leaving < 0:
                    step, leaving = ratio, p
        is_stuck = leaving >= 0 and members[leaving] == entered and not started
        if is_stuck or (leaving >= 0 and k == 1):
            return -1
        for p in range(k):
            m = members[p]
            s[m] = target[p] if leaving < 0 else s[m] + step * (target[p] - s[m])
        if leaving < 0:
            return k
        started = started or step > 0.0
        s[members[leaving]] = 0.0
        _remove(members, signs, inverse, k, leaving)
        k -= 1
        # What does not move and must not cross is as good as out.
        for p in range(k):
            if signs[p] * s[members[p]] < 0.0:
                s[members[p]] = 0.0


@kernel()
def _minimum(gram, i, members, signs, inverse, k, penalty):
    """Minimise over weights of any sign that sum to 1."""
    ones = np.ones(k)
    toward = np.empty(k)
    places = np.arange(k)
    for p in range(k):
        toward[p] = gram[i, members[p]] - penalty * signs[p]
    target = np.zeros(k)
    for trial in range(2):
        flat = _times(inverse, k, ones, places)
        target[:] = 0.0
        level = 0.0
        # The first round solves, the others correct the rounding.
        for _ in range(4):
            left = toward + level - _members_times(gram, members, k, target)
            change = _times(inverse, k, left, places)
            shift = (1.0 - target.sum() - change.sum()) / flat.sum()
            change += shift * flat
            target += change
            level += shift
            size = np.abs(change).max()
            if size <= 1e-14:
                break
        if size <= 1e-10 or trial == 1:
            break
        _renew(gram, members, inverse, k)
    return target


@kernel()
def _times(inverse, k, vector, places):
    """Multiply the inverse by the entries of a vector at some places."""
    product = np.zeros(k)
    for p in range(k):
        factor, row = vector[places[p]], inverse[p]
        for q in range(k):
            product[q] += factor * row[q]
    return product
