"""mRMR on many columns."""

from collections.abc import Callable
from functools import cached_property
from importlib.util import find_spec
from time import perf_counter
from typing import ClassVar

import numpy as np

from benchmarks._scenario import Scenario


class InformationMRMR(Scenario):
    """A few of many columns, against the same search on scikit-learn's estimates.

    scikit-learn would take minutes for the whole search: steps are compared, each of
    which costs the same.
    """

    name = "information-mrmr"
    reference = "time_scikit_learn_steps"
    sizes: ClassVar = {
        "n_samples": 500,
        "n_features": 2000,
        "n_selected": 50,
        "n_steps": 3,
    }
    tiny_sizes: ClassVar = {
        "n_samples": 30,
        "n_features": 8,
        "n_selected": 4,
        "n_steps": 3,
    }

    def setup(self) -> None:
        """Normal columns, of which a tenth share what the first one says."""
        n_samples, n_features = self.size["n_samples"], self.size["n_features"]
        rng = np.random.default_rng(self.seed)
        self.X = rng.normal(size=(n_samples, n_features))
        self.X[:, 1 : n_features // 10] += self.X[:, :1]
        self.y = (self.X[:, [0, n_features // 2, -1]].sum(axis=1) > 0).astype(int)

    def time_steps(self) -> np.ndarray:
        return self._order(self.size["n_steps"])

    def time_scikit_learn_steps(self) -> np.ndarray:
        """The first steps by the difference, on scikit-learn's redundancies."""
        relevance, shared = self.relevance, np.zeros(self.X.shape[1])
        order: list[int] = []
        for step in range(self.size["n_steps"]):
            gains = relevance - shared / max(step, 1)
            gains[order] = -np.inf
            order.append(int(gains.argmax()))
            if step < self.size["n_steps"] - 1:
                shared += self._shared(order[-1])
        return np.array(order)

    def track_seconds_of_selection(self) -> float:
        return _seconds(lambda: self._order(self.size["n_selected"]))

    def track_seconds_of_selection_cut(self) -> float:
        return _seconds(self._select_cut)

    def track_agreement(self) -> float:
        """Largest difference of a step's redundancies, both at least 0.

        The searches differ: scikit-learn puts 0 for estimates below.
        """
        from pairsift.information import relevance

        options = {"discrete_features": False, "n_neighbors": 3}
        ours = relevance(self.X[:, 1:], self.X[:, 0], discrete_target=False, **options)
        return float(np.abs(np.maximum(ours, 0.0) - self._shared(0)[1:]).max())

    def track_fast_select_ratio(self) -> float | None:
        """Times faster than fast-select on cut columns, if that is installed."""
        if find_spec("fast_select") is None:
            return None
        from fast_select import mRMR

        away = self.X - self.X.mean(axis=0)
        cut = np.sign(away) * (np.abs(away) > self.X.std(axis=0))
        peer = mRMR(self.size["n_selected"], backend="cpu")
        peers = _seconds(lambda: peer.fit(cut.astype(int), self.y))
        return peers / _seconds(self._select_cut)

    def _select_cut(self) -> np.ndarray:
        """Columns cut into three values, as published."""
        return self._order(self.size["n_selected"], discretize=1.0)

    def _shared(self, feature: int) -> np.ndarray:
        """What all columns share with one, by scikit-learn."""
        from sklearn.feature_selection import mutual_info_regression

        return mutual_info_regression(
            self.X,
            self.X[:, feature],
            discrete_features=False,
            n_neighbors=3,
            random_state=0,
            n_jobs=self.threads,
        )

    @cached_property
    def relevance(self) -> np.ndarray:
        from pairsift.information import relevance

        return relevance(self.X, self.y, discrete_features=False, n_neighbors=3)

    def _order(self, n_features: int, **options: float) -> np.ndarray:
        from pairsift.scores import mrmr_path

        order, _ = mrmr_path(
            self.X,
            self.y,
            n_features=n_features,
            discrete_features=False,
            n_neighbors=3,
            n_jobs=self.threads,
            **options,
        )
        return order[:n_features]


def _seconds(call: Callable[[], object]) -> float:
    """Seconds of the second call."""
    call()
    start = perf_counter()
    call()
    return perf_counter() - start
