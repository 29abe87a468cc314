"""Similarity graphs of the rows, their Laplacians and quadratic forms."""

from pairsift.graphs._forms import degrees, laplacian, quadratic_forms
from pairsift.graphs._similarity import nearest_neighbors, similarity_graph

__all__ = [
    "degrees",
    "laplacian",
    "nearest_neighbors",
    "quadratic_forms",
    "similarity_graph",
]
