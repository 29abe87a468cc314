"""Differences of pairs, and the sparse logistic model that is fitted to them."""

import numpy as np

from pairsift._kernels._jit import kernel, number_of_blocks, on_threads, sum_of_blocks
from pairsift._kernels.relief._cells import difference, missing_delta, slopes_of
from pairsift._kernels.relief._columns import Columns
from pairsift._typing import FloatArray, IndexArray, PairArray

MAX_STEPS = 200
MAX_EPOCHS = 1_000
# Values are sums over all pairs: near the minimum a step changes less than rounding.
ROUNDING = 1e-12


def pair_differences(
    X: FloatArray,
    pairs: PairArray,
    features: IndexArray,
    columns: Columns,
    n_jobs: int | None = -1,
) -> FloatArray:
    """Return Δ of the pairs on some features, shape (n_features, n_pairs).

    A difference to be ignored is 0.
    """
    table, slopes = np.empty((features.size, len(pairs))), slopes_of(columns)

    def fill(first, last):
        _fill(X, pairs, features[first:last], slopes, columns, table[first:last])

    on_threads(n_jobs, features.size, fill, cost=2.0 * table.size)
    return table


def sum_of_differences(
    X: FloatArray,
    pairs: PairArray,
    weights: FloatArray,
    columns: Columns,
    n_jobs: int | None = -1,
) -> FloatArray:
    """Return Σ weight · Δ over the pairs, for every feature."""
    n_blocks = number_of_blocks(len(pairs))
    is_plain = not columns.is_categorical.any() and not columns.codes.size
    add, slopes = _add_plain if is_plain else _add_any, slopes_of(columns)

    def add_blocks(first, last, sums):
        for block in range(first, last):
            start = block * len(pairs) // n_blocks
            stop = (block + 1) * len(pairs) // n_blocks
            part = slice(start, stop)
            add(X, pairs[part], weights[part], slopes, columns, sums[block])

    cost = 1.0 * len(pairs) * X.shape[1]
    return sum_of_blocks(n_jobs, X.shape[1], add_blocks, n_blocks, cost=cost)


@kernel(inline=True)
def _delta(X, a, b, f, slope, columns):
    """Δ_f of two rows, 0 where it is ignored."""
    delta = X[a, f] - X[b, f]
    if delta == delta:
        return difference(delta, slope, None, False)
    row, other = (a, b) if np.isnan(X[a, f]) else (b, a)
    delta = missing_delta(columns, row, other, f)
    return delta if delta == delta else 0.0


@kernel()
def _fill(X, pairs, features, slopes, columns, table):
    for row in range(features.size):
        j = features[row]
        for i in range(len(pairs)):
            table[row, i] = _delta(X, pairs[i, 0], pairs[i, 1], j, slopes[j], columns)


@kernel()
def _add_plain(X, pairs, weights, slopes, columns, sums):
    for i in range(len(pairs)):
        weight, a, b = weights[i], X[pairs[i, 0]], X[pairs[i, 1]]
        for j in range(sums.size):
            sums[j] += weight * abs(a[j] - b[j])
    for j in range(sums.size):
        sums[j] *= slopes[j]


@kernel()
def _add_any(X, pairs, weights, slopes, columns, sums):
    for i in range(len(pairs)):
        a, b = pairs[i]
        for j in range(sums.size):
            sums[j] += weights[i] * _delta(X, a, b, j, slopes[j], columns)


@kernel()
def fit_pairs(D, sign, share, penalty, limit, w, intercept):
    """Minimise Σ share · log(1 + exp(-sign · z)) + penalty Σ w over w ≥ 0.

    Here z = intercept - w D; D : (m, p), one row per feature; `w` is the start and, in
    the end, the result.

    Newton's method: each step minimises the second-order model, with the intercept
    eliminated, by descending along one weight after the other.

    Returns
    -------
    intercept : float
    slope : (p,), share · sign · P(wrong); minus the derivative by z.
    gap : float, how far the minimum on these features can be below, at most.
    """
    z = -np.dot(w, D)
    intercept, slope = _set_intercept(z, sign, share, intercept)
    value = _value(z + intercept, sign, share) + penalty * w.sum()
    gap = np.inf
    for _ in range(MAX_STEPS):
        gradient = np.dot(D, slope)
        gap = value - lower_bound(slope, sign, share, gradient, penalty)
        if gap <= limit:
            break
        curvature = slope * (share - slope * sign) * sign / share
        # The others stay at 0 in this step, if not in the next.
        moving = np.flatnonzero((w > 0.0) | (gradient < -penalty))
        if moving.size == 0:
            # All weights are 0 and stay so, whatever rounding leaves of the gap.
            break
        found = _model_step(
            D[moving], curvature, gradient[moving], penalty, limit, w[moving]
        )
        # Numba takes seconds to compile that an array is set to another.
        step = np.zeros(w.size)
        for k in range(moving.size):
            step[moving[k]] = found[k]
        length, is_lower = 1.0, False
        while length > 1e-10 and not is_lower:
            new_w = np.maximum(w + length * step, 0.0)
            z = -np.dot(new_w, D)
            new_intercept, new_slope = _set_intercept(z, sign, share, intercept)
            new_value = _value(z + new_intercept, sign, share) + penalty * new_w.sum()
            is_lower = new_value <= value + ROUNDING
            length *= 0.5
        if not is_lower:
            break
        for j in range(w.size):
            w[j] = new_w[j]
        intercept, slope, value = new_intercept, new_slope, new_value
    return intercept, slope, gap


