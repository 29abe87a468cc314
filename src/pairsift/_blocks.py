"""Rows of a table in blocks: the form in which scores read data of any size.

A score that is made of a sum, a minimum or a table of best rows has three pieces:
``partial(X, first_row, ...)`` makes a state of the rows of one block, ``merge(state,
state)`` joins those of neighbouring blocks, and the score finishes what is left. Data
in memory are one block (:class:`OneBlock`); a sparse matrix is made dense one block at
a time (:class:`SparseRows`); data on a cluster, or in a file, are many blocks
(``pairsift.distributed``). Scores see no difference.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, partial as bound
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from pairsift._typing import BoolArray, FloatArray, IndexArray

# Bytes of the rows of a sparse matrix that are made dense at once.
DENSE_BYTES = 2**24
# Bytes of the rows of other blocks that are gathered at once, where there are many.
GATHERED_BYTES = 2**27


class Extremes(NamedTuple):
    """The least and the largest known value of each column, and how many are missing.

    low, high : (d,); n_missing : (d,).
    """

    low: FloatArray
    high: FloatArray
    n_missing: IndexArray

    def then(self, later: "Extremes") -> "Extremes":
        """Return the extremes of these rows and of others."""
        low, high = np.minimum(self.low, later.low), np.maximum(self.high, later.high)
        return Extremes(low, high, self.n_missing + later.n_missing)

    def known(self) -> "Extremes":
        """Return them with 0 for columns of which no value is known."""
        is_known = self.low <= self.high
        low, high = (
            np.where(is_known, self.low, 0.0),
            np.where(is_known, self.high, 0.0),
        )
        return Extremes(low, high, self.n_missing)


def extremes_of(X: FloatArray) -> Extremes:
    """Return the extremes of rows; inf and -inf where no value is known."""
    low = np.fmin.reduce(X, axis=0, initial=np.inf)
    high = np.fmax.reduce(X, axis=0, initial=-np.inf)
    return Extremes(low, high, np.isnan(X).sum(axis=0))


class Blocks(ABC):
    """Rows of numbers in blocks, in order; NaN where missing, never infinite.

    Rows are counted from 0 over all blocks.
    """

    shape: tuple[int, int]
    n_blocks: int

    def __len__(self) -> int:
        return self.shape[0]

    @property
    @abstractmethod
    def extremes(self) -> Extremes:
        """The extremes of all rows; 0 for a column of which no value is known."""

    @property
    def has_missing(self) -> bool:
        """Whether any value is missing."""
        return bool(self.extremes.n_missing.any())

    @cached_property
    def rows_at_once(self) -> int:
        """How many rows to ask for at a time, where there are many."""
        return max(2, GATHERED_BYTES // (8 * max(1, self.shape[1])))

    @abstractmethod
    def reduce(
        self,
        partial: Callable[..., Any],
        merge: Callable[[Any, Any], Any],
        *shared: Any,
        by_row: Any = None,
    ) -> Any:
        """Merge the states partial(X, first_row, *shared) of all blocks.

        X : (n, d) float64 rows of a block, one at least; first_row : number of its
        first row; by_row : an array with a place for each row, the part of which that
        belongs to the block comes before what is shared. States of neighbours are
        merged pairwise, as a tree of one shape: who is done first does not matter.
        partial and merge are functions of a module, which another process can import,
        and change none of their arguments.
        """

    @abstractmethod
    def rows(self, numbers: IndexArray) -> FloatArray:
        """Return some rows by their numbers, in the order of these."""


Rows: TypeAlias = FloatArray | Blocks
"""Rows of numbers, in memory or in blocks."""


class OneBlock(Blocks):
    """Rows in memory.

    X : (n, d) float64 in C order.
    """

    n_blocks = 1

    def __init__(self, X: FloatArray) -> None:
        self.X = X
        self.shape = (X.shape[0], X.shape[1])

    @cached_property
    def extremes(self) -> Extremes:
        """The extremes of all rows."""
        return extremes_of(self.X).known()

    def reduce(
        self,
        partial: Callable[..., Any],
        merge: Callable[[Any, Any], Any],
        *shared: Any,
        by_row: Any = None,
    ) -> Any:
        """Return partial(X, 0, *shared)."""
        parts = () if by_row is None else (by_row[0 : len(self)],)
        return partial(self.X, 0, *parts, *shared)

    def rows(self, numbers: IndexArray) -> FloatArray:
        """Return some rows."""
        return self.X[numbers]


class SparseRows(Blocks):
    """Rows of a SciPy CSR matrix, of which DENSE_BYTES are made dense at a time.

    Cells that are not stored are 0; the matrix is left as it is.
    """

    def __init__(self, X: Any) -> None:
        self._X = X
        self.shape = (X.shape[0], X.shape[1])
        self.rows_at_once = max(1, DENSE_BYTES // (8 * max(1, X.shape[1])))
        self.n_blocks = -(-len(self) // self.rows_at_once)

    @cached_property
    def extremes(self) -> Extremes:
        """The extremes of all rows, from one pass."""
        return self.reduce(_extremes_of_block, Extremes.then).known()

    def reduce(
        self,
        partial: Callable[..., Any],
        merge: Callable[[Any, Any], Any],
        *shared: Any,
        by_row: Any = None,
    ) -> Any:
        """Merge the states of dense blocks, made one after the other."""

        def state(first: int) -> Any:
            last = min(first + self.rows_at_once, len(self))
            parts = () if by_row is None else (by_row[first:last],)
            return partial(_dense(self._X[first:last]), first, *parts, *shared)

        return merged(map(state, range(0, len(self), self.rows_at_once)), merge)

    def rows(self, numbers: IndexArray) -> FloatArray:
        """Return some rows, dense."""
        return _dense(self._X[numbers])

    def columns(self, chosen: BoolArray) -> FloatArray:
        """Return some columns of all rows, dense."""
        return _dense(self._X[:, np.flatnonzero(chosen)])


def _dense(X: Any) -> FloatArray:
    return X.astype(np.float64).toarray(order="C")


class SomeRows(Blocks):
    """Some of the rows of blocks, counted from 0 among themselves.

    numbers : (m,) of these rows among all, ascending, at least one.
    """

    def __init__(self, blocks: Blocks, numbers: IndexArray) -> None:
        self._blocks = blocks
        self._numbers = numbers
        self.n_blocks = blocks.n_blocks
        self.shape = (numbers.size, blocks.shape[1])

    @cached_property
    def extremes(self) -> Extremes:
        """The extremes of these rows, from one pass."""
        return self.reduce(_extremes_of_block, Extremes.then).known()

    def reduce(
        self,
        partial: Callable[..., Any],
        merge: Callable[[Any, Any], Any],
        *shared: Any,
        by_row: Any = None,
    ) -> Any:
        """Merge the states of the blocks that have some of these rows."""
        return self._blocks.reduce(
            _run_on_some,
            bound(_merge_some, merge),
            partial,
            *shared,
            by_row=_Chosen(self._numbers, by_row),
        )

    def rows(self, numbers: IndexArray) -> FloatArray:
        """Return some of these rows."""
        return self._blocks.rows(self._numbers[numbers])


@dataclass(frozen=True)
class _Chosen:
    """Which rows are chosen: cut to the rows of a block as an array would be.

    first : number of the first of them among the chosen ones.
    """

    numbers: IndexArray
    by_row: Any
    first: int = 0

    def __getitem__(self, block: slice) -> "_Chosen":
        a, b = np.searchsorted(self.numbers, [block.start, block.stop])
        part = None if self.by_row is None else self.by_row[a:b]
        return _Chosen(self.numbers[a:b] - block.start, part, int(a))


def _run_on_some(
    X: FloatArray,
    first_row: int,
    chosen: _Chosen,
    partial: Callable[..., Any],
    *shared: Any,
) -> Any:
    """Call a function with the chosen rows of a block; None if there are none."""
    if not chosen.numbers.size:
        return None
    parts = () if chosen.by_row is None else (chosen.by_row,)
    return partial(X[chosen.numbers], chosen.first, *parts, *shared)


def _merge_some(merge: Callable[[Any, Any], Any], first: Any, later: Any) -> Any:
    if first is None or later is None:
        return later if first is None else first
    return merge(first, later)


class MappedBlocks(Blocks):
    """Rows of blocks, each block passed through a function when it is read.

    function : of the rows of a block, returns as many rows of n_features numbers; can
    be sent to another process.
    """

    def __init__(
        self,
        blocks: Blocks,
        function: Callable[[FloatArray], FloatArray],
        n_features: int,
    ) -> None:
        self._blocks, self._function = blocks, function
        self.n_blocks = blocks.n_blocks
        self.shape = (len(blocks), n_features)

    @cached_property
    def extremes(self) -> Extremes:
        """The extremes of all rows, from one pass."""
        return self.reduce(_extremes_of_block, Extremes.then).known()

    def reduce(
        self,
        partial: Callable[..., Any],
        merge: Callable[[Any, Any], Any],
        *shared: Any,
        by_row: Any = None,
    ) -> Any:
        """Merge the states of mapped blocks."""
        run = bound(_run_mapped, self._function, partial)
        return self._blocks.reduce(run, merge, *shared, by_row=by_row)

    def rows(self, numbers: IndexArray) -> FloatArray:
        """Return some rows, mapped."""
        return self._function(self._blocks.rows(numbers))


def _run_mapped(
    function: Callable[[FloatArray], FloatArray],
    partial: Callable[..., Any],
    X: FloatArray,
    *arguments: Any,
) -> Any:
    return partial(np.ascontiguousarray(function(X)), *arguments)


def _extremes_of_block(X: FloatArray, first_row: int) -> Extremes:
    return extremes_of(X)


class Tree:
    """Merges states as they come: neighbours pairwise, then pairs of pairs, and so on.

    Holds one state per level. What is left over at the end is merged from the right.
    """

    def __init__(self, merge: Callable[[Any, Any], Any]) -> None:
        self._merge = merge
        self._levels: list[tuple[int, Any]] = []

    def add(self, state: Any) -> None:
        """Take the state of the next block."""
        level = 0
        while self._levels and self._levels[-1][0] == level:
            state = self._merge(self._levels.pop()[1], state)
            level += 1
        self._levels.append((level, state))

    def top(self) -> Any:
        """Return the state of all blocks."""
        _, state = self._levels[-1]
        for _, before in reversed(self._levels[:-1]):
            state = self._merge(before, state)
        return state


def merged(states: Iterable[Any], merge: Callable[[Any, Any], Any]) -> Any:
    """Merge some states, at least one, as a tree."""
    tree = Tree(merge)
    for state in states:
        tree.add(state)
    return tree.top()
