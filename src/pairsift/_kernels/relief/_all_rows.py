"""Distances of some rows to all rows, by blocks."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairsift._kernels._jit import CHUNK_DISTANCES, kernel, on_threads
from pairsift._kernels.relief._diff import Columns, ignores_missing
from pairsift._kernels.relief._missing_values import (
    SOME_CELLS,
    Gaps,
    correct_rows,
    correct_tile,
    fill_corrections,
    stretch_distances,
    take_gaps,
)
from pairsift._kernels.relief._neighbors import ROUNDOFF_32, ROUNDOFF_64
from pairsift._typing import BoolArray, FloatArray, IndexArray

# Rows of a block are a line of its transposed table, so that inner loops are over rows
# and vectorised without touching the order of the sums. A slice of the lines of a block
# fits the first cache, and rounding grows with the slices instead of the columns.
BLOCK_VECTORS = 32
SLICE_LINES = 32
LONG_SLICE = 256
# Corrections for missing values are kept for all rows up to this number.
MOST_CELLS = 20_000_000
MOST_32 = 2**31 - 1
# Up to so many differences, scores are computed in double precision throughout.
DOUBLE_CELLS = 30_000_000


class Points(NamedTuple):
    """All rows as `row_distances` reads them; columns that vary are their lines.

    rows : (n, n_lines), unit scale (x - offset) or a categorical value, numeric
        columns first; 0 where missing. In single or double precision, or whole numbers,
        whose sums are not rounded.
    blocks : (n_blocks, n_lines, width), the same transposed, 0 behind the last row.
    features : (n_lines,), the column of each line.
    n_quantitative : number of numeric lines.
    is_ignored : whether a difference to a missing value is ignored.
    unit : what a difference of 1 adds to a distance.
    far : the distance to what is not there.
    rounding : (a, b), a distance d is wrong by a + b d at most.
    """

    rows: NDArray[Any]
    blocks: NDArray[Any]
    features: IndexArray
    n_quantitative: int
    is_ignored: bool
    unit: float
    far: Any
    rounding: tuple[float, float]


def as_points(
    X: FloatArray,
    columns: Columns,
    dtype: type,
    squared: bool = False,
    transposed: bool = True,
) -> tuple[Points, Gaps | None]:
    """Prepare the rows of X, shape (n, d), for distances, `squared` or not.

    dtype : of the distances; for np.int32, not squared and nothing ignored.
    transposed : whether to fill the blocks, or leave them without lines.

    Kernels take None for the gaps of complete rows, and are compiled without what only
    gaps need, which is half of them.
    """
    varies = columns.scale > 0.0
    numeric = np.flatnonzero(varies & ~columns.is_categorical)
    categorical = np.flatnonzero(varies & columns.is_categorical)
    features = np.concatenate([numeric, categorical])
    unit, far = 1.0, dtype(np.inf if np.issubdtype(dtype, np.floating) else MOST_32)
    if dtype is np.int32:
        # No sum, with corrections for missing values, exceeds 32 bits.
        unit = float(MOST_32 // (features.size + 2.0 * columns.most_guessed + 2.0))
    rows: NDArray[Any] = np.empty((len(X), features.size), dtype=dtype)
    cell_error = _scale_cells(X, numeric, columns, unit, rows)
    values, least = X[:, categorical], columns.offset[categorical]
    _number_values(values, least, rows[:, numeric.size :])
    gaps = None
    if columns.codes.size > 0:
        gaps = take_gaps(rows, features, columns, transposed)
    n_blocks = max(-(-len(X) // (8 * BLOCK_VECTORS)), 1)
    width = 8 * -(-len(X) // (8 * n_blocks))
    n_lines = features.size if transposed else 0
    blocks: NDArray[Any] = np.zeros((n_blocks, n_lines, width), dtype=dtype)
    _transpose(rows[:, :n_lines], blocks)
    points = Points(
        rows,
        blocks,
        features,
        numeric.size,
        ignores_missing(columns),
        unit,
        far,
        (0.0, 0.0),
    )
    points = points._replace(rounding=_rounding(points, gaps, cell_error, squared))
    n_corrections = columns.one_missing.shape[0] * blocks.size
    if gaps is not None and 0 < n_corrections <= MOST_CELLS:
        gaps = _keep_corrections(points, gaps, squared)
    return points, gaps


def _keep_corrections(points: Points, gaps: Gaps, squared: bool) -> Gaps:
    """Return the same with the corrections of all blocks."""
    n_blocks, n_lines, width = points.blocks.shape
    shape = n_blocks, gaps.one_missing.shape[0], n_lines, width
    kept: NDArray[Any] = np.zeros(shape, dtype=points.blocks.dtype)
    for b in range(n_blocks):
        members = np.arange(b * width, min((b + 1) * width, len(points.rows)))
        fill_corrections(members, points.blocks[b], points, gaps, squared, kept[b])
    return gaps._replace(corrections=kept)


def in_single(points: Points, gaps: Gaps | None) -> tuple[Points, Gaps | None]:
    """Return the same in single precision, of points in whole numbers."""
    n, single = points.n_quantitative, np.float32(1.0 / points.unit)
    rows, blocks = points.rows.astype(np.float32), points.blocks.astype(np.float32)
    rows[:, :n] *= single
    blocks[:, :n] *= single
    points = points._replace(rows=rows, blocks=blocks, unit=1.0, far=np.float32(np.inf))
    if gaps is not None:
        corrections = gaps.corrections.astype(np.float32) * single
        gaps = gaps._replace(corrections=corrections)
    return points, gaps


@kernel(reordered=True)
def _scale_cells(X, numeric, columns, unit, rows):
    """Fill in the numeric cells, 0 to unit; return the worst error of a row."""
    offset, scale = columns.offset[numeric], columns.scale[numeric] * unit
    chosen, worst = np.empty(numeric.size), 0.0
    for i in range(X.shape[0]):
        for line in range(numeric.size):
            chosen[line] = X[i, numeric[line]]
        error, scaled = 0.0, rows[i]
        for line in range(numeric.size):
            cell = (chosen[line] - offset[line]) * scale[line]
            # Not a number where it is missing.
            cell = cell if cell == cell else 0.0
            scaled[line] = np.rint(cell) if unit > 1.0 else cell
            error += abs(cell - scaled[line])
        worst = max(worst, error)
    return worst


def _rounding(
    points: Points, gaps: Gaps | None, cell_error: float, squared: bool
) -> tuple[float, float]:
    """Bound the errors of distances, see `Points`.

    The sum of the differences, or of squares, is rounded with each of them, then with
    the sums of four lines, of a slice and of the slices; corrections for missing values
    change it by at most their number, their sums by at most the squares of it.
    """
    n_lines, numeric = points.rows.shape[1], points.n_quantitative
    n_missing = 0.0 if gaps is None else float(np.diff(gaps.starts).max())
    if points.unit > 1.0:
        # Only cells and corrections are rounded, those by a half.
        return 1.01 * (2.0 * cell_error + n_missing) + 1.0, 4.0 * ROUNDOFF_64 * n_lines
    starts = np.arange(0, max(n_lines, 1), SLICE_LINES)
    stops = np.minimum(starts + SLICE_LINES, n_lines)
    middles = np.clip(numeric, starts, stops)
    lengths = np.array([middles - starts, stops - middles])
    n_added = (lengths // 4 + lengths % 4).sum(axis=0).max()
    # The first of them is exact.
    n_roundings = (3 if squared else 1) + 2 + (n_added - 1) + (starts.size - 1)
    if points.blocks.shape[1] < n_lines:
        # Sums along the rows, in any order; sums of those are not rounded.
        n_roundings = (3 if squared else 1) + LONG_SLICE + 1
    n_parts = -(-n_missing // SOME_CELLS) if points.blocks.size > 0 else 0
    error, stretch = 2.0 * cell_error * (2 if squared else 1), 1.0
    unit = float(np.finfo(points.rows.dtype).eps) / 2.0
    if n_missing > 0:
        n_roundings += n_parts + 1
        n_sums = n_roundings + 3 + n_parts + min(n_missing, SOME_CELLS) / 2.0
        error += 2.0 * n_missing * unit * n_sums
    if points.is_ignored:
        # What is known stands for the rest.
        stretch = n_lines / max(n_lines - 2.0 * n_missing, 1.0)
    # A hundredth more: all this is rounded, too.
    return 1.01 * stretch * error, 1.01 * unit * float(n_roundings + 1)


@kernel()
def _transpose(rows, blocks):
    """Fill in the rows, tile by tile."""
    n_samples, n_lines = rows.shape
    for b in range(blocks.shape[0]):
        block = blocks[b]
        start = b * block.shape[1]
        n_rows = min(block.shape[1], n_samples - start)
        for line in range(0, n_lines, 16):
            lines = block[line : min(line + 16, n_lines)]
            for first in range(0, n_rows, 8):
                some = rows[start + first : start + min(first + 8, n_rows), line:]
                for j in range(lines.shape[0]):
                    for i in range(some.shape[0]):
                        lines[j, first + i] = some[i, j]


def _number_values(values: FloatArray, least: FloatArray, out: NDArray[Any]) -> None:
    """Fill in values, from 0 on, or their numbers where `out` does not keep them.

    least : the smallest of each column, which also stands in for missing values when
    pairs of rows are added up.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        shifted = values - least
        out[...] = shifted.astype(out.dtype)
        # What single precision cannot tell, whole numbers must not either.
        is_small = np.abs(shifted) < 1.0 / ROUNDOFF_32
        is_same = (out + least == values) & (is_small | (out.itemsize > 4))
        is_exact: BoolArray = (is_same | np.isnan(values)).all(axis=0)
    for j in np.flatnonzero(~is_exact):
        known = ~np.isnan(values[:, j])
        out[known, j] = np.unique(values[known, j], return_inverse=True)[1]


