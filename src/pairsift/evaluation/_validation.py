"""The door of this room: arrays of the right form, or an error that says why not."""

from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pairsift._typing import FloatArray, IndexArray
from pairsift.constraints import encode_labels
from pairsift.exceptions import DataError


def as_matrix(X: ArrayLike, name: str) -> FloatArray:
    """Return `X` as a matrix of finite floats."""
    from sklearn.utils import check_array

    try:
        return check_array(X, dtype=np.float64, input_name=name)
    except (TypeError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        raise DataError(
            f"{name} must be a matrix of finite numbers: {reason}"
        ) from error


def as_labels(y: ArrayLike, name: str, n_rows: int, table: str) -> NDArray[Any]:
    """Return `y` as one label for each row of `table`, none missing."""
    import pandas as pd

    labels = np.asarray(y)
    _check_shape(labels, name, n_rows, table)
    if pd.isna(labels).any():
        raise DataError(
            f"{name} must hold no missing labels, got {pd.isna(labels).sum()}: "
            "leave the unlabelled rows out."
        )
    # Data frames hand over integers and text as objects, which classifiers refuse.
    return np.asarray(labels.tolist()) if labels.dtype == object else labels


def as_prototypes(
    y: ArrayLike, name: str, n_rows: int, table: str
) -> tuple[IndexArray, NDArray[Any]]:
    """Return the class number of each row, -1 if it is no prototype, and the classes.

    At least one row is a prototype.
    """
    _check_shape(np.asarray(y), name, n_rows, table)
    try:
        codes, classes = encode_labels(y)
    except ValueError as error:
        raise DataError(str(error).replace("y must", f"{name} must", 1)) from error
    if classes.size == 0:
        raise DataError(f"{name} must hold at least one label, got none.")
    return codes, np.asarray(classes.tolist())


def _check_shape(labels: NDArray[Any], name: str, n_rows: int, table: str) -> None:
    if labels.shape != (n_rows,):
        raise DataError(
            f"{name} must hold one label for each of the {n_rows} rows of {table}, "
            f"got shape {labels.shape}."
        )


def as_features(features: ArrayLike, name: str, n_features: int) -> IndexArray:
    """Return `features` as column numbers, each at most once."""
    columns = as_integers(features, name)
    outside = columns[(columns < 0) | (columns >= n_features)]
    if outside.size:
        raise DataError(
            f"{name} must hold column numbers from 0 to {n_features - 1}, "
            f"got {outside[0]}."
        )
    values, counts = np.unique(columns, return_counts=True)
    if values.size < columns.size:
        raise DataError(
            f"{name} must name each feature once, got {values[counts > 1][0]} "
            f"{counts.max()} times."
        )
    return columns


def as_integers(values: ArrayLike, name: str) -> IndexArray:
    """Return `values` as a list of integers."""
    integers = np.asarray(values)
    if integers.ndim != 1 or (integers.size and integers.dtype.kind not in "iu"):
        raise DataError(
            f"{name} must be a one-dimensional list of integers, got "
            f"{integers.dtype} values of shape {integers.shape}."
        )
    return integers.astype(np.int64)


def check_size(size: int, n_ranked: int) -> None:
    """Refuse a `size` that is no number of ranked features."""
    if not isinstance(size, Integral) or not 1 <= size <= n_ranked:
        raise DataError(f"size must be an integer from 1 to {n_ranked}, got {size!r}.")
