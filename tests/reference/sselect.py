"""sSelect in plain loops (slow and obvious)."""

import math

from tests.reference.graphs import laplacian_score


def score(S, f, labels, lambda_):
    degree = [sum(row) for row in S]
    if len({x for x, d in zip(f, degree, strict=True) if d > 0}) == 1:
        return -math.inf
    mean = sum(d * x for d, x in zip(degree, f, strict=True)) / sum(degree)
    signs = [x >= mean for x, c in zip(f, labels, strict=True) if c >= 0]
    known = [c for c in labels if c >= 0]
    separation = -laplacian_score(S, f)
    return -(lambda_ * separation + (1 - lambda_) * (1 - nmi(signs, known)))


def nmi(a, b):
    pairs = list(zip(a, b, strict=True))
    if entropy(a) == 0 or entropy(b) == 0:
        return 0.0
    information = sum(
        share(pairs, (x, y))
        * math.log(share(pairs, (x, y)) / (share(a, x) * share(b, y)))
        for x, y in set(pairs)
    )
    return information / math.sqrt(entropy(a) * entropy(b))


def entropy(a):
    return -sum(share(a, x) * math.log(share(a, x)) for x in set(a))


def share(a, x):
    return a.count(x) / len(a)
