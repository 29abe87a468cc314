"""Answers worth a second look, and why."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from pairsift.cli._pages import pile_key
from pairsift.reports import doubt_text

if TYPE_CHECKING:
    from pairsift.active import ActiveSession, Answer, PileChange, Placement
    from pairsift.cli._best import BestFeatures
    from pairsift.constraints import Conflict

SAID = {"same": "the same", "different": "different", "unsure": "unsure"}


class Doubt(NamedTuple):
    """An answer worth a second look, and why."""

    rows: tuple[int, ...]
    """A pair, or the row of a card."""
    text: str


def find_doubts(session: ActiveSession, best: BestFeatures) -> list[Doubt]:
    """Return the answers of a contradiction, the last first, or unlikely ones."""
    if session.conflicts:
        return _of_contradiction(session)
    cards = [
        Doubt(
            (card.row,),
            f"you placed it on pile {pile_key(card.pile)}; the rows nearest to it lie "
            f"on pile {pile_key(card.likelier)}.",
        )
        for card in session.doubtful_cards()
    ]
    asked = [set(said[:2]) for said in session.history if not is_card(said)]
    if not asked:
        return cards
    pairs = [
        Doubt((answer.first, answer.second), doubt_text(answer))
        for answer in best.unlikely(session)
        if {answer.first, answer.second} in asked
    ]
    return cards + pairs


def _of_contradiction(session: ActiveSession) -> list[Doubt]:
    links = links_of(session.conflicts[0])
    return [
        Doubt(question_of(said), f"you {spoken(said, session)}.")
        for said in reversed(session.history)
        if any({a, b} in links for a, b, _ in said.pairs())
    ]


def links_of(conflict: Conflict) -> set[frozenset[int]]:
    """Return the pairs of a contradiction: those of its chain, and its ends."""
    chain = conflict.chain
    return {frozenset(pair) for pair in [*pairwise(chain), (chain[0], chain[-1])]}


def is_card(said: Answer | Placement | PileChange) -> bool:
    """Tell whether an answer is about one row, be it placed or moved since."""
    from pairsift.active import Answer

    return not isinstance(said, Answer)


def question_of(said: Answer | Placement | PileChange) -> tuple[int, ...]:
    """Return what was asked: a pair, or the row of a card."""
    from pairsift.active import Answer

    if isinstance(said, Answer):
        return said.first, said.second
    return (said.row,)


def spoken(said: Answer | Placement | PileChange, session: ActiveSession) -> str:
    """Return an answer in words, such as "placed it on pile 2"."""
    if not is_card(said):
        return f"said {SAID[str(said.answer)]}"
    number = int(session.labels[question_of(said)[0]])
    if said.answer == "unsure" or number < 0:
        return "were unsure"
    return f"placed it on pile {pile_key(number)}"
