"""Columns of any kind as whole numbers that are equal where cells are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd

    from pairsift._typing import BoolArray, IndexArray

# Sorting takes a copy of a block of columns, not of the table.
_BLOCK_CELLS = 4_000_000


class ColumnCodes:
    """The cells of a table as whole numbers, for questions about all columns at once.

    One operation on a column of a data frame takes about a tenth of a millisecond,
    whatever its length: with loops, 20,000 columns take many seconds.
    """

    def __init__(self, features: pd.DataFrame) -> None:
        self.dtypes = list(features.dtypes)
        self.is_missing: BoolArray = features.isna().to_numpy()
        self.codes = np.empty(features.shape, dtype=np.int64, order="F")
        for numbers, cells in plain_blocks(features):
            if cells.dtype.kind == "f":
                # Adding 0 makes 0 of -0; NaN has one of its many forms.
                cells = np.where(np.isnan(cells), np.nan, cells + 0.0)
                self.codes[:, numbers] = cells.astype(np.float64).view(np.int64)
            else:
                self.codes[:, numbers] = cells
        for number in np.flatnonzero(~is_plain(features)).tolist():
            self.codes[:, number] = _category_codes(features.iloc[:, number])

    def n_values(self) -> IndexArray:
        """Count the different values of each column, without missing ones."""
        n_rows, n_columns = self.codes.shape
        if not n_rows:
            return np.zeros(n_columns, dtype=np.int64)
        width = max(_BLOCK_CELLS // n_rows, 1)
        blocks = [
            np.sort(self.codes[:, start : start + width], axis=0)
            for start in range(0, n_columns, width)
        ]
        n_values = [1 + (block[1:] != block[:-1]).sum(axis=0) for block in blocks]
        counts = np.concatenate([np.zeros(0, dtype=np.int64), *n_values])
        return counts - self.is_missing.any(axis=0)

    def n_copied_rows(self) -> int:
        """Count the rows that are equal to an earlier one."""
        rows = self.codes[_are_repeated(self.codes @ _factors(self.codes.shape[1]))]
        if not rows.size:
            return 0
        whole = np.ascontiguousarray(rows).view(f"V{rows.itemsize * rows.shape[1]}")
        return len(rows) - len(np.unique(whole))

    def copied_columns(self) -> Iterator[tuple[int, int]]:
        """Yield pairs of columns that may be equal, the first of its kind before.

        They are equal if they hold numbers; words have codes of their own column.
        """
        first_with: dict[tuple[int, Any], int] = {}
        keys = _factors(len(self.codes)) @ self.codes
        for number in np.flatnonzero(_are_repeated(keys)).tolist():
            kind = int(keys[number]), self.dtypes[number]
            first = first_with.setdefault(kind, number)
            is_same = np.array_equal(self.codes[:, number], self.codes[:, first])
            if first != number and is_same:
                yield first, number

    def one_value_each(self, labels: IndexArray) -> BoolArray:
        """Tell which columns hold no two values within a class, missing ones aside."""
        is_one = np.ones(self.codes.shape[1], dtype=bool)
        ends = np.iinfo(np.int64)
        for label in np.unique(labels):
            of_class = labels == label
            cells, is_missing = self.codes[of_class], self.is_missing[of_class]
            low = np.where(is_missing, ends.max, cells).min(axis=0)
            high = np.where(is_missing, ends.min, cells).max(axis=0)
            is_one &= low >= high
        return is_one


def is_plain(features: pd.DataFrame) -> BoolArray:
    """Tell which columns hold numbers or truth values as NumPy knows them."""
    return np.array([is_numpy_number(dtype) for dtype in features.dtypes], dtype=bool)


def is_numpy_number(dtype: Any) -> bool:
    """Whether cells of a type are numbers or truth values as NumPy knows them."""
    return isinstance(dtype, np.dtype) and dtype.kind in "biuf"


def plain_blocks(features: pd.DataFrame) -> Iterator[tuple[IndexArray, NDArray[Any]]]:
    """Yield the numbers of the plain columns of each type, and their cells."""
    by_type: dict[Any, list[int]] = {}
    for number, dtype in enumerate(features.dtypes):
        by_type.setdefault(dtype, []).append(number)
    for dtype, numbers in by_type.items():
        if is_numpy_number(dtype):
            yield np.array(numbers), features.iloc[:, numbers].to_numpy()


def _category_codes(column: pd.Series) -> IndexArray:
    import pandas as pd

    codes: IndexArray = pd.factorize(column)[0].astype(np.int64)
    return codes


def _factors(n: int) -> NDArray[np.int64]:
    """Return factors, the same each time, by which different sums are likely."""
    rng = np.random.default_rng(0)
    return rng.integers(1, 2**62, n, dtype=np.int64) * 2 + 1


def _are_repeated(keys: NDArray[Any]) -> BoolArray:
    _, place, counts = np.unique(keys, return_inverse=True, return_counts=True)
    repeated: BoolArray = counts[place.ravel()] > 1
    return repeated
