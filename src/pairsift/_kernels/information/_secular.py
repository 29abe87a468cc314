"""Eigenvalues after a rank-one change, from those before."""

import numpy as np

from pairsift._kernels._jit import kernel, on_threads
from pairsift._typing import FloatArray

MAX_STEPS = 200


def downdated_entropies(
    values: FloatArray, vectors: FloatArray, n_jobs: int | None = -1
) -> FloatArray:
    """Entropy of the eigenvalues of diag(values) - z z', for every z.

    The eigenvalues are the roots of 1 - Σ_j z_j² / (λ_j - μ), one between any two
    neighbouring λ and one below the smallest, not below 0.

    values : (m,) λ, ascending, not negative; vectors : (d, m), the z.

    Returns (d,) -Σ V log V of the shares V = μ / Σ μ, 0 where all μ are 0.
    """
    entropies = np.empty(len(vectors))
    squares = np.ascontiguousarray(vectors) ** 2

    def fill(first, last):
        _fill_entropies(values, squares[first:last], entropies[first:last])

    on_threads(n_jobs, len(vectors), fill, cost=10.0 * squares.size * values.size)
    return entropies


@kernel()
def _fill_entropies(values, squares, entropies):
    m = len(values)
    tolerance = 1e-15 * values[m - 1]
    for f in range(len(squares)):
        total, weighted = 0.0, 0.0
        for j in range(m):
            root = _root(values, squares[f], j, tolerance)
            if root > 0.0:
                total += root
                weighted += root * np.log(root)
        entropies[f] = np.log(total) - weighted / total if total > 0.0 else 0.0


@kernel()
def _root(values, squares, j, tolerance):
    """Find the root between λ_{j-1}, or 0, and λ_j, by a model with two poles."""
    low = values[j - 1] if j > 0 else 0.0
    high = values[j]
    left, right = low, high
    x = 0.5 * (low + high)
    for _ in range(MAX_STEPS):
        if high - low <= tolerance or x <= low or x >= high:
            break
        below, below_slope, above, above_slope = 0.0, 0.0, 0.0, 0.0
        for i in range(j):
            term = 1.0 / (values[i] - x)
            below += squares[i] * term
            below_slope += squares[i] * term * term
        for i in range(j, len(values)):
            term = 1.0 / (values[i] - x)
            above += squares[i] * term
            above_slope += squares[i] * term * term
        g = 1.0 - below - above
        # g falls from +inf to -inf.
        if g > 0.0:
            low = x
        else:
            high = x
        step = _model_step(g, below_slope, above_slope, left - x, right - x)
        if abs(step) <= tolerance:
            return x + step if low < x + step < high else x
        x += step
        if not low < x < high:
            x = 0.5 * (low + high)
    return 0.5 * (low + high)


@kernel(inline=True)
def _model_step(g, below_slope, above_slope, to_left, to_right):
    """Step to the root of c - s/(left - x) - r/(right - x), which fits g and slopes."""
    s = below_slope * to_left * to_left
    r = above_slope * to_right * to_right
    if s == 0.0:
        c = g + r / to_right
        return to_right - r / c if c != 0.0 else np.inf
    c = g + s / to_left + r / to_right
    b = c * (to_left + to_right) - s - r
    product = to_left * to_right * g
    root = np.sqrt(max(b * b - 4.0 * c * product, 0.0))
    if b < 0.0:
        return 2.0 * product / (b - root)
    return (b + root) / (2.0 * c) if c != 0.0 else np.inf
