"""What a session knows: its data, the answers, and what follows from them."""

from __future__ import annotations

from typing import Any

import numpy as np

from pairsift._typing import BoolArray, FloatArray, IndexArray
from pairsift.active._answers import (
    REMARKS,
    Event,
    Journal,
    Record,
    Said,
    as_constraints,
    as_row,
    conflicts_of,
)
from pairsift.active._data import FetchedRows
from pairsift.active._piles import Piles
from pairsift.active._questions import Questions
from pairsift.active._settling import Settling, filled
from pairsift.active._sorting import Card, DoubtfulCard
from pairsift.active._threads import OneAtATime, alone
from pairsift.constraints import Conflict, PairConstraints, PileNumbers

# Cards that are kept until the next answer.
MAX_CARDS = 16


class SessionState(OneAtATime):
    """The side of a session that is looked at; see `ActiveSession`."""

    def __init__(
        self,
        X: FloatArray,
        is_categorical: BoolArray,
        settings: dict[str, Any],
        n_jobs: int | None,
    ) -> None:
        super().__init__()
        self._X, self._settings, self._n_jobs = X, settings, n_jobs
        self._questions = Questions(X, is_categorical, settings, n_jobs)
        self._journal = Journal()
        self._piles = Piles([])
        self._feature_names: list[str] | None = None
        self._sample_ids: list[str] | None = None
        # Rows of which a file holds other cells than were written.
        self._damaged: IndexArray = np.zeros(0, dtype=np.int64)
        # Cards since the last answer: a page asks for one several times.
        self._cards: dict[int, Card] = {}

    def _act_on(self, event: Event) -> None:
        self._journal.add(event)
        if event.kind in REMARKS:
            return
        self._cards.clear()
        if event.kind == "undo" or self._journal.done[-1].replaces:
            # Replayed without what stands no longer.
            self._piles = Piles(self._journal.marked())
        else:
            self._piles.take(self._journal.done[-1])

    def _take_all(self, events: list[Event]) -> None:
        """Go on with the events of a file; their piles are made once, at the end."""
        for event in events:
            self._journal.add(event)
        self._piles = Piles(self._journal.marked())

    @property
    def n_samples(self) -> int:
        """Number of rows."""
        return len(self._X)

    @property
    def X(self) -> FloatArray:
        """The data as numbers, NaN where a value is missing; not to be changed."""
        if isinstance(self._X, FetchedRows):
            raise AttributeError(
                "X of this session is in blocks, not in memory: filled(rows) returns "
                "some of its rows."
            )
        return self._X

    @property
    def feature_names(self) -> list[str] | None:
        """The names of the columns of `X`, None if they have none."""
        return None if self._feature_names is None else [*self._feature_names]

    @property
    def sample_ids(self) -> list[str] | None:
        """The ids of the rows of `X`, None if they have none."""
        return None if self._sample_ids is None else [*self._sample_ids]

    def filled(self, rows: IndexArray | None = None) -> FloatArray:
        """Return data without missing values, for methods that need complete rows.

        Parameters
        ----------
        rows : ndarray of int, default=None
            The rows that are wanted, None for all.

        Returns
        -------
        X : ndarray of shape (n_rows, n_features)
            A copy, where a missing value is the mean of its column among these rows, or
            its most frequent category.
        """
        is_categorical = np.zeros(self._X.shape[1], dtype=bool)
        is_categorical[self._settings["categorical_features"]] = True
        return filled(self.X if rows is None else self._X[rows], is_categorical)

    @property
    def settings(self) -> dict[str, Any]:
        """The parameters that choose the pairs."""
        return dict(self._settings)

    @property
    @alone
    def history(self) -> list[Said]:
        """The answers that stand, in the order given; pairs as they were asked."""
        return list(self._piles.history)

    @property
    @alone
    def records(self) -> list[Record]:
        """The whole journal with times and persons; also what was taken back."""
        return self._journal.records()

    @property
    @alone
    def version(self) -> int:
        """Number of steps so far, undo and redo among them; it never gets smaller.

        As long as it is the same, all answers are. Opinions are not counted.
        """
        return self._journal.n_acts

    @alone
    def n_answers_on(self, row: int) -> int:
        """Return how often a card, or the first row of a pair, was answered.

        Parameters
        ----------
        row : int
            Row of `X`.

        Returns
        -------
        n_answers : int
            Also those that were taken back or replaced.
        """
        return self._journal.n_about[as_row(row, self.n_samples)]

    @property
    @alone
    def n_undone(self) -> int:
        """Number of answers that :meth:`redo` can give again."""
        return len(self._journal.undone)

    @property
    @alone
    def constraints(self) -> PairConstraints:
        """The pairs said so far, the unsure left out; the last word stands.

        A placed card is "same" with the row shown of its pile and "different" from the
        others shown.
        """
        return as_constraints(self._piles.said, self.n_samples)

    @property
    @alone
    def previous_constraints(self) -> PairConstraints:
        """The pairs as they were before the last step, be it an answer or an undo.

        A file that is written after every step holds them if the program was killed
        before it was written.
        """
        journal = Journal()
        for event in self._journal.events[:-1]:
            journal.add(event)
        return as_constraints(Piles(journal.marked()).said, self.n_samples)

    @property
    @alone
    def conflicts(self) -> list[Conflict]:
        """Contradictions among the answers, each with the chain that causes it."""
        return conflicts_of(self._piles.said) if self._piles.contradicted else []

    @alone
    def card(self, row: int) -> Card:
        """Return the card of any row, such as one to be placed anew.

        Parameters
        ----------
        row : int
            Row of `X`.

        Returns
        -------
        card : Card
            The row, and the piles so far, likeliest first; of its own pile another row
            is shown, and none if it lies there alone.
        """
        row = as_row(row, self.n_samples)
        if row not in self._cards:
            if len(self._cards) >= MAX_CARDS:
                self._cards.clear()
            self._cards[row] = self._questions.sorter.card(row, self._piles)
        # Its owner may change the lists.
        piles = self._cards[row].piles
        return Card(row, [pile._replace(rows=list(pile.rows)) for pile in piles])

    @alone
    def is_open(self, row: int) -> bool:
        """Tell whether a row has still to be sorted.

        Parameters
        ----------
        row : int
            Row of `X`.

        Returns
        -------
        is_open : bool
            False for a row on a pile, and for one that was unsure.
        """
        return self._piles.is_open(as_row(row, self.n_samples))

    @alone
    def next_rows(self, n_rows: int) -> list[int]:
        """Return the rows of the next cards, as far as is known now.

        Parameters
        ----------
        n_rows : int
            How many at most.

        Returns
        -------
        rows : list of int
            In the order in which they will be asked.
        """
        return self._questions.sorter.next_rows(self._piles, n_rows)

    @alone
    def doubtful_cards(self) -> list[DoubtfulCard]:
        """Return the placed cards that the others speak against.

        People err: these are worth a second look, by :meth:`card` and :meth:`place`
        with ``replace=True``.

        Returns
        -------
        cards : list of DoubtfulCard
            Cards whose three nearest sorted rows all lie on other piles, the clearest
            first. A row alone on its pile is not among them, and none is as long as
            fewer than ten rows are sorted.
        """
        return self._questions.sorter.doubtful(self._piles)

    @property
    @alone
    def piles(self) -> list[list[int]]:
        """The rows of each pile, by its number."""
        return [list(rows) for _, rows in sorted(self._piles.rows.items())]

    @property
    @alone
    def names(self) -> dict[int, str]:
        """The names of the piles that have one, by their number."""
        return dict(self._piles.names)

    @property
    @alone
    def labels(self) -> IndexArray:
        """The number of the pile of each row, -1 where it is not known."""
        labels = np.full(self.n_samples, -1, dtype=np.int64)
        number = self._piles.number
        labels[list(number.keys())] = list(number.values())
        return labels.view(PileNumbers)

    @property
    def settled(self) -> float:
        """How little the chosen features still move, from 0 to 1.

        The mean share of the ten features that :class:`SemiMRMR` chooses from the piles
        (half of the features, if there are fewer) that were also chosen one, two, ...
        eight answers ago. At 1 the last eight answers have changed nothing. An "unsure"
        tells nothing and is not counted.
        """
        settling, answers = self._settling()
        return settling.of(answers)

    def settled_path(self, n_last: int | None = None) -> FloatArray:
        """Return how settled the features were after each answer that stands.

        Parameters
        ----------
        n_last : int, default=None
            For how many answers, the last ones; None for all, which takes long if there
            are thousands.

        Returns
        -------
        settled : ndarray of shape (n_answers,)
            From 0 to 1; the last one is :attr:`settled`.
        """
        settling, answers = self._settling()
        return settling.path(answers, n_last)

    @alone
    def _settling(self) -> tuple[Settling, list[tuple[Event, bool]]]:
        # Others may go on answering while features are chosen.
        return self._questions.settling, self._journal.marked()

    @property
    @alone
    def n_drawn_(self) -> int:
        """Number of rows among which the first ones to sort were sought."""
        return self._questions.sorter.drawn.size

    @property
    @alone
    def embedding_(self) -> FloatArray:
        """The second eigenvector after the answers so far."""
        return self._questions.spectral(self._piles).embedding

    @property
    @alone
    def suggested_questions_(self) -> int:
        """Number of rows near zero on the second eigenvector."""
        return self._questions.spectral(self._piles).n_near_zero

    @property
    @alone
    def uncertain_(self) -> int:
        """The row nearest to zero on the second eigenvector."""
        return self._questions.spectral(self._piles).uncertain
