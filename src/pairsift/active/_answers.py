"""What was answered: pairs, cards, piles, and the journal with what was taken back."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from numbers import Real
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pairsift._checks import check_choice
from pairsift._typing import PairArray
from pairsift._warnings import warn_caller
from pairsift.constraints import Conflict, PairConstraints, find_conflicts
from pairsift.exceptions import ConstraintError

ANSWERS = ("same", "different", "unsure")
CARDS = ("same", "new", "unsure")
# What is done to piles; "repeat" is a second answer on a card, which moves nothing.
CHANGES = ("merge", "move", "name", "repeat")
# Recorded, but no answers: they are neither taken back nor given again.
REMARKS = ("opinion",)
MAX_CHARACTERS = 200


class Answer(NamedTuple):
    """A pair in the order it was asked, and what was said of it.

    Parameters
    ----------
    first, second : int
        Rows of the data.
    answer : {"same", "different", "unsure"}
        What was said.
    """

    first: int
    second: int
    answer: str

    def pairs(self) -> list[Answer]:
        """Return what is said of pairs of rows: this.

        Returns
        -------
        pairs : list of Answer
            The answer itself.
        """
        return [self]


class Placement(NamedTuple):
    """A card, and where it was placed.

    Parameters
    ----------
    row : int
        Row of the data.
    answer : int or str
        The number of the pile, "new" or "unsure".
    shown : tuple of int
        The row that was shown of each pile, likeliest pile first.
    match : int or None
        The one of them on whose pile it was placed, None for "new" and "unsure".
    """

    row: int
    answer: int | str
    shown: tuple[int, ...]
    match: int | None

    def pairs(self) -> list[Answer]:
        """Return what is said of pairs of rows.

        Returns
        -------
        pairs : list of Answer
            "same" with the row shown of its pile, "different" from the others.
        """
        if self.answer == "unsure":
            return []
        said = {True: "same", False: "different"}
        return [Answer(self.row, row, said[row == self.match]) for row in self.shown]


class PileChange(NamedTuple):
    """What a person did to piles, or a second answer on a card.

    Parameters
    ----------
    answer : {"merge", "move", "name", "repeat"}
        Two piles became one; a row went to another pile; a pile has a name; another
        person answered on a card that lies on a pile already.
    row : int
        A row of the merged or named pile, or the row that was moved or asked again.
    pile : int or str
        The number of the pile that it is about or went to, "new" or "unsure".
    text : str
        The name of the pile, if it was named.
    said : tuple of Answer
        What it says of pairs of rows.
    """

    answer: str
    row: int
    pile: int | str
    text: str = ""
    said: tuple[Answer, ...] = ()

    def pairs(self) -> list[Answer]:
        """Return what is said of pairs of rows.

        Returns
        -------
        pairs : list of Answer
            "same" with a row of the pile it went to, "different" from its old pile.
        """
        return list(self.said)


Said = Answer | Placement | PileChange


class Note(NamedTuple):
    """Who answered, and how long it took.

    Parameters
    ----------
    person : str
        Name of the person.
    seconds : float or None
        Time from the question to the answer.
    """

    person: str = ""
    seconds: float | None = None


class Event(NamedTuple):
    """A line of the journal.

    kind : "same", "different" or "unsure" of the pair (first, second); "same", "new" or
        "unsure" of the card `first`, when `shown` holds the rows it was compared with:
        "same" as `second`, which is one of them; "merge" of the piles of two rows;
        "move" of row `first` to the pile of `second`, or to `text`, "new" or "unsure";
        "name" of the pile of `first`; "repeat", which is like "move" but moves nothing;
        "opinion" when the model was asked about a pair or card; "undo" or "redo".
        -1 is no row.
    replaces : whether earlier answers on the same pair or card stand no longer.
    time : seconds since 1970, when it was written down.
    """

    kind: str
    first: int = -1
    second: int = -1
    shown: tuple[int, ...] | None = None
    replaces: bool = False
    person: str = ""
    seconds: float | None = None
    text: str = ""
    time: float = 0.0

    @property
    def question(self) -> tuple[int, ...]:
        """What was asked: a pair, its smaller row first, a card, or nothing."""
        if self.kind in ("merge", "name", "repeat"):
            return ()
        # A move is the last word on a card.
        if self.shown is not None or self.kind == "move":
            return (self.first,)
        return min(self.first, self.second), max(self.first, self.second)


class Record(NamedTuple):
    """A line of the journal, as it is looked at.

    Parameters
    ----------
    time : float
        Seconds since 1970.
    kind : str
        "same", "different", "unsure" (pairs); "same", "new", "unsure" (cards, which
        have `shown`); "merge", "move", "name", "repeat"; "opinion" when the model's
        opinion was asked for; "undo", "redo".
    rows : tuple of int
        The rows that it is about.
    shown : tuple of int or None
        For a card, the row that was shown of each pile.
    person : str
        Who answered, "" if it was not told.
    seconds : float or None
        Time from the question to the answer, None if it was not told.
    text : str
        The name of a pile, or "new" or "unsure" for a move or repeat.
    stands : bool
        Whether it was neither taken back nor replaced.
    """

    time: float
    kind: str
    rows: tuple[int, ...]
    shown: tuple[int, ...] | None
    person: str
    seconds: float | None
    text: str
    stands: bool


def as_row(row: Any, n_samples: int) -> int:
    """Return the number of a row, which must exist."""
    is_whole = isinstance(row, int | np.integer) and not isinstance(row, bool)
    if not is_whole or not 0 <= row < n_samples:
        raise ConstraintError(
            f"row must be a whole number from 0 to {n_samples - 1}, got {row!r}: the "
            "first argument is a row, such as card.row."
        )
    return int(row)


def as_pair(i: Any, j: Any, n_samples: int) -> tuple[int, int]:
    """Return the numbers of two rows, which must exist and differ."""
    if isinstance(i, int | np.integer) and i == j:
        raise ConstraintError(
            f"pair ({i}, {j}) joins a row with itself: i and j must be two different "
            "rows, such as those that ask() returns."
        )
    # PairConstraints knows what a pair has to be, and says so.
    PairConstraints([(i, j)], n_samples=n_samples)
    return int(i), int(j)


def check_note(note: Note | None) -> dict[str, Any]:
    """Return the fields of an event that say who answered, and how fast."""
    if note is None:
        return {}
    if not isinstance(note, Note):
        raise ConstraintError(
            f"note must be a Note, got {note!r}: write note=Note(person, seconds)."
        )
    seconds = note.seconds
    is_number = isinstance(seconds, Real) and math.isfinite(seconds) and seconds >= 0
    if seconds is not None and not is_number:
        raise ConstraintError(
            f"seconds of a note must be a positive number or None, got {seconds!r}: "
            "write note=Note(person, seconds)."
        )
    return {"person": check_text(note.person, "person"), "seconds": seconds}


def check_text(text: Any, name: str) -> str:
    """Return a name that can be written to a file, without spaces around it."""
    if not isinstance(text, str) or len(text) > MAX_CHARACTERS:
        raise ConstraintError(
            f"{name} must be text of at most {MAX_CHARACTERS} characters, got "
            f"{str(text)[:MAX_CHARACTERS]!r}."
        )
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ConstraintError(f"{name} must be valid Unicode, got {text!r}.") from error
    return text.strip()


def check_event(event: Event, n_samples: int) -> None:
    """Refuse an event that no session can have written."""
    if event.kind in ("undo", "redo"):
        return
    if event.kind in (*CHANGES, *REMARKS):
        rows = (event.first, *(() if event.second < 0 else (event.second,)))
        for row in (*rows, *(event.shown or ())):
            as_row(row, n_samples)
        if event.kind == "merge" and event.second < 0:
            raise ConstraintError(f"row {event.first} is merged with no other")
        return
    check_choice(event.kind, "an answer", ANSWERS if event.shown is None else CARDS)
    if event.shown is None:
        as_pair(event.first, event.second, n_samples)
        return
    for row in (event.first, *event.shown):
        as_row(row, n_samples)
    if event.kind == "same" and event.second not in event.shown:
        raise ConstraintError(f"card {event.first} lies on a pile it was not shown")


class Journal:
    """All events, and those that have not been taken back."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.done: list[Event] = []
        self.undone: list[Event] = []
        # Events that were no remarks: all, and those about each row.
        self.n_acts, self.n_about = 0, Counter[int]()
        self._n_answers: Counter[tuple[int, ...]] = Counter()

    def add(self, event: Event) -> None:
        """Append an event and act on it; IndexError when there is nothing to undo."""
        if event.kind not in REMARKS:
            self.n_acts += 1
            self.n_about[event.first] += 1
        if event.kind in REMARKS:
            pass
        elif event.kind == "undo":
            self.undone.append(self.done.pop())
            self._n_answers[self.undone[-1].question] -= 1
        else:
            self.done.append(self.undone.pop() if event.kind == "redo" else event)
            self._n_answers[self.done[-1].question] += 1
            if event.kind != "redo":
                self.undone.clear()
        self.events.append(event)

    def refuse_second(self, event: Event) -> None:
        """Refuse a second answer to a question, unless it is to replace the first."""
        if event.replaces or not self._n_answers[event.question]:
            return
        old = next(e for e in reversed(self.done) if e.question == event.question)
        is_card = event.shown is not None
        asked = f"card {event.first}" if is_card else f"pair {event[1:3]}"
        raise ConstraintError(
            f"{asked} was answered already, {old.kind!r}: take answers back with "
            "undo(), or change this one with replace=True."
        )

    def marked(self) -> list[tuple[Event, bool]]:
        """Return what was not taken back, each with whether it was not replaced."""
        earlier: dict[tuple[int, ...], list[int]] = defaultdict(list)
        stands = [True] * len(self.done)
        for place, event in enumerate(self.done):
            if event.replaces:
                for old in earlier[event.question]:
                    stands[old] = False
            earlier[event.question].append(place)
        return list(zip(self.done, stands, strict=True))

    def records(self) -> list[Record]:
        """Return all events, each with whether it stands."""
        # Events may be equal; undo and redo pass on the very objects.
        standing = {id(event) for event, stands in self.marked() if stands}
        return [
            Record(
                event.time,
                event.kind,
                tuple(row for row in (event.first, event.second) if row >= 0),
                event.shown,
                event.person,
                event.seconds,
                event.text,
                id(event) in standing or event.kind in REMARKS,
            )
            for event in self.events
        ]


