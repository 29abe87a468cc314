"""Clusters of features by single or other linkage (H19 3.3.2, H21 2.2)."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import minimum_spanning_tree

from pairsift._checks import check_at_least
from pairsift._typing import FloatArray, IndexArray
from pairsift.graphs._linkages import merge_levels

# Similarities that agree to this are one level.
TIED = 1e-9


class FeatureClusters(NamedTuple):
    """Merges of the features, and where they were cut."""

    linkage: FloatArray
    """(d - 1, 4), as SciPy's: the merges, distances are `top` less similarity."""
    clusters: IndexArray
    """(d,) cluster numbers, counted in the order of their first features."""
    is_joined_without_similarity: bool
    """Whether the wanted number of clusters took merges of similarity 0."""


def cluster_features(
    S: csr_array,
    copy_of: IndexArray,
    n_clusters: int | None = None,
    linkage_method: str = "single",
) -> FeatureClusters:
    """Cluster features, by default up to the second level of the hierarchy.

    S : (d, d) similarities; copy_of : (d,) number of the kind of each feature, the same
    for equal ones; n_clusters : number wanted, None for the cutoff of the paper;
    linkage_method : one of LINKAGES.
    """
    n_features = S.shape[0]
    if n_clusters is not None:
        check_at_least(n_clusters, "n_clusters", 1)
        if n_clusters > n_features:
            raise ValueError(
                f"n_clusters={n_clusters} asks for more than the {n_features} features "
                "of X."
            )
    top = max(float(S.max()) if S.nnz else 0.0, 1.0)
    forest = _Forest(copy_of, top)
    levels: Iterable[tuple[float, list[tuple[int, int]]]]
    if linkage_method == "single":
        levels = _levels(S, copy_of, top)
    else:
        levels = _levels_of_kinds(S, copy_of, top, linkage_method)
    for similarity, edges in levels:
        forest.add_level(similarity, edges)
    n_similar = forest.n_merges
    forest.join_the_rest()
    n_kept = forest.n_first_level
    if n_clusters is not None:
        n_kept = n_features - n_clusters
    linkage = np.array(forest.merges).reshape(-1, 4)
    return FeatureClusters(linkage, cut(linkage, n_kept), n_kept > n_similar)


def cut(linkage: FloatArray, n_merges: int) -> IndexArray:
    """Cluster numbers after the first merges, in the order of their first features."""
    n_features = len(linkage) + 1
    cluster = np.arange(n_features + n_merges)
    # From the last merge to the first, a part takes over the number of the whole.
    for merge in range(n_merges - 1, -1, -1):
        for part in linkage[merge, :2].astype(np.int64):
            cluster[part] = cluster[n_features + merge]
    numbers: dict[int, int] = {}
    return np.array(
        [numbers.setdefault(c, len(numbers)) for c in cluster[:n_features].tolist()],
        dtype=np.int64,
    )


def _levels(
    S: csr_array, copy_of: IndexArray, top: float
) -> list[tuple[float, list[tuple[int, int]]]]:
    """Find a tree of largest similarities; its edges by similarity, largest first.

    Equal features come first, on a level of their own, the top.
    """
    edges = S.tocoo()
    first, second = edges.row, edges.col
    is_once = (first < second) & (edges.data > 0)
    first, second, similarity = first[is_once], second[is_once], edges.data[is_once]
    is_equal = copy_of[first] == copy_of[second]
    similarity = np.where(is_equal, top, similarity)
    order = np.lexsort((second, first, -similarity, ~is_equal))
    first, second, similarity = first[order], second[order], similarity[order]
    is_equal = is_equal[order]
    is_new = np.ones(order.size, dtype=bool)
    is_new[1:] = (np.diff(similarity) < -TIED) | (is_equal[:-1] != is_equal[1:])
    level = np.cumsum(is_new)
    # SciPy 1.12 finds trees of 32-bit indices only.
    ends = (first.astype(np.int32), second.astype(np.int32))
    forest = coo_array((level.astype(np.float64), ends), shape=S.shape).tocsr()
    tree = minimum_spanning_tree(forest).tocoo()
    heights = similarity[is_new]
    levels: list[list[tuple[int, int]]] = [[] for _ in heights]
    for a, b, number in sorted(
        zip(tree.row.tolist(), tree.col.tolist(), tree.data.tolist(), strict=True)
    ):
        levels[int(number) - 1].append((a, b))
    return [
        (float(height), some)
        for height, some in zip(heights, levels, strict=True)
        if some
    ]


