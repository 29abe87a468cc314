# ruff: noqa: F405
"""Choose the right features when labels are scarce."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pairsift._version import __version__
from pairsift.exceptions import (
    ConflictingConstraintsError,
    ConstraintError,
    DataError,
    PairsiftError,
    StorageError,
)

if TYPE_CHECKING:
    from pairsift.active import (
        ActiveSession,
        choose_features,
        propagate,
        select_constraints,
    )
    from pairsift.constraints import PairConstraints
    from pairsift.selectors import *  # noqa: F403
    from pairsift.webapp import label

__all__ = [
    "CCLS",
    "CLS",
    "FCRSC",
    "FSSFS",
    "LMFS",
    "LSDF",
    "MCFS",
    "MICI",
    "MRMR",
    "SCGS",
    "SPEC",
    "SSFC",
    "STIR",
    "SURF",
    "ActiveSession",
    "ClusterHomogeneity",
    "ClusterVarianceScore",
    "CollinearityFilter",
    "ConflictingConstraintsError",
    "ConstraintError",
    "ConstraintScore1",
    "ConstraintScore2",
    "ConstraintScore3",
    "ConstraintScore4",
    "ConstraintScore5",
    "ConstraintScore6",
    "ConstraintScore7",
    "DataError",
    "EnsembleConstraintScore",
    "FSManifold",
    "FeatureClusterMI",
    "FisherScore",
    "ForwardBackwardMI",
    "GramSchmidt",
    "IRelief",
    "IteraGraphFS",
    "IterativeRelief",
    "LaplacianScore",
    "LogisticIRelief",
    "MultiSURF",
    "MultiSURFStar",
    "NearestNeighborForward",
    "OnlineIRelief",
    "PairConstraints",
    "PairLogistic",
    "PairsiftError",
    "PearsonScore",
    "RReliefF",
    "RankEnsemble",
    "Relief",
    "ReliefF",
    "ReliefFSc",
    "ReliefSc",
    "S3VMSelector",
    "SSelect",
    "SURFStar",
    "SVDEntropy",
    "SWRFStar",
    "SemiLogisticIRelief",
    "SemiMRMR",
    "Simba",
    "SimbaSc",
    "SimilarityConstraintScore",
    "StorageError",
    "TuRF",
    "UnsupervisedMRMR",
    "VarianceScore",
    "__version__",
    "choose_features",
    "complete_labels",
    "estimate_seconds",
    "label",
    "methods",
    "propagate",
    "select_constraints",
]

# Rooms reachable as `pairsift.NAME`; they and the names above are loaded when used, so
# that `pairsift --help` does not wait for scikit-learn.
_ROOMS = (
    "active",
    "datasets",
    "distributed",
    "evaluation",
    "graphs",
    "information",
    "papers",
    "plotting",
    "reports",
    "scores",
    "webapp",
)
_HOME = {
    "ActiveSession": "active",
    "PairConstraints": "constraints",
    "choose_features": "active",
    "label": "webapp",
    "propagate": "active",
    "select_constraints": "active",
}


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return import_module(f"pairsift.{name}")
    if name not in __all__:
        raise AttributeError(f"module 'pairsift' has no attribute {name!r}")
    room = _HOME.get(name, "selectors")
    return getattr(import_module(f"pairsift.{room}"), name)


def __dir__() -> list[str]:
    return [*__all__, *_ROOMS]
