"""Nearest rows of some rows, the targets, among the rows of one block of many.

The targets travel to every block, and stand behind its rows, which alone are their
neighbours. Lists of neighbouring blocks are joined, and are then those of all rows at
once: distances are computed by one function from the same numbers, and rows tied with
the last are kept.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairsift._kernels.relief._cells import as_cells, error_of_sums, share_of_ties
from pairsift._kernels.relief._columns import ColumnRules, Columns
from pairsift._kernels.relief._margins import add_margins
from pairsift._kernels.relief._nearest import (
    Groups,
    Lists,
    Near,
    Nearest,
    as_groups,
    with_places,
)
from pairsift._kernels.relief._neighbors import (
    NearHits,
    cut,
    hits_of_lists,
    nearest_rows,
    search_lists,
    tables_of,
)
from pairsift._kernels.relief._simba import nearest_one, single_columns
from pairsift._kernels.relief._tiles import Engine
from pairsift._typing import FloatArray, IndexArray


class Targets(NamedTuple):
    """Some rows of all, with what they need to be compared with others.

    rows : (q,) their numbers; X : (q, d); group : (q,) as in `Columns`.
    """

    rows: IndexArray
    X: FloatArray
    group: NDArray[np.int32]

    def behind(
        self, X: FloatArray, group: NDArray[np.int32], rules: ColumnRules
    ) -> tuple[FloatArray, Columns]:
        """Return the rows of a block, the targets behind them, and their columns."""
        X = np.concatenate([X, self.X])
        return X, rules.of_rows(X, np.concatenate([group, self.group]))


class Search(NamedTuple):
    """What neighbours are looked for.

    targets : rows whose neighbours are looked for; n_neighbors : K; squared : whether
    distances are; rules : of the columns; classes : (q,) of the targets; n_classes;
    is_pooled : whether there are two groups, hits and all misses, or one for each
    class.
    """

    targets: Targets
    n_neighbors: int
    squared: bool
    rules: ColumnRules
    classes: IndexArray
    n_classes: int
    is_pooled: bool

    def rule(self, share: bool) -> Nearest:
        """Return who has the places of a list."""
        return Nearest(self.n_neighbors, share_of_ties(self.targets.X.shape[1]), share)


class Found(NamedTuple):
    """Lists of near rows by their numbers, one for each target and group.

    tells_copies : as in `Columns`.
    """

    near: Near
    rule: Nearest
    tells_copies: bool


def near_in_block(
    X: FloatArray, first_row: int, marks: IndexArray, search: Search
) -> Found:
    """Find the rows of a block nearest to the targets, and those tied with the last.

    marks : (n, 2), the class of each row, and its group as in `Columns`.
    """
    order, n_rows = np.argsort(marks[:, 0], kind="stable"), len(X)
    group = marks[order, 1].astype(np.int32)
    both, columns = search.targets.behind(X[order], group, search.rules)
    engine = Engine(both, columns, np.float32, search.squared)
    starts = np.searchsorted(marks[order, 0], np.arange(search.n_classes + 1))
    n_shares = 0 if search.is_pooled else search.n_classes
    groups, rule = as_groups(starts, np.ones((n_shares, n_shares))), search.rule(True)
    own = _places(search.targets.rows, first_row, n_rows)
    own = np.where(own >= 0, np.argsort(order)[own], -1)
    queries = np.arange(n_rows, len(both))
    near = search_lists(
        engine, rule, groups, queries, own[:, None], search.classes, n_jobs=1
    )
    rows = first_row + order[near.rows]
    return Found(near._replace(rows=rows), rule, search.rules.columns.tells_copies)


def _places(rows: IndexArray, first_row: int, n_rows: int) -> IndexArray:
    """Return the places of some rows in a block, -1 for none."""
    places = rows - first_row
    return np.where((places >= 0) & (places < n_rows), places, -1)


def join_near(first: Found, later: Found) -> Found:
    """Merge the lists of a block and of one behind it."""
    return first._replace(
        near=cut(merged(first.near, later.near), first.rule, first.tells_copies)
    )


def merged(first: Near, later: Near) -> Near:
    """Put the rows of each list behind those of another."""
    order = np.argsort(np.concatenate([first.owners(), later.owners()]), kind="stable")
    return Near(
        first.starts + later.starts,
        np.concatenate([first.rows, later.rows])[order],
        np.concatenate([first.distances, later.distances])[order],
    )


def hits_of_found(found: Found, share: bool) -> NearHits:
    """Return the near-hits, of lists for one place more, see `NearHits`."""
    rule = found.rule._replace(share=share)
    return hits_of_lists(cut(found.near, rule, found.tells_copies), rule)


def lists_of_found(found: Found, share: bool) -> Lists:
    """Return the neighbours of every target in every group, with their places."""
    return with_places(found.near, found.rule._replace(share=share))


def sums_of_lists(
    X: FloatArray,
    columns: Columns,
    groups: Groups,
    targets: IndexArray,
    lists: Lists,
    squared: bool,
) -> tuple[FloatArray, FloatArray]:
    """Sum the margins of targets with known neighbours, as `relief_sums` does.

    X : (m, d) the targets and their neighbours, sorted by classes; targets, lists : in
    places of X.
    """
    sums, n_known = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    cells = as_cells(X, columns)
    add_margins(cells, groups, targets, lists, squared, sums, n_known)
    return sums, n_known


class NearestRows(NamedTuple):
    """Tables of the nearest rows, (q, k): -1 and inf where there are too few."""

    rows: IndexArray
    distances: FloatArray
    n_features: int


def nearest_in_block(
    X: FloatArray,
    first_row: int,
    group: NDArray[np.int32],
    targets: Targets,
    rules: ColumnRules,
    squared: bool,
    n_neighbors: int,
    barred: IndexArray | None = None,
) -> NearestRows:
    """Find the rows of a block, X (n, d), that are nearest to the targets.

    barred : (q, e) numbers of rows that are no neighbours of each target, -1 for none;
    None for the target itself.
    """
    n_rows = len(X)
    barred = targets.rows[:, None] if barred is None else barred
    both, columns = targets.behind(X, group, rules)
    rows, distances = nearest_rows(
        both,
        np.arange(n_rows, len(both)),
        _places(barred, first_row, n_rows),
        columns,
        squared,
        n_neighbors,
        n_jobs=1,
        n_candidates=n_rows,
    )
    return NearestRows(np.where(rows >= 0, rows + first_row, -1), distances, X.shape[1])


def join_nearest(first: NearestRows, later: NearestRows) -> NearestRows:
    """Merge the tables of a block and of one behind it."""
    rule = Nearest(first.rows.shape[1], error_of_sums(first.n_features), share=False)
    near = merged(*(_lists_of(table) for table in (first, later)))
    tables = tables_of(cut(near, rule, tells_copies=False), rule)
    return NearestRows(*tables, first.n_features)


def _lists_of(table: NearestRows) -> Near:
    is_row = table.rows >= 0
    starts = np.concatenate([[0], is_row.sum(axis=1).cumsum()])
    return Near(starts, table.rows[is_row], table.distances[is_row])


class NearestRow(NamedTuple):
    """The nearest row of each target in a space of its own: (q,), and its cells (q, d).

    rows : -1 where there is none, with inf as the (squared) distance.
    """

    rows: IndexArray
    distances: FloatArray
    X: FloatArray


def nearest_row_in_block(
    X: FloatArray,
    first_row: int,
    group: NDArray[np.int32],
    targets: Targets,
    barred: IndexArray,
    weights: FloatArray,
    rules: ColumnRules,
) -> NearestRow:
    """Find the row of a block that is nearest to each target, by weighted differences.

    barred : (q, e) numbers of rows that are none; weights : (q, d).
    """
    n_rows, n_targets = len(X), targets.rows.size
    both, columns = targets.behind(X, group, rules)
    excluded = _places(barred, first_row, n_rows)
    cells = as_cells(both, columns)
    block = single_columns(cells)
    rows, distances = np.full(n_targets, -1), np.full(n_targets, np.inf)
    for q in range(n_targets):
        rows[q], distances[q] = nearest_one(
            cells, block, n_rows + q, excluded[q], n_rows, weights[q]
        )
    return NearestRow(np.where(rows >= 0, rows + first_row, -1), distances, X[rows])


def join_nearest_row(first: NearestRow, later: NearestRow) -> NearestRow:
    """Keep the nearer row of each target, the first of tied ones."""
    below = 1.0 - error_of_sums(first.X.shape[1])
    is_nearer = later.distances < first.distances * below
    return NearestRow(
        np.where(is_nearer, later.rows, first.rows),
        np.where(is_nearer, later.distances, first.distances),
        np.where(is_nearer[:, None], later.X, first.X),
    )
