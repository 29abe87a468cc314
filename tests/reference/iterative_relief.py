"""Iterative Relief in plain loops, as its Notes say (slow)."""

import math

from tests.reference.margins import Delta
from tests.reference.relief import labelled_only


def unit_positive(z):
    norm = math.sqrt(sum(max(x, 0.0) ** 2 for x in z))
    return [max(x, 0.0) / norm if norm else 0.0 for x in z]


def weighted_distance(delta, a, b, w):
    used = [f for f in range(delta.d) if w[f] > 0]
    known = [f for f in used if not math.isnan(delta(a, b, f))]
    if not known:
        return math.inf
    total = sum(w[f] * delta(a, b, f) for f in known)
    return total * sum(w[f] for f in used) / sum(w[f] for f in known)


def step(delta, labels, w, radius):
    """The mean margins z, with the weights w in the distances."""
    n, d = delta.n, delta.d
    prior = {c: labels.count(c) / n for c in set(labels)}
    z, counts = [0.0] * d, [0] * d
    for a in range(n):
        distance = {b: weighted_distance(delta, a, b, w) for b in range(n) if b != a}
        nearest = [
            min((distance[b] for b in distance if labels[b] == c), default=math.inf)
            for c in prior
        ]
        farthest = radius * max((x for x in nearest if x < math.inf), default=0.0)
        share = {
            b: max(0.0, 1.0 - x / farthest) if farthest > 0 else float(x == 0)
            for b, x in distance.items()
        }
        for f in range(d):
            means = {}
            for c in prior:
                rows = [
                    b
                    for b in share
                    if labels[b] == c
                    and share[b] > 1e-12
                    and not math.isnan(delta(a, b, f))
                ]
                if rows:
                    total = sum(share[b] for b in rows)
                    means[c] = sum(share[b] * delta(a, b, f) for b in rows) / total
            own = labels[a]
            others = [c for c in means if c != own]
            if own in means and others:
                rest = sum(prior[c] for c in others)
                miss = sum(prior[c] / rest * means[c] for c in others)
                z[f] += miss - means[own]
                counts[f] += 1
    return [z[f] / max(counts[f], 1) for f in range(d)]


def iterative_relief(X, labels, *, radius=2.0, max_iter=100, tol=1e-3, **kinds):
    X, labels = labelled_only(X, labels)
    delta = Delta(X, labels=labels, **kinds)
    w = unit_positive([1.0 if span > 0 else 0.0 for span in delta.range])
    z, direction = [0.0] * delta.d, w
    for t in range(1, max_iter + 1):
        if not any(w):
            break
        found = step(delta, labels, w, radius)
        share = 2 / (t + 1)
        z = [(1 - share) * x + share * y for x, y in zip(z, found, strict=True)]
        w = unit_positive(z)
        norm = math.sqrt(sum(max(x, 0.0) ** 2 for x in z)) or 1.0
        before, direction = direction, [x / norm for x in z]
        if math.dist(before, direction) <= tol:
            break
    return z
