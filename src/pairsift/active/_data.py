"""The rows of a session: numbers, categories and missing values."""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import numpy as np
from sklearn.base import BaseEstimator

from pairsift._blocks import Blocks, MappedBlocks
from pairsift._typing import BoolArray, FloatArray, IndexArray
from pairsift.selectors import Table, as_table

# A column with more categories is a name or a comment, and costs as many columns.
MAX_CATEGORIES = 1_000


class SessionDoor(BaseEstimator):
    """What the door of the selectors asks for; errors name it as below."""

    _accepts_categorical = _accepts_missing = _accepts_huge = True
    _for_blocks = "pairsift.distributed.session(X)"

    def __init__(self, categorical_features: Any = "auto") -> None:
        self.categorical_features = categorical_features


SessionDoor.__name__ = "ActiveSession"


class PropagateDoor(SessionDoor):
    """The same door for `propagate`."""

    _for_blocks = "pairsift.distributed.propagate(constraints, X)"


PropagateDoor.__name__ = "propagate"


class FetchedRows:
    """Rows of blocks by number, as an array in memory gives them; kept once fetched."""

    def __init__(self, blocks: Blocks) -> None:
        self.blocks, self.shape = blocks, blocks.shape
        none = np.empty((0, blocks.shape[1]))
        # Numbers, ascending, and their rows: one value, because threads may fetch.
        self._kept: tuple[IndexArray, FloatArray] = np.zeros(0, dtype=np.int64), none

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, numbers: IndexArray | int) -> FloatArray:
        known, rows = self._kept
        new = np.setdiff1d(numbers, known)
        if new.size:
            known = np.concatenate([known, new])
            order = np.argsort(known)
            rows = np.concatenate([rows, self.blocks.rows(new)])[order]
            known = known[order]
            self._kept = known, rows
        return rows[np.searchsorted(known, numbers)]


def as_rows(
    X: Any,
    categorical_features: Any,
    *,
    copy: bool,
    door: type[SessionDoor] = SessionDoor,
) -> Table:
    """Return data as users hold it as numbers, NaN where a value is missing.

    Rows in blocks stay where they are; X : may be Blocks, of which categorical_features
    are positions.
    copy : whether to be safe from an owner who changes X while people answer; door :
    what errors call the one who asks for the rows.
    """
    if isinstance(X, Blocks):
        is_categorical = np.zeros(X.shape[1], dtype=bool)
        is_categorical[categorical_features] = True
        n_missing = int(X.extremes.n_missing.sum())
        table = Table(cast(FloatArray, FetchedRows(X)), is_categorical)
    else:
        table = as_table(door(categorical_features), X)
        n_missing = np.isnan(table.X).sum() if has_missing(table.X) else 0
        table = Table(table.X.astype(np.float64, copy=copy), table.is_categorical)
    _refuse_nothing(int(n_missing), table.X)
    return table


def as_points(
    X: FloatArray, is_categorical: BoolArray, scale: FloatArray | None = None
) -> FloatArray:
    """Return a matrix without missing values whose distances are those of the rows.

    Numbers come first, multiplied by the scale of their column if it is given. A
    categorical column becomes one column per category, so that different categories are
    at distance 1. A missing value is the mean of its column: the shares of the
    categories, where it has any.
    """
    places = np.flatnonzero(is_categorical)
    values = {int(j): np.unique(X[~np.isnan(X[:, j]), j]) for j in places}
    points = PointRule(values, scale).of(X)
    if not has_missing(points):
        return points
    return _with_means(points, _means(*_known_sums(points)))


class PointRule(NamedTuple):
    """How rows become points.

    values : known values of each categorical column; scale : as in `as_points`; means :
    of the columns of points, None to leave missing values as they are.
    """

    values: dict[int, FloatArray]
    scale: FloatArray | None
    means: FloatArray | None = None

    def of(self, X: FloatArray) -> FloatArray:
        """Return some rows as points."""
        is_number = np.ones(X.shape[1], dtype=bool)
        is_number[list(self.values)] = False
        numbers = X if is_number.all() else X[:, is_number]
        if self.scale is not None:
            numbers = numbers * self.scale[is_number]
        hot = [_one_hot(X[:, j], j, values) for j, values in self.values.items()]
        points = np.column_stack([numbers, *hot]) if hot else numbers
        return points if self.means is None else _with_means(points, self.means)


