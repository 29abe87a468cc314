"""Margins of I-Relief: expected differences to near-misses and near-hits."""

from typing import NamedTuple

import numpy as np

from pairsift._kernels._jit import kernel, on_threads
from pairsift._typing import FloatArray, IndexArray

ROUNDING = 1e-12
"""Margins no larger than this share of the largest, of any sign, are rounding."""


class Points(NamedTuple):
    """Rows that are neighbours of others.

    rows : (n, d); by_column : (d, n), the same; labels : (n,) class numbers 0, 1, ...
    """

    rows: FloatArray
    by_column: FloatArray
    labels: IndexArray


class Stream(NamedTuple):
    """What one row after the other changes.

    counts : (n_classes,), points per class; low, high : (d,), extremes of the rows so
    far; sums : (d,), of the margins, not divided by the ranges.
    """

    counts: IndexArray
    low: FloatArray
    high: FloatArray
    sums: FloatArray


def as_points(rows: FloatArray, labels: IndexArray) -> Points:
    """Prepare rows (n, d) and their classes (n,)."""
    return Points(rows, np.ascontiguousarray(rows.T), labels)


def expected_margins(
    queries: FloatArray,
    classes: IndexArray,
    own: IndexArray,
    points: FloatArray,
    labels: IndexArray,
    shares: FloatArray,
    weights: FloatArray,
    sigma: float,
    n_jobs: int | None = -1,
) -> tuple[FloatArray, FloatArray]:
    """Margin vectors of some rows, with every point a neighbour with a probability.

    Of a group of points, each is the nearest with probability f(d) / Σ f(d), where
    d = Σ_f w_f |q_f - x_f| and f(d) = exp(-d / σ).

    queries : (q, d); classes : (q,) class of each; own : (q,) its own place among the
    points, which is not its neighbour, or -1; points : (n, d); labels : (n,) class
    numbers 0, 1, ...; shares : (C, C), weight of the misses of class c of a row of
    class r in [r, c], or empty (0, 0) to take all misses as one group.

    Returns margins (q, d), expected differences to misses less those to hits, 0 for a
    row without hits or without misses, and (q,) Σ_hits f(d) / Σ f(d), the probability
    that a row is no outlier.
    """
    margins, trust = np.zeros(queries.shape), np.zeros(len(queries))
    known = as_points(points, labels)

    def fill(first, last):
        some = slice(first, last)
        _fill_margins(
            queries[some], classes[some], own[some], known, shares, weights, sigma,
            margins[some], trust[some],
        )  # fmt: skip

    cost = 0.6 * len(queries) * points.size
    on_threads(n_jobs, len(queries), fill, cost=cost)
    return margins, trust


@kernel()
def _fill_margins(
    queries, classes, own, points, shares, weights, sigma, margins, trust
):
    """Fill in margins and trust as `expected_margins`."""
    is_pooled = shares.shape[0] == 0
    coefficients = np.empty(max(shares.shape[0], 2))
    group = np.empty(points.labels.size, dtype=np.int64)
    for q in range(queries.shape[0]):
        c = classes[q]
        coefficients[:] = 1.0
        if not is_pooled:
            coefficients[:] = shares[c]
        hits = _fill_groups(points.labels, c, own[q], is_pooled, group)
        coefficients[hits] = -1.0
        trust[q] = _add_margin(
            queries[q], points, group, coefficients, hits, weights, sigma, margins[q]
        )


@kernel(inner=True)
def _fill_groups(labels, c, own, is_pooled, group):
    """Fill in the group of each point, -1 for the row itself; return that of the hits.

    Groups are classes, or, pooled, hits and misses.
    """
    for b in range(group.size):
        group[b] = int(labels[b] != c) if is_pooled else labels[b]
    if own >= 0:
        group[own] = -1
    return 0 if is_pooled else c


@kernel(inner=True)
def _add_margin(row, points, group, coefficients, hits, weights, sigma, margin):
    """Add the margin of a row to the first points, those with a group; its trust.

    Nothing is added, and 0 returned, where there is no hit or no miss.
    """
    n_points, probabilities = group.size, np.empty(group.size)
    _weighted_distances(row, points.by_column[:, :n_points], weights, probabilities)
    trust = _probabilities(probabilities, group, coefficients.size, hits, sigma)
    for b in range(n_points if trust >= 0.0 else 0):
        weight = coefficients[group[b]] * probabilities[b] if group[b] >= 0 else 0.0
        if weight != 0.0:
            for f in range(row.size):
                margin[f] += weight * abs(points.rows[b, f] - row[f])
    return max(trust, 0.0)


@kernel()
def _weighted_distances(query, by_column, weights, distances):
    """Σ_f w_f |q_f - x_f| to all points; the inner loop is over points, a vector."""
    distances[:] = 0.0
    for f in range(weights.size):
        weight, x = weights[f], query[f]
        if weight != 0.0:
            for b in range(distances.size):
                distances[b] += weight * abs(by_column[f, b] - x)


