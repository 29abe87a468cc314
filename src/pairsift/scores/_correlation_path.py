"""Features by relevance over redundancy, and how many of them are needed."""

from collections.abc import Callable, Iterator

import numpy as np

from pairsift import _kernels
from pairsift._blocks import Blocks
from pairsift._typing import BoolArray, FloatArray, IndexArray
from pairsift.scores._block_correlations import BlockCorrelations
from pairsift.scores._correlation_search import (
    MIN_REDUNDANCY,
    CorrelationTable,
    nearest_shares,
)

N_FOLDS = 10
MAX_HELD_OUT = 1_000


def correlation_path(
    X: FloatArray,
    codes: IndexArray,
    is_categorical: BoolArray,
    n_steps: int,
    *,
    is_spread: bool,
    least_redundancy: float = MIN_REDUNDANCY,
    is_judged: bool = False,
) -> tuple[IndexArray, FloatArray, FloatArray | None]:
    """Return all features in order, their values, and hits on rows held out.

    is_spread : give unlabelled rows the class of the nearest labelled row.
    least_redundancy : added to the mean redundancy, in nats.
    is_judged : whether hits are wanted; None otherwise.
    """
    # Threads would only wait for each other: the products are small.
    with _kernels.one_blas_thread():
        table: CorrelationTable
        if isinstance(X, Blocks):
            table = BlockCorrelations(X, is_categorical, codes)
        else:
            X = np.asarray(X, dtype=np.float64)
            table = CorrelationTable(X, is_categorical)

        def path(known: IndexArray) -> tuple[IndexArray, FloatArray]:
            relevance = table.relevance(known, is_spread)
            return table.path(relevance, n_steps, least_redundancy)

        hits = held_out_hits(table, codes, n_steps, path) if is_judged else None
        return *path(codes), hits


def held_out_hits(
    table: CorrelationTable,
    codes: IndexArray,
    n_steps: int,
    path: Callable[[IndexArray], tuple[IndexArray, FloatArray]],
) -> FloatArray:
    """Tell which rows are found again by the first 1, 2, ... `n_steps` features.

    A row that was held out takes the class of the nearest labelled row on the features
    that a search without it adds first. Returns (rows, n_steps); where several rows are
    equally near, the share of them that is right. Empty if there is no way to hold rows
    out.
    """
    found = [np.empty((0, n_steps))]
    for held in _folds(table, codes):
        kept = codes.copy()
        kept[held] = -1
        known = np.flatnonzero(kept >= 0)
        if np.unique(kept[known]).size < 2:
            continue
        order, _ = path(kept)
        is_right = codes[held][:, None] == codes[known]
        distances = np.zeros(is_right.shape)
        hits = np.empty((held.size, n_steps))
        for step, feature in enumerate(order[:n_steps].tolist()):
            distances += table.differences(feature, held, known)
            hits[:, step] = (nearest_shares(distances) * is_right).sum(axis=1)
        found.append(hits)
    return np.concatenate(found)


def fewest_features(hits: FloatArray) -> int:
    """Return the smallest number that is as good as the best up to its error.

    The error of a share of few rows is taken with two hits and two misses more (Agresti
    and Coull): the plain one is 0 where all rows are found, and then one row more would
    be worth any number of features.
    """
    accuracies = hits.mean(axis=0)
    most = accuracies.max()
    n_rows = len(hits) + 4
    share = (most * len(hits) + 2) / n_rows
    error = np.sqrt(share * (1.0 - share) / n_rows)
    return int(np.argmax(accuracies >= most - error)) + 1


def _folds(table: CorrelationTable, codes: IndexArray) -> Iterator[IndexArray]:
    """Deal out the labelled rows, of every class to as many folds as can be.

    Rows and classes are dealt by their values, so that their numbers do not matter.
    Only rows of classes with another row can be found again.
    """
    known = np.flatnonzero(codes >= 0)
    _, classes, sizes = np.unique(codes[known], return_inverse=True, return_counts=True)
    heights = table.heights()[known]
    lowest = np.full(sizes.size, np.inf)
    np.minimum.at(lowest, classes, heights)
    order = np.lexsort((heights, classes, lowest[classes]))
    known = known[order[sizes[classes[order]] > 1]]
    if known.size > MAX_HELD_OUT:
        known = known[np.linspace(0, known.size - 1, MAX_HELD_OUT).astype(np.int64)]
    for fold in range(min(N_FOLDS, known.size)):
        yield known[fold::N_FOLDS]
