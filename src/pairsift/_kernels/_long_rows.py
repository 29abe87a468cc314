"""Distances of few long rows: sums run along the rows, and nothing is transposed."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairsift._kernels._all_rows import LONG_SLICE, Points, term
from pairsift._kernels._diff import Columns
from pairsift._kernels._jit import kernel, on_threads

FEW_ROWS = 256
MANY_COLUMNS = 1000


def has_long_rows(n_samples: int, columns: Columns) -> bool:
    """Whether `long_distances` are the faster ones; cells must not be missing."""
    is_complete = columns.codes.shape[0] == 0
    return is_complete and n_samples <= FEW_ROWS and columns.scale.size >= MANY_COLUMNS


def long_distances(
    points: Points, squared: bool, n_jobs: int | None = None
) -> NDArray[Any]:
    """Return the distances of all rows, (n, n)."""
    n_samples = len(points.rows)
    out: NDArray[Any] = np.zeros((n_samples, n_samples), dtype=points.rows.dtype)

    def fill(start, stop):
        _fill_rows(start, stop, points, squared, out)

    on_threads(n_jobs, -(-n_samples // 2), fill)
    return out


@kernel()
def _fill_rows(start, stop, points, squared, out):
    """Fill in the distances of some couples of neighbouring rows to later rows."""
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
        for couple in range(start, stop):
            # Behind the last row it is taken again, and its sums are not used.
            a, b = 2 * couple, min(2 * couple + 1, end)
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
