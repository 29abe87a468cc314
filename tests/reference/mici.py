"""Feature clustering by the compression index, rounds as in Mitra et al. 2002."""

import numpy as np


def index(f, g):
    """Smaller eigenvalue of the covariance matrix of two features."""
    return max(float(np.linalg.eigvalsh(np.cov([f, g], bias=True))[0]), 0.0)


def cluster(columns, k):
    """Retained features, {discarded: (representative, distance)} and epsilon."""
    retained = [j for j, f in enumerate(columns) if len(set(f)) > 1]
    k, epsilon, discarded = min(k, len(retained) - 1), None, {}
    while k >= 1:
        near = {
            i: sorted((index(columns[i], columns[j]), j) for j in retained if j != i)
            for i in retained
        }
        radius = {i: near[i][k - 1][0] if len(near[i]) >= k else np.inf for i in near}
        total = {i: sum(distance for distance, _ in near[i]) for i in near}
        smallest = min(radius.values())
        if epsilon is None:
            epsilon = smallest
        if smallest > epsilon * (1 + 1e-9) + 1e-14:
            k -= 1
            continue
        best = min(
            retained, key=lambda i: (round(radius[i], 10), round(total[i], 10), i)
        )
        for distance, j in near[best][:k]:
            discarded[j] = (best, distance)
            retained.remove(j)
    return retained, discarded, epsilon or 0.0


def score(columns, k):
    retained, discarded, epsilon = cluster(columns, k)
    scores = [-np.inf] * len(columns)
    for j, (_, distance) in discarded.items():
        scores[j] = distance
    for i in retained:
        others = [index(columns[i], columns[j]) for j in retained if j != i]
        scores[i] = min(others) if others else np.var(columns[i]) + epsilon
    return scores
