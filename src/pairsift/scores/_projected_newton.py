"""Minimise a smooth function over a set on which points are easy to project."""

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from pairsift._typing import FloatArray

# Steps from which the curvature is known, and inner steps per outer one: where the
# function is a sum over all rows, inner steps cost nothing beside outer ones.
MEMORY = 20
INNER_STEPS = 10
# Share of the decrease that the slope promises which a step must have (Armijo).
SUFFICIENT = 1e-4
SHORTEST = 1e-10

Function = Callable[[FloatArray], tuple[float, FloatArray]]
Projection = Callable[[FloatArray], FloatArray]


class Minimum(NamedTuple):
    """Where a search ended."""

    x: FloatArray
    value: float
    optimality: float
    """Largest change of a coordinate in a projected gradient step of length 1."""
    n_iter: int
    values: FloatArray
    """Of the function before the first step and after each, (n_iter + 1,)."""


def minimise_projected(
    function: Function,
    project: Projection,
    x: FloatArray,
    *,
    max_iter: int,
    tol: float,
    watch: Callable[[FloatArray], object] | None = None,
) -> Minimum:
    """Take projected quasi-Newton steps until no step leads down (PQN).

    M. Schmidt et al., "Optimizing costly functions with simple constraints", 2009. Each
    step minimises a quadratic model, with curvature from the last steps (L-BFGS), over
    the set, and is halved until the function decreases enough: values never rise.

    function : value and gradient. project : the nearest point of the set, which is
    convex. x : where to start, a point of the set. watch : is given each point that a
    step leads to.
    """
    value, gradient = function(x)
    curvature = _Curvature()
    values = [value]
    optimality = np.inf
    for n_iter in range(max_iter + 1):
        optimality = float(np.abs(project(x - gradient) - x).max())
        if optimality <= tol or n_iter == max_iter:
            break
        step = curvature.model_step(project, x, gradient)
        found = _go_down(function, x, value, gradient, step)
        if found is None and curvature.steps:
            # The model was wrong: begin anew with the gradient.
            curvature = _Curvature()
            step = curvature.model_step(project, x, gradient)
            found = _go_down(function, x, value, gradient, step)
        if found is None:
            break
        new, new_value, new_gradient = found
        curvature.learn(new - x, new_gradient - gradient)
        x, value, gradient = new, new_value, new_gradient
        values.append(value)
        if watch is not None:
            watch(x)
    return Minimum(x, value, optimality, len(values) - 1, np.array(values))


def _go_down(
    function: Function,
    x: FloatArray,
    value: float,
    gradient: FloatArray,
    step: FloatArray,
) -> tuple[FloatArray, float, FloatArray] | None:
    """Shorten a step until it leads down far enough, None if none does."""
    slope = float(gradient @ step)
    length = 1.0
    while slope < 0.0 and length > SHORTEST:
        new = x + length * step
        new_value, new_gradient = function(new)
        if new_value <= value + SUFFICIENT * length * slope:
            return new, new_value, new_gradient
        # Minimum of the parabola through what is known, neither too short nor long.
        bend = new_value - value - length * slope
        best = -0.5 * length**2 * slope / bend if np.isfinite(bend) else 0.0
        length = min(max(best, 0.1 * length), 0.5 * length)
    return None


class _Curvature:
    """The matrix of L-BFGS in compact form, B = σI - N M⁻¹ Nᵀ."""

    def __init__(self) -> None:
        self.steps: deque[FloatArray] = deque(maxlen=MEMORY)
        self.bends: deque[FloatArray] = deque(maxlen=MEMORY)
        self.scale = 0.0

    def learn(self, step: FloatArray, bend: FloatArray) -> None:
        """Add what a step taught, unless the function bends down along it."""
        product = float(step @ bend)
        if product <= 1e-10 * float(np.linalg.norm(step) * np.linalg.norm(bend)):
            return
        self.steps.append(step)
        self.bends.append(bend)
        self.scale = float(bend @ bend) / product
        S, Y = np.array(self.steps), np.array(self.bends)
        SY = S @ Y.T
        lower = np.tril(SY, -1)
        middle = np.block(
            [[self.scale * (S @ S.T), lower], [lower.T, -np.diag(np.diag(SY))]]
        )
        self.thin = np.vstack([self.scale * S, Y])
        self.inverse = np.linalg.pinv(middle)

    def times(self, v: FloatArray) -> FloatArray:
        """Return Bv."""
        return self.scale * v - self.thin.T @ (self.inverse @ (self.thin @ v))

    def model_step(
        self, project: Projection, x: FloatArray, gradient: FloatArray
    ) -> FloatArray:
        """Return a step that leads to a low point of the model on the set.

        Spectral projected gradient steps with exact line search. Nothing known of the
        curvature, the step is one along the gradient.
        """
        if not self.steps:
            size = max(1.0, float(np.abs(gradient).sum()))
            return project(x - gradient / size) - x
        length = 1.0 / self.scale
        at = project(x - length * gradient)
        slope = gradient + self.times(at - x)
        for _ in range(INNER_STEPS):
            step = project(at - length * slope) - at
            if not step.any():
                break
            bent = self.times(step)
            bend = float(step @ bent)
            along = -float(step @ slope)
            if bend <= 0.0 or along <= 0.0:
                break
            share = min(1.0, along / bend)
            at = at + share * step
            slope = slope + share * bent
            length = float(step @ step) / bend
        return at - x


def onto_l1_ball(v: FloatArray, radius: float) -> FloatArray:
    """Return the nearest point whose absolute values add up to at most the radius."""
    sizes = np.abs(v)
    if sizes.sum() <= radius:
        return v
    falling = np.sort(sizes)[::-1]
    excess = (np.cumsum(falling) - radius) / np.arange(1, v.size + 1)
    # At least one: beside large numbers a tiny radius is lost in rounding.
    n_kept = max(1, int(np.count_nonzero(falling > excess)))
    threshold = excess[n_kept - 1]
    return np.asarray(np.sign(v) * np.maximum(sizes - threshold, 0.0))
