"""Constrained margins over all pairs of labelled rows, without listing the pairs.

The margins of `margin_sums` sum differences from n to the neighbours h of m. Over all
pairs, that is a sum over n and h in which h counts as often as it is a neighbour of an
m that is paired with n: a sweep over sorted values takes it at once.
"""

import numpy as np

from pairsift._kernels._diff import Columns, known_difference
from pairsift._kernels._jit import N_BLOCKS, kernel, on_threads, sum_of_blocks
from pairsift._typing import FloatArray, IndexArray


def label_margin_sums(
    X: FloatArray,
    labels: IndexArray,
    rows: IndexArray,
    nearest: IndexArray,
    n_neighbors: int,
    exclude_partner: bool,
    same_class: bool,
    columns: Columns,
    n_jobs: int | None = None,
) -> FloatArray:
    """Sum the margins of all ordered pairs of labelled rows, as `margin_sums` does.

    X : (n, d) without missing cells; labels : (n,) class numbers, -1 for none; rows :
    the labelled rows; nearest : (rows.size, k) their neighbours, and one column more
    when partners are excluded; same_class : whether the pairs are those within classes
    or those between them. Returns (d,).
    """
    n_features, n_classes = X.shape[1], int(labels.max()) + 1
    n_hits = min(n_neighbors, len(X) - 1)
    sizes = np.bincount(labels[rows], minlength=n_classes).astype(np.float64)
    # hits[h, c]: of how many rows of class c is row h a neighbour?
    hits = np.zeros((len(X), n_classes))
    for k in range(n_hits):
        np.add.at(hits, (nearest[:, k], labels[rows]), 1.0)
    far = np.zeros(n_features)

    def sum_far(first, last):
        for f in range(first, last):
            if columns.is_nominal[f]:
                far[f] = _mismatches(X[:, f], labels, hits, same_class)
            else:
                order = np.argsort(X[:, f], kind="stable")
                far[f] = _sweep(X[:, f], order, labels, hits, sizes, same_class)

    def add_near(first, last, sums):
        for block in range(first, last):
            part = slice(
                block * rows.size // N_BLOCKS, (block + 1) * rows.size // N_BLOCKS
            )
            # Within a class the sweep has met m = n too, whose margin is 0.
            n_partners = sizes if same_class else rows.size - sizes
            _subtract_near(
                X,
                rows[part],
                nearest[part],
                labels,
                n_neighbors,
                exclude_partner,
                same_class,
                n_partners,
                columns,
                sums[block],
            )

    on_threads(n_jobs, n_features, sum_far)
    return columns.scale * far / n_hits + sum_of_blocks(n_jobs, n_features, add_near)


def _mismatches(values, labels, hits, same_class):
    """Σ [x_n ≠ x_h] over the pairs (n, h), for a qualitative column."""
    kinds, code = np.unique(values, return_inverse=True)
    n_rows = np.zeros((kinds.size, hits.shape[1]))
    np.add.at(n_rows, (code[labels >= 0], labels[labels >= 0]), 1.0)
    n_hits = np.zeros((kinds.size, hits.shape[1]))
    np.add.at(n_hits, code, hits)
    # apart[a, b]: rows n of class a and hits h for class b with different values.
    apart = np.outer(n_rows.sum(axis=0), n_hits.sum(axis=0)) - n_rows.T @ n_hits
    return np.trace(apart) if same_class else apart.sum() - np.trace(apart)


@kernel()
def _sweep(values, order, labels, hits, sizes, same_class):
    """Σ |x_n - x_h| over the pairs (n, h): each gap counts once a pair it separates.

    No term is negative, so that nothing cancels.
    """
    n_classes = hits.shape[1]
    hits_in_all = np.zeros(n_classes)
    for row in range(hits.shape[0]):
        for c in range(n_classes):
            hits_in_all[c] += hits[row, c]
    rows_below, hits_below = np.zeros(n_classes), np.zeros(n_classes)
    total = 0.0
    for t in range(order.size - 1):
        row = order[t]
        if labels[row] >= 0:
            rows_below[labels[row]] += 1.0
        for c in range(n_classes):
            hits_below[c] += hits[row, c]
        gap = values[order[t + 1]] - values[row]
        if gap == 0.0:
            continue
        within, below, hit_below, above, hit_above = 0.0, 0.0, 0.0, 0.0, 0.0
        for c in range(n_classes):
            r, h = sizes[c] - rows_below[c], hits_in_all[c] - hits_below[c]
            within += rows_below[c] * h + r * hits_below[c]
            below, hit_below = below + rows_below[c], hit_below + hits_below[c]
            above, hit_above = above + r, hit_above + h
        everything = below * hit_above + above * hit_below
        total += gap * (within if same_class else everything - within)
    return total


@kernel()
def _subtract_near(
    X,
    rows,
    nearest,
    labels,
    n_neighbors,
    exclude_partner,
    same_class,
    n_partners,
    columns,
    sums,
):
    """Subtract the differences of rows to their own hits, once for every partner.

    Where a partner is excluded, the next neighbour takes its place on either side.
    """
    scale, is_nominal = columns.scale, columns.is_nominal
    n_hits = min(n_neighbors, X.shape[0] - 1)
    has_next = n_neighbors < X.shape[0] - 1
    for i in range(rows.size):
        n = rows[i]
        for f in range(sums.size):
            near = 0.0
            for k in range(n_hits):
                delta = abs(X[n, f] - X[nearest[i, k], f])
                near += known_difference(delta, is_nominal[f], scale[f])
            sums[f] -= n_partners[labels[n]] * near / n_hits
            for k in range(n_hits if exclude_partner else 0):
                m = nearest[i, k]
                if labels[m] < 0 or (labels[m] == labels[n]) != same_class:
                    continue
                # Without m: the hits of n as seen from n, and as seen from m.
                to_m = abs(X[n, f] - X[m, f])
                to_m = known_difference(to_m, is_nominal[f], scale[f])
                if has_next:
                    h = nearest[i, n_hits]
                    from_n, from_m = abs(X[n, f] - X[h, f]), abs(X[m, f] - X[h, f])
                    from_n = known_difference(from_n, is_nominal[f], scale[f])
                    from_m = known_difference(from_m, is_nominal[f], scale[f])
                    sums[f] += (from_m - (from_n - to_m)) / n_hits
                    continue
                seen = 0.0
                for j in range(n_hits):
                    delta = abs(X[m, f] - X[nearest[i, j], f])
                    seen += known_difference(delta, is_nominal[f], scale[f])
                without = 1.0 / (n_hits - 1) if n_hits > 1 else 0.0
                sums[f] += seen * without - seen / n_hits
                sums[f] -= (near - to_m) * without - near / n_hits
