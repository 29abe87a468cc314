"""Relevance and redundancy of the columns of data in blocks."""

from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from pairsift import _kernels
from pairsift._blocks import Blocks
from pairsift._typing import BoolArray, FloatArray, IndexArray
from pairsift.scores._associations import (
    Categories,
    RankAssociations,
    VarianceParts,
    explained_share,
    numbers_of,
)
from pairsift.scores._block_values import Parts, centred_ranks, counted_columns
from pairsift.scores._correlation_search import (
    MAX_REMEMBERED,
    CorrelationTable,
    UnitRange,
    differences_between,
    spread_classes,
)
from pairsift.scores._in_blocks import as_blocks, gathered_rows

# Columns, of numbers and of indicators, whose products are all taken in one pass.
MAX_PRODUCTS = 1000


class RankTables(NamedTuple):
    """Ranks, centred and of unit length, of the values of each column of numbers.

    ends, ranks : lists of arrays, one for each such column, the largest value of each
    of its parts and the rank of that; lengths : roots of the sizes of the categories of
    the other columns.
    """

    is_categorical: BoolArray
    ends: list[FloatArray]
    ranks: list[FloatArray]
    categories: Categories
    lengths: FloatArray

    @classmethod
    def of(cls, columns: list[Parts], is_categorical: BoolArray) -> "RankTables":
        """Prepare the columns from their parts."""
        numbers = [columns[j] for j in np.flatnonzero(~is_categorical)]
        names = [columns[j] for j in np.flatnonzero(is_categorical)]
        sizes = [parts.counts for parts in names]
        return cls(
            is_categorical,
            [parts.high for parts in numbers],
            [_unit_ranks(parts.counts) for parts in numbers],
            Categories([parts.high for parts in names]),
            np.sqrt(np.concatenate(sizes)) if sizes else np.zeros(0),
        )

    def lines(self, X: FloatArray) -> FloatArray:
        """Return ranks and indicators of unit length of some rows, (lines, n)."""
        n_numbers = len(self.ends)
        lines = np.empty((n_numbers + self.lengths.size, len(X)))
        numbers = numbers_of(X, self.is_categorical).T
        tables = zip(lines[:n_numbers], self.ends, self.ranks, numbers, strict=True)
        for line, ends, ranks, x in tables:
            x = np.ascontiguousarray(x)
            # To sort the cells takes less time than to look each of them up.
            _kernels.spread_parts(x, np.argsort(x), ends, ranks, line)
        indicators = self.categories.indicators(X[:, self.is_categorical])
        lines[n_numbers:] = indicators.toarray() / self.lengths[:, None]
        return lines


def _unit_ranks(counts: IndexArray) -> FloatArray:
    """Mean ranks of parts with these counts, centred, of unit length over all rows."""
    ranks = centred_ranks(counts)
    length = np.sqrt((counts * ranks**2).sum())
    return ranks / (length if length > 0.0 else 1.0)


def _products_of_block(
    X: FloatArray, first_row: int, tables: RankTables, lines: slice | None
) -> FloatArray:
    """Products of all lines, ranks and then indicators, with some of them, or all."""
    every = tables.lines(X)
    return every @ (every if lines is None else every[lines]).T


def _add(first: FloatArray, later: FloatArray) -> FloatArray:
    return first + later


class BlockAssociations(RankAssociations):
    """What one column shares with all others, over the rows of all blocks."""

    def __init__(self, blocks: Blocks, columns: list[Parts], is_categorical: BoolArray):
        self._tables = RankTables.of(columns, is_categorical)
        self._blocks = blocks
        self._describe(len(blocks), is_categorical, self._tables.categories)
        self._n_numbers = len(self._tables.ranks)
        n_lines = self._n_numbers + self._tables.lengths.size
        self._products = None
        if n_lines <= MAX_PRODUCTS:
            self._products = self._take(None)

    def _take(self, lines: slice | None) -> FloatArray:
        return self._blocks.reduce(_products_of_block, _add, self._tables, lines)

    def _squared_products(self, feature: int) -> tuple[FloatArray, FloatArray]:
        place = int(self.places[feature])
        lines = slice(place, place + 1)
        if self.is_categorical[feature]:
            units = self._units_of(feature)
            lines = slice(self._n_numbers + units.start, self._n_numbers + units.stop)
        found = (
            self._take(lines) if self._products is None else self._products[:, lines]
        )
        squared = (found**2).sum(axis=1)
        return squared[: self._n_numbers], squared[self._n_numbers :]


