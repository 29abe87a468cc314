"""Sums of weighted differences between some rows and all rows, by blocks."""

import numpy as np

from pairsift._kernels._all_rows import (
    SLICE_LINES,
    fill_line,
    group_ends,
    known_term,
    term,
)
from pairsift._kernels._jit import kernel


@kernel()
def add_weighted_differences(queries, weights, points, columns, sums):
    """Add Σ_q Σ_r weights[q, r] Δ_j(x_q, x_r) over the queries q and all rows r.

    weights : (at least q + 1, n_blocks * width), in the precision of the points, and 0
    in its last row; sums : (d,). Differences must not be ignored.
    """
    features, n_quantitative = points.features, points.n_quantitative
    n_blocks, n_lines, width = points.blocks.shape
    parts, lanes = np.empty((SLICE_LINES, width), dtype=points.rows.dtype), np.empty(8)
    for b in range(n_blocks):
        for start in range(0, n_lines, SLICE_LINES):
            stop = min(start + SLICE_LINES, n_lines)
            middle = min(max(n_quantitative, start), stop)
            parts[:] = 0.0
            for first, last, kind in ((start, middle, 0), (middle, stop, 2)):
                if points.codes.shape[0] > 0:
                    _add_weighted_known(
                        queries, weights, b, first, last, start, points, columns, kind,
                        parts,
                    )  # fmt: skip
                else:
                    _add_weighted(
                        queries, weights, b, first, last, start, points, kind, parts
                    )
            for j in range(start, stop):
                lanes[:] = 0.0
                for r in range(0, width, 8):
                    for k in range(8):
                        lanes[k] += parts[j - start, r + k]
                sums[features[j]] += lanes.sum()


@kernel(fused=True)
def _add_weighted(queries, weights, b, first, last, zero, points, kind, parts):
    """Add weighted differences to the rows of block b on complete lines.

    parts : (SLICE_LINES, width), of line `zero` first.
    """
    rows, block = points.rows, points.blocks[b]
    one, none, width = block.dtype.type(1), weights.shape[0] - 1, block.shape[1]
    # Unsigned, so that no index may mean a place from the end.
    shift = np.uint64(b * width)
    for q in range(0, queries.size, 4):
        # Behind the last query it is taken again, with weights 0.
        s = q + 1 if q + 1 < queries.size else none
        t = q + 2 if q + 2 < queries.size else none
        u = q + 3 if q + 3 < queries.size else none
        end = queries.size - 1
        i, k = queries[q], queries[min(q + 1, end)]
        m, n = queries[min(q + 2, end)], queries[min(q + 3, end)]
        for j in range(first, last):
            x, y, z, v = rows[i, j], rows[k, j], rows[m, j], rows[n, j]
            for r in range(np.uint64(width)):
                a = block[j, r]
                parts[j - zero, r] += (
                    weights[q, shift + r] * term(a, x, kind, one)
                    + weights[s, shift + r] * term(a, y, kind, one)
                ) + (
                    weights[t, shift + r] * term(a, z, kind, one)
                    + weights[u, shift + r] * term(a, v, kind, one)
                )


@kernel(fused=True)
def _add_weighted_known(
    queries, weights, b, first, last, zero, points, columns, kind, parts
):  # fmt: skip
    """Add weighted differences to the rows of block b, where known or not."""
    rows, block, features = points.rows, points.blocks[b], points.features
    codes, group, one_missing = columns.codes, columns.group, columns.one_missing
    one, none, width = block.dtype.type(1), weights.shape[0] - 1, block.shape[1]
    n_rows = min(width, rows.shape[0] - b * width)
    ends = group_ends(group, b * width, n_rows)
    shift = np.uint64(b * width)
    instead = np.zeros(2, dtype=block.dtype)
    line = np.empty(width, dtype=block.dtype)
    for j in range(first, last):
        filled = -1
        for q in range(0, queries.size, 2):
            s = q + 1 if q + 1 < queries.size else none
            i, k = queries[q], queries[min(q + 1, queries.size - 1)]
            x, y = rows[i, j], rows[k, j]
            begin = 0
            for end in ends:
                other = group[b * width + begin]
                for e in range(2):
                    code = codes[i if e == 0 else k, features[j]]
                    instead[e] = one_missing[other, code] if code >= 0 else 0.0
                t, u = instead[0], instead[1]
                for r in range(np.uint64(begin), np.uint64(end)):
                    a = block[j, r]
                    parts[j - zero, r] += weights[q, shift + r] * known_term(
                        a, x, kind, one, t
                    ) + weights[s, shift + r] * known_term(a, y, kind, one, u)
                begin = end
            for e in range(2):
                a, w = (i, q) if e == 0 else (k, s)
                if not np.isnan(rows[a, j]) or w == none:
                    continue
                more = line
                if points.to_missing.shape[0] > 0:
                    more = points.to_missing[group[a], b, j]
                elif filled != group[a]:
                    filled = group[a]
                    fill_line(j, filled, b, n_rows, points, columns, more)
                for r in range(np.uint64(n_rows)):
                    parts[j - zero, r] += weights[w, shift + r] * more[r]
