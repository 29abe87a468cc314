"""Figures of chapter 4 that explain: similarities against λ, clusters for classes."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from pairsift.information import mutual_information
from pairsift.scores import ssfc_path
from reproduction._experiment import (
    Bench,
    Cell,
    Experiment,
    Outcome,
    Outcomes,
    Part,
    points,
)
from reproduction._protocols import mean_of_runs
from reproduction.coelho2013._problems import KEY, load_problem
from reproduction.coelho2013._similarity import range_of_crossings

_N_FEATURES = 4
_PAIRS = tuple(combinations(range(_N_FEATURES), 2))
_WEIGHTS = (0.0, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)
_LOW, _HIGH = "first crossing", "last crossing"

_N_ROWS, _N_CLUSTERS, _CLUSTER_WIDTH = 400, 4, 0.3
_SETS = {
    "feature 1": [0],
    "feature 2": [1],
    "feature 3": [2],
    "features 1 and 2": [0, 1],
}


def _pair_name(i: int, j: int) -> str:
    return f"features {i + 1} and {j + 1}"


def _similarities(bench: Bench) -> Outcomes:
    """Figure 4.2: S = A - λB of the pairs of features, a line each."""
    problem = load_problem("ILPD", bench)
    path = ssfc_path(
        problem.X[:, :_N_FEATURES], problem.y, lambda_=0.0, n_permutations=1
    )
    # Without a weight, similarities are the information between features.
    A, B = path.similarities, np.abs(np.subtract.outer(path.relevance, path.relevance))
    outcomes = {
        (_pair_name(i, j), f"S at {weight:g}"): Outcome(
            float(A[i, j] - weight * B[i, j])
        )
        for i, j in _PAIRS
        for weight in _WEIGHTS
    }
    low, high = range_of_crossings(A, path.relevance)
    return outcomes | {("λ", _LOW): Outcome(low), ("λ", _HIGH): Outcome(high)}


def _similarity_figure() -> Experiment:
    cells = [Cell(_pair_name(*pair), "S", unit="nats", decimals=3) for pair in _PAIRS]
    crossings = tuple(Cell("λ", name, unit="", decimals=4) for name in (_LOW, _HIGH))
    return Experiment(
        *(KEY, "figure-4.2", "Similarity of pairs of features against λ"),
        protocol="S = A - λB of the pairs of some features, and the smallest and the "
        "largest λ at which two of these lines cross. The thesis does not say which "
        f"data it shows: these are the first {_N_FEATURES} columns of ILPD with all "
        "labels. Figure 4.1 draws two such lines for each way in which they may lie.",
        parts=(Part((*points(cells, _WEIGHTS), *crossings), _similarities),),
        picture="column",
        against="λ",
        also=("figure-4.1",),
    )


def _cluster_information(bench: Bench) -> Outcomes:
    """Figure 4.10: what features tell of the classes, and of clusters of the rows."""
    from sklearn.cluster import KMeans

    found: dict[tuple[str, str], list[float]] = {}
    for rng in bench.generators():
        corners = rng.integers(0, 2, (_N_ROWS, 2))
        X = np.column_stack(
            [
                2.0 * corners - 1.0 + _CLUSTER_WIDTH * rng.normal(size=corners.shape),
                rng.uniform(-1.0, 1.0, _N_ROWS),
            ]
        )
        clusters = KMeans(_N_CLUSTERS, n_init=10, random_state=0).fit_predict(X)
        labels = {"classes": corners[:, 0] ^ corners[:, 1], "clusters": clusters}
        for row, features in _SETS.items():
            for column, y in labels.items():
                told = mutual_information(X[:, features], y)
                found.setdefault((row, column), []).append(told)
    return {key: mean_of_runs(values) for key, values in found.items()}


def _cluster_figure() -> Experiment:
    return Experiment(
        *(KEY, "figure-4.10", "What features tell of classes and of clusters, XOR"),
        protocol=f"Four clusters around the corners of a square, {_N_ROWS} rows, "
        "opposite corners of one class, and a third feature at random; k-means finds "
        "clusters in all three. Mutual information in nats: log 2 = 0.693 would tell "
        "the classes, log 4 = 1.386 the clusters. The figure shows the rows only, and "
        "says in words what features tell.",
        parts=(
            Part(
                tuple(
                    Cell(row, column, unit="nats", decimals=3)
                    for row in _SETS
                    for column in ("classes", "clusters")
                ),
                _cluster_information,
            ),
        ),
        n_runs=10,
    )


ILLUSTRATIONS = (_similarity_figure(), _cluster_figure())
