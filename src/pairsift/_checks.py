"""The door of the public functions on arrays: right at once, or one clear sentence."""

from collections.abc import Collection, Iterable
from numbers import Real
from os import PathLike
from typing import Any

import numpy as np

from pairsift._memory import available_memory as available_memory
from pairsift._typing import FloatArray
from pairsift._warnings import warn_caller

# Bytes that need no look at how much memory there is.
LITTLE_MEMORY = 1e8
# Bytes of read-only data, such as memory maps of joblib, that are copied: compiling
# the kernels once more, for data that cannot be written to, takes longer.
MAX_COPIED = 1e8
MAX_SUBTRACTED = np.finfo(np.float64).max / 2.0
# Sums of a million larger numbers overflow.
MAX_SUMMED = np.finfo(np.float64).max / 2.0**20
MIN_DIVISOR = 1e-307
MAX_COUNTED = 2**53


def as_matrix(X: Any, name: str = "X", *, allow_nan: bool = False) -> FloatArray:
    """Return finite numbers as a C-ordered float64 matrix with at least one cell."""
    refuse_path(X, name)
    refuse_masked(X, name)
    matrix = np.ascontiguousarray(X, dtype=np.float64)
    if not matrix.flags.writeable and matrix.nbytes <= MAX_COPIED:
        matrix = matrix.copy()
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
    # NaN is neither the largest nor the smallest for these.
    largest = max(np.fmax.reduce(matrix, axis=None), -np.fmin.reduce(matrix, axis=None))
    check_magnitudes(largest, name)
    if largest > MAX_COUNTED and np.asarray(X).dtype.kind in "iu":
        for j, cells in enumerate(np.asarray(X).T):
            warn_of_rounded(j, cells.tolist(), name)
    return matrix


def check_magnitudes(largest: float, name: str) -> None:
    """Refuse numbers of which the largest is too large or too small to compute with."""
    if largest > MAX_SUBTRACTED:
        raise ValueError(
            f"{name} holds numbers so large that differences overflow: scale it first."
        )
    if 0.0 < largest < MIN_DIVISOR:
        raise ValueError(
            f"{name} holds numbers so small that ratios overflow: scale it first."
        )


def check_summable(largest: float, name: str) -> None:
    """Refuse numbers of which the largest is too large to add up."""
    if largest > MAX_SUMMED:
        raise ValueError(
            f"{name} holds numbers so large that sums overflow: scale it first."
        )


def warn_of_rounded(column: object, cells: Iterable[Any], name: str = "X") -> None:
    """Warn of the first whole number that is no float, and of its column."""
    for cell in cells:
        if isinstance(cell, int) and int(float(cell)) != cell:
            warn_caller(
                f"column {column!r} of {name} holds whole numbers beyond 2**53, such "
                f"as {cell}, which are rounded, so that different ones become equal: "
                "leave the column out if it is an id, or subtract its smallest number."
            )
            return


def refuse_path(X: Any, name: str = "X") -> None:
    """Refuse the name of a file in the place of data."""
    if isinstance(X, str | bytes | PathLike):
        raise TypeError(
            f"{name} is the text {str(X)!r}, not data: if it names a file, read that "
            "first, for example with pandas.read_csv."
        )


def refuse_masked(X: Any, name: str = "X") -> None:
    """Refuse masked cells: NumPy drops the mask and takes what is below as data."""
    if isinstance(X, np.ma.MaskedArray) and np.any(X.mask):
        raise ValueError(
            f"{name} is a masked array with {np.sum(X.mask)} masked cells: turn them "
            f"into missing values, {name}.astype(float).filled(numpy.nan)."
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
    check_not_huge(value, name)


def warn_of_clusters(wanted: int, possible: int, of: str) -> None:
    """Warn where fewer clusters are made than wanted."""
    if wanted > possible:
        warn_caller(
            f"n_clusters={wanted} is more than the {possible} {of}, so that {possible} "
            f"count: choose n_clusters of at most {possible}."
        )


def check_not_huge(value: Any, name: str) -> None:
    """Refuse a whole number that compiled loops cannot count to."""
    if abs(int(value)) > MAX_COUNTED:
        raise ValueError(
            f"{name} must be a whole number up to 2**53, got about "
            f"2**{int(value).bit_length()}."
        )


def is_positive(value: Any) -> bool:
    """Tell whether it is a finite number above 0."""
    try:
        return isinstance(value, Real) and 0 < float(value) < np.inf
    except OverflowError:
        return False


def check_positive(value: Any, name: str) -> None:
    """Refuse what is not a number above 0."""
    if not is_positive(value):
        raise ValueError(f"{name} must be a positive number, got {value!r}.")


def check_squarable(X: FloatArray) -> None:
    """Refuse numbers so large, or so little apart, that sums of squares are not."""
    check_squarable_range(X.min(axis=0), X.max(axis=0))


def check_squarable_range(low: FloatArray, high: FloatArray) -> None:
    """Refuse columns between bounds whose squares are no numbers."""
    if max(high.max(), -low.min()) > 1e150:
        raise ValueError(
            "X holds numbers so large that their squares overflow: scale it first."
        )
    is_tiny = (low < high) & (high - low < 1e-150)
    if is_tiny.any():
        raise ValueError(
            f"feature {np.flatnonzero(is_tiny)[0]} of X varies so little that squares "
            "of differences vanish: scale it first."
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
