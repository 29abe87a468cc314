"""Distances of some rows to all rows, by blocks."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairsift._kernels._diff import Columns, known_difference, missing_difference
from pairsift._kernels._jit import kernel
from pairsift._kernels._neighbors import ROUNDOFF_32
from pairsift._typing import BoolArray, FloatArray, IndexArray

# Rows of a block are a line of its transposed table, so that inner loops are over rows
# and vectorised without touching the order of the sums. A slice of the lines of a block
# fits the first cache, and rounding grows with the slices instead of the columns.
BLOCK_VECTORS = 32
SLICE_LINES = 32
# Differences to missing cells are kept for all rows up to this number.
MOST_CELLS = 20_000_000


class Points(NamedTuple):
    """All rows as `row_distances` reads them; columns that vary are their lines.

    rows : (n, n_lines), scale (x - offset) or a qualitative value, in single or double
        precision, quantitative columns first; NaN where missing.
    blocks : (n_blocks, n_lines, width), the same transposed, 0 behind the last row.
    features : (n_lines,), the column of each line.
    n_quantitative : number of quantitative lines.
    codes : (n_lines, n) int32, `Columns.codes` of the lines; empty without missing
        cells.
    cells : (n_missing,) int32, lines that are missing, by rows.
    cell_starts : (n + 1,), where the missing cells of each row begin.
    is_ignored : whether a difference to a missing cell is ignored.
    to_missing : (n_groups, n_blocks, n_lines, width), differences to a missing cell of
        a row of each group; empty when they are many, and computed when needed.
    """

    rows: NDArray[Any]
    blocks: NDArray[Any]
    features: IndexArray
    n_quantitative: int
    codes: NDArray[np.int32]
    cells: NDArray[np.int32]
    cell_starts: IndexArray
    is_ignored: bool
    to_missing: NDArray[Any]


def as_points(X: FloatArray, columns: Columns, dtype: type) -> Points:
    """Prepare the rows of X, shape (n, d), for `row_distances`."""
    varies = columns.scale > 0.0
    quantitative = np.flatnonzero(varies & ~columns.is_nominal)
    nominal = np.flatnonzero(varies & columns.is_nominal)
    features = np.concatenate([quantitative, nominal])
    rows: NDArray[Any] = np.empty((len(X), features.size), dtype=dtype)
    _scale_cells(X, quantitative, columns, rows)
    _number_values(X[:, nominal], rows[:, quantitative.size :])
    n_blocks = max(-(-len(X) // (8 * BLOCK_VECTORS)), 1)
    width = 8 * -(-len(X) // (8 * n_blocks))
    blocks: NDArray[Any] = np.zeros((n_blocks, features.size, width), dtype=dtype)
    _transpose(rows, blocks)
    codes = np.empty((0, 0), dtype=np.int32)
    cells, starts = codes[0:0].ravel(), np.zeros(1, dtype=np.int64)
    if columns.codes.shape[0] > 0:
        codes = np.ascontiguousarray(columns.codes[:, features].T)
        is_missing = np.isnan(rows)
        cells = np.nonzero(is_missing)[1].astype(np.int32)
        starts = np.concatenate([[0], np.cumsum(is_missing.sum(axis=1))])
    points = Points(
        rows,
        blocks,
        features,
        quantitative.size,
        codes,
        cells,
        starts,
        bool(np.isnan(columns.one_missing).any()),
        np.empty((0, 0, 0, 0), dtype=dtype),
    )
    n_groups = columns.one_missing.shape[0]
    if points.is_ignored or n_groups * blocks.size > MOST_CELLS:
        return points
    to_missing: NDArray[Any] = np.zeros((n_groups, *blocks.shape), dtype=dtype)
    _fill_lines(points, columns, to_missing)
    return points._replace(to_missing=to_missing)


@kernel()
def _scale_cells(X, quantitative, columns, rows):
    """Fill in the quantitative cells, from 0 to 1."""
    offset, scale = columns.offset, columns.scale
    for i in range(X.shape[0]):
        for line in range(quantitative.size):
            j = quantitative[line]
            rows[i, line] = (X[i, j] - offset[j]) * scale[j]


@kernel()
def _transpose(rows, blocks):
    """Fill in the rows, tile by tile."""
    n_samples, n_lines = rows.shape
    width = blocks.shape[2]
    for first in range(0, n_samples, 8):
        for start in range(0, n_lines, 16):
            for i in range(first, min(first + 8, n_samples)):
                for j in range(start, min(start + 16, n_lines)):
                    blocks[i // width, j, i % width] = rows[i, j]


def _number_values(values: FloatArray, out: NDArray[Any]) -> None:
    """Fill in values, or their numbers where `out` cannot tell them apart."""
    with np.errstate(over="ignore", invalid="ignore"):
        out[...] = values
        is_exact: BoolArray = ((out == values) | np.isnan(values)).all(axis=0)
    for j in np.flatnonzero(~is_exact):
        known = ~np.isnan(values[:, j])
        out[known, j] = np.unique(values[known, j], return_inverse=True)[1]


@kernel()
def row_distances(X, queries, points, columns, squared, out):
    """Fill out, shape (q, n_blocks * width), with distances of the rows `queries`.

    Distance: Σ_j Δ_j, or Σ_j Δ_j² when `squared`; ignored differences are replaced by
    the mean of the others. Inf for rows that share no known column, and behind the
    last row.
    """
    n_samples = X.shape[0]
    out[:] = 0.0
    for b in range(points.blocks.shape[0]):
        if points.codes.shape[0] > 0:
            _with_missing(queries, b, points, columns, squared, out)
        else:
            _complete(queries, b, points, squared, out)
    if points.is_ignored:
        _stretch(queries, points, out)
    out[:, n_samples:] = np.inf


@kernel()
def _complete(queries, b, points, squared, out):
    """Add the distances of the queries to the rows of block b; no cell is missing."""
    rows, block = points.rows, points.blocks[b]
    n_lines, width = block.shape
    sums = np.empty((4, width), dtype=rows.dtype)
    for start in range(0, n_lines, SLICE_LINES):
        stop = min(start + SLICE_LINES, n_lines)
        middle = min(max(points.n_quantitative, start), stop)
        for q in range(0, queries.size, 4):
            # Behind the last query it is taken again, and the sums are not used.
            last = queries.size - 1
            i, k = queries[q], queries[min(q + 1, last)]
            m, n = queries[min(q + 2, last)], queries[min(q + 3, last)]
            sums[:] = 0.0
            if squared:
                _add_lines(block, start, middle, rows, i, k, m, n, 1, sums)
            else:
                _add_lines(block, start, middle, rows, i, k, m, n, 0, sums)
            _add_lines(block, middle, stop, rows, i, k, m, n, 2, sums)
            for s in range(min(4, queries.size - q)):
                line, part = out[q + s, b * width : (b + 1) * width], sums[s]
                for r in range(width):
                    line[r] += part[r]


@kernel(inline=True)
def term(x, y, kind, one):
    """|x - y|, (x - y)² or [x ≠ y], by kind."""
    delta = x - y
    if kind == 0:
        return abs(delta)
    if kind == 1:
        return delta * delta
    return one if delta != 0 else one - one


@kernel(inline=True)
def known_term(x, y, kind, one, instead):
    """Return the same, or `instead` when x or y is missing."""
    delta, value = x - y, term(x, y, kind, one)
    return value if delta == delta else instead


@kernel()
def _add_lines(block, start, stop, rows, i, k, m, n, kind, sums):
    """Add the differences of four rows on some lines to all rows of a block.

    Four rows and four lines at a time, so that what is loaded is used often.
    """
    width, one = block.shape[1], block.dtype.type(1)
    end = stop - (stop - start) % 4
    for j in range(start, end, 4):
        i0, i1, i2, i3 = rows[i, j], rows[i, j + 1], rows[i, j + 2], rows[i, j + 3]
        k0, k1, k2, k3 = rows[k, j], rows[k, j + 1], rows[k, j + 2], rows[k, j + 3]
        m0, m1, m2, m3 = rows[m, j], rows[m, j + 1], rows[m, j + 2], rows[m, j + 3]
        n0, n1, n2, n3 = rows[n, j], rows[n, j + 1], rows[n, j + 2], rows[n, j + 3]
        for r in range(width):
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
        for r in range(width):
            a = block[j, r]
            sums[0, r] += term(a, i0, kind, one)
            sums[1, r] += term(a, k0, kind, one)
            sums[2, r] += term(a, m0, kind, one)
            sums[3, r] += term(a, n0, kind, one)


@kernel()
def _with_missing(queries, b, points, columns, squared, out):
    """Add the distances of the queries to the rows of block b, where known or not.

    Differences to the missing cells of a query are added afterwards, line by line.
    """
    rows, block, features = points.rows, points.blocks[b], points.features
    codes, group, one_missing = columns.codes, columns.group, columns.one_missing
    n_lines, width = block.shape
    first = b * width
    n_rows = min(width, rows.shape[0] - first)
    ends = group_ends(group, first, n_rows)
    is_kept = points.to_missing.shape[0] > 0
    spare = np.empty((SLICE_LINES, width), dtype=rows.dtype)
    group_of_line = np.empty(SLICE_LINES, dtype=np.int64)
    values = np.empty((2, SLICE_LINES), dtype=rows.dtype)
    instead = np.zeros((2, SLICE_LINES), dtype=rows.dtype)
    sums = np.empty((2, width), dtype=rows.dtype)
    kind = 1 if squared else 0
    for start in range(0, n_lines, SLICE_LINES):
        stop = min(start + SLICE_LINES, n_lines)
        middle = min(max(points.n_quantitative, start), stop)
        group_of_line[:] = -1
        for q in range(0, queries.size, 2):
            sums[:] = 0.0
            begin = 0
            for end in ends:
                for s in range(2):
                    # Behind the last query it is taken again, and not used.
                    a = queries[min(q + s, queries.size - 1)]
                    for j in range(start, stop):
                        code, t = codes[a, features[j]], 0.0
                        if code >= 0 and not points.is_ignored:
                            t = one_missing[group[first + begin], code]
                        values[s, j - start] = rows[a, j]
                        instead[s, j - start] = t * t if squared else t
                _add_known(
                    block, start, middle, start, values, instead, begin, end, kind, sums
                )
                _add_known(
                    block, middle, stop, start, values, instead, begin, end, 2, sums
                )
                begin = end
            for s in range(min(2, queries.size - q)):
                a, part = queries[q + s], sums[s]
                for j in range(start, stop):
                    if points.is_ignored or not np.isnan(rows[a, j]):
                        continue
                    more = spare[j - start]
                    if is_kept:
                        more = points.to_missing[group[a], b, j]
                    elif group_of_line[j - start] != group[a]:
                        group_of_line[j - start] = group[a]
                        fill_line(j, group[a], b, n_rows, points, columns, more)
                    for r in range(n_rows):
                        part[r] += more[r] * more[r] if squared else more[r]
                line = out[q + s, first : first + width]
                for r in range(width):
                    line[r] += part[r]


@kernel()
def group_ends(group, first, n_rows):
    """Where the runs of rows of one group end, among rows first, first + 1, ..."""
    ends = np.empty(n_rows, dtype=np.int64)
    n_runs = 0
    for r in range(1, n_rows + 1):
        if r == n_rows or group[first + r] != group[first + r - 1]:
            ends[n_runs] = r
            n_runs += 1
    return ends[:n_runs]


@kernel()
def fill_line(j, g, b, n_rows, points, columns, line):
    """Differences of the rows of block b on line j to a missing cell of group g."""
    codes, group, feature = points.codes, columns.group, points.features[j]
    one_missing, both_missing = columns.one_missing, columns.both_missing
    first = b * line.size
    line[:] = 0.0
    for r in range(n_rows):
        code = codes[j, first + r]
        if code >= 0:
            line[r] = one_missing[g, code]
        else:
            line[r] = both_missing[g, group[first + r], feature]


@kernel()
def _fill_lines(points, columns, to_missing):
    """Fill in the differences to a missing cell of every group."""
    n_groups, n_blocks, n_lines, width = to_missing.shape
    for b in range(n_blocks):
        n_rows = min(width, points.rows.shape[0] - b * width)
        for g in range(n_groups):
            for j in range(n_lines):
                fill_line(j, g, b, n_rows, points, columns, to_missing[g, b, j])


@kernel()
def _add_known(block, start, stop, zero, values, instead, first, last, kind, sums):
    """Add the differences of two rows on some lines to rows first, ..., last - 1.

    values, instead : (2, SLICE_LINES), of line `zero` first, cells of the two rows, and
    differences to those rows of the block that miss the line.
    """
    one = block.dtype.type(1)
    # Unsigned, so that no index may mean a place from the end.
    rows = range(np.uint64(first), np.uint64(last))
    end = stop - (stop - start) % 4
    for j in range(start, end, 4):
        k = j - zero
        x0, x1 = values[0, k], values[0, k + 1]
        x2, x3 = values[0, k + 2], values[0, k + 3]
        y0, y1 = values[1, k], values[1, k + 1]
        y2, y3 = values[1, k + 2], values[1, k + 3]
        s0, s1 = instead[0, k], instead[0, k + 1]
        s2, s3 = instead[0, k + 2], instead[0, k + 3]
        t0, t1 = instead[1, k], instead[1, k + 1]
        t2, t3 = instead[1, k + 2], instead[1, k + 3]
        for r in rows:
            a, b = block[j, r], block[j + 1, r]
            c, d = block[j + 2, r], block[j + 3, r]
            sums[0, r] += (
                known_term(a, x0, kind, one, s0) + known_term(b, x1, kind, one, s1)
            ) + (known_term(c, x2, kind, one, s2) + known_term(d, x3, kind, one, s3))
            sums[1, r] += (
                known_term(a, y0, kind, one, t0) + known_term(b, y1, kind, one, t1)
            ) + (known_term(c, y2, kind, one, t2) + known_term(d, y3, kind, one, t3))
    for j in range(end, stop):
        k = j - zero
        x0, y0, s0, t0 = values[0, k], values[1, k], instead[0, k], instead[1, k]
        for r in rows:
            a = block[j, r]
            sums[0, r] += known_term(a, x0, kind, one, s0)
            sums[1, r] += known_term(a, y0, kind, one, t0)


@kernel()
def _stretch(queries, points, out):
    """Put the mean of the known differences in the place of the ignored ones."""
    starts, cells, codes = points.cell_starts, points.cells, points.codes
    n_samples, n_lines = points.rows.shape
    n_both = np.empty(n_samples)
    for q in range(queries.size):
        a = queries[q]
        n_both[:] = 0.0
        for i in range(starts[a], starts[a + 1]):
            j = cells[i]
            for r in range(n_samples):
                n_both[r] += 1.0 if codes[j, r] < 0 else 0.0
        n_own = starts[a + 1] - starts[a]
        for r in range(n_samples):
            n_known = n_lines - n_own - (starts[r + 1] - starts[r]) + n_both[r]
            out[q, r] = out[q, r] * (n_lines / n_known) if n_known > 0 else np.inf


@kernel()
def rounding_error(distance, n_features, squared, columns):
    """Bound of the error of a distance of `row_distances` in single precision.

    Cells, at most 1, differences of two and their squares are rounded; sums are over
    four lines, the lines of a slice (one by one where a query misses them) and slices.
    """
    n_sums = 3 + SLICE_LINES // 4 + n_features // SLICE_LINES
    if columns.codes.shape[0] > 0:
        n_sums += SLICE_LINES
    of_cells = 4.0 if squared else 1.5
    return 1.01 * ROUNDOFF_32 * (of_cells * n_features + n_sums * distance)


@kernel()
def exact_distance(X, a, b, squared, columns):
    """Return the distance in double precision; inf when no column is known."""
    scale, is_nominal = columns.scale, columns.is_nominal
    total, n_varying, n_ignored = 0.0, 0, 0
    for j in range(X.shape[1]):
        if scale[j] == 0.0:
            continue
        n_varying += 1
        delta = abs(X[a, j] - X[b, j])
        if np.isnan(delta):
            delta = missing_difference(X, a, b, j, columns)
        else:
            delta = known_difference(delta, is_nominal[j], scale[j])
        if np.isnan(delta):
            n_ignored += 1
        else:
            total += delta * delta if squared else delta
    if n_ignored == 0:
        return total
    n_known = n_varying - n_ignored
    return total * n_varying / n_known if n_known > 0 else np.inf
