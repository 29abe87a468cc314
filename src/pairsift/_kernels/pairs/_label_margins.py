"""Constrained margins over all pairs of labelled rows, without listing the pairs.

The margins of `margin_sums` sum differences from n to the near-hits h of m. Over all
pairs, that is a sum over n and h in which h counts as often as it is a near-hit of an m
that is paired with n: a sweep over sorted values takes it at once.
"""

from collections.abc import Iterable

import numpy as np

from pairsift._kernels._jit import N_BLOCKS, kernel, on_threads, sum_of_blocks
from pairsift._kernels.relief._cells import Cells, as_cells, difference
from pairsift._kernels.relief._columns import Columns
from pairsift._kernels.relief._neighbors import NearHits, hits_of, near_hits
from pairsift._typing import FloatArray, IndexArray

# Rows whose near-hits are held at a time; where ties are many, the lists are long.
BATCH_ROWS = 1024


def label_margin_sums(
    X: FloatArray,
    labels: IndexArray,
    n_neighbors: int,
    squared: bool,
    exclude_partner: bool,
    share: bool,
    columns: Columns,
    n_jobs: int | None = -1,
) -> FloatArray:
    """Sum the margins of all ordered pairs of labelled rows, as `margin_sums` does.

    X : (n, d) without missing values; labels : (n,) class numbers, -1 for none; the
    other arguments as in `near_hits` and `margin_sums`. Returns (2, d): the sums over
    the pairs between classes, and over those within classes.
    """
    rows = np.flatnonzero(labels >= 0)

    def batches():
        for start in range(0, rows.size, BATCH_ROWS):
            queries = rows[start : start + BATCH_ROWS]
            yield (
                queries,
                near_hits(X, queries, columns, squared, n_neighbors, share, n_jobs),
            )

    n_hits = min(n_neighbors, len(X) - 1)
    return label_sums_of_hits(
        X, labels, batches(), n_hits, exclude_partner, columns, n_jobs
    )


def label_sums_of_hits(
    X: FloatArray,
    labels: IndexArray,
    batches: Iterable[tuple[IndexArray, NearHits]],
    n_hits: int,
    exclude_partner: bool,
    columns: Columns,
    n_jobs: int | None = -1,
) -> FloatArray:
    """Sum the same, given the near-hits of all labelled rows, some rows at a time.

    n_hits : places of each row; X needs no rows but labelled ones and near-hits.
    """
    n_features, n_classes = X.shape[1], int(labels.max()) + 1
    sizes = np.bincount(labels[labels >= 0], minlength=n_classes).astype(np.float64)
    # Within a class the sweep meets m = n too, whose margin is 0.
    n_partners = np.stack([sizes.sum() - sizes, sizes])
    # places[h, c]: in the near-hits of the rows of class c, how many places has h?
    places = np.zeros((len(X), n_classes))
    near, cells = np.zeros(2 * n_features), as_cells(X, columns)
    for queries, hits in batches:
        _count_places(hits, labels[queries], places)
        near += _sum_near(
            cells, queries, hits, labels, n_partners, exclude_partner, n_jobs
        )
    far = _sum_far(X, labels, places, sizes, columns, n_jobs)
    return (columns.scale * far - near.reshape(2, -1)) / n_hits


def _sum_far(
    X: FloatArray,
    labels: IndexArray,
    places: FloatArray,
    sizes: FloatArray,
    columns: Columns,
    n_jobs: int | None,
) -> FloatArray:
    """Σ |x_n - x_h| over the pairs (n, m) and the near-hits h of m, (2, d)."""
    far = np.zeros((2, X.shape[1]))

    def add(first, last):
        for f in range(first, last):
            if columns.is_categorical[f]:
                far[:, f] = _mismatches(X[:, f], labels, places)
            else:
                order = np.argsort(X[:, f], kind="stable")
                far[:, f] = _sweep(X[:, f], order, labels, places, sizes)

    on_threads(n_jobs, X.shape[1], add, cost=30.0 * sizes.size * X.size)
    return far


