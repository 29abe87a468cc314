"""Row numbers, alone and in pairs: checked, put in order, found again."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairsift._typing import IndexArray, PairArray
from pairsift.exceptions import ConstraintError

ROWS_HAVE_CHANGED = (
    "; in a pipeline put the selector before whatever changes rows, such as a sampler "
    "or SelfTrainingClassifier"
)
"""Advice for errors about the number of rows."""


def as_pairs(pairs: Any, n_samples: int | None = None, *, name: str) -> PairArray:
    """Return pairs as an integer array of shape (n_pairs, 2), in the order given.

    Parameters
    ----------
    pairs : array-like of shape (n_pairs, 2)
        Pairs of row numbers.
    n_samples : int, default=None
        Number of rows there are; None does not check for too large row numbers.
    name : str
        What to call `pairs` in an error message.

    Returns
    -------
    pairs : ndarray of shape (n_pairs, 2), dtype=int64
        The pairs.

    Raises
    ------
    ConstraintError
        If `pairs` is not of that form; the message names the first wrong pair.
    """
    if hasattr(pairs, "must_link") and hasattr(pairs, "cannot_link"):
        raise ConstraintError(
            f"{name} must be pairs of row numbers, got a {type(pairs).__name__}: pass "
            "its attribute must_link or cannot_link."
        )
    try:
        array = np.asarray(pairs if hasattr(pairs, "__array__") else list(pairs))
    except (TypeError, ValueError):
        raise ConstraintError(
            f"{name} must be pairs of row numbers, got {pairs!r}."
        ) from None
    if array.size == 0:
        return np.empty((0, 2), dtype=np.int64)
    if array.ndim != 2 or array.shape[1] != 2 or array.dtype.kind not in "iuf":
        raise ConstraintError(
            f"{name} must be pairs of row numbers, an array of shape (n_pairs, 2); got "
            f"shape {array.shape} of {array.dtype}{_advice_on_ids(array)}."
        )
    if array.dtype.kind == "f" and (array != np.floor(array)).any():
        raise ConstraintError(f"{name} must hold whole row numbers, got fractions.")
    rows = array.astype(np.int64)
    out_of_range = rows.min(axis=1) < 0
    if n_samples is not None:
        out_of_range |= rows.max(axis=1) >= n_samples
    if out_of_range.any():
        a, b = rows[out_of_range][0].tolist()
        most = "0 or more" if n_samples is None else f"0 to {n_samples - 1}"
        raise ConstraintError(
            f"{name} pair ({a}, {b}) is out of range: row numbers are {most}."
        )
    with_itself = rows[rows[:, 0] == rows[:, 1]]
    if len(with_itself):
        a, b = with_itself[0].tolist()
        raise ConstraintError(f"{name} pair ({a}, {b}) joins a row with itself.")
    return rows


def _advice_on_ids(array: NDArray[Any]) -> str:
    """Say how rows are named by something else than their numbers."""
    if array.dtype.kind not in "UO" or array.ndim != 2:
        return ""
    return ", for pairs of ids make PairConstraints(must_link, cannot_link, ids=...)"


def unordered(pairs: PairArray) -> PairArray:
    """Put the smaller row first, and the pairs in sorted order, each once."""
    pairs = np.sort(pairs, axis=1)
    pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
    is_new = np.ones(len(pairs), dtype=bool)
    is_new[1:] = (np.diff(pairs, axis=0) != 0).any(axis=1)
    return np.ascontiguousarray(pairs[is_new])


def refuse_both(
    must_link: PairArray, cannot_link: PairArray, ids: Sequence[Any] | None = None
) -> None:
    """Raise an error for a pair that is of both kinds, named by `ids` if given."""
    merged = np.concatenate([must_link, cannot_link])
    merged = merged[np.lexsort((merged[:, 1], merged[:, 0]))]
    twice = merged[1:][(np.diff(merged, axis=0) == 0).all(axis=1)]
    if len(twice):
        a, b = (row if ids is None else ids[row] for row in twice[0].tolist())
        raise ConstraintError(
            f"pair ({a!r}, {b!r}) is both a must-link and a cannot-link."
        )


def rows_of(pairs: PairArray, ids: IndexArray, order: IndexArray) -> PairArray:
    """Row numbers of the pairs whose two ends are both present."""
    if not ids.size:
        return np.empty((0, 2), dtype=np.int64)
    slot = np.searchsorted(ids, pairs, sorter=order)
    rows = order[np.minimum(slot, ids.size - 1)]
    return rows[(ids[rows] == pairs).all(axis=1)]


def as_ids(
    sample_ids: Any, n_rows: int, n_samples: int | None, name: str
) -> IndexArray:
    """Return sample ids as row numbers of the whole data set, which may repeat."""
    ids = np.asarray(sample_ids)
    if ids.shape != (n_rows,):
        raise ConstraintError(
            f"{name} must hold one row number for each of the {n_rows} rows of X, got "
            f"shape {ids.shape}{ROWS_HAVE_CHANGED}."
        )
    if ids.size and ids.dtype.kind not in "iu":
        raise ConstraintError(
            f"{name} must be row numbers of the data set the constraints refer to "
            f"(integers), got {ids.dtype}; for other ids, make the constraints with "
            "PairConstraints(..., ids=...)."
        )
    ids = ids.astype(np.int64)
    most = np.inf if n_samples is None else n_samples
    outside = ids[(ids < 0) | (ids >= most)]
    if outside.size:
        raise ConstraintError(
            f"{name} holds {outside[0]}, but the constraints refer to {n_samples} "
            "samples."
        )
    return ids


def as_count(value: Any, name: str) -> int:
    """Return a whole number of at least 0."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 0:
        raise ConstraintError(
            f"{name} must be a whole number of at least 0, got {value!r}."
        )
    return int(value)
