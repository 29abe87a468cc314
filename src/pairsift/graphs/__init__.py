"""Similarity graphs of the rows, their Laplacians and quadratic forms."""

from pairsift.graphs._constrained import pair_graph
from pairsift.graphs._feature_graph import feature_graph
from pairsift.graphs._forms import (
    degrees,
    degrees_and_forms,
    laplacian,
    quadratic_forms,
    spreads,
)
from pairsift.graphs._nearest import nearest_neighbors
from pairsift.graphs._prototypes import nearest_prototype_classes
from pairsift.graphs._similarity import (
    FullGraph,
    full_graph,
    gaussian_weights,
    similarity_graph,
)

__all__ = [
    "FullGraph",
    "degrees",
    "degrees_and_forms",
    "feature_graph",
    "full_graph",
    "gaussian_weights",
    "laplacian",
    "nearest_neighbors",
    "nearest_prototype_classes",
    "pair_graph",
    "quadratic_forms",
    "similarity_graph",
    "spreads",
]
