"""Squared errors of similarities against a target of ones and zeros (S20 eq. 33).

Similarities are powers of two, w_ij(F) = Π_f 2^-(k (x_if - x_jf))² with a factor k
that holds σ, so that one more feature is one more factor. Those of all pairs of rows
stand in one packed triangle W: row i holds the pairs with j < i. The target is 1 where
both rows have the same class.
"""

import math

import numpy as np

from pairsift._kernels._jit import N_BLOCKS, kernel, on_threads, sum_of_blocks
from pairsift._typing import BoolArray, FloatArray, IndexArray, PairArray

# Exponents are cut here, and what is left of similarities below TINY is 0: products
# stay clear of the denormal numbers, which are slow; the difference is below rounding.
MOST_64 = 433.0
TINY = 1e-150
# Adding this number rounds to an integer, which then stands in the last bits.
MAGIC_64 = 1.5 * 2.0**52
SHIFT_64 = np.int64(52)
# 2^-f = Σ (-f ln 2)^k / k!, within a unit in the last place for |f| ≤ ½.
TAYLOR = tuple((-math.log(2.0)) ** k / math.factorial(k) for k in range(13))
# A feature is near when all its exponents are within NEAR: data in [0, 1], σ ≥ 1. The
# series around the middle is then good enough as it is.
NEAR = 0.7215
MIDDLE = NEAR / 2
NEAR_TAYLOR = tuple(c * 2.0**-MIDDLE for c in TAYLOR[:12])
# Nanoseconds that a power takes, about.
POWER_COST = 2.0


def similarity_errors(
    columns: FloatArray,
    features: IndexArray,
    is_near: BoolArray,
    W: FloatArray,
    classes: IndexArray,
    factor: float,
    n_jobs: int | None = -1,
) -> FloatArray:
    """Σ_{i>j} (w_ij 2^-(k (x_i - x_j))² - [c_i = c_j])² for some features.

    columns : (d, n) a feature a row; features : (m,) some of them; is_near : (d,)
    whether no exponent of a feature is above NEAR; W : (n(n-1)/2,) packed triangle;
    classes : (n,); factor : k. Returns (m,).
    """

    def add(first, last, sums):
        _add_errors(columns, features, is_near, W, classes, factor, first, last, sums)

    cost = POWER_COST * W.size * features.size
    # One column more, because NumPy sums a single one in another order: errors have the
    # same bits whatever features are taken together.
    return sum_of_blocks(n_jobs, features.size + 1, add, cost=cost)[:-1]


def add_feature(
    x: FloatArray, factor: float, n_jobs: int | None, out: FloatArray
) -> None:
    """w_ij ← w_ij 2^-(k (x_i - x_j))² for all pairs; x : (n,), out : packed w."""

    def multiply(first, last):
        _multiply(x, factor, first, last, out)

    on_threads(n_jobs, N_BLOCKS, multiply, cost=POWER_COST * out.size)


def error_parts(
    W: FloatArray, classes: IndexArray, n_jobs: int | None = -1
) -> tuple[float, float]:
    """Σ a + b and max(a, b) over all pairs, a = w² and b = 2 w [c_i = c_j].

    The error of a feature is N₁ + Σ g² a - g b, N₁ pairs being of one class: the first
    number bounds what is left to be gained or lost.
    """
    largest = np.zeros(N_BLOCKS)

    def add(first, last, sums):
        _add_parts(W, classes, first, last, sums, largest)

    parts = sum_of_blocks(n_jobs, 1, add, cost=1.5 * W.size)
    return float(parts[0]), float(largest.max())


def pair_errors(
    X: FloatArray,
    pairs: PairArray,
    weights: FloatArray,
    targets: FloatArray,
    factor: float,
    n_jobs: int | None = -1,
) -> FloatArray:
    """Σ_p (w_p 2^-(k (x_a - x_b))² - t_p)² over pairs p = (a, b), for all features.

    X : (n, d); pairs : (p, 2) rows; weights, targets : (p,); factor : k. Returns (d,).
    """

    def add(first, last, sums):
        _add_pair_errors(X, pairs, weights, targets, factor, first, last, sums)

    cost = POWER_COST * len(pairs) * X.shape[1]
    return sum_of_blocks(n_jobs, X.shape[1], add, cost=cost)


