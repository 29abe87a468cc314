"""The loop of ``pairsift query``: show a couple, take an answer, write it down."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pairsift.cli._keys import Reader, action_of, uninterrupted
from pairsift.cli._numbers import Differences
from pairsift.cli._output import replace_constraints
from pairsift.cli._ranking import doubtful
from pairsift.cli._screen import Line, Page, View
from pairsift.cli._tables import Table, row_name, scale
from pairsift.cli._words import printable
from pairsift.exceptions import PairsiftError

if TYPE_CHECKING:
    from pairsift.active import ActiveSession
    from pairsift.constraints import PairConstraints

SAID = {"same": "the same", "different": "different", "unsure": "unsure"}
# No terminal shows more.
MOST_LINES = 200


class TopFeatures:
    """The ranking that the answers so far give."""

    def __init__(
        self, selector: Any, method: Any, table: Table, n_shown: int, *, is_scaled: bool
    ) -> None:
        self._selector, self._n_shown = selector, n_shown
        self._X = scale(table.features) if is_scaled else table.features
        self._table = table
        self.method = method

    def of(self, pairs: PairConstraints) -> list[str]:
        """Return the best features; none as long as the answers do not suffice."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self._selector.fit(self._X, constraints=pairs)
        except PairsiftError:
            return []
        names = list(self._X.columns)
        return [names[j] for j in self._selector.order_[: self._n_shown].tolist()]

    def doubts(self, pairs: PairConstraints) -> list[str]:
        """Return a sentence on every answer that the others speak against."""
        return doubtful(self._selector, self._X, pairs, self._table)


