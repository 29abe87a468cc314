"""Whether a session goes on with the data with which it began."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from pairsift.active._session import DAMAGE
from pairsift.active._state import SessionState
from pairsift.active._storage import SessionFile
from pairsift.exceptions import StorageError


def difference(kept: SessionState, new: SessionState) -> str | None:
    """Return in which the data of two sessions differ first, None if in nothing.

    Names and ids are compared where both have them. Rows that are damaged in the file
    of the kept session are left out.
    """
    if kept.X.shape != new.X.shape:
        there, here = (" x ".join(map(str, s.X.shape)) for s in (kept, new))
        return f"it is {there} there, {here} here"
    return (
        _first_other(kept.feature_names, new.feature_names, "column")
        or _first_other(kept.sample_ids, new.sample_ids, "row")
        or _other_values(kept, new)
    )


def kept_ids(path: str | Path) -> list[str] | None:
    """Return the ids of the rows of a session file, None if it has none."""
    file = SessionFile.open(Path(path))
    try:
        return file.read().sample_ids
    except DAMAGE as error:
        raise StorageError(f"{path} is damaged: {error}.") from error
    finally:
        file.close()


def _first_other(
    kept: Sequence[str] | None, new: Sequence[str] | None, what: str
) -> str | None:
    if kept is None or new is None or kept == new:
        return None
    place = next(k for k in range(len(kept)) if kept[k] != new[k])
    return (
        f"{what} {place}, counted from 0, is {kept[place]!r} there and {new[place]!r} "
        "here"
    )


def _other_values(kept: SessionState, new: SessionState) -> str | None:
    is_same = np.isclose(kept.X, new.X, rtol=1e-9, atol=1e-12, equal_nan=True)
    is_same[kept._damaged] = True
    if is_same.all():
        return None
    i, j = np.argwhere(~is_same)[0]
    row = f"row {i}" if new.sample_ids is None else f"row {new.sample_ids[i]!r}"
    names = new.feature_names
    column = f"column {j}" if names is None else f"column {names[j]!r}"
    return f"it has other values, first in {row}, {column}"