class Relevances(NamedTuple):
    """What a block needs to tell the relevance of its columns.

    labelled, known_codes : cells and classes of all labelled rows; is_spread : whether
    other rows take the classes of the nearest of them, without which no cells are
    needed.
    """

    unit_range: UnitRange
    labelled: FloatArray
    known_codes: IndexArray
    is_categorical: BoolArray
    categories: Categories
    is_spread: bool


def _variances_of_block(
    X: FloatArray, first_row: int, codes: IndexArray, shared: Relevances
) -> VarianceParts:
    cells, is_name = shared.unit_range(X), shared.is_categorical
    if shared.is_spread:
        shares = spread_classes(
            cells, codes, shared.labelled, shared.known_codes, is_name
        )
    else:
        cells, codes = cells[codes >= 0], codes[codes >= 0]
        shares = (codes[:, None] == np.unique(shared.known_codes)).astype(np.float64)
    indicators = shared.categories.indicators(cells[:, is_name])
    return VarianceParts.of(numbers_of(cells, is_name), indicators, shares)


class BlockCorrelations(CorrelationTable):
    """Rows in blocks: of labelled rows the cells are here, of others what they add."""

    def __init__(self, X: Blocks, is_categorical: BoolArray, codes: IndexArray) -> None:
        self._blocks = as_blocks(X)
        self.is_categorical = is_categorical
        low, high, _ = self._blocks.extremes
        self._unit_range = UnitRange.of(low, high, ~is_categorical)
        self._known = np.flatnonzero(codes >= 0)
        self._columns = counted_columns(self._blocks, is_categorical)
        names = np.flatnonzero(is_categorical)
        self._categories = Categories([self._columns[j].high for j in names])
        associations = BlockAssociations(self._blocks, self._columns, is_categorical)
        self.shared_with = lru_cache(MAX_REMEMBERED)(associations.shared_with)

    @cached_property
    def _cells(self) -> FloatArray:
        """Cells of the labelled rows, gathered where rows are compared."""
        return self._unit_range(gathered_rows(self._blocks, self._known))

    def differences(
        self, feature: int, rows: IndexArray, others: IndexArray
    ) -> FloatArray:
        """Return the differences of labelled rows on one column."""
        x = self._cells[:, feature]
        a, b = (x[np.searchsorted(self._known, some)] for some in (rows, others))
        return differences_between(a, b, bool(self.is_categorical[feature]))

    def heights(self) -> FloatArray:
        """Return a number for each labelled row that follows from its values alone."""
        heights = np.full(len(self._blocks), np.nan)
        own = self._cells[:, ~self.is_categorical].sum(axis=1)
        for j in np.flatnonzero(self.is_categorical):
            column = self._columns[j]
            places = np.searchsorted(column.high, self._cells[:, j])
            own += column.counts[places] / len(self._blocks)
        heights[self._known] = own
        return heights

    def relevance(self, codes: IndexArray, is_spread: bool) -> FloatArray:
        """Return what columns tell about the classes, of labelled or of all rows."""
        known = np.flatnonzero(codes >= 0)
        labelled: FloatArray = np.empty((0, self._blocks.shape[1]))
        if is_spread:
            labelled = self._cells[np.searchsorted(self._known, known)]
        shared = Relevances(
            self._unit_range,
            labelled,
            codes[known],
            self.is_categorical,
            self._categories,
            is_spread,
        )
        parts = self._blocks.reduce(
            _variances_of_block, VarianceParts.then, shared, by_row=codes
        )
        return explained_share(parts, self.is_categorical, self._categories)
