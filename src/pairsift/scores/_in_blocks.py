"""The door of the scores that read data in blocks."""

from typing import Any

import numpy as np

from pairsift._blocks import Blocks, OneBlock
from pairsift._checks import as_matrix, check_magnitudes, check_memory
from pairsift._typing import FloatArray, IndexArray


def as_blocks(X: Any, *, allow_nan: bool = False) -> Blocks:
    """Return blocks as they are, and a matrix of finite numbers as one block."""
    if not isinstance(X, Blocks):
        return OneBlock(as_matrix(X, allow_nan=allow_nan))
    if X.has_missing and not allow_nan:
        raise ValueError("X contains NaN, which is not accepted here.")
    low, high, _ = X.extremes
    check_magnitudes(float(np.maximum(high, -low).max()), "X")
    return X


def gathered_rows(blocks: Blocks, numbers: IndexArray) -> FloatArray:
    """Return some rows in memory, for a method that compares all of them."""
    if not isinstance(blocks, OneBlock):
        # As given, in single precision for the kernels, and sorted.
        check_memory(
            24.0 * numbers.size * blocks.shape[1],
            f"the {numbers.size} rows that this method compares",
            "give fewer labels, or choose a method that takes one pass",
        )
    return blocks.rows(numbers)
