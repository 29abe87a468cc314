"""Some rows with their near-hits: all that constrained margins read of the data."""

from typing import Any, NamedTuple

import numpy as np

from pairsift import _kernels
from pairsift._blocks import Blocks, OneBlock
from pairsift._checks import check_memory
from pairsift._typing import BoolArray, FloatArray, IndexArray
from pairsift.scores._described_columns import (
    Described,
    Ramp,
    described_blocks,
    described_columns,
)


class Neighborhood(NamedTuple):
    """Rows, their near-hits, and the differences of their columns.

    X : (m, d) some rows of the data, or all; rows : (m,) their numbers in the data,
    ascending, None for all; hits : of the queries, in places of X.
    """

    X: FloatArray
    rows: IndexArray | None
    hits: "_kernels.NearHits"
    columns: "_kernels.Columns"

    def places(self, numbers: Any) -> Any:
        """Return the places in X of rows of the data."""
        return numbers if self.rows is None else np.searchsorted(self.rows, numbers)


def neighborhood(
    blocks: Blocks,
    queries: IndexArray,
    is_categorical: BoolArray | None,
    missing: str,
    labels: IndexArray | None,
    ramp: Ramp = None,
    *,
    squared: bool,
    n_neighbors: int,
    share: bool,
    n_jobs: int | None,
) -> Neighborhood:
    """Find the near-hits of some rows among all, see `_kernels.near_hits`.

    Of data in many blocks only the queries and their near-hits are held: one pass for
    the nearest rows, and one for the rows themselves.
    """
    if isinstance(blocks, OneBlock):
        columns = described_columns(blocks.X, is_categorical, missing, labels, ramp)
        hits = _kernels.near_hits(
            blocks.X, queries, columns, squared, n_neighbors, share, n_jobs
        )
        return Neighborhood(blocks.X, None, hits, columns)
    described = described_blocks(blocks, is_categorical, missing, labels, ramp)
    hits = near_hits_of_blocks(blocks, queries, described, squared, n_neighbors, share)
    rows = np.union1d(queries, hits.rows)
    check_rows(rows.size, blocks)
    X = blocks.rows(rows)
    hits = hits._replace(rows=np.searchsorted(rows, hits.rows))
    return Neighborhood(X, rows, hits, described.columns_of(X, rows))


def near_hits_of_blocks(
    blocks: Blocks,
    queries: IndexArray,
    described: Described,
    squared: bool,
    n_neighbors: int,
    share: bool,
) -> "_kernels.NearHits":
    """Find the near-hits of some rows among those of all blocks, by row numbers."""
    check_rows(queries.size, blocks)
    group = described.group
    search = _kernels.Search(
        _kernels.Targets(queries, blocks.rows(queries), group[queries]),
        # One more, the next in line.
        min(n_neighbors, len(blocks)) + 1,
        squared,
        described.rules,
        np.zeros(queries.size, dtype=np.int64),
        n_classes=1,
        is_pooled=False,
    )
    marks = np.column_stack([np.zeros(group.size, dtype=np.int64), group])
    found = blocks.reduce(
        _kernels.near_in_block, _kernels.join_near, search, by_row=marks
    )
    return _kernels.hits_of_found(found, share)


def check_rows(n_rows: int, blocks: Blocks) -> None:
    """Refuse to gather more rows than memory holds."""
    check_memory(
        8.0 * n_rows * blocks.shape[1],
        f"the {n_rows} rows that are compared with all others",
        "give fewer pairs or labels",
    )
