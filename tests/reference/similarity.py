"""Forward searches in plain loops: similarity-based score and SFS-1NN (S20)."""

import math

TIE = 1e-12


def similarity(X, i, j, features, sigma):
    """Equation 34."""
    squared = sum((X[i][f] - X[j][f]) ** 2 for f in features)
    return math.exp(-squared / (2 * sigma**2))


def error(X, targets, features, sigma):
    """Equation 33 over the ordered pairs named in the target."""
    return math.fsum(
        (similarity(X, i, j, features, sigma) - target) ** 2
        for (i, j), target in targets.items()
    )


def class_targets(classes):
    """Equations 37 and 38: all n² pairs, 1 where both rows are of the same class."""
    n = range(len(classes))
    return {(i, j): float(classes[i] == classes[j]) for i in n for j in n}


def pair_targets(must_link, cannot_link):
    """Equation 35: constrained pairs only, in both directions."""
    targets = {}
    for a, b in must_link:
        targets[a, b] = targets[b, a] = 1.0
    for a, b in cannot_link:
        targets[a, b] = targets[b, a] = 0.0
    return targets


def nearest_prototype(X, i, prototypes):
    """Equation 39; a prototype is its own, ties go to the smaller row."""
    if i in prototypes:
        return i
    return min(
        prototypes, key=lambda p: (squared_distance(X, i, p, range(len(X[0]))), p)
    )


def squared_distance(X, i, j, features):
    return sum((X[i][f] - X[j][f]) ** 2 for f in features)


def forward(n_features, value, n_steps=None):
    """Algorithm 1: order of all features and the value after each step, minimised.

    Behind the features added come the others by their value at the last step, which is
    returned for them.
    """
    path, values, left, at_last = [], [], list(range(n_features)), {}
    for _ in range(n_steps or n_features):
        at_last = {f: value([*path, f]) for f in left}
        lowest = min(at_last.values())
        best = min(f for f in left if at_last[f] <= lowest + TIE * abs(lowest))
        path.append(best)
        values.append(at_last[best])
        left.remove(best)
    left.sort(key=lambda f: (round(at_last[f], 11), f))
    return path + left, values + [at_last[f] for f in left]


def share_of_nearest(X, y, i, rows, features):
    """Share of the class of row i among its nearest rows, all that are tied."""
    distances = {j: squared_distance(X, i, j, features) for j in rows}
    most = min(distances.values()) * (1 + 1e-13)
    nearest = [j for j in rows if distances[j] <= most]
    return sum(y[j] == y[i] for j in nearest) / len(nearest)


def accuracy(X, y, splits, features):
    """Mean over the folds of the share of test rows whose nearest row is right."""
    shares = []
    for train, test in splits:
        hits = [share_of_nearest(X, y, i, train, features) for i in test]
        shares.append(sum(hits) / len(hits))
    return sum(shares) / len(shares)


def leave_one_out(n_rows):
    rows = range(n_rows)
    return [([j for j in rows if j != i], [i]) for i in rows]
