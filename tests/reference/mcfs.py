"""What MCFS regresses, by its definition, and Lasso by coordinate descent."""

import numpy as np
from scipy.linalg import eigh


def targets(S, n_clusters):
    """Solutions of L y = λ D y on a connected graph, centred, at unit length."""
    D = np.diag(S.sum(axis=1))
    _, vectors = eigh(D - S, D)
    chosen = vectors[:, 1 : n_clusters + 1]
    chosen = chosen - chosen.mean(axis=0)
    return chosen / np.linalg.norm(chosen, axis=0)


def lasso(X, y, penalty, n_sweeps=20000):
    """Minimise ½|y - Xa|² + penalty·|a|₁ coordinate by coordinate."""
    a = np.zeros(X.shape[1])
    residual = y.copy()
    sizes = (X**2).sum(axis=0)
    for _ in range(n_sweeps):
        change = 0.0
        for j in range(len(a)):
            if sizes[j] == 0:
                continue
            product = X[:, j] @ residual + sizes[j] * a[j]
            new = np.sign(product) * max(abs(product) - penalty, 0.0) / sizes[j]
            residual += X[:, j] * (a[j] - new)
            change = max(change, abs(new - a[j]))
            a[j] = new
        if change < 1e-15:
            break
    return a
