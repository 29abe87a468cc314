"""Several people: who looks at what, and how far they agree."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, NamedTuple
from zlib import crc32

from pairsift._typing import IndexArray
from pairsift.active import Record

# After this time without a sign, a card may be given to another person.
SECONDS_HELD = 600.0
OWN_PILE = -2
"""What an answer "new" says, when the row does not lie alone."""


class Holds:
    """The card that each person looks at."""

    def __init__(self) -> None:
        self._held: dict[str, tuple[str, int, float]] = {}

    def take(self, person: str, kind: str, row: int) -> None:
        """Keep a card for a person."""
        self._held[person] = (kind, row, time.monotonic())

    def release(self, person: str) -> None:
        """Give the card of a person free."""
        self._held.pop(person, None)

    def of(self, person: str) -> tuple[str, int] | None:
        """Return the card that a person looks at."""
        held = self._held.get(person)
        return None if held is None else held[:2]

    def others(self, person: str) -> set[int]:
        """Return the rows that other people look at now."""
        now = time.monotonic()
        return {
            row
            for other, (_, row, since) in self._held.items()
            if other != person and now - since < SECONDS_HELD
        }


class Disagreement(NamedTuple):
    """A card on which people differ.

    said : person and pile, in the order of the answers; OWN_PILE for a pile of its own.
    is_settled : whether a person has decided since.
    """

    row: int
    said: list[tuple[str, int]]
    is_settled: bool


def second_card(
    records: Sequence[Record], labels: IndexArray, person: str, share: float
) -> int | None:
    """Return a card of another person that this one is to answer, too.

    Which of a person's cards these are depends on the journal alone, so that nothing
    changes after a restart.
    """
    own = [r for r in records if r.person == person and r.rows]
    drawn = crc32(f"{person}/{len(own)}".encode()) / 2**32
    if drawn >= share:
        return None
    seen = {r.rows[0] for r in own}
    sizes = Counter(labels.tolist())
    for record in records:
        is_placed = record.stands and record.shown is not None and record.rows
        if not is_placed or record.person == person or record.rows[0] in seen:
            continue
        # A row that lies alone is not compared with its own pile.
        label = int(labels[record.rows[0]])
        if label >= 0 and sizes[label] > 1:
            return record.rows[0]
    return None


def answers_by_row(
    records: Iterable[Record], labels: IndexArray
) -> dict[int, list[tuple[str, int]]]:
    """Return who said what of each card: the number of a pile, "unsure" left out."""
    said: dict[int, list[tuple[str, int]]] = defaultdict(list)
    moved = {r.rows[0] for r in records if r.kind == "move" and r.stands}
    for record in records:
        if not record.stands or not record.rows:
            continue
        row, *match = record.rows
        is_card = record.shown is not None or record.kind == "repeat"
        if not is_card or "unsure" in (record.kind, record.text):
            continue
        pile = int(labels[match[0]]) if match else OWN_PILE
        if record.kind == "new" and row not in moved:
            pile = int(labels[row])
        said[row].append((record.person, pile))
    return said


def disagreements(records: Sequence[Record], labels: IndexArray) -> list[Disagreement]:
    """Return the cards on which people differ, the open ones first."""
    found = []
    for row, said in answers_by_row(records, labels).items():
        if len({pile for _, pile in said}) < 2:
            continue
        about = [r for r in records if r.stands and r.rows[:1] == (row,)]
        kinds = [r.kind for r in about if r.kind in ("repeat", "move")]
        found.append(Disagreement(row, said, kinds[-1:] == ["move"]))
    return sorted(found, key=lambda d: (d.is_settled, d.row))


def krippendorff_alpha(units: Iterable[Sequence[Hashable]]) -> float | None:
    """Return Krippendorff's alpha of categories, None if it is not defined.

    1 is perfect agreement, 0 what chance gives. A unit holds the values that different
    people gave; units with one value are left out.
    """
    pairable = [list(unit) for unit in units if len(unit) > 1]
    totals = Counter(value for unit in pairable for value in unit)
    n_values = totals.total()
    expected = sum(n * (n_values - n) for n in totals.values())
    if not expected:
        return None
    observed = sum(
        n * (len(unit) - n) / (len(unit) - 1)
        for unit in pairable
        for n in Counter(unit).values()
    )
    return 1.0 - (n_values - 1) * observed / expected


def agreement(records: Sequence[Record], labels: IndexArray) -> dict[str, Any]:
    """Return how many answers each person gave, and how far they agree."""
    said = answers_by_row(records, labels)
    counts = Counter(r.person for r in records if r.stands and r.rows)
    units = [[pile for _, pile in answers] for answers in said.values()]
    return {
        "people": [{"name": name, "answers": n} for name, n in counts.most_common()],
        "alpha": krippendorff_alpha(units),
        "twice": sum(len(unit) > 1 for unit in units),
        "same": sum(len(unit) > 1 and len(set(unit)) == 1 for unit in units),
    }
