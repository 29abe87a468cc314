"""The door of the scores that read data in blocks."""

from pairsift._blocks import Blocks, OneBlock
from pairsift._checks import check_memory
from pairsift._typing import FloatArray, IndexArray
from pairsift.graphs import as_blocks as as_blocks


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