def _levels_of_kinds(
    S: csr_array, copy_of: IndexArray, top: float, method: str
) -> Iterable[tuple[float, list[tuple[int, int]]]]:
    """Merge equal features, then the first ones of each kind by any linkage.

    So copies are one member, and change no mean.
    """
    _, firsts = np.unique(copy_of, return_index=True)
    copies = [
        (int(firsts[kind]), feature)
        for feature, kind in enumerate(copy_of.tolist())
        if firsts[kind] != feature
    ]
    if copies:
        yield top, copies
    kinds = S[firsts][:, firsts].toarray()
    for similarity, merges in merge_levels(kinds, method, top, TIED):
        yield similarity, [(int(firsts[a]), int(firsts[b])) for a, b in merges]


class _Forest:
    """Clusters that are merged, level by level of similarity."""

    def __init__(self, copy_of: IndexArray, top: float) -> None:
        self.parent = list(range(copy_of.size))
        self.node = list(range(copy_of.size))
        self.n_members = [1] * copy_of.size
        self.n_kinds = [0] * copy_of.size
        for first in np.unique(copy_of, return_index=True)[1].tolist():
            self.n_kinds[first] = 1
        self.top = top
        self.merges: list[tuple[float, float, float, float]] = []
        self.n_first_level = 0
        self.is_open = True

    @property
    def n_merges(self) -> int:
        return len(self.merges)

    def find(self, feature: int) -> int:
        while self.parent[feature] != feature:
            self.parent[feature] = self.parent[self.parent[feature]]
            feature = self.parent[feature]
        return feature

    def merge(self, a: int, b: int, similarity: float) -> None:
        a, b = sorted((self.find(a), self.find(b)))
        low, high = sorted((self.node[a], self.node[b]))
        self.n_members[a] += self.n_members[b]
        self.n_kinds[a] += self.n_kinds[b]
        self.merges.append((low, high, self.top - similarity, self.n_members[a]))
        self.parent[b] = a
        self.node[a] = len(self.parent) + len(self.merges) - 1

    def add_level(self, similarity: float, edges: list[tuple[int, int]]) -> None:
        """Merge along edges of one similarity, groups without a second level first."""
        is_second = self._would_join_clusters(edges)
        for wanted in (False, True):
            for edge, second in zip(edges, is_second, strict=True):
                if second == wanted:
                    self.merge(*edge, similarity)
            if self.is_open and not wanted:
                self.n_first_level = self.n_merges
        self.is_open = self.is_open and not any(is_second)

    def join_the_rest(self) -> None:
        """Merge what has no similarity, at no smaller distance than any before."""
        roots = sorted({self.find(feature) for feature in range(len(self.parent))})
        distance = max((merge[2] for merge in self.merges), default=0.0)
        for root in roots[1:]:
            self.merge(roots[0], root, min(0.0, self.top - distance))

    def _would_join_clusters(self, edges: list[tuple[int, int]]) -> list[bool]:
        """Tell for each edge whether its group holds two clusters of several kinds."""
        group: dict[int, int] = {}

        def find(root: int) -> int:
            while group.setdefault(root, root) != root:
                root = group[root]
            return root

        for a, b in edges:
            a, b = find(self.find(a)), find(self.find(b))
            group[max(a, b)] = min(a, b)
        n_large: dict[int, int] = {}
        for root in list(group):
            is_large = self.n_kinds[root] > 1
            n_large[find(root)] = n_large.get(find(root), 0) + is_large
        return [n_large[find(self.find(a))] > 1 for a, _ in edges]
