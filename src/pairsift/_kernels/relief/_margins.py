"""Margins of rows: means of differences over their neighbours in each group."""

import numpy as np

from pairsift._kernels._jit import kernel, number_of_blocks, sum_of_blocks
from pairsift._kernels.relief._cells import (
    Cells,
    add_pairs,
    correct_pairs,
    fill_differences,
    share_of_ties,
)
from pairsift._kernels.relief._columns import Columns
from pairsift._kernels.relief._nearest import (
    Groups,
    Lists,
    Nearest,
    as_groups,
    class_of,
    pairs_of,
    with_places,
)
from pairsift._kernels.relief._neighbors import near_lists
from pairsift._kernels.relief._radius import (
    EVERYONE,
    NEAREST,
    PRESENT,
    lists_of_marks,
    weigh_groups,
)
from pairsift._kernels.relief._tables import Tables, nearest_tables, short_rows
from pairsift._kernels.relief._tiles import Engine
from pairsift._typing import FloatArray, IndexArray


def relief_sums(
    X: FloatArray,
    class_starts: IndexArray,
    targets: IndexArray,
    order: IndexArray,
    miss_weights: FloatArray,
    n_neighbors: int,
    squared: bool,
    share: bool,
    columns: Columns,
    n_jobs: int | None = -1,
) -> tuple[FloatArray, FloatArray]:
    """Σ_x Σ_c w_c mean_k Δ_f(x, M_k(x, c)) - mean_k Δ_f(x, H_k(x)) over the targets x.

    X : (n, d), sorted by classes; class_starts : (n_classes + 1,) where each begins;
    targets : rows of X; order : (n,) numbers of the rows that decide between ties;
    miss_weights : (n_classes, n_classes), w of the class of x and of c, or (0, 0) to
    take the misses of all classes together; squared : squared differences, in the
    distances too; share : whether rows tied at the last place share what places are
    left, or the smaller row takes them. Returns the sums (d,) over the targets whose
    differences are not all ignored, and the number of those (d,).
    """
    n_samples, n_features = X.shape
    engine, groups = (
        Engine(X, columns, np.float32, squared),
        as_groups(class_starts, miss_weights),
    )
    rule = Nearest(n_neighbors, share_of_ties(n_features), share, order)
    tables, known = None, None
    if targets.size == n_samples:
        known = engine.all_distances(n_jobs)
    if targets.size == n_samples and known is None:
        tables = nearest_tables(engine, groups, n_neighbors, n_jobs)
    n_found = targets.size * groups.shares.shape[1] * n_neighbors
    cost = (0.7 * n_features + 400.0) * n_found
    if tables is None and known is None:
        cost += 0.1 * targets.size * (X.size + 10.0 * n_samples)
    n_blocks = number_of_blocks(targets.size, cost)
    n_known = np.zeros((n_blocks, n_features))

    def add(first: int, last: int, sums: FloatArray) -> None:
        for block in range(first, last):
            for queries in engine.strips(targets, block, n_blocks):
                lists = lists_of(engine, rule, groups, queries, known, tables)
                add_margins(
                    engine.cells, groups, queries, lists, squared, sums[block],
                    n_known[block],
                )  # fmt: skip

    sums = sum_of_blocks(n_jobs, n_features, add, n_blocks, cost=cost)
    return sums, n_known.sum(axis=0)


def lists_of(
    engine: Engine,
    rule: Nearest,
    groups: Groups,
    queries: IndexArray,
    known: FloatArray | None = None,
    tables: Tables | None = None,
) -> Lists:
    """List the nearest rows of each group to some rows.

    known : (n, n), the distances of all rows; tables : of the nearest ones. Without
    them, and where the tables are too short, distances are computed.
    """
    n_neighbors = rule.n_neighbors
    is_short = np.ones(queries.size, dtype=bool)
    if tables is not None:
        is_short = short_rows(queries, tables, n_neighbors, engine.rounding)
    place = np.where(is_short, is_short.cumsum() - 1, -1)
    strip = engine.new_strip(1)
    if known is not None:
        place, strip = queries, known
    elif is_short.any():
        strip = engine.strip_of(queries[is_short])
    near = near_lists(
        engine, n_neighbors, groups, queries, strip, place=place, tables=tables,
        is_exact=False,
    )  # fmt: skip
    return with_places(near, rule)


