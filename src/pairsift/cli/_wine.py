"""What the demo measures: what 20 questions about Wine are worth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pairsift._typing import FloatArray
from pairsift.cli._tables import unit_range

if TYPE_CHECKING:
    import pandas as pd

    from pairsift.constraints import PairConstraints

N_QUESTIONS = 20
N_HALVINGS = 20
WAYS = ("random", "active", "random, spread", "active, spread")
"""How couples are come by: chosen by chance or actively, the answers spread or not."""


@dataclass(frozen=True)
class Accuracy:
    """What every way reaches: one row a halving, one column a number of features."""

    curves: dict[str, FloatArray]
    n_cannot_link: dict[str, FloatArray]
    """Couples to learn from, for every halving."""
    share_right: dict[str, FloatArray]
    """Share of those that are of different classes in truth."""
    share_different: float
    """Share of all couples that are."""

    @property
    def sizes(self) -> list[int]:
        """Numbers of features."""
        return list(range(1, self.curves[WAYS[0]].shape[1] + 1))

    def mean(self, way: str) -> list[float]:
        """Return the mean over the halvings."""
        return self.curves[way].mean(axis=0).tolist()

    def deviation(self, way: str) -> list[float]:
        """Return the standard deviation over the halvings."""
        return self.curves[way].std(axis=0, ddof=1).tolist()

    @property
    def all(self) -> float:
        """With all features, where no ranking matters."""
        return float(self.curves[WAYS[0]][:, -1].mean())

    def duel(self, way: str, other: str, size: int) -> Duel:
        """Compare two ways halving by halving."""
        gain = self.curves[way][:, size - 1] - self.curves[other][:, size - 1]
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

    def share_different(self) -> float:
        """Return the share of couples of training rows that are of two classes."""
        a, b = np.triu_indices(len(self.y_train), 1)
        return float((self.y_train[a] != self.y_train[b]).mean())

    def scaled(self) -> tuple[FloatArray, FloatArray]:
        """Return both halves in the ranges of the training rows: others are unseen."""
        low, width = unit_range(self.train.to_numpy())
        return (
            (self.train.to_numpy() - low) / width,
            (self.test.to_numpy() - low) / width,
        )

    def answers(self, way: str, seed: int = 0) -> PairConstraints:
        """Ask as many questions as allowed about training rows; labels answer."""
        from pairsift.active import propagate, select_constraints

        chosen, _, spread = way.partition(", ")
        X = self.scaled()[0]
        pairs = select_constraints(
            X,
            self.y_train,
            max_queries=N_QUESTIONS,
            strategy={"random": "random", "active": "eigenvector"}[chosen],
            random_state=seed,
        )
        return propagate(pairs, X) if spread else pairs


def judge(selector_class: Any, advance: Callable[[], None]) -> Accuracy:
    """Ask and rank in every way and every halving, and classify the other half."""
    from pairsift.evaluation import accuracy_curve

    curves: dict[str, list[FloatArray]] = {way: [] for way in WAYS}
    counts: dict[str, list[int]] = {way: [] for way in WAYS}
    shares: dict[str, list[float]] = {way: [] for way in WAYS}
    for seed in range(N_HALVINGS):
        wine = Wine.load(seed)
        X_train, X_test = wine.scaled()
        for way in WAYS:
            pairs = wine.answers(way, seed)
            order = selector_class().fit(X_train, constraints=pairs).order_
            curve = accuracy_curve(X_train, wine.y_train, X_test, wine.y_test, order)
            curves[way].append(curve.accuracies)
            counts[way].append(pairs.n_cannot_link)
            a, b = wine.y_train[pairs.cannot_link].T
            shares[way].append(float((a != b).mean()))
        advance()
    return Accuracy(
        {way: np.array(curves[way]) for way in WAYS},
        {way: np.array(counts[way], dtype=np.float64) for way in WAYS},
        {way: np.array(shares[way]) for way in WAYS},
        Wine.load().share_different(),
    )
