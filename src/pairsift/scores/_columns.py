"""Columns made comparable: centred, and of unit length."""

import numpy as np

from pairsift._typing import BoolArray, FloatArray


def centred_columns(X: FloatArray) -> FloatArray:
    """Return the columns without their means, exactly 0 for a constant one."""
    # Counted from its own first value a constant column is 0, whatever the rounding.
    shifted = X - X[0]
    return shifted - shifted.mean(axis=0)


def unit_columns(X: FloatArray) -> FloatArray:
    """Return the columns at unit length, 0 for a column of zeros."""
    # Squares of very large or very small numbers are no numbers.
    largest = np.abs(X).max(axis=0)
    X = X / np.where(largest > 0.0, largest, 1.0)
    lengths = np.sqrt((X**2).sum(axis=0))
    return X / np.where(lengths > 0.0, lengths, 1.0)


def is_constant(X: FloatArray) -> BoolArray:
    """Tell which columns hold one value only."""
    return (X[0] == X).all(axis=0)
