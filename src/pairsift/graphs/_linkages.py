"""Merges of features by complete, average or Ward linkage of their similarities."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from pairsift._typing import BoolArray, FloatArray, IndexArray

LINKAGES = ("single", "complete", "average", "ward")


def merge_levels(
    S: FloatArray, method: str, top: float, tied: float
) -> Iterator[tuple[float, list[tuple[int, int]]]]:
    """Yield the similarity of each level of merges, largest first, and its merges.

    S : (d, d) similarities; method : one of LINKAGES but "single"; top : similarity at
    the distance 0; tied : similarities that agree to this are one level. Clusters that
    are joined by tied similarities are merged at once, in whatever order they come. A
    merge is named by the first members of two clusters. Clusters that the method finds
    without similarity are not merged.
    """
    links = _Links(S, method, top)
    while (height := links.best.max(initial=-np.inf)) > -np.inf:
        merges = []
        for first, *others in links.groups(height - tied):
            merges += [(first, other) for other in others]
            links.join(first, np.array(others))
        yield float(height), merges


class _Links:
    """Similarities between clusters, each named by its first member."""

    def __init__(self, S: FloatArray, method: str, top: float) -> None:
        self.method, self.top = method, top
        self.n_members = np.ones(len(S))
        self.is_open = np.ones(len(S), dtype=bool)
        # Least or added similarity of all pairs with a member in either cluster.
        self.combine = np.min if method == "complete" else np.sum
        self.shared = S.copy()
        self.squares = (top - S) ** 2 if method == "ward" else None
        if self.squares is not None:
            np.fill_diagonal(self.squares, 0.0)
        self.between = np.empty(S.shape)
        for cluster in range(len(S)):
            self.between[cluster] = self._similarities(cluster)
        self.nearest = self.between.argmax(axis=1)
        self.best = self.between.max(axis=1)

    def _similarities(self, cluster: int) -> FloatArray:
        """Return the similarities to all clusters, -inf where they have none."""
        shared, sizes = self.shared[cluster], self.n_members
        own = sizes[cluster]
        is_linked: BoolArray = (shared > 0.0) & self.is_open
        is_linked[cluster] = False
        similarities = shared
        if self.squares is not None:
            # How much the squared distances to the centre would grow, in Euclidean
            # space: 2 ab / (a + b) times the squared distance of the centres.
            inside = self.squares.diagonal() / (2.0 * sizes**2)
            apart = self.squares[cluster] / (own * sizes) - inside - inside[cluster]
            growth = 2.0 * own * sizes / (own + sizes) * apart
            similarities = self.top - np.sqrt(np.maximum(growth, 0.0))
        elif self.method == "average":
            similarities = shared / (own * sizes)
        return np.where(is_linked, similarities, -np.inf)

    def groups(self, least: float) -> list[list[int]]:
        """Return the clusters that similarities of at least this join together."""
        rows = np.flatnonzero(self.best >= least)
        ends = [np.flatnonzero(self.between[row] >= least) for row in rows]
        first = np.repeat(rows, [end.size for end in ends])
        edges = coo_array(
            (np.ones(first.size), (first, np.concatenate(ends))),
            shape=self.between.shape,
        )
        number = connected_components(edges, directed=False)[1]
        members: dict[int, list[int]] = {}
        for row in rows.tolist():
            members.setdefault(int(number[row]), []).append(row)
        return list(members.values())

    def join(self, first: int, others: IndexArray) -> None:
        """Make one cluster of several, which keeps the name of the first."""
        parts = np.concatenate([[first], others])
        self.is_open[others] = False
        self.n_members[first] = self.n_members[parts].sum()
        self._combine(self.shared, parts, self.combine)
        if self.squares is not None:
            self._combine(self.squares, parts, np.sum)
        self.between[others] = self.between[:, others] = -np.inf
        self.between[first] = self.between[:, first] = self._similarities(first)
        # Whose nearest cluster is no more, or has changed, looks again.
        again = np.union1d(np.flatnonzero(np.isin(self.nearest, parts)), parts)
        self.nearest[again] = self.between[again].argmax(axis=1)
        self.best[again] = self.between[again].max(axis=1)
        is_nearer = self.between[:, first] > self.best
        self.nearest[is_nearer] = first
        self.best[is_nearer] = self.between[is_nearer, first]

    @staticmethod
    def _combine(table: FloatArray, parts: IndexArray, combine: Any) -> None:
        """Put what several clusters have with all others in the place of the first."""
        whole = combine(table[parts], axis=0)
        whole[parts[0]] = combine(whole[parts])
        table[parts[0]] = table[:, parts[0]] = whole
