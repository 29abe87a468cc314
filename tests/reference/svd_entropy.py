"""SVD entropy by its definition: a decomposition without each feature."""

import math

import numpy as np


def entropy(X):
    if min(X.shape) < 2:
        return 0.0
    squares = np.linalg.svd(X, compute_uv=False) ** 2
    if squares.sum() == 0:
        return 0.0
    shares = [v / squares.sum() for v in squares.tolist()]
    return -sum(v * math.log(v) for v in shares if v > 0) / math.log(len(shares))


def score(X, center=False):
    constant = [len(set(f)) == 1 for f in X.T.tolist()]
    if center:
        X = X - X.mean(axis=0)
    return [
        -math.inf if constant[f] else entropy(X) - entropy(np.delete(X, f, axis=1))
        for f in range(X.shape[1])
    ]
