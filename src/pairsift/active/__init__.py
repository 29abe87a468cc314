"""The labelling loop: which couple to ask about, and how answers spread."""

from pairsift.active._propagation import PropagatedConstraints, propagate
from pairsift.active._selection import select_constraints
from pairsift.active._session import ActiveSession, Answer
from pairsift.active._trust import HeldOut

__all__ = [
    "ActiveSession",
    "Answer",
    "HeldOut",
    "PropagatedConstraints",
    "propagate",
    "select_constraints",
]
