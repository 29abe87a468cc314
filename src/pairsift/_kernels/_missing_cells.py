"""Corrections for missing cells, which are taken for 0 where rows are compared."""

import numpy as np

from pairsift._kernels._jit import kernel
from pairsift._kernels._neighbors import ROUNDOFF_64

# So many corrections are added up before they meet a sum of others.
SOME_CELLS = 32


@kernel()
def correct_distances(queries, b, of_queries, points, columns, squared, at, out):
    """Replace differences of the queries to rows of block b that one of them misses.

    of_queries : `corrections_of` the queries; out[q, at + r] : distance of query q and
    row r of the block.
    """
    cells, starts, group = points.cells, points.cell_starts, columns.group
    n_queries, width = queries.size, points.blocks.shape[2]
    first = b * width
    n_rows = min(width, starts.size - 1 - first)
    of_rows = corrections_of_block(b, points, columns, squared)
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
        least = out.dtype.type(16.0 * ROUNDOFF_64 * columns.most_guessed)
    for start in range(0, width, 8):
        for q in range(n_queries):
            line = out[q, at + start : at + start + 8]
            # A number that the compiler knows makes this faster.
            for r in range(8):
                total = line[r] + flipped[start + r, q]
                line[r] = total if total > least else zero


@kernel()
def correct_sums(queries, weights, at, b, of_queries, points, columns, sums):
    """Do the same for Σ_q Σ_r weights[q, at + r] Δ_j(x_q, x_r), r in block b."""
    cells, starts, features = points.cells, points.cell_starts, points.features
    group, n_queries = columns.group, queries.size
    n_lines, width = points.blocks.shape[1:]
    first = b * width
    n_rows = min(width, starts.size - 1 - first)
    of_rows = corrections_of_block(b, points, columns, False)
    parts = np.zeros((n_lines, width), dtype=weights.dtype)
    for q in range(n_queries):
        a, row = queries[q], weights[q, at : at + width]
        chosen = cells[starts[a] : starts[a + 1]]
        _add_products(of_rows[group[a]], chosen, row, parts)
    for j in points.incomplete:
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
    for j in points.incomplete:
        sums[features[j]] += parts[j].sum()


@kernel()
def correct_couples(weights, points, columns, squared, sums):
    """Do the same for all couples of the rows of a single block.

    weights : (width, width), in either order of the couple.
    """
    cells, starts, features = points.cells, points.cell_starts, points.features
    both = weights + weights.T
    of_rows = corrections_of_block(0, points, columns, squared)
    for a in range(starts.size - 1):
        lines, row = of_rows[columns.group[a]], both[a]
        for i in range(starts[a], starts[a + 1]):
            sums[features[cells[i]]] += _dot(row, lines[cells[i]])


@kernel(reordered=True)
def _dot(a, b):
    total = a.dtype.type(0)
    for r in range(a.size):
        total += a[r] * b[r]
    return total


@kernel()
def corrections_of_block(b, points, columns, squared):
    """Return the corrections of the rows of block b, kept or computed again."""
    if points.corrections.shape[0] > 0:
        return points.corrections[b]
    width = points.blocks.shape[2]
    members = np.arange(b * width, min((b + 1) * width, points.rows.shape[0]))
    return corrections_of(members, points.blocks[b], points, columns, squared)


@kernel()
def corrections_of(members, values, points, columns, squared):
    """Return what a missing cell of group g adds on line j to row members[i].

    That is the difference of the two cells less the one to 0; where both are missing,
    half of it, for the other half comes with the other row. [g, j, i] of an array of
    shape (n_groups, n_lines, width), 0 behind the last member; values : (n_lines,
    width), the members transposed.
    """
    shape = (columns.one_missing.shape[0], values.shape[0], values.shape[1])
    out = np.zeros(shape, dtype=values.dtype)
    fill_corrections(members, values, points, columns, squared, out)
    return out


@kernel()
def fill_corrections(members, values, points, columns, squared, out):
    """Fill in `corrections_of` the members, where there are zeros."""
    cells, starts, features = points.cells, points.cell_starts, points.features
    codes, group, n_groups = points.codes, columns.group, columns.one_missing.shape[0]
    unit = points.unit
    middle = np.searchsorted(points.incomplete, points.n_quantitative)
    quantitative, nominal = points.incomplete[:middle], points.incomplete[middle:]
    for g in range(n_groups):
        one_missing, both_missing = columns.one_missing[g], columns.both_missing[g]
        lines = out[g]
        if squared:
            _fill_known(
                quantitative, members, values, codes, one_missing, unit, 1, lines
            )
            _fill_known(nominal, members, values, codes, one_missing, unit, 3, lines)
        else:
            _fill_known(
                quantitative, members, values, codes, one_missing, unit, 0, lines
            )
            _fill_known(nominal, members, values, codes, one_missing, unit, 2, lines)
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
def stretch_distances(queries, points, out):
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
