"""Correlations, collinearity and Gram-Schmidt in plain loops, from the thesis."""

import math

import numpy as np
from scipy.stats import beta


def dot(a, b):
    return math.fsum(x * y for x, y in zip(a, b, strict=True))


def centred(a):
    mean = math.fsum(a) / len(a)
    return [x - mean for x in a]


def pearson(a, b):
    """Equation 3.1, 0 where a column is constant."""
    if len(set(a)) == 1 or len(set(b)) == 1:
        return 0.0
    a, b = centred(a), centred(b)
    return abs(dot(a, b)) / math.sqrt(dot(a, a) * dot(b, b))


def pearson_score(columns, labels):
    rows = [i for i, c in enumerate(labels) if c != -1]
    classes = sorted({labels[i] for i in rows})
    return [
        max(
            pearson([f[i] for i in rows], [float(labels[i] == c) for i in rows])
            for c in classes
        )
        for f in columns
    ]


def collinearity(a, b, measure):
    if measure == "correlation":
        return pearson(a, b)
    return abs(dot(a, b)) / math.sqrt(dot(a, a) * dot(b, b))


def collinearity_score(columns, threshold, measure, prefer):
    varying = [j for j, f in enumerate(columns) if len(set(f)) > 1]

    def key(j):
        if prefer == "first":
            return 0.0
        if prefer == "variance":
            return -round(math.log(dot(centred(columns[j]), centred(columns[j]))), 9)
        return round(
            sum(collinearity(columns[j], columns[g], measure) for g in varying), 9
        )

    scores, kept = [-math.inf] * len(columns), []
    for j in sorted(varying, key=lambda j: (key(j), j)):
        with_kept = [collinearity(columns[j], columns[g], measure) for g in kept]
        scores[j] = -max(with_kept, default=0.0)
        if scores[j] >= -threshold:
            kept.append(j)
    return scores


def beside(vector, others):
    """What is left of a vector beside others and the constant."""
    A = np.array([[1.0] * len(vector), *others]).T
    A = A / np.linalg.norm(A, axis=0)
    coefficients, *_ = np.linalg.lstsq(A, np.array(vector), rcond=1e-12)
    return np.array(vector) - A @ coefficients


def orthonormal(vectors):
    basis = []
    for v in vectors:
        for _ in range(2):
            for b in basis:
                v = v - b * (b @ v)
        if np.linalg.norm(v) > 1e-6:
            basis.append(v / np.linalg.norm(v))
    return basis


def gram_schmidt(columns, labels):
    """Order, squared cosines and risks of a whole path; labels of every row."""
    classes = sorted(set(labels))
    classes = classes[:1] if len(classes) == 2 else classes
    targets = [[float(c == k) for c in labels] for k in classes]
    left, order, cosines, risks, risk = list(range(len(columns))), [], [], [], 0.0
    while left:
        added = [columns[j] for j in order]
        basis = orthonormal([beside(t, added) for t in targets])
        found = []
        for j in left:
            rest = beside(columns[j], added)
            length = np.linalg.norm(rest)
            is_left = len(set(columns[j])) > 1 and length > 1e-6 * max(
                np.linalg.norm(beside(columns[j], [])), 1e-300
            )
            cosine = sum((b @ rest) ** 2 for b in basis) / length**2 if is_left else 0.0
            found.append((-round(float(cosine), 9), j, float(cosine)))
        _, j, cosine = min(found)
        n_left, q = len(labels) - 1 - len(order), len(basis)
        chance = 1.0
        if 0 < q < n_left:
            chance = float(beta.sf(cosine, q / 2, (n_left - q) / 2))
        risk = 1 - (1 - risk) * (1 - chance)
        cosines.append(cosine)
        risks.append(risk)
        order.append(j)
        left.remove(j)
    return order, cosines, risks
