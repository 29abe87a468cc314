"""The door of graphs and scores that read data in blocks."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from pairsift._blocks import Blocks, OneBlock
from pairsift._checks import as_matrix, check_magnitudes
from pairsift._typing import FloatArray, IndexArray, PairArray

# Rows that travel to all blocks in one pass, to be compared with all others.
TARGETS_AT_ONCE = 4096


def as_blocks(X: Any, *, allow_nan: bool = False) -> Blocks:
    """Return blocks as they are, and a matrix of finite numbers as one block."""
    if not isinstance(X, Blocks):
        return OneBlock(as_matrix(X, allow_nan=allow_nan))
    if X.has_missing and not allow_nan:
        raise ValueError("X contains NaN, which is not accepted here.")
    low, high, _ = X.extremes
    check_magnitudes(float(np.maximum(high, -low).max()), "X")
    return X


class PairRows(NamedTuple):
    """Some pairs of rows, and the rows that they name.

    part : which of the pairs; rows : (n,) numbers of the rows, ascending; X : (n, d)
    their values; pairs : (p, 2) places of the pairs in X.
    """

    part: slice
    rows: IndexArray
    X: FloatArray
    pairs: PairArray


def rows_of_pairs(blocks: Blocks, pairs: PairArray) -> Iterator[PairRows]:
    """Yield all pairs with their rows: in memory at once, else some at a time.

    Sums over pairs, and what is computed for each of them, then never hold the table,
    and take differences of the values as they are.
    """
    if isinstance(blocks, OneBlock):
        everyone = np.arange(len(blocks))
        yield PairRows(slice(0, len(pairs)), everyone, blocks.X, pairs)
        return
    step = max(1, blocks.rows_at_once // 2)
    for first in range(0, len(pairs), step):
        some = pairs[first : first + step]
        rows, places = np.unique(some, return_inverse=True)
        part = slice(first, first + len(some))
        yield PairRows(part, rows, blocks.rows(rows), places.reshape(-1, 2))


def targets_of(blocks: Blocks, rows: IndexArray) -> Iterator[IndexArray]:
    """Yield some rows at a time, those that are compared with all in one pass."""
    step = min(TARGETS_AT_ONCE, blocks.rows_at_once)
    for first in range(0, rows.size, step):
        yield rows[first : first + step]
