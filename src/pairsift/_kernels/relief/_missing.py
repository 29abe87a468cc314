"""Corrections for missing values, which are 0 in the encoded matrix.

With M the missing values of the rows (sparse) and C what each adds to the difference to
every row (dense), the distances of a tile are D + MC + (MC)' : a sparse matrix times a
dense one, from either side.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairsift._kernels._jit import kernel
from pairsift._kernels.relief._columns import Columns, ignores_missing
from pairsift._kernels.relief._encoded import SLICE_LINES, Encoded
from pairsift._typing import FloatArray, IndexArray

# Corrections are kept for all rows up to this number, else computed with each tile.
MAX_CELLS = 20_000_000


class Missing(NamedTuple):
    """The missing values of an `Encoded` matrix, and what is put in their place.

    lines : (n_missing,) int32, lines that are missing, by rows.
    starts : (n + 1,), where the missing values of each row begin.
    incomplete : lines with missing values.
    codes : (n_lines, n) int32, `Columns.codes` of the lines.
    group : (n,) int32, as in `Columns`.
    one, both : `Columns.one_missing`; (n_groups, n_groups, n_lines), `both_missing` of
        the lines; 0 where ignored.
    is_ignored : whether differences to missing values are ignored.
    kept : (n_blocks, n_groups, n_lines, width), corrections C of all blocks, or empty.
    """

    lines: NDArray[np.int32]
    starts: IndexArray
    incomplete: IndexArray
    codes: NDArray[np.int32]
    group: NDArray[np.int32]
    one: FloatArray
    both: FloatArray
    is_ignored: bool
    kept: NDArray[Any]


def take_missing(encoded: Encoded, columns: Columns, squared: bool) -> Missing:
    """List the missing values, and keep the corrections if they are not too many."""
    blocks, features = encoded.blocks, encoded.features
    codes = np.ascontiguousarray(columns.codes[:, features].T)
    is_missing = codes < 0
    is_missing[features < 0] = False
    rows, lines = np.nonzero(is_missing.T)
    missing = Missing(
        lines.astype(np.int32),
        np.searchsorted(rows, np.arange(encoded.n_samples + 1)),
        np.flatnonzero(is_missing.any(axis=1)),
        codes,
        columns.group,
        np.nan_to_num(columns.one_missing),
        np.nan_to_num(columns.both_missing[:, :, features]),
        ignores_missing(columns),
        np.empty((0, 0, 0, 0), dtype=blocks.dtype),
    )
    n_groups = columns.one_missing.shape[0]
    if n_groups * blocks.size > MAX_CELLS:
        return missing
    n_blocks, n_lines, width = blocks.shape
    kept = np.zeros((n_blocks, n_groups, n_lines, width), dtype=blocks.dtype)
    for b in range(n_blocks):
        members = np.arange(b * width, min((b + 1) * width, encoded.n_samples))
        fill_corrections(members, blocks[b], encoded, missing, squared, kept[b])
    return missing._replace(kept=kept)


@kernel()
def fill_corrections(members, values, encoded, missing, squared, out):
    """Fill in what a missing value of group g adds on line j to row members[i].

    That is the difference of the two cells minus the one to 0; where both are missing,
    half of it, for the other half comes with the other row. out : (n_groups, n_lines,
    width), [g, j, i]; values : (n_lines, width), the members transposed.
    """
    codes, group, heights = missing.codes, missing.group, encoded.heights
    start = encoded.start
    for g in range(out.shape[0]):
        one, both = missing.one[g], missing.both[g]
        for j in missing.incomplete:
            line, cells, code, h = out[g, j], values[j], codes[j], 1.0 * heights[j]
            is_categorical = j >= encoded.n_numeric
            for i in range(members.size):
                a = np.uint64(members[i])
                guess = h * one[np.uint64(max(code[a], 0))]
                value = 1.0 * cells[i]
                if is_categorical:
                    value = h if value != 0.0 else 0.0
                elif start >= 0.0:
                    value = min(max(value - start * h, 0.0), h)
                if code[a] < 0:
                    # Counted from either side.
                    guess = h * both[group[a], j]
                if squared:
                    guess, value = guess * guess, value * value
                line[i] = 0.5 * guess if code[a] < 0 else guess - value


@kernel(inner=True)
def _corrections(b, encoded, missing, squared):
    """Return the corrections of the rows of block b, kept or computed again."""
    if missing.kept.shape[0] > 0:
        return missing.kept[b]
    return corrections_of(
        _members(b, encoded), encoded.blocks[b], encoded, missing, squared
    )


@kernel(inner=True)
def corrections_of(members, values, encoded, missing, squared):
    """Return `fill_corrections` of the members."""
    shape = (missing.one.shape[0], values.shape[0], values.shape[1])
    out = np.zeros(shape, dtype=values.dtype)
    fill_corrections(members, values, encoded, missing, squared, out)
    return out


@kernel(inline=True)
def _members(b, encoded):
    width = encoded.blocks.shape[2]
    return np.arange(b * width, min((b + 1) * width, encoded.n_samples))


@kernel()
def correct_distances(queries, ends, first, last, encoded, missing, squared, out):
    """Replace differences that one row misses in the distances of `tile_distances`.

    queries : (q,) rows; ends : (n_lines, at least q), the same transposed.
    """
    lines, starts, group = missing.lines, missing.starts, missing.group
    width, zero = encoded.blocks.shape[2], out.dtype.type(0)
    of_queries = corrections_of(queries, ends, encoded, missing, squared)
    part, other = np.empty(width, out.dtype), np.empty(ends.shape[1], out.dtype)
    flipped = np.empty((width, ends.shape[1]), dtype=out.dtype)
    for b in range(first, last):
        at, of_rows = (b - first) * width, _corrections(b, encoded, missing, squared)
        for q in range(queries.size):
            a = queries[q]
            chosen = lines[starts[a] : starts[a + 1]]
            _add_lines(of_rows[group[a]], chosen, part, out[q, at : at + width])
        # The same from the other side.
        flipped[:] = 0
        for a in range(b * width, min((b + 1) * width, encoded.n_samples)):
            chosen = lines[starts[a] : starts[a + 1]]
            _add_lines(of_queries[group[a]], chosen, other, flipped[a - b * width])
        for start in range(0, width, 8):
            for q in range(queries.size):
                line = out[q, at + start : at + start + 8]
                # A number that the compiler knows makes this faster.
                for r in range(8):
                    total = line[r] + flipped[start + r, q]
                    # Rounding may leave less than nothing of a sum that vanishes.
                    line[r] = total if total > zero else zero


@kernel(inner=True)
def _add_lines(lines, chosen, part, out):
    """Add the chosen lines, few at a time, so that rounding grows with their groups."""
    for first in range(0, chosen.size, SLICE_LINES):
        part[:] = 0
        for i in range(first, min(first + SLICE_LINES, chosen.size)):
            line = lines[chosen[i]]
            for r in range(part.size):
                part[r] += line[r]
        for r in range(out.size):
            out[r] += part[r]


@kernel()
def correct_sums(queries, ends, weights, first, last, encoded, missing, sums):
    """Replace the same in Σ_q Σ_r weights[q, r] Δ_j(x_q, x_r), see `tile_sums`."""
    lines, starts, group = missing.lines, missing.starts, missing.group
    n_lines, width = encoded.blocks.shape[1:]
    of_queries = corrections_of(queries, ends, encoded, missing, False)
    flipped = np.zeros((width, ends.shape[1]), dtype=weights.dtype)
    of_lines = np.zeros(n_lines)
    for b in range(first, last):
        at, of_rows = (b - first) * width, _corrections(b, encoded, missing, False)
        for q in range(queries.size):
            a, row = queries[q], weights[q, at : at + width]
            for i in range(starts[a], starts[a + 1]):
                of_lines[lines[i]] += _dot(of_rows[group[a], lines[i]], row)
        for start in range(0, width, 8):
            for q in range(queries.size):
                line = weights[q, at + start : at + start + 8]
                for r in range(8):
                    flipped[start + r, q] = line[r]
        for a in range(b * width, min((b + 1) * width, encoded.n_samples)):
            row = flipped[a - b * width]
            for i in range(starts[a], starts[a + 1]):
                of_lines[lines[i]] += _dot(of_queries[group[a], lines[i]], row)
    for j in missing.incomplete:
        sums[encoded.features[j]] += of_lines[j]


@kernel(inner=True, reordered=True)
def _dot(a, b):
    total = a.dtype.type(0)
    for r in range(a.size):
        total += a[r] * b[r]
    return total


@kernel()
def stretch_distances(queries, encoded, missing, out):
    """Put the mean of the known differences in the place of the ignored ones.

    d ← d n / n_known, lines of height 1; inf for rows that share no known column.
    """
    lines, starts, codes = missing.lines, missing.starts, missing.codes
    n_lines, n_samples = np.count_nonzero(encoded.heights), encoded.n_samples
    n_known = np.empty(n_samples)
    for q in range(queries.size):
        own = lines[starts[queries[q]] : starts[queries[q] + 1]]
        for r in range(n_samples):
            n_known[r] = n_lines - own.size - (starts[r + 1] - starts[r])
        # What both rows miss was taken off twice.
        for j in own:
            code = codes[j]
            for r in range(n_samples):
                n_known[r] += 1.0 if code[r] < 0 else 0.0
        for r in range(n_samples):
            is_known = n_known[r] > 0.0
            out[q, r] = out[q, r] * (n_lines / n_known[r]) if is_known else np.inf
