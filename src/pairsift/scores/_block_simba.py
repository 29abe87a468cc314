"""Simba-Sc on data in blocks: one pass over the data for every step."""

import numpy as np

from pairsift import _kernels
from pairsift._blocks import Blocks
from pairsift._typing import FloatArray, IndexArray, PairArray
from pairsift.scores._described_columns import Described


def starts_on_blocks(
    blocks: Blocks,
    pairs: PairArray,
    orders: list[PairArray],
    described: Described,
    step: float,
    rules: tuple[bool, bool],
) -> tuple[FloatArray, FloatArray]:
    """Return the weights after each start, and the total margins.

    rules : whether margins are symmetric, and near-hits are neither end of a pair.

    A step needs near-hits in the space of the weights so far, among all rows: that is
    a pass for each pair, in which all starts take part, and one for the margins.
    """
    symmetric, excludes_pair = rules
    ends = np.unique(pairs)
    hits = NearHitSearch(blocks, described, ends, blocks.rows(ends), excludes_pair)
    scale = described.rules.columns.scale
    weights = np.tile((scale > 0).astype(np.float64), (len(orders), 1))
    for p in range(len(pairs)):
        some = np.array([order[p] for order in orders])
        for w, (cells, rows) in zip(weights, hits.of(some, weights), strict=True):
            _kernels.take_step(cells, rows, step, symmetric, w)
    for w in weights:
        w /= np.abs(w).max() or 1.0
    # All pairs of the first start, then those of the second, ...
    every = np.tile(pairs, (len(orders), 1))
    spaces = np.repeat(weights, len(pairs), axis=0)
    margins = [
        _kernels.margin_of(cells, rows, symmetric, w)
        for w, (cells, rows) in zip(spaces, hits.of(every, spaces), strict=True)
    ]
    return weights, np.reshape(margins, (len(orders), len(pairs))).sum(axis=1)


SixRows = tuple["_kernels.Cells", IndexArray]
"""The ends of a pair and their near-hits, and their places there, -1 for none."""


class NearHitSearch:
    """Finds near-hits of the ends of pairs.

    ends : (m,) all ends, ascending; cells : (m, d); excludes_pair : whether the other
    end is no near-hit of an end in its own distance, either.
    """

    def __init__(
        self,
        blocks: Blocks,
        described: Described,
        ends: IndexArray,
        cells: FloatArray,
        excludes_pair: bool,
    ) -> None:
        self._blocks, self._described = blocks, described
        self._ends, self._cells = ends, cells
        self._excludes_pair = excludes_pair

    def of(self, pairs: PairArray, weights: FloatArray) -> list[SixRows]:
        """Return the rows of some pairs, each in the space of its weights (p, d)."""
        rows, group = pairs.ravel(), self._described.group
        excluded, spaces = np.repeat(pairs, 2, axis=0), np.repeat(weights, 2, axis=0)
        if not self._excludes_pair:
            excluded = np.concatenate([excluded, np.column_stack([rows, rows])])
            rows, spaces = np.tile(rows, 2), np.tile(spaces, (2, 1))
        X = self._cells[np.searchsorted(self._ends, rows)]
        found = self._blocks.reduce(
            _kernels.nearest_row_in_block,
            _kernels.join_nearest_row,
            _kernels.Targets(rows, X, group[rows]),
            excluded,
            spaces,
            self._described.rules,
            by_row=group,
        )
        six = []
        for p in range(len(pairs)):
            both = slice(2 * p, 2 * p + 2)
            # Those beside themselves are the last ones found, or the only ones.
            start = rows.size - pairs.size + 2 * p
            own = slice(start, start + 2)
            numbers = np.concatenate([pairs[p], found.rows[both], found.rows[own]])
            cells = np.concatenate([X[both], found.X[both], found.X[own]])
            # A hit that is none is not looked at: any row stands for it.
            columns = self._described.columns_of(cells, np.maximum(numbers, 0))
            places = np.where(numbers >= 0, np.arange(6), -1)
            six.append((_kernels.as_cells(cells, columns), places))
        return six
