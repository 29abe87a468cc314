"""Forward searches over subsets of features."""

import time
from collections.abc import Callable
from functools import cached_property
from typing import ClassVar

import numpy as np

from benchmarks._scenario import Scenario


class Subset(Scenario):
    """Forward searches against equation 33 in NumPy and against scikit-learn."""

    name = "scores-subset"
    reference = "time_numpy_step"
    sizes: ClassVar = {
        "n_samples": 1_000,
        "n_features": 649,
        "n_prototypes": 30,
        "n_steps": 20,
        "n_columns_of_scikit_learn": 40,
    }
    tiny_sizes: ClassVar = {
        "n_samples": 60,
        "n_features": 9,
        "n_prototypes": 12,
        "n_steps": 2,
        "n_columns_of_scikit_learn": 3,
    }

    def setup(self) -> None:
        """Ten classes, and features from useless to good, scaled to [0, 1]."""
        n_samples, n_features = self.size["n_samples"], self.size["n_features"]
        rng = np.random.default_rng(self.seed)
        self.y = np.arange(n_samples) % 10
        centres = rng.random((10, n_features)) * rng.random(n_features)
        X = centres[self.y] + rng.normal(scale=0.3, size=(n_samples, n_features))
        self.X = (X - X.min(axis=0)) / np.ptp(X, axis=0)
        n_prototypes = self.size["n_prototypes"]
        self.labels = np.where(np.arange(n_samples) < n_prototypes, self.y, -1)

    def time_numpy_step(self) -> np.ndarray:
        """One step by the formula, on arrays of n x n made once."""
        from pairsift.graphs import nearest_prototype_classes

        classes = nearest_prototype_classes(self.X, self.labels)
        target = np.equal.outer(classes, classes).astype(np.float64)
        w, error = np.ones_like(target), np.empty_like(target)
        errors = np.empty(self.X.shape[1])
        for f, x in enumerate(np.ascontiguousarray(self.X.T)):
            np.subtract.outer(x, x, out=error)
            np.multiply(error, error, out=error)
            np.multiply(error, -0.5, out=error)
            np.exp(error, out=error)
            np.multiply(error, w, out=error)
            np.subtract(error, target, out=error)
            np.multiply(error, error, out=error)
            errors[f] = error.sum()
        return errors

    def time_similarity_step(self) -> np.ndarray:
        return self._similarity(1)

    def time_similarity_steps(self) -> np.ndarray:
        return self._similarity(self.size["n_steps"])

    def time_neighbor_steps(self) -> np.ndarray:
        """The search that scikit-learn is estimated for."""
        return self._neighbor(self.size["n_steps"])

    def peakmem_similarity(self) -> None:
        self._similarity(self.size["n_steps"])

    def peakmem_neighbor(self) -> None:
        self._neighbor(self.size["n_steps"])

    def track_agreement(self) -> float:
        """Relative difference of the error after one step."""
        expected = self.time_numpy_step().min() / self.size["n_samples"] ** 2
        return abs(self._similarity(1)[0] / expected - 1.0)

    def track_similarity_ratio(self) -> float:
        """Times faster than NumPy, a step among many."""
        obvious = _seconds(self.time_numpy_step)
        return obvious * self.size["n_steps"] / _seconds(self.time_similarity_steps)

    def track_neighbor_ratio(self) -> float:
        """Times faster than scikit-learn, whose time is estimated."""
        return self.seconds_of_scikit_learn / _seconds(self.time_neighbor_steps)

    def track_scikit_learn_seconds(self) -> float:
        """Estimated time of scikit-learn for all steps."""
        return self.seconds_of_scikit_learn

    @cached_property
    def seconds_of_scikit_learn(self) -> float:
        """From one step over some columns; later steps are not faster."""
        from sklearn.feature_selection import SequentialFeatureSelector
        from sklearn.neighbors import KNeighborsClassifier

        n_columns = self.size["n_columns_of_scikit_learn"]
        search = SequentialFeatureSelector(
            KNeighborsClassifier(1), n_features_to_select=1, cv=5
        )
        seconds = _seconds(lambda: search.fit(self.X[:, :n_columns], self.y))
        n_steps, n_features = self.size["n_steps"], self.size["n_features"]
        n_candidates = sum(n_features - step for step in range(n_steps))
        return seconds * n_candidates / n_columns

    def _similarity(self, n_features_to_select: int) -> np.ndarray:
        from pairsift import SimilarityConstraintScore

        selector = SimilarityConstraintScore(n_features_to_select, n_jobs=self.threads)
        return selector.fit(self.X, self.labels).path_scores_

    def _neighbor(self, n_features_to_select: int) -> np.ndarray:
        from pairsift import NearestNeighborForward

        selector = NearestNeighborForward(
            n_features_to_select, cv=5, n_jobs=self.threads
        )
        return selector.fit(self.X, self.y).path_scores_


def _seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start
