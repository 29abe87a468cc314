"""Logistic I-Relief, labelled and semi-supervised, in plain loops (slow)."""

import math

from tests.reference.irelief import differences, margin


def labelled_margins(delta, labels, w, sigma, multi_class):
    """Margin vectors of the labelled rows among each other."""
    points = [n for n in range(len(labels)) if labels[n] >= 0]
    found = [
        margin(delta, labels, n, w, sigma, multi_class, points=points) for n in points
    ]
    return [[0.0] * len(w) if z is None else z[0] for z in found]


def unlabelled_margins(delta, labels, w, sigma, rule):
    """Margin vectors of the unlabelled rows, of labelled neighbours."""
    points = [n for n in range(len(labels)) if labels[n] >= 0]
    result = []
    for n in range(len(labels)):
        if labels[n] >= 0:
            continue
        if rule == "nearest-neighbor":
            nearest = min(
                points,
                key=lambda m: (sum(w[f] * delta[n][m][f] for f in range(len(w))), m),
            )
            candidates = [labels[nearest]]
        else:
            candidates = sorted({labels[m] for m in points})
        best, largest = None, -math.inf
        for c in candidates:
            z, _ = margin(delta, labels, n, w, sigma, "nearest", label=c, points=points)
            product = sum(w[f] * z[f] for f in range(len(w)))
            if product > largest:
                best, largest = z, product
        result.append(best)
    return result


def objective(w, labelled, unlabelled, alpha, beta=0.0, rho=1.0):
    """Equation 3.10."""
    total = sum(w)
    for z in labelled:
        total += alpha * math.log(1.0 + math.exp(-dot(w, z)))
    for z in unlabelled:
        total += beta * math.exp(-(dot(w, z) ** 2) / rho)
    return total


def gradient(w, labelled, unlabelled, alpha, beta=0.0, rho=1.0):
    """Its derivatives."""
    slopes = [1.0] * len(w)
    for z in labelled:
        for f in range(len(w)):
            slopes[f] -= alpha * z[f] / (1.0 + math.exp(dot(w, z)))
    for z in unlabelled:
        t = dot(w, z)
        for f in range(len(w)):
            slopes[f] -= beta * 2.0 * t / rho * math.exp(-(t**2) / rho) * z[f]
    return slopes


def minimum(margins, alpha, n_features):
    """Weights of the convex problem, one after the other by bisection."""
    w = [0.0] * n_features
    products = [0.0] * len(margins)
    for _ in range(5000):
        largest = 0.0
        for f in range(n_features):
            others = [p - w[f] * z[f] for p, z in zip(products, margins, strict=True)]
            new = along_one(others, [z[f] for z in margins], alpha)
            largest = max(largest, abs(new - w[f]))
            w[f] = new
            products = [o + new * z[f] for o, z in zip(others, margins, strict=True)]
        if largest < 1e-13:
            return w
    raise AssertionError("too few sweeps")


def along_one(others, z, alpha):
    def slope(x):
        return 1.0 - alpha * sum(
            b / (1.0 + math.exp(a + x * b)) for a, b in zip(others, z, strict=True)
        )

    if slope(0.0) >= 0.0:
        return 0.0
    low, high = 0.0, 1.0
    while slope(high) < 0.0:
        low, high = high, 2.0 * high
    while True:
        middle = 0.5 * (low + high)
        if middle in (low, high):
            return middle
        if slope(middle) < 0.0:
            low = middle
        else:
            high = middle


def logistic_irelief(X, labels, *, sigma, alpha, multi_class, max_iter, tol=1e-6):
    """The alternation on labelled rows; returns w and the slopes at w."""
    delta = differences(X)
    d = len(X[0])
    w = [float(any(row[f] != X[0][f] for row in X)) for f in range(d)]
    before, pace = [0.0] * d, 1.0
    for _ in range(max_iter):
        margins = labelled_margins(delta, labels, w, sigma, multi_class)
        best = minimum(margins, alpha, d)
        step = [a - b for a, b in zip(best, w, strict=True)]
        longest = max(math.sqrt(dot(best, best)), math.sqrt(dot(w, w))) or 1.0
        if math.sqrt(dot(step, step)) <= tol * longest:
            break
        pace = 0.5 * pace if dot(step, before) < 0.0 else min(1.2 * pace, 1.0)
        w = [a + pace * b for a, b in zip(w, step, strict=True)]
        before = step
    return best, gradient(best, margins, [], alpha)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))
