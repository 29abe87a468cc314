"""Some rows of blocks, gathered in memory as they were given."""

from typing import Any

import numpy as np

from pairsift._typing import IndexArray
from pairsift.distributed._sources import Source


def count_rows(source: Source) -> int:
    """Return the number of rows; counts them in a pass where that is unknown."""
    if source.sizes is None:
        every = range(source.n_blocks)
        source.sizes = source.reduce(_size_of, _join, every, [()] * len(every), ())
    return sum(source.sizes)


def take_rows(source: Source, numbers: IndexArray) -> Any:
    """Return some rows by their numbers, ascending: a data frame or an array."""
    count_rows(source)
    assert source.sizes is not None
    starts = np.concatenate([[0], np.cumsum(source.sizes)])
    block = np.searchsorted(starts, numbers, side="right") - 1
    chosen = np.unique(block)
    own = [(numbers[block == number] - starts[number],) for number in chosen]
    parts = source.reduce(_take, _join, chosen.tolist(), own, ())
    return joined(parts)


def joined(parts: Any) -> Any:
    """Put tables below one another."""
    if not hasattr(parts[0], "iloc"):
        return np.concatenate(parts)
    import pandas as pd

    whole = pd.concat(parts, ignore_index=True)
    for name, column in parts[0].items():
        # Blocks may differ in the categories that they know.
        if isinstance(column.dtype, pd.CategoricalDtype):
            whole[name] = whole[name].astype("category")
    return whole


def rows_of(X: Any, numbers: IndexArray) -> Any:
    """Return some rows of a table in memory."""
    return X.iloc[numbers] if hasattr(X, "iloc") else X[numbers]


def _take(block: Any, places: IndexArray) -> tuple[Any, ...]:
    taken = rows_of(block, places)
    # A copy: what is returned must not keep the block in memory.
    return (taken.copy(),)


def _size_of(block: Any) -> tuple[int, ...]:
    return (len(block),)


def _join(first: tuple[Any, ...], later: tuple[Any, ...]) -> tuple[Any, ...]:
    return first + later
