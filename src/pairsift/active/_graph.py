"""The graph on which pairs are chosen: full or k-nearest, always connected."""

from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import cdist

from pairsift._blocks import Rows
from pairsift._typing import FloatArray, IndexArray
from pairsift.graphs import pair_graph, similarity_graph

# Above this number of rows "auto" takes the k-nearest graph.
MANY_ROWS = 3_000
BLOCK_CELLS = 2**22
# An edge weaker than this share of the strongest one is lost in rounding.
FAINT = 1e-13


def self_tuning_graph(
    X: Rows, graph: str, n_neighbors: int, n_jobs: int | None = -1
) -> csr_array | FloatArray:
    """Build the graph of the thesis: self-tuning similarities, full or k-nearest."""
    if graph == "auto":
        graph = "full" if len(X) <= MANY_ROWS else "knn"
    return similarity_graph(
        X, graph=graph, n_neighbors=n_neighbors, kernel="self-tuning", n_jobs=n_jobs
    )


def working_graph(
    X: FloatArray, graph: str, n_neighbors: int, n_jobs: int | None = -1
) -> csr_array | FloatArray:
    """Build the self-tuning graph of the rows, its components joined.

    Components that no edge joins, as the k-nearest graph may have them (and the full
    graph of clusters so far apart that all similarities between them vanish beside the
    strongest), are joined by the nearest pair of rows between them, with the weight
    of the weakest edge there is.
    """
    S = self_tuning_graph(X, graph, n_neighbors, n_jobs)
    weights: Any = S.data if issparse(S) else S
    faint = FAINT * float(weights.max(initial=0.0))
    n_components, component = connected_components(csr_array(faint < S), directed=False)
    if n_components == 1:
        return S
    bridges = _bridges(X, component)
    weakest = float(weights[weights > faint].min(initial=1.0))
    joined = pair_graph(bridges, len(X), weakest)
    return csr_array(S + joined) if issparse(S) else S + joined.toarray()


def _bridges(X: FloatArray, component: IndexArray) -> IndexArray:
    """Nearest pairs between components, as few as connect them all.

    In every round each component but the largest is joined to its nearest neighbour.
    """
    component = component.copy()
    bridges: list[tuple[int, int]] = []
    while np.any(component != component[0]):
        sizes = np.bincount(component)
        small = [c for c in np.flatnonzero(sizes) if c != sizes.argmax()]
        for c in small:
            inside = component == c
            if inside.all():
                break
            a, b = _nearest_pair(X, np.flatnonzero(inside), np.flatnonzero(~inside))
            bridges.append((min(a, b), max(a, b)))
            component[inside] = component[b]
    return np.array(sorted(set(bridges)), dtype=np.int64).reshape(-1, 2)


def _nearest_pair(
    X: FloatArray, inside: IndexArray, outside: IndexArray
) -> tuple[int, int]:
    best, pair = np.inf, (-1, -1)
    step = max(BLOCK_CELLS // outside.size, 1)
    for start in range(0, inside.size, step):
        rows = inside[start : start + step]
        squared = cdist(X[rows], X[outside], "sqeuclidean")
        i, j = np.unravel_index(squared.argmin(), squared.shape)
        if squared[i, j] < best:
            best, pair = squared[i, j], (int(rows[i]), int(outside[j]))
    return pair
