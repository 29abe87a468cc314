"""The labelling loop: which couple to ask about, and how answers spread."""

from pairsift.active._propagation import PropagatedConstraints, propagate
from pairsift.active._session import ActiveSession, Answer, select_constraints

__all__ = [
    "ActiveSession",
    "Answer",
    "PropagatedConstraints",
    "propagate",
    "select_constraints",
]