@kernel()
def row_distances(queries, points, gaps, squared, out):
    """Fill out, shape (q, n_blocks * width), with distances of the rows `queries`.

    Distance: Σ_j Δ_j, or Σ_j Δ_j² when `squared`; ignored differences are replaced by
    the mean of the others. Far for rows that share no known column, and behind the
    last row.
    """
    out[:] = 0
    n_samples, (n_blocks, _, width) = points.rows.shape[0], points.blocks.shape
    for b in range(n_blocks):
        _add_block(queries, b, points, squared, False, b * width, out)
    if gaps is not None:
        correct_rows(queries, points, gaps, squared, out)
    out[:, n_samples:] = points.far


def all_distances(
    points: Points, gaps: Gaps | None, squared: bool, n_jobs: int | None = None
) -> NDArray[Any]:
    """Return the distances of all rows at once; (0, 0) when they are too many.

    Every pair of rows is visited once.
    """
    n_samples, (n_blocks, _, width) = len(points.rows), points.blocks.shape
    size = n_blocks * width
    if size * size > CHUNK_DISTANCES:
        return np.empty((0, 0), dtype=points.rows.dtype)
    out: NDArray[Any] = np.empty((size, size), dtype=points.rows.dtype)
    tiles = tiles_of(n_blocks)

    def fill(start, stop):
        _fill_tiles(tiles[start:stop], points, gaps, squared, out)

    cost = 0.05 * n_samples * points.rows.size
    on_threads(n_jobs, len(tiles), fill, cost=cost, parts_each=len(tiles))
    if gaps is not None and points.is_ignored:
        stretch_distances(np.arange(n_samples), points, gaps, out)
    out[:, n_samples:] = points.far
    return out


