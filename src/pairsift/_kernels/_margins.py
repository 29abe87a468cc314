"""Sums of constrained margins, feature by feature."""

import numpy as np
from numba import prange

from pairsift._kernels._diff import cell_difference
from pairsift._kernels._jit import N_BLOCKS, kernel


@kernel(parallel=True)
def margin_sums(X, pairs, slots, nearest, n_neighbors, exclude_partner, columns):
    """z_f = Σ_(n,m) [ mean_k Δ_f(x_n, H_k(x_m)) - mean_k Δ_f(x_n, H_k(x_n)) ].

    X : (n, d); pairs : (p, 2) rows (n, m); slots : (p, 2) lines of `nearest` that hold
    the neighbours of n and of m, nearest first, -1 behind the last; n_neighbors : how
    many of them count; exclude_partner : whether n is no neighbour of m and vice versa
    (`nearest` then needs one column more). A mean over no neighbour is 0. Returns (d,).
    """
    n_pairs, n_features = pairs.shape[0], X.shape[1]
    margins = np.zeros((N_BLOCKS, n_features))
    n_known = np.zeros((N_BLOCKS, n_features))
    for block in prange(N_BLOCKS):
        miss, hit = np.empty(n_features), np.empty(n_features)
        for p in range(block * n_pairs // N_BLOCKS, (block + 1) * n_pairs // N_BLOCKS):
            n, m = pairs[p, 0], pairs[p, 1]
            skip_m, skip_n = (m, n) if exclude_partner else (-1, -1)
            hits_of_n, hits_of_m = nearest[slots[p, 0]], nearest[slots[p, 1]]
            _mean_difference(X, n, hits_of_m, skip_n, n_neighbors, columns, miss)
            _mean_difference(X, n, hits_of_n, skip_m, n_neighbors, columns, hit)
            for f in range(n_features):
                margin = miss[f] - hit[f]
                if not np.isnan(margin):
                    margins[block, f] += margin
                    n_known[block, f] += 1.0
    # A pair whose differences are all ignored takes the mean margin of the others.
    return margins.sum(axis=0) * (n_pairs / np.maximum(n_known.sum(axis=0), 1.0))


@kernel()
def _mean_difference(X, n, neighbors, skip, n_neighbors, columns, mean):
    """Mean of Δ_f(x_n, x_h) over the first neighbours h other than `skip`.

    Ignored differences are left out of the mean, which is NaN when all are.
    """
    mean[:] = 0.0
    n_counted = np.zeros(mean.size)
    count = 0
    for h in neighbors:
        if h < 0 or count == n_neighbors:
            break
        if h == skip:
            continue
        count += 1
        for f in range(mean.size):
            delta = cell_difference(X, n, h, f, columns)
            if not np.isnan(delta):
                mean[f] += delta
                n_counted[f] += 1.0
    if count > 0:
        for f in range(mean.size):
            mean[f] /= n_counted[f]