def add_margins(
    cells: Cells,
    groups: Groups,
    queries: IndexArray,
    lists: Lists,
    squared: bool,
    sums: FloatArray,
    n_known: FloatArray,
) -> None:
    """Add the margins of some rows, and count those that are known."""
    if cells.is_ignored:
        _add_known(cells, groups, queries, lists, squared, NEAREST, sums, n_known)
        return
    pairs, weights = pairs_of(lists, groups, queries)
    ramp = cells.start if cells.columns.has_ramp else None
    add_pairs(cells, pairs, weights, squared, ramp, sums)
    if cells.missing.size > 0:
        correct_pairs(cells, pairs, weights, squared, sums)
    n_known += queries.size


def add_marked(
    engine: Engine,
    groups: Groups,
    queries: IndexArray,
    over: int,
    marks: FloatArray,
    sums: FloatArray,
    n_known: FloatArray,
) -> None:
    """Add the margins of some rows to marked rows, and count those that are known.

    marks : (q, n), changed; over : see `weigh_groups`.
    """
    if not engine.is_ignored:
        n_known += weigh_groups(groups, queries, over, marks)
        engine.add_differences(queries, marks, sums)
        return
    starts, rows, values = lists_of_marks(groups, queries, over, marks)
    places = np.ones(rows.size) if over == EVERYONE else np.abs(values)
    lists = Lists(starts, rows, places, values)
    both = groups._replace(shares=np.hstack([groups.shares, groups.shares]))
    _add_known(engine.cells, both, queries, lists, False, over, sums, n_known)


@kernel()
def _add_known(cells, groups, queries, lists, squared, over, sums, n_known):
    """Add the margins of some rows; ignored differences are left out of every mean.

    A feature of which a mean has no difference left is left out of the margin, or, if
    shares are scaled (PRESENT), only the mean, and the shares of the misses are divided
    by what is left of them. Marks may leave a group without rows; the NEAREST are
    missing where a row has no known column in common with any of the group: then there
    is no margin either.
    """
    n_groups, n_features = groups.shares.shape[1], sums.size
    is_scaled = over == PRESENT
    total, counted, deltas = np.empty((3, n_features))
    # Of misses and hits: the mean, and the shares that it is made of.
    means, shares = np.empty((2, 2, n_features))
    for q in range(queries.size):
        own = class_of(queries[q], groups.class_starts)
        means[:] = shares[:] = 0.0
        for g in range(n_groups):
            start, stop = lists.starts[q * n_groups + g : q * n_groups + g + 2]
            total[:] = counted[:] = 0.0
            for i in range(start, stop):
                fill_differences(cells, queries[q], lists.rows[i], squared, deltas)
                for f in range(n_features):
                    is_known = deltas[f] == deltas[f]
                    total[f] += lists.values[i] * deltas[f] if is_known else 0.0
                    counted[f] += lists.places[i] if is_known else 0.0
            share = groups.shares[own, g]
            kind = 1 if share < 0.0 else 0
            is_there = stop > start or (over == NEAREST and share != 0.0)
            for f in range(n_features if is_there else 0):
                if counted[f] > 0.0:
                    means[kind, f] += share * total[f] / counted[f]
                    shares[kind, f] += abs(share)
                elif not is_scaled:
                    means[kind, f] = np.nan
        for f in range(n_features):
            if is_scaled:
                means[0, f] *= 1.0 / shares[0, f] if shares[0, f] > 0.0 else np.nan
                means[1, f] *= 1.0 / shares[1, f] if shares[1, f] > 0.0 else np.nan
            margin = means[0, f] + means[1, f]
            if margin == margin:
                sums[f] += margin
                n_known[f] += 1.0
