"""SPEC by its definition, on matrices with all eigenvectors (slow and obvious)."""

import math

import numpy as np


def label_similarity(labels):
    """1/n_l for two rows of class l, themselves included; labelled rows only."""
    rows = [c for c in labels if c >= 0]
    return [[(a == b) / rows.count(a) for b in rows] for a in rows]


def score(S, f, style, k=None):
    degree = [sum(row) for row in S]
    nodes = [i for i in range(len(f)) if degree[i] > 0]
    f = [f[i] for i in nodes]
    root = [math.sqrt(degree[i]) for i in nodes]
    if len(set(f)) == 1:
        return 0.0 if style == 3 else -math.inf
    n = range(len(nodes))
    L = np.array(
        [[(i == j) - S[nodes[i]][nodes[j]] / (root[i] * root[j]) for j in n] for i in n]
    )
    f_hat = unit([root[i] * f[i] for i in n])
    trivial = dot(f_hat, unit(root)) ** 2
    values, vectors = np.linalg.eigh(L)
    parts = [dot(f_hat, vectors[:, j].tolist()) ** 2 for j in n]
    phi1 = sum(v * part for v, part in zip(values.tolist(), parts, strict=True))
    if style == 1:
        return -phi1
    if style == 2:
        return -phi1 / (1 - trivial)
    return smooth_part(values.tolist(), parts, trivial, min(k, len(nodes)) - 1)


def smooth_part(values, parts, trivial, n_places):
    """Σ (2 - λ) α² over the first places; an eigenspace that is cut is shared."""
    total, is_first = 0.0, True
    while values and n_places > 0:
        n_tied = sum(value <= values[0] + 1e-9 for value in values)
        part = sum(parts[:n_tied]) - (trivial if is_first else 0.0)
        size = n_tied - is_first
        if size:
            total += (2 - values[0]) * part * min(n_places / size, 1.0)
        n_places -= size
        values, parts, is_first = values[n_tied:], parts[n_tied:], False
    return total


def unit(v):
    return [x / math.sqrt(dot(v, v)) for x in v]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))