@kernel()
def _value(z, sign, share):
    total = 0.0
    for i in range(z.size):
        margin = sign[i] * z[i]
        total += share[i] * (np.log1p(np.exp(-abs(margin))) - min(margin, 0.0))
    return total


@kernel()
def _set_intercept(z, sign, share, start):
    """Return the best intercept, and the slopes there; they add up to 0.

    The sum of slopes falls with the intercept, and is 0 where the mean of
    σ(z + intercept) is the share of "same": the log-odds of this share are between the
    extremes of z + intercept. Newton's steps are kept within these bounds; where one
    does not halve the sum, the next halves the distance of the bounds.
    """
    same, total_share = 0.0, 0.0
    for i in range(z.size):
        total_share += share[i]
        if sign[i] > 0.0:
            same += share[i]
    odds = np.log(same / (total_share - same))
    # A bit wider, because these are rounded themselves.
    width = 1e-9 * (1.0 + abs(odds) + np.abs(z).max())
    low, high = odds - z.max() - width, odds - z.min() + width
    intercept = min(max(start, low), high)
    slope = np.empty(z.size)
    before = np.inf
    while True:
        total, bend = 0.0, 0.0
        for i in range(z.size):
            margin = sign[i] * (z[i] + intercept)
            smaller = np.exp(-abs(margin))
            wrong = (smaller if margin > 0.0 else 1.0) / (1.0 + smaller)
            slope[i] = share[i] * sign[i] * wrong
            total += slope[i]
            bend += share[i] * wrong * (1.0 - wrong)
        if abs(total) <= 1e-15:
            break
        if total > 0.0:
            low = intercept
        else:
            high = intercept
        new = intercept + total / bend if bend > 0.0 else np.inf
        if new == intercept:
            break
        if abs(total) > 0.5 * before or not low < new < high:
            new = 0.5 * (low + high)
        if not low < new < high:
            break
        intercept, before = new, abs(total)
    return intercept, slope


@kernel()
def lower_bound(slope, sign, share, gradient, penalty):
    """Return a number that the minimum cannot be below: the dual objective.

    Slopes that add up to 0 make a dual point; they are shrunk until no gradient is
    steeper than the penalty.
    """
    steepest = 0.0
    for j in range(gradient.size):
        steepest = max(steepest, -gradient[j])
    shrink = min(1.0, penalty / steepest) if steepest > 0.0 else 1.0
    bound = 0.0
    for i in range(slope.size):
        u = shrink * slope[i] * sign[i] / share[i]
        if 0.0 < u < 1.0:
            bound -= share[i] * (u * np.log(u) + (1.0 - u) * np.log1p(-u))
    return bound


@kernel()
def _model_step(D, curvature, gradient, penalty, limit, w):
    """Minimise the second-order model over w + step ≥ 0, the intercept following.

    Second derivatives in single precision: only the way depends on them, not the goal.
    """
    m, p = D.shape
    total = max(curvature.sum(), 1e-300)
    root = np.sqrt(curvature)
    bent = np.empty((m, p), dtype=np.float32)
    for j in range(m):
        row = D[j]
        mean = np.dot(row, curvature) / total
        for i in range(p):
            bent[j, i] = np.float32(root[i] * (row[i] - mean))
    A = np.dot(bent, bent.T)
    diagonal = np.empty(m)
    for j in range(m):
        diagonal[j] = A[j, j]
    # Copies of a feature make the model flat: a hair keeps the step short.
    diagonal += 1e-6 * diagonal.max() + 1e-300
    slope = gradient.copy()
    new = w.copy()
    first = 0.0
    for epoch in range(MAX_EPOCHS):
        fall = 0.0
        for j in range(m):
            old = new[j]
            pull = slope[j] + (diagonal[j] - A[j, j]) * (old - w[j]) + penalty
            target = max(0.0, old - pull / diagonal[j])
            if target == old:
                continue
            delta = target - old
            new[j] = target
            fall += diagonal[j] * delta * delta
            row = A[j]
            for k in range(m):
                slope[k] += delta * row[k]
        if epoch == 0:
            first = fall
        if fall <= 1e-6 * first or fall <= 1e-12 * limit:
            break
    return new - w
