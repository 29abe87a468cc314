"""The loop of ``pairsift query``: show a question, take an answer, write it down."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pairsift.cli._best import BestFeatures
from pairsift.cli._doubts import SAID, Doubt, find_doubts, is_card, question_of
from pairsift.cli._keys import Reader, action_of, uninterrupted
from pairsift.cli._output import replace_constraints
from pairsift.cli._page_texts import PageTexts
from pairsift.cli._pages import CardPage, Page, pile_key, pile_keys
from pairsift.cli._screen import View
from pairsift.exceptions import ConstraintError
from pairsift.reports import JUDGED, Table

if TYPE_CHECKING:
    from pairsift.active import ActiveSession, Answer, PileChange, Placement

# What is asked: a pair, a card, or nothing any more.
Question = Any


@dataclass
class Asking:
    """One run of questions; the session holds what has been answered."""

    session: ActiveSession
    table: Table
    title: str
    out: Path
    best: BestFeatures
    view: View
    reader: Reader
    mode: str
    max_queries: int | None = None
    remark: str = ""
    texts: PageTexts = field(init=False)
    _doubt: Doubt | None = None
    """The answer that is looked at again, in place of a new question."""
    _doubts: tuple[list[Answer | Placement | PileChange], list[Doubt]] | None = None
    """The answers in doubt after some history, because to judge them takes time."""
    _looked_at: set[tuple[int, ...]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.texts = PageTexts(self.session, self.table, self.best, self.mode)

    def run(self) -> None:
        """Ask until the person quits; Ctrl-C is another way to do so."""
        try:
            while self._step():
                pass
        except KeyboardInterrupt:
            pass

    def _step(self) -> bool:
        with self.view.waiting("Choosing the next question"):
            question = self._next()
            page = self._page(question)
        if question is None and not self.reader.is_person:
            self.view.show(page)
            return False
        # A key pressed before the question was there is no answer to it.
        self.reader.discard()
        action = self._read(page)
        if action == "quit":
            return False
        if action == "back":
            self._look_back()
            return True
        with uninterrupted():
            self._act(action, question)
        return True

    def _next(self) -> Question:
        if self._doubt is not None:
            rows = self._doubt.rows
            return self.session.card(*rows) if len(rows) == 1 else rows
        if self.max_queries and len(self.session.history) >= self.max_queries:
            return None
        try:
            is_cards = self.mode == "cards"
            return self.session.ask_card() if is_cards else self.session.ask()
        except ConstraintError:
            return None

    # ------------------------------------------------------------------ what is typed

    def _read(self, page: Page) -> str | int:
        """Return what to do, or the number of a pile."""
        n_turned = 0

        def show() -> None:
            self.view.show(page, n_turned)

        show()
        while True:
            typed = self.reader.read(show)
            if typed == "#" and self.reader.is_person:
                typed = self._read_number(page)
            action = self._meaning(typed, page)
            if action == "help":
                for _ in self.view.help(page.help):
                    self.reader.read(self._nothing)
                if self.reader.is_person:
                    show()
            elif action == "more":
                n_turned += 1
                show()
            elif action is not None:
                return action
            else:
                remark = _wrong(typed, page)
                self.view.show(replace(page, remark=remark), n_turned)

    def _read_number(self, page: Page) -> str:
        """Return the number of a pile, typed key by key up to Enter."""
        number = "#"
        while True:
            self.view.show(replace(page, remark=f"pile {number}, then Enter"))
            typed = self.reader.read(self._nothing)
            if not typed.isdigit():
                return number if typed in "\r\n" else typed
            number += typed

    def _meaning(self, typed: str, page: Page) -> str | int | None:
        """Return what was typed means on a page, None if nothing."""
        question = page.question
        if isinstance(question, CardPage):
            numbers = [pile.number for pile in question.piles]
            by_key = {pile_key(number): number for number in numbers}
            by_key |= {mark + str(n): n for n in numbers for mark in ("", "#")}
            if typed.lower() in by_key:
                return by_key[typed.lower()]
        action = action_of(typed)
        accepted = ["undo", "redo", "back", "quit"]
        if question is not None:
            is_cards = isinstance(question, CardPage)
            accepted += ["help", *(("new", "unsure", "more") if is_cards else SAID)]
        return action if action in accepted else None

    def _nothing(self) -> None:
        """Leave the page as it is when the window changes."""

    # ------------------------------------------------------------------- what is done

    def _act(self, action: str | int, question: Question) -> None:
        doubt, self._doubt = self._doubt, None
        if doubt is not None and action == "undo":
            self.remark = "left as it was."
        elif action in ("undo", "redo"):
            self._step_back(str(action))
        elif doubt is not None:
            self._revise(doubt, action)
        elif question is not None:
            self._answer(question, action)

    def _answer(
        self, question: Question, answer: str | int, *, replaces: bool = False
    ) -> None:
        """Write an answer down; the file of pairs follows at once."""
        from pairsift.active import Card

        with warnings.catch_warnings():
            # The page says so when answers contradict each other.
            warnings.simplefilter("ignore")
            if isinstance(question, Card):
                self.session.place(question.row, answer, replace=replaces)
            else:
                first, second = question
                self.session.tell(first, second, str(answer), replace=replaces)
        self.write()
        if self.reader.is_person:
            self.remark = f"saved: {self.texts.answer(self.session.history[-1])}."

    def _revise(self, doubt: Doubt, answer: str | int) -> None:
        history = self.session.history
        said = next(a for a in history if {*question_of(a)} == {*doubt.rows})
        present: str | int = said.answer
        if is_card(said) and present != "unsure":
            present = int(self.session.labels[doubt.rows[0]])
        if answer == present:
            self.remark = f"it stays: {self.texts.answer(said)}."
            return
        is_one = len(doubt.rows) == 1
        question = self.session.card(*doubt.rows) if is_one else doubt.rows
        self._answer(question, answer, replaces=True)
        self.remark = f"changed: {self.texts.answer(self.session.history[-1])}."

    def _step_back(self, kind: str) -> None:
        """Take an answer back, or give it again."""
        try:
            # Read before it is taken back, while its pile is there.
            last = self.texts.answer(self.session.history[-1]) if kind == "undo" else ""
            said = self.session.undo() if kind == "undo" else self.session.redo()
        except IndexError:
            self.remark = "there is no answer to take back."
            return
        except ConstraintError as error:
            self.remark = str(error)
            return
        self.write()
        last = last or self.texts.answer(said)
        self.remark = f"{'taken back' if kind == 'undo' else 'given again'}: {last}."

    def write(self) -> None:
        """Bring the file of constraints up to date."""
        replace_constraints(self.session.constraints, self.out, self.table.ids)

    def _look_back(self) -> None:
        """Take up the most doubtful answer that was not looked at again yet."""
        history = self.session.history
        if self._doubts is None or self._doubts[0] != history:
            with self.view.waiting("Looking for doubtful answers"):
                self._doubts = history, find_doubts(self.session, self.best)
        doubts = self._doubts[1]
        new = [doubt for doubt in doubts if doubt.rows not in self._looked_at]
        self._doubt = new[0] if new else None
        if new:
            self._looked_at.add(new[0].rows)
            return
        self._looked_at.clear()
        if doubts:
            self.remark = "that were all answers in doubt."
        elif len(history) < JUDGED.start:
            self.remark = f"too few answers to doubt one: {JUDGED.start} are needed."
        else:
            self.remark = "no answer is in doubt: the others agree with each of them."

    def _page(self, question: Question) -> Page:
        remark, self.remark = self.remark, ""
        said = self._doubt.text if self._doubt else ""
        is_done = question is None
        progress = self.texts.progress(self.max_queries, is_done=is_done)
        return Page(
            title=self.title,
            progress="second look" if said else progress,
            counts=self.texts.counts(),
            question=self.texts.question(question),
            top=self.texts.top(),
            advice=self.texts.advice(),
            contradiction=self.texts.contradiction_hint(),
            remark=remark,
            said=said,
        )


def _wrong(typed: str, page: Page) -> str:
    key = repr(typed) if typed.isprintable() and typed else "that key"
    words = [f"{key} {word}" for key, word in page.keys]
    if isinstance(page.question, CardPage) and page.question.piles:
        words.insert(0, f"{pile_keys(page.question.piles)} pile")
    where = "" if page.question is not None else " here"
    return f"{key} is no answer{where}: {', '.join(words)}."
