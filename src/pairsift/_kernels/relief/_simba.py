"""Gradient steps of Simba-Sc, with neighbours in the weighted space."""

import numpy as np

from pairsift._kernels._jit import kernel, on_threads
from pairsift._kernels.relief._cells import ROUNDOFF_64
from pairsift._kernels.relief._columns import (
    Columns,
    known_difference,
    missing_difference,
)
from pairsift._kernels.relief._encoded import ROUNDOFF_32
from pairsift._typing import FloatArray, PairArray

# Nanoseconds per cell for the neighbours of a row, about.
ROW_COST = 0.5
# Rough distances leave out weights up to this share of the largest one.
NEGLIGIBLE = 1e-10


def simba_pass(
    X: FloatArray,
    block: FloatArray,
    pairs: PairArray,
    columns: Columns,
    step: float,
    symmetric: bool,
    excludes_pair: bool,
    weights: FloatArray,
) -> None:
    """One pass over ordered cannot-links (n, m) in the order given, changing `weights`.

    w_f += step · w_f [ Δ_f(x_n, H(x_m))² / ||x_n - H(x_m)||_w
                        - Δ_f(x_n, H(x_n))² / ||x_n - H(x_n)||_w ]

    with the mean over (n, m) and (m, n) in place of the bracket when `symmetric`;
    excludes_pair : H(x_n) is neither n nor m, not only not n; H(x_m) is neither ever;
    block : what `single_columns` returns.
    """

    def go(first, last):
        part = pairs[first:last]
        _pass(X, block, part, columns, step, symmetric, excludes_pair, weights)

    on_threads(1, len(pairs), go, cost=2.0 * ROW_COST * len(pairs) * X.size)


def total_margin(
    X: FloatArray,
    block: FloatArray,
    pairs: PairArray,
    columns: Columns,
    symmetric: bool,
    excludes_pair: bool,
    weights: FloatArray,
) -> float:
    """Σ ||x_n - H(x_m)||_w - ||x_n - H(x_n)||_w over the ordered pairs (n, m)."""
    ends, totals = np.unique(pairs), []
    nearest = np.empty(len(X), dtype=np.int64)

    def find(first, last):
        _find_nearest(X, block, ends[first:last], columns, weights, nearest)

    def add(first, last):
        part = pairs[first:last]
        rules = symmetric, excludes_pair
        totals.append(_total(X, block, part, nearest, columns, *rules, weights))

    on_threads(1, ends.size, find, cost=ROW_COST * ends.size * X.size)
    on_threads(1, len(pairs), add, cost=100.0 * pairs.size * X.shape[1])
    return sum(totals)


@kernel()
def single_columns(X, columns):
    """Return all rows in single precision, (d, n), numeric columns scaled."""
    block = np.empty((X.shape[1], X.shape[0]), dtype=np.float32)
    offset, scale = columns.offset, columns.scale
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            scaled = (X[i, j] - offset[j]) * scale[j]
            block[j, i] = X[i, j] if columns.is_categorical[j] else scaled
    return block


@kernel()
def _pass(X, block, pairs, columns, step, symmetric, excludes_pair, weights):
    for p in range(pairs.shape[0]):
        n, m = pairs[p]
        other_n = _near_hit(X, block, n, m, columns, weights)
        other_m = _near_hit(X, block, m, n, columns, weights)
        own_n, own_m = other_n, other_m
        if not excludes_pair:
            own_n = _near_hit(X, block, n, n, columns, weights)
            own_m = _near_hit(X, block, m, m, columns, weights) if symmetric else -1
        rows = np.array([n, m, other_n, other_m, own_n, own_m])
        take_step(X, rows, columns, step, symmetric, weights)


@kernel()
def take_step(X, rows, columns, step, symmetric, weights):
    """Change the weights by the gradient of one pair.

    rows : n, m, their near-hits beside the other end, and beside themselves, -1 for
    none.
    """
    n, m, other_n, other_m, own_n, own_m = rows
    gradient, share = np.zeros(weights.size), 0.5 if symmetric else 1.0
    _add_gradients(X, n, other_m, own_n, columns, weights, share, gradient)
    if symmetric:
        _add_gradients(X, m, other_n, own_m, columns, weights, share, gradient)
    for f in range(weights.size):
        weights[f] += step * gradient[f] * weights[f]


