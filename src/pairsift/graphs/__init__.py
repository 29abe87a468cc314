"""Similarity graphs of the rows, their Laplacians and quadratic forms."""

# Names imported as themselves (`X as X`) are shared with other packages, not public.
from pairsift.graphs._constrained import (
    ConstrainedEdges as ConstrainedEdges,
    constrained_edges as constrained_edges,
    edge_list as edge_list,
    pair_graph,
    unlabelled_rows as unlabelled_rows,
)
from pairsift.graphs._feature_clusters import (
    cluster_features as cluster_features,
    cut_linkage as cut_linkage,
)
from pairsift.graphs._feature_graph import (
    FEATURE_GRAPHS as FEATURE_GRAPHS,
    distinct_columns as distinct_columns,
    feature_graph,
)
from pairsift.graphs._forms import (
    check_graph as check_graph,
    degrees,
    degrees_and_forms,
    laplacian,
    quadratic_forms,
    spreads,
)
from pairsift.graphs._full_graph import FullGraph, full_graph
from pairsift.graphs._harmonic import (
    harmonic_probabilities as harmonic_probabilities,
)
from pairsift.graphs._in_blocks import (
    as_blocks as as_blocks,
    rows_of_pairs as rows_of_pairs,
)
from pairsift.graphs._linkages import LINKAGES as LINKAGES
from pairsift.graphs._nearest import nearest_neighbors
from pairsift.graphs._prototypes import nearest_prototype_classes
from pairsift.graphs._similarity import similarity_graph
from pairsift.graphs._spectrum import (
    TIED_EIGENVALUES as TIED_EIGENVALUES,
    SmoothSpectrum as SmoothSpectrum,
    smooth_spectrum as smooth_spectrum,
)
from pairsift.graphs._weights import (
    advice_on_sigma as advice_on_sigma,
    gaussian_weights,
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
