"""The sparse graph of the features beside Lasso paths of scikit-learn."""

import time
from collections.abc import Callable
from functools import cached_property
from typing import ClassVar

import numpy as np

from benchmarks._scenario import Scenario


class FeatureGraph(Scenario):
    """A feature graph against one Lasso path a feature by scikit-learn."""

    name = "information-feature-graph"
    reference = "time_simplex"
    sizes: ClassVar = {
        "n_samples": 200,
        "n_features": 1000,
        "n_sampled": 3,
    }
    tiny_sizes: ClassVar = {
        "n_samples": 20,
        "n_features": 12,
        "n_sampled": 2,
    }

    def setup(self) -> None:
        """Make features of twenty common factors and noise, scaled to [0, 1]."""
        n_samples, n_features = self.size["n_samples"], self.size["n_features"]
        rng = np.random.default_rng(self.seed)
        factors = rng.normal(size=(n_samples, 20))
        X = factors @ rng.normal(size=(20, n_features))
        X += 0.5 * X.std() * rng.normal(size=X.shape)
        self.X = (X - X.min(axis=0)) / np.ptp(X, axis=0)
        sampled = rng.choice(n_features, self.size["n_sampled"], replace=False)
        self.sampled = np.sort(sampled)

    def time_simplex(self) -> np.ndarray:
        return self._graph(self.X)

    def time_lasso(self) -> np.ndarray:
        return self._graph(self.X, kind="lasso")

    def time_simplex_of_noise(self) -> np.ndarray:
        """Features that have nothing in common take more weights each."""
        return self._graph(np.random.default_rng(self.seed).random(self.X.shape))

    def _paths_of_some(self) -> float:
        """The peer on `n_sampled` features only, at its own, coarser tolerance."""
        return self._paths(eps=1e-2)

    def _one_lasso_of_some(self) -> float:
        """The same at one penalty, that of `time_lasso`, to the same gap as ours."""
        return self._paths(alphas=[0.001], tol=1e-10, max_iter=100_000)

    def peakmem_simplex(self) -> None:
        self._graph(self.X)

    def track_largest_gap(self) -> float:
        """Of the simplex, relative to the spread of the features."""
        spread = (self.X - self.X.mean(axis=1, keepdims=True)) ** 2
        return float(self._graph(self.X).max() / spread.mean())

    def track_lasso_paths_seconds(self) -> float:
        """Time of the peer for all features, estimated from some."""
        return self.seconds_of_paths

    def track_simplex_ratio(self) -> float:
        """Times faster than the paths, whose time is estimated."""
        return self.seconds_of_paths / _seconds(self.time_simplex)

    def track_lasso_ratio(self) -> float:
        """Times faster than the paths, whose time is estimated."""
        return self.seconds_of_paths / _seconds(self.time_lasso)

    def track_lasso_ratio_to_one_penalty(self) -> float:
        """Times faster than one penalty per feature, whose time is estimated."""
        seconds = _seconds(self._one_lasso_of_some) * self.n_times
        return seconds / _seconds(self.time_lasso)

    def report(self) -> str:
        return (
            f"scikit-learn: times of {self.size['n_sampled']} features, products of "
            f"columns given, times {self.n_times:g}; a path has 100 penalties down to "
            "a hundredth of the largest, gaps of 1e-4 |A|²/n suffice on it, and no "
            "weights have to sum to 1."
        )

    @property
    def n_times(self) -> float:
        return self.size["n_features"] / self.size["n_sampled"]

    @cached_property
    def seconds_of_paths(self) -> float:
        return _seconds(self._paths_of_some) * self.n_times

    def _paths(self, **options: object) -> float:
        """The largest gap of the sampled features, relative to |A|²/2n."""
        from sklearn.linear_model import lasso_path

        centred = self.X - self.X.mean(axis=0)
        gram = centred.T @ centred
        worst = 0.0
        for i in self.sampled.tolist():
            others = np.delete(np.arange(centred.shape[1]), i)
            *_, gaps = lasso_path(
                centred[:, others],
                centred[:, i],
                precompute=np.ascontiguousarray(gram[np.ix_(others, others)]),
                Xy=gram[others, i],
                **options,
            )
            worst = max(worst, float(gaps.max()) * 2.0 * len(centred) / gram[i, i])
        return worst

    def _graph(self, X: np.ndarray, **options: str) -> np.ndarray:
        from pairsift.graphs import feature_graph

        return feature_graph(X, n_jobs=self.threads, **options)[1]


def _seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start
