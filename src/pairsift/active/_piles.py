"""The piles that answers make, and which rows are known to lie apart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable

from pairsift.active._answers import (
    CHANGES,
    Answer,
    Event,
    PileChange,
    Placement,
    Said,
)
from pairsift.active._loose import LooseRows


class Piles:
    """Rows sorted by answers, which are taken in the order given.

    A pile is what "same" answers and placed cards hold together. A row alone is a pile
    once it was placed as a new one, or was said to be different from every pile there
    is. Piles that are found to be the same become one, with the smaller number; numbers
    are never given twice.

    rows : rows of each pile by its number, in the order in which they came.
    number : number of the pile of each sorted row.
    names : names of the piles that have one, by number.
    passed : rows that are not asked about again because of an "unsure".
    contradicted : pairs of one pile that were said to be different, smaller row first.
    history : the answers that stand.
    said : what they say of pairs of rows. Who merges two piles takes back what said
        that they are different, who moves a row what held it on its pile.
    """

    def __init__(self, events: Iterable[tuple[Event, bool]]) -> None:
        self.rows: dict[int, list[int]] = {}
        self.number: dict[int, int] = {}
        self.names: dict[int, str] = {}
        self.passed: set[int] = set()
        self.contradicted: set[tuple[int, int]] = set()
        self.history: list[Said] = []
        self.said: list[Answer] = []
        # Rows that each row was said to be different from.
        self._apart: dict[int, set[int]] = defaultdict(set)
        # In which order they were first spoken of.
        self._turn: dict[int, int] = {}
        # Those of them that lie on no pile; none, as long as only cards are answered.
        self._loose = LooseRows()
        # Number of the pile on which a row lay that is placed anew later.
        self._left: dict[int, int] = {}
        self._n_piles = 0
        for event, stands in events:
            self.replay(event, stands)

    def replay(self, event: Event, stands: bool) -> None:
        """Go on with an event of the journal, which may have been replaced since."""
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
        if event.kind in CHANGES:
            self.history.append(self._change(event))
            self._find_contradictions()
        else:
            self._take_answer(event)
        self._begin_where_apart()

    def _begin_where_apart(self) -> None:
        """Make piles of rows that were said to be different from every pile."""
        last = -1
        while later := [
            row
            for row in self._loose.apart_from(len(self.rows))
            if self._turn[row] > last
        ]:
            first = min(later, key=self._turn.__getitem__)
            last = self._turn[first]
            self._begin(first)

    def _take_answer(self, event: Event) -> None:
        if event.shown is None:
            said: Said = Answer(event.first, event.second, event.kind)
        else:
            self._left.pop(event.first, None)
            event = self._without_moved(event)
            said = self._placement(event, event.shown or ())
        self.history.append(said)
        self._say(said.pairs())
        self._sort(event)
        for a, b, _ in said.pairs():
            self._look_for_contradictions(a, [b])

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

    def _say(self, pairs: Iterable[Answer]) -> None:
        for pair in pairs:
            self.said.append(pair)
            if pair.answer == "different":
                self._part(pair.first, pair.second)
                self._part(pair.second, pair.first)

    def _part(self, row: int, other: int) -> None:
        """Remember that a row is different from another one."""
        others = self._others(row)
        is_new = other not in others
        others.add(other)
        if row in self._loose and is_new and other in self.number:
            self._loose.change(row, self.number[other], 1)
        elif row not in self._loose and row not in self.number:
            self._loosen(row)

    def _others(self, row: int) -> set[int]:
        """Return the rows that a row was said to be different from."""
        self._turn.setdefault(row, len(self._turn))
        return self._apart[row]

    def _loosen(self, row: int) -> None:
        others = self._apart[row]
        self._loose.insert(row, [self.number[r] for r in others if r in self.number])

    def _take_back(self, is_wrong: Callable[[Answer], bool]) -> list[Answer]:
        """Forget what was said of some pairs."""
        wrong = [pair for pair in self.said if is_wrong(pair)]
        self.said = [pair for pair in self.said if not is_wrong(pair)]
        for a, b, answer in wrong:
            # The same may have been said twice.
            if answer == "different" and b in self._apart[a]:
                self._apart[a].discard(b)
                self._apart[b].discard(a)
                for row, other in ((a, b), (b, a)):
                    if other in self.number:
                        self._loose.change(row, self.number[other], -1)
        return wrong

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
        self._lay(rows, number)

    def _lay(self, rows: Collection[int], number: int) -> None:
        for row in rows:
            self._loose.discard(row)
            self._count_for_others(row, -1)
            self.number[row] = number
            self._count_for_others(row, 1)

    def _count_for_others(self, row: int, by: int) -> None:
        """Change the counts of loose rows when a row comes to its pile or leaves."""
        if row in self.number:
            for other in self._apart.get(row, ()):
                self._loose.change(other, self.number[row], by)

    def _join(self, row: int, other: int) -> None:
        numbers = {self.number[r] for r in (row, other) if r in self.number}
        if not numbers:
            self._begin(other, row)
            return
        kept = min(numbers)
        for number in numbers - {kept}:
            name = self.names.pop(number, "")
            if name:
                self.names.setdefault(kept, name)
        coming = [r for n in numbers - {kept} for r in self.rows.pop(n)]
        for r, number in self._left.items():
            self._left[r] = kept if number in numbers else number
        coming += [r for r in (row, other) if r not in self.number]
        self.rows[kept] += coming
        self._lay(coming, kept)
        for r in coming:
            self._look_for_contradictions(r, self._apart.get(r, ()))

    def _change(self, event: Event) -> PileChange:
        """Act on what a person did to piles."""
        row, other = event.first, event.second
        if event.kind in ("merge", "name"):
            row = self._now_on_pile_of(row)
        if other >= 0:
            other = self._now_on_pile_of(other)
        said: list[Answer] = []
        if event.kind == "merge":
            said = self._merge(row, other)
        elif event.kind == "move":
            self._left.pop(row, None)
            said = self._move(row, other, event.text)
        elif event.kind == "name" and row in self.number:
            self.names.pop(self.number[row], None)
            if event.text:
                self.names[self.number[row]] = event.text
        self._say(said)
        pile: int | str = self.number.get(row if other < 0 else other, -1)
        if event.kind != "name" and event.text:
            pile = event.text
        text = event.text if event.kind == "name" else ""
        return PileChange(event.kind, row, pile, text, tuple(said))

    def _now_on_pile_of(self, row: int) -> int:
        other = self._stand_in(row, -1)
        return row if other is None else other

    def _merge(self, row: int, other: int) -> list[Answer]:
        ours, theirs = self._with(row), self._with(other)

        def is_between(pair: Answer) -> bool:
            ends = {pair.first, pair.second}
            is_crossing = not ends.isdisjoint(ours) and not ends.isdisjoint(theirs)
            return pair.answer == "different" and is_crossing

        if not ours & theirs:
            self._take_back(is_between)
        self._join(row, other)
        return [Answer(row, other, "same")]

    def _move(self, row: int, other: int, text: str) -> list[Answer]:
        goal = self._with(other) if other >= 0 else set()
        if row in goal:
            # It stays where it is, and a person has said so.
            return []
        left = self._take_out(row)
        kept = ("unsure",) if text == "unsure" else ("unsure", "different")
        self._take_back(
            lambda pair: (
                row in pair[:2]
                and (pair.answer not in kept or not goal.isdisjoint(pair[:2]))
            )
        )
        if text == "unsure":
            self.passed.add(row)
            return []
        if other < 0:
            self._begin(row)
        else:
            self._join(row, other)
        said = [Answer(row, other, "same")] if other >= 0 else []
        return said + [Answer(row, rest, "different") for rest in left[:1]]

    def _take_out(self, row: int) -> list[int]:
        """Take a row from its pile, and keep the others on it together."""
        if row not in self.number:
            return []
        self._count_for_others(row, -1)
        number = self.number.pop(row)
        if row in self._apart:
            self._loosen(row)
        left = [other for other in self.rows.pop(number) if other != row]
        if not left:
            self.names.pop(number, None)
            return []
        self.rows[number] = left
        ties = self._take_back(lambda p: p.answer == "same" and row in p[:2])
        ends = {end for pair in ties for end in pair[:2]} - {row, left[0]}
        self._say(Answer(left[0], end, "same") for end in sorted(ends))
        return left

    def _with(self, row: int) -> set[int]:
        """Return the rows of the pile of a row, or the row alone."""
        return set(self.rows[self.number[row]]) if row in self.number else {row}

    def _look_for_contradictions(self, row: int, others: Iterable[int]) -> None:
        for other in others:
            is_one_pile = self.number.get(row, -1) == self.number.get(other, -2)
            if is_one_pile and other in self._others(row):
                self.contradicted.add((min(row, other), max(row, other)))

    def _find_contradictions(self) -> None:
        """Look for all of them anew, because some may be gone."""
        self.contradicted.clear()
        for row, others in list(self._apart.items()):
            self._look_for_contradictions(row, others)
