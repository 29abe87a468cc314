"""How good a ranking or a subset of features is."""

from pairsift.evaluation._accuracy import AccuracyCurve, accuracy_curve
from pairsift.evaluation._clustering import constrained_spectral_clustering
from pairsift.evaluation._compare import Comparison, compare
from pairsift.evaluation._critical_difference import (
    CriticalDifference,
    critical_difference,
)
from pairsift.evaluation._expansion import MustLinkExpansion, must_link_expansion
from pairsift.evaluation._pair_relevance import PairRelevance, pair_relevance
from pairsift.evaluation._protocols import (
    draw_prototypes,
    first_rows_split,
    prototype_accuracy_curve,
)
from pairsift.evaluation._rank_sums import rank_sums
from pairsift.evaluation._rankings import ranking_distance, ranking_precision
from pairsift.evaluation._redundancy import redundancy_rate, representation_entropy
from pairsift.evaluation._stability import Stability, stability

__all__ = [
    "AccuracyCurve",
    "Comparison",
    "CriticalDifference",
    "MustLinkExpansion",
    "PairRelevance",
    "Stability",
    "accuracy_curve",
    "compare",
    "constrained_spectral_clustering",
    "critical_difference",
    "draw_prototypes",
    "first_rows_split",
    "must_link_expansion",
    "pair_relevance",
    "prototype_accuracy_curve",
    "rank_sums",
    "ranking_distance",
    "ranking_precision",
    "redundancy_rate",
    "representation_entropy",
    "stability",
]