def points_in_blocks(blocks: Blocks, is_categorical: BoolArray) -> Blocks:
    """Return rows in blocks as `as_points` does, each block when it is read.

    Category numbers are 0, 1, ... without gaps; numbers are divided by their ranges
    where there are categories. One pass for the means where values are missing.
    """
    low, high, n_missing = blocks.extremes
    _refuse_nothing(int(n_missing.sum()), blocks)
    if not is_categorical.any() and not blocks.has_missing:
        return blocks
    n_known = len(blocks) - n_missing
    values = {
        int(j): np.arange(high[j] + 1.0 if n_known[j] else 0.0)
        for j in np.flatnonzero(is_categorical)
    }
    rule = PointRule(values, _inverse_ranges(low, high) if values else None)
    if blocks.has_missing:
        means = _means(*blocks.reduce(_known_sums_of_block, _add_sums, rule))
        rule = rule._replace(means=means)
    n_numbers = int(np.count_nonzero(~is_categorical))
    n_columns = n_numbers + sum(known.size for known in values.values())
    return MappedBlocks(blocks, rule.of, n_columns)


def _with_means(points: FloatArray, means: FloatArray) -> FloatArray:
    return np.where(np.isnan(points), means, points)


def _known_sums(points: FloatArray) -> tuple[FloatArray, FloatArray]:
    is_missing = np.isnan(points)
    n_known = len(points) - is_missing.sum(axis=0)
    return np.where(is_missing, 0.0, points).sum(axis=0), n_known


def _known_sums_of_block(
    X: FloatArray, first_row: int, rule: PointRule
) -> tuple[FloatArray, FloatArray]:
    return _known_sums(rule.of(X))


def _add_sums(
    first: tuple[FloatArray, FloatArray], later: tuple[FloatArray, FloatArray]
) -> tuple[FloatArray, FloatArray]:
    return first[0] + later[0], first[1] + later[1]


def _means(sums: FloatArray, n_known: FloatArray) -> FloatArray:
    """Return the means of known values, 0 for a column that has none."""
    return sums / np.maximum(n_known, 1)


def ranges(X: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the smallest value of every column and one over its range, else 0."""
    if isinstance(X, FetchedRows):
        low, high, _ = X.blocks.extremes
    else:
        low, high = np.fmin.reduce(X, axis=0), np.fmax.reduce(X, axis=0)
    low = np.where(np.isnan(low), 0.0, low)
    return low, _inverse_ranges(low, high)


def _inverse_ranges(low: FloatArray, high: FloatArray) -> FloatArray:
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        scale = 1.0 / (high - low)
    return np.where(np.isfinite(scale), scale, 0.0)


def _refuse_nothing(n_missing: int, X: FloatArray | Blocks) -> None:
    if n_missing == X.shape[0] * X.shape[1]:
        raise ValueError("X holds missing values only: there is nothing to compare.")


def has_missing(X: FloatArray) -> bool:
    """Tell whether any value is missing."""
    if isinstance(X, FetchedRows):
        return X.blocks.has_missing
    # The sum takes no array of its own.
    with np.errstate(all="ignore"):
        return bool(np.isnan(X.sum())) and bool(np.isnan(X).any())


def _one_hot(codes: FloatArray, j: int, values: FloatArray) -> FloatArray:
    if values.size > MAX_CATEGORIES:
        raise ValueError(
            f"column {j} of X has {values.size:,} categories, which say little about "
            f"distances (accepted are {MAX_CATEGORIES:,}): leave it out."
        )
    hot = (codes[:, None] == values) / np.sqrt(2.0)
    hot[np.isnan(codes)] = np.nan
    return hot
