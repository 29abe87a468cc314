"""Neighbours by the largest difference of several columns, within cells of rows."""

from typing import NamedTuple

import numpy as np

from pairsift._kernels._jit import kernel, on_threads
from pairsift._typing import FloatArray, IndexArray

LEAF_ROWS = 16
# Trees of halves are not deeper than a row number has digits.
MAX_DEPTH = 64
# A distance is smaller than a radius if it is below this share of it: what is equal but
# for rounding is not, so that other units count the same rows.
NEARER = 1.0 - 1e-10


class Forest(NamedTuple):
    """A tree of boxes for each cell; the root of cell c is node c."""

    order: IndexArray
    """(n,) the rows, so that every node is a run of them."""
    rows: FloatArray
    """(n, d) the points in this order."""
    roots: IndexArray
    """(n,) the cell of each of them."""
    scales: FloatArray
    """(d,) by which differences are multiplied."""
    children: IndexArray
    """(nodes,) the first of two consecutive nodes, 0 for a leaf."""
    runs: IndexArray
    """(nodes, 2) first row and end."""
    boxes: FloatArray
    """(nodes, 2, d) smallest and largest values."""


def grow_forest(points: FloatArray, scales: FloatArray, cells: IndexArray) -> Forest:
    """Sort the rows of each cell into boxes, halved at the median of the widest side.

    points : (n, d); scales : (d,); cells : (n,) numbers 0, 1, ..., each taken.
    """
    n_samples, n_features = points.shape
    order = np.argsort(cells, kind="stable")
    ends = np.cumsum(np.bincount(cells))
    # No leaf that was split off has fewer than half of LEAF_ROWS rows.
    most_nodes = ends.size + 4 * n_samples // LEAF_ROWS
    children = np.zeros(most_nodes, dtype=np.int64)
    runs = np.empty((most_nodes, 2), dtype=np.int64)
    runs[: ends.size, 0] = ends - np.bincount(cells)
    runs[: ends.size, 1] = ends
    boxes = np.empty((most_nodes, 2, n_features))
    _split(points, scales, ends.size, order, children, runs, boxes)
    return Forest(order, points[order], cells[order], scales, children, runs, boxes)


def cell_distances(
    forest: Forest, n_neighbors: int, n_jobs: int | None = -1
) -> FloatArray:
    """Distance of each row to its k-th neighbour in its cell, max_j s_j |a_j - b_j|.

    Returns (n,), in the order of the points; in a cell of m <= k rows the distance is
    that to the farthest of them, and inf if there is no other.
    """
    distances = np.empty(len(forest.rows))

    def fill(first, last):
        _fill_distances(forest, first, n_neighbors, distances[first:last])

    on_threads(n_jobs, len(distances), fill, cost=_cost(forest))
    return _as_given(forest, distances)


def cell_counts(
    forest: Forest, radii: FloatArray, n_jobs: int | None = -1
) -> IndexArray:
    """Count the other rows of its cell that are nearer to each row than its radius > 0.

    Rows as far as the radius up to rounding are not nearer. radii : (n,), in the order
    of the points. Returns (n,).
    """
    counts = np.empty(len(forest.rows), dtype=np.int64)
    radii = radii[forest.order] * NEARER

    def fill(first, last):
        _fill_counts(forest, first, radii[first:last], counts[first:last])

    on_threads(n_jobs, len(counts), fill, cost=_cost(forest))
    return _as_given(forest, counts)


def _cost(forest):
    return 400.0 * forest.rows.size


def _as_given(forest, values):
    unsorted = np.empty_like(values)
    unsorted[forest.order] = values
    return unsorted


@kernel()
def _split(points, scales, n_nodes, order, children, runs, boxes):
    node = 0
    while node < n_nodes:
        first, end = runs[node, 0], runs[node, 1]
        widest, width = 0, 0.0
        for j in range(scales.size):
            low, high = np.inf, -np.inf
            for r in range(first, end):
                low = min(low, points[order[r], j])
                high = max(high, points[order[r], j])
            boxes[node, 0, j], boxes[node, 1, j] = low, high
            if (high - low) * scales[j] > width:
                widest, width = j, (high - low) * scales[j]
        if end - first > LEAF_ROWS:
            middle = (first + end) // 2
            _halve(points, widest, order, first, middle, end)
            children[node] = n_nodes
            runs[n_nodes, 0], runs[n_nodes, 1] = first, middle
            runs[n_nodes + 1, 0], runs[n_nodes + 1, 1] = middle, end
            n_nodes += 2
        node += 1