@kernel()
def _add_gradients(X, a, other, own, columns, weights, share, gradient):
    """Add the gradient of ||x_a - other||_w - ||x_a - own||_w; none if a hit lacks."""
    if other >= 0 and own >= 0:
        _add_gradient(X, a, other, columns, weights, share, gradient)
        _add_gradient(X, a, own, columns, weights, -share, gradient)


@kernel()
def _find_nearest(X, block, rows, columns, weights, nearest):
    """Fill in the row nearest to each of some rows."""
    for a in rows:
        nearest[a] = _near_hit(X, block, a, a, columns, weights)


@kernel()
def _total(X, block, pairs, nearest, columns, symmetric, excludes_pair, weights):
    """Sum margins, given nearest rows: a hit changes only where it is the partner."""
    total = 0.0
    for p in range(pairs.shape[0]):
        n, m = pairs[p]
        own_n, own_m = nearest[n], nearest[m]
        other_n, other_m = own_n, own_m
        if own_n == m:
            other_n = _near_hit(X, block, n, m, columns, weights)
        if own_m == n:
            other_m = _near_hit(X, block, m, n, columns, weights)
        if excludes_pair:
            own_n, own_m = other_n, other_m
        rows = np.array([n, m, other_n, other_m, own_n, own_m])
        total += margin_of(X, rows, columns, symmetric, weights)
    return total


@kernel()
def margin_of(X, rows, columns, symmetric, weights):
    """Return the margin of a pair, 0 if a near-hit lacks; rows : as in `take_step`."""
    n, m, other_n, other_m, own_n, own_m = rows
    if own_n < 0 or other_m < 0 or (symmetric and (own_m < 0 or other_n < 0)):
        return 0.0
    deltas = np.empty(weights.size)
    margin = _differences(X, n, other_m, columns, weights, deltas)
    margin -= _differences(X, n, own_n, columns, weights, deltas)
    if symmetric:
        margin += _differences(X, m, other_n, columns, weights, deltas)
        margin -= _differences(X, m, own_m, columns, weights, deltas)
        margin *= 0.5
    return margin


@kernel()
def _near_hit(X, block, a, partner, columns, weights):
    """Row nearest to a that is neither a nor its partner; -1 when there is none."""
    excluded = np.array([a, partner])
    return nearest_one(X, block, a, excluded, len(X), columns, weights)[0]


@kernel()
def nearest_one(X, block, a, excluded, n_samples, columns, weights):
    """Return which of the first n_samples rows is nearest to a, and how near.

    excluded : rows that are not, -1 for none. Returns -1 and inf when there is none.
    Distances are taken in single precision, and again in double precision where they
    leave a chance to be the nearest or depend on missing values; their squares are
    returned.
    """
    n_features = block.shape[0]
    row, distance = np.full(1, -1), np.full(1, np.inf)
    rough = _rough_distances(block, a, columns.is_categorical, weights)
    for b in excluded:
        if b >= 0:
            rough[b] = np.inf
    best, least = 0, np.float32(np.inf)
    for r in range(n_samples):
        if rough[r] < least:
            best, least = r, rough[r]
    first = np.array([best])
    keep_nearest(X, a, first, excluded, columns, weights, True, row, distance)
    # As in `_refine`: rounding changes a sum of squares by no more than this.
    slack = 4.0 * ROUNDOFF_32 * n_features * np.abs(weights).max()
    most = (np.sqrt(distance[0]) + slack) ** 2
    most = np.float32(most * (1.0 + 2.0 * ROUNDOFF_32 * (n_features + 8)))
    candidates, n_found = np.empty(n_samples, dtype=np.int64), 0
    for r in range(n_samples):
        candidates[n_found] = r
        n_found += 0 if rough[r] > most else 1
    # From the start, so that ties go to the smaller row.
    row[0], distance[0] = -1, np.inf
    candidates = candidates[:n_found]
    keep_nearest(X, a, candidates, excluded, columns, weights, True, row, distance)
    return row[0], distance[0]


