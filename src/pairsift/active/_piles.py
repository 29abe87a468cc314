"""The piles that answers make, and which rows are known to lie apart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from pairsift.active._answers import Answer, Event, Placement


class Piles:
    """Rows sorted by answers, which are taken in the order given.

    A pile is what "same" answers and placed cards hold together. A row alone is a pile
    once it was placed as a new one, or was said to be different from every pile there
    is. Piles that are found to be the same become one, with the smaller number; numbers
    are never given twice.

    rows : rows of each pile by its number, in the order in which they came.
    number : number of the pile of each sorted row.
    passed : rows that are not asked about again because of an "unsure".
    contradicted : pairs of one pile that were said to be different, smaller row first.
    history : the answers that stand.
    """

    def __init__(self, events: Iterable[tuple[Event, bool]]) -> None:
        self.rows: dict[int, list[int]] = {}
        self.number: dict[int, int] = {}
        self.passed: set[int] = set()
        self.contradicted: set[tuple[int, int]] = set()
        self.history: list[Answer | Placement] = []
        # Rows that each row was said to be different from.
        self._apart: dict[int, set[int]] = defaultdict(set)
        # Number of the pile on which a row lay that is placed anew later.
        self._left: dict[int, int] = {}
        self._n_piles = 0
        for event, stands in events:
            if stands:
                self.take(event)
            elif event.shown is not None:
                self._leave(event)

    def are_apart(self, row: int, number: int) -> bool:
        """Tell whether a row was said to be different from a pile."""
        return not self._apart.get(row, set()).isdisjoint(self.rows[number])

    def is_open(self, row: int) -> bool:
        """Tell whether a row has still to be sorted."""
        return row not in self.number and row not in self.passed

    def take(self, event: Event) -> None:
        """Go on with one more answer."""
        if event.shown is None:
            said: Answer | Placement = Answer(event.first, event.second, event.kind)
        else:
            self._left.pop(event.first, None)
            event = self._without_moved(event)
            said = self._placement(event, event.shown or ())
        self.history.append(said)
        for a, b, answer in said.pairs():
            if answer == "different":
                self._apart[a].add(b)
                self._apart[b].add(a)
        self._sort(event)
        for a, b, _ in said.pairs():
            self._look_for_contradictions(a, [b])
        for row in [row for row in self._apart if row not in self.number]:
            # Most rows are compared with fewer rows than there are piles.
            is_apart = len(self._apart[row]) >= len(self.rows)
            if is_apart and all(self.are_apart(row, number) for number in self.rows):
                self._begin(row)

    def _leave(self, event: Event) -> None:
        """Remember the pile of a card that is placed anew later.

        Cards that are placed on its pile in the meantime stay there.
        """
        if event.kind == "unsure":
            return
        row = event.first if event.kind == "new" else event.second
        number = self._left.get(row, self.number.get(row))
        if number is None:
            # People remember numbers: that of a pile taken away is not used again.
            number = self._n_piles = self._n_piles + 1
        self._left[event.first] = number

    def _without_moved(self, event: Event) -> Event:
        """Return a card compared with rows that still lie on the piles shown."""
        shown = [self._stand_in(row, event.first) for row in event.shown or ()]
        others = tuple(dict.fromkeys(row for row in shown if row is not None))
        second = self._stand_in(event.second, event.first)
        if event.kind == "same" and second is None:
            # The first row of its pile, now that the row shown has gone.
            number = self._left[event.second]
            if event.first not in self.number and number not in self.rows:
                self._begin(event.first, number=number)
            return event._replace(kind="new", second=-1, shown=others)
        return event._replace(
            second=event.second if second is None else second, shown=others
        )

    def _stand_in(self, row: int, card: int) -> int | None:
        """Return the row, or another one of its pile if it has left that since."""
        if row not in self._left:
            return row
        rows = self.rows.get(self._left[row], [])
        return next((other for other in rows if other != card), None)

    def _placement(self, event: Event, shown: tuple[int, ...]) -> Placement:
        if event.kind != "same":
            return Placement(event.first, event.kind, shown, None)
        number = self.number.get(event.second, self._n_piles + 1)
        return Placement(event.first, number, shown, event.second)

    def _sort(self, event: Event) -> None:
        if event.kind == "same":
            self._join(event.first, event.second)
        elif event.kind == "unsure":
            is_first = event.shown is not None or event.first not in self.number
            self.passed.add(event.first if is_first else event.second)
        elif event.kind == "new" and event.first not in self.number:
            self._begin(event.first)
        elif event.kind == "different" and not self.rows:
            self._begin(event.second)

    def _begin(self, *rows: int, number: int | None = None) -> None:
        if number is None:
            number = self._n_piles = self._n_piles + 1
        self.rows[number] = list(rows)
        self.number.update(dict.fromkeys(rows, number))

    def _join(self, row: int, other: int) -> None:
        numbers = {self.number[r] for r in (row, other) if r in self.number}
        if not numbers:
            self._begin(other, row)
            return
        kept = min(numbers)
        coming = [r for n in numbers - {kept} for r in self.rows.pop(n)]
        for r, number in self._left.items():
            self._left[r] = kept if number in numbers else number
        coming += [r for r in (row, other) if r not in self.number]
        self.rows[kept] += coming
        self.number.update(dict.fromkeys(coming, kept))
        for r in coming:
            self._look_for_contradictions(r, self._apart.get(r, ()))

    def _look_for_contradictions(self, row: int, others: Iterable[int]) -> None:
        for other in others:
            is_one_pile = self.number.get(row, -1) == self.number.get(other, -2)
            if is_one_pile and other in self._apart[row]:
                self.contradicted.add((min(row, other), max(row, other)))
