"""The rows of a session: numbers, categories and missing values."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from pairsift._typing import BoolArray, FloatArray
from pairsift.selectors import Table, as_table

# A column with more categories is a name or a comment, and costs as many columns.
MOST_CATEGORIES = 1_000


class _Door(BaseEstimator):
    """What the door of the selectors asks for; errors name it as below."""

    _accepts_categorical = _accepts_missing = True

    def __init__(self, categorical_features: Any = "auto") -> None:
        self.categorical_features = categorical_features


_Door.__name__ = "ActiveSession"


def as_rows(X: Any, categorical_features: Any, *, copy: bool) -> Table:
    """Return data as users hold it as numbers, NaN where a value is missing.

    copy : whether to be safe from an owner who changes X while people answer.
    """
    table = as_table(_Door(categorical_features), X)
    if _has_missing(table.X) and np.isnan(table.X).all():
        raise ValueError("X holds missing values only: there is nothing to compare.")
    return Table(table.X.astype(np.float64, copy=copy), table.is_categorical)


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
    if not _has_missing(points):
        return points
    is_missing = np.isnan(points)
    n_known = np.maximum(len(points) - is_missing.sum(axis=0), 1)
    mean = np.where(is_missing, 0.0, points).sum(axis=0) / n_known
    return np.where(is_missing, mean, points)


def ranges(X: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the smallest value of every column and one over its range, else 0."""
    low, high = np.fmin.reduce(X, axis=0), np.fmax.reduce(X, axis=0)
    low = np.where(np.isnan(low), 0.0, low)
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        scale = 1.0 / (high - low)
    return low, np.where(np.isfinite(scale), scale, 0.0)


def _has_missing(X: FloatArray) -> bool:
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
