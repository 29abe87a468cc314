"""Searches by mutual information in plain loops (slow).

Columns are lists, kinds are True for discrete ones, y holds class numbers.
"""

import numpy as np
from scipy.special import stdtrit

from tests.reference import information

# Values that differ by less are equal: shuffled columns repeat values.
ROUNDING = 1e-12


def pair_information(a, is_discrete_a, b, is_discrete_b, k):
    """What two columns tell about each other, by their kinds."""
    if len(set(a)) == 1 or len(set(b)) == 1:
        return 0.0
    if is_discrete_a and is_discrete_b:
        return information.discrete_information(list(a), list(b))
    if is_discrete_a:
        return pair_information(b, is_discrete_b, a, is_discrete_a, k)
    if is_discrete_b:
        nothing = [()] * len(a)
        return information.mixed_information(nothing, [[v] for v in a], list(b), k)
    return information.ksg([[v] for v in a], [[v] for v in b], k)


def joint(columns, kinds, y, k):
    """What columns together tell about the classes."""
    rows = range(len(y))
    x = [c for c, kind in zip(columns, kinds, strict=True) if kind]
    z = [
        c
        for c, kind in zip(columns, kinds, strict=True)
        if not kind and len(set(c)) > 1
    ]
    cells = [tuple(c[r] for c in x) for r in rows]
    if not z:
        return information.discrete_information(cells, list(y))
    points = [[c[r] for c in z] for r in rows]
    return information.mixed_information(cells, points, list(y), k)


def mrmr(columns, kinds, y, form, k, n_steps):
    """Add the best by relevance less, or over, mean redundancy."""
    d = len(columns)
    relevance = [pair_information(columns[f], kinds[f], y, True, k) for f in range(d)]
    varies = [len(set(c)) > 1 for c in columns]
    added, values = [], []
    for _ in range(n_steps):
        best, best_value = None, -np.inf
        for f in range(d):
            if f in added or not varies[f]:
                continue
            shared = [
                pair_information(columns[f], kinds[f], columns[s], kinds[s], k)
                for s in added
            ]
            value = relevance[f]
            if added and form == "difference":
                value -= sum(shared) / len(added)
            elif added and value > 0:
                value /= max(0.0, sum(shared) / len(added)) + 0.01
            if value > best_value + 1e-12:
                best, best_value = f, value
        if best is None:
            best = next(f for f in range(d) if f not in added)
        added.append(best)
        values.append(best_value)
    rest = [f for f in range(d) if f not in added]
    rest.sort(key=lambda f: -relevance[f] if varies[f] else np.inf)
    return added + rest, values


def correlation(a, b):
    """Absolute correlation of two columns, 0 for a constant one."""
    a, b = (np.array(c) - np.mean(c) for c in (a, b))
    if len(set(a)) == 1 or len(set(b)) == 1:
        return 0.0
    return abs(sum(a * b)) / np.sqrt(sum(a * a) * sum(b * b))


def correlation_ratio(a, y):
    """Root of the share of the variance between classes, 0 for a constant column."""
    if len(set(a)) == 1:
        return 0.0
    mean, between = np.mean(a), 0.0
    for c in set(y):
        members = [v for v, label in zip(a, y, strict=True) if label == c]
        between += len(members) * (np.mean(members) - mean) ** 2
    return np.sqrt(between / sum((v - mean) ** 2 for v in a))


