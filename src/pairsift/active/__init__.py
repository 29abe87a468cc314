"""The labelling loop: which pair to ask about, and how answers spread."""

# Names imported as themselves (`X as X`) are shared with other packages, not public.
from pairsift.active._answers import (
    Answer,
    Note,
    PileChange,
    Placement,
    Record,
    contradictions_shown as contradictions_shown,
)
from pairsift.active._asking import Asking, Evidence
from pairsift.active._choosing import choose_features
from pairsift.active._data import (
    SessionDoor as SessionDoor,
    as_points as as_points,
    points_in_blocks as points_in_blocks,
)
from pairsift.active._map import RowMap, map_rows
from pairsift.active._person import Person
from pairsift.active._propagation import (
    PropagatedConstraints,
    check_kinds as check_kinds,
    propagate,
    spread_pairs as spread_pairs,
)
from pairsift.active._sameness import (
    difference as difference,
    kept_ids as kept_ids,
)
from pairsift.active._selection import select_constraints
from pairsift.active._session import ActiveSession
from pairsift.active._settling import N_ANSWERS as N_ANSWERS
from pairsift.active._sorting import Card, DoubtfulCard, Pile
from pairsift.active._trust import HeldOut

__all__ = [
    "ActiveSession",
    "Answer",
    "Asking",
    "Card",
    "DoubtfulCard",
    "Evidence",
    "HeldOut",
    "Note",
    "Person",
    "Pile",
    "PileChange",
    "Placement",
    "PropagatedConstraints",
    "Record",
    "RowMap",
    "choose_features",
    "map_rows",
    "propagate",
    "select_constraints",
]
