"""Stability of a selection by its published formulas, in plain loops."""

import math


def stability_and_variance(supports):
    """Definition 4 of Nogueira, Sechidis and Brown (2018), and its variance."""
    n_runs, n_features = len(supports), len(supports[0])
    share = [
        sum(supports[i][f] for i in range(n_runs)) / n_runs for f in range(n_features)
    ]
    numbers = [sum(row) for row in supports]
    k = sum(numbers) / n_runs
    chance = k / n_features * (1 - k / n_features)
    spread = 0.0
    for p in share:
        spread += n_runs / (n_runs - 1) * p * (1 - p)
    phi = 1 - spread / n_features / chance
    parts = []
    for i in range(n_runs):
        together = sum(supports[i][f] * share[f] for f in range(n_features))
        part = together / n_features - numbers[i] * k / n_features**2
        part += (
            phi
            / 2
            * (
                2 * k * numbers[i] / n_features**2
                - numbers[i] / n_features
                - k / n_features
                + 1
            )
        )
        parts.append(part / chance)
    mean = math.fsum(parts) / n_runs
    variance = 4 / n_runs**2 * sum((part - mean) ** 2 for part in parts)
    return phi, variance
