"""A table as numbers: for distances between rows, and for what sets two rows apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from pairsift._typing import FloatArray
from pairsift.cli._tables import scale
from pairsift.exceptions import DataError

if TYPE_CHECKING:
    import pandas as pd

# A text column with more values is a name or a comment, and costs as many columns.
MAX_VALUES = 1000


def as_numbers(features: pd.DataFrame, *, is_scaled: bool = True) -> FloatArray:
    """Return a matrix whose distances are those of the table.

    Numeric columns are scaled to [0, 1]. A categorical column becomes one column
    per value, so that two different values are at distance 1. Missing values become the
    mean of their column.
    """
    from pairsift.active import as_points

    numbers = features.select_dtypes("number")
    text = features.drop(columns=numbers.columns)
    refuse_names(text)
    if features.isna().to_numpy().all():
        raise DataError("all columns are empty: there is nothing to compare rows by.")
    scaled = scale(numbers) if is_scaled else numbers
    quantities = scaled.to_numpy(dtype=np.float64, na_value=np.nan)
    X = np.column_stack([quantities, *(_codes(text[name]) for name in text)])
    is_categorical = np.arange(X.shape[1]) >= numbers.shape[1]
    return as_points(X, is_categorical)


def filling_notes(features: pd.DataFrame) -> list[str]:
    """Say so when missing values were filled."""
    if not features.isna().to_numpy().any():
        return []
    return ["in distances, a missing value counts as the mean of its column."]


class Differences:
    """How far apart two rows are in every column of a table."""

    def __init__(self, features: pd.DataFrame) -> None:
        numbers = set(features.select_dtypes("number"))
        self._is_text = np.array([name not in numbers for name in features])
        columns = [
            features[name].to_numpy(dtype=np.float64, na_value=np.nan)
            if name in numbers
            else _codes(features[name])
            for name in features
        ]
        cells = np.column_stack(columns)
        # Numbers at the end of their range have infinite widths and differences.
        with np.errstate(over="ignore", invalid="ignore"):
            self._cells = cells / _usual_width(cells)

    def between(self, i: int, j: int) -> FloatArray:
        """Return the differences as shares of the usual width of each column.

        A share is above 1 where a value is unusual; for text it is 0 or 1, and NaN
        where a cell is missing.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            delta = np.abs(self._cells[i] - self._cells[j])
        return np.where(self._is_text & (delta > 0), 1.0, delta)

    def within(self, rows: Sequence[int]) -> FloatArray:
        """Return the largest difference between some rows in every column, 0 if none.

        Missing values are left out.
        """
        cells = self._cells[list(rows)]
        with np.errstate(over="ignore", invalid="ignore"):
            width = np.fmax.reduce(cells, axis=0) - np.fmin.reduce(cells, axis=0)
        width = np.where(self._is_text & (width > 0), 1.0, width)
        return np.where(np.isnan(width), 0.0, width)


def _usual_width(X: FloatArray) -> FloatArray:
    """Return the width of the middle 90 % of each column: a few outliers do not matter.

    It is the whole width where nearly all values are equal, and 1 where all are.
    """
    in_order = np.sort(X, axis=0)  # missing values last
    last = np.maximum(np.count_nonzero(~np.isnan(X), axis=0) - 1, 0)

    def between(low: FloatArray, high: FloatArray) -> FloatArray:
        ends = np.stack([low, high]).astype(np.int64)
        first, second = np.take_along_axis(in_order, ends, axis=0)
        return second - first

    middle = between(np.ceil(0.05 * last), np.floor(0.95 * last))
    width = np.where(middle > 0, middle, between(0.0 * last, 1.0 * last))
    return np.where(width > 0, width, 1.0)


def refuse_names(text: pd.DataFrame) -> None:
    """Refuse text columns of names or comments."""
    for name in text:
        n_values = int(text[name].nunique())
        if n_values > MAX_VALUES:
            raise DataError(
                f"column {name!r} is text with {n_values:,} different values, which "
                f"say little about distances (accepted are {MAX_VALUES:,}): leave it "
                "out with --drop, or name it with --id."
            )


def _codes(column: pd.Series) -> FloatArray:
    """Return a number for every value of a text column, NaN where it is missing."""
    import pandas as pd

    codes = pd.factorize(column)[0].astype(np.float64)
    return np.where(codes < 0, np.nan, codes)
