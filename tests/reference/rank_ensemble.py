"""Ranks shared by ties, points, votes and scaled scores in plain loops."""

import math


def ranks(scores):
    """The mean of the places that a feature could have."""
    return [
        sum(t > s for t in scores) + (1 + sum(t == s for t in scores)) / 2
        for s in scores
    ]


def scaled(scores):
    finite = [s for s in scores if math.isfinite(s)]
    result = []
    for s in scores:
        if math.isinf(s):
            result.append(1.0 if s > 0 else 0.0)
        elif max(finite) == min(finite):
            result.append(0.5)
        else:
            result.append((s - min(finite)) / (max(finite) - min(finite)))
    return result


def votes(scores, top):
    result = []
    for s in scores:
        n_better = sum(t > s for t in scores)
        n_tied = sum(t == s for t in scores)
        result.append(min(max(top - n_better, 0), n_tied) / n_tied)
    return result


def combine(members, method, weights, top=None):
    """Without the term that orders equal votes."""
    weights = [w / sum(weights) for w in weights]
    tables = {
        "mean-rank": lambda s: [-r for r in ranks(s)],
        "borda": lambda s: [max((top or len(s)) + 1 - r, 0) for r in ranks(s)],
        "mean-score": scaled,
        "vote": lambda s: votes(s, top),
    }
    rows = [tables[method](s) for s in members]
    return [
        sum(w * row[f] for w, row in zip(weights, rows, strict=True))
        for f in range(len(members[0]))
    ]