@kernel()
def _rough_distances(block, a, is_categorical, weights):
    """Squared distances of row a to all rows; NaN where a cell is missing.

    Without columns of very small weights, whose squares are slow denormal numbers: so
    distances are too small rather than too large.
    """
    n_features, n_samples = block.shape
    rough = np.zeros(n_samples, dtype=np.float32)
    negligible = NEGLIGIBLE * np.abs(weights).max()
    for j in range(n_features):
        if abs(weights[j]) <= negligible:
            continue
        x, weight, values = block[j, a], np.float32(weights[j]), block[j]
        if is_categorical[j]:
            step = weight * weight
            for r in range(n_samples):
                delta = values[r] - x
                rough[r] += step if abs(delta) > np.float32(0.0) else delta
        else:
            for r in range(n_samples):
                delta = weight * (values[r] - x)
                rough[r] += delta * delta
    return rough


@kernel()
def _differences(X, a, b, columns, weights, deltas):
    """Fill in Δ_f(a, b), 0 where it is ignored, and return ||x_a - x_b||_w."""
    scale, is_categorical = columns.scale, columns.is_categorical
    total = 0.0
    for f in range(deltas.size):
        delta = abs(X[a, f] - X[b, f])
        if np.isnan(delta):
            delta = missing_difference(X, a, b, f, columns)
        else:
            delta = known_difference(delta, is_categorical[f], scale[f])
        deltas[f] = 0.0 if np.isnan(delta) else delta
        total += (deltas[f] * weights[f]) ** 2
    return np.sqrt(total)


@kernel()
def _add_gradient(X, a, b, columns, weights, sign, gradient):
    """Add sign · Δ_f(a, b)² / ||x_a - x_b||_w; nothing when the norm is 0."""
    deltas = np.empty(weights.size)
    norm = _differences(X, a, b, columns, weights, deltas)
    if norm > 0.0:
        for f in range(weights.size):
            gradient[f] += sign * deltas[f] * deltas[f] / norm


@kernel()
def keep_nearest(
    X, a, candidates, excluded, columns, weights, squared, rows, distances
):
    """Insert the candidates, in ascending order, into the table of row a.

    Distances are summed in the order of the columns. Ignored differences are replaced
    by the mean of the others that vary; rows that share none are infinitely far.
    """
    scale, is_categorical, n_features = (
        columns.scale,
        columns.is_categorical,
        X.shape[1],
    )
    # A sum of d non-negative terms is wrong by at most about d units in the last place.
    below = 1.0 - 2.0 * ROUNDOFF_64 * (n_features + 8)
    last, n_varying = rows.size - 1, (scale > 0.0).sum()
    for c in range(candidates.size):
        b = candidates[c]
        total, n_ignored, j = 0.0, 0, 0
        worst = distances[last] * below
        # No term is negative, and ignored ones only make the sum larger.
        while j < n_features and total < worst:
            delta = abs(X[a, j] - X[b, j])
            if np.isnan(delta):
                delta = missing_difference(X, a, b, j, columns)
            else:
                delta = known_difference(delta, is_categorical[j], scale[j])
            delta *= weights[j]
            n_ignored += 1 if np.isnan(delta) else 0
            term = delta * delta if squared else delta
            total += 0.0 if np.isnan(delta) else term
            j += 1
        if n_ignored > 0:
            n_known = n_varying - n_ignored
            total = total * n_varying / n_known if n_known > 0 else np.inf
        if not total < worst:
            continue
        is_excluded = False
        for e in range(excluded.size):
            is_excluded |= excluded[e] == b
        if is_excluded:
            continue
        k = last
        while k > 0 and total < distances[k - 1] * below:
            rows[k], distances[k] = rows[k - 1], distances[k - 1]
            k -= 1
        rows[k], distances[k] = b, total
