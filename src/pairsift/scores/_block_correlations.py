"""Relevance and redundancy of the columns of data in blocks.

The ranks of a column follow from how often each of its values is there. Columns of more
than MOST_VALUES different values are cut at as many quantiles, and ranks are those of
the parts: how wrong they are is known, and said in a warning.
"""

import warnings
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

from pairsift._blocks import Blocks, SparseRows
from pairsift._typing import BoolArray, FloatArray, IndexArray
from pairsift.scores._associations import (
    Categories,
    RankAssociations,
    VarianceParts,
    explained_share,
)
from pairsift.scores._correlation_search import (
    MOST_REMEMBERED,
    CorrelationTable,
    UnitRange,
    differences_between,
    spread_classes,
)
from pairsift.scores._in_blocks import as_blocks, gathered_rows

# Different values of a column of numbers that are counted, of all columns and of one.
MOST_CELLS = 2**24
MOST_VALUES = 2**14
LEAST_VALUES = 2**8
# Columns, of numbers and of indicators, whose products are all taken in one pass.
MOST_PRODUCTS = 1000


class Counts(NamedTuple):
    """Values of a column, ascending, and how many cells are at most as large.

    counts : of the cells above the value before; is_exact : whether each value of the
    column is here.
    """

    values: FloatArray
    counts: IndexArray
    is_exact: bool

    def cut(self, most: int) -> "Counts":
        """Keep that many values at most, those at quantiles and the largest."""
        if self.values.size <= most:
            return self
        below = self.counts.cumsum()
        wanted = below[-1] * (np.arange(1, most + 1) / most)
        kept = np.unique(np.searchsorted(below, wanted))
        return Counts(
            self.values[kept], np.diff(below[kept], prepend=0), is_exact=False
        )


def _cut_numbers(
    found: list[Counts], is_categorical: BoolArray, most: int
) -> list[Counts]:
    return [
        counts if is_name else counts.cut(most)
        for counts, is_name in zip(found, is_categorical, strict=True)
    ]


class Counted(NamedTuple):
    """The counts of all columns of some blocks."""

    columns: list[Counts]
    is_categorical: BoolArray
    most: int


def _survey_block(
    X: FloatArray, first_row: int, is_categorical: BoolArray, most: int
) -> Counted:
    found = [Counts(*np.unique(x, return_counts=True), is_exact=True) for x in X.T]
    columns = _cut_numbers(found, is_categorical, most)
    return Counted(columns, is_categorical, most)


def _join_counted(first: Counted, later: Counted) -> Counted:
    joined = []
    for a, b in zip(first.columns, later.columns, strict=True):
        values = np.union1d(a.values, b.values)
        counts = np.zeros(values.size, dtype=np.int64)
        for part in (a, b):
            counts[np.searchsorted(values, part.values)] += part.counts
        joined.append(Counts(values, counts, a.is_exact and b.is_exact))
    columns = _cut_numbers(joined, first.is_categorical, first.most)
    return Counted(columns, first.is_categorical, first.most)


def _count_parts(
    X: FloatArray, first_row: int, columns: list[Counts]
) -> list[IndexArray]:
    """Count the cells between the values of each column."""
    return [
        np.bincount(np.searchsorted(column.values, x), minlength=column.values.size)
        for column, x in zip(columns, X.T, strict=True)
    ]


def _add_parts(first: list[IndexArray], later: list[IndexArray]) -> list[IndexArray]:
    return [a + b for a, b in zip(first, later, strict=True)]


