"""How good a ranking or a subset of features is."""

from pairsift.evaluation._accuracy import AccuracyCurve, accuracy_curve
from pairsift.evaluation._clustering import constrained_spectral_clustering
from pairsift.evaluation._expansion import MustLinkExpansion, must_link_expansion
from pairsift.evaluation._protocols import (
    draw_prototypes,
    first_rows_split,
    prototype_accuracy_curve,
)
from pairsift.evaluation._rank_sums import rank_sums
from pairsift.evaluation._rankings import ranking_distance, ranking_precision
from pairsift.evaluation._redundancy import redundancy_rate, representation_entropy

__all__ = [
    "AccuracyCurve",
    "MustLinkExpansion",
    "accuracy_curve",
    "constrained_spectral_clustering",
    "draw_prototypes",
    "first_rows_split",
    "must_link_expansion",
    "prototype_accuracy_curve",
    "rank_sums",
    "ranking_distance",
    "ranking_precision",
    "redundancy_rate",
    "representation_entropy",
]
