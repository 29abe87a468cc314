"""Graphs and Laplacian scores in plain loops (slow and obvious)."""

import math


def distance(a, b):
    return math.sqrt(sum((x - y) ** 2 for x, y in zip(a, b, strict=True)))


def kth_distance(X, n, k):
    others = sorted(distance(X[n], X[m]) for m in range(len(X)) if m != n)
    return others[min(k, len(others)) - 1]


def neighbors(X, n, k):
    """All rows as near as the k-th nearest, up to rounding."""
    most = kth_distance(X, n, k) * (1 + 1e-13)
    return [m for m in range(len(X)) if m != n and distance(X[n], X[m]) <= most]


def similarity(X, *, graph, k, epsilon=None, kernel, sigma):
    """Section 1.3.1 of the thesis."""
    n_rows = len(X)
    S = [[0.0] * n_rows for _ in range(n_rows)]
    if sigma == "auto":
        sigma = sum(kth_distance(X, n, k) for n in range(n_rows)) / n_rows
    for n in range(n_rows):
        for m in range(n_rows):
            if n != m and joined(X, n, m, graph, k, epsilon):
                S[n][m] = weight(X, n, m, kernel, sigma, k)
    return S


def joined(X, n, m, graph, k, epsilon):
    if graph == "full":
        return True
    if graph == "epsilon":
        return distance(X[n], X[m]) < epsilon
    near = [m in neighbors(X, n, k), n in neighbors(X, m, k)]
    return all(near) if graph == "mutual-knn" else any(near)


def weight(X, n, m, kernel, sigma, k):
    d = distance(X[n], X[m])
    if kernel == "binary":
        return 1.0
    if kernel == "cosine":
        norms = distance(X[n], [0] * len(X[n])) * distance(X[m], [0] * len(X[m]))
        dot = sum(x * y for x, y in zip(X[n], X[m], strict=True))
        return abs(dot) / norms if norms else 0.0
    if kernel == "inverse":
        return 1.0 / (d**2 / sigma**2 + 1.0)
    scale = sigma**2
    if kernel == "self-tuning":
        scale = kth_distance(X, n, k) * kth_distance(X, m, k)
    if scale == 0:
        return 1.0 if d == 0 else 0.0
    return math.exp(-(d**2) / (2 * scale))


def quadratic_form(S, f):
    n = range(len(f))
    return 0.5 * sum(S[i][j] * (f[i] - f[j]) ** 2 for i in n for j in n)


def laplacian_score(S, f):
    """Equations 1.25 and 1.26, negated."""
    degree = [sum(row) for row in S]
    mean = sum(d * x for d, x in zip(degree, f, strict=True)) / sum(degree)
    centred = [x - mean for x in f]
    spread = sum(d * x * x for d, x in zip(degree, centred, strict=True))
    return -quadratic_form(S, centred) / spread
