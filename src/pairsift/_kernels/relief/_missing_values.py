"""Corrections for missing values, which are taken for 0 where rows are compared."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairsift._kernels._jit import kernel
from pairsift._kernels.relief._diff import Columns
from pairsift._kernels.relief._neighbors import ROUNDOFF_64
from pairsift._typing import FloatArray, IndexArray

# So many corrections are added up before they meet a sum of others.
SOME_CELLS = 32


class Gaps(NamedTuple):
    """The missing values of `Points`, and what is put in their place.

    cells : (n_missing,) int32, lines that are missing, by rows.
    starts : (n + 1,), where the missing values of each row begin.
    incomplete : lines with missing values.
    codes : (n_lines, n) int32, `Columns.codes` of the lines; or empty.
    group, one_missing, both_missing, most_guessed : as in `Columns`.
    corrections : (n_blocks, n_groups, n_lines, width), `corrections_of` each block;
        empty when they are many, and computed when needed.
    """

    cells: NDArray[np.int32]
    starts: IndexArray
    incomplete: IndexArray
    codes: NDArray[np.int32]
    group: NDArray[np.int32]
    one_missing: FloatArray
    both_missing: FloatArray
    most_guessed: float
    corrections: NDArray[Any]


def take_gaps(
    rows: NDArray[Any], features: IndexArray, columns: Columns, transposed: bool
) -> Gaps:
    """Return the gaps of rows, (n, n_lines), and fill in 0 for missing values.

    transposed : whether to fill the codes.
    """
    shape = rows.shape[::-1] if transposed else (0, 0)
    codes = np.empty(shape, dtype=np.int32)
    cells, starts = _take_missing(rows, features, columns.codes, codes)
    return Gaps(
        cells,
        starts,
        np.flatnonzero(np.bincount(cells, minlength=features.size)),
        codes,
        columns.group,
        columns.one_missing,
        columns.both_missing,
        columns.most_guessed,
        np.empty((0, 0, 0, 0), dtype=rows.dtype),
    )


@kernel()
def _take_missing(rows, features, all_codes, codes):
    """Fill in 0 for missing values, and the codes of all; return cells and starts."""
    n_samples, n_lines = rows.shape
    starts, n_cells = np.empty(n_samples + 1, dtype=np.int64), 0
    for i in range(n_samples):
        for j in range(n_lines):
            n_cells += 1 if all_codes[i, features[j]] < 0 else 0
    cells, n_cells = np.empty(n_cells, dtype=np.int32), 0
    for i in range(n_samples):
        starts[i] = n_cells
        for j in range(n_lines):
            if all_codes[i, features[j]] < 0:
                rows[i, j], cells[n_cells] = 0, j
                n_cells += 1
    starts[n_samples] = n_cells
    for start in range(0, codes.shape[0], 16):
        for i in range(n_samples):
            for j in range(start, min(start + 16, n_lines)):
                codes[j, i] = all_codes[i, features[j]]
    return cells, starts


@kernel()
def correct_rows(queries, points, gaps, squared, out):
    """Replace differences of the queries to all rows that one of them misses."""
    values = np.ascontiguousarray(points.rows[queries].T)
    of_queries = corrections_of(queries, values, points, gaps, squared)
    n_blocks, _, width = points.blocks.shape
    for b in range(n_blocks):
        _correct_block(queries, b, of_queries, points, gaps, squared, b * width, out)
    if points.is_ignored:
        stretch_distances(queries, points, gaps, out)


@kernel(part=True)
def correct_tile(queries, i, b, points, gaps, squared, out):
    """Do the same for the queries, the rows of block i, and the rows of block b."""
    of_queries = corrections_of_block(i, points, gaps, squared)
    _correct_block(queries, b, of_queries, points, gaps, squared, 0, out)


@kernel()
def _correct_block(queries, b, of_queries, points, gaps, squared, at, out):
    """Replace differences of the queries to rows of block b that one of them misses.

    of_queries : `corrections_of` the queries; out[q, at + r] : distance of query q and
    row r of the block.
    """
    cells, starts, group = gaps.cells, gaps.starts, gaps.group
    n_queries, width = queries.size, points.blocks.shape[2]
    first = b * width
    n_rows = min(width, starts.size - 1 - first)
    of_rows = corrections_of_block(b, points, gaps, squared)
    part = np.empty(width, dtype=out.dtype)
    for q in range(n_queries):
        a, line = queries[q], out[q, at : at + width]
        _add_lines(of_rows[group[a]], cells[starts[a] : starts[a + 1]], part, line)
    # The same from the other side.
    flipped = np.zeros((width, n_queries), dtype=out.dtype)
    part = np.empty(of_queries.shape[2], dtype=out.dtype)
    for r in range(n_rows):
        a = first + r
        chosen = cells[starts[a] : starts[a + 1]]
        _add_lines(of_queries[group[a]], chosen, part, flipped[r])
    zero = out.dtype.type(0)
    least = zero
    if out.itemsize > 4:
        # What rounding may leave of a sum that vanishes; rough distances may be wrong.
        least = out.dtype.type(16.0 * ROUNDOFF_64 * gaps.most_guessed)
    for start in range(0, width, 8):
        for q in range(n_queries):
            line = out[q, at + start : at + start + 8]
            # A number that the compiler knows makes this faster.
            for r in range(8):
                total = line[r] + flipped[start + r, q]
                line[r] = total if total > least else zero


@kernel()
def correct_sums(queries, weights, at, b, of_queries, points, gaps, sums):
    """Replace the same in Σ_q Σ_r weights[q, at + r] Δ_j(x_q, x_r), r in block b."""
    cells, starts, features = gaps.cells, gaps.starts, points.features
    group, n_queries = gaps.group, queries.size
    n_lines, width = points.blocks.shape[1:]
    first = b * width
    n_rows = min(width, starts.size - 1 - first)
    of_rows = corrections_of_block(b, points, gaps, False)
    parts = np.zeros((n_lines, width), dtype=weights.dtype)
    for q in range(n_queries):
        a, row = queries[q], weights[q, at : at + width]
        chosen = cells[starts[a] : starts[a + 1]]
        _add_products(of_rows[group[a]], chosen, row, parts)
    for j in gaps.incomplete:
        sums[features[j]] += parts[j].sum()
    flipped = np.empty((width, n_queries), dtype=weights.dtype)
    for start in range(0, width, 8):
        for q in range(n_queries):
            line = weights[q, at + start : at + start + 8]
            for r in range(8):
                flipped[start + r, q] = line[r]
    parts = np.zeros((n_lines, of_queries.shape[2]), dtype=weights.dtype)
    for r in range(n_rows):
        a = first + r
        chosen = cells[starts[a] : starts[a + 1]]
        _add_products(of_queries[group[a]], chosen, flipped[r], parts)
    for j in gaps.incomplete:
        sums[features[j]] += parts[j].sum()


@kernel()
def corrections_of_block(b, points, gaps, squared):
    """Return the corrections of the rows of block b, kept or computed again."""
    if gaps.corrections.shape[0] > 0:
        return gaps.corrections[b]
    width = points.blocks.shape[2]
    members = np.arange(b * width, min((b + 1) * width, points.rows.shape[0]))
    return corrections_of(members, points.blocks[b], points, gaps, squared)


@kernel(part=True)
def corrections_of(members, values, points, gaps, squared):
    """Return what a missing value of group g adds on line j to row members[i].

    That is the difference of the two cells less the one to 0; where both are missing,
    half of it, for the other half comes with the other row. [g, j, i] of an array of
    shape (n_groups, n_lines, width), 0 behind the last member; values : (n_lines,
    width), the members transposed.
    """
    shape = (gaps.one_missing.shape[0], values.shape[0], values.shape[1])
    out = np.zeros(shape, dtype=values.dtype)
    fill_corrections(members, values, points, gaps, squared, out)
    return out


@kernel(part=True)
def fill_corrections(members, values, points, gaps, squared, out):
    """Fill in `corrections_of` the members, where there are zeros."""
    cells, starts, features = gaps.cells, gaps.starts, points.features
    codes, group, n_groups = gaps.codes, gaps.group, gaps.one_missing.shape[0]
    unit = points.unit
    middle = np.searchsorted(gaps.incomplete, points.n_quantitative)
    numeric, categorical = gaps.incomplete[:middle], gaps.incomplete[middle:]
    for g in range(n_groups):
        one_missing, both_missing = gaps.one_missing[g], gaps.both_missing[g]
        lines = out[g]
        if squared:
            _fill_known(numeric, members, values, codes, one_missing, unit, 1, lines)
            _fill_known(
                categorical, members, values, codes, one_missing, unit, 3, lines
            )
        else:
            _fill_known(numeric, members, values, codes, one_missing, unit, 0, lines)
            _fill_known(
                categorical, members, values, codes, one_missing, unit, 2, lines
            )
        for i in range(members.size):
            a = members[i]
            for cell in range(starts[a], starts[a + 1]):
                j = cells[cell]
                guess = both_missing[group[a], features[j]]
                guess = 0.5 * unit * (guess * guess if squared else guess)
                guess = 0.0 if points.is_ignored else guess
                lines[j, i] = np.rint(guess) if unit > 1.0 else guess


@kernel()
def _fill_known(chosen, members, values, codes, one_missing, unit, kind, lines):
    """Fill in what is known of the rows; kind : as in `term`, or 3 for [x ≠ y]²."""
    for j in chosen:
        line, cells, code = lines[j], values[j], codes[j]
        for i in range(members.size):
            # Where the cell is missing, something else is put there later.
            guess = one_missing[np.uint64(max(code[np.uint64(members[i])], 0))]
            guess = guess if guess == guess else 0.0
            value = 1.0 * cells[i]
            if kind >= 2:
                value = unit if value != 0.0 else 0.0
            if kind == 1 or kind == 3:
                guess, value = guess * guess, value * value
            correction = unit * guess - value
            line[i] = np.rint(correction) if unit > 1.0 else correction


@kernel()
def _add_lines(lines, chosen, part, out):
    """Add the chosen lines, few at a time, so that rounding grows with their groups."""
    for first in range(0, chosen.size, SOME_CELLS):
        part[:] = 0
        for i in range(first, min(first + SOME_CELLS, chosen.size)):
            line = lines[chosen[i]]
            for r in range(part.size):
                part[r] += line[r]
        for r in range(out.size):
            out[r] += part[r]


@kernel(fused=True)
def _add_products(lines, chosen, factors, out):
    """Add the products of the chosen lines and some factors to lines of `out`."""
    for i in range(chosen.size):
        line, total = lines[chosen[i]], out[chosen[i]]
        for r in range(factors.size):
            total[r] += line[r] * factors[r]


@kernel()
def stretch_distances(queries, points, gaps, out):
    """Put the mean of the known differences in the place of the ignored ones."""
    starts, cells, codes = gaps.starts, gaps.cells, gaps.codes
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
