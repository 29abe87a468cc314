"""The doors of this room: numbers, kinds of columns, classes and targets."""

from typing import Any, NamedTuple

import numpy as np

from pairsift._checks import as_matrix
from pairsift._typing import BoolArray, FloatArray, IndexArray
from pairsift._warnings import warn_caller

# Distances are taken after scaling; none is smaller than this.
FLOOR = 1e-10
MAX_COPIES = 0.05
MANY_COPIES = "Rows that are copies of each other"


class Target(NamedTuple):
    """What columns are to tell about: classes or numbers."""

    classes: IndexArray
    """(n,) class numbers 0, 1, ..., or empty."""
    numbers: FloatArray
    """(n, m) columns of numbers, or (n, 0)."""


def as_numbers(X: Any, name: str = "X") -> FloatArray:
    """Return a matrix of finite numbers whose differences can be taken."""
    matrix = as_matrix(X, name)
    if np.abs(matrix).max() > 1e150:
        raise ValueError(
            f"{name} holds numbers so large that their squares overflow: scale it "
            "first."
        )
    return matrix


def discrete_mask(X: FloatArray, discrete_features: Any) -> BoolArray:
    """Tell which columns are discrete: by their values, all, none, or as given."""
    n_samples, n_features = X.shape
    if isinstance(discrete_features, str) and discrete_features == "auto":
        most = min(n_samples / 2, _few(n_samples))
        return np.array([np.unique(x).size <= most for x in X.T])
    if isinstance(discrete_features, bool | np.bool_):
        return np.full(n_features, bool(discrete_features))
    mask = np.asarray(discrete_features)
    if mask.dtype != bool or mask.shape != (n_features,):
        raise ValueError(
            "discrete_features must be 'auto', True, False or a mask of "
            f"{n_features} booleans, one for each column of X, got "
            f"{discrete_features!r}."
        )
    return mask


def _few(n_samples: int) -> float:
    return max(10.0, np.sqrt(n_samples))


def as_target(y: Any, n_samples: int, discrete_target: Any) -> Target:
    """Read the target as classes or numbers, one for each row."""
    is_auto = isinstance(discrete_target, str) and discrete_target == "auto"
    if not is_auto and not isinstance(discrete_target, bool | np.bool_):
        raise ValueError(
            f"discrete_target must be 'auto', True or False, got {discrete_target!r}."
        )
    if np.ndim(y) == 2 and np.shape(y)[1] == 1:
        y = np.asarray(y)[:, 0]
    if np.ndim(y) == 2:
        return _target_of_columns(y, n_samples, is_auto or not discrete_target)
    values = as_series(y, n_samples, "y")
    if _holds_classes(values) if is_auto else discrete_target:
        return Target(values.factorize()[0].astype(np.int64), np.empty((n_samples, 0)))
    if values.dtype.kind not in "iufb":
        raise ValueError(
            "y must hold numbers where discrete_target is False, got values such as "
            f"{values.iloc[0]!r}."
        )
    numbers = as_numbers(values.to_numpy(np.float64).reshape(-1, 1), "y")
    return Target(np.empty(0, dtype=np.int64), numbers)


def _target_of_columns(y: Any, n_samples: int, may_be_numbers: bool) -> Target:
    numbers = as_numbers(y, "y")
    if len(numbers) != n_samples or not may_be_numbers:
        raise ValueError(
            f"y must hold one class, or numbers, for each of the {n_samples} rows of "
            f"X, got an array of shape {numbers.shape}."
        )
    return Target(np.empty(0, dtype=np.int64), numbers)


def as_series(y: Any, n_samples: int, name: str) -> Any:
    """Return values as a pandas Series, which knows every way to miss one."""
    import pandas as pd

    is_plain = isinstance(y, list | tuple | pd.Series | pd.Categorical)
    values = pd.Series(y if is_plain else np.asarray(y))
    if len(values) != n_samples:
        raise ValueError(
            f"{name} must hold one value for each of the {n_samples} rows of X, got "
            f"{len(values)} of them."
        )
    if values.isna().any():
        raise ValueError(f"{name} contains missing values: leave these rows out.")
    return values


def _holds_classes(values: Any) -> bool:
    """Tell classes from numbers: numbers have fractions or very many values."""
    if values.dtype.kind != "f":
        return True
    numbers = values.to_numpy(np.float64)
    is_whole = bool((numbers == np.floor(numbers)).all())
    return is_whole and np.unique(numbers).size <= _few(len(numbers))


def codes_of(x: Any) -> IndexArray:
    """Numbers 0, 1, ... for the distinct values of a column."""
    return np.unique(x, return_inverse=True)[1].reshape(-1)


def joint_codes(columns: FloatArray) -> IndexArray:
    """Numbers 0, 1, ... for the distinct rows of discrete columns."""
    codes = np.zeros(len(columns), dtype=np.int64)
    for x in columns.T:
        values = codes_of(x)
        codes = codes_of(codes * (values.max() + 1) + values)
    return codes


def column_scales(X: FloatArray) -> FloatArray:
    """One over the standard deviation of each column, 0 for a constant one."""
    low, span = X.min(axis=0), np.ptp(X, axis=0)
    with np.errstate(all="ignore"):
        scales = 1.0 / (((X - low) / span).std(axis=0) * span)
    return np.where(np.isfinite(scales), scales, 0.0)


def warn_of_copies(share: float) -> None:
    """Warn a public function's caller that many k-th neighbours are copies."""
    if share > MAX_COPIES:
        warn_caller(
            f"{MANY_COPIES} in continuous columns decide {share:.0%} of the distances "
            "to the k-th neighbour, which makes the estimate arbitrary: name columns "
            "with few values in discrete_features, or take more n_neighbors."
        )
