"""Feature selectors in the form of scikit-learn transformers."""

from pairsift.selectors._catalogue import find_method, methods
from pairsift.selectors._laplacian import LaplacianScore
from pairsift.selectors._margins import ReliefFSc, ReliefSc, SimbaSc
from pairsift.selectors._variance import FisherScore, VarianceScore

__all__ = [
    "FisherScore",
    "LaplacianScore",
    "ReliefFSc",
    "ReliefSc",
    "SimbaSc",
    "VarianceScore",
    "find_method",
    "methods",
]
