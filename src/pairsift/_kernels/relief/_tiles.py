"""The tile engine: distances of rows, and sums of their weighted differences."""

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from pairsift._kernels._jit import chunks_of, kernel, on_threads
from pairsift._kernels.relief._cells import as_cells
from pairsift._kernels.relief._columns import Columns, ignores_missing
from pairsift._kernels.relief._encoded import SLICE_LINES, bound_of_errors, encode
from pairsift._kernels.relief._missing import (
    correct_distances,
    correct_sums,
    stretch_distances,
    take_missing,
)
from pairsift._typing import FloatArray, IndexArray

# Rows of a strip, whose distances to all rows are held at a time. Those of them that
# need double precision are taken together, four at a time: more rows waste less.
STRIP_ROWS = 160
# Distances that a strip holds, or those of all rows at once, at most; but a strip has
# eight rows at least, because every strip reads all rows again: two million took 1.7
# times as long with two.
MAX_DISTANCES = 4_000_000
MIN_STRIP_ROWS = 8
# Rows are compared four at a time.
ROWS = 4


class Engine:
    """Compare some rows, the queries, with blocks of all rows.

    cells : the rows as given, for exact differences.
    rounding : (a, b), a distance d is wrong by a + b d at most.
    is_ignored : whether differences to missing values are ignored.
    """

    def __init__(
        self,
        X: FloatArray,
        columns: Columns,
        dtype: type,
        squared: bool = False,
        weights: FloatArray | None = None,
    ) -> None:
        self.cells, self._columns = as_cells(X, columns), columns
        self.dtype, self.squared = dtype, squared
        self.encoded, error = encode(X, columns, dtype, weights)
        self.n_blocks, n_lines, self.width = self.encoded.blocks.shape
        # None where all lines are numeric, or no difference is squared: Numba leaves
        # out the branch, and compiling takes a third of the time.
        all_numeric = self.encoded.n_numeric == n_lines
        self._n_numeric = None if all_numeric else self.encoded.n_numeric
        # So is there none without a ramp.
        self._start = dtype(columns.start) if columns.has_ramp else None
        self.is_ignored = ignores_missing(columns)
        self.missing, most_missing, stretch = None, 0, 1.0
        if columns.codes.size > 0:
            self.missing = take_missing(self.encoded, columns, squared)
            most_missing = int(np.diff(self.missing.starts).max())
        if self.is_ignored:
            n_lines = np.count_nonzero(self.encoded.heights)
            stretch = n_lines / max(n_lines - 2.0 * most_missing, 1.0)
        self.rounding = bound_of_errors(
            self.encoded, error, squared, most_missing, stretch
        )
        self._complete_error = bound_of_errors(self.encoded, error, squared, 0, 1.0)[0]

    def row_errors(self) -> FloatArray:
        """Absolute part of the errors of the distances of each row, (n,).

        Their root mean square over the other rows, at most. Not for ignored values.
        """
        n_missing = np.zeros(self.encoded.n_samples)
        if self.missing is not None:
            n_missing += np.diff(self.missing.starts)
        # The bound a of `rounding` grows with the missing values of both rows.
        squares = n_missing @ n_missing / max(n_missing.size - 1.0, 1.0)
        share = (n_missing + np.sqrt(squares)) / (2.0 * max(n_missing.max(), 1.0))
        by_missing = self.rounding[0] - self._complete_error
        return np.asarray(self._complete_error + by_missing * share)

    @cached_property
    def in_double(self) -> "Engine":
        """The engine of the same distances in double precision."""
        return Engine(self.cells.X, self._columns, np.float64, self.squared)

    def new_strip(
        self, n_rows: int | None = None, n_blocks: int | None = None
    ) -> FloatArray:
        """Return room for the distances, or weights, of some rows to some blocks.

        Of the rows of a strip and all blocks, unless given.
        """
        n_rows = self.strip_rows if n_rows is None else n_rows
        n_blocks = self.n_blocks if n_blocks is None else n_blocks
        return np.zeros((-(-n_rows // ROWS) * ROWS, n_blocks * self.width), self.dtype)

    def part_of(self, strip: FloatArray, n_rows: int) -> FloatArray:
        """Return the part of a strip for fewer rows, with zeros behind the last one."""
        strip[n_rows:] = 0.0
        return strip[: -(-n_rows // ROWS) * ROWS]

    def strips(
        self, targets: IndexArray, block: int, n_blocks: int
    ) -> Iterator[IndexArray]:
        """Yield the targets of one of the blocks, a strip at a time."""
        return chunks_of(targets, block, n_blocks, self.strip_rows)

    @property
    def strip_rows(self) -> int:
        """Number of rows of a strip."""
        n_rows = min(STRIP_ROWS, MAX_DISTANCES // self.encoded.n_samples)
        return max(MIN_STRIP_ROWS, n_rows // ROWS * ROWS)

    def rows_of(self, block: int) -> IndexArray:
        """Return the rows of a block."""
        start = block * self.width
        return np.arange(start, min(start + self.width, self.encoded.n_samples))

    def rounding_of(self, queries: IndexArray) -> FloatArray:
        """Return (a, b) of some rows, (q, 2), see `rounding`."""
        return np.tile(self.rounding, (queries.size, 1))

    def strip_of(self, queries: IndexArray) -> FloatArray:
        """Return the distances of some rows to all rows, see `distances`."""
        strip = self.new_strip(queries.size)
        self.distances(queries, strip)
        return strip

    def distances(self, queries: IndexArray, out: FloatArray) -> None:
        """Fill in the distances of the queries to all rows.

        out : `new_strip`; inf for rows that share no known column, and behind the last
        row.
        """
        self._fill(queries, self._take(queries), 0, self.n_blocks, out)
        if self.missing is not None and self.missing.is_ignored:
            stretch_distances(queries, self.encoded, self.missing, out)

    def block_distances(
        self, block: int, first: int, last: int, out: FloatArray
    ) -> None:
        """Fill in the distances of the rows of a block to blocks first, ..., last - 1.

        Ignored differences count 0.
        """
        ends = self.encoded.blocks[block]
        self._fill(self.rows_of(block), ends, first, last, out)

    def all_distances(self, n_jobs: int | None = -1) -> FloatArray | None:
        """Return the distances of all rows at once; None when they are too many.

        Every pair of rows is visited once, in the order of blocks.
        """
        size = self.n_blocks * self.width
        if size * size > MAX_DISTANCES:
            return None
        out: FloatArray = np.empty((size, size), dtype=self.dtype)

        def fill(start: int, stop: int) -> None:
            for block in range(start, stop):
                place = block * self.width
                strip = self.new_strip(self.width, self.n_blocks - block)
                self.block_distances(block, block, self.n_blocks, strip)
                out[place : place + self.width, place:] = strip
                out[place:, place : place + self.width] = strip.T

        cost = 0.1 * self.encoded.n_samples * self.encoded.blocks.size
        on_threads(n_jobs, self.n_blocks, fill, cost=cost, parts_each=self.n_blocks)
        if self.missing is not None and self.missing.is_ignored:
            everyone = np.arange(self.encoded.n_samples)
            stretch_distances(everyone, self.encoded, self.missing, out)
        out[:, self.encoded.n_samples :] = np.inf
        return out

    def _take(self, rows: IndexArray) -> FloatArray:
        return np.asarray(_take_rows(rows, self.encoded.blocks))

    def _fill(
        self,
        queries: IndexArray,
        ends: FloatArray,
        first: int,
        last: int,
        out: FloatArray,
    ) -> None:
        encoded, blocks = self.encoded, self.encoded.blocks[first:last]
        squared = True if self.squared else None
        tile_distances(
            ends, blocks, self._n_numeric, encoded.heights, squared, self._start, out
        )
        if self.missing is not None:
            correct_distances(
                queries, ends, first, last, encoded, self.missing, self.squared, out
            )
        out[:, encoded.n_samples - first * self.width :] = np.inf

    def add_differences(
        self, queries: IndexArray, weights: FloatArray, sums: FloatArray
    ) -> None:
        """Add Σ_q Σ_r weights[q, r] Δ_f(x_q, x_r) over all rows r.

        weights : `new_strip`; 0 behind the last query and the last row; sums : (d,).
        """
        self._add(queries, self._take(queries), 0, weights, sums)

    def add_block_differences(
        self, block: int, weights: FloatArray, sums: FloatArray
    ) -> None:
        """Add the same for the rows of a block, and of this and later blocks.

        weights : (n, n), of all rows. Every pair of rows is visited once.
        """
        start, stop = block * self.width, (block + 1) * self.width
        both = weights[start:stop, start:].copy()
        both[:, self.width :] += weights[stop:, start:stop].T
        ends = self.encoded.blocks[block]
        self._add(self.rows_of(block), ends, block, both, sums)

    def _add(
        self,
        queries: IndexArray,
        ends: FloatArray,
        first: int,
        weights: FloatArray,
        sums: FloatArray,
    ) -> None:
        encoded, blocks = self.encoded, self.encoded.blocks[first:]
        tile_sums(
            ends, blocks, self._n_numeric, encoded.features, self._start, weights, sums
        )
        if self.missing is not None:
            correct_sums(
                queries, ends, weights, first, self.n_blocks, encoded, self.missing,
                sums,
            )  # fmt: skip


@kernel()
def _take_rows(rows, blocks):
    """Return some rows transposed, (n_lines, n), n a multiple of 4 with rows of zeros.

    The kernels read four numbers of a line at a time.
    """
    width = blocks.shape[2]
    out = np.zeros((blocks.shape[1], -(-rows.size // ROWS) * ROWS), dtype=blocks.dtype)
    for i in range(rows.size):
        block, place = blocks[rows[i] // width], rows[i] % width
        for j in range(out.shape[0]):
            out[j, i] = block[j, place]
    return out


@kernel()
def tile_distances(ends, blocks, n_numeric, heights, squared, ramp, out):
    """Fill in the distances of rows to all rows of some blocks.

    Distance: Σ_j Δ_j, or Σ_j Δ_j² when `squared` is not None; missing values count as
    0. n_numeric : number of numeric lines, None for all; ramp : where it starts, None
    without one.

    ends : (n_lines, n); blocks : (n_blocks, n_lines, width); out : (n, n_blocks *
    width), row r of block b in column b width + r.
    """
    n_blocks, n_lines, width = blocks.shape
    sums, zero = np.empty((ROWS, width), dtype=out.dtype), out.dtype.type(0)
    out[:] = 0
    for b in range(n_blocks):
        block, shift = blocks[b], np.uint64(b * width)
        for start in range(0, n_lines, SLICE_LINES):
            stop = min(start + SLICE_LINES, n_lines)
            middle = stop
            if n_numeric is not None:
                middle = min(max(n_numeric, start), stop)
            for q in range(0, ends.shape[1], ROWS):
                sums[:] = 0
                if ramp is not None:
                    if squared is None:
                        _add_lines(
                            block, ends, q, start, middle, heights, 3, ramp, sums
                        )
                    else:
                        _add_lines(
                            block, ends, q, start, middle, heights, 4, ramp, sums
                        )
                elif squared is None:
                    _add_lines(block, ends, q, start, middle, heights, 0, zero, sums)
                else:
                    _add_lines(block, ends, q, start, middle, heights, 1, zero, sums)
                if n_numeric is not None:
                    _add_lines(block, ends, q, middle, stop, heights, 2, zero, sums)
                for s in range(ROWS):
                    line, part = out[q + s], sums[s]
                    # Unsigned, so that no index may mean a place from the end.
                    for r in range(np.uint64(width)):
                        line[shift + r] += part[r]


@kernel(inner=True)
def _add_lines(block, ends, q, start, stop, heights, kind, ramp, sums):
    """Add the differences of rows q, ..., q + 3 on some lines to the rows of a block.

    kind : see `_term`. Four rows and four lines at a time, so that what is loaded is
    used often; whoever changes this loop has to measure it.
    """
    width = np.uint64(block.shape[1])
    for j in range(start, stop, 4):
        e, f, g, h = ends[j], ends[j + 1], ends[j + 2], ends[j + 3]
        e0, e1, e2, e3 = e[q], e[q + 1], e[q + 2], e[q + 3]
        f0, f1, f2, f3 = f[q], f[q + 1], f[q + 2], f[q + 3]
        g0, g1, g2, g3 = g[q], g[q + 1], g[q + 2], g[q + 3]
        h0, h1, h2, h3 = h[q], h[q + 1], h[q + 2], h[q + 3]
        s, t, u, v = heights[j], heights[j + 1], heights[j + 2], heights[j + 3]
        for r in range(width):
            a, b, c, d = block[j, r], block[j + 1, r], block[j + 2, r], block[j + 3, r]
            sums[0, r] += (
                _term(a, e0, s, kind, ramp) + _term(b, f0, t, kind, ramp)
            ) + (_term(c, g0, u, kind, ramp) + _term(d, h0, v, kind, ramp))
            sums[1, r] += (
                _term(a, e1, s, kind, ramp) + _term(b, f1, t, kind, ramp)
            ) + (_term(c, g1, u, kind, ramp) + _term(d, h1, v, kind, ramp))
            sums[2, r] += (
                _term(a, e2, s, kind, ramp) + _term(b, f2, t, kind, ramp)
            ) + (_term(c, g2, u, kind, ramp) + _term(d, h2, v, kind, ramp))
            sums[3, r] += (
                _term(a, e3, s, kind, ramp) + _term(b, f3, t, kind, ramp)
            ) + (_term(c, g3, u, kind, ramp) + _term(d, h3, v, kind, ramp))


@kernel(inline=True)
def _term(x, y, height, kind, ramp):
    """|x - y|, (x - y)², h [x ≠ y], or |x - y| - r h between 0 and h, or its square."""
    if kind == 0:
        return abs(x - y)
    if kind == 1:
        return (x - y) * (x - y)
    if kind == 2:
        return height if x != y else height - height
    delta = abs(x - y) - ramp * height
    delta = delta if delta > height - height else height - height
    delta = delta if delta < height else height
    return delta if kind == 3 else delta * delta


@kernel(fused=True)
def tile_sums(ends, blocks, n_numeric, features, ramp, weights, sums):
    """Add Σ_q Σ_r weights[q, r] Δ_j(x_q, x_r) to sums[features[j]], all heights 1.

    ends, blocks, ramp : as in `tile_distances`, weights as its out. Differences are
    added in the precision of the weights within a block, in double precision between.
    """
    n_blocks, n_lines, width = blocks.shape
    parts = np.empty((SLICE_LINES, width), dtype=weights.dtype)
    lanes, zero = np.empty(8), weights.dtype.type(0)
    for b in range(n_blocks):
        for start in range(0, n_lines, SLICE_LINES):
            stop = min(start + SLICE_LINES, n_lines)
            middle = stop
            if n_numeric is not None:
                middle = min(max(n_numeric, start), stop)
            parts[:] = 0
            for q in range(0, ends.shape[1], ROWS):
                some = (start, middle)
                if ramp is None:
                    _add_weighted(blocks, b, ends, q, some, 0, zero, weights, parts)
                else:
                    _add_weighted(blocks, b, ends, q, some, 3, ramp, weights, parts)
                if n_numeric is not None:
                    some = (middle, stop)
                    _add_weighted(blocks, b, ends, q, some, 2, zero, weights, parts)
            for j in range(start, stop):
                lanes[:] = 0.0
                for r in range(0, width, 8):
                    for k in range(8):
                        lanes[k] += parts[j % SLICE_LINES, r + k]
                for k in range(8 if features[j] >= 0 else 0):
                    sums[features[j]] += lanes[k]


@kernel(inner=True, fused=True)
def _add_weighted(blocks, b, ends, q, lines, kind, ramp, weights, parts):
    """Add weighted differences of rows q, ..., q + 3 to the rows of block b.

    lines : the first, and the one behind the last.
    """
    one, width = weights.dtype.type(1), np.uint64(blocks.shape[2])
    block, shift = blocks[b], np.uint64(b * blocks.shape[2])
    s, t, u, v = weights[q], weights[q + 1], weights[q + 2], weights[q + 3]
    for j in range(lines[0], lines[1]):
        line, part = block[j], parts[j % SLICE_LINES]
        x, y, z, w = ends[j, q], ends[j, q + 1], ends[j, q + 2], ends[j, q + 3]
        for r in range(width):
            a = line[r]
            part[r] += (
                s[shift + r] * _term(a, x, one, kind, ramp)
                + t[shift + r] * _term(a, y, one, kind, ramp)
            ) + (
                u[shift + r] * _term(a, z, one, kind, ramp)
                + v[shift + r] * _term(a, w, one, kind, ramp)
            )
