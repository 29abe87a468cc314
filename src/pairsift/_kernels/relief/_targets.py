"""Nearest rows of some rows, the targets, among the rows of one block of many.

The targets travel to every block. Tables of neighbouring blocks are merged, and are
then those that `nearest_rows` finds among all rows at once: distances are computed by
one function from the same numbers, and ties go to the smaller row.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairsift._kernels.relief._cells import ROUNDOFF_64
from pairsift._kernels.relief._columns import ColumnRules, Columns
from pairsift._kernels.relief._near_hits import tied_rows
from pairsift._kernels.relief._neighbors import merge_nearest, nearest_rows
from pairsift._kernels.relief._simba import nearest_one, single_columns
from pairsift._typing import FloatArray, IndexArray


class Targets(NamedTuple):
    """Some rows of all, with what they need to be compared with others.

    rows : (q,) their numbers; X : (q, d); group : (q,) as in `Columns`.
    """

    rows: IndexArray
    X: FloatArray
    group: NDArray[np.int32]

    def take(self, chosen: IndexArray) -> "Targets":
        """Return some of the targets."""
        return Targets(self.rows[chosen], self.X[chosen], self.group[chosen])

    def behind(
        self, X: FloatArray, group: NDArray[np.int32], rules: ColumnRules
    ) -> tuple[FloatArray, Columns]:
        """Return the rows of a block, the targets behind them, and their columns."""
        X = np.concatenate([X, self.X])
        return X, rules.of_rows(X, np.concatenate([group, self.group]))


def _places(rows: IndexArray, numbers: IndexArray) -> IndexArray:
    """Return the places of some rows among ascending numbers, -1 for none."""
    place = np.searchsorted(numbers, rows)
    is_there = numbers[np.minimum(place, numbers.size - 1)] == rows
    return np.where(is_there, place, -1)


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
    numbers = np.arange(first_row, first_row + len(X))
    return nearest_among(
        X, numbers, group, targets, rules, squared, n_neighbors, barred
    )


def nearest_among(
    X: FloatArray,
    numbers: IndexArray,
    group: NDArray[np.int32],
    targets: Targets,
    rules: ColumnRules,
    squared: bool,
    n_neighbors: int,
    barred: IndexArray | None = None,
) -> NearestRows:
    """Find the same among some rows X with numbers (n,), ascending; n may be 0."""
    n_rows, shape = len(X), (targets.rows.size, n_neighbors)
    if n_rows == 0 or shape[0] == 0:
        nothing = np.full(shape, -1, dtype=np.int64)
        return NearestRows(nothing, np.full(shape, np.inf), X.shape[1])
    barred = targets.rows[:, None] if barred is None else barred
    both, columns = targets.behind(X, group, rules)
    rows, distances = nearest_rows(
        both,
        np.arange(n_rows, len(both)),
        _places(barred, numbers),
        columns,
        squared,
        n_neighbors,
        n_jobs=1,
        n_candidates=n_rows,
    )
    return NearestRows(np.where(rows >= 0, numbers[rows], -1), distances, X.shape[1])


def join_nearest(first: NearestRows, later: NearestRows) -> NearestRows:
    """Merge the tables of a block and of one behind it."""
    rows, distances = merge_nearest(*first[:2], *later)
    return NearestRows(rows, distances, first.n_features)


TiedRows = list[tuple[IndexArray, IndexArray]]


def tied_in_block(
    X: FloatArray,
    first_row: int,
    group: NDArray[np.int32],
    targets: Targets,
    bounds: FloatArray,
    rules: ColumnRules,
    squared: bool,
) -> TiedRows:
    """Find the rows of a block that are nearer than bounds, and between them."""
    numbers = np.arange(first_row, first_row + len(X))
    return tied_among(X, numbers, group, targets, bounds, rules, squared)


def tied_among(
    X: FloatArray,
    numbers: IndexArray,
    group: NDArray[np.int32],
    targets: Targets,
    bounds: FloatArray,
    rules: ColumnRules,
    squared: bool,
) -> TiedRows:
    """Find the same among some rows X with numbers (n,), ascending; n may be 0."""
    n_rows, n_targets = len(X), targets.rows.size
    if n_rows == 0 or n_targets == 0:
        return [(numbers[:0], numbers[:0])] * n_targets
    both, columns = targets.behind(X, group, rules)
    queries, own = np.arange(n_rows, len(both)), _places(targets.rows, numbers)
    found = tied_rows(both, queries, own, bounds, columns, squared, n_rows, 1)
    return [(numbers[sure], numbers[tied]) for sure, tied in found]


def join_tied(first: TiedRows, later: TiedRows) -> TiedRows:
    """Merge the lists of a block and of one behind it."""
    return [
        (np.concatenate([sure, more_sure]), np.concatenate([tied, more_tied]))
        for (sure, tied), (more_sure, more_tied) in zip(first, later, strict=True)
    ]


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
    excluded = _places(barred, np.arange(first_row, first_row + n_rows))
    block = single_columns(both, columns)
    rows, distances = np.full(n_targets, -1), np.full(n_targets, np.inf)
    for q in range(n_targets):
        rows[q], distances[q] = nearest_one(
            both, block, n_rows + q, excluded[q], n_rows, columns, weights[q]
        )
    return NearestRow(np.where(rows >= 0, rows + first_row, -1), distances, X[rows])


def join_nearest_row(first: NearestRow, later: NearestRow) -> NearestRow:
    """Keep the nearer row of each target, the first of tied ones."""
    # As in `keep_nearest`: distances that agree up to rounding are tied.
    below = 1.0 - 2.0 * ROUNDOFF_64 * (first.X.shape[1] + 8)
    is_nearer = later.distances < first.distances * below
    return NearestRow(
        np.where(is_nearer, later.rows, first.rows),
        np.where(is_nearer, later.distances, first.distances),
        np.where(is_nearer[:, None], later.X, first.X),
    )
