"""A number for each row that follows from its cells alone, not from its place."""

from typing import Any

import numpy as np

from pairsift import _kernels
from pairsift._typing import BoolArray, FloatArray

Shares = dict[int, tuple[FloatArray, Any]]
"""The values of categorical columns, ascending, and their numbers, or shares of all."""


def count_values(
    X: FloatArray, first_row: int, is_categorical: BoolArray, rows: Any = slice(None)
) -> Shares:
    """Count the values of categorical columns."""
    return {
        int(j): np.unique(X[rows, j], return_counts=True)
        for j in np.flatnonzero(is_categorical)
    }


def join_counts(first: Shares, later: Shares) -> Shares:
    """Count those of two blocks together."""
    joined = {}
    for j in first:
        values, counts = (
            np.concatenate(parts) for parts in zip(first[j], later[j], strict=True)
        )
        values, places = np.unique(values, return_inverse=True)
        joined[j] = values, np.bincount(places, counts)
    return joined


def shares_of(counts: Shares) -> Shares:
    """Return shares of all rows in place of numbers."""
    return {
        j: (values, number / number.sum()) for j, (values, number) in counts.items()
    }


def _standard_cells(
    X: FloatArray, columns: "_kernels.Columns", shares: Shares
) -> FloatArray:
    """Numbers from 0 to 1, the share of its value for a category, -1 where missing."""
    known = (X - columns.offset) * columns.scale
    for j, (values, share) in shares.items():
        known[:, j] = share[np.searchsorted(values, X[:, j])]
    return np.where(np.isnan(known), -1.0, known)


def sum_squares(
    X: FloatArray,
    first_row: int,
    columns: "_kernels.Columns",
    shares: Shares,
    weights: FloatArray | None = None,
) -> FloatArray:
    """Return Σ cell² · number² of every column, of standard cells.

    The number of a row is Σ weight · cell, or 1 without weights.
    """
    cells = _standard_cells(X, columns, shares)
    if weights is None:
        return (cells**2).sum(axis=0)
    numbers = (cells * weights).sum(axis=1, keepdims=True)
    return ((cells * numbers) ** 2).sum(axis=0)


def contents_of(
    X: FloatArray,
    first_row: int,
    columns: "_kernels.Columns",
    shares: Shares,
    weights: FloatArray,
) -> FloatArray:
    """Return Σ weight · cell of every row, of standard cells."""
    return (_standard_cells(X, columns, shares) * weights).sum(axis=1)


def list_contents(*arguments: Any) -> list[FloatArray]:
    """Return the same in a list, which blocks are joined by."""
    return [contents_of(*arguments)]
