"""The pair of rows with the largest |Δu · Δg|, among all pairs, exactly."""

import numpy as np

from pairsift._typing import FloatArray, IndexArray, PairArray

# Utilities that agree to this are tied, as the numbers they come from are rounded.
TIE = 1e-9
# Points of a staircase that are compared with another at once.
BLOCK = 64
TINY = np.finfo(np.float64).tiny


def best_pair(u: FloatArray, g: FloatArray, asked: PairArray) -> tuple[int, int, float]:
    """Find the pair that maximises |u_n - u_m| · |g_n - g_m| and was not asked yet.

    Parameters
    ----------
    u, g : ndarray of shape (n_samples,)
        Two coordinates of every row.
    asked : ndarray of shape (n_asked, 2), dtype=int64
        Pairs that are out of the question, the smaller row first.

    Returns
    -------
    n, m : int
        The pair, n < m; ties go to the lowest rows. (-1, -1) when all were asked.
    utility : float
        The product.

    Notes
    -----
    Rows of which no pair was asked form free pairs: the best of them joins two of
    the points that no other point surpasses in both coordinates, the upper right and
    the lower left staircase (or upper left and lower right). Boxes around parts of the
    staircases bound what their points can reach, so that few of them are compared point
    by point. Rows of asked pairs are compared with all others.
    """
    # Both coordinates in units of their spread, so that one tolerance serves both.
    points = np.column_stack([_scaled(u), _scaled(g)])
    bound = np.ptp(u) * np.ptp(g)
    busy = np.unique(asked)
    free = np.setdiff1d(np.arange(u.size), busy)
    found = [_of_busy_rows(points, busy, asked)]
    if free.size >= 2:
        least = _reached(points[free])
        for turn in (1.0, -1.0):
            found.append(_of_free_rows(points[free] * [1.0, turn], free, least))
    pairs = np.concatenate([pairs for pairs, _ in found])
    utilities = np.concatenate([utilities for _, utilities in found])
    best = utilities.max(initial=0.0)
    if best == 0.0:
        return *first_pair(u.size, asked), 0.0
    tied = np.sort(pairs[utilities >= best * (1.0 - TIE)], axis=1)
    n, m = tied[np.lexsort((tied[:, 1], tied[:, 0]))[0]]
    return int(n), int(m), float(best * bound)


def first_pair(n_samples: int, asked: PairArray) -> tuple[int, int]:
    """Return the lowest pair that was not asked, (-1, -1) when there is none."""
    known = set(map(tuple, asked.tolist()))
    for n in range(n_samples):
        for m in range(n + 1, n_samples):
            if (n, m) not in known:
                return n, m
    return -1, -1


def _scaled(x: FloatArray) -> FloatArray:
    spread = np.ptp(x)
    return (x - x.min()) / spread if spread > 0 else np.zeros_like(x)


def _of_busy_rows(
    points: FloatArray, busy: IndexArray, asked: PairArray
) -> tuple[PairArray, FloatArray]:
    """Best pairs of every row that was asked about, with any other row."""
    pairs, utilities = [np.empty((0, 2), dtype=np.int64)], [np.empty(0)]
    u, g = np.ascontiguousarray(points.T)
    for row in busy:
        products = np.abs((u - u[row]) * (g - g[row]))
        partners = np.concatenate(
            [asked[asked[:, 0] == row, 1], asked[asked[:, 1] == row, 0], [row]]
        )
        products[partners] = -1.0
        best = products.max()
        if best >= 0:
            partner = np.flatnonzero(products >= best * (1.0 - TIE))[:1]
            pairs.append(np.array([[row, partner[0]]]))
            utilities.append(np.array([best]))
    return np.concatenate(pairs), np.concatenate(utilities)


def _reached(points: FloatArray) -> float:
    """Return what the extreme points reach between them, seldom far from the best."""
    extreme = points[[*points.argmin(axis=0), *points.argmax(axis=0)]]
    return float(np.abs(extreme[:, None] - extreme).prod(axis=2).max())


def _of_free_rows(
    points: FloatArray, rows: IndexArray, least: float
) -> tuple[PairArray, FloatArray]:
    """Best pairs of one point above and to the right of the other.

    `least` is an area that some pair is known to reach.
    """
    upper = _staircase(points)
    lower = _staircase(-points)
    high, low = points[upper], points[lower]
    first, second, utilities = _largest_products(high, low, least)
    return np.column_stack([rows[upper[first]], rows[lower[second]]]), utilities


def _staircase(points: FloatArray) -> IndexArray:
    """Points that none surpasses in both coordinates by more than a hair, by x.

    Of points at one place only the first, so that copies of a row cost nothing.
    """
    order = np.lexsort((np.arange(len(points)), -points[:, 1], -points[:, 0]))
    x, y = points[order].T
    # Largest y of all points further to the right by more than a hair.
    reach = np.maximum.accumulate(y)
    further = np.searchsorted(-x, -(x + TIE), side="left")
    ahead = np.where(further > 0, reach[np.maximum(further - 1, 0)], -np.inf)
    kept = np.sort(order[y >= ahead - TIE])
    _, first = np.unique(np.round(points[kept] / TIE), axis=0, return_index=True)
    return kept[first]


def _largest_products(
    high: FloatArray, low: FloatArray, least: float
) -> tuple[IndexArray, IndexArray, FloatArray]:
    """Find the pairs that tie for the largest area between two staircases."""
    high_boxes, low_boxes = _boxes(high), _boxes(low)
    # The farthest corners: largest of the high block, smallest of the low one.
    widths = high_boxes[1][:, None, 0] - low_boxes[0][None, :, 0]
    heights = high_boxes[1][:, None, 1] - low_boxes[0][None, :, 1]
    bounds = np.where((widths > 0) & (heights > 0), widths * heights, 0.0).ravel()
    best, found = least, [(np.empty((0, 2), dtype=np.int64), np.empty(0))]
    promising = np.flatnonzero(bounds >= max(least * (1.0 - TIE), TINY))
    for block in promising[np.argsort(-bounds[promising], kind="stable")]:
        if bounds[block] < best * (1.0 - TIE):
            break
        i, j = divmod(int(block), len(low_boxes[0]))
        a, b = high[i * BLOCK : (i + 1) * BLOCK], low[j * BLOCK : (j + 1) * BLOCK]
        delta = a[:, None] - b[None]
        area = np.where((delta >= 0).all(axis=2), delta.prod(axis=2), -1.0)
        best = max(best, area.max())
        near = np.argwhere(area >= max(best * (1.0 - TIE), TINY))
        corner = np.array([i * BLOCK, j * BLOCK])
        found.append((near + corner, area[near[:, 0], near[:, 1]]))
    pairs = np.concatenate([pairs for pairs, _ in found])
    utilities = np.concatenate([areas for _, areas in found])
    return pairs[:, 0], pairs[:, 1], utilities


def _boxes(points: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Lowest and highest corner of every block of points."""
    starts = np.arange(0, len(points), BLOCK)
    return (
        np.minimum.reduceat(points, starts, axis=0),
        np.maximum.reduceat(points, starts, axis=0),
    )
