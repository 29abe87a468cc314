"""The objective of FS-manifold in plain loops (Coelho 2013, 3.8 and 3.9)."""


def objective(X, signs, edges, total, w, b, p, C, rho):
    """½|w|² + C mean hinge + ρ/2 Σ W (f_i - f_j)² over edges, each once, / total.

    signs are 0 for rows without a label; edges : (i, j, weight).
    """
    f = [sum(a * q**0.5 * v for a, q, v in zip(w, p, x, strict=True)) + b for x in X]
    hinge = [max(0.0, 1.0 - s * v) for s, v in zip(signs, f, strict=True) if s]
    bent = sum(weight * (f[i] - f[j]) ** 2 for i, j, weight in edges) / total
    return 0.5 * sum(a * a for a in w) + C * sum(hinge) / len(hinge) + 0.5 * rho * bent
