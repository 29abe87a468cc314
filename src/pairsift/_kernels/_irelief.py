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

    on_threads(n_jobs, len(queries), fill)
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
        # The group of hits, -1, and those of misses; a group nobody is in is left out.
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
