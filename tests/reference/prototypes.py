"""Prototypes and the must-links they spread to, in plain loops (S20 section 4.1.2)."""

import math


def squared_distance(a, b):
    return sum((x - y) ** 2 for x, y in zip(a, b, strict=True))


def nearest_prototype_classes(X, labels):
    """Equation 39; labels of -1 are no prototypes, ties are equal to 11 digits."""
    prototypes = [m for m, label in enumerate(labels) if label >= 0]
    classes = []
    for i, x in enumerate(X):
        nearest = i
        if labels[i] < 0:
            distance = {m: squared_distance(x, X[m]) for m in prototypes}
            nearest = min(prototypes, key=lambda m: (float(f"{distance[m]:.11g}"), m))
        classes.append(labels[nearest])
    return classes


def must_link_expansion(X, labels, truth):
    """Equations 38, 41 and 42 over ordered pairs i != j: NML, CNML, |M|, |M^SS|."""
    classes = nearest_prototype_classes(X, labels)
    pairs = [(i, j) for i in range(len(X)) for j in range(len(X)) if i != j]
    given = {(i, j) for i, j in pairs if labels[i] == labels[j] >= 0}
    expanded = {(i, j) for i, j in pairs if classes[i] == classes[j]}
    new = expanded - given
    right = [(i, j) for i, j in new if truth[i] == truth[j]]
    cnml = len(right) / len(new) if new else math.nan
    return len(expanded) / len(given), cnml, len(given), len(expanded)


def rank_sums(accuracies):
    """Equation 40; equal accuracies share the smaller rank, as in 1, 2, 2, 4."""
    sums = [0] * len(accuracies[0])
    for run in accuracies:
        for c, accuracy in enumerate(run):
            sums[c] += 1 + sum(other > accuracy for other in run)
    return sums
