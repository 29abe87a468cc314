"""Margins with a ramp: small differences of numbers do not count, large ones as 1.

Distances of ramps are no sums that the tile engine knows. These are plain sums in
double precision, a row at a time: slower, and only used where a ramp is given.
"""

from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from pairsift import _kernels
from pairsift._typing import BoolArray, FloatArray, IndexArray, PairArray

# As in the engine: distances that agree up to this share are tied, or up to some units
# in the last place of every term.
TIE = 1e-12
UNIT = 2.0**-53


def check_ramp(ramp: Any) -> tuple[float, float]:
    """Return two numbers from 0 to 1, the first one smaller."""
    is_pair = isinstance(ramp, tuple | list | np.ndarray) and len(ramp) == 2
    if not is_pair or not all(isinstance(end, Real) for end in ramp):
        raise ValueError(f"ramp must be two numbers (low, high) or None, got {ramp!r}.")
    low, high = float(ramp[0]), float(ramp[1])
    if not 0.0 <= low < high <= 1.0:
        raise ValueError(
            "ramp must be (low, high) with 0 <= low < high <= 1, shares of the range "
            f"of a feature, got {ramp!r}."
        )
    return low, high


class RampDifferences(NamedTuple):
    """Δ_f: 0 up to `low`, 1 from `high` on, linear between; shares of the range.

    Categorical columns and missing values differ as without a ramp.
    """

    X: FloatArray
    columns: "_kernels.Columns"
    ramp: tuple[float, float]

    def of_row(self, a: int, rows: Any = slice(None)) -> FloatArray:
        """Return Δ of row a and some rows, (rows, d); NaN where it is ignored."""
        known, (low, high) = self.columns, self.ramp
        apart = np.abs(self.X[rows] - self.X[a])
        shares = (apart * known.scale - low) / (high - low)
        deltas = np.where(
            known.is_categorical,
            (apart > 0.0) * known.scale,
            np.clip(shares, 0.0, 1.0),
        )
        if known.codes.size == 0:
            return deltas
        codes, group = known.codes[rows], known.group[rows]
        own = known.codes[a]
        of_other = known.one_missing[group[:, None], own]
        of_own = known.one_missing[known.group[a]][codes]
        both = known.both_missing[known.group[a], group]
        deltas = np.where(codes < 0, of_other, deltas)
        return np.where(own < 0, np.where(codes < 0, both, of_own), deltas)

    def distances(self, deltas: FloatArray, squared: bool) -> FloatArray:
        """Return Σ Δ, or Σ Δ²; ignored ones count as the mean of the others."""
        is_ignored = np.isnan(deltas)
        terms = np.where(is_ignored, 0.0, deltas)
        total = (terms**2 if squared else terms).sum(axis=1)
        n_varying = int((self.columns.scale > 0.0).sum())
        n_known = n_varying - is_ignored.sum(axis=1)
        if not is_ignored.any():
            return total
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(n_known > 0, total * n_varying / n_known, np.inf)

    def places(
        self, distances: FloatArray, rows: IndexArray, k: int, order: IndexArray | None
    ) -> FloatArray:
        """Return how many of the k places each of some rows has.

        order : (n,), tied rows that are first in it take the places left; None: all of
        them share.
        """
        taken = np.zeros(rows.size)
        some = distances[rows]
        near = np.flatnonzero(np.isfinite(some))
        if near.size <= k:
            taken[near] = 1.0
            return taken
        last = np.partition(some[near], k - 1)[k - 1]
        n_terms, width = self.X.shape[1] + 8, self.ramp[1] - self.ramp[0]
        slack = max(TIE, 4.0 * UNIT * n_terms) * last + 4.0 * UNIT * n_terms / width
        taken[some < last - slack] = 1.0
        n_left = k - int(taken.sum())
        tied = np.flatnonzero(np.abs(some - last) <= slack)
        if order is None:
            taken[tied] = n_left / tied.size
        else:
            taken[tied[np.argsort(order[rows[tied]], kind="stable")[:n_left]]] = 1.0
        return taken


def ramp_label_margins(
    differences: RampDifferences,
    starts: IndexArray,
    targets: IndexArray,
    order: IndexArray | None,
    miss_weights: FloatArray,
    n_neighbors: int,
    squared: bool,
) -> FloatArray:
    """Return the mean margin of each feature over some rows, as Relief or ReliefF.

    starts : where each class of the sorted rows begins; miss_weights : (n_classes,
    n_classes), or (0, 0) for one group of all misses.
    """
    n_rows = len(differences.X)
    classes = np.repeat(np.arange(starts.size - 1), np.diff(starts))
    is_pooled = miss_weights.size == 0
    total, n_known = np.zeros((2, differences.X.shape[1]))
    for a in targets.tolist():
        deltas = differences.of_row(a)
        distances = differences.distances(deltas, squared)
        terms = deltas**2 if squared else deltas
        margin = np.zeros(deltas.shape[1])
        groups = (classes != classes[a]).astype(np.int64) if is_pooled else classes
        own = int(groups[a])
        for group in range(2 if is_pooled else starts.size - 1):
            rows = np.flatnonzero((groups == group) & (np.arange(n_rows) != a))
            taken = differences.places(distances, rows, n_neighbors, order)
            weight = 1.0 if is_pooled else miss_weights[own, group]
            mean = _mean(terms[rows], taken)
            margin += -mean if group == own else weight * mean
        is_known = ~np.isnan(margin)
        total += np.where(is_known, margin, 0.0)
        n_known += is_known
    return total / np.maximum(n_known, 1.0)


def ramp_pair_margins(
    differences: RampDifferences,
    pairs: PairArray,
    n_neighbors: int,
    squared: bool,
    share: bool,
    is_pair_excluded: bool,
) -> FloatArray:
    """Return the sum of the margins of ordered pairs, as ReliefF-Sc."""
    n_rows, n_features = differences.X.shape
    order = None if share else np.arange(n_rows)
    distances = {
        int(end): differences.distances(differences.of_row(int(end)), squared)
        for end in np.unique(pairs)
    }
    total, n_known = np.zeros((2, n_features))
    for n, m in pairs.tolist():
        margin = np.zeros(n_features)
        for sign, end in ((1.0, m), (-1.0, n)):
            is_hit: BoolArray = np.ones(n_rows, dtype=bool)
            is_hit[[n, m] if is_pair_excluded else [end]] = False
            rows = np.flatnonzero(is_hit)
            taken = differences.places(distances[end], rows, n_neighbors, order)
            hits = rows[taken > 0.0]
            margin += sign * _mean(differences.of_row(n, hits), taken[taken > 0.0])
        is_known = ~np.isnan(margin)
        total += np.where(is_known, margin, 0.0)
        n_known += is_known
    return total / np.maximum(n_known, 1.0) * len(pairs)


def _mean(deltas: FloatArray, taken: FloatArray) -> FloatArray:
    """Mean of known differences; 0 over no rows, NaN where all are ignored."""
    rows = np.flatnonzero(taken)
    if rows.size == 0:
        return np.zeros(deltas.shape[1])
    deltas, weights = deltas[rows], taken[rows]
    is_known = ~np.isnan(deltas)
    sums = weights @ np.where(is_known, deltas, 0.0)
    numbers = weights @ is_known
    return np.divide(sums, numbers, out=np.full(sums.size, np.nan), where=numbers > 0.0)
