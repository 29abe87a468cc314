"""Distances of some rows to all rows, by blocks of rows and in either precision."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairsift._kernels._diff import Columns
from pairsift._kernels._jit import kernel
from pairsift._kernels._neighbors import BLOCK_CELLS, BLOCK_VECTORS
from pairsift._typing import FloatArray, IndexArray


class Points(NamedTuple):
    """All rows, transposed in blocks, as `row_distances` reads them.

    blocks : (n_blocks, d, width), scale (x - offset) or the number of a qualitative
        value, in single or double precision; 0 where missing and behind the last row.
    codes : (d, n) int32, `Columns.codes` transposed; empty when nothing is missing.
    cells : (n_missing,) int32, place in its block of the row of each missing cell, by
        blocks and in them by columns.
    cell_starts : (n_blocks * d + 1,), where the cells of a block and column begin.
    """

    blocks: NDArray[Any]
    codes: NDArray[np.int32]
    cells: NDArray[np.int32]
    cell_starts: IndexArray


def as_points(X: FloatArray, columns: Columns, dtype: type) -> Points:
    """Prepare the rows of X, shape (n, d), for `row_distances`."""
    n_samples, n_features = X.shape
    n_vectors = min(max(BLOCK_CELLS // (8 * n_features), 4), BLOCK_VECTORS)
    width = 8 * (n_vectors | 1)
    n_blocks = -(-n_samples // width)
    blocks = np.zeros((n_blocks, n_features, width), dtype=dtype)
    places = np.arange(n_samples)
    # The range of a column may overflow; its scale is 0 then, and it is never read.
    with np.errstate(all="ignore"):
        for j in range(n_features):
            values = (X[:, j] - columns.offset[j]) * columns.scale[j]
            if columns.is_nominal[j]:
                values = np.unique(X[:, j], return_inverse=True)[1].astype(np.float64)
            values[np.isnan(X[:, j])] = 0.0
            blocks[places // width, j, places % width] = values
    if columns.codes.shape[0] == 0:
        nothing = np.empty((0, 0), dtype=np.int32)
        return Points(blocks, nothing, nothing[0:0].ravel(), np.zeros(1, np.int64))
    rows, features = np.nonzero(np.isnan(X))
    line = (rows // width) * n_features + features
    order = np.argsort(line, kind="stable")
    starts = np.searchsorted(line[order], np.arange(n_blocks * n_features + 1))
    cells = (rows[order] % width).astype(np.int32)
    return Points(blocks, np.ascontiguousarray(columns.codes.T), cells, starts)


@kernel()
def row_distances(X, queries, points, columns, squared, out):
    """Fill out, shape (q, n_blocks * width), with distances of the rows `queries`.

    Distance: Σ_j Δ_j, or Σ_j Δ_j² when `squared`; ignored differences are replaced by
    the mean of the others. Inf for rows that share no known column, and behind the
    last row.
    """
    n_blocks, _, width = points.blocks.shape
    has_missing = points.codes.shape[0] > 0
    for b in range(n_blocks):
        for q in range(queries.size):
            part = out[q, b * width : (b + 1) * width]
            if has_missing:
                _with_missing(X, queries[q], b, points, columns, squared, part)
            else:
                _complete(queries[q], b, points.blocks, columns, squared, part)
    for q in range(queries.size):
        out[q, X.shape[0] :] = np.inf


@kernel()
def _complete(a, b, blocks, columns, squared, out):
    """Distances of row a to the rows of block b, without missing cells.

    The inner loops run over rows, so that they are vectorised without touching the
    order of the sums.
    """
    scale, is_nominal = columns.scale, columns.is_nominal
    _, n_features, width = blocks.shape
    block, own, place = blocks[b], blocks[a // width], a % width
    zero = blocks.dtype.type(0)
    one = blocks.dtype.type(1)
    out[:] = zero
    for j in range(n_features):
        x = own[j, place]
        if scale[j] == 0.0:
            continue
        if is_nominal[j]:
            for r in range(width):
                out[r] += one if block[j, r] != x else zero
        elif squared:
            for r in range(width):
                delta = block[j, r] - x
                out[r] += delta * delta
        else:
            for r in range(width):
                out[r] += abs(block[j, r] - x)


@kernel()
def _with_missing(X, a, b, points, columns, squared, out):
    """Distances of row a to the rows of block b, some of whose cells are missing.

    A missing cell of the block stands as 0; its difference is put right afterwards.
    """
    blocks, codes = points.blocks, points.codes
    cells, starts = points.cells, points.cell_starts
    scale, is_nominal, group = columns.scale, columns.is_nominal, columns.group
    one_missing, both_missing = columns.one_missing, columns.both_missing
    _, n_features, width = blocks.shape
    first, place = b * width, a % width
    n_rows = min(width, X.shape[0] - first)
    block, own = blocks[b], blocks[a // width]
    zero = blocks.dtype.type(0)
    one = blocks.dtype.type(1)
    n_ignored = np.zeros(width)
    out[:] = zero
    for j in range(n_features):
        if scale[j] == 0.0:
            continue
        x, g = own[j, place], group[a]
        if np.isnan(X[a, j]):
            for r in range(n_rows):
                code = codes[j, first + r]
                if code >= 0:
                    delta = one_missing[g, code]
                else:
                    delta = both_missing[g, group[first + r], j]
                is_ignored = np.isnan(delta)
                n_ignored[r] += 1.0 if is_ignored else 0.0
                term = delta * delta if squared else delta
                out[r] += 0.0 if is_ignored else term
            continue
        if is_nominal[j]:
            for r in range(width):
                out[r] += one if block[j, r] != x else zero
            known = one if x != zero else zero
        elif squared:
            for r in range(width):
                delta = block[j, r] - x
                out[r] += delta * delta
            known = x * x
        else:
            for r in range(width):
                out[r] += abs(block[j, r] - x)
            known = abs(x)
        line, code = b * n_features + j, codes[j, a]
        for i in range(starts[line], starts[line + 1]):
            r = cells[i]
            delta = one_missing[group[first + r], code]
            if np.isnan(delta):
                n_ignored[r] += 1.0
                delta = 0.0
            out[r] += (delta * delta if squared else delta) - known
    for r in range(n_rows):
        if n_ignored[r] > 0.0:
            n_known = n_features - n_ignored[r]
            out[r] = out[r] * (n_features / n_known) if n_known > 0.0 else np.inf