def links_of(history: Iterable[Said]) -> dict[tuple[int, int], str]:
    """Return what is said of each pair, smaller row first; the last word stands."""
    said = [pair for answer in history for pair in answer.pairs()]
    return {(min(a, b), max(a, b)): answer for a, b, answer in said}


def as_constraints(history: Iterable[Said], n_samples: int) -> PairConstraints:
    """Return the pairs of some answers, the unsure left out."""
    links = links_of(history).items()
    return PairConstraints(
        [pair for pair, answer in links if answer == "same"],
        [pair for pair, answer in links if answer == "different"],
        n_samples=n_samples,
    )


def conflicts_of(history: Iterable[Said]) -> list[Conflict]:
    """Return the contradictions, two answers on the same pair among them."""
    said = [pair for answer in history for pair in answer.pairs()]
    return find_conflicts(_pairs(said, "same"), _pairs(said, "different"))


_is_shown: ContextVar[bool] = ContextVar("is_shown", default=False)


@contextmanager
def contradictions_shown() -> Iterator[None]:
    """Warn of no contradictions in a with block: they are shown in another way."""
    token = _is_shown.set(True)
    try:
        yield
    finally:
        _is_shown.reset(token)


def warn_of(conflict: Conflict) -> None:
    """Warn of a contradiction that the last answer has made."""
    if _is_shown.get():
        return
    warn_caller(
        f"this answer contradicts others: {conflict}; undo() takes it back, "
        "session.conflicts lists all contradictions."
    )


def warn_of_two_answers(conflicts: list[Conflict], path: str | Path) -> None:
    """Warn of pairs of which a file holds both answers."""
    both = [conflict.cannot_link for conflict in conflicts if len(conflict.chain) == 2]
    if both:
        warn_caller(
            f"{path} holds two answers for {', '.join(map(str, both))}: the later one "
            "stands, session.conflicts shows them."
        )


def _pairs(said: list[Answer], kind: str) -> PairArray:
    pairs = {(min(a, b), max(a, b)) for a, b, answer in said if answer == kind}
    return np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)
