"""Sorting rows onto piles: which row next, and which pile is the likeliest."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.stats import rankdata

from pairsift._kernels import one_blas_thread
from pairsift._typing import BoolArray, FloatArray, IndexArray, PairArray
from pairsift._words import html_table
from pairsift.active._answers import Placement
from pairsift.active._data import as_points, has_missing, ranges
from pairsift.active._piles import Piles

# Clusters whose medoids come first; then those of twice as many, and so on.
N_CLUSTERS = 40
MAX_CLUSTERS = 320
# Rows among which the clusters are sought, and their cells.
MAX_DRAWN = 4_000
DRAWN_CELLS = 1_000_000
MAX_ITERATIONS = 20
# Pairs of each kind from which the weights of columns are learned, and number of sorted
# rows up to which all pairs are listed before some are drawn.
N_LEARNED = 200
MAX_LISTED = 300
# Nearest rows that must all lie on other piles before a card is doubted, and sorted
# rows before any is: with few, the nearest rows are far.
N_JUDGES, MIN_JUDGED = 3, 10


class Pile(NamedTuple):
    """A pile as a card shows it.

    Parameters
    ----------
    number : int
        Its number, which it keeps.
    rows : list of int
        The rows on it, in the order in which they came.
    shown : int
        The one that is nearest to the card.
    """

    number: int
    rows: list[int]
    shown: int


class Card(NamedTuple):
    """A row to be placed on a pile.

    Parameters
    ----------
    row : int
        The row.
    piles : list of Pile
        All piles, the likeliest first; none at the first card.
    """

    row: int
    piles: list[Pile]

    def _repr_html_(self) -> str:
        rows = [(pile.number, len(pile.rows), pile.shown) for pile in self.piles]
        columns = ("pile", "rows on it", "row nearest to the card")
        return html_table(f"Card: row {self.row}", columns, rows)


class DoubtfulCard(NamedTuple):
    """A placed card whose nearest rows all lie on other piles.

    Parameters
    ----------
    row : int
        The row of the card.
    pile : int
        The number of the pile on which it lies.
    likelier : int
        The number of the pile of the row nearest to it.
    """

    row: int
    pile: int
    likelier: int


class Sorter:
    """The order in which rows are sorted, and how near they are to the piles.

    The order depends on the data and the seed only, nearness also on the answers.
    """

    def __init__(
        self, X: FloatArray, is_categorical: BoolArray, random_state: int = 0
    ) -> None:
        self._X, self._is_categorical, self._seed = X, is_categorical, random_state
        rng = np.random.default_rng(random_state)
        shuffled = rng.permutation(len(X))
        n_drawn = max(DRAWN_CELLS // X.shape[1], 12 * N_CLUSTERS)
        self.drawn = np.sort(shuffled[: min(n_drawn, MAX_DRAWN)])
        self._scale = np.where(is_categorical, 1.0, ranges(X)[1])
        self._mean_difference = self._find_mean_difference(rng)
        points = as_points(X[self.drawn], is_categorical, self._scale)
        with one_blas_thread():
            medoids = self.drawn[medoid_order(points, rng)]
        # Rows that are no medoids come last, at random.
        rest = shuffled[~np.isin(shuffled, medoids)]
        self._order = np.concatenate([medoids, rest])
        self._weights_of: tuple[dict[int, int], FloatArray] | None = None

    def next_row(self, piles: Piles, without: Collection[int] = ()) -> int:
        """Return the next row to sort, -1 when none is left."""
        rows = (row for row in self._open_rows(piles) if row not in without)
        return next(rows, -1)

    def next_rows(self, piles: Piles, n_rows: int) -> list[int]:
        """Return the next rows to sort, in their order."""
        return list(islice(self._open_rows(piles), n_rows))

    def _open_rows(self, piles: Piles) -> Iterator[int]:
        # One by one: a list of all would take five times the room of the array.
        return filter(piles.is_open, map(int, self._order))

    def card(self, row: int, piles: Piles) -> Card:
        """Return a row with all piles; those known to be different come last."""
        shown = [pile for pile in self._nearest(row, piles) if pile.rows != [row]]
        return Card(row, sorted(shown, key=lambda p: piles.are_apart(row, p.number)))

    def next_pair(self, piles: Piles) -> tuple[int, int]:
        """Return the next row and the nearest row of the likeliest pile.

        Both are -1 when every row is sorted. Without piles, the first row is compared.
        """
        row = self.next_row(piles)
        if row < 0:
            return -1, -1
        if piles.rows:
            pile = self.card(row, piles).piles[0]
            return row, pile.shown
        second = self.next_row(piles, without=(row,))
        return (second, row) if second >= 0 else (-1, -1)

    def doubtful(self, piles: Piles) -> list[DoubtfulCard]:
        """Return cards whose nearest rows lie on other piles, the clearest first.

        A row alone on its pile is not judged: it has no neighbour there by definition.
        """
        if len(piles.number) < MIN_JUDGED:
            return []
        cards = [said.row for said in piles.history if isinstance(said, Placement)]
        found = []
        for row in cards:
            pile = piles.number.get(row, -1)
            if pile < 0 or len(piles.rows[pile]) == 1:
                continue
            distance = self._distances(row, piles)
            nearest = sorted(distance, key=distance.__getitem__)
            judges = [piles.number[other] for other in nearest[:N_JUDGES]]
            if pile not in judges:
                own = min(distance[other] for other in piles.rows[pile])
                excess = distance[nearest[0]] - own
                found.append((excess, DoubtfulCard(row, pile, judges[0])))
        return [doubt for _, doubt in sorted(found)]

    def _nearest(self, row: int, piles: Piles) -> list[Pile]:
        """Return the piles by the distance of their nearest member."""
        nearest = self._distances(row, piles)
        found = [
            Pile(number, list(rows), min(rows, key=nearest.__getitem__))
            for number, rows in piles.rows.items()
        ]
        return sorted(found, key=lambda pile: (nearest[pile.shown], pile.number))

    def _distances(self, row: int, piles: Piles) -> dict[int, float]:
        """Return the distances of a row to all sorted rows, infinite to itself."""
        members = [other for rows in piles.rows.values() for other in rows]
        if not members:
            return {}
        others = np.array(members)
        difference = self._differences(row, others)
        distance = difference @ self._weights(piles)
        distance[others == row] = np.inf
        return dict(zip(members, distance.tolist(), strict=True))

    def _differences(self, first: IndexArray | int, second: IndexArray) -> FloatArray:
        """Return Δ of every column, one line per pair of rows, or per second row.

        A missing value differs from any other by the mean difference of its column.
        """
        a, b = self._X[first], self._X[second]
        with np.errstate(over="ignore", invalid="ignore"):
            difference = np.abs(a - b) * self._scale
        # A column without a range, or with none that is a number, tells nothing.
        difference[:, self._scale == 0.0] = 0.0
        if self._is_categorical.any():
            difference[:, self._is_categorical] = (a != b)[:, self._is_categorical]
        return np.where(np.isnan(a) | np.isnan(b), self._mean_difference, difference)

    def _find_mean_difference(self, rng: np.random.Generator) -> FloatArray:
        """Return the mean difference of each column between random rows."""
        if not has_missing(self._X):
            return np.zeros(self._X.shape[1])
        first = rng.integers(len(self._X), size=4 * N_LEARNED)
        second = first + rng.integers(1, len(self._X), size=first.size)
        self._mean_difference = np.full(self._X.shape[1], np.nan)
        difference = self._differences(first, second % len(self._X))
        is_known = ~np.isnan(difference)
        total = np.where(is_known, difference, 0.0).sum(axis=0)
        return total / np.maximum(is_known.sum(axis=0), 1)

    def _weights(self, piles: Piles) -> FloatArray:
        """Return what the piles say of each column, computed once."""
        if self._weights_of is None or self._weights_of[0] != piles.number:
            self._weights_of = dict(piles.number), self._learn(piles)
        return self._weights_of[1]

    def _learn(self, piles: Piles) -> FloatArray:
        """Return how well the differences of each column tell the piles apart.

        The probability that a pair from two piles differs more than a pair from one
        pile, which is the area under the ROC curve. Without pairs of both kinds all
        columns count alike.
        """
        rows = np.array(sorted(piles.number))
        number = np.array([piles.number[row] for row in rows.tolist()])
        rng = np.random.default_rng([self._seed, rows.size])
        same, different = draw_pairs(number, rng)
        n_same, n_different = len(same), len(different)
        if not (n_same and n_different):
            return np.ones(self._X.shape[1])
        drawn = rows[np.concatenate([same, different])]
        difference = self._differences(drawn[:, 0], drawn[:, 1])
        ranks = rankdata(difference, axis=0)[n_same:].sum(axis=0)
        return (ranks - n_different * (n_different + 1) / 2) / (n_same * n_different)


def draw_pairs(
    number: IndexArray, rng: np.random.Generator
) -> tuple[PairArray, PairArray]:
    """Draw pairs of places with one number, and pairs with two; N_LEARNED at most."""
    if number.size <= MAX_LISTED:
        pairs = np.column_stack(np.triu_indices(number.size, k=1))
        is_same = number[pairs[:, 0]] == number[pairs[:, 1]]
        same, different = (
            pairs[rng.permutation(np.flatnonzero(is_same == kind))[:N_LEARNED]]
            for kind in (True, False)
        )
        return same, different
    # In the order of the numbers, a place is the same as those up to the end of its
    # number, and different from those after it.
    order = np.argsort(number, kind="stable")
    own, end = np.arange(order.size), np.searchsorted(number[order], number[order] + 1)
    return (
        order[_draw_partners(own + 1, end, rng)],
        order[_draw_partners(end, np.full(order.size, order.size), rng)],
    )


def _draw_partners(
    start: IndexArray, stop: IndexArray, rng: np.random.Generator
) -> PairArray:
    """Draw pairs (i, j) with start[i] <= j < stop[i], none twice, none listed."""
    n_until = np.cumsum(stop - start)
    n_pairs = int(n_until[-1])
    drawn = rng.choice(n_pairs, size=min(N_LEARNED, n_pairs), replace=False)
    i = np.searchsorted(n_until, drawn, side="right")
    return np.column_stack([i, stop[i] - (n_until[i] - drawn)])


def medoid_order(points: FloatArray, rng: np.random.Generator) -> IndexArray:
    """Return medoids of finer and finer clusterings, largest clusters first.

    Of a finer clustering only clusters count in which no medoid lies yet.
    """
    points = points - points.mean(axis=0)
    found: list[int] = []
    n_clusters = min(N_CLUSTERS, max(len(points) // 2, 1))
    while n_clusters <= min(MAX_CLUSTERS, len(points)):
        cluster, centres = k_means(points, n_clusters, rng)
        squared = ((points - centres[cluster]) ** 2).sum(axis=1)
        sizes = np.bincount(cluster, minlength=n_clusters)
        sizes[cluster[found]] = 0
        for c in np.argsort(-sizes, kind="stable")[: np.count_nonzero(sizes)]:
            members = np.flatnonzero(cluster == c)
            found.append(int(members[squared[members].argmin()]))
        n_clusters *= 2
    return np.array(found, dtype=np.int64)


def k_means(
    points: FloatArray, n_clusters: int, rng: np.random.Generator
) -> tuple[IndexArray, FloatArray]:
    """Return the cluster of each point and the centres, by Lloyd's iterations.

    Without threads, so that the result is the same for any number of them.
    """
    lengths = (points**2).sum(axis=1)
    centres = _first_centres(points, lengths, n_clusters, rng)
    cluster = np.full(len(points), -1)
    for _ in range(MAX_ITERATIONS):
        half_squares = 0.5 * (centres**2).sum(axis=1)
        before, cluster = cluster, (half_squares - points @ centres.T).argmin(axis=1)
        if np.array_equal(before, cluster):
            break
        sizes = np.bincount(cluster, minlength=n_clusters)
        ones = np.ones(len(points))
        members = csr_array((ones, cluster, np.arange(len(points) + 1))).T
        sums = members @ points
        # An empty cluster keeps its centre.
        is_used = np.flatnonzero(sizes)
        centres[is_used] = sums[is_used] / sizes[is_used, None]
    return cluster, centres


def _first_centres(
    points: FloatArray, lengths: FloatArray, n_clusters: int, rng: np.random.Generator
) -> FloatArray:
    """Draw centres one by one, the likelier the farther from those before."""
    chosen = [int(rng.integers(len(points)))]
    squared = np.full(len(points), np.inf)
    for _ in range(n_clusters - 1):
        last = chosen[-1]
        new = lengths + lengths[last] - 2.0 * points @ points[last]
        squared = np.minimum(squared, np.maximum(new, 0.0))
        squared[last] = 0.0
        total = np.cumsum(squared)
        place = np.searchsorted(total, rng.random() * total[-1], side="right")
        chosen.append(min(int(place), len(points) - 1))
    return points[chosen]