def counted_columns(blocks: Blocks, is_categorical: BoolArray) -> list[Counts]:
    """Count the values of all columns: one pass, and one more where some are cut."""
    n_features = blocks.shape[1]
    most = min(max(MOST_CELLS // n_features, LEAST_VALUES), MOST_VALUES)
    if isinstance(blocks, SparseRows):
        # In all there are no more different values than cells stored: none is cut.
        most = len(blocks)
    columns: list[Counts] = blocks.reduce(
        _survey_block, _join_counted, is_categorical, most
    ).columns
    if all(column.is_exact for column in columns):
        return columns
    parts = blocks.reduce(_count_parts, _add_parts, columns)
    columns = [c._replace(counts=p) for c, p in zip(columns, parts, strict=True)]
    largest = max(c.counts.max() for c in columns if not c.is_exact)
    n_cut = sum(not column.is_exact for column in columns)
    warnings.warn(
        f"{n_cut} of {n_features} features have more than {most} different values: "
        "their rank correlations are taken from quantiles, with ranks that are wrong "
        f"by at most {largest / (2 * len(blocks)):.1e} of the number of rows.",
        stacklevel=2,
    )
    return columns


class RankTables(NamedTuple):
    """Ranks, centred and of unit length, of the values of each column of numbers.

    values, ranks : lists of arrays, one for each such column; lengths : roots of the
    sizes of the categories of the other columns.
    """

    is_categorical: BoolArray
    values: list[FloatArray]
    ranks: list[FloatArray]
    categories: Categories
    lengths: FloatArray

    @classmethod
    def of(cls, columns: list[Counts], is_categorical: BoolArray) -> "RankTables":
        """Prepare the columns from their counts."""
        numbers = [columns[j] for j in np.flatnonzero(~is_categorical)]
        names = [columns[j] for j in np.flatnonzero(is_categorical)]
        sizes = [counts.counts for counts in names]
        return cls(
            is_categorical,
            [counts.values for counts in numbers],
            [_unit_ranks(counts.counts) for counts in numbers],
            Categories([counts.values for counts in names]),
            np.sqrt(np.concatenate(sizes)) if sizes else np.zeros(0),
        )

    def lines(self, X: FloatArray) -> tuple[FloatArray, csr_matrix]:
        """Return ranks (d_numbers, n) and indicators of unit length of some rows."""
        ranks = np.empty((len(self.values), len(X)))
        numbers = X.T[~self.is_categorical]
        tables = zip(ranks, self.values, self.ranks, numbers, strict=True)
        for line, values, known, x in tables:
            line[:] = known[np.searchsorted(values, x)]
        indicators = self.categories.indicators(X[:, self.is_categorical])
        return ranks, indicators.multiply(1.0 / self.lengths[:, None]).tocsr()


def _unit_ranks(counts: IndexArray) -> FloatArray:
    """Mean ranks of values with these counts, centred, of unit length over all rows."""
    n_rows = int(counts.sum())
    ranks = counts.cumsum() - (counts - 1) / 2.0 - (n_rows + 1) / 2.0
    length = np.sqrt((counts * ranks**2).sum())
    return ranks / (length if length > 0.0 else 1.0)


def _products_of_block(
    X: FloatArray, first_row: int, tables: RankTables, lines: slice | None
) -> FloatArray:
    """Products of all lines, ranks and then indicators, with some of them, or all."""
    ranks, units = tables.lines(X)
    every = np.concatenate([ranks, units.toarray()])
    return every @ (every if lines is None else every[lines]).T


def _add(first: FloatArray, later: FloatArray) -> FloatArray:
    return first + later


class BlockAssociations(RankAssociations):
    """What one column shares with all others, over the rows of all blocks."""

    def __init__(
        self, blocks: Blocks, columns: list[Counts], is_categorical: BoolArray
    ):
        self._tables = RankTables.of(columns, is_categorical)
        self._blocks = blocks
        self._describe(len(blocks), is_categorical, self._tables.categories)
        self._n_numbers = len(self._tables.ranks)
        n_lines = self._n_numbers + self._tables.lengths.size
        self._products = None
        if n_lines <= MOST_PRODUCTS:
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
    return VarianceParts.of(cells[:, ~is_name], indicators, shares)


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
        self._categories = Categories([self._columns[j].values for j in names])
        associations = BlockAssociations(self._blocks, self._columns, is_categorical)
        self.shared_with = lru_cache(MOST_REMEMBERED)(associations.shared_with)

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
            places = np.searchsorted(column.values, self._cells[:, j])
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