def tiles_of(n_blocks: int) -> IndexArray:
    """Return all pairs of blocks, (n_tiles, 2), those of one block, less work, last.

    Then threads that take a tile at a time come to an end together.
    """
    tiles = np.column_stack(np.triu_indices(n_blocks))
    is_square = tiles[:, 0] == tiles[:, 1]
    return np.concatenate([tiles[~is_square], tiles[is_square]])


@kernel()
def _fill_tiles(tiles, points, gaps, squared, out):
    """Fill in the distances of the rows of two blocks, in both places."""
    width = points.blocks.shape[2]
    distances = np.empty((width, width), dtype=out.dtype)
    for t in range(tiles.shape[0]):
        row, column = tiles[t, 0] * width, tiles[t, 1] * width
        tile_distances(tiles[t, 0], tiles[t, 1], points, gaps, squared, distances)
        is_square = row == column
        for first in range(0, width, 8):
            for q in range(first, first + 8):
                start = q if is_square else 0
                part = out[row + q, column + start : column + width]
                for r in range(part.size):
                    part[r] = distances[q, start + r]
            for r in range(first + 8 if is_square else 0, width):
                line = out[column + r, row + first : row + first + 8]
                # A number that the compiler knows makes this twice as fast.
                for q in range(8):
                    line[q] = distances[first + q, r]
            for q in range(8 if is_square else 0):
                for r in range(q):
                    a, b = first + q, first + r
                    out[row + a, row + b] = distances[b, a]


