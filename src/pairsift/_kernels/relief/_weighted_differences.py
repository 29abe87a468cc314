"""Sums of weighted differences between some rows and all rows, by blocks."""

import numpy as np

from pairsift._kernels._jit import kernel
from pairsift._kernels.relief._all_rows import SLICE_LINES
from pairsift._kernels.relief._missing_values import (
    correct_sums,
    corrections_of,
    corrections_of_block,
)


@kernel()
def add_weighted_differences(queries, weights, points, gaps, sums):
    """Add Σ_q Σ_r weights[q, r] Δ_j(x_q, x_r) over the queries q and all rows r.

    weights : (at least q + 1, n_blocks * width), in the precision of the points, and 0
    in its last row; sums : (d,). Differences must not be ignored.
    """
    n_blocks, _, width = points.blocks.shape
    of_queries = np.empty((0, 0, 0), dtype=points.rows.dtype)
    if gaps is not None:
        values = np.ascontiguousarray(points.rows[queries].T)
        of_queries = corrections_of(queries, values, points, gaps, False)
    for b in range(n_blocks):
        _add_block(
            queries, weights, b * width, b, False, of_queries, points, gaps, sums
        )


@kernel()
def add_pairs(tiles, weights, points, gaps, sums):
    """Add the same over the pairs of two blocks, or of one, each pair once.

    tiles : (n_tiles, 2), two blocks each; weights : (n_blocks * width,) * 2, in either
    order of the pair; sums : (n_tiles, d).
    """
    width, n_samples = points.blocks.shape[2], points.rows.shape[0]
    both = np.empty((width + 1, width), dtype=weights.dtype)
    of_queries = np.empty((0, 0, 0), dtype=weights.dtype)
    for t in range(tiles.shape[0]):
        i, b = tiles[t]
        row, column = i * width, b * width
        queries = np.arange(row, min(row + width, n_samples))
        _add_both(weights, row, column, both)
        both[queries.size :] = 0
        both[:, n_samples - column :] = 0
        if gaps is not None:
            of_queries = corrections_of_block(i, points, gaps, False)
        _add_block(queries, both, 0, b, i == b, of_queries, points, gaps, sums[t])


@kernel()
def _add_both(weights, row, column, both):
    """Fill in the weights of the pairs of two blocks, each pair once."""
    width = both.shape[1]
    for first in range(0, width, 8):
        for r in range(width):
            line = weights[column + r, row + first : row + first + 8]
            # A number that the compiler knows makes this twice as fast.
            for q in range(8):
                both[first + q, r] = line[q]
    for q in range(width):
        line, other = both[q], weights[row + q, column : column + width]
        start = q + 1 if row == column else 0
        line[:start] = 0
        for r in range(start, width):
            line[r] += other[r]


@kernel()
def _add_block(
    queries, weights, at, b, is_square, of_queries, points, gaps, sums
):  # fmt: skip
    """Add Σ_q Σ_r weights[q, at + r] Δ_j(x_q, x_r) over the rows r of block b.

    is_square : the queries are those rows, and weights of earlier rows are 0.
    """
    features, n_quantitative = points.features, points.n_quantitative
    _, n_lines, width = points.blocks.shape
    parts, lanes = np.empty((SLICE_LINES, width), dtype=points.rows.dtype), np.empty(8)
    for start in range(0, n_lines, SLICE_LINES):
        stop = min(start + SLICE_LINES, n_lines)
        middle = min(max(n_quantitative, start), stop)
        parts[:] = 0.0
        for first, last, is_categorical in (
            (start, middle, False),
            (middle, stop, True),
        ):
            _add_weighted(
                queries, weights, at, b, is_square, first, last, start, points,
                is_categorical, parts,
            )  # fmt: skip
        for j in range(start, stop):
            lanes[:] = 0.0
            for r in range(0, width, 8):
                for k in range(8):
                    lanes[k] += parts[j - start, r + k]
            sums[features[j]] += lanes.sum()
    if gaps is not None:
        correct_sums(queries, weights, at, b, of_queries, points, gaps, sums)


@kernel(fused=True)
def _add_weighted(
    queries, weights, at, b, is_square, first, last, zero, points, is_categorical, parts
):  # fmt: skip
    """Add weighted differences to the rows of block b on some lines.

    parts : (SLICE_LINES, width), of line `zero` first.
    """
    rows, block = points.rows, points.blocks[b]
    one, none, width = block.dtype.type(1), weights.shape[0] - 1, block.shape[1]
    # Unsigned, so that no index may mean a place from the end.
    shift = np.uint64(at)
    for q in range(0, queries.size, 4):
        # Behind the last query it is taken again, with weights 0.
        s = q + 1 if q + 1 < queries.size else none
        t = q + 2 if q + 2 < queries.size else none
        u = q + 3 if q + 3 < queries.size else none
        end = queries.size - 1
        i, k = queries[q], queries[min(q + 1, end)]
        m, n = queries[min(q + 2, end)], queries[min(q + 3, end)]
        later = np.uint64(q - q % 8 if is_square else 0)
        for j in range(first, last):
            x, y, z, v = rows[i, j], rows[k, j], rows[m, j], rows[n, j]
            for r in range(later, np.uint64(width)):
                a = block[j, r]
                parts[j - zero, r] += (
                    weights[q, shift + r] * _term(a, x, is_categorical, one)
                    + weights[s, shift + r] * _term(a, y, is_categorical, one)
                ) + (
                    weights[t, shift + r] * _term(a, z, is_categorical, one)
                    + weights[u, shift + r] * _term(a, v, is_categorical, one)
                )


@kernel(inline=True)
def _term(x, y, is_categorical, one):
    """|x - y| or [x ≠ y]."""
    delta = x - y
    if is_categorical:
        return one if delta != 0 else one - one
    return abs(delta)
