"""Constrained k-means in plain loops: every partition, and k-means from classes."""

import itertools

from tests.reference.prototypes import squared_distance


def mean(rows):
    return [sum(column) / len(rows) for column in zip(*rows, strict=True)]


def sum_of_squares(X, clusters):
    total = 0.0
    for c in set(clusters):
        rows = [x for x, own in zip(X, clusters, strict=True) if own == c]
        total += sum(squared_distance(x, mean(rows)) for x in rows)
    return total


def keeps(clusters, must_link, cannot_link):
    return all(clusters[a] == clusters[b] for a, b in must_link) and all(
        clusters[a] != clusters[b] for a, b in cannot_link
    )


def best_partition(X, must_link, cannot_link, k):
    """The smallest sum of squares of all partitions that keep the pairs, or None."""
    sums = [
        sum_of_squares(X, clusters)
        for clusters in itertools.product(range(k), repeat=len(X))
        if keeps(clusters, must_link, cannot_link)
    ]
    return min(sums, default=None)


def from_classes(X, labels, n_rounds=50):
    """Labelled rows (label at least 0) keep their class, others go to the nearest."""
    classes = range(max(labels) + 1)
    clusters = list(labels)
    for _ in range(n_rounds):
        centres = [
            mean([x for x, own in zip(X, clusters, strict=True) if own == c])
            for c in classes
        ]
        clusters = [
            label
            if label >= 0
            else min(classes, key=lambda c: squared_distance(x, centres[c]))
            for x, label in zip(X, labels, strict=True)
        ]
    return clusters
