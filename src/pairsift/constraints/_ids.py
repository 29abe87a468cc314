"""Row ids of any kind: read, checked, and looked up as row numbers."""

from typing import Any

import numpy as np

from pairsift._typing import IndexArray, PairArray
from pairsift.constraints._rows import ROWS_HAVE_CHANGED
from pairsift.exceptions import ConstraintError

RowIds = tuple[Any, ...]


def as_row_ids(ids: Any, name: str = "ids") -> RowIds:
    """Return the id of every row: hashable, not missing, and different from the others.

    Parameters
    ----------
    ids : sequence
        For example the index of a data frame.
    name : str, default="ids"
        What to call `ids` in an error message.

    Returns
    -------
    ids : tuple
        The ids, NumPy's scalars as Python's.
    """
    listed = _listed_ids(ids, name)
    if len(set(listed)) < len(listed):
        row_of = rows_by_id(listed)
        twice = next(i for row, i in enumerate(listed) if row_of[i] != row)
        raise ConstraintError(
            f"{name} must name each row once, {twice!r} occurs twice."
        )
    return listed


def _listed_ids(ids: Any, name: str) -> RowIds:
    """Return the id of every row: hashable and not missing; ids may repeat."""
    is_sequence = hasattr(ids, "__iter__") and getattr(ids, "ndim", 1) == 1
    if not is_sequence or isinstance(ids, str | bytes):
        raise ConstraintError(
            f"{name} must be one id for each row, such as the index of a data frame; "
            f"got {type(ids).__name__}."
        )
    listed = tuple(ids.tolist() if hasattr(ids, "tolist") else ids)
    for row, row_id in enumerate(listed):
        if not _is_hashable(row_id):
            raise ConstraintError(
                f"{name} must be text, numbers or other hashable values, row {row} has "
                f"{row_id!r}."
            )
        if row_id is None or _is_missing(row_id):
            raise ConstraintError(f"{name} must name every row, row {row} has none.")
    return listed


def rows_by_id(ids: RowIds) -> dict[Any, int]:
    """Return the row of each id."""
    return {row_id: row for row, row_id in enumerate(ids)}


def rows_of_pairs(pairs: Any, ids: RowIds, name: str) -> PairArray:
    """Turn pairs of ids into pairs of row numbers; `name` is for error messages."""
    row_of = rows_by_id(ids)
    found = []
    for pair in _listed(pairs, name):
        if isinstance(pair, str | bytes) or not hasattr(pair, "__len__"):
            raise ConstraintError(f"{name} must be pairs of ids, got {pair!r}.")
        if len(pair) != 2:
            raise ConstraintError(f"{name} must be pairs of ids, got {tuple(pair)!r}.")
        for row_id in pair:
            if not _is_hashable(row_id) or row_id not in row_of:
                raise ConstraintError(
                    f"{name} pair ({pair[0]!r}, {pair[1]!r}): no row has the id "
                    f"{row_id!r}; ids are such as {ids[:3]!r}."
                )
        a, b = pair
        if row_of[a] == row_of[b]:
            raise ConstraintError(
                f"{name} pair ({a!r}, {b!r}) joins a row with itself."
            )
        found.append((row_of[a], row_of[b]))
    return np.array(found, dtype=np.int64).reshape(-1, 2)


def rows_of_samples(sample_ids: Any, ids: RowIds, n_rows: int, name: str) -> IndexArray:
    """Turn the ids of the rows at hand into row numbers of the whole data set."""
    given = _listed_ids(sample_ids, name)
    if len(given) != n_rows:
        raise ConstraintError(
            f"{name} must hold one id for each of the {n_rows} rows of X, got "
            f"{len(given)}{ROWS_HAVE_CHANGED}."
        )
    row_of = rows_by_id(ids)
    unknown = [row_id for row_id in given if row_id not in row_of]
    if unknown:
        raise ConstraintError(
            f"{name} holds {unknown[0]!r}, which is no id of the constraints; pass the "
            f"ids of the rows of X, such as {ids[:3]!r}."
        )
    return np.array([row_of[row_id] for row_id in given], dtype=np.int64)


def sample_ids_of(X: Any, constraints: Any, sample_ids: Any = None) -> Any:
    """Return the ids of the rows of X: those given, or else the index that holds them.

    The index of a data frame counts when the constraints have ids and all of its values
    are among them. The default index 0, 1, ... names no rows, because every frame that
    was made anew has it; None then means that the rows are in the order of the ids.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The data as the user passed them.
    constraints : PairConstraints or None
        Pairs, with ids or without.
    sample_ids : array-like of shape (n_samples,), default=None
        Ids that the user passed: they win.

    Returns
    -------
    sample_ids : array-like of shape (n_samples,) or None
        An argument for `PairConstraints.resolve`.

    Raises
    ------
    ConstraintError
        If only some values of the index are ids, or if the index is the default one and
        the ids are the same numbers in another order.
    """
    ids = getattr(constraints, "ids", None)
    if sample_ids is not None or ids is None or not hasattr(X, "iloc"):
        return sample_ids
    row_of, index = rows_by_id(ids), X.index.tolist()
    if getattr(X.index, "start", None) == 0 and X.index.step == 1:
        if len(index) == len(ids) and set(index) == set(ids) and index != list(ids):
            raise ConstraintError(
                "X has the default index, and the ids of the constraints are the same "
                "numbers in another order: pass sample_ids=X.index.to_numpy() if the "
                "index holds the ids, or sample_ids=constraints.ids if the rows are in "
                "the order of the ids."
            )
        return None
    others = [i for i in index if not _is_hashable(i) or i not in row_of]
    if others and len(others) < len(index):
        raise ConstraintError(
            f"the index of X holds {others[0]!r}, which is no id of the constraints, "
            "beside values that are: pass the rows that have ids, or the id of each "
            "row as sample_ids."
        )
    return None if others else index


def refuse_other_order(X: Any, constraints: Any) -> None:
    """Refuse a data frame whose index names other rows than the constraints do."""
    index = sample_ids_of(X, constraints)
    if index is not None and tuple(index) != constraints.ids:
        raise ConstraintError(
            "X has other rows than the constraints, or another order, by its index: "
            "pass X.loc[list(constraints.ids)]."
        )


def _listed(pairs: Any, name: str) -> list[Any]:
    if hasattr(pairs, "__array__"):
        pairs = np.asarray(pairs).tolist()
    if isinstance(pairs, str | bytes) or not hasattr(pairs, "__iter__"):
        raise ConstraintError(f"{name} must be pairs of ids, got {pairs!r}.")
    return list(pairs)


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _is_missing(value: Any) -> bool:
    """Tell NaN, NaT and pandas' NA, which are equal to nothing, from ids."""
    return type(value).__name__ in ("NAType", "NaTType") or bool(value != value)
