"""The network of LMFS in plain loops."""

import itertools
import math


def error(X, Y, Z, b, W, c):
    """Half the mean squared error of the outputs."""
    total = 0.0
    for x, y in zip(X, Y, strict=True):
        hidden = [
            math.tanh(b[j] + sum(x[f] * Z[f][j] for f in range(len(x))))
            for j in range(len(b))
        ]
        for k in range(len(c)):
            output = c[k] + sum(hidden[j] * W[j][k] for j in range(len(b)))
            total += (output - y[k]) ** 2
    return 0.5 * total / len(X)


def onto_l1_ball(v, radius):
    """Shrink all numbers by a threshold, found by halving an interval."""
    if sum(abs(a) for a in v) <= radius:
        return list(v)
    low, high = 0.0, max(abs(a) for a in v)
    for _ in range(200):
        middle = (low + high) / 2
        if sum(max(abs(a) - middle, 0.0) for a in v) > radius:
            low = middle
        else:
            high = middle
    return [math.copysign(max(abs(a) - high, 0.0), a) for a in v]


def standardised(X):
    """Columns of mean 0 and variance 1, constant ones 0."""
    columns = []
    for column in zip(*X, strict=True):
        mean = sum(column) / len(column)
        variance = sum((a - mean) ** 2 for a in column) / len(column)
        is_constant = min(column) == max(column)
        scale = 0.0 if is_constant else 1.0 / math.sqrt(variance)
        columns.append([(a - mean) * scale for a in column])
    return [list(row) for row in zip(*columns, strict=True)]


def released(G, rule, emphasis):
    """Which features stand out."""
    if rule == "mean":
        least = sum(G) / len(G) * (1.0 if emphasis == "select" else 0.1)
        return [g >= min(least, max(G)) for g in G]
    falling = sorted(G, reverse=True)
    widest, least = -1.0, falling[0]
    for larger, smaller in itertools.pairwise(falling):
        gap = larger - smaller
        if emphasis == "eliminate":
            gap = larger / max(smaller, 1e-12 * falling[0], 1e-300)
        if gap > widest:
            widest, least = gap, larger
    return [g >= least for g in G]


def fewest_steps(errors):
    """Fewest steps about as good as the best: which bound, and which steps."""

    def mean(numbers):
        return sum(numbers) / len(numbers)

    best = min((row for of_bound in errors for row in of_bound), key=mean)
    variance = mean([(e - mean(best)) ** 2 for e in best])
    most = mean(best) + math.sqrt(variance / len(best))
    for k in range(len(errors[0])):
        means = [mean(of_bound[k]) for of_bound in errors]
        if min(means) <= most:
            return means.index(min(means)), k
    raise AssertionError("the best is as good as itself")
