"""How the thesis of 2019 ranks features, from drawn, asked and spread constraints."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from pairsift.active import ActiveSession, propagate
from pairsift.constraints import PairConstraints
from pairsift.evaluation import accuracy_curve, first_rows_split
from pairsift.graphs import FullGraph, full_graph
from pairsift.scores import (
    constraint_score_1,
    constraint_score_2,
    constraint_score_4,
    constraint_score_5,
    fisher_score,
    laplacian_score,
    relieff_sc_score,
    relieff_score,
    simba_sc_score,
)
from reproduction._experiment import Bench, Outcome, Outcomes
from reproduction._protocols import (
    Split,
    best_first,
    best_point,
    draw_pairs,
    sizes_text,
    split_rows,
)
from reproduction._typing import FloatArray, IndexArray, PairArray

ALL = "all features"
# Second readings, shown beside the first: similarities that the answers have changed,
# and equation 1.41 in place of the sums.
ANSWERED = "PACS answered"
MATRIX = "CLS matrix"
CLASSIFIERS = {"1-NN": "1nn", "SVM": "svm"}
# Above this many features a support vector machine is not fitted for every size.
ALL_SIZES = 100
SIZE_STEP = 50
# Where both kinds of answers are wanted, no more questions than this for each.
MAX_QUESTIONS = 20
_GRAPH_NEIGHBORS = 7
_N_TRAIN_LEUKEMIA = 38
_LISTS_SIZES = ("Soybean", "Wine")


class Data(NamedTuple):
    """A data set, its number of constraints, K, and how far answers are spread.

    Simba-Sc is started `n_starts` times.
    """

    row: str
    name: str
    n_pairs: int
    k: int = 1
    alpha: float = 0.99
    note: str = ""
    n_starts: int = 5


class Pairs(NamedTuple):
    """What a constrained method is told, in the order asked or drawn."""

    must_link: PairArray
    cannot_link: PairArray


class Task(NamedTuple):
    """What a method ranks the features of."""

    data: Data
    split: Split
    rng: np.random.Generator


Score = Callable[[Task, Pairs], FloatArray]


def _relieff_sc(task: Task, pairs: Pairs) -> FloatArray:
    # Ranges are those of all rows, 0 to 1, not of the training rows: two rows of
    # alternate ends say so. They are far from all others, so no row's neighbours.
    X = np.pad(task.split.X, ((0, 2), (0, 0)))
    X[-2, ::2] = X[-1, 1::2] = 1.0
    return relieff_sc_score(
        X, pairs.cannot_link, n_neighbors=task.data.k, exclude="self", ties="index"
    )


def _simba_sc(task: Task, pairs: Pairs) -> FloatArray:
    return simba_sc_score(
        task.split.X,
        pairs.cannot_link,
        n_starts=task.data.n_starts,
        exclude="self",
        random_state=task.rng,
    )


def _constraint_score_4(task: Task, pairs: Pairs) -> FloatArray:
    return constraint_score_4(task.split.X, *pairs, S=_graph(task))


def _graph(task: Task) -> FullGraph:
    return full_graph(task.split.X, n_neighbors=_GRAPH_NEIGHBORS, kernel="self-tuning")


CONSTRAINED: dict[str, Score] = {
    "Relief-Sc": _relieff_sc,
    "ReliefF-Sc": _relieff_sc,
    "Simba-Sc": _simba_sc,
    "CS1": lambda task, pairs: constraint_score_1(task.split.X, *pairs),
    "CS2": lambda task, pairs: constraint_score_2(task.split.X, *pairs),
    "CS4": _constraint_score_4,
    "CLS": lambda task, pairs: constraint_score_5(task.split.X, *pairs),
    MATRIX: lambda task, pairs: constraint_score_5(task.split.X, *pairs, form="matrix"),
}
USES_MUST_LINKS = {"CS1", "CS2", "CS4", "CLS", MATRIX}
UNCONSTRAINED: dict[str, Callable[[Task], FloatArray]] = {
    "Fisher": lambda task: fisher_score(task.split.X, task.split.y),
    "ReliefF": lambda task: relieff_score(
        task.split.X, task.split.y, n_neighbors=task.data.k
    ),
    "Laplacian": lambda task: laplacian_score(task.split.X, _graph(task)),
}


def split_of(data: Data, bench: Bench) -> Split:
    """Split a data set as the thesis does."""
    bunch = bench.load(data.name)
    train, test = first_rows_split(bunch.target)
    if data.row == "Leukemia":
        train, test = np.split(np.arange(len(bunch.target)), [_N_TRAIN_LEUKEMIA])
    return split_rows(bunch, train, test)


def random_pairs(task: Task, method: str) -> Pairs:
    """Draw the constraints of a method; half of them must-links if it uses these."""
    n_pairs, y = task.data.n_pairs, task.split.y
    if method not in USES_MUST_LINKS:
        return Pairs(_NONE, draw_pairs(y, n_pairs, task.rng))
    n_must = n_pairs // 2
    cannot = draw_pairs(y, n_pairs - n_must, task.rng)
    return Pairs(draw_pairs(y, n_must, task.rng, same=True), cannot)


def active_pairs(task: Task, method: str) -> Pairs:
    """Ask for constraints; a method that uses must-links gets half of each kind."""
    (X, y, *_), n_pairs = task.split, task.data.n_pairs
    session = ActiveSession(
        X, strategy="eigenvector", graph="full", n_neighbors=task.data.k
    )
    wanted = {"same": n_pairs // 2, "different": n_pairs - n_pairs // 2}
    n_all_pairs = y.size * (y.size - 1) // 2
    most = min(MAX_QUESTIONS * n_pairs, n_all_pairs)
    if method not in USES_MUST_LINKS:
        wanted, most = {"same": n_pairs, "different": n_pairs}, n_pairs
    said: dict[str, list[tuple[int, int]]] = {"same": [], "different": []}
    for _ in range(most):
        i, j = session.ask()
        answer = "same" if y[i] == y[j] else "different"
        session.tell(i, j, answer)
        said[answer].append((i, j))
        if all(len(said[kind]) >= wanted[kind] for kind in said):
            break
    return Pairs(*(_pair_array(said[kind][: wanted[kind]]) for kind in said))


def _pair_array(pairs: Iterable[tuple[int, int]]) -> PairArray:
    return np.array(list(pairs), dtype=np.int64).reshape(-1, 2)


_NONE = _pair_array([])


def spread_pairs(task: Task, method: str, similarity: str = "before") -> Pairs:
    """Ask for constraints and spread them; the new pairs count both ways."""
    (same, asked), X = active_pairs(task, method), task.split.X
    # Only where they change similarities do answers of "same" count.
    same = same if similarity == "answered" else _NONE
    given = PairConstraints(same, asked, n_samples=len(X))
    options: dict[str, Any] = {"alpha": task.data.alpha, "n_neighbors": task.data.k}
    with warnings.catch_warnings():
        # The published propagation is shown, whatever it is worth.
        warnings.simplefilter("ignore")
        wide = propagate(given, X, similarity=similarity, **options)
    known = set(map(tuple, given.cannot_link.tolist()))
    new = _pair_array(
        pair for pair in map(tuple, wide.cannot_link) if pair not in known
    )
    return Pairs(_NONE, np.concatenate([asked, new, new[:, ::-1]]))


def curve_of(
    split: Split, order: IndexArray, classifier: str
) -> tuple[IndexArray, FloatArray]:
    """Return sizes and accuracies; an SVM of very many features at fewer sizes."""
    sizes = np.arange(1, order.size + 1)
    if classifier == "SVM" and order.size > ALL_SIZES:
        is_last = sizes == order.size
        sizes = sizes[(sizes <= ALL_SIZES) | (sizes % SIZE_STEP == 0) | is_last]
    curve = accuracy_curve(
        *split, order, classifier=CLASSIFIERS[classifier], sizes=sizes
    )
    return curve.sizes, curve.accuracies


def accuracy_of_all(split: Split, classifier: str) -> Outcome:
    """Return the accuracy without selection, in percent."""
    n_features = split.X.shape[1]
    curve = accuracy_curve(
        *split,
        np.arange(n_features),
        classifier=CLASSIFIERS[classifier],
        sizes=[n_features],
    )
    return Outcome(100 * curve.best_accuracy)


Curves = dict[str, tuple[IndexArray, list[FloatArray]]]


def curves_of(
    orders: Iterable[IndexArray], split: Split, classifiers: Sequence[str]
) -> Curves:
    """Return for each classifier the sizes, and the accuracies of each ranking."""
    ranked = list(orders)
    found: Curves = {}
    for classifier in classifiers:
        curves = [curve_of(split, order, classifier) for order in ranked]
        found[classifier] = curves[0][0], [accuracies for _, accuracies in curves]
    return found


def random_orders(data: Data, method: str, bench: Bench) -> Iterable[IndexArray]:
    """Rank by a constrained method, once for each draw of constraints."""
    split = split_of(data, bench)
    for rng in bench.generators():
        task = Task(data, split, rng)
        yield best_first(CONSTRAINED[method](task, random_pairs(task, method)))


def single_order(
    data: Data,
    method: str,
    bench: Bench,
    pairs: Callable[[Task, str], Pairs] | None = None,
) -> IndexArray:
    """Rank once: by labels, by none, or by constraints that are not random."""
    rng = np.random.default_rng(bench.seed)
    task = Task(data, split_of(data, bench), rng)
    if pairs is None:
        return best_first(UNCONSTRAINED[method](task))
    return best_first(CONSTRAINED[method](task, pairs(task, method)))


def orders_of(row: str, data: Data, bench: Bench) -> list[IndexArray]:
    """Rank by a method such as "Fisher", "CS1, ACS", or "CS1, RCG" once a draw."""
    method, _, how = row.partition(", ")
    if how == "RCG":
        return list(random_orders(data, method, bench))
    return [single_order(data, method, bench, active_pairs if how else None)]


def run_random_row(methods: Sequence[str], data: Data, bench: Bench) -> Outcomes:
    """Measure a row of tables 3.2 and 3.3, and the curves of figures 3.2 and 3.3."""
    split = split_of(data, bench)
    outcomes = {(data.row, f"{ALL} Acc"): accuracy_of_all(split, "1-NN")}
    for method in methods:
        row = f"{method}, RCG" if method in CONSTRAINED else method
        found = curves_of(orders_of(row, data, bench), split, ["1-NN"])
        outcomes |= _named(data.row, method, *_best(found["1-NN"]))
    return outcomes


def run_active_row(data: Data, bench: Bench) -> Outcomes:
    """Measure a row of table 4.2."""
    split = split_of(data, bench)
    orders = {
        "RCG": random_orders(data, "ReliefF-Sc", bench),
        "ACS": [single_order(data, "ReliefF-Sc", bench, active_pairs)],
    }
    outcomes = {(data.row, f"{ALL} Acc"): accuracy_of_all(split, "1-NN")}
    for name, ranked in orders.items():
        found = curves_of(ranked, split, ["1-NN"])
        outcomes |= _named(data.row, name, *_best(found["1-NN"]))
    return outcomes


def run_spread_row(data: Data, bench: Bench) -> Outcomes:
    """Measure a row of table 4.3; where it lists all best sizes, so do we."""
    split = split_of(data, bench)
    outcomes = {(data.row, f"{ALL} Acc"): accuracy_of_all(split, "1-NN")}
    ways: dict[str, Callable[[Task, str], Pairs]] = {
        "ACS": active_pairs,
        "PACS": spread_pairs,
        ANSWERED: partial(spread_pairs, similarity="answered"),
    }
    for name, pairs in ways.items():
        order = single_order(data, "ReliefF-Sc", bench, pairs)
        sizes, [accuracies] = curves_of([order], split, ["1-NN"])["1-NN"]
        accuracy, size = best_point([accuracies], sizes)
        if data.row in _LISTS_SIZES:
            is_best = accuracies == accuracies.max()
            size = Outcome(sizes_text(sizes[is_best]))
        outcomes |= _named(data.row, name, accuracy, size)
    return outcomes


def run_method(row: str, data: Data, bench: Bench) -> Outcomes:
    """Measure the cells of a method and a data set in table 4.4."""
    split = split_of(data, bench)
    if row == ALL:
        return {
            (row, f"{data.row} {classifier} Acc"): accuracy_of_all(split, classifier)
            for classifier in CLASSIFIERS
        }
    orders = orders_of(row, data, bench)
    outcomes: Outcomes = {}
    for classifier, curves in curves_of(orders, split, list(CLASSIFIERS)).items():
        outcomes |= _named(row, f"{data.row} {classifier}", *_best(curves))
    return outcomes


def _best(curves: tuple[IndexArray, list[FloatArray]]) -> tuple[Outcome, Outcome]:
    sizes, accuracies = curves
    return best_point(accuracies, sizes)


def _named(row: str, column: str, accuracy: Outcome, size: Outcome) -> Outcomes:
    return {(row, f"{column} Acc"): accuracy, (row, f"{column} d"): size}
