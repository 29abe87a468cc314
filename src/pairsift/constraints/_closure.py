"""What pair constraints entail, and where they contradict each other."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from pairsift._typing import IndexArray, PairArray


class Conflict(NamedTuple):
    """A cannot-link whose two ends are joined by a chain of must-links."""

    cannot_link: tuple[int, int]
    chain: tuple[int, ...]

    def __str__(self) -> str:
        return self.named(None)

    def named(self, ids: Sequence[Any] | None) -> str:
        """Say it with the ids of the rows, or with row numbers when there are none."""
        names = {row: str(row if ids is None else ids[row]) for row in self.chain}
        a, b = (names[row] for row in self.cannot_link)
        chain = " - ".join(names.values())
        return f"cannot-link ({a}, {b}) contradicts the must-link chain {chain}"


class MustLinkGroups(NamedTuple):
    """Rows joined by must-links: `members[g]` are the rows of group g, sorted.

    Only rows that occur in a pair are numbered; `rows` lists them and `group` holds
    the group of each.
    """

    rows: IndexArray
    group: IndexArray
    members: list[IndexArray]

    def of(self, pairs: PairArray) -> IndexArray:
        """Group of both ends of every pair."""
        return self.group[np.searchsorted(self.rows, pairs)]


class Groups:
    """Rows held together by must-links, and which groups are held apart."""

    def __init__(self) -> None:
        self._parent: dict[int, int] = {}
        self._apart: dict[int, set[int]] = {}

    def _root(self, n: int) -> int:
        parent = self._parent
        while parent.setdefault(n, n) != n:
            parent[n] = parent[parent[n]]
            n = parent[n]
        return n

    def allows(self, kind: str, n: int, m: int) -> bool:
        """Whether a must-link or cannot-link contradicts nothing said so far."""
        a, b = self._root(n), self._root(m)
        return b not in self._apart.get(a, ()) if kind == "must" else a != b

    def add(self, kind: str, n: int, m: int) -> None:
        """Join the groups of two rows ("must"), or hold them apart ("cannot")."""
        a, b = self._root(n), self._root(m)
        if kind == "cannot":
            self._apart.setdefault(a, set()).add(b)
            self._apart.setdefault(b, set()).add(a)
        elif a != b:
            self._parent[b] = a
            for other in self._apart.pop(b, ()):
                self._apart[other].discard(b)
                self._apart[other].add(a)
                self._apart.setdefault(a, set()).add(other)


def must_link_groups(must_link: PairArray, cannot_link: PairArray) -> MustLinkGroups:
    """Partition the rows that occur in a pair by the must-links between them."""
    rows, position = np.unique(
        np.concatenate([must_link.ravel(), cannot_link.ravel()]), return_inverse=True
    )
    ends = position[: must_link.size].reshape(-1, 2)
    _, group = connected_components(_adjacency(ends, rows.size), directed=False)
    group = group.astype(np.int64)
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    members = np.split(rows[order], starts[1:]) if rows.size else []
    return MustLinkGroups(rows, group, members)


def find_conflicts(must_link: PairArray, cannot_link: PairArray) -> list[Conflict]:
    """Every cannot-link inside a must-link group, with a shortest chain as proof."""
    groups = must_link_groups(must_link, cannot_link)
    ends = groups.of(cannot_link)
    contradicted = cannot_link[ends[:, 0] == ends[:, 1]]
    if not len(contradicted):
        return []
    ends = np.searchsorted(groups.rows, must_link)
    links = _adjacency(np.vstack([ends, ends[:, ::-1]]), groups.rows.size)
    conflicts, root, before = [], -1, np.empty(0, dtype=np.int64)
    for a, b in contradicted.tolist():
        start, stop = np.searchsorted(groups.rows, [a, b]).tolist()
        # Pairs are sorted: one search serves all those with the same first row.
        if start != root:
            root, before = start, breadth_first_order(links, start)[1]
        chain = [stop]
        while chain[-1] != start:
            chain.append(int(before[chain[-1]]))
        conflicts.append(Conflict((a, b), tuple(groups.rows[chain[::-1]].tolist())))
    return conflicts


def transitive_pairs(
    must_link: PairArray, cannot_link: PairArray
) -> tuple[PairArray, PairArray]:
    """Return all pairs entailed by the given ones, which must not conflict."""
    groups = must_link_groups(must_link, cannot_link)
    must = [_pairs_within(members) for members in groups.members]
    apart = np.unique(np.sort(groups.of(cannot_link), axis=1), axis=0)
    cannot = [_pairs_between(groups.members[a], groups.members[b]) for a, b in apart]
    nothing = np.empty((0, 2), dtype=np.int64)
    return np.concatenate([nothing, *must]), np.concatenate([nothing, *cannot])


def _adjacency(ends: IndexArray, n_rows: int) -> csr_array:
    ones = np.ones(len(ends))
    return coo_array((ones, (ends[:, 0], ends[:, 1])), shape=(n_rows, n_rows)).tocsr()


def _pairs_within(members: IndexArray) -> PairArray:
    first, second = np.triu_indices(members.size, k=1)
    return np.column_stack([members[first], members[second]])


def _pairs_between(a: IndexArray, b: IndexArray) -> PairArray:
    return np.column_stack([np.repeat(a, b.size), np.tile(b, a.size)])
