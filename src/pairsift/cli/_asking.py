"""The loop of ``pairsift query``: show a pair, take an answer, write it down."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pairsift._words import printable
from pairsift.cli._keys import Reader, action_of, uninterrupted
from pairsift.cli._numbers import Differences
from pairsift.cli._output import replace_constraints
from pairsift.cli._ranking import PAIR_METHOD, find_method
from pairsift.cli._screen import KEYS, Line, Page, View
from pairsift.cli._tables import scale
from pairsift.exceptions import PairsiftError
from pairsift.reports import (
    JUDGED,
    Table,
    doubt_text,
    doubtful,
    doubtful_answers,
    row_name,
)

if TYPE_CHECKING:
    from pairsift.active import ActiveSession, Answer
    from pairsift.constraints import PairConstraints

SAID = {"same": "the same", "different": "different", "unsure": "unsure"}
AIM = 30
"""Number of answers that a page counts to when none is given: enough for a ranking."""
# No terminal shows more.
MOST_LINES = 200
# An answer that the others find less likely than its contrary.
_UNLIKELY = 0.5


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

    def unlikely(self, pairs: PairConstraints) -> list[Any]:
        """Return the answers that the others speak against, the least likely first."""
        judge = self._selector
        if not hasattr(judge, "doubtful_answers"):
            judge = find_method(PAIR_METHOD)[0]()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                judge.fit(self._X, constraints=pairs)
        except PairsiftError:
            return []
        return doubtful_answers(judge, self._X, pairs, _UNLIKELY)


class Doubt(NamedTuple):
    """An answer worth a second look, and why."""

    pair: tuple[int, int]
    text: str


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
    _doubt: Doubt | None = None
    """The answer that is looked at again, in place of a new question."""
    _doubts: tuple[PairConstraints, list[Doubt]] | None = None
    """The answers in doubt among some pairs, because to judge them takes time."""
    _looked_at: set[tuple[int, int]] = field(default_factory=set)

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
        pair, page = self._next()
        if pair is None and not self.reader.is_person:
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
            self._act(action, pair)
        return True

    def _next(self) -> tuple[tuple[int, int] | None, Page]:
        with self.view.waiting("Choosing the next pair"):
            pair = None if self._is_done() else self.session.ask()
            if self._doubt is not None:
                pair = self._doubt.pair
            return pair, self._page(pair)

    def _is_done(self) -> bool:
        n_answers, n_rows = len(self.session.history), self.session.n_samples
        n_most = n_rows * (n_rows - 1) // 2
        return n_answers >= min(n_most, self.max_queries or n_most)

    def _read(self, page: Page) -> str:
        """Return what to do, after as many keys as it takes."""
        self.view.show(page)
        accepted = ["undo", "back", "quit"]
        if page.pair is not None:
            accepted += [*SAID, "help"]
        while True:
            typed = self.reader.read(lambda: self.view.show(page))
            action = action_of(typed)
            if action == "help" and action in accepted:
                for _ in self.view.help():
                    self.reader.read(self._nothing)
                if self.reader.is_person:
                    self.view.show(page)
            elif action in accepted:
                return action
            else:
                self.view.show(replace(page, remark=_wrong(typed, page)))

    def _nothing(self) -> None:
        """Leave the help as it is when the window changes."""

    def _act(self, action: str, pair: tuple[int, int] | None) -> None:
        doubt, self._doubt = self._doubt, None
        if doubt is not None and action != "undo":
            self._revise(doubt.pair, action)
        elif doubt is not None:
            self.remark = "left as it was."
        elif action == "undo":
            self._undo()
        elif pair is not None:
            self._tell(pair, action)
            self.write()

    def _tell(
        self, pair: tuple[int, int], answer: str, *, replace: bool = False
    ) -> None:
        with warnings.catch_warnings():
            # The page says so when answers contradict each other.
            warnings.simplefilter("ignore")
            self.session.tell(*pair, answer, replace=replace)

    def _look_back(self) -> None:
        """Take up the most doubtful answer that was not looked at again yet."""
        pairs = self.session.constraints
        if self._doubts is None or self._doubts[0] != pairs:
            with self.view.waiting("Looking for doubtful answers"):
                self._doubts = pairs, self._all_doubts(pairs)
        doubts = self._doubts[1]
        new = [doubt for doubt in doubts if doubt.pair not in self._looked_at]
        self._doubt = new[0] if new else None
        if new:
            self._looked_at.add(new[0].pair)
            return
        self._looked_at.clear()
        n_answers = len(self.session.history)
        if doubts:
            self.remark = "that were all answers in doubt."
        elif n_answers < JUDGED.start:
            self.remark = f"too few answers to doubt one: {JUDGED.start} are needed."
        elif n_answers >= JUDGED.stop:
            self.remark = f"only up to {JUDGED.stop - 1} answers are judged."
        else:
            self.remark = "no answer is in doubt: the others agree with each of them."

    def _all_doubts(self, pairs: PairConstraints) -> list[Doubt]:
        """Return the answers of contradictions, the last first, or unlikely ones."""
        conflicts = pairs.conflicts()
        if not conflicts:
            return [
                Doubt((answer.first, answer.second), doubt_text(answer))
                for answer in self.top.unlikely(pairs)
            ]
        chain = conflicts[0].chain
        ends = [*pairwise(chain), (chain[0], chain[-1])]
        rows = {frozenset(pair) for pair in ends}
        return [
            Doubt((a.first, a.second), f"you said {SAID[a.answer]}.")
            for a in reversed(self._pairs())
            if {a.first, a.second} in rows
        ]

    def _pairs(self) -> list[Answer]:
        """Return the answers on pairs."""
        from pairsift.active import Answer

        return [a for a in self.session.history if isinstance(a, Answer)]

    def _revise(self, pair: tuple[int, int], answer: str) -> None:
        from pairsift.active._answers import as_constraints

        *_, said = next(a for a in self._pairs() if {*a[:2]} == {*pair})
        first, second = map(self.name, pair)
        if said == answer:
            self.remark = f"{first} and {second} stay {SAID[answer]}."
            return
        # Both versions of the session hold what is in the file at any time.
        rest = [a for a in self.session.history if a[:2] not in (pair, pair[::-1])]
        pairs = as_constraints(rest, self.session.n_samples)
        replace_constraints(pairs, self.out, self.table.ids)
        self._tell(pair, answer, replace=True)
        self.write()
        self.remark = f"{first} and {second} are {SAID[answer]} now."

    def _undo(self) -> None:
        from pairsift.active._answers import as_constraints

        if not self.session.history:
            self.remark = "there is no answer to take back."
            return
        # Written first: the file never holds what the session does not know.
        *rest, last = self.session.history
        pairs = as_constraints(rest, self.session.n_samples)
        replace_constraints(pairs, self.out, self.table.ids)
        self.session.undo()
        # An answer that it had replaced stands again.
        self.write()
        rows = dict.fromkeys(row for pair in last.pairs() for row in pair[:2])
        said = SAID.get(str(last.answer), str(last.answer))
        self.remark = f"taken back: {' and '.join(map(self.name, rows))} {said}."

    def write(self) -> None:
        """Bring the file of constraints up to date."""
        replace_constraints(self.session.constraints, self.out, self.table.ids)

    def _page(self, pair: tuple[int, int] | None) -> Page:
        counts = self.counts()
        said = f"{counts['same']} same, {counts['different']} different"
        remark, self.remark = self.remark, ""
        best = self.best()
        return Page(
            title=printable(self.title),
            progress=self._progress(is_done=pair is None),
            counts=f"{said}, {counts['unsure']} unsure",
            pair=pair and (self.name(pair[0]), self.name(pair[1])),
            lines=self._lines(*pair, best) if pair else (),
            n_columns=self.table.features.shape[1],
            top=self._top_text(best),
            contradiction=self._contradiction_text(),
            remark=remark,
            said=self._doubt.text if self._doubt else "",
        )

    def _progress(self, *, is_done: bool) -> str:
        n_answers = len(self.session.history)
        if self._doubt is not None:
            return "second look"
        if is_done and self.max_queries and n_answers >= self.max_queries:
            return f"all {self.max_queries} questions answered"
        if is_done:
            return f"all {n_answers} pairs asked"
        if n_answers < self.aim:
            return f"question {n_answers + 1} of {self.aim}"
        return f"question {n_answers + 1}, {self.aim} were the aim"

    @property
    def aim(self) -> int:
        """Number of answers to count to."""
        return self.max_queries or AIM

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
        ends = {row for pair in last.pairs() for row in pair[:2]}
        conflict = next((c for c in conflicts if ends <= set(c.chain)), conflicts[0])
        chain = " - ".join(map(self.name, conflict.chain))
        a, b = map(self.name, conflict.cannot_link)
        return f"{chain} were said to be the same, and {a} and {b} different"

    def _contradiction_text(self) -> str:
        text = self.contradiction()
        return text and f"{text}: b goes back to these answers, z undoes the last."

    def best(self) -> list[str]:
        """Return the best features by the answers so far, none if they do not do."""
        return self.top.of(self.session.constraints)

    def doubts(self) -> list[str]:
        """Return the answers so far that the others speak against, in sentences."""
        return self.top.doubts(self.session.constraints)

    def _top_text(self, best: list[str]) -> str:
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

    def _lines(self, i: int, j: int, best: list[str]) -> list[Line]:
        features = self.table.features
        delta = self._differences.between(i, j)
        numbers = set(features.select_dtypes("number"))
        order = np.argsort(-np.where(np.isnan(delta), -1.0, delta), kind="stable")
        is_best = features.columns.isin(best)
        is_shown = is_best[order] | (np.arange(order.size) < MOST_LINES)
        return [
            Line(
                name=printable(features.columns[k]),
                first=_cell(features.iat[i, k]),
                second=_cell(features.iat[j, k]),
                difference=float(delta[k]),
                is_text=features.columns[k] not in numbers,
                is_best=bool(is_best[k]),
            )
            for k in order[is_shown].tolist()
        ]


def _cell(value: Any) -> str:
    import pandas as pd

    return "–" if pd.isna(value) else printable(value)


def _wrong(typed: str, page: Page) -> str:
    key = repr(typed) if typed.isprintable() and typed else "that key"
    if page.pair is None:
        return f"{key} is no answer here: z undo, b back, q quit."
    words = ", ".join(f"{key} {word}" for key, word in KEYS)
    return f"{key} is no answer: {words}."
