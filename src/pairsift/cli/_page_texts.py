"""What the pages of ``pairsift query`` say about a session and its table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pairsift._words import printable
from pairsift.cli._best import BestFeatures, has_piles
from pairsift.cli._doubts import SAID, is_card, links_of, question_of
from pairsift.cli._numbers import Differences
from pairsift.cli._pages import CardLine, CardPage, Line, PairPage, PileHead, pile_key
from pairsift.reports import Table, row_name

if TYPE_CHECKING:
    from pairsift.active import ActiveSession, Answer, Card, PileChange, Placement

# What was done to piles on the labelling page.
DONE = {"merge": "merged with another", "name": "named", "repeat": "confirmed"}
AIM = 30
"""Number of answers that a page counts to when none is given: enough for a ranking."""
# No terminal shows more.
MAX_LINES = 200


class PageTexts:
    """Says what is asked, what is known, and what remains to be done."""

    def __init__(
        self, session: ActiveSession, table: Table, best: BestFeatures, mode: str
    ) -> None:
        self._session, self._table, self._best = session, table, best
        self._mode = mode
        self._differences = Differences(table.features)
        self._top: tuple[list[Answer | Placement | PileChange], list[str]] | None = None

    def best(self) -> list[str]:
        """Return the best features by the answers so far, none if they do not do."""
        history = self._session.history
        if self._top is None or self._top[0] != history:
            self._top = history, self._best.of(self._session) if history else []
        return self._top[1]

    def name(self, row: int) -> str:
        """Return how a row is called."""
        ids = self._table.ids
        name = printable(row_name(row, ids))
        return name if ids is not None else f"row {name}"

    def answer(self, said: Answer | Placement | PileChange) -> str:
        """Return an answer in words."""
        rows = question_of(said)
        name, number = self.name(rows[0]), int(self._session.labels[rows[0]])
        if not is_card(said):
            return f"{name} and {self.name(rows[1])} {SAID[str(said.answer)]}"
        if said.answer in DONE:
            return f"the pile of {name} {DONE[str(said.answer)]}"
        if said.answer in ("unsure", "new") or number < 0:
            return f"{name} {'unsure' if said.answer == 'unsure' else 'on a new pile'}"
        return f"{name} on pile {pile_key(number)}"

    # ------------------------------------------------------------------ what is asked

    def question(self, asked: Any) -> PairPage | CardPage | None:
        """Return a pair or a card with the values of its rows."""
        from pairsift.active import Card

        if asked is None:
            return None
        n_columns = self._table.features.shape[1]
        if isinstance(asked, Card):
            return self._card(asked, n_columns)
        i, j = asked
        names = self.name(i), self.name(j)
        return PairPage(names, self._pair_lines(i, j), n_columns)

    def _card(self, card: Card, n_columns: int) -> CardPage:
        piles = [
            PileHead(pile.number, len(pile.rows), self.name(pile.shown))
            for pile in card.piles
        ]
        shown = [pile.shown for pile in card.piles]
        return CardPage(
            self.name(card.row), piles, self._card_lines(card.row, shown), n_columns
        )

    def _card_lines(self, row: int, shown: list[int]) -> list[CardLine]:
        """Return the best features first, then where the rows differ most."""
        features, best = self._table.features, self.best()
        width = self._differences.within([row, *shown])
        ranks = {name: rank for rank, name in enumerate(best)}
        rank = np.array([ranks.get(name, len(best)) for name in features.columns])
        order = np.lexsort((-width, rank))[:MAX_LINES]
        apart = [self._differences.between(row, other) for other in shown]
        return [
            CardLine(
                name=printable(features.columns[k]),
                card=_cell(features.iat[row, k]),
                piles=[_cell(features.iat[other, k]) for other in shown],
                differences=[float(difference[k]) for difference in apart],
                is_best=bool(rank[k] < len(best)),
            )
            for k in order.tolist()
        ]

    def _pair_lines(self, i: int, j: int) -> list[Line]:
        features = self._table.features
        delta = self._differences.between(i, j)
        numbers = set(features.select_dtypes("number"))
        order = np.argsort(-np.where(np.isnan(delta), -1.0, delta), kind="stable")
        is_best = features.columns.isin(self.best())
        is_shown = is_best[order] | (np.arange(order.size) < MAX_LINES)
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

    # ------------------------------------------------------------------ what is known

    def counts(self) -> str:
        """Say how many answers of each kind there are, in the words of the mode."""
        said = count_answers(self._session)
        unsure = f"{said['unsure']} unsure"
        if self._mode == "pairs":
            cards = f"{said['cards']} cards, " if said["cards"] else ""
            return (
                f"{cards}{said['same']} same, {said['different']} different, {unsure}"
            )
        sizes = [len(rows) for rows in self._session.piles]
        return f"{_number(len(sizes), 'pile')}, {_number(sum(sizes), 'row')}, {unsure}"

    def progress(self, max_queries: int | None, *, is_done: bool) -> str:
        """Say how far the person has come."""
        n_answers = len(self._session.history)
        aim = max_queries or AIM
        if is_done and max_queries and n_answers >= max_queries:
            return f"all {max_queries} questions answered"
        is_sorting = self._session.settings["strategy"] == "sort"
        if is_done and (is_sorting or self._mode == "cards"):
            return f"all {self._session.n_samples:,} rows sorted"
        if is_done:
            return f"all {n_answers} pairs asked"
        word = "card" if self._mode == "cards" else "question"
        if n_answers < aim:
            return f"{word} {n_answers + 1} of {aim}"
        return f"{word} {n_answers + 1}, {aim} were the aim"

    def top(self) -> str:
        """Name the best features so far."""
        if self.best():
            return f"best features so far: {', '.join(map(printable, self.best()))}"
        return f"best features so far: none yet, {self._best.lacking(self._session)}."

    def advice(self) -> str:
        """Say whether more answers are needed, as far as that is known."""
        from pairsift.active import N_ANSWERS

        session = self._session
        if session.settings["strategy"] == "eigenvector":
            return (
                "by the rule of this strategy at least "
                f"{_number(session.suggested_questions_, 'answer')} are needed."
            )
        if not has_piles(session) or session.settled < 1.0:
            return ""
        return (
            f"the best features have not changed for {N_ANSWERS} answers: you may stop."
        )

    def contradiction(self) -> str:
        """Say how answers contradict each other; empty when they do not."""
        conflicts = self._session.conflicts
        if not conflicts:
            return ""
        # The one that the last answer made, if any.
        last = {frozenset(pair[:2]) for pair in self._session.history[-1].pairs()}
        conflict = next((c for c in conflicts if links_of(c) & last), conflicts[0])
        chain = " - ".join(map(self.name, conflict.chain))
        a, b = map(self.name, conflict.cannot_link)
        return f"{chain} were said to be the same, and {a} and {b} different"

    def contradiction_hint(self) -> str:
        """Say so, and what to do about it."""
        text = self.contradiction()
        return text and f"{text}: b goes back to these answers, z undoes the last."


def count_answers(session: ActiveSession) -> dict[str, int]:
    """Return how many answers of each kind there are, placed cards as "cards"."""
    kinds = [
        "cards" if is_card(said) and said.answer != "unsure" else str(said.answer)
        for said in session.history
    ]
    return {kind: kinds.count(kind) for kind in ("cards", *SAID)}


def _number(n: int, noun: str) -> str:
    return f"{n} {noun if n == 1 else noun + 's'}"


def _cell(value: Any) -> str:
    import pandas as pd

    return "–" if pd.isna(value) else printable(value)
