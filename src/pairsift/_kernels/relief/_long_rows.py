"""Distances of few long rows: sums run along the rows, which stay as they are."""

import numpy as np
from numpy.typing import NDArray

from pairsift._kernels._jit import kernel, on_threads
from pairsift._kernels.relief._all_rows import LONG_SLICE, MOST_CELLS, Points, term
from pairsift._kernels.relief._diff import Columns, ignores_missing
from pairsift._kernels.relief._missing_values import Gaps

FEW_ROWS = 256
MANY_COLUMNS = 1000
# Cells of a row that the processor loads together.
LINES = 16


def has_long_rows(n_samples: int, columns: Columns) -> bool:
    """Whether `long_distances` are the faster ones.

    Nothing must be ignored, and the corrections for missing values be kept.
    """
    n_features, n_groups = columns.scale.size, columns.one_missing.shape[0]
    is_long = n_samples <= FEW_ROWS and n_features >= MANY_COLUMNS
    is_long &= n_groups * n_samples * n_features <= MOST_CELLS
    return is_long and not ignores_missing(columns)


def long_distances(
    points: Points, gaps: Gaps | None, squared: bool, n_jobs: int | None = None
) -> NDArray[np.float32]:
    """Return the distances of all rows, (n, n); gaps : with `long_corrections`."""
    n_samples = len(points.rows)
    out = np.zeros((n_samples, n_samples))

    def fill(start, stop):
        _fill_rows(start, stop, points, squared, out)

    cost = 0.1 * n_samples * points.rows.size
    on_threads(n_jobs, -(-n_samples // 2), fill, cost=cost)
    if gaps is not None:
        missing = np.zeros((n_samples, gaps.corrections.shape[3]))

        def correct(start, stop):
            _add_lines(start, stop, gaps, missing)

        on_threads(n_jobs, n_samples, correct, cost=2.0 * gaps.cells.size * n_samples)
        of_rows = missing[:, :n_samples]
        # What rounding may leave of a sum that vanishes is less than nothing.
        out = np.maximum(out + of_rows + of_rows.T, 0.0)
    return out.astype(np.float32)


def long_corrections(
    points: Points,
    gaps: Gaps,
    columns: Columns,
    squared: bool,
    n_jobs: int | None = None,
) -> Gaps:
    """Return the same with the corrections of all rows, as of a single block."""
    n_samples, n_lines = points.rows.shape
    shape = 1, gaps.one_missing.shape[0], n_lines, 8 * -(-n_samples // 8)
    out = np.empty(shape, dtype=np.float32)

    def fill(start, stop):
        _fill_lines(start, stop, points, gaps, columns, squared, out[0])

    on_threads(n_jobs, -(-n_lines // LINES), fill, cost=5.0 * out.size)
    return gaps._replace(corrections=out)


@kernel()
def _fill_rows(start, stop, points, squared, out):
    """Fill in the distances of some pairs of neighbouring rows to later rows."""
    n_samples, n_lines = points.rows.shape
    middle = points.n_quantitative
    _add_slices(start, stop, 0, middle, points.rows, 1 if squared else 0, out)
    _add_slices(start, stop, middle, n_lines, points.rows, 2, out)
    for a in range(2 * start, min(2 * stop, n_samples)):
        for b in range(a, n_samples):
            out[b, a] = out[a, b]


@kernel()
def _add_slices(start, stop, first, last, rows, kind, out):
    """Add the differences on some lines, a slice after the other, two rows by two."""
    end = rows.shape[0] - 1
    for line in range(first, last, LONG_SLICE):
        some = slice(line, min(line + LONG_SLICE, last))
        for pair in range(start, stop):
            # Behind the last row it is taken again, and its sums are not used.
            a, b = 2 * pair, min(2 * pair + 1, end)
            x, y = rows[a, some], rows[b, some]
            for c in range(a, end + 1, 2):
                d = min(c + 1, end)
                ac, ad, bc, bd = _four_sums(x, y, rows[c, some], rows[d, some], kind)
                out[a, c] += ac
                if d > c:
                    out[a, d] += ad
                if b > a:
                    out[b, c] += bc
                if b > a and d > c:
                    out[b, d] += bd


@kernel(reordered=True)
def _four_sums(x, y, u, v, kind):
    one = x.dtype.type(1)
    xu = xv = yu = yv = one - one
    for j in range(x.size):
        a, b, c, d = x[j], y[j], u[j], v[j]
        xu += term(a, c, kind, one)
        xv += term(a, d, kind, one)
        yu += term(b, c, kind, one)
        yv += term(b, d, kind, one)
    return xu, xv, yu, yv


@kernel()
def _fill_lines(start, stop, points, gaps, columns, squared, out):
    """Fill in the corrections on some strips of lines, eight rows at a time."""
    rows, features, codes = points.rows, points.features, columns.codes
    one_missing, middle = gaps.one_missing, points.n_quantitative
    # Unsigned, so that no index may mean a place from the end.
    zero, eight, n_lines = np.uint64(0), np.uint64(8), np.uint64(rows.shape[1])
    n_samples, n_groups = np.uint64(rows.shape[0]), np.uint64(out.shape[0])
    values, known = np.empty(8), np.empty(8, dtype=np.uint64)
    for strip in range(start, stop):
        line = np.uint64(strip * LINES)
        for first in range(zero, n_samples, eight):
            for j in range(line, min(line + np.uint64(LINES), n_lines)):
                f = np.uint64(features[j])
                for q in range(eight):
                    # Behind the last row it is taken again, and is not used.
                    i = min(first + q, n_samples - np.uint64(1))
                    values[q], known[q] = rows[i, j], max(codes[i, f], 0)
                if j >= middle:
                    for q in range(eight):
                        values[q] = 1.0 if values[q] != 0.0 else 0.0
                for g in range(n_groups):
                    for q in range(eight):
                        guess, value = one_missing[g, known[q]], values[q]
                        if squared:
                            guess, value = guess * guess, value * value
                        out[g, j, first + q] = guess - value
    # Half of the difference where both are missing: the other row adds it as well.
    for i in range(rows.shape[0]):
        for cell in range(gaps.starts[i], gaps.starts[i + 1]):
            j = gaps.cells[cell]
            for g in range(out.shape[0] if start * LINES <= j < stop * LINES else 0):
                guess = gaps.both_missing[g, gaps.group[i], features[j]]
                out[g, j, i] = 0.5 * (guess * guess if squared else guess)


@kernel()
def _add_lines(start, stop, gaps, out):
    """Add the lines that some rows a miss to out[a], shape (n, a few more than n)."""
    for a in range(start, stop):
        lines, total = gaps.corrections[0, gaps.group[a]], out[a]
        for i in range(gaps.starts[a], gaps.starts[a + 1]):
            line = lines[gaps.cells[i]]
            for r in range(total.size):
                total[r] += line[r]


@kernel()
def correct_long_sums(weights, points, gaps, sums):
    """Correct Σ_a Σ_r weights[a, r] Δ_f(x_a, x_r) for missing values; weights : (n, n).

    sums : (d,), where they are taken for the smallest value of the column.
    """
    n_samples = weights.shape[0]
    both = np.zeros(gaps.corrections.shape[3])
    for a in range(n_samples):
        for r in range(n_samples):
            both[r] = weights[a, r] + weights[r, a]
        lines = gaps.corrections[0, gaps.group[a]]
        for i in range(gaps.starts[a], gaps.starts[a + 1]):
            j = gaps.cells[i]
            sums[points.features[j]] += _dot(both, lines[j])


@kernel(reordered=True)
def _dot(a, b):
    total = 0.0
    for r in range(a.size):
        total += a[r] * b[r]
    return total