@kernel()
def _probabilities(distances, group, n_groups, hits, sigma):
    """Replace distances by probabilities within groups; return the share of the hits.

    Exponents are shifted by the smallest of the group, so that no sum is 0. Returns
    -1 when there is no hit or no miss.
    """
    nearest = np.full(n_groups, np.inf)
    sums = np.zeros(n_groups)
    for b in range(distances.size):
        if group[b] >= 0:
            nearest[group[b]] = min(nearest[group[b]], distances[b])
    for b in range(distances.size):
        if group[b] >= 0:
            g = group[b]
            distances[b] = np.exp((nearest[g] - distances[b]) / sigma)
            sums[g] += distances[b]
    for b in range(distances.size):
        if group[b] >= 0:
            distances[b] /= sums[group[b]]
    total, closest, n_misses = 0.0, nearest.min(), 0
    for g in range(n_groups):
        if sums[g] > 0.0:
            total += sums[g] * np.exp((closest - nearest[g]) / sigma)
            n_misses += 1 if g != hits else 0
    if sums[hits] == 0.0 or n_misses == 0:
        return -1.0
    return sums[hits] * np.exp((closest - nearest[hits]) / sigma) / total


def nearest_classes(
    queries: FloatArray,
    points: FloatArray,
    labels: IndexArray,
    weights: FloatArray,
    n_jobs: int | None = -1,
) -> IndexArray:
    """Class of the point nearest to each query by Σ_f w_f |q_f - x_f|.

    queries : (q, d); points : (n, d); labels : (n,); weights : (d,). Ties go to the
    smaller index.
    """
    classes, known = np.empty(len(queries), dtype=np.int64), as_points(points, labels)

    def fill(first, last):
        some = slice(first, last)
        _fill_nearest(queries[some], known, weights, classes[some])

    cost = 0.3 * len(queries) * points.size
    on_threads(n_jobs, len(queries), fill, cost=cost)
    return classes


@kernel()
def _fill_nearest(queries, points, weights, classes):
    distances = np.empty(points.labels.size)
    for q in range(queries.shape[0]):
        _weighted_distances(queries[q], points.by_column, weights, distances)
        classes[q] = points.labels[np.argmin(distances)]


def online_steps(
    rows: FloatArray,
    classes: IndexArray,
    own: IndexArray,
    places: IndexArray,
    points: Points,
    n_points: int,
    stream: Stream,
    sigma: float,
    is_pooled: bool,
) -> None:
    """Add the margins of one row after the other, each at the weights of those before.

    rows : (q, d); classes : (q,); own : (q,) place of the row among the points, or -1;
    places : (q,) where the row is put among the points after its step, -1 for nowhere.
    points, of which n_points are there, and stream are written to. is_pooled: all
    misses are one group, not one per class, weighted by its share.
    """

    def step(first, last):
        nonlocal n_points
        some = slice(first, last)
        n_points = _online_steps(
            rows[some], classes[some], own[some], places[some], points, n_points,
            stream, sigma, is_pooled,
        )  # fmt: skip

    on_threads(1, len(rows), step, cost=0.7 * len(rows) * points.rows.size)


@kernel()
def _online_steps(
    rows, classes, own, places, points, n_points, stream, sigma, is_pooled
):
    """Step as `online_steps`, and return the number of points."""
    counts, sums = stream.counts, stream.sums
    weights, margin = np.empty(sums.size), np.empty(sums.size)
    group = np.empty(points.labels.size, dtype=np.int64)
    coefficients = np.empty(max(counts.size, 2))
    for q in range(rows.shape[0]):
        row, c = rows[q], classes[q]
        for f in range(row.size):
            stream.low[f] = min(stream.low[f], row[f])
            stream.high[f] = max(stream.high[f], row[f])
        n_misses = n_points - counts[c]
        if n_misses > 0:
            _online_weights(sums, stream.low, stream.high, weights)
            for g in range(coefficients.size):
                coefficients[g] = 1.0 if is_pooled else counts[g] / n_misses
            some, margin[:] = group[:n_points], 0.0
            hits = _fill_groups(points.labels, c, own[q], is_pooled, some)
            coefficients[hits] = -1.0
            trust = _add_margin(
                row, points, some, coefficients, hits, weights, sigma, margin
            )
            for f in range(row.size):
                sums[f] += trust * margin[f]
        if places[q] >= 0:
            n_points = _put_point(points, counts, n_points, places[q], row, c)
    return n_points


@kernel(inner=True)
def _put_point(points, counts, n_points, place, row, c):
    """Put a row of class c in a place among the points; return their number."""
    if place < n_points:
        counts[points.labels[place]] -= 1
    counts[c] += 1
    points.labels[place] = c
    points.rows[place] = row
    points.by_column[:, place] = row
    return max(n_points, place + 1)


@kernel()
def _online_weights(sums, low, high, weights):
    """w_f over the range of the feature; equal ones that add up to 1 at first."""
    square, largest, n_varying = 0.0, 0.0, 0
    for f in range(sums.size):
        span = high[f] - low[f]
        scale = 1.0 / span if span > 0.0 else 0.0
        weights[f] = scale if np.isfinite(scale) else 0.0
        largest = max(largest, abs(sums[f] * weights[f]))
        n_varying += 1 if weights[f] > 0.0 else 0
    for f in range(sums.size):
        margin = sums[f] * weights[f]
        square += margin**2 if margin > ROUNDING * largest else 0.0
    norm = np.sqrt(square)
    for f in range(sums.size):
        margin = sums[f] * weights[f]
        if norm > 0.0:
            weights[f] *= margin / norm if margin > ROUNDING * largest else 0.0
        else:
            weights[f] /= max(n_varying, 1)
