"""Graph scores beside the graph they stand on."""

from typing import ClassVar

import numpy as np

from benchmarks._scenario import Scenario


class GraphScores(Scenario):
    """Constraint scores 1-7 and the Laplacian score against building their graph."""

    name = "scores-graph"
    reference = "time_graph"
    sizes: ClassVar = {
        "n_samples": 20_000,
        "n_features": 200,
        "n_prototypes": 20,
        "n_neighbors": 5,
    }
    tiny_sizes: ClassVar = {
        "n_samples": 60,
        "n_features": 7,
        "n_prototypes": 3,
        "n_neighbors": 3,
    }

    def setup(self) -> None:
        """Uniform noise, with classes told apart by columns that stand anywhere."""
        from pairsift import PairConstraints

        n_samples, n_features = self.size["n_samples"], self.size["n_features"]
        rng = np.random.default_rng(self.seed)
        y = np.arange(n_samples) % 3
        self.X = rng.random((n_samples, n_features))
        for j in rng.choice(n_features, size=4, replace=False):
            self.X[:, j] = (self.X[:, j] + y) / 3
        labels = np.full(n_samples, -1)
        prototypes = rng.choice(
            n_samples // 3, (3, self.size["n_prototypes"]), replace=False
        )
        for c in range(3):
            labels[3 * prototypes[c] + c] = c
        self.labels, self.pairs = labels, PairConstraints.from_labels(labels)

    def time_graph(self) -> object:
        """The graph of nearest neighbours, by pairsift."""
        from pairsift.graphs import similarity_graph

        return similarity_graph(
            self.X, n_neighbors=self.size["n_neighbors"], n_jobs=self.threads
        )

    def time_graph_by_scikit_learn(self) -> object:
        from sklearn.neighbors import kneighbors_graph

        k = self.size["n_neighbors"]
        return kneighbors_graph(self.X, k, mode="distance", n_jobs=self.threads)

    def time_graph_and_all_scores(self) -> list[np.ndarray]:
        """One graph, then all eight scores on it."""
        from pairsift import scores

        S = self.time_graph()
        X, options = self.X, {"neighbors": S, "n_jobs": self.threads}
        pairs = self.pairs.must_link, self.pairs.cannot_link
        return [
            scores.laplacian_score(X, S, n_jobs=self.threads),
            scores.constraint_score_1(X, *pairs),
            scores.constraint_score_2(X, *pairs),
            scores.constraint_score_3(X, *pairs, **options),
            scores.constraint_score_4(X, *pairs, S=S, n_jobs=self.threads),
            scores.constraint_score_5(X, *pairs, **options),
            scores.constraint_score_6(X, *pairs, **options),
            scores.constraint_score_7(X, *pairs, self.labels, **options),
        ]

    def time_one_selector(self) -> np.ndarray:
        """A fit of the costliest of them, which builds its own graph."""
        from pairsift import ConstraintScore7

        k = self.size["n_neighbors"]
        selector = ConstraintScore7(n_neighbors=k, n_jobs=self.threads)
        return selector.fit(self.X, self.labels).scores_

    def peakmem_graph_and_all_scores(self) -> None:
        self.time_graph_and_all_scores()

    def peakmem_full_graph(self) -> None:
        """Constraint score 4 on the full graph of a tenth of the rows, never stored."""
        from pairsift.scores import constraint_score_4

        n = len(self.X) // 10
        must, cannot = (
            pairs[(pairs < n).all(axis=1)]
            for pairs in (self.pairs.must_link, self.pairs.cannot_link)
        )
        constraint_score_4(self.X[:n], must, cannot, n_jobs=self.threads)
