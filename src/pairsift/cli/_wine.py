"""What the demo measures: what 30 questions about Wine are worth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pairsift._typing import FloatArray
from pairsift.cli._ranking import find_method
from pairsift.cli._tables import unit_range

if TYPE_CHECKING:
    import pandas as pd

    from pairsift.constraints import PairConstraints

N_QUESTIONS = 30
N_HALVINGS = 20


class Way(NamedTuple):
    """How pairs are come by, and what ranks the features from the answers."""

    strategy: str | None
    """None: no questions, the labels of all training rows."""
    method: str


WAYS = {
    "unsure pairs": Way("uncertainty", "pair-logistic"),
    "random pairs": Way("random", "pair-logistic"),
    "published": Way("eigenvector", "relieff-sc"),
    "all labels": Way(None, "fisher-score"),
}
OURS, RANDOM, PUBLISHED, LABELS = WAYS


@dataclass(frozen=True)
class Accuracy:
    """What every way reaches: one row a halving, one column a number of features."""

    curves: dict[str, FloatArray]
    n_must_link: dict[str, float]
    """Answers "same" among the questions, mean over the halvings."""

    @property
    def sizes(self) -> list[int]:
        """Numbers of features."""
        return list(range(1, self.curves[OURS].shape[1] + 1))

    def mean(self, way: str) -> list[float]:
        """Return the mean over the halvings."""
        return self.curves[way].mean(axis=0).tolist()

    def deviation(self, way: str) -> list[float]:
        """Return the standard deviation over the halvings."""
        return self.curves[way].std(axis=0, ddof=1).tolist()

    def error(self, way: str) -> list[float]:
        """Return the standard error of the mean."""
        return [x / np.sqrt(len(self.curves[way])) for x in self.deviation(way)]

    @property
    def all(self) -> float:
        """With all features, where no ranking matters."""
        return float(self.curves[OURS][:, -1].mean())

    def first_half(self, way: str) -> FloatArray:
        """Return the mean over the first half of the ranking, for every halving."""
        return self.curves[way][:, : -(-len(self.sizes) // 2)].mean(axis=1)

    def duel(self, way: str, other: str) -> Duel:
        """Compare two ways over the first half of the ranking, halving by halving."""
        gain = self.first_half(way) - self.first_half(other)
        error = gain.std(ddof=1) / np.sqrt(gain.size)
        return Duel(
            gain=float(gain.mean()),
            error=float(error),
            n_better=int((gain > 0).sum()),
            n_worse=int((gain < 0).sum()),
        )


@dataclass(frozen=True)
class Duel:
    """Mean difference of two accuracies, its standard error, and who won how often."""

    gain: float
    error: float
    n_better: int
    n_worse: int

    @property
    def is_clear(self) -> bool:
        """Whether the difference is more than chance makes easily."""
        return abs(self.gain) > 2.0 * self.error


@dataclass(frozen=True)
class Wine:
    """Wine in two halves of every class."""

    train: pd.DataFrame
    y_train: NDArray[Any]
    test: pd.DataFrame
    y_test: NDArray[Any]

    @classmethod
    def load(cls, seed: int = 0) -> Wine:
        """Take half of every class for training: the first rows for 0, else random."""
        from pairsift.datasets import load

        wine = load("wine", as_frame=True)
        rng = np.random.default_rng(seed)
        is_train = np.zeros(len(wine.target), dtype=bool)
        for name in wine.target_names:
            rows = np.flatnonzero(wine.target == name)
            if seed > 0:
                rows = rng.permutation(rows)
            is_train[rows[: -(-rows.size // 2)]] = True
        return cls(
            wine.data[is_train].reset_index(drop=True),
            wine.target[is_train],
            wine.data[~is_train].reset_index(drop=True),
            wine.target[~is_train],
        )

    def scaled(self) -> tuple[FloatArray, FloatArray]:
        """Return both halves in the ranges of the training rows: others are unseen."""
        low, width = unit_range(self.train.to_numpy())
        return (
            (self.train.to_numpy() - low) / width,
            (self.test.to_numpy() - low) / width,
        )

    def answers(self, strategy: str, seed: int = 0) -> PairConstraints:
        """Ask as many questions as allowed about training rows; labels answer."""
        from pairsift.active import select_constraints

        return select_constraints(
            self.scaled()[0],
            self.y_train,
            max_queries=N_QUESTIONS,
            strategy=strategy,
            random_state=seed,
        )


def judge(advance: Callable[[], None]) -> Accuracy:
    """Ask and rank in every way and every halving, and classify the other half."""
    from pairsift.evaluation import accuracy_curve

    curves: dict[str, list[FloatArray]] = {name: [] for name in WAYS}
    n_must_link: dict[str, list[int]] = {name: [] for name in WAYS}
    for seed in range(N_HALVINGS):
        wine = Wine.load(seed)
        X_train, X_test = wine.scaled()
        for name, way in WAYS.items():
            selector = find_method(way.method)[0]()
            if way.strategy is None:
                selector.fit(X_train, wine.y_train)
            else:
                pairs = wine.answers(way.strategy, seed)
                n_must_link[name].append(pairs.n_must_link)
                selector.fit(X_train, constraints=pairs)
            curve = accuracy_curve(
                X_train, wine.y_train, X_test, wine.y_test, selector.order_
            )
            curves[name].append(curve.accuracies)
        advance()
    return Accuracy(
        {name: np.array(curves[name]) for name in WAYS},
        {name: float(np.mean(said)) for name, said in n_must_link.items() if said},
    )
