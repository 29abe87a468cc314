"""The features that a fit of the pair model looks at."""

from typing import TYPE_CHECKING

import numpy as np

from pairsift import _kernels
from pairsift._typing import BoolArray, FloatArray, IndexArray

if TYPE_CHECKING:
    from pairsift.scores._pair_model import Examples, PairProblem


class WorkingSet:
    """The features that a fit looks at, with their differences."""

    def __init__(
        self, problem: "PairProblem", examples: "Examples", gradient: FloatArray
    ) -> None:
        self._problem = problem
        self._examples = examples
        # The steeper first, so that the order of the columns does not matter.
        self._place = np.argsort(np.argsort(gradient, kind="stable"))
        self.contains = np.zeros(problem.X.shape[1], dtype=bool)
        self._features = np.empty(0, dtype=np.int64)
        self._D = np.empty((0, len(examples.pairs)))

    @property
    def size(self) -> int:
        """Number of features."""
        return self._features.size

    def add(self, features: IndexArray) -> None:
        """Take in features that are not there yet."""
        new = features[~self.contains[features]]
        problem = self._problem
        D = _kernels.pair_differences(
            problem.X, self._examples.pairs, new, problem.columns, problem._n_jobs
        )
        self._set(np.concatenate([self._features, new]), np.concatenate([self._D, D]))

    def keep(self, mask: BoolArray) -> None:
        """Let the other features go."""
        kept = mask[self._features]
        self._set(self._features[kept], self._D[kept])

    def _set(self, features: IndexArray, D: FloatArray) -> None:
        # In an order of their own, so that the way here does not matter.
        order = np.argsort(self._place[features])
        self._features, self._D = features[order], np.ascontiguousarray(D[order])
        self.contains[:] = False
        self.contains[features] = True

    def fit(
        self, penalty: float, tol: float, w: FloatArray, intercept: float
    ) -> tuple[float, FloatArray]:
        """Improve the weights of these features in place."""
        _, sign, share = self._examples
        inside = w[self._features]
        intercept, slope, _ = _kernels.fit_pairs(
            self._D, sign, share, penalty, tol, inside, intercept
        )
        w[self._features] = inside
        return intercept, slope

    def value(self, penalty: float, w: FloatArray, intercept: float) -> float:
        """Return the penalised loss."""
        _, sign, share = self._examples
        odds = intercept - w[self._features] @ self._D
        return float(share @ np.logaddexp(0.0, -sign * odds) + penalty * w.sum())
