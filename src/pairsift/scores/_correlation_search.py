"""Relevance over redundancy, both by correlations."""

from collections.abc import Callable
from functools import lru_cache
from typing import Protocol

import numpy as np
from scipy.spatial.distance import cdist

from pairsift._typing import BoolArray, FloatArray, IndexArray
from pairsift.scores._associations import RankAssociations, explained_variance
from pairsift.scores._search import SEARCH_TIE, first_lowest

# Added to the redundancy in the quotient, in nats: estimates scatter around 0.
LEAST_REDUNDANCY = 0.01
# Columns of which is remembered what they share with all others.
MOST_REMEMBERED = 512
# Distances, or cells of rows, held at once.
BLOCK_CELLS = 2**22


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
        self.cells = _unit_range(X, ~is_categorical)
        associations = RankAssociations(X, is_categorical)
        self.shared_with = lru_cache(MOST_REMEMBERED)(associations.shared_with)

    def distances(self, rows: IndexArray, others: IndexArray) -> FloatArray:
        """Return the sums of differences over all columns."""
        apart = np.zeros((rows.size, others.size))
        is_number = ~self.is_categorical
        if is_number.any():
            a, b = (self.cells[some][:, is_number] for some in (rows, others))
            apart += cdist(a, b, "cityblock")
        for feature in np.flatnonzero(self.is_categorical).tolist():
            apart += self.differences(feature, rows, others)
        return apart

    def differences(
        self, feature: int, rows: IndexArray, others: IndexArray
    ) -> FloatArray:
        """Return the differences on one column: 0 or 1 if it is categorical."""
        x = self.cells[:, feature]
        apart = np.abs(x[rows][:, None] - x[others])
        return np.sign(apart) if self.is_categorical[feature] else apart

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
        known, others = np.flatnonzero(codes >= 0), np.flatnonzero(codes < 0)
        classes = one_hot(codes[known])
        shares = np.empty((codes.size, classes.shape[1]))
        shares[known] = classes
        step = max(1, BLOCK_CELLS // max(known.size, self.is_categorical.size))
        for first in range(0, others.size, step):
            rows = others[first : first + step]
            shares[rows] = nearest_shares(self.distances(rows, known)) @ classes
        return shares

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


def _unit_range(X: FloatArray, is_number: BoolArray) -> FloatArray:
    """Bring columns of numbers to [0, 1], constant ones to 0."""
    # By a power of two, exactly, first: no range overflows.
    exponents = np.frexp(np.abs(X).max(axis=0))[1]
    cells = np.ldexp(X, np.where(is_number, -exponents, 0))
    low, width = cells.min(axis=0), np.ptp(cells, axis=0)
    cells -= np.where(is_number, low, 0.0)
    cells /= np.where(is_number & (width > 0.0), width, 1.0)
    return cells
