"""How the article of 2021 splits, ranks, classifies and takes the time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pairsift.constraints import PairConstraints
from pairsift.evaluation import accuracy_curve, representation_entropy
from pairsift.scores import relieff_sc_score, simba_sc_score
from pairsift.selectors import FCRSC, MRMR, LaplacianScore, ReliefF, VarianceScore
from reproduction._experiment import Bench, Curve, Outcome, Outcomes
from reproduction._protocols import (
    Split,
    best_first,
    best_point,
    draw_pairs,
    median_time,
    split_rows,
)
from reproduction._typing import FloatArray, IndexArray, PairArray

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

CONSTRAINED = ("Simba-Sc", "Relief-Sc", "FCRSC")
COMPARED = ("Variance", "Laplacian", "ReliefF", "mRMR", "FCRSC")
TIMED = ("Variance", "Laplacian", "ReliefF", "mRMR", "Simba-Sc", "Relief-Sc", "FCRSC")
# With more rows a run costs much: it is made at fewer sizes.
MANY_ROWS = 2000
SHORT_OF_SIZES = 60
FEW_SIZES = 12


class Data(NamedTuple):
    """A data set, its number of cannot-links, and the number of neighbours.

    Of the runs asked for, one in `share` is made.
    """

    row: str
    name: str
    n_pairs: int
    n_neighbors: int = 10
    share: int = 1


class Task(NamedTuple):
    """One run: two thirds of the rows train."""

    data: Data
    split: Split
    cannot_link: PairArray
    rng: np.random.Generator


def tasks_of(data: Data, bench: Bench) -> Iterator[Task]:
    """Draw the splits and the cannot-links of the runs."""
    bunch = bench.load(data.name)
    n_rows = len(bunch.target)
    for rng in bench.generators():
        rows = rng.permutation(n_rows)
        train, test = np.split(rows, [2 * n_rows // 3])
        split = split_rows(bunch, train, test)
        yield Task(data, split, draw_pairs(split.y, data.n_pairs, rng), rng)


def _fcrsc(task: Task) -> FCRSC:
    pairs = PairConstraints(cannot_link=task.cannot_link, n_samples=len(task.split.X))
    selector = FCRSC(
        n_neighbors=task.data.n_neighbors,
        symmetric=False,
        exclude="self",
        ties="index",
    )
    return selector.fit(task.split.X, constraints=pairs)


def _mrmr(task: Task, n_features: int | None = None) -> MRMR:
    return MRMR(n_features, discretize=1.0).fit(task.split.X, task.split.y)


RANKERS: dict[str, Callable[[Task], IndexArray]] = {
    "Variance": lambda task: VarianceScore().fit(task.split.X).order_,
    "Laplacian": lambda task: (
        LaplacianScore(n_neighbors=task.data.n_neighbors).fit(task.split.X).order_
    ),
    "ReliefF": lambda task: (
        ReliefF(n_neighbors=task.data.n_neighbors)
        .fit(task.split.X, task.split.y)
        .order_
    ),
    "mRMR": lambda task: _mrmr(task).order_,
    "Simba-Sc": lambda task: best_first(
        simba_sc_score(task.split.X, task.cannot_link, step=0.5, random_state=task.rng)
    ),
    "Relief-Sc": lambda task: best_first(
        relieff_sc_score(
            task.split.X,
            task.cannot_link,
            n_neighbors=task.data.n_neighbors,
            exclude="self",
            ties="index",
        )
    ),
    "FCRSC": lambda task: _fcrsc(task).order_,
}


def ranked(task: Task, method: str) -> IndexArray:
    """Rank the features; FCRSC and mRMR keep as many as FCRSC finds clusters."""
    if method not in ("FCRSC", "mRMR"):
        return RANKERS[method](task)
    fcrsc = _fcrsc(task)
    order = fcrsc.order_ if method == "FCRSC" else _mrmr(task, fcrsc.n_clusters_).order_
    return order[: fcrsc.n_clusters_]


def classifiers() -> dict[str, str | BaseEstimator]:
    """Return the classifiers of the article, or what is nearest to them here."""
    from sklearn.svm import SVC
    from sklearn.tree import DecisionTreeClassifier

    return {
        "KNN": "1nn",
        # Matlab's polynomial kernel is (1 + x'y)^3.
        "SVM": SVC(kernel="poly", degree=3, gamma=1.0, coef0=1.0, C=1.0),
        "NB": "naive-bayes",
        # WEKA's C4.5 asks for two rows a leaf; it also prunes, this tree does not.
        "C4.5": DecisionTreeClassifier(
            criterion="entropy", min_samples_leaf=2, random_state=0
        ),
    }


def sizes_of(n_ranked: int, split: Split, classifier: str) -> IndexArray:
    """Return all sizes, or a dozen of them where each costs much."""
    n_features = split.X.shape[1]
    is_cheap = n_features <= SHORT_OF_SIZES and len(split.X) <= MANY_ROWS
    if classifier == "KNN" or is_cheap:
        return np.arange(1, n_ranked + 1)
    return np.unique(np.linspace(1, n_ranked, FEW_SIZES).round().astype(int))


def run_constrained(data: Data, bench: Bench) -> Outcomes:
    """Measure accuracy of C4.5 and representation entropy, as figures 3 and 4.

    The entropy grows with the number of features: it is compared where all methods
    have a ranking, up to the number of clusters.
    """
    tasks = list(tasks_of(data, bench))
    orders = {
        method: [ranked(task, method) for task in tasks] for method in CONSTRAINED
    }
    lengths = {method: min(map(len, found)) for method, found in orders.items()}
    shared_sizes = sizes_of(min(lengths.values()), tasks[0].split, "C4.5")
    outcomes: Outcomes = {}
    for method in CONSTRAINED:
        sizes = sizes_of(lengths[method], tasks[0].split, "C4.5")
        accuracy, size = _best(tasks, orders[method], sizes, "C4.5")
        entropies = [
            [representation_entropy(task.split.X, order[:n]) for n in shared_sizes]
            for task, order in zip(tasks, orders[method], strict=True)
        ]
        outcomes[data.row, f"{method} C4.5 Acc"] = accuracy
        outcomes[data.row, f"{method} C4.5 d"] = size
        outcomes[data.row, f"{method} RE"] = _mean_height(entropies, shared_sizes)
    return outcomes


def run_compared(
    data: Data, method: str, names: Sequence[str], bench: Bench
) -> Outcomes:
    """Measure accuracies of a method with three classifiers, as figures 5 to 10."""
    tasks = list(tasks_of(data, bench))
    orders = [ranked(task, method) for task in tasks]
    outcomes: Outcomes = {}
    for name in names:
        sizes = sizes_of(min(map(len, orders)), tasks[0].split, name)
        accuracy, size = _best(tasks, orders, sizes, name)
        outcomes[method, f"{name} Acc"] = accuracy
        outcomes[method, f"{name} d"] = size
    return outcomes


def run_all_features(
    row: str, data: Data, names: Sequence[str], bench: Bench
) -> Outcomes:
    """Measure accuracies without selection."""
    tasks = list(tasks_of(data, bench))
    n_features = tasks[0].split.X.shape[1]
    orders = [np.arange(n_features)] * len(tasks)
    sizes = np.array([n_features])
    return {
        (row, f"{name} Acc"): _best(tasks, orders, sizes, name)[0]._replace(curve=None)
        for name in names
    }


def run_times(data: Data, bench: Bench) -> Outcomes:
    """Take the time of each method, after a run that is not counted."""
    tasks = list(tasks_of(data, bench))
    outcomes: Outcomes = {}
    for method in TIMED:
        rank = RANKERS[method]
        rank(tasks[0])
        outcomes[data.row, method] = median_time([partial(rank, t) for t in tasks])
    return outcomes


def _best(
    tasks: Sequence[Task], orders: Sequence[IndexArray], sizes: IndexArray, name: str
) -> tuple[Outcome, Outcome]:
    model = classifiers()[name]
    curves: list[FloatArray] = [
        accuracy_curve(*task.split, order, classifier=model, sizes=sizes).accuracies
        for task, order in zip(tasks, orders, strict=True)
    ]
    return best_point(curves, sizes)


def _mean_height(curves: Sequence[Sequence[float]], sizes: IndexArray) -> Outcome:
    """Return the mean over the sizes, of the mean curve."""
    runs = np.asarray(curves)
    heights = runs.mean(axis=1)
    spread = float(heights.std(ddof=1)) if len(runs) > 1 else None
    curve = Curve(sizes.tolist(), runs.mean(axis=0).tolist())
    return Outcome(float(heights.mean()), spread, len(runs), curve)
