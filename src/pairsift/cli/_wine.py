"""What the demo measures: Wine in two halves, and draws of cannot-links."""

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

N_CANNOT_LINK = 20
N_DRAWS = 20


@dataclass(frozen=True)
class Accuracy:
    """Accuracies of the best 1, 2, ... features, for every draw of the couples."""

    curves: FloatArray
    """One row a draw, one column a number of features."""

    @property
    def sizes(self) -> list[int]:
        """Numbers of features."""
        return list(range(1, self.curves.shape[1] + 1))

    @property
    def one(self) -> list[float]:
        """The first draw, whose ranking is shown."""
        return self.curves[0].tolist()

    @property
    def mean(self) -> list[float]:
        """Mean over all draws."""
        return self.curves.mean(axis=0).tolist()

    @property
    def spread(self) -> list[tuple[float, float]]:
        """Lowest and highest of all draws."""
        ends = self.curves.min(axis=0).tolist(), self.curves.max(axis=0).tolist()
        return list(zip(*ends, strict=True))

    @property
    def all(self) -> float:
        """With all features; the same for every draw."""
        return float(self.curves[0, -1])


@dataclass(frozen=True)
class Wine:
    """Wine in two halves of every class."""

    train: pd.DataFrame
    y_train: NDArray[Any]
    test: pd.DataFrame
    y_test: NDArray[Any]

    @classmethod
    def load(cls) -> Wine:
        """Take the first half of the rows of each class for training."""
        from pairsift.datasets import load

        wine = load("wine", as_frame=True)
        is_train = np.zeros(len(wine.target), dtype=bool)
        for name in wine.target_names:
            rows = np.flatnonzero(wine.target == name)
            is_train[rows[: -(-rows.size // 2)]] = True
        return cls(
            wine.data[is_train].reset_index(drop=True),
            wine.target[is_train],
            wine.data[~is_train].reset_index(drop=True),
            wine.target[~is_train],
        )

    def draw(self, seed: int) -> PairConstraints:
        """Draw couples of training rows of different classes."""
        from pairsift.constraints import PairConstraints

        return PairConstraints.sample(
            self.y_train, n_cannot_link=N_CANNOT_LINK, random_state=seed
        )

    def judge(self, selector_class: Any, advance: Callable[[], None]) -> Accuracy:
        """Rank by every draw, and see how well the best features classify."""
        from pairsift.evaluation import accuracy_curve

        # The ranges of the training rows scale both halves: the test rows are unseen.
        low, width = unit_range(self.train.to_numpy())
        X_train = (self.train.to_numpy() - low) / width
        X_test = (self.test.to_numpy() - low) / width
        curves = []
        for seed in range(N_DRAWS):
            order = selector_class().fit(X_train, constraints=self.draw(seed)).order_
            curve = accuracy_curve(X_train, self.y_train, X_test, self.y_test, order)
            curves.append(curve.accuracies)
            advance()
        return Accuracy(np.array(curves))
