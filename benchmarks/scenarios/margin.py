"""Margins from cannot-links on many rows."""

import statistics
import subprocess
import sys
from typing import ClassVar

import numpy as np

from benchmarks._scenario import Scenario


class Margin(Scenario):
    """ReliefF-Sc against pairwise_distances, argpartition and NumPy sums."""

    name = "margin"
    reference = "time_obvious"
    sizes: ClassVar = {
        "n_samples": 100_000,
        "n_features": 100,
        "n_cannot_link": 100,
        "n_neighbors": 10,
        "n_imports": 5,
    }
    tiny_sizes: ClassVar = {
        "n_samples": 120,
        "n_features": 12,
        "n_cannot_link": 6,
        "n_neighbors": 3,
        "n_imports": 1,
    }

    def setup(self) -> None:
        """Two classes, told apart by a few columns that stand anywhere but first."""
        n_samples, n_features = self.size["n_samples"], self.size["n_features"]
        rng = np.random.default_rng(self.seed)
        y = np.arange(n_samples) % 2
        self.X = rng.normal(size=(n_samples, n_features))
        relevant = 1 + rng.choice(n_features - 1, size=5, replace=False)
        for j in relevant:
            self.X[:, j] += 2 * y - 1
            # Both classes together vary by 2: brought back to 1, like the others.
            self.X[:, j] /= np.sqrt(2.0)
        ends = [
            rng.choice(np.flatnonzero(y == c), self.size["n_cannot_link"], False)
            for c in (0, 1)
        ]
        self.pairs = np.column_stack(ends)

    def time_pairsift(self) -> np.ndarray:
        from pairsift import PairConstraints, ReliefFSc

        constraints = PairConstraints(cannot_link=self.pairs, n_samples=len(self.X))
        selector = ReliefFSc(n_neighbors=self.size["n_neighbors"], n_jobs=self.threads)
        return selector.fit(self.X, constraints=constraints).scores_

    def time_obvious(self) -> np.ndarray:
        from sklearn.metrics import pairwise_distances

        low, high = self.X.min(axis=0), self.X.max(axis=0)
        X = (self.X - low) / (high - low)
        n_neighbors = self.size["n_neighbors"]
        # Both directions of every pair: row r and its partner's row.
        ends = np.concatenate([self.pairs[:, 0], self.pairs[:, 1]])
        partners = np.concatenate([self.pairs[:, 1], self.pairs[:, 0]])
        distances = pairwise_distances(
            X[ends], X, metric="manhattan", n_jobs=self.threads
        )
        rows = np.arange(len(ends))
        distances[rows, ends] = np.inf
        distances[rows, partners] = np.inf
        nearest = np.argpartition(distances, n_neighbors, axis=1)[:, :n_neighbors]
        own, other = X[nearest], X[np.roll(nearest, len(self.pairs), axis=0)]
        x = X[ends][:, np.newaxis]
        margins = (np.abs(x - other) - np.abs(x - own)).mean(axis=1)
        return margins.sum(axis=0) / 2

    def peakmem_pairsift(self) -> None:
        self.time_pairsift()

    def track_agreement(self) -> float:
        """Largest difference between the two, relative to the largest margin."""
        ours, obvious = self.time_pairsift(), self.time_obvious()
        return np.abs(ours - obvious).max() / np.abs(obvious).max()

    def track_import_ratio(self) -> float:
        """Time of `import pairsift` over that of sklearn.feature_selection."""
        return self._import_ratio("pairsift")

    def track_import_selectors_ratio(self) -> float:
        """The same with all selectors loaded, as the first use of one does."""
        return self._import_ratio("pairsift.selectors")

    def _import_ratio(self, module: str) -> float:
        modules = (module, "sklearn.feature_selection")
        # The first of each only warms the disk; then by turns.
        rounds = [
            [_import_seconds(name) for name in modules]
            for _ in range(1 + self.size["n_imports"])
        ]
        ours, reference = map(statistics.median, zip(*rounds[1:], strict=True))
        return ours / reference


def _import_seconds(module: str) -> float:
    code = (
        "import time; start = time.perf_counter(); "
        f"import {module}; print(time.perf_counter() - start)"
    )
    child = subprocess.run(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True
    )
    return float(child.stdout)
