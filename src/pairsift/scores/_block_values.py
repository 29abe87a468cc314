"""Values of the columns of data in blocks, counted: all, or in narrow parts.

The rank of a value follows from how many cells are smaller. A column of few different
values is counted value by value. Any other is cut into parts that do not depend on how
the rows lie in blocks: first by the leading bits of its numbers, then parts of many
cells into equal steps from their least value to their largest. Each cell of a part has
the mean rank of the part; how wrong a correlation gets by that is known, see `angle`.
"""

from functools import partial as bound
from typing import NamedTuple

import numpy as np

from pairsift import _kernels
from pairsift._blocks import Blocks, SparseRows
from pairsift._typing import BoolArray, FloatArray, IndexArray
from pairsift._warnings import warn_caller

# Different values of a column of numbers that are counted, of all columns and of one.
MAX_CELLS = 2**24
MAX_VALUES = 2**14
MIN_VALUES = 2**8
# Passes that cut parts; a second one is for values that lie in narrow heaps.
MAX_CUTS = 3
# Angle, in parts of the number of values, that is small enough.
ENOUGH = 2.0
# Bits of a number behind its sign, its exponent and the first four digits.
LAST_BITS = 48


class Parts(NamedTuple):
    """Parts of a column, ascending: their extreme values and numbers of cells.

    is_exact : whether all are single values because the column has few.
    """

    low: FloatArray
    high: FloatArray
    counts: IndexArray
    is_exact: bool

    @property
    def angle(self) -> float:
        """Angle between the ranks of all cells and the mean ranks of their parts.

        The largest that can be. Mean ranks are a projection of ranks, so what is left
        out of a part of c cells is c (c² - 1) / 12 in squared length, or less. A rank
        correlation is the cosine between two columns: it is wrong by the sum of their
        angles at most.
        """
        cells = self.counts[self.low < self.high].astype(np.float64)
        left_out = (cells * (cells**2 - 1.0)).sum() / 12.0
        ranks = centred_ranks(self.counts)
        return float(np.arctan2(np.sqrt(left_out), np.sqrt(self.counts @ ranks**2)))

    def ends(self, most: int) -> FloatArray:
        """Return the largest values of finer parts.

        Parts of more than 1 / most of all cells are cut into equal steps of `_keys`.
        """
        is_wide = self.low < self.high
        n_steps = np.ceil(self.counts * (most / self.counts.sum())).astype(np.int64)
        n_steps = np.where(is_wide, n_steps, 1)
        first, last = _keys(self.low), _keys(self.high)
        part = np.repeat(np.arange(n_steps.size), n_steps)
        step = np.arange(part.size) - np.repeat(n_steps.cumsum() - n_steps, n_steps) + 1
        # Below 2**48 times 2**14.
        found = first[part] + (last - first)[part] * step // n_steps[part]
        return np.unique(_values(found))

    def occupied(self) -> "Parts":
        """Return the parts that have cells."""
        is_there = self.counts > 0
        low, high = self.low[is_there], self.high[is_there]
        return Parts(low, high, self.counts[is_there], self.is_exact)


def centred_ranks(counts: IndexArray) -> FloatArray:
    """Mean ranks of parts with these numbers of cells, minus their mean."""
    return counts.cumsum() - (counts - 1) / 2.0 - (counts.sum() + 1) / 2.0


