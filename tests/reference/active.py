"""Active selection and propagation as printed in the thesis (slow and obvious)."""

import numpy as np


def second_eigenvector(S):
    L = np.diag(S.sum(axis=1)) - S
    values, vectors = np.linalg.eigh(L)
    v = vectors[:, 1]
    return values, vectors, v if v[np.argmax(np.abs(v))] > 0 else -v


def sensitivities(S, row):
    """Equation 4.7: |dv_2(row)/ds_nm| for every pair, summed over eigenvectors."""
    values, vectors, v = second_eigenvector(S)
    n_samples = len(S)
    total = np.zeros((n_samples, n_samples))
    for p in range(2, n_samples):
        gap = values[1] - values[p]
        if abs(gap) <= 1e-12 * values[-1]:
            continue
        u = vectors[:, p]
        total += u[row] / gap * (v[:, None] - v) * (u[:, None] - u)
    return np.abs(total)


def best_pair(utilities, asked=()):
    """Lowest pair among those whose utility ties for the largest."""
    utilities = np.array(utilities)
    utilities[np.tril_indices(len(utilities))] = -1.0
    for n, m in asked:
        utilities[n, m] = -1.0
    best = utilities.max()
    if best < 0:
        return -1, -1
    tied = np.flatnonzero((utilities >= best * (1 - 1e-9)).ravel())
    return divmod(int(tied[0]), len(utilities))


def answered(S, must_link, cannot_link):
    """Similarities as algorithm 4.1 leaves them: 1 for "same", 0 for "different"."""
    S = np.array(S)
    for pairs, value in ((must_link, 1.0), (cannot_link, 0.0)):
        for n, m in pairs:
            S[n, m] = S[m, n] = value
    return S


def propagated(S, pairs, alpha):
    """Equation 4.14, with all matrices written out."""
    root = np.diag(1.0 / np.sqrt(S.sum(axis=1)))
    P = root @ S @ root
    Q = np.zeros_like(S)
    for n, m in pairs:
        Q[n, m] = Q[m, n] = 1.0
    inverse = np.linalg.inv(np.eye(len(S)) - alpha * P)
    return (1 - alpha) ** 2 * inverse @ Q @ inverse