@kernel(inline=True)
def power(y):
    """2^-y for y ≥ 0, cut at y = MOST_64; the same for NaN."""
    y = y if y < MOST_64 else MOST_64
    shifted = y + MAGIC_64
    f = y - (shifted - MAGIC_64)
    f2 = f * f
    f4 = f2 * f2
    c = TAYLOR
    low = (c[0] + c[1] * f) + (c[2] + c[3] * f) * f2
    mid = (c[4] + c[5] * f) + (c[6] + c[7] * f) * f2
    high = (c[8] + c[9] * f) + (c[10] + c[11] * f) * f2
    p = low + (mid + (high + c[12] * f4) * f4) * f4
    # The integer part is taken off the exponent of p.
    whole = np.float64(shifted).view(np.int64) << SHIFT_64
    return np.int64(np.float64(p).view(np.int64) - whole).view(np.float64)


@kernel(inline=True)
def near_power(y):
    """2^-y for 0 ≤ y ≤ NEAR."""
    f = y - MIDDLE
    f2 = f * f
    f4 = f2 * f2
    c = NEAR_TAYLOR
    low = (c[0] + c[1] * f) + (c[2] + c[3] * f) * f2
    mid = (c[4] + c[5] * f) + (c[6] + c[7] * f) * f2
    high = (c[8] + c[9] * f) + (c[10] + c[11] * f) * f2
    return low + (mid + high * f4) * f4


@kernel()
def _add_errors(columns, features, is_near, W, classes, factor, first, last, sums):
    n_samples = classes.size
    errors = np.empty(n_samples + (-n_samples) % 8)
    for m in range(features.size):
        x = columns[features[m]]
        for block in range(first, last):
            errors[:] = 0.0
            # Strided rows, because the triangle gives later rows more work.
            for i in range(block, n_samples, N_BLOCKS):
                row = W[i * (i - 1) // 2 : i * (i + 1) // 2]
                if is_near[features[m]]:
                    _add_near_row(x, i, row, classes, factor, errors)
                else:
                    _add_row(x, i, row, classes, factor, errors)
            sums[block, m] = total(errors)


@kernel()
def _add_row(x, i, w, classes, factor, errors):
    """Add the squared errors of the pairs of row i, each to the sum of its column."""
    x_i, c = x[i], classes[i]
    for j in range(w.size):
        delta = (x[j] - x_i) * factor
        target = 1.0 if classes[j] == c else 0.0
        error = w[j] * power(delta * delta) - target
        errors[j] += error * error


@kernel()
def _add_near_row(x, i, w, classes, factor, errors):
    """Add the squared errors of the pairs of row i, for a near feature."""
    x_i, c = x[i], classes[i]
    for j in range(w.size):
        delta = (x[j] - x_i) * factor
        target = 1.0 if classes[j] == c else 0.0
        error = w[j] * near_power(delta * delta) - target
        errors[j] += error * error


@kernel()
def total(values):
    """Sum in double precision, four sums side by side: one would wait for itself."""
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    for k in range(0, values.size, 4):
        s0 += values[k]
        s1 += values[k + 1]
        s2 += values[k + 2]
        s3 += values[k + 3]
    return (s0 + s2) + (s1 + s3)


@kernel()
def _multiply(x, factor, first, last, W):
    for block in range(first, last):
        for i in range(block, x.size, N_BLOCKS):
            w, x_i = W[i * (i - 1) // 2 : i * (i + 1) // 2], x[i]
            for j in range(w.size):
                delta = (x[j] - x_i) * factor
                product = w[j] * power(delta * delta)
                w[j] = product if product > TINY else 0.0


@kernel()
def _add_parts(W, classes, first, last, sums, largest):
    for block in range(first, last):
        parts, most = 0.0, 0.0
        for i in range(block, classes.size, N_BLOCKS):
            w, c = W[i * (i - 1) // 2 : i * (i + 1) // 2], classes[i]
            for j in range(w.size):
                a = w[j] * w[j]
                b = 2.0 * w[j] if classes[j] == c else 0.0
                parts += a + b
                most = max(most, max(a, b))
        sums[block, 0], largest[block] = parts, most


@kernel()
def _add_pair_errors(X, pairs, weights, targets, factor, first, last, sums):
    n_pairs = pairs.shape[0]
    for block in range(first, last):
        row = sums[block]
        for p in range(block * n_pairs // N_BLOCKS, (block + 1) * n_pairs // N_BLOCKS):
            w, target = weights[p], targets[p]
            a, b = X[pairs[p, 0]], X[pairs[p, 1]]
            for f in range(row.size):
                delta = (a[f] - b[f]) * factor
                error = w * power(delta * delta) - target
                row[f] += error * error