def _sum_near(
    cells: Cells,
    queries: IndexArray,
    hits: NearHits,
    labels: IndexArray,
    n_partners: FloatArray,
    exclude_partner: bool,
    n_jobs: int | None,
) -> FloatArray:
    """Σ Δ_f(x_n, x_h) over the pairs (n, m) and the near-hits h of n, (2 d,).

    Where partners are excluded, what this changes on either side is in here, too.
    """
    n_features = cells.X.shape[1]

    def add(first, last, sums):
        for block in range(first, last):
            start, stop = (b * queries.size // N_BLOCKS for b in (block, block + 1))
            _add_near(
                cells, queries, start, stop, hits, labels, n_partners, exclude_partner,
                sums[block].reshape(2, -1),
            )  # fmt: skip

    cost = 5.0 * hits.rows.size * n_features
    return sum_of_blocks(n_jobs, 2 * n_features, add, cost=cost)


@kernel()
def _count_places(hits, classes, places):
    """Add the places of the near-hits of some rows, whose classes are given."""
    for q in range(classes.size):
        sure, tied, n_shared = hits_of(hits, q)
        for h in sure:
            places[h, classes[q]] += 1.0
        for h in tied:
            places[h, classes[q]] += n_shared / tied.size


def _mismatches(values, labels, places):
    """Σ [x_n ≠ x_h] over the pairs (n, h), for a categorical column."""
    kinds, code = np.unique(values, return_inverse=True)
    n_rows = np.zeros((kinds.size, places.shape[1]))
    np.add.at(n_rows, (code[labels >= 0], labels[labels >= 0]), 1.0)
    n_hits = np.zeros((kinds.size, places.shape[1]))
    np.add.at(n_hits, code, places)
    # apart[a, b]: rows n of class a and hits h for class b with different values.
    apart = np.outer(n_rows.sum(axis=0), n_hits.sum(axis=0)) - n_rows.T @ n_hits
    within = np.trace(apart)
    return apart.sum() - within, within


@kernel()
def _sweep(values, order, labels, places, sizes):
    """Σ |x_n - x_h| over the pairs (n, h): each gap counts once a pair it separates.

    No term is negative, so that nothing cancels.
    """
    n_classes = places.shape[1]
    hits_in_all = np.zeros(n_classes)
    for row in range(places.shape[0]):
        for c in range(n_classes):
            hits_in_all[c] += places[row, c]
    rows_below, hits_below = np.zeros(n_classes), np.zeros(n_classes)
    total, total_within = 0.0, 0.0
    for t in range(order.size - 1):
        row = order[t]
        if labels[row] >= 0:
            rows_below[labels[row]] += 1.0
        for c in range(n_classes):
            hits_below[c] += places[row, c]
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
        total += gap * (everything - within)
        total_within += gap * within
    return total, total_within


@kernel()
def _add_near(
    cells, queries, start, stop, hits, labels, n_partners, exclude_partner, sums
):
    """Add the differences of rows to their own hits, once for every partner."""
    to_sure, to_tied = np.empty(sums.shape[1]), np.empty(sums.shape[1])
    for q in range(start, stop):
        n = queries[q]
        sure, tied, n_shared = hits_of(hits, q)
        _sum_differences(cells, n, sure, to_sure)
        _sum_differences(cells, n, tied, to_tied)
        share = n_shared / tied.size if tied.size > 0 else 0.0
        for kind in range(2):
            n_times = n_partners[kind, labels[n]]
            for f in range(to_sure.size):
                sums[kind, f] += n_times * (to_sure[f] + share * to_tied[f])
        if exclude_partner:
            _exclude_sure(cells, n, sure, tied, labels, to_sure, to_tied, sums)
        if exclude_partner and n_shared > 0:
            _exclude_tied(cells, n, tied, n_shared, labels, to_tied, sums)


@kernel()
def _sum_differences(cells, a, rows, total):
    """Σ Δ_f(x_a, x_h) over some rows h."""
    X, slopes = cells.X, cells.slopes
    total[:] = 0.0
    for h in rows:
        for f in range(total.size):
            total[f] += difference(X[a, f] - X[h, f], slopes[f], None, False)


@kernel()
def _exclude_sure(cells, n, sure, tied, labels, to_sure, to_tied, sums):
    """Take the places of hits m of n away where m is the partner.

    The tied rows h get it; the change of the hits of n counts as Δ_f(x_n, x_h) in the
    pair (n, m), and as Δ_f(x_m, x_h) in the pair (m, n). Without tied rows the means
    are taken over one row fewer.
    """
    to_m, from_m = np.empty(to_sure.size), np.empty(to_sure.size)
    n_others = max(sure.size - 1, 1)
    for k in range(sure.size):
        m = sure[k]
        if labels[m] < 0:
            continue
        kind = 1 if labels[m] == labels[n] else 0
        _sum_differences(cells, n, sure[k : k + 1], to_m)
        if tied.size > 0:
            _sum_differences(cells, m, tied, from_m)
            for f in range(to_m.size):
                sums[kind, f] -= to_m[f] + (from_m[f] - to_tied[f]) / tied.size
            continue
        _sum_differences(cells, m, sure, from_m)
        for f in range(to_m.size):
            rest = from_m[f] - (to_sure[f] - to_m[f])
            change = rest * (sure.size / n_others) - (from_m[f] - to_sure[f])
            sums[kind, f] -= change


@kernel()
def _exclude_tied(cells, n, tied, n_shared, labels, to_tied, sums):
    """Take the shares of tied hits m of n away where m is the partner.

    The other tied rows h had n_shared / G places each, and get n_shared / (G - 1); the
    change counts as in `_exclude_sure`. Summed over m and h, a
    sweep over the sorted values of a column takes Σ Δ_f(x_m, x_h).
    """
    n_tied = tied.size
    growth = n_shared / (n_tied * (n_tied - 1.0))
    is_kind, n_kind = np.zeros((2, n_tied)), np.zeros(2)
    for k in range(n_tied):
        if labels[tied[k]] >= 0:
            is_kind[1 if labels[tied[k]] == labels[n] else 0, k] = 1.0
    for kind in range(2):
        n_kind[kind] = is_kind[kind].sum()
    X, columns, values = cells.X, cells.columns, np.empty(n_tied)
    for f in range(to_tied.size):
        scale, is_categorical = columns.scale[f], columns.is_categorical[f]
        to_kind = np.zeros(2)
        for k in range(n_tied):
            values[k] = X[tied[k], f]
            delta = difference(X[n, f] - values[k], cells.slopes[f], None, False)
            for kind in range(2):
                to_kind[kind] += is_kind[kind, k] * delta
        order = np.argsort(values)
        for kind in range(2):
            among = scale * _sum_among(values, order, is_kind[kind], is_categorical)
            change = n_tied * to_kind[kind] + among - n_kind[kind] * to_tied[f]
            sums[kind, f] -= growth * change


@kernel()
def _sum_among(values, order, is_chosen, is_categorical):
    """Σ |x_m - x_h|, or Σ [x_m ≠ x_h], over the chosen m and all h."""
    total, chosen_below, chosen_in_run = 0.0, 0.0, 0.0
    n_chosen, start = is_chosen.sum(), 0
    for t in range(order.size):
        chosen_in_run += is_chosen[order[t]]
        is_last = t + 1 == order.size
        gap = 0.0 if is_last else values[order[t + 1]] - values[order[t]]
        if gap == 0.0 and not is_last:
            continue
        n_below, n_above = t + 1, order.size - t - 1
        chosen_below += chosen_in_run
        if is_categorical:
            total += chosen_in_run * (order.size - (n_below - start))
        else:
            total += gap * (
                chosen_below * n_above + (n_chosen - chosen_below) * n_below
            )
        start, chosen_in_run = n_below, 0.0
    return total
