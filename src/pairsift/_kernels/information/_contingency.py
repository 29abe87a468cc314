"""Mutual information of two discrete columns, for many pairs of columns."""

import numpy as np

from pairsift._kernels._jit import kernel, on_threads
from pairsift._typing import FloatArray, IndexArray


def contingency_pairs(
    x: IndexArray,
    y: IndexArray,
    pairs: IndexArray,
    n_jobs: int | None = -1,
) -> FloatArray:
    """Σ p(x, y) log(p(x, y) / p(x) p(y)) over observed values.

    x : (p, n) numbers from 0 to n - 1; y : (q, n); pairs : (m, 2). Returns (m,).
    """
    values = np.empty(len(pairs))

    def fill(first, last):
        _fill_pairs(x, y, pairs[first:last], values[first:last])

    on_threads(n_jobs, len(pairs), fill, cost=50.0 * len(pairs) * x.shape[1])
    return values


@kernel()
def _fill_pairs(x, y, pairs, values):
    n_samples = x.shape[1]
    joint = np.empty(n_samples, dtype=np.int64)
    n_x = np.empty(n_samples, dtype=np.int64)
    n_y = np.empty(n_samples, dtype=np.int64)
    for p in range(pairs.shape[0]):
        i, j = pairs[p]
        n_x[:] = 0
        n_y[:] = 0
        for r in range(n_samples):
            n_x[x[i, r]] += 1
            n_y[y[j, r]] += 1
            joint[r] = x[i, r] * n_samples + y[j, r]
        # Sorted, equal pairs stand together: no table of all possible pairs.
        joint.sort()
        total, first = 0.0, 0
        for r in range(1, n_samples + 1):
            if r == n_samples or joint[r] != joint[first]:
                n_both, pair = r - first, joint[first]
                expected = n_x[pair // n_samples] * n_y[pair % n_samples]
                total += n_both * np.log(n_both * n_samples / expected)
                first = r
        values[p] = total / n_samples
