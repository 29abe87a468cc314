"""Similarity-based constraint score: subsets in which alike rows are near (S20)."""

import numpy as np
from scipy.spatial.distance import pdist

from pairsift._checks import as_matrix, check_at_least
from pairsift._kernels import (
    add_feature,
    error_parts,
    pair_errors,
    rough_bound,
    rough_columns,
    rough_errors,
    similarity_errors,
)
from pairsift._typing import BoolArray, FloatArray, IndexArray, PairArray
from pairsift.scores._search import TIE, ascending, first_lowest, forward_path

# So few candidates are taken in double precision at once.
FEW_CANDIDATES = 4
# Widths tried by sigma="auto", in units of the median distance.
WIDTHS = 2.0 ** np.arange(-3.0, 3.5, 0.5)


def similarity_class_path(
    X: FloatArray,
    classes: IndexArray,
    *,
    n_features: int | None = None,
    sigma: float = 1.0,
    n_jobs: int | None = None,
) -> tuple[IndexArray, FloatArray]:
    X = as_matrix(X)
    classes = np.asarray(classes)
    n_samples, n_columns = X.shape
    search = _AllPairs(X, classes, sigma, n_jobs)
    n_steps = n_columns if n_features is None else n_features
    order, errors = forward_path(search, n_columns, n_steps)
    return order, errors * 2.0 / n_samples**2


class _AllPairs:
    """The search over all pairs of rows; sums count each pair once."""

    def __init__(
        self, X: FloatArray, classes: IndexArray, sigma: float, n_jobs: int | None
    ) -> None:
        n_samples = len(X)
        self.classes = np.ascontiguousarray(classes, dtype=np.int64)
        self.n_jobs = n_jobs
        self.Z = np.ascontiguousarray(_exponents(X, sigma).T)
        self.rough, self.is_near, self.wrong = rough_columns(self.Z)
        self.first_copy = _first_copies(self.Z)
        self.W = np.ones(n_samples * (n_samples - 1) // 2)
        sizes = np.unique(self.classes, return_counts=True)[1]
        self.n_same = float((sizes * (sizes - 1) // 2).sum())
        self._measure()

    def _measure(self) -> None:
        self.parts, self.largest = error_parts(self.W, self.classes, self.n_jobs)

    def add(self, feature: int) -> None:
        if self.parts > 0.0:
            add_feature(self.Z[feature], self.n_jobs, self.W)
            self._measure()

    def best(self, left: IndexArray) -> tuple[int, float]:
        """Take all roughly, and exactly those that may be the best or tied with it."""
        candidates = self._without_copies(left)
        if candidates.size > FEW_CANDIDATES:
            candidates = self._contenders(candidates, *self._rough(candidates))
        errors = self._exact(candidates)
        lowest = first_lowest(errors, TIE * errors.min())
        return int(candidates[lowest]), float(errors[lowest])

    def _rough(self, candidates: IndexArray) -> tuple[FloatArray, FloatArray]:
        if self.parts == 0.0:
            return np.full(candidates.size, self.n_same), np.zeros(candidates.size)
        rough = self.n_same + rough_errors(
            self.rough,
            self.is_near,
            candidates,
            self.W,
            self.classes,
            self.largest,
            self.n_jobs,
        )
        wrong = self.wrong[candidates]
        return rough, rough_bound(wrong, self.parts, self.largest, self.W.size)
