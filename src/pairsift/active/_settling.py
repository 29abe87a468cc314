"""How little the chosen features still move: advice when to stop."""

from __future__ import annotations

import numpy as np

from pairsift._typing import BoolArray, FloatArray, IndexArray
from pairsift.active._answers import Event
from pairsift.active._piles import Piles
from pairsift.active._threads import OneAtATime, alone
from pairsift.scores import semi_mrmr_path

# Features that are compared, or half of them if there are fewer.
N_CHOSEN = 10
# Answers over which they are compared.
N_ANSWERS = 8
# Rows to which the piles are spread.
N_ROWS = 500
# Events that leave all rows where they are: eight times "unsure" is no reason to stop.
TELLS_NOTHING = ("name", "repeat", "unsure")


class Settling(OneAtATime):
    """The features that the piles choose, after any number of answers.

    Answers are replayed from where the last call ended, unless some were taken back.
    """

    def __init__(
        self, X: FloatArray, is_categorical: BoolArray, drawn: IndexArray, seed: int
    ) -> None:
        super().__init__()
        self._X, self._is_categorical = X, is_categorical
        rng = np.random.default_rng(seed)
        self._rows = rng.permutation(drawn)[:N_ROWS]
        self._n_chosen = min(N_CHOSEN, max(X.shape[1] // 2, 1))
        self._seen: list[tuple[Event, bool]] = []
        self._piles = Piles([])
        # What was chosen before the first telling answer and after each; None where
        # it was not asked for.
        self._chosen: list[set[int] | None] = [set()]

    def of(self, answers: list[tuple[Event, bool]]) -> float:
        """Return the mean share of chosen features that the last answers did not move.

        What is chosen now is compared with what was chosen one to eight answers ago;
        before there are two piles nothing is chosen.
        """
        chosen = self._after_each(answers, N_ANSWERS + 1)
        return self._settled(chosen, len(chosen) - 1)

    def path(
        self, answers: list[tuple[Event, bool]], n_last: int | None = None
    ) -> FloatArray:
        """Return the same after each of the answers, or the last ones."""
        n_last = len(answers) if n_last is None else n_last
        chosen = self._after_each(answers, n_last + N_ANSWERS)
        first = max(len(chosen) - n_last, 1)
        return np.array([self._settled(chosen, k) for k in range(first, len(chosen))])

    def _settled(self, chosen: list[set[int]], k: int) -> float:
        then = [chosen[k - back] for back in range(1, N_ANSWERS + 1) if back <= k]
        kept = [len(chosen[k] & before) / self._n_chosen for before in then]
        return sum(kept) / N_ANSWERS

    @alone
    def _after_each(
        self, answers: list[tuple[Event, bool]], n_last: int
    ) -> list[set[int]]:
        """Return what is chosen before the first answer and after each, or the last."""
        first = n_telling(answers) - n_last + 1
        self._go_back(answers, max(first, 0))
        k = n_telling(self._seen)
        for event, stands in answers[len(self._seen) :]:
            self._piles.replay(event, stands)
            if event.kind in TELLS_NOTHING:
                continue
            k += 1
            if k == len(self._chosen):
                self._chosen.append(None)
            if k >= first and self._chosen[k] is None:
                self._chosen[k] = self._choose()
        self._seen = list(answers)
        return [chosen or set() for chosen in self._chosen]

    def _go_back(self, answers: list[tuple[Event, bool]], first: int) -> None:
        """Forget what other answers chose; begin anew if piles of the past are needed.

        first : number of the first choice that is asked for.
        """
        pairs = zip(self._seen, answers, strict=False)
        n_same = next(
            (k for k, (old, new) in enumerate(pairs) if old != new),
            min(len(self._seen), len(answers)),
        )
        del self._chosen[n_telling(answers[:n_same]) + 1 :]
        if n_same < len(self._seen) or None in self._chosen[first:]:
            self._seen, self._piles = [], Piles([])

    def _choose(self) -> set[int]:
        piles = self._piles
        if len(piles.rows) < 2:
            return set()
        rows = np.union1d(self._rows, list(piles.number))
        labels = [piles.number.get(row, -1) for row in rows.tolist()]
        order, _ = semi_mrmr_path(
            filled(self._X[rows], self._is_categorical),
            np.array(labels),
            n_features=self._n_chosen,
            is_categorical=self._is_categorical,
        )
        return set(order[: self._n_chosen].tolist())


def n_telling(answers: list[tuple[Event, bool]]) -> int:
    """Return how many answers may have moved rows."""
    return sum(event.kind not in TELLS_NOTHING for event, _ in answers)


def filled(X: FloatArray, is_categorical: BoolArray) -> FloatArray:
    """Fill in the mean of a column, or its most frequent category."""
    X = X.copy()
    for j in np.flatnonzero(np.isnan(X).any(axis=0)).tolist():
        is_missing = np.isnan(X[:, j])
        values, counts = np.unique(X[~is_missing, j], return_counts=True)
        if not values.size:
            X[:, j] = 0.0
        elif is_categorical[j]:
            X[is_missing, j] = values[counts.argmax()]
        else:
            X[is_missing, j] = values @ counts / counts.sum()
    return X
