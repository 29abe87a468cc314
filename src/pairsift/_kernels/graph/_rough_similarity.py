"""Errors of similarities in single precision, with a bound of what that costs.

All candidates are taken roughly, and only those that could still be the best again in
double precision, by `similarity_errors`.
"""

import numpy as np

from pairsift._kernels._jit import N_BLOCKS, kernel, sum_of_blocks
from pairsift._kernels.graph._similarity import NEAR, total
from pairsift._kernels.relief._encoded import ROUNDOFF_32
from pairsift._typing import BoolArray, FloatArray, IndexArray

# A tile of pairs stays in the cache while all candidates pass over it: 2 x 32 KB.
TILE_ROWS = 32
TILE_COLUMNS = 256
# Widths are multiples of this, so that vectors fill them without a remainder.
VECTORS = 32
# Of a feature that ranges over more widths than this single precision says nothing.
WILD = 1e4
# Parts of an error below this share of the largest are left out.
NEGLIGIBLE = 1e-14
# Exponents are cut here: as good as 0, and products stay clear of denormal numbers.
MOST_32 = np.float32(28.0)
MAGIC_32 = np.float32(1.5 * 2.0**23)
SHIFT_32 = np.int32(23)
ZERO_32 = np.float32(0.0)


def _coefficients(degree: int, low: float, high: float) -> tuple[np.float32, ...]:
    """Coefficients of a polynomial close to 2^-y between two numbers."""
    chebyshev = np.polynomial.Chebyshev.interpolate(
        lambda y: 2.0**-y, degree, domain=[low, high]
    )
    plain = chebyshev.convert(kind=np.polynomial.Polynomial)
    return tuple(np.float32(c) for c in plain.coef)


NEAR_POWER = _coefficients(4, 0.0, NEAR)
FAR_POWER = _coefficients(5, -0.5, 0.5)
# Most by which the polynomials differ from 2^-y: by themselves, and by rounding when
# they are computed in single precision.
NEAR_ERROR = 4e-7 + 5.0 * ROUNDOFF_32
FAR_ERROR = 1e-7 + 8.0 * ROUNDOFF_32


def rough_columns(
    columns: FloatArray, factor: float
) -> tuple[FloatArray, BoolArray, FloatArray]:
    """Prepare features for `rough_errors`.

    columns : (d, n) a feature a row; factor : k. Returns z = k (x - middle) in single
    precision with zeros behind, whether each feature is near, and how wrong its powers
    can be (infinitely for a wild one, whose values are left out).
    """
    n_features, n_samples = columns.shape
    low, high = columns.min(axis=1), columns.max(axis=1)
    with np.errstate(over="ignore"):
        span = (high - low) * factor
    is_tame = span <= WILD
    rough = np.zeros((n_features, n_samples + VECTORS + TILE_ROWS), dtype=np.float32)
    middle = low[is_tame] + (high[is_tame] - low[is_tame]) / 2
    rough[is_tame, :n_samples] = (columns[is_tame] - middle[:, np.newaxis]) * factor
    # Of a wild feature not even the square need be a number.
    span = np.where(is_tame, span, np.inf)
    is_near = span <= np.sqrt(NEAR)
    # Rounded values, differences and squares change y = δ² by up to 2 span |δ| + 3 y
    # units, and 2^-y by at most 0.72 span + 1.11.
    wrong = (0.8 * span + 1.2) * ROUNDOFF_32
    wrong += np.where(is_near, NEAR_ERROR, FAR_ERROR)
    return rough, is_near, wrong


def rough_errors(
    rough: FloatArray,
    is_near: BoolArray,
    features: IndexArray,
    W: FloatArray,
    classes: IndexArray,
    largest: float,
    n_jobs: int | None = -1,
) -> FloatArray:
    """Σ_{i>j} g (g a - b) with a = w², b = 2 w [c_i = c_j] and g = 2^-(z_i - z_j)².

    rough, is_near : from `rough_columns`; features : (k,) rows of it; W : packed
    triangle; classes : (n,); largest : from `error_parts`. Returns (k,), each wrong by
    `rough_bound` at most.
    """
    tiles, edges = _tiles(classes.size)
    # A power of two, so that scaling rounds nothing.
    scale = 2.0 ** -np.frexp(largest)[1]

    def add(first, last, sums):
        _add_rough(
            rough, is_near, features, W, classes, scale, tiles, edges[first : last + 1],
            sums[first:last],
        )  # fmt: skip

    cost = 0.4 * W.size * features.size
    return sum_of_blocks(n_jobs, features.size, add, cost=cost) / scale


def rough_bound(
    wrong: FloatArray, parts: float, largest: float, n_pairs: int
) -> FloatArray:
    """Most by which single precision changes the errors of features.

    wrong : of their powers, from `rough_columns`; parts, largest : from `error_parts`.
    """
    # Powers wrong by η change g (g a - b) by (2η + η²) a + η b, the roundings of a, b
    # and of three operations by 4 units, and those of 10 sums within a tile by 10.
    relative = 2.0 * wrong + wrong**2 + 14.5 * ROUNDOFF_32
    return 1.01 * (relative * parts + 4.0 * NEGLIGIBLE * largest * n_pairs)


