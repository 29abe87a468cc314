"""Feature graphs and their clusters, by trying everything (H19 3.3, H21 2.1-2.2)."""

from itertools import combinations, product

import numpy as np


def rebuild(X, i, penalty=0.0, signed=False):
    """Best weights, and objective, over all sets of columns and all signs of weights.

    Minimises ½ |A_i - X s|² + penalty |s|₁ with 1's = 1 and s_i = 0.
    """
    n_columns = X.shape[1]
    others = [j for j in range(n_columns) if j != i]
    best, weights = np.inf, None
    for size in range(1, len(others) + 1):
        for chosen in combinations(others, size):
            A = X[:, chosen]
            for signs in product([1.0, -1.0] if signed else [1.0], repeat=size):
                border = np.zeros((size + 1, size + 1))
                border[:size, :size] = A.T @ A
                border[size, :size] = border[:size, size] = 1.0
                right = np.append(A.T @ X[:, i] - penalty * np.array(signs), 1.0)
                if np.linalg.matrix_rank(border, tol=1e-9) < size + 1:
                    continue
                s = np.linalg.solve(border, right)[:size]
                if (s * signs < -1e-12).any():
                    continue
                value = ((X[:, i] - A @ s) ** 2).sum() / 2 + penalty * abs(s).sum()
                if value < best - 1e-13:
                    best = value
                    weights = np.zeros(n_columns)
                    weights[list(chosen)] = s
    return weights, best


def clusters(S, link=max):
    """Partition at the cutoff; similarities that differ are assumed.

    link : similarity of two clusters, of the similarities of all pairs between them.
    """
    parts = [{j} for j in range(len(S))]
    while len(parts) > 1:
        similarity, a, b = max(
            (link([S[i, j] for i in parts[a] for j in parts[b]]), a, b)
            for a in range(len(parts))
            for b in range(a)
        )
        is_second_level = len(parts[a]) > 1 and len(parts[b]) > 1
        if similarity == 0.0 or is_second_level:
            break
        parts[b] |= parts[a]
        del parts[a]
    return {frozenset(part) for part in parts}
