"""The labelling loop: which couple to ask about, and how answers spread."""

from pairsift.active._propagation import PropagatedConstraints, propagate
from pairsift.active._selection import select_constraints
from pairsift.active._session import ActiveSession, Answer

__all__ = [
    "ActiveSession",
    "Answer",
    "PropagatedConstraints",
    "propagate",
    "select_constraints",
]
