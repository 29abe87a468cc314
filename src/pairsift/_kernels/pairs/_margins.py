"""Sums of constrained margins, feature by feature."""

import numpy as np

from pairsift._kernels._jit import N_BLOCKS, kernel, sum_of_blocks
from pairsift._kernels.relief._columns import (
    Columns,
    known_difference,
    missing_difference,
)
from pairsift._kernels.relief._neighbors import NearHits, hits_of
from pairsift._typing import FloatArray, IndexArray, PairArray


def margin_sums(
    X: FloatArray,
    pairs: PairArray,
    slots: IndexArray,
    hits: NearHits,
    exclude_partner: bool,
    columns: Columns,
    n_jobs: int | None = None,
) -> FloatArray:
    """z_f = Σ_(n,m) [ mean_k Δ_f(x_n, H_k(x_m)) - mean_k Δ_f(x_n, H_k(x_n)) ].

    X : (n, d); pairs : (p, 2) rows (n, m); slots : (n,) query of `hits` that a row is;
    exclude_partner : whether n is no near-hit of m and vice versa. Rows that share
    places count as much in the means. A mean over no hit is 0. Returns (d,).
    """
    n_pairs, n_features = len(pairs), X.shape[1]
    n_known = np.zeros((N_BLOCKS, n_features))

    def add(first, last, margins):
        for block in range(first, last):
            part = slice(block * n_pairs // N_BLOCKS, (block + 1) * n_pairs // N_BLOCKS)
            _add_margins(
                X,
                pairs[part],
                slots,
                hits,
                exclude_partner,
                columns,
                margins[block],
                n_known[block],
            )

    cost = 2.0 * n_pairs * hits.n_neighbors * n_features
    margins = sum_of_blocks(n_jobs, n_features, add, cost=cost)
    # A pair whose differences are all ignored takes the mean margin of the others.
    return margins * (n_pairs / np.maximum(n_known.sum(axis=0), 1.0))


@kernel()
def _add_margins(X, pairs, slots, hits, exclude_partner, columns, margins, n_known):
    """Add the known margins of some pairs, and count them."""
    miss, hit = np.empty(margins.size), np.empty(margins.size)
    n_counted = np.empty(margins.size)
    for p in range(pairs.shape[0]):
        n, m = pairs[p, 0], pairs[p, 1]
        skip_m, skip_n = (m, n) if exclude_partner else (-1, -1)
        _mean_difference(X, n, slots[m], hits, skip_n, columns, n_counted, miss)
        _mean_difference(X, n, slots[n], hits, skip_m, columns, n_counted, hit)
        for f in range(margins.size):
            margin = miss[f] - hit[f]
            if not np.isnan(margin):
                margins[f] += margin
                n_known[f] += 1.0


@kernel()
def _mean_difference(X, n, query, hits, skip, columns, n_counted, mean):
    """Mean of Δ_f(x_n, x_h) over the hits h of a query, without `skip`.

    Ignored differences are left out of the mean, which is NaN when all are.
    """
    scale, is_categorical = columns.scale, columns.is_categorical
    has_missing = columns.codes.shape[0] > 0
    sure, tied, n_shared = hits_of(hits, query)
    n_tied = tied.size - (tied == skip).sum()
    # The place of a hit that may not have one goes to the next in line.
    n_shared += (sure == skip).sum() if n_tied > 0 else 0
    share = n_shared / n_tied if n_tied > 0 else 0.0
    mean[:] = 0.0
    n_counted[:] = 0.0
    count = 0.0
    for k in range(sure.size + tied.size):
        is_sure = k < sure.size
        h = sure[k] if is_sure else tied[k - sure.size]
        place = 1.0 if is_sure else share
        if h == skip or place == 0.0:
            continue
        count += place
        if has_missing:
            _add_with_missing(X, n, h, place, columns, n_counted, mean)
        else:
            for f in range(mean.size):
                delta = abs(X[n, f] - X[h, f])
                mean[f] += place * known_difference(delta, is_categorical[f], scale[f])
    for f in range(mean.size):
        n_terms = n_counted[f] if has_missing else count
        if n_terms > 0.0:
            mean[f] /= n_terms
        elif count > 0.0:
            mean[f] = np.nan


@kernel()
def _add_with_missing(X, n, h, place, columns, n_counted, total):
    """Add place · Δ_f(x_n, x_h) where it is not ignored, and count the place."""
    scale, is_categorical = columns.scale, columns.is_categorical
    for f in range(total.size):
        delta = abs(X[n, f] - X[h, f])
        if np.isnan(delta):
            delta = missing_difference(X, n, h, f, columns)
        else:
            delta = known_difference(delta, is_categorical[f], scale[f])
        if not np.isnan(delta):
            total[f] += place * delta
            n_counted[f] += place
