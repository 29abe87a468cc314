"""Some rows of blocks, gathered in memory as they were given."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pairsift._typing import IndexArray
from pairsift.distributed._dask import as_source
from pairsift.distributed._sources import Source


def count_rows(source: Source) -> int:
    """Return the number of rows; counts them in a pass where that is unknown."""
    if source.sizes is None:
        every = range(source.n_blocks)
        source.sizes = source.reduce(_size_of, _join, every, [()] * len(every), ())
    return sum(source.sizes)


def take_rows(X: Any, numbers: ArrayLike) -> Any:
    """Return some rows of data in blocks, as they were given.

    Parameters
    ----------
    X : dask.array.Array, dask.dataframe.DataFrame, path-like or Source
        The data, as :func:`fit` takes them.
    numbers : array-like of int
        Numbers of rows, counted from 0 over all blocks, at least one. Only their blocks
        are read.

    Returns
    -------
    rows : ndarray or DataFrame
        The rows, in the order of the numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift import distributed
    >>> halves = [np.array([[0.0, 1.0], [5.0, 1.0]]), np.array([[1.0, 1.0]])]
    >>> source = distributed.StreamedSource([lambda i=i: halves[i] for i in range(2)])
    >>> distributed.take_rows(source, [2, 1])
    array([[1., 1.],
           [5., 1.]])
    """
    source = as_source(X)
    n_rows = count_rows(source)
    wanted, place = np.unique(np.asarray(numbers), return_inverse=True)
    if not wanted.size or wanted[0] < 0 or wanted[-1] >= n_rows:
        raise ValueError(
            f"numbers must be rows from 0 to {n_rows - 1:,}, one at least, got "
            f"{numbers!r}."
        )
    assert source.sizes is not None  # counted
    starts = np.concatenate([[0], np.cumsum(source.sizes)])
    block = np.searchsorted(starts, wanted, side="right") - 1
    chosen = np.unique(block)
    own = [(wanted[block == number] - starts[number],) for number in chosen]
    found = joined(source.reduce(_take, _join, chosen.tolist(), own, ()))
    rows = rows_of(found, place)
    return rows.reset_index(drop=True) if hasattr(rows, "iloc") else rows


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