def counted_columns(blocks: Blocks, is_categorical: BoolArray) -> list[Parts]:
    """Count the values of all columns: one pass, and more where parts are cut."""
    n_features = blocks.shape[1]
    most = min(max(MAX_CELLS // n_features, MIN_VALUES), MAX_VALUES)
    if isinstance(blocks, SparseRows):
        # In all there are no more different values than cells stored: none is cut.
        most = len(blocks)
    kept = np.where(is_categorical, len(blocks), most)
    columns: list[Parts] = blocks.reduce(_survey_block, bound(_join, kept), kept)
    for _ in range(MAX_CUTS):
        rough = [j for j, parts in enumerate(columns) if parts.angle > ENOUGH / most]
        if not rough:
            break
        ends = {j: columns[j].ends(most) for j in rough}
        for j, parts in blocks.reduce(_cut_block, _join_cuts, ends).items():
            columns[j] = parts.occupied()
    _warn(columns, most)
    return columns


def _warn(columns: list[Parts], most: int) -> None:
    angles = [parts.angle for parts in columns if not parts.is_exact]
    if angles:
        warn_caller(
            f"{len(angles)} of {len(columns)} features have more than {most:,} "
            "different values: their rank correlations are taken from parts of near "
            f"values, and wrong by at most {2 * max(angles):.1e}."
        )


def _survey_block(X: FloatArray, first_row: int, kept: IndexArray) -> list[Parts]:
    """Count the values of the columns, or of parts where more than kept differ."""
    found = [np.unique(x, return_counts=True) for x in X.T]
    return [
        _within(Parts(values, values, counts, is_exact=True), most)
        for (values, counts), most in zip(found, kept, strict=True)
    ]


def _join(kept: IndexArray, first: list[Parts], later: list[Parts]) -> list[Parts]:
    joined = []
    for a, b, most in zip(first, later, kept, strict=True):
        low = np.concatenate([a.low, b.low])
        # Stable, because that is fast for two sorted halves.
        order = np.argsort(low, kind="stable")
        high = np.concatenate([a.high, b.high])[order]
        counts = np.concatenate([a.counts, b.counts])[order]
        is_exact = a.is_exact and b.is_exact
        both = _grouped(Parts(low[order], high, counts, is_exact))
        joined.append(_within(both, most))
    return joined


def _within(parts: Parts, most: int) -> Parts:
    """Leave single values where there are few, otherwise group them."""
    if parts.is_exact and parts.low.size > most:
        return _grouped(parts._replace(is_exact=False))
    return parts


def _grouped(parts: Parts) -> Parts:
    """Join what has equal leading bits, or equal values if each has its own part."""
    groups = _keys(parts.low) >> (0 if parts.is_exact else LAST_BITS)
    starts = np.flatnonzero(np.diff(groups, prepend=groups[0] - 1))
    return Parts(
        parts.low[starts],
        np.maximum.reduceat(parts.high, starts),
        np.add.reduceat(parts.counts, starts),
        parts.is_exact,
    )


def _cut_block(
    X: FloatArray, first_row: int, ends: dict[int, FloatArray]
) -> dict[int, Parts]:
    """Count the cells up to each of the ends of some columns."""
    found, x = {}, np.empty(len(X))
    for j, values in ends.items():
        # In one place for all columns: large arrays are slow to get and to give back.
        x[:] = X[:, j]
        x.sort()
        low, high = np.empty(values.size), np.empty(values.size)
        counts = np.empty(values.size, dtype=np.int64)
        _kernels.count_parts(x, values, low, high, counts)
        found[j] = Parts(low, high, counts, is_exact=False)
    return found


def _join_cuts(first: dict[int, Parts], later: dict[int, Parts]) -> dict[int, Parts]:
    return {
        j: Parts(
            np.minimum(a.low, later[j].low),
            np.maximum(a.high, later[j].high),
            a.counts + later[j].counts,
            is_exact=False,
        )
        for j, a in first.items()
    }


def _keys(values: FloatArray) -> IndexArray:
    """Return whole numbers that ascend with the values: their bits, in that order."""
    # Adding 0 turns -0.0 into 0.0.
    return _turned((values + 0.0).view(np.int64))


def _values(keys: IndexArray) -> FloatArray:
    return _turned(keys).view(np.float64)


def _turned(bits: IndexArray) -> IndexArray:
    """Turn all bits but the sign of negative numbers, there and back."""
    return bits ^ ((bits >> 63) & np.int64(2**63 - 1))
