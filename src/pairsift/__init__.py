"""Choose the right features when labels are scarce."""

from importlib import import_module
from typing import Any

from pairsift._version import __version__
from pairsift.constraints import PairConstraints
from pairsift.exceptions import (
    ConflictingConstraintsError,
    ConstraintError,
    DataError,
    PairsiftError,
)
from pairsift.selectors import (
    FisherScore,
    LaplacianScore,
    ReliefFSc,
    ReliefSc,
    SimbaSc,
    VarianceScore,
    methods,
)

__all__ = [
    "ConflictingConstraintsError",
    "ConstraintError",
    "DataError",
    "FisherScore",
    "LaplacianScore",
    "PairConstraints",
    "PairsiftError",
    "ReliefFSc",
    "ReliefSc",
    "SimbaSc",
    "VarianceScore",
    "__version__",
    "methods",
]

# Reachable as `pairsift.NAME` without an import of their own, loaded when used.
_ROOMS = ("datasets", "evaluation", "graphs", "scores")


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return import_module(f"pairsift.{name}")
    raise AttributeError(f"module 'pairsift' has no attribute {name!r}")
