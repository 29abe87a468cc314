"""Squared errors of similarities against a target of ones and zeros (S20 eq. 33).

Similarities are powers of two, w_ij(F) = Π_f 2^-(k (x_if - x_jf))² with a factor k
that holds σ, so that one more feature is one more factor. Those of all pairs of rows
stand in one packed triangle W: row i holds the pairs with j < i. The target is 1 where
both rows have the same class.
"""

import math

import numpy as np

from pairsift._kernels._jit import N_BLOCKS, kernel, on_threads, sum_of_blocks
from pairsift._typing import FloatArray, IndexArray, PairArray

# Exponents are cut here, and what is left of similarities below TINY is 0: products
# stay clear of the denormal numbers, which are slow, and nobody sees the difference.
MOST_64 = 433.0
TINY = 1e-150
# Adding this number rounds to an integer, which then stands in the last bits.
MAGIC_64 = 1.5 * 2.0**52
SHIFT_64 = np.int64(52)
# 2^-f = Σ (-f ln 2)^k / k!, within a unit in the last place for |f| ≤ ½.
TAYLOR = tuple((-math.log(2.0)) ** k / math.factorial(k) for k in range(13))


def similarity_errors(
    columns: FloatArray,
    features: IndexArray,
    W: FloatArray,
    classes: IndexArray,
    factor: float,
    n_jobs: int | None = None,
) -> FloatArray:
    """Σ_{i>j} (w_ij 2^-(k (x_i - x_j))² - [c_i = c_j])² for some features.

    columns : (d, n) a feature a row; features : (m,) some of them; W : (n(n-1)/2,)
    packed triangle; classes : (n,); factor : k. Returns (m,).
    """

    def add(first, last, sums):
        _add_errors(columns, features, W, classes, factor, first, last, sums)

    return sum_of_blocks(n_jobs, features.size, add)


def add_feature(
    x: FloatArray, factor: float, n_jobs: int | None, out: FloatArray
) -> None:
    """w_ij ← w_ij 2^-(k (x_i - x_j))² for all pairs; x : (n,), out : packed w."""

    def multiply(first, last):
        _multiply(x, factor, first, last, out)

    on_threads(n_jobs, N_BLOCKS, multiply)


def error_parts(
    W: FloatArray, classes: IndexArray, n_jobs: int | None = None
) -> tuple[float, float]:
    """Σ a + b and max(a, b) over all pairs, a = w² and b = 2 w [c_i = c_j].

    The error of a feature is N₁ + Σ g² a - g b, N₁ pairs being of one class: the first
    number bounds what is left to be gained or lost.
    """
    largest = np.zeros(N_BLOCKS)

    def add(first, last, sums):
        _add_parts(W, classes, first, last, sums, largest)

    total = sum_of_blocks(n_jobs, 1, add)
    return float(total[0]), float(largest.max())


def pair_errors(
    X: FloatArray,
    pairs: PairArray,
    weights: FloatArray,
    targets: FloatArray,
    factor: float,
    n_jobs: int | None = None,
) -> FloatArray:
    """Σ_p (w_p 2^-(k (x_a - x_b))² - t_p)² over pairs p = (a, b), for all features.

    X : (n, d); pairs : (p, 2) rows; weights, targets : (p,); factor : k. Returns (d,).
    """

    def add(first, last, sums):
        _add_pair_errors(X, pairs, weights, targets, factor, first, last, sums)

    return sum_of_blocks(n_jobs, X.shape[1], add)


@kernel(inline=True)
def power(y):
    """2^-y for y ≥ 0, cut at y = MOST_64; the same for NaN."""
    y = y if y < MOST_64 else MOST_64
    shifted = y + MAGIC_64
    f = y - (shifted - MAGIC_64)
    f2 = f * f
    f4 = f2 * f2
    low = (TAYLOR[0] + TAYLOR[1] * f) + (TAYLOR[2] + TAYLOR[3] * f) * f2
    mid = (TAYLOR[4] + TAYLOR[5] * f) + (TAYLOR[6] + TAYLOR[7] * f) * f2
    high = (TAYLOR[8] + TAYLOR[9] * f) + (TAYLOR[10] + TAYLOR[11] * f) * f2
    p = low + (mid + (high + TAYLOR[12] * f4) * f4) * f4
    # The integer part is taken off the exponent of p.
    whole = np.float64(shifted).view(np.int64) << SHIFT_64
    return np.int64(np.float64(p).view(np.int64) - whole).view(np.float64)


@kernel()
def _add_errors(columns, features, W, classes, factor, first, last, sums):
    n_samples = classes.size
    errors = np.empty(n_samples + (-n_samples) % 8)
    for m in range(features.size):
        x = columns[features[m]]
        for block in range(first, last):
            errors[:] = 0.0
            # Strided rows, because the triangle gives later rows more work.
            for i in range(block, n_samples, N_BLOCKS):
                row = W[i * (i - 1) // 2 : i * (i + 1) // 2]
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
def total(values):
    """Sum in double precision, eight sums side by side: one would wait for itself."""
    sums = np.zeros(8)
    for start in range(0, values.size, 8):
        for k in range(8):
            sums[k] += values[start + k]
    return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + (
        (sums[2] + sums[6]) + (sums[3] + sums[7])
    )


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
