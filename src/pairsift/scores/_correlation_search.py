"""Relevance over redundancy, both by correlations."""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple, Protocol

import numpy as np
from scipy.spatial.distance import cdist

from pairsift._typing import BoolArray, FloatArray, IndexArray
from pairsift.scores._associations import (
    RankAssociations,
    explained_variance,
    numbers_of,
)
from pairsift.scores._search import SEARCH_TIE, first_lowest

# Added to the redundancy in the quotient, in nats: estimates scatter around 0.
MIN_REDUNDANCY = 0.01
# Columns of which is remembered what they share with all others.
MAX_REMEMBERED = 512
# Distances, or cells of rows, held at once: few enough to stay in the cache.
BLOCK_CELLS = 2**18


class Candidates(Protocol):
    """What a search asks: what each feature tells, and what is left of it."""

    relevance: FloatArray

    def gains(self, left: IndexArray, n_added: int) -> FloatArray:
        """Return the criterion of some features beside those added."""

    def add(self, feature: int, left: IndexArray) -> None:
        """Add a feature: from now on, what it shares with those left counts."""


def add_features(search: Candidates, n_steps: int) -> tuple[IndexArray, FloatArray]:
    """Return all features in order, and the criterion of each when it was added.

    Behind those added come the others by relevance, with their criterion at the last
    step.
    """
    left = np.arange(search.relevance.size)
    order: list[int] = []
    values: list[float] = []
    for step in range(n_steps):
        if step:
            search.add(order[-1], left)
        gains = search.gains(left, step)
        best = first_lowest(-gains, SEARCH_TIE)
        order.append(int(left[best]))
        values.append(float(gains[best]))
        left, gains = np.delete(left, best), np.delete(gains, best)
    rest = np.argsort(-search.relevance[left], kind="stable")
    return (
        np.array([*order, *left[rest]], dtype=np.int64),
        np.array([*values, *gains[rest]]),
    )


class CorrelationTable:
    """Rows and columns made ready: how far rows are apart, and what columns share."""

    def __init__(self, X: FloatArray, is_categorical: BoolArray) -> None:
        self.is_categorical = is_categorical
        self.cells = UnitRange.of(X.min(axis=0), X.max(axis=0), ~is_categorical)(X)
        associations = RankAssociations(X, is_categorical)
        self.shared_with = lru_cache(MAX_REMEMBERED)(associations.shared_with)

    def distances(self, rows: IndexArray, others: IndexArray) -> FloatArray:
        """Return the sums of differences over all columns."""
        a, b = self.cells[rows], self.cells[others]
        return distances_between(a, b, self.is_categorical)

    def differences(
        self, feature: int, rows: IndexArray, others: IndexArray
    ) -> FloatArray:
        """Return the differences on one column: 0 or 1 if it is categorical."""
        x = self.cells[:, feature]
        return differences_between(x[rows], x[others], self.is_categorical[feature])

    def heights(self) -> FloatArray:
        """Return a number for each row that follows from its values alone."""
        heights = self.cells[:, ~self.is_categorical].sum(axis=1)
        for x in self.cells[:, self.is_categorical].T:
            _, places, counts = np.unique(x, return_inverse=True, return_counts=True)
            heights += counts[places] / x.size
        return heights

    def relevance(self, codes: IndexArray, is_spread: bool) -> FloatArray:
        """Return what columns tell about the classes, of labelled or of all rows."""
        cells, shares = self.cells, self.spread(codes) if is_spread else None
        if shares is None:
            cells, shares = cells[codes >= 0], one_hot(codes[codes >= 0])
        return explained_variance(cells, self.is_categorical, shares)

    def spread(self, codes: IndexArray) -> FloatArray:
        """Give every row the class of its nearest labelled row, (n, K).

        Labelled rows that are equally near share the row between their classes.
        """
        known = np.flatnonzero(codes >= 0)
        labelled = self.cells[known], codes[known]
        return spread_classes(self.cells, codes, *labelled, self.is_categorical)

    def path(
        self, relevance: FloatArray, n_steps: int, least_redundancy: float
    ) -> tuple[IndexArray, FloatArray]:
        """Add features by relevance over mean redundancy."""
        search = Quotients(relevance, self.shared_with, least_redundancy)
        return add_features(search, n_steps)