@dataclass
class Asking:
    """One run of questions; the session holds what has been answered."""

    session: ActiveSession
    table: Table
    title: str
    out: Path
    top: TopFeatures
    view: View
    reader: Reader
    max_queries: int | None = None
    remark: str = ""
    _differences: Differences = field(init=False)

    def __post_init__(self) -> None:
        self._differences = Differences(self.table.features)

    def run(self) -> None:
        """Ask until somebody quits; Ctrl-C is another way to do so."""
        try:
            while self._step():
                pass
        except KeyboardInterrupt:
            pass

    def _step(self) -> bool:
        couple, page = self._next()
        if couple is None and not self.reader.is_person:
            self.view.show(page)
            return False
        # A key pressed before the question was there is no answer to it.
        self.reader.discard()
        action = self._read(page)
        if action == "quit":
            return False
        with uninterrupted():
            self._act(action, couple)
        return True

    def _next(self) -> tuple[tuple[int, int] | None, Page]:
        with self.view.waiting("Choosing the next couple"):
            couple = None if self._is_done() else self.session.ask()
            return couple, self._page(couple)

    def _is_done(self) -> bool:
        n_answers, n_rows = len(self.session.history), self.session.n_samples
        n_most = n_rows * (n_rows - 1) // 2
        return n_answers >= min(n_most, self.max_queries or n_most)

    def _read(self, page: Page) -> str:
        """Return what to do, after as many keys as it takes."""
        self.view.show(page)
        accepted = ["undo", "quit"]
        if page.couple is not None:
            accepted += [*SAID, "help"]
        while True:
            typed = self.reader.read(lambda: self.view.show(page))
            action = action_of(typed)
            if action == "help" and action in accepted:
                if self.view.help():
                    self.reader.read(self._nothing)
                    self.view.show(page)
            elif action in accepted:
                return action
            else:
                self.view.show(replace(page, remark=_wrong(typed, page)))

    def _nothing(self) -> None:
        """Leave the help as it is when the window changes."""

    def _act(self, action: str, couple: tuple[int, int] | None) -> None:
        if action == "undo":
            self._undo()
        elif couple is not None:
            self.session.tell(*couple, action)
            self.write()

    def _undo(self) -> None:
        from pairsift.active._session import as_constraints

        if not self.session.history:
            self.remark = "there is no answer to take back."
            return
        # Written first: the file never holds what the session does not know.
        *rest, last = self.session.history
        pairs = as_constraints(rest, self.session.n_samples)
        replace_constraints(pairs, self.out, self.table.ids)
        self.session.undo()
        first, second = map(self.name, last[:2])
        self.remark = f"taken back: {first} and {second} {SAID[last.answer]}."

    def write(self) -> None:
        """Bring the file of constraints up to date."""
        replace_constraints(self.session.constraints, self.out, self.table.ids)

    def _page(self, couple: tuple[int, int] | None) -> Page:
        counts = self.counts()
        said = f"{counts['same']} same, {counts['different']} different"
        remark, self.remark = self.remark, ""
        return Page(
            title=printable(self.title),
            progress=self._progress(is_done=couple is None),
            counts=f"{said}, {counts['unsure']} unsure",
            couple=couple and (self.name(couple[0]), self.name(couple[1])),
            lines=self._lines(*couple) if couple else (),
            n_columns=self.table.features.shape[1],
            top=self._top_text(),
            contradiction=self._contradiction_text(),
            remark=remark,
        )

    def _progress(self, *, is_done: bool) -> str:
        n_answers = len(self.session.history)
        if is_done and self.max_queries and n_answers >= self.max_queries:
            return f"all {self.max_queries} questions answered"
        if is_done:
            return f"all {n_answers} couples asked"
        limit = f" of {self.max_queries}" if self.max_queries else ""
        return f"question {n_answers + 1}{limit}"

    def counts(self) -> dict[str, int]:
        """Return how many answers of each kind there are."""
        answers = [answer.answer for answer in self.session.history]
        return {kind: answers.count(kind) for kind in SAID}

    def name(self, row: int) -> str:
        """Return how a row is called."""
        ids = self.table.ids
        name = printable(row_name(row, ids))
        return name if ids is not None else f"row {name}"

    def contradiction(self) -> str:
        """Say how answers contradict each other; empty when they do not."""
        conflicts = self.session.constraints.conflicts()
        if not conflicts:
            return ""
        last = self.session.history[-1]
        # The one that the last answer made, if any.
        ends = {last.first, last.second}
        conflict = next((c for c in conflicts if ends <= set(c.chain)), conflicts[0])
        chain = " - ".join(map(self.name, conflict.chain))
        a, b = map(self.name, conflict.cannot_link)
        return f"{chain} were said to be the same, and {a} and {b} different"

    def _contradiction_text(self) -> str:
        text = self.contradiction()
        return text and f"{text}: z takes the last answer back."

    def best(self) -> list[str]:
        """Return the best features by the answers so far, none if they do not do."""
        return self.top.of(self.session.constraints)

    def doubts(self) -> list[str]:
        """Return the answers so far that the others speak against, in sentences."""
        return self.top.doubts(self.session.constraints)

    def _top_text(self) -> str:
        best = self.best()
        if best:
            return f"best features so far: {', '.join(map(printable, best))}"
        return f"best features so far: none yet, {self.lacking()}."

    def lacking(self) -> str:
        """Say which answers the method waits for."""
        name = self.top.method["name"]
        if self.contradiction():
            return f"{name} needs answers that agree"
        needs = self.top.method["needs"].replace(" (or labels)", "")
        needs = needs.replace("labels (or must-links)", "must-links")
        for link, word in (("must-links", '"same"'), ("cannot-links", '"different"')):
            needs = needs.replace(link, word)
        return f"{name} needs answers {needs}"

    def _lines(self, i: int, j: int) -> list[Line]:
        features = self.table.features
        delta = self._differences.between(i, j)
        numbers = set(features.select_dtypes("number"))
        order = np.argsort(-np.where(np.isnan(delta), -1.0, delta), kind="stable")
        return [
            Line(
                name=printable(features.columns[k]),
                first=_cell(features.iat[i, k]),
                second=_cell(features.iat[j, k]),
                difference=float(delta[k]),
                is_text=features.columns[k] not in numbers,
            )
            for k in order[:MOST_LINES].tolist()
        ]


def _cell(value: Any) -> str:
    import pandas as pd

    return "–" if pd.isna(value) else printable(value)


def _wrong(typed: str, page: Page) -> str:
    key = repr(typed) if typed.isprintable() and typed else "that key"
    if page.couple is None:
        return f"{key} is no answer here: z undo, q quit."
    return f"{key} is no answer: s same, d different, u unsure, z undo, q quit, ? help."
