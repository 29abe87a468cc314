"""Margins of I-Relief: expected differences to near-misses and near-hits."""

import numpy as np

from pairsift._kernels._jit import kernel, on_threads
from pairsift._typing import FloatArray, IndexArray


def expected_margins(
    queries: FloatArray,
    classes: IndexArray,
    own: IndexArray,
    points: FloatArray,
    labels: IndexArray,
    shares: FloatArray,
    weights: FloatArray,
    sigma: float,
    n_jobs: int | None = None,
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
    margins = np.zeros(queries.shape)
    trust = np.zeros(len(queries))
    by_column = np.ascontiguousarray(points.T)

    def fill(first, last):
        part = slice(first, last)
        _fill_margins(
            queries[part],
            classes[part],
            own[part],
            points,
            by_column,
            labels,
            shares,
            weights,
            sigma,
            margins[part],
            trust[part],
        )

    cost = 0.6 * len(queries) * points.size
    on_threads(n_jobs, len(queries), fill, cost=cost)
    return margins, trust


@kernel()
def _fill_margins(
    queries,
    classes,
    own,
    points,
    by_column,
    labels,
    shares,
    weights,
    sigma,
    margins,
    trust,
):
    n_points, n_features = points.shape
    distances = np.empty(n_points)
    group = np.empty(n_points, dtype=np.int64)
    n_groups = max(shares.shape[0], 2)
    coefficients = np.empty(n_groups)
    for q in range(queries.shape[0]):
        c = classes[q]
        # The group of hits, -1, and those of misses; an empty group is left out.
        if shares.shape[0] > 0:
            hits = c
            coefficients[:] = shares[c]
            group[:] = labels
        else:
            hits = 0
            coefficients[:] = 1.0
            for b in range(n_points):
                group[b] = 0 if labels[b] == c else 1
        coefficients[hits] = -1.0
        if own[q] >= 0:
            group[own[q]] = -1
        _weighted_distances(queries[q], by_column, weights, distances)
        trust[q] = _probabilities(distances, group, n_groups, hits, sigma)
        if trust[q] <= -1.0:
            trust[q] = 0.0
            continue
        for b in range(n_points):
            if group[b] < 0:
                continue
            weight = coefficients[group[b]] * distances[b]
            if weight != 0.0:
                for f in range(n_features):
                    margins[q, f] += weight * abs(points[b, f] - queries[q, f])


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
    n_jobs: int | None = None,
) -> IndexArray:
    """Class of the point nearest to each query by Σ_f w_f |q_f - x_f|.

    queries : (q, d); points : (n, d); labels : (n,); weights : (d,). Ties go to the
    smaller index.
    """
    classes = np.empty(len(queries), dtype=np.int64)
    by_column = np.ascontiguousarray(points.T)

    def fill(first, last):
        part = slice(first, last)
        _fill_nearest(queries[part], by_column, labels, weights, classes[part])

    cost = 0.3 * len(queries) * points.size
    on_threads(n_jobs, len(queries), fill, cost=cost)
    return classes


@kernel()
def _fill_nearest(queries, by_column, labels, weights, classes):
    distances = np.empty(labels.size)
    for q in range(queries.shape[0]):
        _weighted_distances(queries[q], by_column, weights, distances)
        classes[q] = labels[np.argmin(distances)]


def online_steps(
    rows: FloatArray,
    classes: IndexArray,
    own: IndexArray,
    places: IndexArray,
    points: FloatArray,
    by_column: FloatArray,
    labels: IndexArray,
    counts: IndexArray,
    n_points: int,
    low: FloatArray,
    high: FloatArray,
    sums: FloatArray,
    sigma: float,
    is_pooled: bool,
) -> None:
    """Add the margins of one row after the other, each at the weights of those before.

    rows : (q, d); classes : (q,); own : (q,) place of the row among the points, or -1;
    places : (q,) where the row is put among the points after its step, -1 for nowhere.

    Written to: points (m, d) of which n_points are there, by_column (d, m) the same,
    labels (m,), counts (C,) of points a class, low and high (d,) the extremes of the
    rows so far, sums (d,) of the margins, not divided by the ranges. is_pooled: all
    misses are one group, not one per class, weighted by its share.
    """

    def step(first, last):
        nonlocal n_points
        part = slice(first, last)
        n_points = _online_steps(
            rows[part], classes[part], own[part], places[part], points, by_column,
            labels, counts, n_points, low, high, sums, sigma, is_pooled,
        )  # fmt: skip

    on_threads(1, len(rows), step, cost=0.7 * len(rows) * points.size)


@kernel()
def _online_steps(
    rows,
    classes,
    own,
    places,
    points,
    by_column,
    labels,
    counts,
    n_points,
    low,
    high,
    sums,
    sigma,
    is_pooled,
):
    """Step as `online_steps`, and return the number of points."""
    n_features = rows.shape[1]
    weights = np.empty(n_features)
    distances = np.empty(labels.size)
    group = np.empty(labels.size, dtype=np.int64)
    coefficients = np.empty(max(counts.size, 2))
    for q in range(rows.shape[0]):
        for f in range(n_features):
            low[f] = min(low[f], rows[q, f])
            high[f] = max(high[f], rows[q, f])
        c = classes[q]
        n_misses = n_points - counts[c]
        if n_misses > 0:
            _online_weights(sums, low, high, weights)
            near = distances[:n_points]
            _weighted_distances(rows[q], by_column[:, :n_points], weights, near)
            for g in range(coefficients.size):
                coefficients[g] = 1.0 if is_pooled else counts[g] / n_misses
            hits = 0 if is_pooled else c
            coefficients[hits] = -1.0
            for b in range(n_points):
                group[b] = int(labels[b] != c) if is_pooled else labels[b]
            if own[q] >= 0:
                group[own[q]] = -1
            trust = _probabilities(
                near, group[:n_points], coefficients.size, hits, sigma
            )
            _add_margin(rows[q], points, near, group, coefficients, trust, sums)
        b = places[q]
        if b >= 0:
            if b < n_points:
                counts[labels[b]] -= 1
            else:
                n_points += 1
            counts[c] += 1
            labels[b] = c
            points[b] = rows[q]
            by_column[:, b] = rows[q]
    return n_points


@kernel()
def _online_weights(sums, low, high, weights):
    """w_f over the range of the feature; equal ones that add up to 1 at first."""
    square, n_varying = 0.0, 0
    for f in range(sums.size):
        span = high[f] - low[f]
        scale = 1.0 / span if span > 0.0 else 0.0
        weights[f] = scale if np.isfinite(scale) else 0.0
        square += max(sums[f] * weights[f], 0.0) ** 2
        n_varying += 1 if weights[f] > 0.0 else 0
    norm = np.sqrt(square)
    for f in range(sums.size):
        if norm > 0.0:
            weights[f] *= max(sums[f] * weights[f], 0.0) / norm
        else:
            weights[f] /= max(n_varying, 1)


@kernel()
def _add_margin(row, points, probabilities, group, coefficients, trust, sums):
    """Add γ times the margin, nothing where there is no hit."""
    for b in range(probabilities.size):
        if group[b] >= 0 and trust > 0.0:
            weight = trust * coefficients[group[b]] * probabilities[b]
            if weight != 0.0:
                for f in range(row.size):
                    sums[f] += weight * abs(points[b, f] - row[f])
