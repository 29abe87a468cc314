"""Online I-Relief in plain loops (slow)."""

import math

from tests.reference.irelief import differences, margin


def unit(z):
    largest = max(abs(x) for x in z)
    positive = [x if x > 1e-12 * largest else 0.0 for x in z]
    norm = math.sqrt(sum(x**2 for x in positive))
    return [x / norm for x in positive] if norm else None


def online_irelief(X, labels, orders, points, *, sigma, multi_class):
    """The recursion of the paper for given orders of the rows; returns π."""
    delta = differences(X)
    d = len(X[0])
    varies = [any(row[f] != X[0][f] for row in X) for f in range(d)]
    first = [1.0 / max(sum(varies), 1) if varies[f] else 0.0 for f in range(d)]
    pi, step = [0.0] * d, 0
    for order in orders:
        for n in order:
            step += 1
            w = unit(pi) or first
            found = margin(delta, labels, n, w, sigma, multi_class, points=points)
            z = [0.0] * d if found is None else [found[1] * x for x in found[0]]
            pi = [pi[f] + (z[f] - pi[f]) / step for f in range(d)]
    return pi


def stream(X, labels, draws, max_points, *, sigma, multi_class):
    """Rows as they come; draws[t] is uniform on [0, 1). Returns π and the rows kept.

    All margins so far are divided by the ranges so far.
    """
    d = len(X[0])
    kept, past = [], []
    for t in range(len(X)):
        seen = X[: t + 1]
        spans = [max(r[f] for r in seen) - min(r[f] for r in seen) for f in range(d)]
        pi = mean_in_units(past, spans)
        varies = [span > 0 for span in spans]
        first = [1.0 / max(sum(varies), 1) if varies[f] else 0.0 for f in range(d)]
        found = margin(
            differences(seen), labels, t, unit(pi) or first, sigma, multi_class,
            points=kept,
        )  # fmt: skip
        z = [0.0] * d if found is None else [found[1] * x for x in found[0]]
        past.append([z[f] * spans[f] for f in range(d)])
        if len(kept) < max_points:
            kept.append(t)
        else:
            place = int(draws[t] * (t + 1))
            if place < max_points:
                kept[place] = t
    return mean_in_units(past, spans), kept


def mean_in_units(past, spans):
    return [
        sum(z[f] for z in past) / len(past) / spans[f] if past and spans[f] else 0.0
        for f in range(len(spans))
    ]
