"""Sparse weights that make margins large: the program of logistic I-Relief, solved."""

from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.special import expit

from pairsift._typing import BoolArray, FloatArray, IndexArray

WORKING_SET = 100
"""Features that the solver starts with, beside those that have a weight."""
ROUNDING = 1e-13
MAX_STEPS = 500
PATIENCE = 20
"""Newton steps without any gain before a search ends."""


class Program(NamedTuple):
    """Minimise Σ w + α Σ_l log(1 + exp(-w'z_l)) + β Σ_u exp(-(w'z_u)² / ρ) for w ≥ 0.

    The rows are the margin vectors z, first those of labelled rows.
    """

    rows: FloatArray
    n_labelled: int
    alpha: float
    beta: float = 0.0
    rho: float = 1.0

    def only(self, features: IndexArray) -> "Program":
        """Return the program with the weights of all other features at 0."""
        return self._replace(rows=self.rows[:, features])

    def value(self, w: FloatArray) -> float:
        """Return what is minimised."""
        labelled, unlabelled = self._margins(w)
        cost = self.alpha * np.logaddexp(0.0, -labelled).sum()
        even = self.beta * np.exp(-(unlabelled**2) / self.rho).sum()
        return float(w.sum() + cost + even)

    def gradient(self, w: FloatArray) -> FloatArray:
        """Return its derivatives."""
        labelled, unlabelled = self._margins(w)
        even = np.exp(-(unlabelled**2) / self.rho)
        slopes = np.concatenate(
            [
                -self.alpha * expit(-labelled),
                -2.0 * self.beta / self.rho * unlabelled * even,
            ]
        )
        return 1.0 + slopes @ self.rows

    def curvature(self, w: FloatArray) -> FloatArray:
        """Return the second derivative along each margin."""
        labelled, unlabelled = self._margins(w)
        square = unlabelled**2 / self.rho
        return np.concatenate(
            [
                self.alpha * expit(labelled) * expit(-labelled),
                2.0 * self.beta / self.rho * (2.0 * square - 1.0) * np.exp(-square),
            ]
        )

    def _margins(self, w: FloatArray) -> tuple[FloatArray, FloatArray]:
        margins = self.rows @ w
        return margins[: self.n_labelled], margins[self.n_labelled :]


class _Progress:
    """Whether a descent still gains: a lower value or conditions that hold better.

    Where the program is hardly bent and not convex, slopes near rounding lead down in
    tiny steps for ever.
    """

    def __init__(self, patience: int) -> None:
        self.patience, self.waited = patience, 0
        self.value, self.residual = np.inf, np.inf

    def has_ended(self, value: float, residual: float) -> bool:
        """Take note of a step, and tell whether there were too many without a gain."""
        if residual < 0.9 * self.residual or value < self.value - 1e-14 * (
            1.0 + abs(self.value)
        ):
            self.waited = 0
            self.value, self.residual = value, min(residual, self.residual)
            return False
        self.waited += 1
        return self.waited >= self.patience


def minimise(program: Program, w: FloatArray) -> FloatArray:
    """Go down from w to a point where the gradient conditions hold.

    Newton's method on the features that have a weight and those with the steepest
    slopes, until no other feature wants one, or nothing is gained.
    """
    w, progress = w.copy(), _Progress(1)
    limit = ROUNDING * (1.0 + program.alpha * program.n_labelled)
    for _ in range(MAX_STEPS):
        gradient = program.gradient(w)
        residual = np.abs(w - np.maximum(w - gradient, 0.0))
        largest = float(residual.max())
        if largest <= limit or progress.has_ended(program.value(w), largest):
            break
        wanted = np.where(w > 0.0, np.inf, -gradient)
        size = min(w.size, max(WORKING_SET, 2 * int((w > 0.0).sum())))
        least = max(np.partition(wanted, w.size - size)[w.size - size], limit)
        features = np.flatnonzero(wanted >= least)
        before = w[features]
        w[features] = _newton(program.only(features), before, limit)
        if np.array_equal(w[features], before):
            break
    return w


def _newton(program: Program, w: FloatArray, limit: float) -> FloatArray:
    """Projected Newton steps on all features of the program."""
    value, progress = program.value(w), _Progress(PATIENCE)
    for _ in range(MAX_STEPS):
        gradient = program.gradient(w)
        residual = float(np.abs(w - np.maximum(w - gradient, 0.0)).max())
        if residual <= limit or progress.has_ended(value, residual):
            break
        # Weights about to be 0 must not bend the steps of the others.
        is_bound = (w <= min(residual, 1e-3)) & (gradient > 0.0)
        step = -gradient
        free, is_convex = ~is_bound, True
        if free.any():
            step[free], is_convex = _newton_step(program, w, gradient, free, residual)
        length = 1.0
        while True:
            new = np.maximum(w + length * step, 0.0)
            fall = float(gradient @ (new - w))
            new_value = program.value(new)
            if new_value <= value + 1e-4 * fall + 1e-15 * abs(value):
                break
            length *= 0.5
            if length < 1e-12:
                return w
        if not is_convex:
            new, new_value = _farther(program, w, new, new_value)
        if np.array_equal(new, w):
            break
        w, value = new, new_value
    return w


def _farther(
    program: Program, w: FloatArray, new: FloatArray, value: float
) -> tuple[FloatArray, float]:
    """Double a step as long as it leads down; steps taken as if convex are short."""
    for _ in range(60):
        longer = np.maximum(2.0 * new - w, 0.0)
        longer_value = program.value(longer)
        if longer_value > value + 1e-15 * abs(value) or np.array_equal(longer, new):
            break
        new, value = longer, longer_value
    return new, value


def _newton_step(
    program: Program,
    w: FloatArray,
    gradient: FloatArray,
    free: BoolArray,
    residual: float,
) -> tuple[FloatArray, bool]:
    """Solve for the step of the free weights, as if convex where it is not.

    Also tells whether it is.
    """
    rows = program.rows[:, free]
    curvature = program.curvature(w)

    def factor(curvature: FloatArray) -> Any:
        hessian = rows.T @ (curvature[:, None] * rows)
        diagonal = hessian.diagonal()
        # Steps in flat directions are long, not endless; what this gets wrong is gone
        # with the gradient.
        more = 1e-7 * float(np.abs(diagonal).max()) + 1e-3 * min(residual, 1.0)
        np.fill_diagonal(hessian, diagonal + more)
        return cho_factor(hessian)

    try:
        factored, is_convex = factor(curvature), True
    except LinAlgError:
        factored, is_convex = factor(np.maximum(curvature, 0.0)), False
    return np.asarray(-cho_solve(factored, gradient[free])), is_convex
