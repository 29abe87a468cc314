"""The sparse pair model in plain loops, minimised by SciPy (slow)."""

import math

import numpy as np
from scipy.optimize import minimize


def differences(delta, pairs, n_features):
    """Δ of every pair on every feature; 0 where a difference is to be ignored."""
    table = []
    for a, b in pairs:
        row = [delta(a, b, f) for f in range(n_features)]
        table.append([0.0 if math.isnan(value) else value for value in row])
    return table


def objective(v, table, signs, shares, penalty):
    """Σ s log(1 + exp(-t (β - w·Δ))) + λ Σ w and its derivatives; v = (w, β)."""
    *w, intercept = v
    value = penalty * sum(w)
    gradient = [penalty] * len(w) + [0.0]
    for row, sign, share in zip(table, signs, shares, strict=True):
        odds = intercept - sum(x * y for x, y in zip(w, row, strict=True))
        margin = sign * odds
        value += share * (
            math.log1p(math.exp(-abs(margin))) + (abs(margin) - margin) / 2
        )
        wrong = (
            1.0 / (1.0 + math.exp(margin))
            if margin < 0
            else math.exp(-margin) / (1.0 + math.exp(-margin))
        )
        for f, difference in enumerate(row):
            gradient[f] += share * sign * wrong * difference
        gradient[-1] -= share * sign * wrong
    return value, np.array(gradient)


def weights(n_must, n_cannot):
    """Both kinds have the total weight one half."""
    signs = [1.0] * n_must + [-1.0] * n_cannot
    return signs, [0.5 / n_must] * n_must + [0.5 / n_cannot] * n_cannot


def largest_penalty(table, signs, shares):
    """The smallest penalty at which no weight wants to leave 0."""
    start = np.zeros(len(table[0]) + 1)
    return max(-objective(start, table, signs, shares, 0.0)[1][:-1])


def minimum(table, signs, shares, penalty):
    """The smallest value of the objective, by L-BFGS-B with bounds."""
    n_features = len(table[0])
    result = minimize(
        objective,
        np.zeros(n_features + 1),
        args=(table, signs, shares, penalty),
        jac=True,
        method="L-BFGS-B",
        bounds=[(0.0, None)] * n_features + [(None, None)],
        options={"maxiter": 10_000, "maxfun": 50_000, "ftol": 1e-15, "gtol": 1e-9},
    )
    return result.fun
