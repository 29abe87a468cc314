"""I-Relief and Simba with labels in plain loops, from the thesis (slow)."""

import math

from tests.reference.margins import Delta, weighted_norm


def differences(X):
    """Δ of every two rows on every feature: |a - b| over the range."""
    n, d = len(X), len(X[0])
    spans = [max(row[f] for row in X) - min(row[f] for row in X) for f in range(d)]
    return [
        [
            [abs(X[a][f] - X[b][f]) / spans[f] if spans[f] else 0.0 for f in range(d)]
            for b in range(n)
        ]
        for a in range(n)
    ]


def mean_difference(delta, n, group, w, sigma):
    """Expected differences to the nearest of a group, equations 2.31 and 2.32."""
    d = len(w)
    distance = {m: sum(w[f] * delta[n][m][f] for f in range(d)) for m in group}
    kernel = {m: math.exp(-distance[m] / sigma) for m in group}
    total = sum(kernel.values())
    return [
        sum(kernel[m] / total * delta[n][m][f] for m in group) for f in range(d)
    ], total


def margin(delta, labels, n, w, sigma, multi_class, label=None, points=None):
    """M̄_n - H̄_n and γ_n, or None without hits or misses."""
    label = labels[n] if label is None else label
    points = range(len(labels)) if points is None else points
    hits = [m for m in points if m != n and labels[m] == label]
    misses = [m for m in points if m != n and labels[m] != label]
    if not hits or not misses:
        return None
    near_hit, hit_total = mean_difference(delta, n, hits, w, sigma)
    near_miss, miss_total = mean_difference(delta, n, misses, w, sigma)
    if multi_class == "prior":
        n_all = len(points)
        rest = sum(labels[m] != label for m in points) / n_all
        near_miss = [0.0] * len(w)
        for c in sorted({labels[m] for m in misses}):
            of_class = [m for m in misses if labels[m] == c]
            prior = sum(labels[m] == c for m in points) / n_all
            part, _ = mean_difference(delta, n, of_class, w, sigma)
            near_miss = [
                x + prior / rest * y for x, y in zip(near_miss, part, strict=True)
            ]
    gamma = 1.0 - miss_total / (hit_total + miss_total)
    return [x - y for x, y in zip(near_miss, near_hit, strict=True)], gamma


def irelief(X, labels, *, sigma, multi_class="nearest", max_iter=100, tol=1e-6):
    """Algorithm 2.4; returns the margins z of the last step."""
    delta = differences(X)
    n, d = len(X), len(X[0])
    varies = [any(row[f] != X[0][f] for row in X) for f in range(d)]
    w = [1.0 / max(sum(varies), 1) if varies[f] else 0.0 for f in range(d)]
    for _ in range(max_iter):
        z = [0.0] * d
        for row in range(n):
            found = margin(delta, labels, row, w, sigma, multi_class)
            if found is not None:
                z = [z[f] + found[1] * found[0][f] for f in range(d)]
        norm = math.sqrt(sum(max(x, 0.0) ** 2 for x in z))
        new = [max(x, 0.0) / norm if norm else 0.0 for x in z]
        change = math.sqrt(sum((a - b) ** 2 for a, b in zip(new, w, strict=True)))
        w = new
        if change <= tol or norm == 0:
            break
    return z


def simba(X, labels, orders, *, step=1.0, **kinds):
    """Algorithm 2.3 for given orders of the rows, one a start."""
    delta = Delta(X, labels=labels, **kinds)
    best, best_margin = None, -math.inf
    for order in orders:
        w = [0.0 if span == 0 else 1.0 for span in delta.range]
        for n in order:
            hit, miss = hit_and_miss(delta, labels, n, w)
            if hit is None or miss is None:
                continue
            gradient = [0.0] * delta.d
            for sign, m in ((1.0, miss), (-1.0, hit)):
                norm = weighted_norm(delta, n, m, w)
                for f in range(delta.d):
                    square = delta(n, m, f) ** 2
                    if norm > 0 and not math.isnan(square):
                        gradient[f] += sign * square / norm
            w = [w[f] + step * gradient[f] * w[f] for f in range(delta.d)]
        largest = max(abs(x) for x in w) or 1.0
        w = [x / largest for x in w]
        margin = simba_margin(delta, labels, w)
        if margin > best_margin:
            best, best_margin = w, margin
    return [x**2 for x in best]


def simba_margin(delta, labels, w):
    """Equation 2.27."""
    total = 0.0
    for n in range(delta.n):
        hit, miss = hit_and_miss(delta, labels, n, w)
        if hit is not None and miss is not None:
            total += weighted_norm(delta, n, miss, w) - weighted_norm(delta, n, hit, w)
    return total


def hit_and_miss(delta, labels, n, w):
    nearest = {True: [], False: []}
    for m in range(delta.n):
        if m == n:
            continue
        terms = [(w[f] * delta(n, m, f)) ** 2 for f in range(delta.d)]
        known = [t for t in terms if not math.isnan(t)]
        if known:
            scale = delta.d / len(known) if len(known) < delta.d else 1.0
            distance = float(f"{sum(known) * scale:.11g}")
            nearest[labels[m] == labels[n]].append((distance, m))
    return [min(nearest[same])[1] if nearest[same] else None for same in (True, False)]
