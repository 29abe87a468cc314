"""Choose the right features when labels are scarce."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pairsift._version import __version__ as __version__

if TYPE_CHECKING:
    from pairsift.active import (
        ActiveSession as ActiveSession,
        choose_features as choose_features,
        propagate as propagate,
        select_constraints as select_constraints,
    )
    from pairsift.constraints import PairConstraints as PairConstraints
    from pairsift.exceptions import (
        ConflictingConstraintsError as ConflictingConstraintsError,
        ConstraintError as ConstraintError,
        DataError as DataError,
        PairsDisagreeWarning as PairsDisagreeWarning,
        PairsiftError as PairsiftError,
        StorageError as StorageError,
    )
    from pairsift.selectors import *  # noqa: F403
    from pairsift.webapp import label as label

# Rooms reachable as `pairsift.NAME`; they and all public names are loaded when used, so
# that `pairsift --help` does not wait for scikit-learn.
_ROOMS = (
    "active",
    "datasets",
    "distributed",
    "evaluation",
    "graphs",
    "information",
    "plotting",
    "reports",
    "scores",
    "webapp",
)
# Public names beside the selectors, which `pairsift.selectors` lists.
_HOME = {
    "ActiveSession": "active",
    "ConflictingConstraintsError": "exceptions",
    "ConstraintError": "exceptions",
    "DataError": "exceptions",
    "PairConstraints": "constraints",
    "PairsDisagreeWarning": "exceptions",
    "PairsiftError": "exceptions",
    "StorageError": "exceptions",
    "choose_features": "active",
    "complete_labels": "selectors",
    "estimate_seconds": "selectors",
    "label": "webapp",
    "methods": "selectors",
    "propagate": "active",
    "select_constraints": "active",
}


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return import_module(f"pairsift.{name}")
    if name in _HOME:
        return getattr(import_module(f"pairsift.{_HOME[name]}"), name)
    if name == "__all__":
        return sorted([*_HOME, *_selectors(), "__version__"])
    # Python asks for many names with underscores, for which nothing is loaded.
    if name[0].isupper() and name in _selectors():
        return getattr(import_module("pairsift.selectors"), name)
    raise AttributeError(f"module 'pairsift' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__getattr__("__all__"), *_ROOMS]


def _selectors() -> list[str]:
    names = import_module("pairsift.selectors").__all__
    return [name for name in names if name[0].isupper()]
