"""Equation 3.3 of the thesis in plain loops."""

import math


def variance(values):
    mean = math.fsum(values) / len(values)
    return math.fsum((x - mean) ** 2 for x in values) / len(values)


def score(columns, clusters):
    numbers = sorted({c for c in clusters if c != -1})
    scores = []
    for f in columns:
        parts = [
            [x for x, c in zip(f, clusters, strict=True) if c == j] for j in numbers
        ]
        if len(set(f)) == 1:
            scores.append(-math.inf)
        else:
            terms = [1 - variance(part) / variance(f) for part in parts]
            scores.append(sum(terms) / len(terms))
    return scores
