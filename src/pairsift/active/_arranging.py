"""What people do to piles: merge, move, name, and look at a card twice."""

from __future__ import annotations

from typing import Any

import numpy as np

from pairsift.active._answers import (
    Event,
    Note,
    as_pair,
    as_row,
    check_note,
    check_text,
)
from pairsift.active._recording import RecordedSession
from pairsift.active._threads import alone
from pairsift.constraints import PairConstraints
from pairsift.exceptions import ConstraintError


class ArrangedSession(RecordedSession):
    """The side of a session that arranges piles; see `ActiveSession`."""

    @alone
    def merge(self, pile: int, other: int, *, note: Note | None = None) -> None:
        """Make one pile of two, which keeps the smaller number.

        Answers that said that rows of the two piles are different count no longer.

        Parameters
        ----------
        pile, other : int
            Numbers of the piles.
        note : Note, default=None
            Who did it, and how long it took.

        Raises
        ------
        ConstraintError
            If there are no two such piles.
        """
        row, second = self._row_of(pile), self._row_of(other)
        if row == second:
            raise ConstraintError(f"pile {pile} cannot be merged with itself.")
        self._record(Event("merge", row, second, **check_note(note)))

    @alone
    def move(self, row: int, pile: int | str, *, note: Note | None = None) -> None:
        """Put a card that was placed, or was unsure, on another pile.

        The other rows of its pile stay together. Put on the pile where it lies, it is
        confirmed.

        Parameters
        ----------
        row : int
            Row of `X`.
        pile : int or {"new", "unsure"}
            The number of a pile, or that it is a new one, or on none.
        note : Note, default=None
            Who did it, and how long it took.

        Raises
        ------
        ConstraintError
            If the row was not placed yet, or there is no such pile.
        """
        row = as_row(row, self.n_samples)
        if self._piles.is_open(row):
            raise ConstraintError(f"row {row} was not placed yet: place it.")
        other, text = self._goal(row, pile)
        self._record(Event("move", row, other, text=text, **check_note(note)))

    @alone
    def repeat(self, row: int, pile: int | str, *, note: Note | None = None) -> None:
        """Take a second answer on a card that was placed; it stays where it lies.

        Where two people differ is seen from :attr:`records`; :meth:`move` settles it.

        Parameters
        ----------
        row : int
            Row of `X`.
        pile : int or {"new", "unsure"}
            Where the second person would put it.
        note : Note, default=None
            Who did it, and how long it took.

        Raises
        ------
        ConstraintError
            If the row was not placed yet, or there is no such pile.
        """
        row = as_row(row, self.n_samples)
        if self._piles.is_open(row):
            raise ConstraintError(f"row {row} was not placed yet: place it.")
        other, text = self._goal(row, pile)
        self._record(Event("repeat", row, other, text=text, **check_note(note)))

    @alone
    def rename(self, pile: int, name: str, *, note: Note | None = None) -> None:
        """Give a pile a name, or take it away.

        Parameters
        ----------
        pile : int
            The number of the pile, which it keeps.
        name : str
            Its name, "" for none.
        note : Note, default=None
            Who did it, and how long it took.

        Raises
        ------
        ConstraintError
            If there is no such pile.
        """
        text = check_text(name, "name")
        event = Event("name", self._row_of(pile), text=text, **check_note(note))
        self._record(event)

    @alone
    def note_opinion(
        self, row: int, other: int | None = None, *, note: Note | None = None
    ) -> None:
        """Write down that a person has seen the model's opinion before the answer.

        Parameters
        ----------
        row : int
            The card, or the first row of a pair.
        other : int, default=None
            The second row of a pair.
        note : Note, default=None
            Who did it, and how long it took.
        """
        first = as_row(row, self.n_samples)
        second = -1 if other is None else as_row(other, self.n_samples)
        self._record(Event("opinion", first, second, **check_note(note)))

    @alone
    def tell_all(
        self, constraints: PairConstraints, *, note: Note | None = None
    ) -> int:
        """Take pairs that were answered elsewhere, all at once.

        Parameters
        ----------
        constraints : PairConstraints
            Pairs of rows of `X`; those that have an answer here are left out.
        note : Note, default=None
            Who did it, and how long it took.

        Returns
        -------
        n_taken : int
            Number of pairs that were new.
        """
        answered = {(min(a, b), max(a, b)) for a, b, _ in self._piles.said}
        links = {"same": constraints.must_link, "different": constraints.cannot_link}
        events = [
            Event(kind, *as_pair(a, b, self.n_samples), **check_note(note))
            for kind, pairs in links.items()
            for a, b in pairs.tolist()
            if (a, b) not in answered
        ]
        if events:
            self._record_and_warn(*events)
        return len(events)

    def _row_of(self, pile: Any) -> int:
        """Return a row of a pile, by which the journal names it."""
        if _is_number(pile) and pile in self._piles.rows:
            return self._piles.rows[int(pile)][0]
        raise ConstraintError(
            f"there is no pile {pile!r}: the piles are {sorted(self._piles.rows)}."
        )

    def _goal(self, row: int, pile: Any) -> tuple[int, str]:
        """Return a row of the pile where a card is to go, or "new" or "unsure"."""
        if isinstance(pile, str) and pile in ("new", "unsure"):
            return -1, pile
        if not (_is_number(pile) and pile in self._piles.rows):
            raise ConstraintError(
                f"there is no pile {pile!r} for row {row}: the piles are "
                f"{sorted(self._piles.rows)}, or say 'new' or 'unsure'."
            )
        return self._piles.rows[int(pile)][0], ""


def _is_number(pile: Any) -> bool:
    return isinstance(pile, int | np.integer) and not isinstance(pile, bool)
