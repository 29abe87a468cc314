"""Spacings of a sorted column, among all rows and among the rows of each class."""

from typing import NamedTuple

import numpy as np

from pairsift._kernels._jit import kernel, on_threads
from pairsift._typing import FloatArray, IndexArray


class SortedColumns(NamedTuple):
    """Columns in ascending order.

    ascending, order : (p, n), the values of each column, and their rows; scales : (p,),
    by which differences are multiplied.
    """

    ascending: FloatArray
    order: IndexArray
    scales: FloatArray


def class_spacing_pairs(
    x: SortedColumns,
    classes: IndexArray,
    n_classes: IndexArray,
    pairs: IndexArray,
    psi: FloatArray,
    n_neighbors: int,
    floor: float,
    n_jobs: int | None = -1,
) -> tuple[FloatArray, IndexArray]:
    """h(x) - Σ_c p(c) h(x | c) for pairs of a column and classes.

    h is the estimate of Kozachenko and Leonenko, ψ(m) - ψ(k) + Σ log ε / m over m rows,
    ε twice the distance to the k-th neighbour, k at most m - 1; a class of one row has
    the h of all rows.

    x : p columns; classes : (q, n) numbers 0, 1, ...; n_classes : (q,); pairs : (m, 2)
    columns of x and of classes; psi : (n,) with ψ(1), ..., ψ(n); floor : smallest
    distance to the k-th neighbour.

    Returns values (m,) and how many of the 2n distances were below the floor, (m,).
    """
    values = np.empty(len(pairs))
    n_floored = np.zeros(len(pairs), dtype=np.int64)

    def fill(first, last):
        _fill_pairs(
            x, classes, n_classes, pairs[first:last], psi, n_neighbors, floor,
            values[first:last], n_floored[first:last],
        )  # fmt: skip

    on_threads(n_jobs, len(pairs), fill, cost=50.0 * len(pairs) * psi.size)
    return values, n_floored


@kernel()
def _fill_pairs(
    x, classes, n_classes, pairs, psi, n_neighbors, floor, values, n_floored
):
    n_samples = psi.size
    by_class = np.empty(n_samples)
    for p in range(pairs.shape[0]):
        i, j = pairs[p]
        ascending, order, scale = x.ascending[i], x.order[i], x.scales[i]
        whole, n_floored[p] = _entropy(ascending, scale, psi, n_neighbors, floor)
        ends = np.zeros(n_classes[j] + 1, dtype=np.int64)
        for r in range(n_samples):
            ends[classes[j, r] + 1] += 1
        for c in range(n_classes[j]):
            ends[c + 1] += ends[c]
        starts = ends.copy()
        for r in range(n_samples):
            c = classes[j, order[r]]
            by_class[starts[c]] = ascending[r]
            starts[c] += 1
        given = 0.0
        for c in range(n_classes[j]):
            n_members = ends[c + 1] - ends[c]
            entropy, n_low = whole, 0
            if n_members > 1:
                members = by_class[ends[c] : ends[c + 1]]
                entropy, n_low = _entropy(members, scale, psi, n_neighbors, floor)
            given += n_members * (entropy - whole)
            n_floored[p] += n_low
        values[p] = -given / n_samples


@kernel()
def _entropy(x, scale, psi, n_neighbors, floor):
    """Estimate h from ascending values: the k + 1 nearest are consecutive."""
    n_samples = x.size
    k = min(n_neighbors, n_samples - 1)
    first, total, n_low = 0, 0.0, 0
    for r in range(n_samples):
        while first + k + 1 < n_samples and x[first + k + 1] - x[r] < x[r] - x[first]:
            first += 1
        distance = max(x[r] - x[first], x[first + k] - x[r]) * scale
        if distance < floor:
            distance = floor
            n_low += 1
        total += np.log(2.0 * distance)
    return psi[n_samples - 1] - psi[k - 1] + total / n_samples, n_low
