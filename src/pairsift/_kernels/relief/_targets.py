"""Nearest rows of some rows, the targets, among the rows of one block of many.

The targets travel to every block. Tables of neighbouring blocks are merged, and are
then those that `nearest_rows` finds among all rows at once: distances are computed by
one function from the same numbers, and ties go to the smaller row.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairsift._kernels.relief._columns import ColumnRules, Columns
from pairsift._kernels.relief._near_hits import tied_rows
from pairsift._kernels.relief._neighbors import merge_nearest, nearest_rows
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


def _places(rows: IndexArray, first_row: int, n_rows: int) -> IndexArray:
    """Return the places of some rows in a block, -1 outside of it."""
    place = rows - first_row
    return np.where((place >= 0) & (place < n_rows), place, -1)


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
    rows[rows >= 0] += first_row
    return NearestRows(rows, distances, X.shape[1])


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
    n_rows = len(X)
    both, columns = targets.behind(X, group, rules)
    queries = np.arange(n_rows, len(both))
    own = _places(targets.rows, first_row, n_rows)
    found = tied_rows(both, queries, own, bounds, columns, squared, n_rows, 1)
    return [(sure + first_row, tied + first_row) for sure, tied in found]


def join_tied(first: TiedRows, later: TiedRows) -> TiedRows:
    """Merge the lists of a block and of one behind it."""
    return [
        (np.concatenate([sure, more_sure]), np.concatenate([tied, more_tied]))
        for (sure, tied), (more_sure, more_tied) in zip(first, later, strict=True)
    ]
