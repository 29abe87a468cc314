"""Simba-Sc on data in blocks: one pass over the data for every step."""

from typing import Any

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

    rules : whether both orders of a pair count, and whether it is excluded as hits.
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
        for w, (X, columns, rows) in zip(weights, hits.of(some, weights), strict=True):
            _kernels.take_step(X, rows, columns, step, symmetric, w)
    for w in weights:
        w /= np.abs(w).max() or 1.0
    # All pairs of the first start, then those of the second, ...
    every = np.tile(pairs, (len(orders), 1))
    spaces = np.repeat(weights, len(pairs), axis=0)
    margins = [
        _kernels.margin_of(X, rows, columns, symmetric, w)
        for w, (X, columns, rows) in zip(spaces, hits.of(every, spaces), strict=True)
    ]
    return weights, np.reshape(margins, (len(orders), len(pairs))).sum(axis=1)


SixRows = tuple[FloatArray, "_kernels.Columns", IndexArray]
"""The ends of a pair, their near-hits for themselves and for the other end, and their
places there, -1 for none."""


class NearHitSearch:
    """Finds near-hits of the ends of pairs.

    ends : (m,) all ends, ascending; cells : (m, d); excludes_pair : whether the other
    end is no near-hit of an end for itself either.
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
        rows, spaces = pairs.ravel(), np.repeat(weights, 2, axis=0)
        X = self._cells[np.searchsorted(self._ends, rows)]
        others = self._nearest(rows, X, np.repeat(pairs, 2, axis=0), spaces)
        own = others
        if not self._excludes_pair:
            own = self._nearest(rows, X, np.column_stack([rows, rows]), spaces)
        six = []
        for p in range(len(pairs)):
            both = slice(2 * p, 2 * p + 2)
            numbers = np.concatenate([pairs[p], own.rows[both], others.rows[both]])
            cells = np.concatenate([X[both], own.X[both], others.X[both]])
            # A hit that is none is not looked at: any row stands for it.
            columns = self._described.columns_of(cells, np.maximum(numbers, 0))
            places = np.where(numbers >= 0, np.arange(6), -1)
            six.append((cells, columns, places))
        return six

    def _nearest(
        self, rows: IndexArray, X: FloatArray, excluded: IndexArray, spaces: FloatArray
    ) -> Any:
        group = self._described.group
        return self._blocks.reduce(
            _kernels.nearest_row_in_block,
            _kernels.join_nearest_row,
            _kernels.Targets(rows, X, group[rows]),
            excluded,
            spaces,
            self._described.rules,
            by_row=group,
        )
