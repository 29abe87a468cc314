"""The door of the public functions on arrays: right at once, or one clear sentence."""

import os
from collections.abc import Collection
from numbers import Real
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from pairsift._typing import FloatArray

# Bytes that need no look at how much memory there is.
LITTLE_MEMORY = 1e9


def as_matrix(X: Any, name: str = "X", *, allow_nan: bool = False) -> FloatArray:
    """Return finite numbers as a C-ordered float64 matrix with at least one cell."""
    refuse_path(X, name)
    matrix = np.ascontiguousarray(X, dtype=np.float64)
    if matrix.ndim != 2 or 0 in matrix.shape:
        raise ValueError(
            f"{name} must have rows and columns, got an array of shape {matrix.shape}."
        )
    # The sum is finite in all but the rare case, and takes no array of its own.
    with np.errstate(all="ignore"):
        is_clean = np.isfinite(matrix.sum())
    if not is_clean and np.isinf(matrix).any():
        raise ValueError(f"{name} contains infinity, numbers must be finite.")
    if not is_clean and not allow_nan and np.isnan(matrix).any():
        raise ValueError(f"{name} contains NaN, which is not accepted here.")
    return matrix


def refuse_path(X: Any, name: str = "X") -> None:
    """Refuse the name of a file in the place of data."""
    if isinstance(X, str | bytes | PathLike):
        raise TypeError(
            f"{name} is the text {str(X)!r}, not data: if it names a file, read that "
            "first, for example with pandas.read_csv."
        )


def check_choice(value: Any, name: str, accepted: Collection[Any]) -> None:
    """Refuse a value that is not one of those accepted."""
    if not isinstance(value, str | None) or value not in accepted:
        raise ValueError(
            f"{name} must be one of {', '.join(map(repr, accepted))}, got {value!r}."
        )


def check_at_least(value: Any, name: str, minimum: int) -> None:
    """Refuse what is not a whole number of at least the minimum."""
    is_whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not is_whole or value < minimum:
        raise ValueError(
            f"{name} must be a whole number of at least {minimum}, got {value!r}."
        )


def check_positive(value: Any, name: str) -> None:
    """Refuse what is not a number above 0."""
    if not isinstance(value, Real) or not 0 < float(value) < np.inf:
        raise ValueError(f"{name} must be a positive number, got {value!r}.")


def check_squarable(X: FloatArray) -> None:
    """Refuse numbers whose squares cannot be summed."""
    if np.abs(X).max() > 1e150:
        raise ValueError(
            "X holds numbers so large that their squares overflow: scale it first."
        )


def check_memory(n_bytes: float, what: str, instead: str) -> None:
    """Refuse arrays that do not fit into the memory that is left.

    what : the arrays, in the plural; instead : what to do, an infinitive.
    """
    if n_bytes < LITTLE_MEMORY:
        return
    available = available_memory()
    if n_bytes > available:
        raise ValueError(
            f"{what} take {n_bytes / 1e9:.1f} GB of memory, and "
            f"{available / 1e9:.1f} GB are available: {instead}."
        )


def available_memory() -> float:
    """Return the bytes that can be had without swapping, inf where nothing tells."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        kilobytes = dict(line.split(":") for line in lines)["MemAvailable"].split()[0]
        return 1024.0 * float(kilobytes)
    except (OSError, KeyError, ValueError):
        pass
    try:
        return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, OSError, ValueError):
        return np.inf
