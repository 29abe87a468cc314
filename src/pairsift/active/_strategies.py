"""Which pair next: one class per strategy, all with the same three methods."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from pairsift._kernels import one_blas_thread
from pairsift._typing import BoolArray, FloatArray, PairArray
from pairsift.active._best_pair import TIE, best_pair, first_pair
from pairsift.active._data import as_points, ranges
from pairsift.active._graph import working_graph
from pairsift.active._spectrum import Spectrum

# The eigengap is looked for among this number of eigenvalues.
MAX_EIGENVECTORS = 8
# A row is near zero if its entry is below this share of the root mean square.
NEAR_ZERO = 0.1
# Random draws before all pairs are gone through.
DRAWS = 100


class Strategy(Protocol):
    """What a session asks of a strategy, which takes what it needs of the settings."""

    def __init__(
        self, X: FloatArray, is_categorical: BoolArray, **settings: Any
    ) -> None: ...

    def next_pair(self, asked: PairArray) -> tuple[int, int]:
        """Return the pair to ask about, (-1, -1) when all have been asked."""

    def take(self, first: int, second: int, answer: str) -> None:
        """Learn from an answer."""

    def take_back(self, first: int, second: int, answer: str) -> None:
        """Forget the last answer."""


class RandomPairs:
    """Pairs in random order; the same seed and answers give the same pairs."""

    def __init__(
        self,
        X: FloatArray,
        is_categorical: BoolArray,
        random_state: int = 0,
        **_: Any,
    ) -> None:
        self._n_samples, self._seed = len(X), random_state

    def next_pair(self, asked: PairArray) -> tuple[int, int]:
        known = set(map(tuple, asked.tolist()))
        rng = np.random.default_rng([self._seed, len(asked)])
        for _ in range(DRAWS):
            first, second = rng.choice(self._n_samples, size=2, replace=False).tolist()
            if (min(first, second), max(first, second)) not in known:
                return first, second
        return first_pair(self._n_samples, asked)

    def take(self, first: int, second: int, answer: str) -> None:
        """Chance learns nothing."""

    def take_back(self, first: int, second: int, answer: str) -> None:
        """Chance forgets nothing."""


class SpectralPairs:
    """Pairs that matter to the second eigenvector of the graph Laplacian.

    Base of the strategies below, which differ in what they maximise. An answer sets
    the similarity of its pair: 1 for the same, 0 for different.
    """

    def __init__(
        self,
        X: FloatArray,
        is_categorical: BoolArray,
        graph: str = "auto",
        n_neighbors: int = 7,
        n_jobs: int | None = -1,
        **_: Any,
    ) -> None:
        # Numbers keep their units, unless they have to be weighed against categories.
        scale = ranges(X)[1] if is_categorical.any() else None
        points = as_points(X, is_categorical, scale)
        self._S = working_graph(points, graph, n_neighbors, n_jobs)
        self._spectrum = Spectrum(self._S)
        self._is_current = False

    @property
    def embedding(self) -> FloatArray:
        """The second eigenvector; its largest entry is positive."""
        if not self._is_current:
            with one_blas_thread():
                self._spectrum.improve()
            self._is_current = True
        return self._spectrum.vector

    @property
    def uncertain(self) -> int:
        """The row nearest to zero on the eigenvector, the lowest of equals."""
        size = np.abs(self.embedding)
        return int(np.flatnonzero(size <= size.min() + TIE * size.max())[0])

    @property
    def n_near_zero(self) -> int:
        """Number of rows near zero on the eigenvector, at least 1."""
        near = NEAR_ZERO / np.sqrt(self.embedding.size)
        return max(int(np.count_nonzero(np.abs(self.embedding) <= near)), 1)

    def next_pair(self, asked: PairArray) -> tuple[int, int]:
        row = self.uncertain
        with one_blas_thread():
            n, m = self._best_pair(row, asked)
        return (m, n) if m == row else (n, m)

    def _best_pair(self, row: int, asked: PairArray) -> tuple[int, int]:
        raise NotImplementedError("abstract: a strategy defines its utility")

    def take(self, first: int, second: int, answer: str) -> None:
        if answer != "unsure":
            self._set_weight(first, second, {"same": 1.0, "different": 0.0}[answer])

    def take_back(self, first: int, second: int, answer: str) -> None:
        if answer != "unsure":
            self._set_weight(first, second, None)

    def _set_weight(self, first: int, second: int, weight: float | None) -> None:
        self._spectrum.set_weight(first, second, weight)
        self._is_current = False


class Eigenvector(SpectralPairs):
    """The pair that moves the most uncertain row most (H19 eq. 4.7)."""

    def _best_pair(self, row: int, asked: PairArray) -> tuple[int, int]:
        response = self._spectrum.response(row)
        return best_pair(self.embedding, response, asked)[:2]


class Eigenvalue(SpectralPairs):
    """The pair that changes the second eigenvalue most: its derivative is Δv²."""

    def _best_pair(self, row: int, asked: PairArray) -> tuple[int, int]:
        return best_pair(self.embedding, self.embedding, asked)[:2]


class MultiEigenvector(SpectralPairs):
    """The partner of the most uncertain row that moves it most on all eigenvectors.

    All that lie before the largest gap of the eigenvalues. The row is uncertain by its
    distance to the origin of these eigenvectors, and moves by
    Σ_q |dv_q(row)/ds| over them.
    """

    @property
    def uncertain(self) -> int:
        _, vectors = self._leading()
        size = np.linalg.norm(vectors, axis=1)
        return int(np.flatnonzero(size <= size.min() + TIE * size.max())[0])

    def _leading(self) -> tuple[FloatArray, FloatArray]:
        _ = self.embedding
        n_pairs = min(MAX_EIGENVECTORS + 1, len(self.embedding) - 1)
        with one_blas_thread():
            values, vectors = self._spectrum.lowest(n_pairs)
        gaps = np.diff(values)
        n_leading = int(gaps.argmax()) + 1 if gaps.size else 1
        return values[:n_leading], vectors[:, :n_leading]

    def _best_pair(self, row: int, asked: PairArray) -> tuple[int, int]:
        values, vectors = self._leading()
        moved = np.zeros(len(vectors))
        for q, v in enumerate(vectors.T):
            g = self._spectrum.response_among(row, q, values, vectors)
            moved += np.abs((v - v[row]) * (g - g[row]))
        partners = np.concatenate([asked[(asked == row).any(axis=1)].ravel(), [row]])
        moved[partners] = -1.0
        if moved.max() < 0:
            return first_pair(len(moved), asked)
        partner = int(np.flatnonzero(moved >= moved.max() * (1.0 - TIE))[0])
        return min(row, partner), max(row, partner)
