"""Sums of constrained margins, feature by feature."""

import numpy as np

from pairsift._kernels._jit import N_BLOCKS, kernel, sum_of_blocks
from pairsift._kernels.relief._cells import as_cells
from pairsift._kernels.relief._columns import Columns
from pairsift._kernels.relief._margins import add_margins
from pairsift._kernels.relief._nearest import Groups, Lists
from pairsift._kernels.relief._neighbors import NearHits, hits_of
from pairsift._typing import FloatArray, IndexArray, PairArray


def margin_sums(
    X: FloatArray,
    pairs: PairArray,
    slots: IndexArray,
    hits: NearHits,
    exclude_partner: bool,
    columns: Columns,
    n_jobs: int | None = -1,
) -> FloatArray:
    """z_f = Σ_(n,m) [ mean_k Δ_f(x_n, H_k(x_m)) - mean_k Δ_f(x_n, H_k(x_n)) ].

    X : (n, d); pairs : (p, 2) rows (n, m); slots : (n,) query of `hits` that a row is;
    exclude_partner : whether n is no near-hit of m and vice versa. Rows that share
    places count as much in the means. A mean over no hit is 0, unless differences are
    ignored: then a pair has no margin where an end is comparable to no row. Returns
    (d,).
    """
    n_pairs, n_features = len(pairs), X.shape[1]
    cells, n_known = as_cells(X, columns), np.zeros((N_BLOCKS, n_features))
    # The hits of m count as misses of n, its own ones as hits.
    groups = Groups(np.array([0, len(X)]), np.array([[1.0, -1.0]]), False)

    def add(first: int, last: int, sums: FloatArray) -> None:
        for block in range(first, last):
            part = slice(block * n_pairs // N_BLOCKS, (block + 1) * n_pairs // N_BLOCKS)
            starts, rows, places = _list_hits(
                hits, slots[pairs[part]], pairs[part], exclude_partner
            )
            lists, queries = Lists(starts, rows, places, places), pairs[part, 0]
            add_margins(
                cells, groups, queries, lists, False, sums[block], n_known[block]
            )

    cost = 2.0 * n_pairs * hits.n_neighbors * n_features
    margins = sum_of_blocks(n_jobs, n_features, add, cost=cost)
    # A pair whose differences are all ignored takes the mean margin of the others.
    return margins * (n_pairs / np.maximum(n_known.sum(axis=0), 1.0))


@kernel()
def _list_hits(hits, slots, pairs, exclude_partner):
    """List the near-hits of m, and of n, of each pair (n, m), and their places.

    slots : (p, 2), queries of `hits` that the ends are. Returns starts (2 p + 1,), rows
    and places as in `Lists`.
    """
    starts, n_listed = np.zeros(2 * len(pairs) + 1, dtype=np.int64), 0
    n_most = 0
    for slot in slots.ravel():
        n_most += hits.starts[slot + 1] - hits.starts[slot]
    rows, places = np.empty(n_most, dtype=np.int64), np.empty(n_most)
    for i in range(starts.size - 1):
        p, end = i // 2, 1 - i % 2
        skip = pairs[p, 1 - end] if exclude_partner else -1
        sure, tied, n_shared = hits_of(hits, slots[p, end])
        n_tied = tied.size - (tied == skip).sum()
        # The place of a hit that may not have one goes to the next in line.
        n_shared += (sure == skip).sum() if n_tied > 0 else 0
        share = n_shared / max(n_tied, 1)
        for k in range(sure.size + tied.size if share > 0.0 else sure.size):
            row = sure[k] if k < sure.size else tied[k - sure.size]
            if row != skip:
                rows[n_listed], places[n_listed] = row, 1.0 if k < sure.size else share
                n_listed += 1
        starts[i + 1] = n_listed
    return starts, rows[:n_listed], places[:n_listed]
