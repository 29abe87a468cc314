"""Redundancy of the best 1, 2, 3, ... features of a ranking, in one pass."""

from __future__ import annotations

import numpy as np

from pairsift._typing import FloatArray, IndexArray
from pairsift.evaluation._redundancy import _BLOCK_COLUMNS
from pairsift.scores import centred_columns, unit_columns


def entropy_curve(X: FloatArray, order: IndexArray, sizes: IndexArray) -> FloatArray:
    """Representation entropy of the first columns of `order`, for each size.

    The eigenvalues are those of the matrix of products of columns or of rows, whichever
    is smaller; sizes ascend.
    """
    from scipy.linalg import eigvalsh
    from scipy.special import entr

    centred = centred_columns(X[:, order[: sizes[-1]]])
    n_rows = len(centred)
    narrow = centred[:, : min(n_rows, int(sizes[-1]))]
    of_columns = narrow.T @ narrow
    of_rows, n_added = np.zeros((n_rows, n_rows)), 0
    entropies = np.zeros(len(sizes))
    for i, size in enumerate(sizes.tolist()):
        if size <= n_rows:
            products = of_columns[:size, :size]
        else:
            added = centred[:, n_added:size]
            of_rows += added @ added.T
            n_added, products = size, of_rows
        eigenvalues = np.maximum(eigvalsh(products), 0.0)
        total = eigenvalues.sum()
        if total > 0:
            entropies[i] = entr(eigenvalues / total).sum()
    return entropies


def rate_curve(X: FloatArray, order: IndexArray, sizes: IndexArray) -> FloatArray:
    """Redundancy rate of the first columns of `order`, for each size."""
    units = unit_columns(centred_columns(X[:, order[: sizes[-1]]]))
    n_ranked = units.shape[1]
    with_earlier = np.zeros(n_ranked)
    for start in range(0, n_ranked, _BLOCK_COLUMNS):
        stop = min(start + _BLOCK_COLUMNS, n_ranked)
        correlations = units[:, start:stop].T @ units[:, :stop]
        with_earlier[start:stop] = np.tril(correlations, k=start - 1).sum(axis=1)
    number = np.maximum(sizes * (sizes - 1), 1)
    return np.cumsum(with_earlier)[sizes - 1] / number
