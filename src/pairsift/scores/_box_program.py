"""The dual problem of support vector machines with a bias, by an inner-point method."""

from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from pairsift._typing import FloatArray

# Optimality conditions hold to this, in units of the margin.
TOLERANCE = 1e-9
MAX_STEPS = 100
# Each step aims at this share of what the conditions lack, and stops before a bound.
AIM = 0.1
SHORT_OF_BOUND = 0.99


class Multipliers(NamedTuple):
    """Solution of the dual problem."""

    alpha: FloatArray
    """(n,) from 0 to the cost."""
    bias: float


class _Point(NamedTuple):
    """Inside of the bounds: shares a of the cost, and multipliers of the bounds."""

    a: FloatArray
    bias: float
    lower: FloatArray
    upper: FloatArray


def solve_machine(K: FloatArray, signs: FloatArray, cost: float) -> Multipliers:
    """Minimise ½ αᵀQα - Σα with Q = ssᵀK, 0 <= α <= cost and Σ sα = 0.

    Newton steps on the conditions Qα - 1 + bs - z + t = 0, zα = μ and
    t(cost - α) = μ, with ever smaller μ.
    """
    Q = cost * signs[:, None] * K * signs
    n = len(K)
    point = _Point(np.full(n, 0.5), 0.0, np.ones(n), np.ones(n))
    for _ in range(MAX_STEPS):
        a, bias, lower, upper = point
        slope = Q @ a - 1.0 + bias * signs - lower + upper
        lack = float(lower @ a + upper @ (1.0 - a)) / (2 * n)
        if max(np.abs(slope).max(), lack, abs(signs @ a)) <= TOLERANCE:
            break
        try:
            point = _step(Q, signs, point, slope, AIM * lack)
        except LinAlgError:
            # Bounds are so near that rounding decides: nothing better can be had.
            break
    return Multipliers(cost * point.a, point.bias)


def _step(
    Q: FloatArray, signs: FloatArray, point: _Point, slope: FloatArray, mu: float
) -> _Point:
    a, bias, lower, upper = point
    room = 1.0 - a
    factor = cho_factor(Q + np.diag(lower / a + upper / room))
    right = -slope + (mu / a - lower) - (mu / room - upper)
    moved, turned = cho_solve(factor, np.column_stack([right, signs])).T
    d_bias = (signs @ moved + signs @ a) / (signs @ turned)
    d_a = moved - d_bias * turned
    d_lower = mu / a - lower - lower / a * d_a
    d_upper = mu / room - upper + upper / room * d_a
    length = 1.0
    for value, change in ((a, d_a), (room, -d_a), (lower, d_lower), (upper, d_upper)):
        falls = change < 0.0
        most = (-value[falls] / change[falls]).min(initial=np.inf)
        length = min(length, SHORT_OF_BOUND * float(most))
    return _Point(
        a + length * d_a,
        bias + length * float(d_bias),
        lower + length * d_lower,
        upper + length * d_upper,
    )
