"""Mutual information of all pairs of columns."""

from typing import ClassVar

import numpy as np

from benchmarks._scenario import Scenario


class InformationPairs(Scenario):
    """All pairs of continuous columns against scikit-learn, column by column."""

    name = "information-pairs"
    reference = "time_scikit_learn"
    sizes: ClassVar = {"n_samples": 500, "n_features": 60, "n_neighbors": 3}
    tiny_sizes: ClassVar = {"n_samples": 30, "n_features": 4, "n_neighbors": 3}

    def setup(self) -> None:
        """Normal columns, of which the first third share what the first one says."""
        n_samples, n_features = self.size["n_samples"], self.size["n_features"]
        rng = np.random.default_rng(self.seed)
        self.X = rng.normal(size=(n_samples, n_features))
        shared = np.arange(n_features) < n_features // 3
        self.X += 2.0 * rng.random(n_features) * shared * self.X[:, :1]

    def time_scikit_learn(self) -> np.ndarray:
        return self._scikit_learn(None)

    def time_scikit_learn_with_jobs(self) -> np.ndarray:
        """The same with as many jobs as pairsift has threads."""
        return self._scikit_learn(self.threads)

    def time_pairwise(self) -> np.ndarray:
        from pairsift.information import pairwise_mutual_information

        k = self.size["n_neighbors"]
        return pairwise_mutual_information(
            self.X, discrete_features=False, n_neighbors=k, n_jobs=self.threads
        )

    def track_agreement(self) -> float:
        """Largest difference to scikit-learn, the diagonal left out."""
        ours, theirs = np.maximum(self.time_pairwise(), 0.0), self.time_scikit_learn()
        difference = np.abs(ours - theirs)
        np.fill_diagonal(difference, 0.0)
        return float(difference.max())

    def _scikit_learn(self, n_jobs: int | None) -> np.ndarray:
        from sklearn.feature_selection import mutual_info_regression

        return np.array(
            [
                mutual_info_regression(
                    self.X,
                    column,
                    n_neighbors=self.size["n_neighbors"],
                    random_state=0,
                    n_jobs=n_jobs,
                )
                for column in self.X.T
            ]
        )
