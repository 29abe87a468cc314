"""How good a ranking or a subset of features is."""

from pairsift.evaluation._accuracy import AccuracyCurve, accuracy_curve
from pairsift.evaluation._rankings import ranking_distance, ranking_precision
from pairsift.evaluation._redundancy import redundancy_rate, representation_entropy

__all__ = [
    "AccuracyCurve",
    "accuracy_curve",
    "ranking_distance",
    "ranking_precision",
    "redundancy_rate",
    "representation_entropy",
]