@kernel(part=True)
def tile_distances(i, b, points, gaps, squared, out):
    """Fill out, shape (width, width), with distances of the rows of two blocks.

    Within a block, only those to later rows are good. Ignored differences count 0.
    """
    width, n_samples = points.blocks.shape[2], points.rows.shape[0]
    queries = np.arange(i * width, min((i + 1) * width, n_samples))
    out[:] = 0
    _add_block(queries, b, points, squared, i == b, 0, out)
    if gaps is not None:
        correct_tile(queries, i, b, points, gaps, squared, out)


@kernel(part=True)
def _add_block(queries, b, points, squared, is_square, at, out):
    """Add the distances of the queries to the rows of block b, from column `at` on.

    is_square : the queries are those rows, and only later rows matter to each.
    """
    rows, block = points.rows, points.blocks[b]
    one = rows.dtype.type(points.unit)
    n_lines, width = block.shape
    shift = np.uint64(at)
    sums = np.empty((4, width), dtype=rows.dtype)
    for start in range(0, n_lines, SLICE_LINES):
        stop = min(start + SLICE_LINES, n_lines)
        middle = min(max(points.n_quantitative, start), stop)
        for q in range(0, queries.size, 4):
            # Behind the last query it is taken again, and the sums are not used.
            last = queries.size - 1
            i, k = queries[q], queries[min(q + 1, last)]
            m, n = queries[min(q + 2, last)], queries[min(q + 3, last)]
            # Unsigned, so that no index may mean a place from the end.
            later = np.uint64(q - q % 8 if is_square else 0)
            sums[:] = 0
            if squared:
                _add_lines(block, start, middle, rows, i, k, m, n, 1, one, later, sums)
            else:
                _add_lines(block, start, middle, rows, i, k, m, n, 0, one, later, sums)
            _add_lines(block, middle, stop, rows, i, k, m, n, 2, one, later, sums)
            for s in range(min(4, queries.size - q)):
                line, part = out[q + s], sums[s]
                for r in range(later, np.uint64(width)):
                    line[shift + r] += part[r]


@kernel(inline=True)
def term(x, y, kind, one):
    """|x - y|, (x - y)² or [x ≠ y], by kind."""
    # Numba takes the difference of whole numbers in 64 bits.
    delta = type(x)(x - y)
    if kind == 0:
        return abs(delta)
    if kind == 1:
        return delta * delta
    return one if delta != 0 else one - one


