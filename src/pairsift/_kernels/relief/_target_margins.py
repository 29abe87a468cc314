"""Margins of targets whose neighbours of every group are found block by block.

The neighbours are those of `_nearest.k_nearest`: the K nearest rows of a group, the
last places of which rows at equal distances share. They are chosen here by exact
distances only, of which single precision has left few.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from pairsift._kernels.relief._cells import share_of_ties
from pairsift._kernels.relief._columns import ColumnRules, Columns
from pairsift._kernels.relief._margins import add_margins
from pairsift._kernels.relief._nearest import Lists, as_groups
from pairsift._kernels.relief._targets import (
    NearestRows,
    Targets,
    TiedRows,
    join_nearest,
    join_tied,
    nearest_among,
    tied_among,
)
from pairsift._kernels.relief._tiles import Engine
from pairsift._typing import BoolArray, FloatArray, IndexArray

# Places of a table behind those asked for: ties seldom need more.
SPARE_PLACES = 4


class Search(NamedTuple):
    """What neighbours are looked for.

    targets : rows whose margins are taken; classes : (q,) of them; n_classes; is_pooled
    : whether there are two groups, hits and all misses, or one for each class;
    n_neighbors : K; share : whether tied rows share the last places.
    """

    targets: Targets
    classes: IndexArray
    n_classes: int
    is_pooled: bool
    n_neighbors: int
    share: bool
    squared: bool
    rules: ColumnRules

    @property
    def n_groups(self) -> int:
        """Number of groups of neighbours."""
        return 2 if self.is_pooled else self.n_classes

    def parts(self, codes: IndexArray) -> Iterator[tuple[int, IndexArray, BoolArray]]:
        """Yield (group, targets, rows): who is compared with whom.

        codes : classes of the rows of a block.
        """
        everyone = np.arange(self.classes.size)
        for c in range(self.n_classes):
            if self.is_pooled:
                members = np.flatnonzero(self.classes == c)
                yield 0, members, codes == c
                yield 1, members, codes != c
            else:
                yield c, everyone, codes == c


def group_tables_in_block(
    X: FloatArray, first_row: int, marks: IndexArray, search: Search
) -> list[NearestRows]:
    """Find the rows of a block nearest to the targets: one table for each group.

    marks : (n, 2), the class of each row, and its group as in `Columns`.
    """
    codes, group_of = marks[:, 0], marks[:, 1].astype(np.int32)
    n_found = search.n_neighbors + SPARE_PLACES
    shape = search.classes.size, n_found
    tables = [
        NearestRows(np.full(shape, -1), np.full(shape, np.inf), X.shape[1])
        for _ in range(search.n_groups)
    ]
    for group, members, is_row in search.parts(codes):
        places = np.flatnonzero(is_row)
        found = nearest_among(
            X[places],
            first_row + places,
            group_of[places],
            search.targets.take(members),
            search.rules,
            search.squared,
            n_found,
        )
        tables[group].rows[members] = found.rows
        tables[group].distances[members] = found.distances
    return tables


def join_group_tables(
    first: list[NearestRows], later: list[NearestRows]
) -> list[NearestRows]:
    """Merge the tables of a block and of one behind it."""
    return [join_nearest(a, b) for a, b in zip(first, later, strict=True)]


def group_ties_in_block(
    X: FloatArray, first_row: int, marks: IndexArray, search: Search, bounds: FloatArray
) -> list[TiedRows]:
    """Find the rows of a block nearer than bounds (n_groups, q, 2), and between them.

    Bounds that are NaN ask for nothing.
    """
    codes, group_of = marks[:, 0], marks[:, 1].astype(np.int32)
    nothing = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    ties: list[TiedRows] = [
        [nothing] * search.classes.size for _ in range(search.n_groups)
    ]
    for group, members, is_row in search.parts(codes):
        asked = members[~np.isnan(bounds[group, members, 0])]
        places = np.flatnonzero(is_row)
        found = tied_among(
            X[places],
            first_row + places,
            group_of[places],
            search.targets.take(asked),
            bounds[group, asked],
            search.rules,
            search.squared,
        )
        for query, rows in zip(asked.tolist(), found, strict=True):
            ties[group][query] = rows
    return ties


def join_group_ties(first: list[TiedRows], later: list[TiedRows]) -> list[TiedRows]:
    """Merge the lists of a block and of one behind it."""
    return [join_tied(a, b) for a, b in zip(first, later, strict=True)]


def bounds_of_ties(tables: list[NearestRows], search: Search) -> FloatArray:
    """Bounds of the K-th distance where more rows than a table holds may be tied.

    (n_groups, q, 2), NaN elsewhere.
    """
    k = search.n_neighbors
    bounds = np.full((len(tables), search.classes.size, 2), np.nan)
    for g, table in enumerate(tables):
        rounding = share_of_ties(table.n_features)
        last = table.distances[:, k - 1]
        is_cut = search.share & (table.distances[:, -1] <= last * (1.0 + rounding))
        is_cut &= np.isfinite(table.distances[:, -1])
        bounds[g, is_cut] = np.outer(last, [1.0 - rounding, 1.0 + rounding])[is_cut]
    return bounds


def neighbor_lists(
    tables: list[NearestRows], ties: list[TiedRows] | None, search: Search
) -> Lists:
    """List the neighbours of every target in every group, with their places.

    ties : of `group_ties_in_block`, where tables are too short.
    """
    rows: list[IndexArray] = []
    places: list[FloatArray] = []
    for query in range(search.classes.size):
        for g, table in enumerate(tables):
            sure, tied = _sure_and_tied(table, query, search)
            if ties is not None and (ties[g][query][0].size + ties[g][query][1].size):
                sure, tied = ties[g][query]
            n_left = search.n_neighbors - sure.size
            share = min(n_left / tied.size, 1.0) if tied.size else 0.0
            rows.append(np.concatenate([sure, tied]))
            places.append(np.repeat([1.0, share], [sure.size, tied.size]))
    starts = np.concatenate([[0], np.cumsum([some.size for some in rows])])
    taken = np.concatenate(places)
    return Lists(starts, np.concatenate(rows), taken, taken)


def _sure_and_tied(
    table: NearestRows, query: int, search: Search
) -> tuple[IndexArray, IndexArray]:
    """Rows with a place of their own, and rows at the distance of the K-th."""
    rows, distances = table.rows[query], table.distances[query]
    k = search.n_neighbors
    if not search.share or rows[k - 1] < 0:
        rows = rows[:k]
        return rows[rows >= 0], rows[:0]
    rounding = share_of_ties(table.n_features)
    least, most = (
        distances[k - 1] * (1.0 - rounding),
        distances[k - 1] * (1.0 + rounding),
    )
    is_tied = (distances >= least) & (distances <= most) & (rows >= 0)
    return rows[distances < least], rows[is_tied]


def sums_of_lists(
    X: FloatArray,
    columns: Columns,
    class_starts: IndexArray,
    targets: IndexArray,
    lists: Lists,
    miss_weights: FloatArray,
    squared: bool,
) -> tuple[FloatArray, FloatArray]:
    """Sum the margins of targets with known neighbours, as `relief_sums` does.

    X : (m, d) the targets and their neighbours, sorted by classes; targets, lists : in
    places of X.
    """
    engine = Engine(X, columns, np.float32, squared)
    groups = as_groups(class_starts, miss_weights)
    sums, n_known = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    add_margins(engine, groups, targets, lists, sums, n_known)
    return sums, n_known
