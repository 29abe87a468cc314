"""Questions: which pair next, on full and on sparse graphs."""

import statistics
import time
from collections.abc import Callable
from typing import ClassVar

import numpy as np

from benchmarks._scenario import Scenario


def blobs(n_samples: int, n_features: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Five overlapping classes in all columns, scaled to [0, 1]."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 5, n_samples)
    centres = rng.normal(size=(5, n_features))
    X = 0.6 * centres[y] + rng.normal(size=(n_samples, n_features))
    return (X - X.min(axis=0)) / np.ptp(X, axis=0), y


def seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


class FullGraphQuestions(Scenario):
    """Twenty questions on the full graph against equation 4.7 of the thesis."""

    name = "active-full"
    reference = "time_published_question"
    sizes: ClassVar = {
        "n_samples": 2_000,
        "n_features": 20,
        "n_questions": 20,
        "n_summed": 20,
    }
    tiny_sizes: ClassVar = {
        "n_samples": 60,
        "n_features": 4,
        "n_questions": 3,
        "n_summed": 5,
    }

    def setup(self) -> None:
        from pairsift.graphs import similarity_graph

        self.X, self.y = blobs(
            self.size["n_samples"], self.size["n_features"], self.seed
        )
        self.S = similarity_graph(
            self.X, graph="full", kernel="self-tuning", n_neighbors=7
        )

    def time_questions(self) -> list[tuple[int, int]]:
        """All questions and answers, building the graph included."""
        from pairsift import ActiveSession

        session = ActiveSession(
            self.X, strategy="eigenvector", graph="full", n_jobs=self.threads
        )
        for _ in range(self.size["n_questions"]):
            i, j = session.ask()
            session.tell(i, j, "same" if self.y[i] == self.y[j] else "different")
        return [tuple(sorted((a.first, a.second))) for a in session.history]

    def time_published_question(self) -> tuple[int, int]:
        """One question by a full eigendecomposition, its sum taken as a product."""
        return published_question(self.S.copy())

    def track_times_faster(self) -> float:
        """Than the decomposition and product above, for as many questions."""
        published = seconds(self.time_published_question)
        return self.size["n_questions"] * published / seconds(self.time_questions)

    def track_times_faster_than_equation(self) -> float:
        """Than equation 4.7 summed over eigenvectors for all pairs.

        Estimated from some of the eigenvectors of one question.
        """
        values, vectors = np.linalg.eigh(np.diag(self.S.sum(axis=1)) - self.S)
        decomposing = seconds(lambda: np.linalg.eigh(self.S))
        v, row = vectors[:, 1], int(np.argmin(np.abs(vectors[:, 1])))
        total = np.zeros_like(self.S)
        n_summed = self.size["n_summed"]

        def add() -> None:
            nonlocal total
            for p in range(2, 2 + n_summed):
                u = vectors[:, p]
                weight = u[row] / (values[1] - values[p])
                total += weight * (v[:, None] - v) * (u[:, None] - u)

        summing = seconds(add) / n_summed * (len(values) - 2)
        one = decomposing + summing
        return self.size["n_questions"] * one / seconds(self.time_questions)

    def track_same_pairs(self) -> float:
        """Share of the first three pairs that the published way asks, too."""
        S, asked = self.S.copy(), []
        for _ in range(3):
            n, m = published_question(S, asked)
            asked.append((n, m))
            S[n, m] = S[m, n] = float(self.y[n] == self.y[m])
        return float(
            np.mean(
                [a == b for a, b in zip(asked, self.time_questions(), strict=False)]
            )
        )


def published_question(
    S: np.ndarray, asked: list[tuple[int, int]] | tuple[()] = ()
) -> tuple[int, int]:
    values, vectors = np.linalg.eigh(np.diag(S.sum(axis=1)) - S)
    v = vectors[:, 1]
    row = int(np.argmin(np.abs(v)))
    g = vectors[:, 2:] @ (vectors[row, 2:] / (values[1] - values[2:]))
    utility = np.triu(np.abs((v[:, None] - v) * (g[:, None] - g)), 1)
    for n, m in asked:
        utility[n, m] = -1.0
    n, m = np.unravel_index(utility.argmax(), utility.shape)
    return int(n), int(m)


class SparseGraphQuestions(Scenario):
    """Questions on the k-nearest graph of many rows, and the spread of answers."""

    name = "active-knn"
    reference = "time_graph"
    sizes: ClassVar = {
        "n_samples": 100_000,
        "n_fewer": 10_000,
        "n_features": 20,
        "n_questions": 9,
        "n_constraints": 50,
    }
    tiny_sizes: ClassVar = {
        "n_samples": 500,
        "n_fewer": 450,
        "n_features": 3,
        "n_questions": 2,
        "n_constraints": 3,
    }

    def setup(self) -> None:
        self.X, self.y = blobs(
            self.size["n_samples"], self.size["n_features"], self.seed
        )

    def time_graph(self) -> object:
        from pairsift.graphs import similarity_graph

        return similarity_graph(
            self.X, n_neighbors=7, kernel="self-tuning", n_jobs=self.threads
        )

    def _seconds_a_question(self, n_samples: int) -> float:
        """Median over the questions after the first, which sets up."""
        from pairsift import ActiveSession

        X, y = self.X[:n_samples], self.y[:n_samples]
        session = ActiveSession(
            X, strategy="eigenvector", graph="knn", n_jobs=self.threads
        )
        session.ask()
        times = []
        for _ in range(self.size["n_questions"]):
            i, j = session.ask()
            session.tell(i, j, "same" if y[i] == y[j] else "different")
            times.append(seconds(session.ask))
        return statistics.median(times)

    def track_seconds_a_question(self) -> float:
        return self._seconds_a_question(len(self.X))

    def track_growth(self) -> float:
        """Cost of a question over that with a tenth of the rows."""
        few = self._seconds_a_question(self.size["n_fewer"])
        return self._seconds_a_question(len(self.X)) / few

    def track_seconds_to_propagate(self) -> float:
        return seconds(self._propagate)

    def peakmem_questions(self) -> None:
        self._seconds_a_question(len(self.X))

    def peakmem_propagate(self) -> None:
        self._propagate()

    def _propagate(self) -> None:
        from pairsift import PairConstraints, propagate

        pairs = PairConstraints.sample(
            self.y, self.size["n_constraints"], random_state=0
        )
        propagate(pairs, self.X, graph="knn", alpha=0.9, n_jobs=self.threads)