def ssfc(
    columns,
    kinds,
    labels,
    rule,
    k,
    n_permutations,
    rng,
    measure="information",
    stop="permutation",
    permute="feature",
):
    """Algorithms 1 and 2; labels are -1 where there are none.

    A shuffled feature enters both terms of S, or its information about the other alone.
    """

    def pair(a, kind_a, b, kind_b, k, b_is_class=False):
        if measure == "information":
            return pair_information(a, kind_a, b, kind_b, k)
        return correlation_ratio(a, b) if b_is_class else correlation(a, b)

    d, n = len(columns), len(labels)
    known = [r for r in range(n) if labels[r] >= 0]
    y = [labels[r] for r in known]

    def relevance_of(column, kind):
        return pair([column[r] for r in known], kind, y, True, k, True)

    R = [relevance_of(columns[f], kinds[f]) for f in range(d)]
    pairs = [(i, j) for i in range(d) for j in range(i + 1, d)]
    A = {(i, j): pair(columns[i], kinds[i], columns[j], kinds[j], k) for i, j in pairs}
    B = {(i, j): abs(R[i] - R[j]) for i, j in pairs}
    crossings = []
    for p in pairs:
        for q in pairs:
            if p < q and B[p] != B[q] and (A[q] - A[p]) / (B[q] - B[p]) > 0:
                crossings.append((A[q] - A[p]) / (B[q] - B[p]))
    weight = rule
    if rule == "median":
        weight = float(np.median(crossings)) if crossings else 1.0
    elif rule == "mean":
        weight = (min(crossings) + max(crossings)) / 2 if crossings else 1.0

    left, redundant = list(range(d)), []
    while True:
        candidates = [(i, j) for i, j in pairs if i in left and j in left]
        if stop == "blanket":
            candidates = [(i, j) for i, j in candidates if A[i, j] >= min(R[i], R[j])]
        if not candidates:
            break
        i, j = max(candidates, key=lambda p: A[p] - weight * B[p])
        kept, dropped = (i, j) if R[i] >= R[j] else (j, i)
        chances = []
        for _ in range(n_permutations):
            order = rng.permutation(n)
            column = [columns[dropped][r] for r in order]
            a = pair(columns[kept], kinds[kept], column, kinds[dropped], k)
            b = abs(R[kept] - relevance_of(column, kinds[dropped]))
            chances.append(a if permute == "similarity" else a - weight * b)
        if A[i, j] - weight * B[i, j] <= np.quantile(chances, 0.95) + ROUNDING:
            break
        redundant.append((dropped, kept))
        left.remove(dropped)
    chances = {f: [] for f in left}
    for _ in range(n_permutations):
        order = rng.permutation(len(y))
        shuffled = [y[r] for r in order]
        for f in left:
            column = [columns[f][r] for r in known]
            chances[f].append(pair(column, kinds[f], shuffled, True, k, True))
    kept = [f for f in left if R[f] > np.quantile(chances[f], 0.95) + ROUNDING]
    return weight, redundant, kept, R


def forward_backward(columns, kinds, y, k, n_permutations, options, rng):
    """Algorithm 4, every set compared with a shuffled one of its size."""
    d, n = len(columns), len(y)

    def told(features):
        return joint([columns[f] for f in features], [kinds[f] for f in features], y, k)

    def threshold(features, moved, n_tried):
        chances = []
        for _ in range(n_permutations):
            order = rng.permutation(n)
            some = [
                [columns[f][r] for r in order] if f in moved else columns[f]
                for f in features
            ]
            chances.append(joint(some, [kinds[f] for f in features], y, k))
        if not options["familywise"]:
            return float(np.quantile(chances, 0.95))
        t = stdtrit(n_permutations - 1, 0.95 ** (1 / n_tried))
        spread = np.std(chances, ddof=1) * np.sqrt(1 + 1 / n_permutations)
        return float(np.mean(chances) + t * spread)

    found, values = [], []
    at_once = 1
    while at_once <= (2 if options["pairs"] else 1):
        left = [f for f in range(d) if f not in found]
        if at_once == 1:
            candidates = [[f] for f in left]
        else:
            candidates = [[f, g] for f in left for g in left if f < g]
        if not candidates:
            break
        best = max(candidates, key=lambda c: told(found + c))
        needed = threshold(found + best, best, len(candidates))
        if options["must_rise"] and values:
            needed = max(needed, values[-1])
        if told(found + best) > needed + ROUNDING:
            found = found + best
            values.append(told(found))
            at_once = 1
        else:
            at_once += 1
    removed = []
    while len(found) > 1:
        chances = [threshold(found, [f], 1) for f in found]
        if max(chances) + ROUNDING < told(found):
            break
        removed.append(found[chances.index(max(chances))])
        found = [f for f in found if f != removed[-1]]
    return found, values, removed
