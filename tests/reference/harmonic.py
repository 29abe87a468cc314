"""Labels spread by random walks, in plain loops (Coelho 2013, 3.12 and 3.13)."""

import math

from tests.reference.prototypes import squared_distance


def width(X):
    """λ²: twice the squared mean distance to the fifth neighbour, or the last."""
    distances = []
    for i, x in enumerate(X):
        others = sorted(squared_distance(x, z) for j, z in enumerate(X) if j != i)
        distances.append(math.sqrt(others[min(5, len(others)) - 1]))
    return 2 * (sum(distances) / len(X)) ** 2


def probabilities(X, labels, bandwidth=None, n_steps=3000):
    """Let every unlabelled row take the mean of all others, again and again."""
    n, classes = range(len(X)), range(max(labels) + 1)
    lambda_2 = width(X) if bandwidth is None else bandwidth**2
    W = [
        [math.exp(-squared_distance(X[i], X[j]) / lambda_2) * (i != j) for j in n]
        for i in n
    ]
    f = [[float(labels[i] == c) for c in classes] for i in n]
    for _ in range(n_steps):
        for i in n:
            if labels[i] < 0:
                total = sum(W[i])
                f[i] = [sum(W[i][j] * f[j][c] for j in n) / total for c in classes]
    return f


def confidence(f):
    """|f - 0.5| / 0.5 for two classes."""
    if len(f) == 2:
        return abs(f[0] - 0.5) / 0.5
    return (max(f) - 1 / len(f)) / (1 - 1 / len(f))
