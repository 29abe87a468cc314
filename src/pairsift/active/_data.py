"""The rows of a session: numbers, categories and missing values."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from sklearn.base import BaseEstimator

from pairsift._blocks import Blocks
from pairsift._typing import BoolArray, FloatArray, IndexArray
from pairsift.selectors import Table, as_table

# A column with more categories is a name or a comment, and costs as many columns.
MOST_CATEGORIES = 1_000


class SessionDoor(BaseEstimator):
    """What the door of the selectors asks for; errors name it as below."""

    _accepts_categorical = _accepts_missing = True
    _for_blocks = "pairsift.distributed.session(X)"

    def __init__(self, categorical_features: Any = "auto") -> None:
        self.categorical_features = categorical_features


SessionDoor.__name__ = "ActiveSession"


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


def as_rows(X: Any, categorical_features: Any, *, copy: bool) -> Table:
    """Return data as users hold it as numbers, NaN where a value is missing.

    Rows in blocks stay where they are; X : may be Blocks, of which categorical_features
    are positions.
    copy : whether to be safe from an owner who changes X while people answer.
    """
    if isinstance(X, Blocks):
        is_categorical = np.zeros(X.shape[1], dtype=bool)
        is_categorical[categorical_features] = True
        n_missing = int(X.extremes.n_missing.sum())
        table = Table(cast(FloatArray, FetchedRows(X)), is_categorical)
    else:
        table = as_table(SessionDoor(categorical_features), X)
        n_missing = np.isnan(table.X).sum() if has_missing(table.X) else 0
        table = Table(table.X.astype(np.float64, copy=copy), table.is_categorical)
    if n_missing == table.X.shape[0] * table.X.shape[1]:
        raise ValueError("X holds missing values only: there is nothing to compare.")
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
    numbers = X[:, ~is_categorical] if is_categorical.any() else X
    if scale is not None:
        numbers = numbers * scale[~is_categorical]
    places = np.flatnonzero(is_categorical).tolist()
    parts = [numbers, *(_one_hot(X[:, j], j) for j in places)]
    points = np.column_stack(parts) if places else numbers
    if not has_missing(points):
        return points
    is_missing = np.isnan(points)
    n_known = np.maximum(len(points) - is_missing.sum(axis=0), 1)
    mean = np.where(is_missing, 0.0, points).sum(axis=0) / n_known
    return np.where(is_missing, mean, points)


def ranges(X: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the smallest value of every column and one over its range, else 0."""
    if isinstance(X, FetchedRows):
        low, high, _ = X.blocks.extremes
    else:
        low, high = np.fmin.reduce(X, axis=0), np.fmax.reduce(X, axis=0)
    low = np.where(np.isnan(low), 0.0, low)
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        scale = 1.0 / (high - low)
    return low, np.where(np.isfinite(scale), scale, 0.0)


def has_missing(X: FloatArray) -> bool:
    """Tell whether any value is missing."""
    if isinstance(X, FetchedRows):
        return X.blocks.has_missing
    # The sum takes no array of its own.
    with np.errstate(all="ignore"):
        return bool(np.isnan(X.sum())) and bool(np.isnan(X).any())


def _one_hot(codes: FloatArray, j: int) -> FloatArray:
    values = np.unique(codes[~np.isnan(codes)])
    if values.size > MOST_CATEGORIES:
        raise ValueError(
            f"column {j} of X has {values.size:,} categories, which say little about "
            f"distances (accepted are {MOST_CATEGORIES:,}): leave it out."
        )
    hot = (codes[:, None] == values) / np.sqrt(2.0)
    hot[np.isnan(codes)] = np.nan
    return hot