class Quotients:
    """Relevance over mean redundancy with the features added, plus the least."""

    def __init__(
        self,
        relevance: FloatArray,
        shared_with: Callable[[int], FloatArray],
        least_redundancy: float,
    ) -> None:
        self.relevance, self.shared_with = relevance, shared_with
        self.least_redundancy = least_redundancy
        self.shared = np.zeros(relevance.size)

    def gains(self, left: IndexArray, n_added: int) -> FloatArray:
        if n_added == 0:
            return self.relevance[left]
        redundancy = self.shared[left] / n_added + self.least_redundancy
        return self.relevance[left] / redundancy

    def add(self, feature: int, left: IndexArray) -> None:
        self.shared += self.shared_with(feature)


def one_hot(codes: IndexArray) -> FloatArray:
    """Return a column for each class that there is, 1 in its rows."""
    return (codes[:, None] == np.unique(codes)).astype(np.float64)


def nearest_shares(distances: FloatArray) -> FloatArray:
    """Return the share that each point has in being the nearest of a row.

    1, unless several are equally near up to rounding.
    """
    nearest = distances.min(axis=1, keepdims=True)
    is_near = distances <= nearest + SEARCH_TIE * np.maximum(nearest, 1.0)
    return is_near / is_near.sum(axis=1, keepdims=True)


def spread_classes(
    cells: FloatArray,
    codes: IndexArray,
    labelled: FloatArray,
    known_codes: IndexArray,
    is_categorical: BoolArray,
) -> FloatArray:
    """Give some rows the classes of their nearest labelled rows, (n, K).

    codes : (n,) classes of the rows, -1 for none; labelled : (m, d), all labelled rows
    there are, with their classes known_codes (m,), of which K are different.
    """
    classes = one_hot(known_codes)
    shares = np.empty((len(cells), classes.shape[1]))
    is_open = codes < 0
    shares[~is_open] = codes[~is_open][:, None] == np.unique(known_codes)
    step = max(1, BLOCK_CELLS // max(len(labelled), is_categorical.size))
    for first in range(0, len(cells), step):
        rows, are_open = cells[first : first + step], is_open[first : first + step]
        if not are_open.all():
            rows = rows[are_open]
        apart = distances_between(rows, labelled, is_categorical)
        shares[first : first + step][are_open] = nearest_shares(apart) @ classes
    return shares


def distances_between(
    a: FloatArray, b: FloatArray, is_categorical: BoolArray
) -> FloatArray:
    """Return the sums of differences over all columns of rows a and b."""
    apart = np.zeros((len(a), len(b)))
    if not is_categorical.all():
        a_numbers, b_numbers = (numbers_of(rows, is_categorical) for rows in (a, b))
        apart += cdist(a_numbers, b_numbers, "cityblock")
    for feature in np.flatnonzero(is_categorical).tolist():
        apart += differences_between(a[:, feature], b[:, feature], True)
    return apart


def differences_between(
    a: FloatArray, b: FloatArray, is_categorical: bool
) -> FloatArray:
    """Return the differences of values a and b: 0 or 1 of a categorical column."""
    apart = np.abs(a[:, None] - b)
    return np.sign(apart) if is_categorical else apart


class UnitRange(NamedTuple):
    """Brings columns of numbers to [0, 1], constant ones to 0; others are left.

    factors : powers of two, by which columns are multiplied first, exactly.
    """

    factors: FloatArray
    low: FloatArray
    width: FloatArray

    @classmethod
    def of(cls, low: FloatArray, high: FloatArray, is_number: BoolArray) -> "UnitRange":
        """Prepare columns with these extremes."""
        # Values below 1 have no range that overflows; 2**1024 would, itself.
        exponents = np.frexp(np.maximum(np.abs(low), np.abs(high)))[1]
        factors = np.ldexp(1.0, np.where(is_number, np.minimum(-exponents, 1023), 0))
        low, high = low * factors, high * factors
        width = np.where(is_number & (high > low), high - low, 1.0)
        return cls(factors, np.where(is_number, low, 0.0), width)

    def __call__(self, X: FloatArray) -> FloatArray:
        """Return rows X with their columns brought there."""
        cells = X * self.factors
        cells -= self.low
        cells /= self.width
        return cells
