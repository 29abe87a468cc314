"""Blocks as they were given, surveyed once and then read as numbers."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any, NamedTuple

import numpy as np

from pairsift._blocks import Blocks, Extremes, extremes_of
from pairsift._typing import FloatArray, IndexArray
from pairsift.distributed._sources import Source
from pairsift.exceptions import DataError
from pairsift.selectors import (
    Numbering,
    Table,
    Values,
    read_block,
    table_of_blocks,
    text_numbering,
    text_values,
)

# Different values of a column of text that are kept in memory, at most.
MAX_VALUES = 1_000_000
# Rows that show how the data were given: names and types of columns.
N_HEAD = 2


class Survey(NamedTuple):
    """What one pass tells of some blocks.

    sizes : rows of each block; head : the first rows, as given; extremes : of columns
    of numbers; values : of columns that may be text.
    """

    sizes: tuple[int, ...]
    head: Any
    extremes: Extremes
    values: dict[int, Values]


def survey_block(block: Any, with_booleans: bool) -> Survey:
    """Look at a block, as it was given."""
    values = text_values(block, with_booleans)
    _refuse_many(values, block)
    # Values of text are numbered when all are known: until then they are all one.
    one = {j: dict.fromkeys(known.first_row, 0) for j, known in values.items()}
    X = read_block(block, one, with_booleans)
    # A copy: what is returned must not keep the block in memory.
    return Survey((len(X),), deepcopy(block[:N_HEAD]), extremes_of(X), values)


def join_surveys(first: Survey, later: Survey) -> Survey:
    """Join what is known of some blocks and of those behind them."""
    if first.extremes.low.size != later.extremes.low.size:
        raise DataError(
            f"blocks of X differ in their columns, {first.extremes.low.size} and "
            f"{later.extremes.low.size} of them."
        )
    values = {j: known.then(later.values[j]) for j, known in first.values.items()}
    _refuse_many(values, first.head)
    return Survey(
        first.sizes + later.sizes,
        first.head if len(first.head) else later.head,
        first.extremes.then(later.extremes),
        values,
    )


def _refuse_many(values: dict[int, Values], head: Any) -> None:
    for j, known in values.items():
        if len(known.first_row) > MAX_VALUES:
            raise DataError(
                f"X has a column of text, {list(head.columns)[j]!r}, of more than "
                f"{MAX_VALUES} different values: leave it out, or turn it into "
                "numbers."
            )


def read_table(selector: Any, source: Source) -> Table:
    """Validate the data of a source for a selector: the first pass."""
    if source.n_blocks == 0:
        raise DataError("X has no block: there is nothing to fit.")
    with_booleans = bool(selector._accepts_categorical)
    every = range(source.n_blocks)
    survey = source.reduce(
        survey_block, join_surveys, every, [()] * source.n_blocks, (with_booleans,)
    )
    source.sizes = survey.sizes
    numbering = text_numbering(selector, survey.head, survey.values)
    low, high = survey.extremes.low.copy(), survey.extremes.high.copy()
    for j, known in survey.values.items():
        numbers = numbering[j].values() if j in numbering else known.first_row
        bounds = [float(number) for number in numbers]
        low[j], high[j] = min(bounds, default=0.0), max(bounds, default=0.0)
    extremes = survey.extremes._replace(low=low, high=high).known()
    blocks = ReadBlocks(source, numbering, with_booleans, extremes)
    return table_of_blocks(selector, blocks, survey.head, survey.values, numbering)


class ReadBlocks(Blocks):
    """The blocks of a source, read as numbers wherever they are."""

    def __init__(
        self,
        source: Source,
        numbering: Numbering,
        with_booleans: bool,
        extremes: Extremes,
    ) -> None:
        assert source.sizes is not None  # the survey has counted
        self._source = source
        self._reading = numbering, with_booleans
        self._extremes = extremes
        # Empty blocks are left out.
        self._numbers = np.flatnonzero(source.sizes)
        self._starts = np.concatenate([[0], np.cumsum(source.sizes)])
        self.n_blocks = self._numbers.size
        self.shape = (int(self._starts[-1]), extremes.low.size)

    @property
    def extremes(self) -> Extremes:
        """The extremes of all rows."""
        return self._extremes

    def reduce(
        self,
        partial: Callable[..., Any],
        merge: Callable[[Any, Any], Any],
        *shared: Any,
        by_row: Any = None,
    ) -> Any:
        """Merge the states partial(X, first_row, *shared) of all blocks."""
        own = []
        for number in self._numbers:
            first, last = int(self._starts[number]), int(self._starts[number + 1])
            parts = () if by_row is None else (by_row[first:last],)
            own.append((last - first, (first, *parts)))
        return self._run(partial, merge, self._numbers, own, shared)

    def rows(self, numbers: IndexArray) -> FloatArray:
        """Return some rows by their numbers, in the order of these."""
        wanted, place = np.unique(numbers, return_inverse=True)
        block = np.searchsorted(self._starts, wanted, side="right") - 1
        chosen = np.unique(block)
        own = [
            (
                int(self._starts[number + 1] - self._starts[number]),
                (wanted[block == number] - self._starts[number],),
            )
            for number in chosen
        ]
        found = self._run(_take_rows, _join_rows, chosen, own, ())
        return np.concatenate(found)[place]

    def _run(
        self,
        partial: Callable[..., Any],
        merge: Callable[[Any, Any], Any],
        numbers: IndexArray,
        own: list[tuple[int, tuple[Any, ...]]],
        shared: tuple[Any, ...],
    ) -> Any:
        shared = (partial, self._reading, *shared)
        return self._source.reduce(run_numbers, merge, numbers.tolist(), own, shared)


def run_numbers(
    block: Any,
    n_rows: int,
    own: tuple[Any, ...],
    partial: Callable[..., Any],
    reading: tuple[Numbering, bool],
    *shared: Any,
) -> Any:
    """Read a block as numbers, and call a function with it."""
    X = read_block(block, *reading)
    if len(X) != n_rows:
        raise DataError(
            f"a block of X had {n_rows} rows when it was read first and has {len(X)} "
            "now: data must not change during a fit."
        )
    return partial(X, *own, *shared)


def _take_rows(X: FloatArray, places: IndexArray) -> list[FloatArray]:
    # A copy: what is returned must not keep the block in memory.
    return [X[places]]


def _join_rows(first: list[FloatArray], later: list[FloatArray]) -> list[FloatArray]:
    return first + later
