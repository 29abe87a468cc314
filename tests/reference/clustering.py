"""Spectral learning (Kamvar, Klein, Manning 2003) in plain loops."""

import math

import numpy as np

from tests.reference.prototypes import nearest_prototype_classes, squared_distance


def embedding(X, must_link, cannot_link, k, sigma, normalization):
    """Unit rows of the k leading eigenvectors of N, made exactly as printed."""
    n = range(len(X))
    A = [
        [math.exp(-squared_distance(X[i], X[j]) / (2 * sigma**2)) for j in n] for i in n
    ]
    for i in n:
        A[i][i] = 0.0
    for i, j in must_link:
        A[i][j] = A[j][i] = 1.0
    for i, j in cannot_link:
        A[i][j] = A[j][i] = 0.0
    d = [sum(row) for row in A]
    if normalization == "additive":
        N = [[A[i][j] + (max(d) - d[i]) * (i == j) for j in n] for i in n]
    else:
        N = [[A[i][j] / math.sqrt(d[i] * d[j]) for j in n] for i in n]
    _, vectors = np.linalg.eigh(np.array(N))
    rows = vectors[:, -k:].tolist()
    return [[v / math.sqrt(squared_distance(r, [0] * k)) for v in r] for r in rows]


def from_labels(X, labels, sigma, normalization):
    """Spectral classification by the nearest labelled row."""
    n = range(len(X))
    known = [(i, j) for i in n for j in n if i != j and min(labels[i], labels[j]) >= 0]
    must = [(i, j) for i, j in known if labels[i] == labels[j]]
    cannot = [(i, j) for i, j in known if labels[i] != labels[j]]
    points = embedding(X, must, cannot, max(labels) + 1, sigma, normalization)
    return nearest_prototype_classes(points, labels)


def from_groups(X, groups, cannot_link, k, sigma, normalization):
    """K-means from the k must-link groups that are largest and farthest apart."""
    must = [(i, j) for g in groups for i in g for j in g if i != j]
    points = embedding(X, must, cannot_link, k, sigma, normalization)
    means = [mean([points[i] for i in g]) for g in groups]
    centres = []
    for _ in range(k):
        weights = [
            len(g) * min((squared_distance(m, c) for c in centres), default=1.0)
            for g, m in zip(groups, means, strict=True)
        ]
        centres.append(means[weights.index(max(weights))])
    clusters = None
    while True:
        found = [nearest(point, centres) for point in points]
        if found == clusters:
            return numbered(clusters)
        clusters = found
        for c in set(clusters):
            members = [p for p, own in zip(points, clusters, strict=True) if own == c]
            centres[c] = mean(members)


def mean(points):
    return [sum(values) / len(points) for values in zip(*points, strict=True)]


def nearest(point, centres):
    distances = [squared_distance(point, centre) for centre in centres]
    return distances.index(min(distances))


def numbered(clusters):
    """Numbers in the order of the first rows."""
    order = list(dict.fromkeys(clusters))
    return [order.index(c) for c in clusters]
