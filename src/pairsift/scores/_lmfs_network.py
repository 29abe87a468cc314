"""The network of LMFS: its error, its gradient, and the best output layer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from pairsift._typing import BoolArray, FloatArray, IndexArray
from pairsift.scores._projected_newton import (
    Minimum,
    minimise_projected,
    onto_l1_ball,
)

NEWTON_STEPS = 50
# Directions of the hidden layer that vary less than this beside the widest are flat.
FLAT = 1e-12


class OutputLayer(NamedTuple):
    """The best output layer for the outputs of a hidden one."""

    weights: FloatArray
    """(n_hidden, n_outputs), of a norm of at most the bound."""
    residuals: FloatArray
    """Output minus target, (n_samples, n_outputs)."""


def best_output(H: FloatArray, Y: FloatArray, bound: float) -> OutputLayer:
    """Minimise the squared error over the weights W with norm at most the bound.

    The constant is free. In the eigenvectors of the covariance of H, the multiplier of
    the bound is the root of a function of one number.
    """
    H, Y = H - H.mean(axis=0), Y - Y.mean(axis=0)
    values, vectors = np.linalg.eigh(H.T @ H / len(H))
    rotated = vectors.T @ (H.T @ Y / len(H))
    # All of the hidden layer may be constant: a number whose cube is one.
    values = np.maximum(values, max(FLAT * values[-1], 1e-100))
    energy = (rotated**2).sum(axis=1)
    multiplier = _multiplier(values, energy, bound)
    W = vectors @ (rotated / (values + multiplier)[:, None])
    return OutputLayer(W, H @ W - Y)


def _multiplier(values: FloatArray, energy: FloatArray, bound: float) -> float:
    """Return the smallest μ ≥ 0 for which ||W(μ)|| is at most the bound.

    Newton's method for 1 / ||W||, which is concave: from the left it never overshoots.
    """
    multiplier = 0.0
    for _ in range(NEWTON_STEPS):
        sums = values + multiplier
        norm = float(np.sqrt((energy / sums**2).sum()))
        if norm <= bound * (1.0 + 1e-14):
            break
        excess = (norm / bound - 1.0) * norm**2 / float((energy / sums**3).sum())
        if multiplier + excess == multiplier:
            break
        multiplier += excess
    return multiplier


@dataclass(frozen=True)
class Network:
    """One hidden layer of tanh, its weights Z bounded in L1, linear outputs W in L2.

    The weights of a layer are found for the best output layer that it can have, so that
    the error is a function of Z and the thresholds b of the hidden neurons alone.
    """

    X: FloatArray
    """Standardised, (n_samples, n_features)."""
    Y: FloatArray
    """Targets, (n_samples, n_outputs)."""
    n_hidden: int
    hidden_bound: float
    output_bound: float

    @property
    def n_weights(self) -> int:
        """Number of weights of the hidden layer, which come before its thresholds."""
        return self.X.shape[1] * self.n_hidden

    def groups(self, x: FloatArray) -> FloatArray:
        """Return the weights by feature, (n_features, n_hidden)."""
        return x[: self.n_weights].reshape(-1, self.n_hidden)

    def start(self, rng: np.random.Generator) -> FloatArray:
        """Draw weights that use half of the bound, as much for each feature."""
        x = rng.standard_normal(self.n_weights + self.n_hidden)
        weights = self.groups(x)
        share = 0.5 * self.hidden_bound / len(weights)
        weights *= (share / np.abs(weights).sum(axis=1))[:, None]
        return x

    def error(self, x: FloatArray) -> tuple[float, FloatArray]:
        """Return half the mean squared error, and its gradient.

        The output layer is the best there is, so that small changes of it change
        nothing: the gradient is that with the output layer as it is.
        """
        H = np.tanh(self.X @ self.groups(x) + x[self.n_weights :])
        layer = best_output(H, self.Y, self.output_bound)
        slopes = (layer.residuals @ layer.weights.T) * (1.0 - H * H) / len(H)
        value = 0.5 * float((layer.residuals**2).sum()) / len(H)
        return value, np.append((self.X.T @ slopes).ravel(), slopes.sum(axis=0))

    def outputs(self, x: FloatArray, X: FloatArray) -> FloatArray:
        """Return what the network says of other rows, (n_rows, n_outputs)."""
        Z, thresholds = self.groups(x), x[self.n_weights :]
        H = np.tanh(self.X @ Z + thresholds)
        W = best_output(H, self.Y, self.output_bound).weights
        constants = self.Y.mean(axis=0) - H.mean(axis=0) @ W
        return np.asarray(np.tanh(X @ Z + thresholds) @ W + constants)

    def project(self, x: FloatArray) -> FloatArray:
        """Return the nearest weights within the bound; thresholds are free."""
        weights = onto_l1_ball(x[: self.n_weights], self.hidden_bound)
        return np.append(weights, x[self.n_weights :])

    def train(self, x: FloatArray, *, max_iter: int, tol: float) -> Minimum:
        """Improve weights until the projected gradient is small."""
        return minimise_projected(
            self.error, self.project, x, max_iter=max_iter, tol=tol
        )

    def after_steps(self, x: FloatArray, numbers: Sequence[int]) -> list[FloatArray]:
        """Return the weights after each of these rising numbers of steps."""
        path: list[FloatArray] = [x]
        minimise_projected(
            *(self.error, self.project, x),
            max_iter=numbers[-1],
            tol=0.0,
            watch=path.append,
        )
        # At a minimum there are no further steps.
        return [path[min(number, len(path) - 1)] for number in numbers]

    def only(self, is_free: BoolArray) -> Network:
        """Return the network whose other features are held at zero: without them."""
        return replace(self, X=np.ascontiguousarray(self.X[:, is_free]))

    def on(self, rows: IndexArray) -> Network:
        """Return the network that is trained on some of the rows."""
        return replace(self, X=self.X[rows], Y=self.Y[rows])

    def only_weights(self, x: FloatArray, is_free: BoolArray) -> FloatArray:
        """Return what is left of weights when the other features are held at zero."""
        return np.append(self.groups(x)[is_free].ravel(), x[self.n_weights :])