def _tiles(n_samples: int) -> tuple[IndexArray, IndexArray]:
    """Tiles (first row, first column, width) over the triangle, and those of blocks.

    Blocks take consecutive tiles of about equal area.
    """
    tiles = np.array(
        [
            (i, j, -(-min(TILE_COLUMNS, i + TILE_ROWS - j) // VECTORS) * VECTORS)
            for i in range(0, n_samples, TILE_ROWS)
            for j in range(0, min(i + TILE_ROWS, n_samples), TILE_COLUMNS)
        ]
    )
    area = np.cumsum(tiles[:, 2])
    shares = area[-1] * np.arange(1, N_BLOCKS) / N_BLOCKS
    inner = np.searchsorted(area - tiles[:, 2] / 2, shares)
    return tiles, np.concatenate([[0], inner, [len(tiles)]])


@kernel(inline=True)
def near_power(y):
    """2^-y for 0 ≤ y ≤ NEAR, in single precision."""
    c = NEAR_POWER
    return c[0] + y * (c[1] + y * (c[2] + y * (c[3] + y * c[4])))


@kernel(inline=True)
def far_power(y):
    """2^-y for y ≥ 0, cut at y = MOST_32, in single precision."""
    y = y if y < MOST_32 else MOST_32
    shifted = y + MAGIC_32
    f = y - (shifted - MAGIC_32)
    f2 = f * f
    c = FAR_POWER
    p = (c[0] + c[1] * f) + ((c[2] + c[3] * f) + (c[4] + c[5] * f) * f2) * f2
    whole = np.float32(shifted).view(np.int32) << SHIFT_32
    return np.int32(np.float32(p).view(np.int32) - whole).view(np.float32)


@kernel()
def _add_rough(rough, is_near, features, W, classes, scale, tiles, edges, sums):
    """Add the errors over the tiles of some blocks, between consecutive edges."""
    a = np.empty((TILE_ROWS, TILE_COLUMNS), dtype=np.float32)
    b = np.empty((TILE_ROWS, TILE_COLUMNS), dtype=np.float32)
    memory = np.empty(TILE_COLUMNS, dtype=np.float32)
    for block in range(sums.shape[0]):
        for t in range(edges[block], edges[block + 1]):
            i, j, width = tiles[t, 0], tiles[t, 1], tiles[t, 2]
            if not _fill(W, classes, scale, i, j, width, a, b):
                continue
            errors = memory[:width]
            for k in range(features.size):
                z = rough[features[k]]
                rows, columns = z[i : i + TILE_ROWS], z[j : j + width]
                if is_near[features[k]]:
                    _near_tile(rows, columns, a, b, errors)
                else:
                    _far_tile(rows, columns, a, b, errors)
                sums[block, k] += total(errors)


@kernel()
def _fill(W, classes, scale, first_row, first_column, width, a, b):
    """Fill the parts of a tile, 0 beyond the triangle; return whether any is left."""
    a[:] = ZERO_32
    b[:] = ZERO_32
    any_left = False
    for i in range(first_row, min(first_row + TILE_ROWS, classes.size)):
        start = i * (i - 1) // 2 + first_column
        w = W[start : start + max(0, min(width, i - first_column))]
        others = classes[first_column : first_column + w.size]
        a_row, b_row, c = a[i - first_row], b[i - first_row], classes[i]
        for l in range(w.size):
            square, double = scale * w[l] * w[l], 2.0 * scale * w[l]
            a_row[l] = square if square > NEGLIGIBLE else 0.0
            b_row[l] = double if others[l] == c and double > NEGLIGIBLE else 0.0
            any_left |= double > NEGLIGIBLE
    return any_left


@kernel()
def _near_tile(rows, columns, a, b, errors):
    """Sum g (g a - b) over the rows of a tile, four of them at a time."""
    for l in range(errors.size):
        errors[l] = ZERO_32
    for i in range(0, rows.size, 4):
        x0, x1, x2, x3 = rows[i], rows[i + 1], rows[i + 2], rows[i + 3]
        for l in range(errors.size):
            z = columns[l]
            d0, d1, d2, d3 = z - x0, z - x1, z - x2, z - x3
            g0, g1 = near_power(d0 * d0), near_power(d1 * d1)
            g2, g3 = near_power(d2 * d2), near_power(d3 * d3)
            e0 = g0 * (g0 * a[i, l] - b[i, l])
            e1 = g1 * (g1 * a[i + 1, l] - b[i + 1, l])
            e2 = g2 * (g2 * a[i + 2, l] - b[i + 2, l])
            e3 = g3 * (g3 * a[i + 3, l] - b[i + 3, l])
            errors[l] += (e0 + e1) + (e2 + e3)


@kernel()
def _far_tile(rows, columns, a, b, errors):
    """Sum g (g a - b) over the rows of a tile, for features of any range."""
    for l in range(errors.size):
        errors[l] = ZERO_32
    for i in range(0, rows.size, 4):
        x0, x1, x2, x3 = rows[i], rows[i + 1], rows[i + 2], rows[i + 3]
        for l in range(errors.size):
            z = columns[l]
            d0, d1, d2, d3 = z - x0, z - x1, z - x2, z - x3
            g0, g1 = far_power(d0 * d0), far_power(d1 * d1)
            g2, g3 = far_power(d2 * d2), far_power(d3 * d3)
            e0 = g0 * (g0 * a[i, l] - b[i, l])
            e1 = g1 * (g1 * a[i + 1, l] - b[i + 1, l])
            e2 = g2 * (g2 * a[i + 2, l] - b[i + 2, l])
            e3 = g3 * (g3 * a[i + 3, l] - b[i + 3, l])
            errors[l] += (e0 + e1) + (e2 + e3)
