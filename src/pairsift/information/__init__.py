"""Entropy and mutual information of discrete and continuous columns, in nats."""

from pairsift.information._entropy import entropy
from pairsift.information._mutual_information import mutual_information
from pairsift.information._pairs import pairwise_mutual_information, relevance
from pairsift.information._permutation import permutation_threshold

__all__ = [
    "entropy",
    "mutual_information",
    "pairwise_mutual_information",
    "permutation_threshold",
    "relevance",
]
