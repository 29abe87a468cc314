"""Per-feature differences Δ: numeric, categorical and missing values."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairsift._kernels._jit import kernel
from pairsift._typing import BoolArray, FloatArray, IndexArray

# "Fine discretisation" of a numeric feature, used only for missing values.
N_BINS = 20
CACHED_COUNTS = 128


class Columns(NamedTuple):
    """What the kernels know about each column besides its values.

    scale : (d,), inverse range of a numeric column, 1 of a categorical one, 0 of a
        constant one; Δ = scale |a - b| or scale [a ≠ b].
    slope, start : of a ramp, with which Δ = slope scale |a - b| - start on a numeric
        column, 0 at least and 1 at most; 1 and 0 without one.
    offset, span : (d,), smallest known value and range.
    is_categorical : (d,), whether the column is categorical.
    codes : (n, d) int32, position of each known cell's value in the tables below; empty
        (0, 0) when no cell is missing.
    group : (n,) int32, class of each row; rows without a class share the last group.
    one_missing : (n_groups, n_codes), Δ between a missing value of a row of the group
        and a known cell with the code; NaN when the difference is to be ignored.
    both_missing : (n_groups, n_groups, d), Δ between two missing values.
    """

    scale: FloatArray
    offset: FloatArray
    span: FloatArray
    is_categorical: BoolArray
    codes: NDArray[np.int32]
    group: NDArray[np.int32]
    one_missing: FloatArray
    both_missing: FloatArray
    slope: float = 1.0
    start: float = 0.0

    @property
    def has_ramp(self) -> bool:
        """Whether numbers differ by a ramp, and not by their distance."""
        return (self.slope, self.start) != (1.0, 0.0)

    @property
    def tells_copies(self) -> bool:
        """Whether rows at distance 0 are equal."""
        return self.one_missing.size == 0 and not self.has_ramp

    def on_ramp(self, low: float, high: float) -> "Columns":
        """Let numbers differ by 0 up to `low` of the range, and by 1 from `high` on."""
        return self._replace(slope=1.0 / (high - low), start=low / (high - low))


def describe_columns(
    X: FloatArray,
    is_categorical: BoolArray,
    missing: str = "probability",
    labels: IndexArray | None = None,
) -> Columns:
    """Prepare the differences of the columns of X, shape (n, d).

    missing : "probability", "ignore", "constant" or "distinct", what the difference to
        a missing value is (ReliefD, ReliefC, ReliefB, Relieved-F).
    labels : (n,) class numbers, -1 for none; None for no classes at all. Class-
        conditional probabilities are used where a row has a class, those of all rows
        elsewhere.
    """
    low, high, has_missing = _known_extremes(X)
    complete = complete_columns(low, high, is_categorical)
    if not has_missing:
        return complete
    group = missing_groups(len(X), missing, labels)
    coding = coding_of(known_values(X, is_categorical), X.shape[1])
    codes = _codes(X, complete, coding)
    counts = count_codes(codes, group, coding, int(group.max(initial=0)) + 1)
    rules = missing_rules(complete, coding, counts, missing, labels)
    return rules.columns._replace(codes=codes, group=group)


class Coding(NamedTuple):
    """Numbers of the values of every column, those of column j from starts[j] on.

    values : known values of the categorical columns, ascending; a numeric column has
    N_BINS bins. starts : (d + 1,).
    """

    values: dict[int, FloatArray]
    starts: IndexArray


class ColumnRules(NamedTuple):
    """What is known of the columns, for rows that are met block by block.

    columns : `Columns` without codes and groups of rows; coding : None when no cell is
    missing.
    """

    columns: Columns
    coding: Coding | None = None

    def of_rows(self, X: FloatArray, group: NDArray[np.int32]) -> Columns:
        """Return what the kernels have to know beside some rows and their groups."""
        if self.coding is None:
            return self.columns
        codes = _codes(X, self.columns, self.coding)
        return self.columns._replace(codes=codes, group=group)


def complete_columns(
    low: FloatArray, high: FloatArray, is_categorical: BoolArray
) -> Columns:
    """Prepare the differences of complete columns with known extremes."""
    span = high - low
    scale = np.divide(1.0, span, out=np.zeros(span.size), where=span > 0)
    # The inverse of a subnormal range overflows; no feature varies by so little.
    scale[~np.isfinite(scale)] = 0.0
    scale[is_categorical & (span > 0)] = 1.0
    return _complete_columns(scale, low, span, is_categorical)


def missing_groups(
    n_samples: int, missing: str, labels: IndexArray | None
) -> NDArray[np.int32]:
    """Return the group of each row: its class, where differences depend on that."""
    if labels is None or missing != "probability":
        return np.zeros(n_samples, dtype=np.int32)
    group = np.where(labels < 0, labels.max(initial=-1) + 1, labels)
    return group.astype(np.int32)


def known_values(X: FloatArray, is_categorical: BoolArray) -> dict[int, FloatArray]:
    """Return the known values of each categorical column, ascending."""
    values = {int(j): np.unique(X[:, j]) for j in np.flatnonzero(is_categorical)}
    return {j: known[~np.isnan(known)] for j, known in values.items()}


def coding_of(values: dict[int, FloatArray], n_features: int) -> Coding:
    """Give every value of every column a number."""
    n_values = np.full(n_features, N_BINS)
    for j, known in values.items():
        n_values[j] = max(known.size, 1)
    return Coding(values, np.concatenate([[0], np.cumsum(n_values)]))


def count_cells(
    X: FloatArray,
    group: NDArray[np.int32],
    columns: Columns,
    coding: Coding,
    n_groups: int,
) -> FloatArray:
    """Count the values of some rows, see `count_codes`; counts of blocks are added."""
    return count_codes(_codes(X, columns, coding), group, coding, n_groups)


def count_codes(codes, group, coding, n_groups):
    """Return how often each group has each value, (n_groups, n_codes)."""
    # Missing values are counted in the first place.
    counts = np.zeros((n_groups, coding.starts[-1] + 1))
    _add_counts(codes, group, counts)
    return counts[:, 1:]


def missing_rules(
    columns: Columns,
    coding: Coding,
    counts: FloatArray,
    missing: str,
    labels: IndexArray | None,
) -> ColumnRules:
    """Add what differences to missing values are, from the counts of all rows."""
    one, both = _missing_tables(counts, coding.starts, labels, missing)
    # A constant column differs nowhere, not even where it is missing.
    is_constant = columns.scale == 0.0
    one[:, np.repeat(is_constant, np.diff(coding.starts))] = 0.0
    both[:, :, is_constant] = 0.0
    return ColumnRules(columns._replace(one_missing=one, both_missing=both), coding)


def ignores_missing(columns: Columns) -> bool:
    """Whether differences to missing values are ignored."""
    return bool(np.isnan(columns.one_missing).any())


def plain_columns(X: FloatArray) -> Columns:
    """Prepare differences |a - b| of complete numeric columns, taken as given."""
    low, high, _ = _known_extremes(X)
    ones = np.ones(X.shape[1])
    return _complete_columns(ones, low, high - low, np.zeros(ones.size, dtype=bool))


def _complete_columns(scale, low, span, is_categorical):
    return Columns(
        scale,
        low,
        span,
        is_categorical,
        codes=np.empty((0, 0), np.int32),
        group=np.zeros(1, dtype=np.int32),
        one_missing=np.empty((0, 0)),
        both_missing=np.empty((0, 0, 0)),
    )


def _known_extremes(X):
    """Smallest and largest known value of each column, and whether any is missing."""
    low, high = X.min(axis=0), X.max(axis=0)
    has_missing = bool(np.isnan(low).any())
    if has_missing:
        low, high = np.fmin.reduce(X, axis=0), np.fmax.reduce(X, axis=0)
        # Columns of which no value is known.
        low[np.isnan(low)] = high[np.isnan(high)] = 0.0
    return low, high, has_missing


def _codes(X, columns, coding):
    """Return the code of each cell, -1 where it is missing."""
    codes = np.empty(X.shape, dtype=np.int32)
    _fill_bins(X, columns.offset, columns.scale, coding.starts, codes)
    for j, known in coding.values.items():
        places = np.searchsorted(known, X[:, j]) + coding.starts[j]
        codes[:, j] = np.where(np.isnan(X[:, j]), -1, places)
    return codes


@kernel()
def _fill_bins(X, low, scale, starts, codes):
    """Fill in the codes of numeric cells, -1 where they are missing."""
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            x = X[i, j]
            place = min((x - low[j]) * (scale[j] * N_BINS) + 1e-9, N_BINS - 1.0)
            codes[i, j] = np.int32(place) + starts[j] if x == x else -1


def _missing_tables(counts, starts, labels, missing):
    """Differences to one and between two missing values, per group (see Columns)."""
    n_groups, n_features = len(counts), starts.size - 1
    n_values = np.diff(starts)
    if missing == "probability":
        has_class = np.zeros(n_groups, dtype=bool)
        if labels is not None:
            has_class[labels[labels >= 0]] = True
        one = np.empty((n_groups, starts[-1]))
        both = np.empty((n_groups, n_groups, n_features))
        shares = np.concatenate([counts, counts.sum(axis=0)[None]])
        _fill_probabilities(shares, starts, has_class, one, both)
        return one, both
    if missing == "constant":
        per_column = 1.0 - 1.0 / n_values
        one = np.repeat(per_column, n_values)[None, :].repeat(n_groups, axis=0)
        return one, np.tile(per_column, (n_groups, n_groups, 1))
    if_one, if_both = {"distinct": (1.0, 0.0), "ignore": (np.nan, np.nan)}[missing]
    return (
        np.full((n_groups, starts[-1]), if_one),
        np.full((n_groups, n_groups, n_features), if_both),
    )


@kernel()
def _add_counts(codes, group, counts):
    """Count codes, some columns at a time, whose counts fit a cache."""
    for first in range(0, codes.shape[1], CACHED_COUNTS):
        last = min(first + CACHED_COUNTS, codes.shape[1])
        for i in range(codes.shape[0]):
            of_group = counts[group[i]]
            for j in range(first, last):
                of_group[codes[i, j] + 1] += 1.0


@kernel(reordered=True)
def _fill_probabilities(shares, starts, has_class, one, both):
    """Fill in the probabilities that cells of two groups differ, see `Columns`.

    They come from the relative frequency of each value among the known cells of a group
    of rows. Rows without a class, and classes in which a column is never known, take
    the frequencies of all rows.

    shares : (n_groups + 1, n_codes), counts of the groups and of all rows; changed.
    """
    n_groups = has_class.size
    for j in range(starts.size - 1):
        start, stop = starts[j], starts[j + 1]
        for g in range(n_groups):
            source, n_known = g, _total(shares[g], start, stop)
            if not has_class[g] or n_known == 0.0:
                source, n_known = n_groups, _total(shares[n_groups], start, stop)
            for value in range(start, stop):
                shares[g, value] = shares[source, value] / max(n_known, 1.0)
                one[g, value] = 1.0 - shares[g, value]
        for g in range(n_groups):
            for h in range(n_groups):
                agreement = 0.0
                for value in range(start, stop):
                    agreement += shares[g, value] * shares[h, value]
                both[g, h, j] = 1.0 - agreement


@kernel(inline=True, reordered=True)
def _total(counts, start, stop):
    total = 0.0
    for value in range(start, stop):
        total += counts[value]
    return total