@kernel()
def _add_lines(block, start, stop, rows, i, k, m, n, kind, one, later, sums):
    """Add the differences of four rows on some lines to the later rows of a block.

    Four rows and four lines at a time, so that what is loaded is used often.
    """
    width = np.uint64(block.shape[1])
    end = stop - (stop - start) % 4
    for j in range(start, end, 4):
        i0, i1, i2, i3 = rows[i, j], rows[i, j + 1], rows[i, j + 2], rows[i, j + 3]
        k0, k1, k2, k3 = rows[k, j], rows[k, j + 1], rows[k, j + 2], rows[k, j + 3]
        m0, m1, m2, m3 = rows[m, j], rows[m, j + 1], rows[m, j + 2], rows[m, j + 3]
        n0, n1, n2, n3 = rows[n, j], rows[n, j + 1], rows[n, j + 2], rows[n, j + 3]
        for r in range(later, width):
            a, b = block[j, r], block[j + 1, r]
            c, d = block[j + 2, r], block[j + 3, r]
            sums[0, r] += (term(a, i0, kind, one) + term(b, i1, kind, one)) + (
                term(c, i2, kind, one) + term(d, i3, kind, one)
            )
            sums[1, r] += (term(a, k0, kind, one) + term(b, k1, kind, one)) + (
                term(c, k2, kind, one) + term(d, k3, kind, one)
            )
            sums[2, r] += (term(a, m0, kind, one) + term(b, m1, kind, one)) + (
                term(c, m2, kind, one) + term(d, m3, kind, one)
            )
            sums[3, r] += (term(a, n0, kind, one) + term(b, n1, kind, one)) + (
                term(c, n2, kind, one) + term(d, n3, kind, one)
            )
    for j in range(end, stop):
        i0, k0, m0, n0 = rows[i, j], rows[k, j], rows[m, j], rows[n, j]
        for r in range(later, width):
            a = block[j, r]
            sums[0, r] += term(a, i0, kind, one)
            sums[1, r] += term(a, k0, kind, one)
            sums[2, r] += term(a, m0, kind, one)
            sums[3, r] += term(a, n0, kind, one)


@kernel()
def exact_distance(X, a, b, squared, columns):
    """Return the distance in double precision; inf when no column is known."""
    scale, codes = columns.scale, columns.codes
    one_missing, both_missing = columns.one_missing, columns.both_missing
    total = _known_distance(X[a], X[b], squared, scale, columns.is_categorical)
    if codes.shape[0] == 0:
        return total
    g, h, n_ignored = columns.group[a], columns.group[b], 0
    of_a, of_b = codes[a], codes[b]
    for j in range(scale.size):
        if (of_a[j] >= 0 and of_b[j] >= 0) or scale[j] == 0.0:
            continue
        # As `missing_difference`, but a call costs more than all this.
        if of_a[j] >= 0:
            delta = one_missing[h, of_a[j]]
        elif of_b[j] >= 0:
            delta = one_missing[g, of_b[j]]
        else:
            delta = both_missing[g, h, j]
        if np.isnan(delta):
            n_ignored += 1
        else:
            total += delta * delta if squared else delta
    if n_ignored == 0:
        return total
    n_varying = np.count_nonzero(scale)
    n_known = n_varying - n_ignored
    return total * n_varying / n_known if n_known > 0 else np.inf


@kernel(reordered=True)
def _known_distance(x, y, squared, scale, is_categorical):
    """Sum the differences on the columns that both rows know."""
    total = 0.0
    for j in range(x.size):
        delta = abs(x[j] - y[j])
        differs = 1.0 if delta > 0.0 else 0.0
        delta = (differs if is_categorical[j] else delta) * scale[j]
        # Not a number where a cell is missing.
        delta = delta if delta == delta else 0.0
        total += delta * delta if squared else delta
    return total
