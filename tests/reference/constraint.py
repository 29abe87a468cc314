"""Constraint scores 1 to 7 in plain loops, from S20 (slow and obvious).

M and C are sets of unordered pairs, as frozensets of two rows; U holds the rows in no
pair. `f` is one feature, `X` all of them (lists of rows).
"""

import math

from tests.reference.graphs import distance, laplacian_score, neighbors, similarity


def as_sets(pairs):
    return {frozenset(map(int, pair)) for pair in pairs}


def unlabelled(n_rows, M, C):
    named = set().union(*M, *C)
    return [i for i in range(n_rows) if i not in named]


def ratio(numerator, denominator):
    """Negated, and the worst where the denominator is not positive."""
    return -numerator / denominator if denominator > 0 else -math.inf


def gaussian(X, i, j, sigma):
    return math.exp(-(distance(X[i], X[j]) ** 2) / (2 * sigma**2))


def either_neighbor(X, i, j, k):
    return j in neighbors(X, i, k) or i in neighbors(X, j, k)


def double_sum(f, w):
    """Σ_i Σ_j (x_i - x_j)² w_ij."""
    rows = range(len(f))
    return sum((f[i] - f[j]) ** 2 * w(i, j) for i in rows for j in rows if i != j)


def score_1(f, must_link, cannot_link):
    """Equation 8."""
    near = sum((f[i] - f[j]) ** 2 for i, j in must_link)
    far = sum((f[i] - f[j]) ** 2 for i, j in cannot_link)
    return ratio(near, far)


def score_2(f, must_link, cannot_link, lambda_):
    """Equation 9, over unordered pairs."""
    near = sum((f[i] - f[j]) ** 2 for i, j in must_link)
    far = sum((f[i] - f[j]) ** 2 for i, j in cannot_link)
    return -(near - lambda_ * far)


def score_3(X, f, M, C, k, gamma):
    """Equations 12 and 13."""
    U = unlabelled(len(X), M, C)

    def w_knn1(i, j):
        if frozenset((i, j)) in M:
            return gamma
        is_free = i in U or j in U
        return 1.0 if is_free and either_neighbor(X, i, j, k) else 0.0

    def w_c(i, j):
        return float(frozenset((i, j)) in C)

    return ratio(double_sum(f, w_knn1), double_sum(f, w_c))


def score_4(X, f, must_link, cannot_link, sigma):
    """Equations 14 to 16, the matrix form of the Laplacian score."""
    if len(set(f)) == 1:
        return -math.inf
    S = similarity(X, graph="full", k=1, kernel="gaussian", sigma=sigma)
    # Equations 1 and 3: a row is similar to itself, too, which counts in the degrees.
    for i in range(len(X)):
        S[i][i] = 1.0
    second = score_1(f, must_link, cannot_link)
    return second if math.isinf(second) else -(laplacian_score(S, f) * second)


def w_knn2(X, i, j, M, k, sigma):
    """Equation 17."""
    is_joined = frozenset((i, j)) in M or either_neighbor(X, i, j, k)
    return gaussian(X, i, j, sigma) if is_joined else 0.0


def score_5(X, f, M, C, k, sigma, form):
    """Equation 18 with the decision on α, or equation 20."""

    def w(i, j):
        return w_knn2(X, i, j, M, k, sigma)

    d = [sum(w(i, j) for j in range(len(X)) if j != i) for i in range(len(X))]
    return constrained_laplacian(X, f, M, C, w, d, form)


def score_6(X, f, M, C, k, sigma, form):
    """Equations 21 to 23."""
    U = unlabelled(len(X), M, C)

    def w_knn(i, j):
        return gaussian(X, i, j, sigma) if either_neighbor(X, i, j, k) else 0.0

    def w_knn3(i, j):
        w, pair = gaussian(X, i, j, sigma), frozenset((i, j))
        is_near = either_neighbor(X, i, j, k)
        if pair in C and is_near:
            return w**2 + w
        if pair in M and not is_near:
            return w**2
        if (i in U or j in U) and is_near:
            return w
        return 0.0

    d = [sum(w_knn(i, j) for j in range(len(X)) if j != i) for i in range(len(X))]
    return constrained_laplacian(X, f, M, C, w_knn3, d, form)


def constrained_laplacian(X, f, M, C, w, d, form):
    rows = range(len(X))
    if form == "matrix":
        # f'L^C D f with L^C written out.
        total = 0.0
        for i in rows:
            for j in rows:
                entry = -1.0 if frozenset((i, j)) in C and i != j else 0.0
                if i == j:
                    entry = float(sum(i in pair for pair in C))
                total += f[i] * entry * d[j] * f[j]
        return ratio(double_sum(f, w) / 2, total)
    U = unlabelled(len(X), M, C)
    mean = sum(d[i] * f[i] for i in rows) / sum(d)
    total = 0.0
    for i in rows:
        for j in rows:
            alpha = f[i]
            if frozenset((i, j)) in C and i != j:
                alpha = f[j]
            elif i == j and i in U:
                alpha = mean
            total += (f[i] - alpha) ** 2 * d[i]
    return ratio(double_sum(f, w), total)


def score_7(X, f, M, C, labels, k, sigma, gamma, lambda_, form):
    """Equation 24 with the weights of 30, or equation 29."""
    rows = range(len(X))
    U = unlabelled(len(X), M, C)

    def w_knn4(i, j):
        w, pair = gaussian(X, i, j, sigma), frozenset((i, j))
        is_near = either_neighbor(X, i, j, k)
        if pair in M:
            return 1.0 if is_near else lambda_
        if pair in C and is_near:
            return (1 - gamma) * w
        if (i in U or j in U) and is_near:
            return w
        return 0.0

    d = [sum(w_knn4(i, j) for j in rows if j != i) for i in rows]
    mean = sum(d[i] * f[i] for i in rows) / sum(d)
    spread = sum((f[i] - mean) ** 2 * d[i] for i in rows)
    P = [i for i in rows if labels[i] >= 0]
    if form == "matrix":
        # 2 f̃'L^P f̃ - f̃'D^P f̃ with W^P = 1/|X^l| inside the classes, diagonal too.
        centre = sum(f[i] for i in P) / len(P)
        size = {c: sum(labels[i] == c for i in P) for c in {labels[i] for i in P}}
        total = 0.0
        for i in P:
            degree = 1.0
            for j in P:
                w = 1.0 / size[labels[i]] if labels[i] == labels[j] else 0.0
                entry = (degree if i == j else 0.0) - w
                total += 2 * (f[i] - centre) * entry * (f[j] - centre)
            total -= degree * (f[i] - centre) ** 2
        return ratio(double_sum(f, w_knn4), spread + total)
    centre = sum(f[i] for i in P) / len(P)
    between = within = 0.0
    for c in {labels[i] for i in P}:
        members = [f[i] for i in P if labels[i] == c]
        class_mean = sum(members) / len(members)
        between += len(members) * (class_mean - centre) ** 2
        variance = sum((x - class_mean) ** 2 for x in members) / len(members)
        within += len(members) * variance
    return ratio(double_sum(f, w_knn4), spread + between - within)