@kernel()
def _halve(points, j, order, first, middle, end):
    """Bring the rows with the smallest values of a column before the middle."""
    low, high = first, end - 1
    while low < high:
        pivot = points[order[middle], j]
        left, right = low, high
        while left <= right:
            while points[order[left], j] < pivot:
                left += 1
            while points[order[right], j] > pivot:
                right -= 1
            if left <= right:
                order[left], order[right] = order[right], order[left]
                left += 1
                right -= 1
        if right < middle:
            low = left
        if left > middle:
            high = right


@kernel(inline=True)
def keep_smallest(nearest, distance):
    """Insert a distance below the last into an ascending table; return the new last."""
    k = nearest.size - 1
    while k > 0 and distance < nearest[k - 1]:
        nearest[k] = nearest[k - 1]
        k -= 1
    nearest[k] = distance
    return nearest[nearest.size - 1]


@kernel(inline=True)
def _gap(rows, r, boxes, node, scales):
    """Distance of a row to a box; rounded as distances are, so it exceeds none."""
    gap = 0.0
    for j in range(scales.size):
        outside = max(boxes[node, 0, j] - rows[r, j], rows[r, j] - boxes[node, 1, j])
        gap = max(gap, outside * scales[j])
    return gap


@kernel(inline=True)
def _reach(rows, r, boxes, node, scales):
    """Distance of a row to the farthest corner of a box."""
    reach = 0.0
    for j in range(scales.size):
        side = max(boxes[node, 1, j] - rows[r, j], rows[r, j] - boxes[node, 0, j])
        reach = max(reach, side * scales[j])
    return reach


@kernel()
def _fill_distances(forest, first, n_neighbors, distances):
    _, rows, roots, scales, children, runs, boxes = forest
    table = np.empty(min(n_neighbors, rows.shape[0]))
    nodes, gaps = np.empty(MAX_DEPTH, dtype=np.int64), np.empty(MAX_DEPTH)
    for q in range(distances.size):
        r = first + q
        n_others = runs[roots[r], 1] - runs[roots[r], 0] - 1
        nearest = table[: min(n_neighbors, n_others)]
        nearest[:] = np.inf
        worst = np.inf
        nodes[0], gaps[0], n_open = roots[r], 0.0, 1 if n_others > 0 else 0
        while n_open > 0:
            n_open -= 1
            node = nodes[n_open]
            child = children[node]
            if gaps[n_open] >= worst:
                continue
            if child > 0:
                left = _gap(rows, r, boxes, child, scales)
                right = _gap(rows, r, boxes, child + 1, scales)
                # The nearer box is opened first.
                is_left = 1 if left < right else 0
                nodes[n_open], gaps[n_open] = child + is_left, max(left, right)
                nodes[n_open + 1] = child + 1 - is_left
                gaps[n_open + 1] = min(left, right)
                n_open += 2
                continue
            for other in range(runs[node, 0], runs[node, 1]):
                distance = 0.0 if other != r else np.inf
                j = 0
                while j < scales.size and distance < worst:
                    gap = abs(rows[other, j] - rows[r, j]) * scales[j]
                    distance = max(distance, gap)
                    j += 1
                if distance < worst:
                    worst = keep_smallest(nearest, distance)
        distances[q] = worst


@kernel()
def _fill_counts(forest, first, radii, counts):
    _, rows, roots, scales, children, runs, boxes = forest
    nodes = np.empty(MAX_DEPTH, dtype=np.int64)
    for q in range(counts.size):
        r, radius = first + q, radii[q]
        # The row itself is nearer than any radius.
        n_nearer = -1
        nodes[0], n_open = roots[r], 1
        while n_open > 0:
            n_open -= 1
            node = nodes[n_open]
            if _gap(rows, r, boxes, node, scales) >= radius:
                continue
            if _reach(rows, r, boxes, node, scales) < radius:
                n_nearer += runs[node, 1] - runs[node, 0]
                continue
            if children[node] > 0:
                nodes[n_open] = children[node]
                nodes[n_open + 1] = children[node] + 1
                n_open += 2
                continue
            for other in range(runs[node, 0], runs[node, 1]):
                j = 0
                while j < scales.size:
                    if abs(rows[other, j] - rows[r, j]) * scales[j] >= radius:
                        break
                    j += 1
                n_nearer += 1 if j == scales.size else 0
        counts[q] = n_nearer
