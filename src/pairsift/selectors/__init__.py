"""Feature selectors in the form of scikit-learn transformers."""

from pairsift.selectors._catalogue import find_method, methods
from pairsift.selectors._constrained_laplacian import (
    CCLS,
    CLS,
    ConstraintScore5,
    ConstraintScore6,
    ConstraintScore7,
)
from pairsift.selectors._constraint import (
    LSDF,
    ConstraintScore1,
    ConstraintScore2,
    ConstraintScore3,
    ConstraintScore4,
)
from pairsift.selectors._ensemble import EnsembleConstraintScore
from pairsift.selectors._irelief import IRelief
from pairsift.selectors._laplacian import LaplacianScore
from pairsift.selectors._margins import ReliefFSc, ReliefSc, SimbaSc
from pairsift.selectors._nearest_neighbor import NearestNeighborForward
from pairsift.selectors._relief import Relief, ReliefF
from pairsift.selectors._scgs import SCGS
from pairsift.selectors._simba_labels import Simba
from pairsift.selectors._similarity import SimilarityConstraintScore
from pairsift.selectors._spec import SPEC
from pairsift.selectors._sselect import SSelect
from pairsift.selectors._variance import FisherScore, VarianceScore

__all__ = [
    "CCLS",
    "CLS",
    "LSDF",
    "SCGS",
    "SPEC",
    "ConstraintScore1",
    "ConstraintScore2",
    "ConstraintScore3",
    "ConstraintScore4",
    "ConstraintScore5",
    "ConstraintScore6",
    "ConstraintScore7",
    "EnsembleConstraintScore",
    "FisherScore",
    "IRelief",
    "LaplacianScore",
    "NearestNeighborForward",
    "Relief",
    "ReliefF",
    "ReliefFSc",
    "ReliefSc",
    "SSelect",
    "Simba",
    "SimbaSc",
    "SimilarityConstraintScore",
    "VarianceScore",
    "find_method",
    "methods",
]
