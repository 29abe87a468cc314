"""Gradient steps of Simba-Sc, with neighbours in the weighted space."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairsift._kernels._jit import kernel, on_threads
from pairsift._kernels.relief._cells import ROUNDOFF_64, Cells, fill_differences
from pairsift._kernels.relief._encoded import ROUNDOFF_32
from pairsift._typing import FloatArray, PairArray

# Nanoseconds per cell for the neighbours of a row, about.
ROW_COST = 0.5
# Rough distances leave out weights up to this share of the largest one.
NEGLIGIBLE = 1e-10


class Block(NamedTuple):
    """All rows in single precision, for rough distances.

    values : (d, n), numeric columns scaled; least : (d,), what the difference to a
    missing value is at least.
    """

    values: NDArray[np.float32]
    least: NDArray[np.float32]


def simba_pass(
    cells: Cells,
    block: Block,
    pairs: PairArray,
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
        _pass(cells, block, part, step, symmetric, excludes_pair, weights)

    on_threads(1, len(pairs), go, cost=2.0 * ROW_COST * len(pairs) * cells.X.size)


def total_margin(
    cells: Cells,
    block: Block,
    pairs: PairArray,
    symmetric: bool,
    excludes_pair: bool,
    weights: FloatArray,
) -> float:
    """Σ ||x_n - H(x_m)||_w - ||x_n - H(x_n)||_w over the ordered pairs (n, m)."""
    n_samples, n_features = cells.X.shape
    ends, totals = np.unique(pairs), []
    nearest = np.empty(n_samples, dtype=np.int64)

    def find(first, last):
        _find_nearest(cells, block, ends[first:last], weights, nearest)

    def add(first, last):
        part, rules = pairs[first:last], (symmetric, excludes_pair)
        totals.append(_total(cells, block, part, nearest, *rules, weights))

    on_threads(1, ends.size, find, cost=ROW_COST * ends.size * cells.X.size)
    on_threads(1, len(pairs), add, cost=100.0 * pairs.size * n_features)
    return sum(totals)


def single_columns(cells: Cells) -> Block:
    """Prepare the rows for rough distances."""
    columns, least = cells.columns, np.zeros(cells.X.shape[1])
    if cells.missing.size > 0:
        # Ignored differences are 0 at least.
        one = np.nan_to_num(columns.one_missing).min(axis=0)
        of_known = np.where(columns.codes < 0, np.inf, one[columns.codes])
        both = np.nan_to_num(columns.both_missing).min(axis=(0, 1))
        least = np.minimum(of_known.min(axis=0), both)
    return Block(_scaled(cells), (least * (1.0 - ROUNDOFF_32)).astype(np.float32))


@kernel()
def _scaled(cells):
    """Return the values of a block."""
    X, columns = cells.X, cells.columns
    block = np.empty((X.shape[1], X.shape[0]), dtype=np.float32)
    offset, scale = columns.offset, columns.scale
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            scaled = (X[i, j] - offset[j]) * scale[j]
            block[j, i] = X[i, j] if columns.is_categorical[j] else scaled
    return block


@kernel()
def _pass(cells, block, pairs, step, symmetric, excludes_pair, weights):
    for p in range(pairs.shape[0]):
        n, m = pairs[p]
        other_n = _near_hit(cells, block, n, m, weights)
        other_m = _near_hit(cells, block, m, n, weights)
        own_n, own_m = other_n, other_m
        if not excludes_pair:
            own_n = _near_hit(cells, block, n, n, weights)
            own_m = _near_hit(cells, block, m, m, weights) if symmetric else -1
        rows = np.array([n, m, other_n, other_m, own_n, own_m])
        take_step(cells, rows, step, symmetric, weights)


@kernel()
def take_step(cells, rows, step, symmetric, weights):
    """Change the weights by the gradient of one pair.

    rows : n, m, their near-hits beside the other end, and beside themselves, -1 for
    none.
    """
    n, m, other_n, other_m, own_n, own_m = rows
    gradient, share = np.zeros(weights.size), 0.5 if symmetric else 1.0
    add_gradients(cells, n, other_m, own_n, weights, share, gradient)
    if symmetric:
        add_gradients(cells, m, other_n, own_m, weights, share, gradient)
    for f in range(weights.size):
        weights[f] += step * gradient[f] * weights[f]


@kernel()
def add_gradients(cells, a, other, own, weights, share, gradient):
    """Add the gradient of ||x_a - other||_w - ||x_a - own||_w; none if a hit lacks."""
    if other >= 0 and own >= 0:
        _add_gradient(cells, a, other, weights, share, gradient)
        _add_gradient(cells, a, own, weights, -share, gradient)


@kernel()
def _find_nearest(cells, block, rows, weights, nearest):
    """Fill in the row nearest to each of some rows."""
    for a in rows:
        nearest[a] = _near_hit(cells, block, a, a, weights)


@kernel()
def _total(cells, block, pairs, nearest, symmetric, excludes_pair, weights):
    """Sum margins, given nearest rows: a hit changes only where it is the partner."""
    total = 0.0
    for p in range(pairs.shape[0]):
        n, m = pairs[p]
        own_n, own_m = nearest[n], nearest[m]
        other_n, other_m = own_n, own_m
        if own_n == m:
            other_n = _near_hit(cells, block, n, m, weights)
        if own_m == n:
            other_m = _near_hit(cells, block, m, n, weights)
        if excludes_pair:
            own_n, own_m = other_n, other_m
        rows = np.array([n, m, other_n, other_m, own_n, own_m])
        total += margin_of(cells, rows, symmetric, weights)
    return total


@kernel()
def margin_of(cells, rows, symmetric, weights):
    """Return the margin of a pair, 0 if a near-hit lacks; rows : as in `take_step`."""
    n, m, other_n, other_m, own_n, own_m = rows
    if own_n < 0 or other_m < 0 or (symmetric and (own_m < 0 or other_n < 0)):
        return 0.0
    margin = norm_of(cells, n, other_m, weights) - norm_of(cells, n, own_n, weights)
    if symmetric:
        margin += norm_of(cells, m, other_n, weights)
        margin -= norm_of(cells, m, own_m, weights)
        margin *= 0.5
    return margin


@kernel()
def _near_hit(cells, block, a, partner, weights):
    """Row nearest to a that is neither a nor its partner; -1 when there is none."""
    excluded = np.array([a, partner])
    return nearest_one(cells, block, a, excluded, block.values.shape[1], weights)[0]


@kernel()
def nearest_one(cells, block, a, excluded, n_candidates, weights):
    """Return which of the first rows is nearest to a, and how near, see `nearest_of`.

    excluded : rows that are not, -1 for none.
    """
    rough = rough_distances(cells, block, a, weights)
    for b in excluded:
        if b >= 0:
            rough[b] = np.inf
    return nearest_of(cells, a, rough[:n_candidates], weights)


@kernel()
def nearest_of(cells, a, rough, weights):
    """Return the row nearest to a, the first of tied ones, and its squared distance.

    rough : of `rough_distances`, inf for rows that are none. Those that leave a chance
    to be the nearest are taken in double precision. Returns -1 and inf when there is
    none.
    """
    row, least, deltas = -1, np.inf, np.empty(weights.size)
    best, n_features = np.argmin(rough), weights.size
    if rough[best] == np.inf:
        return row, least
    # Rounding changes a sum of squares by no more than this, in units of the largest
    # weight; ties go to the smaller row.
    largest = max(np.abs(weights).max(), 1e-300)
    nearest = np.sqrt(_squared_distance(cells, a, best, weights, deltas)) / largest
    most = (nearest + 4.0 * ROUNDOFF_32 * n_features) ** 2
    most = np.float32(most * (1.0 + 2.0 * ROUNDOFF_32 * (n_features + 8)))
    below = 1.0 - 2.0 * ROUNDOFF_64 * (n_features + 8)
    for r in range(rough.size):
        if rough[r] <= most and rough[r] < np.inf:
            distance = _squared_distance(cells, a, r, weights, deltas)
            if distance < least * below:
                row, least = r, distance
    return row, least


@kernel()
def rough_distances(cells, block, a, weights):
    """Squared distances of row a to all rows, in units of the largest weight.

    Missing values count as little as they can, and columns of very small weights are
    left out, whose squares are slow denormal numbers: so distances are too small rather
    than too large.
    """
    n_features, n_samples = block.values.shape
    rough, nothing = np.zeros(n_samples, dtype=np.float32), np.float32(0.0)
    largest, is_categorical = np.abs(weights).max(), cells.columns.is_categorical
    for j in range(n_features):
        if abs(weights[j]) <= NEGLIGIBLE * largest:
            continue
        x, values = block.values[j, a], block.values[j]
        weight = np.float32(weights[j] / largest)
        step, missing = weight * weight, (weight * block.least[j]) ** 2
        if is_categorical[j]:
            for r in range(n_samples):
                delta = values[r] - x
                term = step if abs(delta) > nothing else nothing
                rough[r] += term if delta == delta else missing
        else:
            for r in range(n_samples):
                delta = weight * (values[r] - x)
                rough[r] += delta * delta if delta == delta else missing
    return rough


@kernel()
def _squared_distance(cells, a, b, weights, deltas):
    """||x_a - x_b||²_w, in which ignored differences are the mean of the others.

    Rows that share no known column are infinitely far.
    """
    total, n_ignored = _add_squares(cells, a, b, weights, deltas)
    if n_ignored == 0:
        return total
    n_varying = (cells.slopes > 0.0).sum()
    n_known = n_varying - n_ignored
    return total * n_varying / n_known if n_known > 0 else np.inf


@kernel()
def _add_squares(cells, a, b, weights, deltas):
    """Fill in Δ_f(a, b), 0 where ignored; return Σ (w_f Δ_f)² and how many are."""
    fill_differences(cells, a, b, False, deltas)
    total, n_ignored = 0.0, 0
    for f in range(deltas.size):
        is_known = deltas[f] == deltas[f]
        n_ignored += 0 if is_known else 1
        deltas[f] = deltas[f] if is_known else 0.0
        total += (deltas[f] * weights[f]) ** 2
    return total, n_ignored


@kernel()
def norm_of(cells, a, b, weights):
    """||x_a - x_b||_w, without ignored differences."""
    return np.sqrt(_add_squares(cells, a, b, weights, np.empty(weights.size))[0])


@kernel()
def _add_gradient(cells, a, b, weights, sign, gradient):
    """Add sign · Δ_f(a, b)² / ||x_a - x_b||_w; nothing when the norm is 0."""
    deltas = np.empty(weights.size)
    norm = np.sqrt(_add_squares(cells, a, b, weights, deltas)[0])
    if norm > 0.0:
        for f in range(weights.size):
            gradient[f] += sign * deltas[f] * deltas[f] / norm
