"""The program of SCGS term by term, and one coordinate at a time (slow and obvious)."""

import math

import numpy as np


def quadratic(X, labels, S, must_link, cannot_link, beta, gamma):
    """A and C of the objective ½ tr W'AW - tr W'C + constant + penalty."""
    d = X.shape[1]
    classes = sorted({c for c in labels if c >= 0})
    rows = [i for i, c in enumerate(labels) if c >= 0]
    A, C = np.zeros((d, d)), np.zeros((d, len(classes)))
    mean = sum(X[i] for i in rows) / len(rows)
    for i in rows:
        A += np.outer(X[i] - mean, X[i] - mean) / len(rows)
        for column, c in enumerate(classes):
            C[:, column] += (labels[i] == c) * (X[i] - mean) / len(rows)
    centres = []
    for c in classes:
        members = [X[i] for i in rows if labels[i] == c]
        centres.append(sum(members) / len(members))
    origin = sum(centres) / len(centres)
    n_pairs = len(must_link) + len(cannot_link)
    for i, j in must_link:
        A += beta / n_pairs * np.outer(X[i] - X[j], X[i] - X[j])
    for i, j in cannot_link:
        both = X[i] + X[j] - 2 * origin
        A += beta / n_pairs * np.outer(both, both)
    if S is not None:
        n = range(len(X))
        edges = [(i, j) for i in n for j in n if i < j and S[i][j] > 0]
        total = sum(S[i][j] for i, j in edges)
        for i, j in edges:
            A += gamma * S[i][j] / total * np.outer(X[i] - X[j], X[i] - X[j])
    return A, C


def all_pairs(labels):
    n = range(len(labels))
    known = [(i, j) for i in n for j in n if i < j and min(labels[i], labels[j]) >= 0]
    must = [(i, j) for i, j in known if labels[i] == labels[j]]
    return must, [pair for pair in known if pair not in must]


def solve(A, C, penalty, threshold, n_sweeps=3000):
    """Coordinate descent: each feature's weights in turn, the others fixed."""
    W = np.zeros_like(C)
    for _ in range(n_sweeps):
        for j in range(len(W)):
            if A[j, j] == 0:
                continue
            rest = C[j] - A[j] @ W + A[j, j] * W[j]
            if penalty == "l1":
                shrunk = [math.copysign(max(abs(x) - threshold, 0.0), x) for x in rest]
                W[j] = np.array(shrunk) / A[j, j]
            else:
                norm = math.sqrt(sum(x * x for x in rest))
                scale = max(1 - threshold / norm, 0.0) if norm > 0 else 0.0
                W[j] = scale * rest / A[j, j]
    return W


def objective(A, C, W, penalty, threshold):
    smooth = 0.5 * np.trace(W.T @ A @ W) - np.trace(W.T @ C)
    if penalty == "l1":
        return smooth + threshold * sum(abs(x) for x in W.ravel().tolist())
    return smooth + threshold * sum(math.sqrt(row @ row) for row in W)


def largest_threshold(C, penalty):
    """The smallest penalty at which all weights are 0."""
    if penalty == "l1":
        return max(abs(x) for x in C.ravel().tolist())
    return max(math.sqrt(row @ row) for row in C)


def violation(A, C, W, penalty, threshold):
    """How far the best subgradient is from 0, relative to the threshold."""
    worst = 0.0
    G = A @ W - C
    for g, w in zip(G, W, strict=True):
        if penalty == "l1":
            for x, v in zip(g, w, strict=True):
                off = x + math.copysign(threshold, v) if v else abs(x) - threshold
                worst = max(worst, abs(off) if v else off)
        elif w.any():
            worst = max(worst, np.linalg.norm(g + threshold * w / np.linalg.norm(w)))
        else:
            worst = max(worst, np.linalg.norm(g) - threshold)
    return worst / threshold
