"""The encoded matrix: rows as tiles read them, and how wrong sums of them can be."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairsift._kernels._jit import kernel
from pairsift._kernels.relief._cells import ROUNDOFF_64, TIE
from pairsift._kernels.relief._columns import Columns
from pairsift._typing import FloatArray, IndexArray

# Rows of a block are a line of its transposed table, so that inner loops are over rows
# and vectorised without touching the order of the sums.
BLOCK_ROWS = 256
# A slice of the lines of a block fits the first cache, and rounding grows with the
# slices instead of the lines.
SLICE_LINES = 32
# Lines are added four at a time.
LINES = 4
ROUNDOFF_32 = 2.0**-24


class Encoded(NamedTuple):
    """All rows, transposed by blocks; the columns that vary are lines.

    Δ_j(a, b) = |a_j - b_j| on numeric lines, h_j [a_j ≠ b_j] on categorical ones; with
    a ramp, |a_j - b_j| - r h_j on numeric lines, 0 at least and h_j at most.

    blocks : (n_blocks, n_lines, width), w_j (x - offset) / range or a categorical value
        that starts at 0; 0 where missing and behind the last row. Numeric lines come
        first; lines of zeros fill either kind up to a multiple of 4.
    features : (n_lines,), the column of each line; -1 for lines of zeros.
    heights : (n_lines,), h, the weight w_j of the line in a distance, or 0.
    n_numeric, n_samples : numbers of numeric lines and of rows.
    start : r, or -1 without a ramp.
    """

    blocks: NDArray[Any]
    features: IndexArray
    heights: NDArray[Any]
    n_numeric: int
    n_samples: int
    start: float


def encode(
    X: FloatArray, columns: Columns, dtype: type, weights: FloatArray | None
) -> tuple[Encoded, float]:
    """Encode the rows of X, shape (n, d); return the worst error of a row, too.

    That is Σ_j |a_j - exact a_j| over its numeric lines.
    """
    weights = np.ones(X.shape[1]) if weights is None else weights
    varies = (columns.scale > 0.0) & (weights > 0.0)
    numeric = np.flatnonzero(varies & ~columns.is_categorical)
    categorical = np.flatnonzero(varies & columns.is_categorical)
    n_numeric = -(-numeric.size // LINES) * LINES
    features = np.full(n_numeric + -(-categorical.size // LINES) * LINES, -1)
    features[: numeric.size] = numeric
    features[n_numeric : n_numeric + categorical.size] = categorical
    n_blocks = max(-(-len(X) // BLOCK_ROWS), 1)
    width = 8 * -(-len(X) // (8 * n_blocks))
    blocks: NDArray[Any] = np.zeros((n_blocks, features.size, width), dtype=dtype)
    scale = columns.slope * columns.scale[numeric] * weights[numeric]
    error = _fill_lines(X, numeric, columns.offset[numeric], scale, 0, blocks)
    if categorical.size > 0:
        values = _small_values(X[:, categorical], columns.offset[categorical], dtype)
        everyone, ones = np.arange(categorical.size), np.ones(categorical.size)
        _fill_lines(values, everyone, 0.0 * ones, ones, n_numeric, blocks)
    encoded = Encoded(
        blocks,
        features,
        np.where(features < 0, 0.0, weights[features]).astype(dtype),
        n_numeric,
        len(X),
        float(columns.start) if columns.has_ramp else -1.0,
    )
    # Cells are up to `slope` times the weight.
    largest = columns.slope * weights.max(initial=0.0)
    return encoded, error + 4.0 * ROUNDOFF_64 * numeric.size * largest


@kernel(reordered=True)
def _fill_lines(X, chosen, offset, scale, start, blocks):
    """Fill in some columns, from line `start` on; return the worst error of a row."""
    width, worst = blocks.shape[2], 0.0
    some = np.empty((8, chosen.size), dtype=blocks.dtype)
    for first in range(0, X.shape[0], 8):
        n_rows = min(8, X.shape[0] - first)
        for i in range(n_rows):
            x, line, error = X[first + i], some[i], 0.0
            for j in range(chosen.size):
                cell = (x[chosen[j]] - offset[j]) * scale[j]
                # Comparisons with NaN are False, so missing values are 0.
                cell = cell if cell == cell else 0.0
                line[j] = cell
                error += abs(cell - line[j])
            worst = max(worst, error)
        # Blocks are a multiple of 8 rows wide: these are of one block.
        block, place = blocks[first // width], first % width
        for j in range(chosen.size):
            for i in range(n_rows):
                block[start + j, place + i] = some[i, j]
    return worst


def _small_values(values: FloatArray, least: FloatArray, dtype: type) -> FloatArray:
    """Return values from 0 on, or their numbers where the dtype would merge some.

    least : the smallest of each column, which stands in for missing values.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        out: FloatArray = (values - least).astype(dtype).astype(np.float64)
        is_kept = (out + least == values) | np.isnan(values)
    for j in np.flatnonzero(~is_kept.all(axis=0)):
        known = ~np.isnan(values[:, j])
        out[known, j] = np.unique(values[known, j], return_inverse=True)[1]
    return out


def bound_of_errors(
    encoded: Encoded, error: float, squared: bool, most_missing: int, stretch: float
) -> tuple[float, float]:
    """Return (a, b): a computed distance d is wrong by a + b d at most.

    Two rows are each wrong by `error`. A sum is rounded with each difference (or
    square), twice with the sum of four lines, and with every sum of a slice and of the
    slices but the first, which is added to 0; the roundings of the corrections for
    missing values are bounded by their number, 2 at most each.
    A ramp rounds its start, what is apart by up to one more than that, and leaves out
    what exact differences take for 0.
    stretch : by how much what is known is multiplied where the rest is ignored.
    """
    n_lines = encoded.blocks.shape[1]
    n_slices = max(-(-n_lines // SLICE_LINES), 1)
    n_added = min(n_lines, SLICE_LINES) // LINES
    n_roundings = (3 if squared else 1) + 2 + (n_added - 1) + (n_slices - 1)
    unit = float(np.finfo(encoded.blocks.dtype).eps) / 2.0
    absolute = 2.0 * error
    if encoded.start >= 0.0:
        height = encoded.heights.max(initial=0.0)
        of_cell = 2.0 * unit * (encoded.start + 1.0) + TIE * encoded.start
        absolute += encoded.n_numeric * float(height) * of_cell
    absolute *= 2 if squared else 1
    if most_missing > 0:
        n_parts = -(-most_missing // SLICE_LINES)
        n_roundings += n_parts + 1
        n_sums = n_roundings + 3 + n_parts + min(most_missing, SLICE_LINES) / 2.0
        absolute += 2.0 * most_missing * unit * n_sums
    # A hundredth more: all this is rounded, too.
    return 1.01 * stretch * absolute, 1.01 * unit * float(n_roundings)
