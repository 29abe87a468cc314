"""Clusters of features by information in plain loops (slow), from Coelho 2013, 3.14.

Columns are lists, kinds are True for discrete ones; labels are -1 where there are none.
"""

import math

from tests.reference.information import discrete_entropy, discrete_information


def cut(column, n_bins):
    """Number of the piece of each value, by its mean rank among all."""
    n = len(column)
    pieces = []
    for value in column:
        below = sum(v < value for v in column)
        equal = sum(v == value for v in column)
        mean_rank = below + (equal + 1) / 2
        pieces.append(math.floor((mean_rank - 0.5) / n * n_bins))
    return pieces


def conditional_entropy(x, given):
    """Σ p(g) H(x | given = g)."""
    total = 0.0
    for g in set(given):
        inside = [a for a, b in zip(x, given, strict=True) if b == g]
        total += len(inside) / len(x) * discrete_entropy(inside)
    return total


def conditional_information(x, y, given):
    """Σ p(g) I(x; y | given = g)."""
    total = 0.0
    for g in set(given):
        rows = [r for r in range(len(x)) if given[r] == g]
        a, b = [x[r] for r in rows], [y[r] for r in rows]
        total += len(rows) / len(x) * discrete_information(a, b)
    return total


def distances(columns, kinds, labels, alpha_1, alpha_2, n_bins):
    """S of equation 3.14, and what each column tells about the classes."""
    values = [
        list(c) if kind else cut(c, n_bins)
        for c, kind in zip(columns, kinds, strict=True)
    ]
    known = [r for r in range(len(labels)) if labels[r] >= 0]
    y = [labels[r] for r in known]
    labelled = [[v[r] for r in known] for v in values]
    d = len(values)
    S = [[0.0] * d for _ in range(d)]
    for i in range(d):
        for j in range(d):
            a, b = values[i], values[j]
            apart = conditional_entropy(a, b) + conditional_entropy(b, a)
            a, b = labelled[i], labelled[j]
            beside = conditional_information(a, y, b)
            beside += conditional_information(b, y, a)
            S[i][j] = alpha_1 * apart + alpha_2 * beside
    return S, [discrete_information(v, y) for v in labelled]


def ward(S, n_clusters):
    """Merge the two nearest clusters, with Ward's update; lists of features."""
    clusters = [[f] for f in range(len(S))]
    squared = {
        (i, j): S[i][j] ** 2 for i in range(len(S)) for j in range(len(S)) if i < j
    }
    heights = []
    alive = list(range(len(S)))
    while len(alive) > n_clusters:
        i, j = min(squared, key=squared.get)
        nearest = squared.pop((i, j))
        heights.append(math.sqrt(nearest))
        n_i, n_j = len(clusters[i]), len(clusters[j])
        alive.remove(i)
        alive.remove(j)
        new = len(clusters)
        clusters.append(clusters[i] + clusters[j])
        for k in alive:
            n_k = len(clusters[k])
            to_i = squared.pop((min(i, k), max(i, k)))
            to_j = squared.pop((min(j, k), max(j, k)))
            total = (n_i + n_k) * to_i + (n_j + n_k) * to_j - n_k * nearest
            squared[k, new] = total / (n_i + n_j + n_k)
        alive.append(new)
    return sorted(sorted(clusters[c]) for c in alive), heights
