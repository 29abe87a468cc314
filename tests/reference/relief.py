"""Margins with labels in plain loops, straight from the formulas (slow and obvious)."""

import math

from tests.reference.margins import Delta, mean, places, weighted_mean


def labelled_only(X, labels):
    rows = [i for i, label in enumerate(labels) if label >= 0]
    return [list(X[i]) for i in rows], [int(labels[i]) for i in rows]


def mean_of_known(margins):
    return mean([m for m in margins if not math.isnan(m)])


def relieff(X, labels, k, *, ties="share", targets=None, **kinds):
    """Equation 2.4 with T = n."""
    X, labels = labelled_only(X, labels)
    delta = Delta(X, labels=labels, **kinds)
    prior = {c: labels.count(c) / len(labels) for c in set(labels)}
    margins = [[] for _ in range(delta.d)]
    for x in range(delta.n) if targets is None else targets:
        own = labels[x]
        neighbours = {
            c: places(delta, x, [i for i, y in enumerate(labels) if y == c], k, ties)
            for c in prior
        }
        for f in range(delta.d):
            means = {
                c: weighted_mean(
                    [(delta(x, h, f), w) for h, w in neighbours[c]],
                    is_there=labels.count(c) > (1 if c == own else 0),
                )
                for c in prior
            }
            margin = -means[own]
            for c in prior:
                if c != own:
                    margin += prior[c] / (1 - prior[own]) * means[c]
            margins[f].append(margin)
    return [mean_of_known(m) for m in margins]


def relief(X, labels, *, ties="share", **kinds):
    """Algorithm 2.1 with T = n."""
    X, labels = labelled_only(X, labels)
    delta = Delta(X, labels=labels, **kinds)
    margins = [[] for _ in range(delta.d)]
    for x in range(delta.n):
        same = [i for i, y in enumerate(labels) if y == labels[x]]
        other = [i for i, y in enumerate(labels) if y != labels[x]]
        hits = places(delta, x, same, 1, ties, squared=True)
        misses = places(delta, x, other, 1, ties, squared=True)
        for f in range(delta.d):
            hit = weighted_mean(
                [(delta(x, h, f) ** 2, w) for h, w in hits], is_there=len(same) > 1
            )
            miss = weighted_mean(
                [(delta(x, h, f) ** 2, w) for h, w in misses], is_there=True
            )
            margins[f].append(miss - hit)
    return [mean_of_known(m) for m in margins]


def surf(X, labels, name, *, miss_weighting="prior", targets=None, **kinds):
    """The SURF family: "surf", "surf-star", "swrf-star", "multisurf", ..."""
    X, labels = labelled_only(X, labels)
    delta = Delta(X, labels=labels, **kinds)
    prior = {c: labels.count(c) / len(labels) for c in set(labels)}
    n, d = delta.n, delta.d
    distance = [[delta.distance(a, b) for b in range(n)] for a in range(n)]
    pairs = [
        distance[a][b] for a in range(n) for b in range(a) if distance[a][b] < math.inf
    ]
    center, width = mean_and_deviation(pairs)
    margins = [[] for _ in range(d)]
    for x in range(n) if targets is None else targets:
        others = [b for b in range(n) if b != x and distance[x][b] < math.inf]
        inner = outer = center
        if name.startswith("multisurf"):
            own, spread = mean_and_deviation([distance[x][b] for b in others])
            inner, outer = own - spread / 2, own + spread / 2
        near = [b for b in others if distance[x][b] < inner * (1 - 1e-12)]
        far = [b for b in others if distance[x][b] > outer * (1 + 1e-12)]
        sides = [(+1, near), (-1, far)] if name.endswith("star") else [(+1, near)]
        if name == "swrf-star":
            sides = [(+1, [b for b in range(n) if b != x])]
        for f in range(d):
            margin = 0.0
            for sign, rows in sides:
                terms = {}
                for b in rows:
                    s = 1.0
                    if name == "swrf-star":
                        s = sigmoid(distance[x][b], center, width)
                    kind = labels[b]
                    if kind != labels[x] and miss_weighting == "pooled":
                        kind = "misses"
                    if not math.isnan(delta(x, b, f)):
                        terms.setdefault(kind, []).append(s * delta(x, b, f))
                    else:
                        terms.setdefault(kind, [])
                for kind, values in terms.items():
                    average = mean(values) if values else math.nan
                    if kind == labels[x]:
                        margin -= sign * average
                    elif kind == "misses":
                        margin += sign * average
                    else:
                        margin += sign * prior[kind] / (1 - prior[labels[x]]) * average
            margins[f].append(margin)
    return [mean_of_known(m) for m in margins]


def sigmoid(distance, center, width):
    # Distances that agree up to rounding are equal.
    if distance == math.inf or width <= 1e-12 * center:
        return 0.0
    return 2 / (1 + math.exp(-(center - distance) / (width / 4))) - 1


def mean_and_deviation(values):
    if not values:
        return 0.0, 0.0
    average = sum(values) / len(values)
    square = sum((v - average) ** 2 for v in values) / len(values)
    return average, math.sqrt(square)


def stir(X, labels, k=None, *, targets=None, **kinds):
    """Equations 2.38-2.46: statistic and degrees of freedom of every feature.

    The k nearest hits and misses of any class, or with k=None the rows within the
    radius of MultiSURF.
    """
    X, labels = labelled_only(X, labels)
    delta = Delta(X, labels=labels, **kinds)
    n = delta.n
    found = []
    for f in range(delta.d):
        groups = {"M": [], "H": []}
        for x in range(n) if targets is None else targets:
            same = [i for i in range(n) if labels[i] == labels[x] and i != x]
            other = [i for i in range(n) if labels[i] != labels[x]]
            for kind, rows in (("M", other), ("H", same)):
                if k is None:
                    neighbours = [(z, 1.0) for z in rows if z in within(delta, x)]
                else:
                    neighbours = places(delta, x, rows, k, "share")
                terms = [(delta(x, z, f), w) for z, w in neighbours]
                groups[kind].append([t for t in terms if not math.isnan(t[0])])
        number, average, variance = {}, {}, {}
        for kind, of_rows in groups.items():
            of_rows = [terms for terms in of_rows if terms]
            number[kind] = sum(w for terms in of_rows for _, w in terms)
            average[kind] = mean([weighted_mean(terms) for terms in of_rows])
            variance[kind] = mean(
                [
                    weighted_mean([((x - average[kind]) ** 2, w) for x, w in terms])
                    for terms in of_rows
                ]
            )
        freedom = number["M"] + number["H"] - 2
        pooled = sum((number[g] - 1) * variance[g] for g in "MH") / freedom
        error = math.sqrt(pooled) * math.sqrt(1 / number["M"] + 1 / number["H"])
        found.append(((average["M"] - average["H"]) / error if error else 0.0, freedom))
    return found


def within(delta, x):
    others = [b for b in range(delta.n) if b != x and delta.distance(x, b) < math.inf]
    own, spread = mean_and_deviation([delta.distance(x, b) for b in others])
    radius = (own - spread / 2) * (1 - 1e-12)
    return [b for b in others if delta.distance(x, b) < radius]
