"""Margins with labels in plain loops, straight from the formulas (slow and obvious)."""

import math

from tests.reference.margins import Delta, mean


def labelled_only(X, labels):
    rows = [i for i, label in enumerate(labels) if label >= 0]
    return [list(X[i]) for i in rows], [int(labels[i]) for i in rows]


def places(delta, a, rows, k, ties, squared=False):
    """How much of the k places each row has: (row, share), nearest first."""
    found = []
    for b in rows:
        distance = delta.distance(a, b, squared)
        if b != a and distance < math.inf:
            found.append((float(f"{distance:.11g}"), b))
    found.sort()
    if len(found) <= k:
        return [(b, 1.0) for _, b in found]
    if ties == "index":
        return [(b, 1.0) for _, b in found[:k]]
    worst = found[k - 1][0]
    nearer = [b for distance, b in found if distance < worst]
    tied = [b for distance, b in found if distance == worst]
    share = (k - len(nearer)) / len(tied)
    return [(b, 1.0) for b in nearer] + [(b, share) for b in tied]


def weighted_mean(terms):
    """Mean of (difference, weight); 0 over nothing, NaN when all are ignored."""
    if not terms:
        return 0.0
    known = [(x, weight) for x, weight in terms if not math.isnan(x)]
    if not known:
        return math.nan
    return sum(x * w for x, w in known) / sum(w for _, w in known)


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
                c: weighted_mean([(delta(x, h, f), w) for h, w in neighbours[c]])
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
            hit = weighted_mean([(delta(x, h, f) ** 2, w) for h, w in hits])
            miss = weighted_mean([(delta(x, h, f) ** 2, w) for h, w in misses])
            margins[f].append(miss - hit)
    return [mean_of_known(m) for m in margins]
