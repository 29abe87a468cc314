"""The desk at which people sort: whose turn it is, and what they are shown."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pairsift._typing import IndexArray
from pairsift.active import (
    ActiveSession,
    Answer,
    Card,
    Note,
    Placement,
    contradictions_shown,
)
from pairsift.constraints import PairConstraints
from pairsift.exceptions import ConstraintError
from pairsift.webapp._conflicts import conflicts_of
from pairsift.webapp._insight import Insight
from pairsift.webapp._opinion import link_probabilities
from pairsift.webapp._people import Holds, agreement, disagreements, second_card
from pairsift.webapp._samples import MAX_CELLS, Samples
from pairsift.webapp._worker import Worker

if TYPE_CHECKING:
    import pandas as pd

MODES = ("cards", "pairs")
# Piles that are compared with a card from the start, and rows of a pile shown at once.
MAX_COMPARED = 12
MAX_MEMBERS = 60
Json = dict[str, Any]


class StaleError(ConstraintError):
    """An answer to a question that is not asked any more."""


class Question(NamedTuple):
    """What a person is asked.

    kind : "card", "again" (a card that another person has placed), "pair" or "end".
    id : names the question and how often it was answered, so that no answer counts
        twice, also after a restart.
    """

    kind: str
    rows: tuple[int, ...]
    id: str


class Desk:
    """A session as people see it; all requests of the page end here.

    Parameters
    ----------
    session : ActiveSession
        Holds all answers.
    samples : Samples
        How rows are shown.
    features : DataFrame
        The data of the session in their own units; their names are shown, and the
        report is about them.
    title : str
        What is sorted, such as the name of a file.
    mode : {"cards", "pairs"}
        What is asked first; people may change it.
    person : str
        The name of those who do not say it.
    share : float
        Share of the cards that two people answer, if there are several.
    """

    def __init__(
        self,
        session: ActiveSession,
        samples: Samples,
        features: pd.DataFrame,
        *,
        title: str = "",
        mode: str = "cards",
        person: str = "",
        share: float = 0.0,
    ) -> None:
        self.session, self.samples, self.frame = session, samples, features
        self.features = [str(name) for name in features.columns]
        self.title, self.mode, self.person, self.share = title, mode, person, share
        self.insight = Insight(session, self.features)
        self._holds = Holds()
        # What each person looks at, and a thread that looks ahead.
        self._present: dict[str, Question] = {}
        self._ahead = Worker(self._prepare)
        self._lock = threading.RLock()

    def start(self) -> None:
        """Begin to rank features, and to prepare cards, while people look."""
        self.insight.worker.start()
        self._ahead.start()

    def stop(self) -> None:
        """End both threads."""
        self.insight.worker.stop()
        self._ahead.stop()

    # ------------------------------------------------------------------- what is shown

    def about(self) -> Json:
        """Return what does not change."""
        return {
            "title": self.title,
            "mode": self.mode,
            "person": self.person,
            "looks": self.samples.looks.kind,
            "rows": self.session.n_samples,
            "columns": len(self.samples.columns),
            "is_shared": self.share > 0,
        }

    def state(self, person: str, mode: str) -> Json:
        """Return the question of a person, and all that follows from the answers."""
        with self._lock:
            session = self.session
            question = self._present[person] = self._question(person, mode)
            self._ahead.wake()
            labels = session.labels
            return {
                "version": self.session.version,
                "question": self._shown(question),
                "piles": self._piles(),
                "counts": self._counts(labels),
                "labels": _by_row(labels),
                "can_undo": bool(session.history),
                "can_redo": session.n_undone > 0,
                "conflicts": conflicts_of(session, self.samples),
            }

    def compare(self, rows: list[int], find: str, first: int) -> Json:
        """Return more cells of rows that are compared."""
        self._check_rows(rows)
        return self.samples.table(rows, find=find, first=first, most=MAX_CELLS)

    def pile(self, number: int, first: int) -> Json:
        """Return the samples on a pile."""
        with self._lock:
            piles = {pile["number"]: pile for pile in self._piles()}
            if number not in piles:
                raise StaleError(f"there is no pile {number} any more.")
            members = np.flatnonzero(self.session.labels == number).tolist()
            version = self.session.version
        shown = members[first : first + MAX_MEMBERS]
        return {
            **piles[number],
            "members": [self.samples.sample(row) for row in shown],
            "table": self.samples.table(shown[:1] + shown) if shown else None,
            "first": first,
            "version": version,
        }

    def card(self, row: int) -> Json:
        """Return a placed sample, to look at again."""
        self._check_rows([row])
        with self._lock:
            label = int(self.session.labels[row])
            return {
                "sample": self.samples.sample(row),
                "table": self.samples.table([row]),
                "pile": label if label >= 0 else None,
                "piles": self._piles(),
                "version": self.session.version,
            }

    def people(self) -> Json:
        """Return how far people agree, and where they do not."""
        with self._lock:
            records, labels = self.session.records, self.session.labels
            version = self.session.version
        differ = disagreements(records, labels)
        return {
            "version": version,
            **agreement(records, labels),
            "disagreements": [
                {
                    "sample": self.samples.sample(found.row),
                    "said": [{"person": who, "pile": pile} for who, pile in found.said],
                    "pile": int(labels[found.row]),
                    "is_settled": found.is_settled,
                }
                for found in differ
            ],
        }

    # ------------------------------------------------------------------- what is done

    def answer(
        self, person: str, mode: str, question: str, said: int | str, seconds: float
    ) -> Json:
        """Take the answer to the present question; refuse it if that has gone."""
        with self._lock, contradictions_shown():
            present = self._question(person, mode)
            if present.id != question:
                raise StaleError("this question was answered already.")
            note = Note(person, seconds)
            if present.kind == "pair":
                if not isinstance(said, str):
                    raise ConstraintError("a pair is 'same', 'different' or 'unsure'.")
                i, j = present.rows
                self.session.tell(i, j, said, note=note)
            elif present.kind == "again":
                self.session.repeat(present.rows[0], said, note=note)
            elif present.kind == "card":
                self.session.place(present.rows[0], said, note=note)
            else:
                raise StaleError("there is nothing to answer.")
            return self._after(person, mode)

    def opinion(self, person: str, mode: str, question: str) -> Json:
        """Return what the model thinks of the present question, and write it down."""
        with self._lock:
            present = self._question(person, mode)
            if present.id != question or present.kind == "end":
                raise StaleError("this question was answered already.")
            is_pair = present.kind == "pair"
            row, *others = present.rows
            numbers = [0]
            if not is_pair:
                piles = self.session.card(row).piles
                others, numbers = [p.shown for p in piles], [p.number for p in piles]
            other = others[0] if is_pair else None
            self.session.note_opinion(row, other, note=Note(person))
        found = link_probabilities(self.session, row, others) if others else None
        return {
            "question": present.id,
            "chances": [
                {"pile": number, "chance": round(chance, 3)}
                for number, chance in zip(numbers, found or [], strict=False)
            ],
        }

    def undo(self, person: str, mode: str, version: int) -> Json:
        """Take the last answer back, if it is the one that the person means."""
        return self._act(person, mode, version, self._undo)

    def redo(self, person: str, mode: str, version: int) -> Json:
        """Give the answer again that was taken back last."""
        return self._act(person, mode, version, self.session.redo)

    def merge(
        self, person: str, mode: str, version: int, pile: int, other: int
    ) -> Json:
        """Make one pile of two."""
        return self._act(
            person,
            mode,
            version,
            lambda note: self.session.merge(pile, other, note=note),
        )

    def move(
        self, person: str, mode: str, version: int, row: int, pile: int | str
    ) -> Json:
        """Put a card on another pile."""
        return self._act(
            person, mode, version, lambda note: self.session.move(row, pile, note=note)
        )

    def rename(
        self, person: str, mode: str, version: int, pile: int, name: str
    ) -> Json:
        """Name a pile."""
        return self._act(
            person,
            mode,
            version,
            lambda note: self.session.rename(pile, name, note=note),
        )

    def retell(
        self, person: str, mode: str, version: int, rows: list[int], said: str
    ) -> Json:
        """Change what was said of a pair."""
        i, j = rows
        return self._act(
            person,
            mode,
            version,
            lambda note: self.session.tell(i, j, said, replace=True, note=note),
        )

    def take_pairs(self, person: str, mode: str, pairs: PairConstraints) -> Json:
        """Take pairs that were answered elsewhere."""
        with self._lock, contradictions_shown():
            n_taken = self.session.tell_all(pairs, note=Note(person))
            return {"taken": n_taken, **self._after(person, mode)}

    # ------------------------------------------------------------------------- inside

    def _act(
        self, person: str, mode: str, version: int, act: Callable[..., Any]
    ) -> Json:
        with self._lock, contradictions_shown():
            if version != self.session.version:
                raise StaleError("something has changed meanwhile: look again.")
            act(note=Note(person))
            return self._after(person, mode)

    def _undo(self, note: Note) -> None:
        answers = [r for r in self.session.records if r.stands and r.kind != "opinion"]
        last = answers[-1] if answers and self.share > 0 else None
        if last is not None and last.person != note.person:
            raise ConstraintError(
                f"the last answer is by {last.person or 'another person'}: move the "
                "card instead."
            )
        self.session.undo(note=note)

    def _after(self, person: str, mode: str) -> Json:
        self._holds.release(person)
        self.insight.worker.wake()
        return self.state(person, mode)

    def _question(self, person: str, mode: str) -> Question:
        try:
            if mode == "pairs":
                return self._named("pair", self.session.ask())
            return self._card_question(person)
        except ConstraintError:
            return Question("end", (), f"end{self.session.version}")

    def _card_question(self, person: str) -> Question:
        held = self._holds.of(person)
        if held is not None and (held[0] == "again" or self.session.is_open(held[1])):
            return self._named(held[0], (held[1],))
        kind, row = "again", None
        if self.share > 0:
            records, labels = self.session.records, self.session.labels
            row = second_card(records, labels, person, self.share)
        if row is None:
            others = self._holds.others(person)
            kind, row = "card", self.session.ask_card(without=others).row
        self._holds.take(person, kind, row)
        return self._named(kind, (row,))

    def _named(self, kind: str, rows: tuple[int, ...]) -> Question:
        names = "-".join(map(str, rows))
        n_times = self.session.n_answers_on(rows[0])
        return Question(kind, rows, f"{kind[0]}{names}.{n_times}")

    def _shown(self, question: Question) -> Json:
        """Return a question with its samples."""
        found: Json = {"id": question.id, "kind": question.kind}
        if question.kind == "end":
            return found
        row, samples = question.rows[0], self.samples
        card = Card(row, [])
        others = list(question.rows[1:])
        if question.kind != "pair":
            # That another person has placed it is not told.
            found["kind"] = "card"
            card = self.session.card(row)
            others = [pile.shown for pile in card.piles]
        compared = others[:MAX_COMPARED]
        found["sample"] = samples.sample(row)
        found["others"] = [samples.sample(other) for other in others]
        found["table"] = samples.table([row, *compared])
        found["order"] = [pile.number for pile in card.piles]
        found["differences"] = [samples.differences(row, other) for other in others]
        if samples.looks.images is not None and question.kind != "pair":
            found["ahead"] = self._next_image(row)
        if samples.looks.texts is not None:
            found["words"] = [samples.words(row, other) for other in compared]
        return found

    def _prepare(self) -> None:
        """Look at the next card before it is asked for.

        Which row that is does not depend on the answer to the present one. Nor do the
        places of its values and the words that differ, which the samples keep. What
        depends on the answer, the order of the piles, is found when it is known.
        """
        with self._lock:
            present = [*self._present.values()]
        looked_at = {row for asked in present for row in asked.rows[:1]}
        with suppress(ConstraintError):
            row = self.session.ask_card(without=looked_at).row
            self._shown(Question("card", (row,), ""))

    def _next_image(self, row: int) -> str | None:
        """Return the picture of the card after this one, to be loaded before."""
        try:
            after = self.session.ask_card(without={row}).row
        except ConstraintError:
            return None
        found: str | None = self.samples.sample(after)["image"]
        return found

    def _piles(self) -> list[Json]:
        labels, names = self.session.labels, self.session.names
        sizes = Counter(labels[labels >= 0].tolist())
        keys = _keys(sorted(sizes))
        return [
            {
                "number": number,
                "name": names.get(number, ""),
                "size": sizes[number],
                "key": keys.get(number),
            }
            for number in sorted(sizes)
        ]

    def _counts(self, labels: IndexArray) -> Json:
        said = Counter((type(said), said.answer) for said in self.session.history)
        return {
            "cards": sum(n for (kind, _), n in said.items() if kind is Placement),
            "sorted": int((labels >= 0).sum()),
            "same": said[Answer, "same"],
            "different": said[Answer, "different"],
            "unsure": said[Answer, "unsure"] + said[Placement, "unsure"],
        }

    def _check_rows(self, rows: list[int]) -> None:
        n_rows = self.session.n_samples
        if not rows or not all(0 <= row < n_rows for row in rows):
            raise ConstraintError(f"rows must be from 0 to {n_rows - 1}.")


def _by_row(labels: IndexArray) -> dict[str, int]:
    """Return the piles of the sorted rows; the names of JSON objects are text."""
    rows = np.flatnonzero(labels >= 0)
    return dict(zip(map(str, rows.tolist()), labels[rows].tolist(), strict=True))


def _keys(numbers: list[int]) -> dict[int, int]:
    """Return the digit that places a card on each pile, for nine piles.

    A pile keeps the digit of its number; the tenth and later get those that are free.
    """
    keys = {number: number for number in numbers if number <= 9}
    free = [digit for digit in range(1, 10) if digit not in keys]
    later = [number for number in numbers if number > 9]
    return keys | dict(zip(later, free, strict=False))
