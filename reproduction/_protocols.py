"""Scaling, splitting, drawing pairs and reading a curve, as the papers do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reproduction._experiment import Curve, Outcome
from reproduction._typing import FloatArray, IndexArray, PairArray

_N_BOOTSTRAPS = 200


class Split(NamedTuple):
    """Training and test rows; classes are numbers."""

    X: FloatArray
    y: IndexArray
    X_test: FloatArray
    y_test: IndexArray


def scaled(X: Any) -> FloatArray:
    """Scale to [0, 1] over all rows, as the papers do; fill gaps by the column mean."""
    X = np.asarray(X, dtype=np.float64)
    X = np.where(np.isnan(X), np.nanmean(X, axis=0), X)
    width = np.ptp(X, axis=0)
    return (X - X.min(axis=0)) / np.where(width > 0, width, 1.0)


def split_rows(data: Any, train: NDArray[Any], test: NDArray[Any]) -> Split:
    """Scale a data set over all rows and set some apart."""
    X = scaled(data.data)
    _, y = np.unique(data.target, return_inverse=True)
    return Split(X[train], y[train], X[test], y[test])


def draw_pairs(
    y: IndexArray, n_pairs: int, rng: np.random.Generator, *, same: bool = False
) -> PairArray:
    """Draw pairs of rows, in the order drawn, until `n_pairs` are wanted ones.

    Wanted are pairs of different classes, or of the same class; none comes twice.
    """
    found: dict[frozenset[int], tuple[int, int]] = {}
    while len(found) < n_pairs:
        i, j = (int(row) for row in rng.choice(y.size, 2, replace=False))
        if (y[i] == y[j]) == same:
            found.setdefault(frozenset((i, j)), (i, j))
    return np.array(list(found.values()), dtype=np.int64)


def best_first(scores: FloatArray) -> IndexArray:
    """Order features by falling score, ties by the lower number."""
    return np.argsort(-scores, kind="stable")


def best_point(
    curves: Sequence[FloatArray], sizes: IndexArray
) -> tuple[Outcome, Outcome]:
    """Return the highest mean accuracy in percent, and the smallest size that has it.

    Their spreads are standard errors over resamples of the runs, times the square
    root of the number of runs: what one run contributes.
    """
    runs = 100 * np.asarray(curves)
    mean = runs.mean(axis=0)
    # Rounded: sums in another order must not decide between equal means.
    best = int(np.argmax(mean.round(9)))
    curve = Curve(sizes.tolist(), mean.tolist())
    n_runs = len(runs)
    if n_runs == 1:
        return Outcome(float(mean[best]), curve=curve), Outcome(float(sizes[best]))
    rng = np.random.default_rng(0)
    shares = rng.multinomial(n_runs, np.full(n_runs, 1 / n_runs), _N_BOOTSTRAPS)
    means = (shares / n_runs @ runs).round(9)
    spreads = np.sqrt(n_runs) * np.array(
        [means.max(axis=1).std(), sizes[means.argmax(axis=1)].std()]
    )
    return (
        Outcome(float(mean[best]), float(spreads[0]), n_runs, curve),
        Outcome(float(sizes[best]), float(spreads[1]), n_runs),
    )


def mean_of_runs(values: Sequence[float] | FloatArray) -> Outcome:
    """Return the mean over the runs, with their standard deviation if there are two."""
    spread = float(np.std(values, ddof=1)) if len(values) > 1 else None
    return Outcome(float(np.mean(values)), spread, len(values))


def median_time(calls: Sequence[Callable[[], Any]]) -> Outcome:
    """Return the median time of the calls in milliseconds.

    The median, since whatever else the machine does now and then is not the method's.
    """
    milliseconds = []
    for call in calls:
        start = perf_counter()
        call()
        milliseconds.append(1000 * (perf_counter() - start))
    return Outcome(float(np.median(milliseconds)), n_runs=len(milliseconds))


def sizes_text(sizes: Sequence[int]) -> str:
    """Write ascending sizes as in print: runs of three or more as ``first-last``."""
    groups: list[list[int]] = []
    for size in map(int, sizes):
        if groups and groups[-1][-1] + 1 == size:
            groups[-1].append(size)
        else:
            groups.append([size])
    return ",".join(
        f"{group[0]}-{group[-1]}" if len(group) > 2 else ",".join(map(str, group))
        for group in groups
    )
