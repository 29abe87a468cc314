"""One cell of a comparison: a selector on a split, judged by every classifier."""

from __future__ import annotations

import time
import warnings
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from pairsift._typing import IndexArray
from pairsift.active import Evidence, PropagatedConstraints
from pairsift.constraints import PairConstraints
from pairsift.evaluation._accuracy import accuracy_curve
from pairsift.evaluation._compare._plan import (
    ALL,
    ALL_FEATURES,
    BASELINES,
    Entry,
    Plan,
    describe,
    knowledge,
)
from pairsift.evaluation._compare._redundancy import entropy_curve, rate_curve
from pairsift.evaluation._compare._splits import (
    Purpose,
    known_labels,
    known_pairs,
    table_of,
)
from pairsift.evaluation._compare._tables import SplitTable
from pairsift.evaluation._rankings import ranking_distance, ranking_precision
from pairsift.exceptions import DataError

N_ORDERS = 3
"""Number of random orders of the features on each split."""


@dataclass(frozen=True)
class Cell:
    """What a selector reached on a split; lists, as JSON has them."""

    data: str
    selector: str
    split: int
    supervision: str
    n_used: int
    """Pairs used, or labelled rows."""
    n_train: int
    n_test: int
    seconds: float
    order: list[int]
    """Features, best first; empty if none is ranked."""
    sizes: list[int]
    accuracies: dict[str, list[float]]
    representation_entropy: list[float]
    redundancy_rate: list[float]
    warnings: list[str]
    changes: str = ""
    """What was done to text and missing values that the selector does not take."""
    classifier_changes: str = ""
    """The same for classifiers."""
    n_questions: int | None = None
    """Questions that were to be asked, None if it learned from no answers."""
    n_answers: int | None = None
    """Answers that were given; fewer where all rows are sorted before."""
    n_spread: int | None = None
    """Pairs that these answers were spread to, None if they were not spread."""
    is_chance: bool = False
    """Whether the check of what was spread does not show more than chance."""
    method: str = ""
    """Name of the selector, without what was swept."""
    sweep: dict[str, Any] = field(default_factory=dict)
    """What was swept, "questions", "alpha" or a parameter, and its value here."""
    precision: list[float] = field(default_factory=list)
    """At each size, of the best features by the reference the share found."""
    distance: list[float] = field(default_factory=list)
    """At each size, how far these are from their places; none if not all are ranked."""

    @property
    def is_baseline(self) -> bool:
        """Whether it is a line that learns nothing, to compare methods with."""
        return self.method in BASELINES


@dataclass(frozen=True)
class Failure:
    """A selector that could not be fitted or judged on a split."""

    data: str
    selector: str
    split: int
    error: str


class Learned(NamedTuple):
    """What a selector learns from: labels, pairs or neither."""

    supervision: str
    labels: IndexArray | None = None
    pairs: PairConstraints | None = None
    answers: Evidence | None = None
    """The answers, if it learns from these."""

    @property
    def told(self) -> dict[str, Any]:
        """What a cell keeps of the answers."""
        if self.answers is None:
            return {}
        found: dict[str, Any] = {"n_answers": self.answers.n_answers}
        pairs = self.answers.constraints
        if isinstance(pairs, PropagatedConstraints):
            is_chance = any(check.is_chance for check in pairs.held_out)
            found |= {"n_spread": len(pairs), "is_chance": is_chance}
        return found


def run_cell(
    plan: Plan, entry: Entry, split: int, answers: Evidence | Exception | None = None
) -> Cell | Failure:
    """Fit and judge; an error is an outcome like any other."""
    from threadpoolctl import threadpool_limits

    try:
        if isinstance(answers, Exception):
            raise answers
        # Sums of one BLAS thread: the same bits however many cells run side by side.
        with warnings.catch_warnings(record=True) as caught, threadpool_limits(1):
            warnings.simplefilter("ignore")
            for category in (UserWarning, RuntimeWarning):
                warnings.simplefilter("always", category)
            if isinstance(entry.selector, str):
                return _judge_baseline(plan, entry, split, caught)
            return _judge(plan, entry, split, answers, caught)
    except Exception as error:
        text = " ".join(f"{type(error).__name__}: {error}".split())
        return Failure(plan.data, entry.label, split, text)


def _judge(
    plan: Plan, entry: Entry, split: int, answers: Evidence | None, caught: list[Any]
) -> Cell:
    table, train, test = table_of(plan, split)
    known = known_labels(plan, plan.codes[train], split)
    learned = _learned_from(plan, entry, table, known, split, answers)
    fit = _fit(plan, entry, split, table, learned)
    sizes = plan.sizes[plan.sizes <= fit.order.size]
    tested = plan.codes[test]
    measured = _measured(plan, split, table, known, tested, fit.order, sizes)
    optimal = _reference_order(plan, split, table, plan.codes[train])
    return Cell(
        data=plan.data,
        selector=entry.label,
        split=split,
        supervision=learned.supervision,
        n_used=fit.n_used,
        n_train=train.size,
        n_test=test.size,
        seconds=fit.seconds,
        order=fit.order.tolist(),
        sizes=sizes.tolist(),
        **measured,
        warnings=_texts(caught),
        changes=fit.changes,
        classifier_changes=table.changes,
        n_questions=None if learned.answers is None else int(entry.questions or 0),
        method=entry.name,
        sweep=swept_values(entry),
        **_agreement(fit.order, optimal, sizes),
        **learned.told,
    )


def _judge_baseline(plan: Plan, entry: Entry, split: int, caught: list[Any]) -> Cell:
    """Measure random orders of the features, or all features at once."""
    table, train, test = table_of(plan, split)
    known = known_labels(plan, plan.codes[train], split)
    n_features = plan.X.shape[1]
    orders, sizes = [np.arange(n_features)], np.array([n_features])
    if entry.selector != ALL_FEATURES:
        rng = plan.generator(split, Purpose.ORDER)
        orders = [rng.permutation(n_features) for _ in range(N_ORDERS)]
        sizes = plan.sizes
    tested = plan.codes[test]
    optimal = _reference_order(plan, split, table, plan.codes[train])
    agreements = [_agreement(order, optimal, sizes) for order in orders]
    measured = [
        _measured(plan, split, table, known, tested, order, sizes) for order in orders
    ]
    return Cell(
        data=plan.data,
        selector=entry.label,
        split=split,
        supervision="nothing",
        n_used=0,
        n_train=train.size,
        n_test=test.size,
        seconds=0.0,
        # All features together are in no order.
        order=[] if entry.selector == ALL_FEATURES else orders[0].tolist(),
        sizes=sizes.tolist(),
        **_mean_of(measured),
        **({} if entry.selector == ALL_FEATURES else _mean_of(agreements)),
        warnings=_texts(caught),
        classifier_changes=table.changes,
        method=entry.name,
    )


def _mean_of(measured: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the means of lists of numbers, key by key."""
    return {
        key: _mean_of([found[key] for found in measured])
        if isinstance(first, dict)
        else np.mean([found[key] for found in measured], axis=0).tolist()
        for key, first in measured[0].items()
    }


def _texts(caught: list[Any]) -> list[str]:
    """Return the texts of warnings, each once."""
    return list(dict.fromkeys(" ".join(str(w.message).split()) for w in caught))


def swept_values(entry: Entry) -> dict[str, Any]:
    """Return what was swept, as JSON can hold it."""
    return {key: describe(value) for key, value in entry.sweep.items()}


def _reference_order(
    plan: Plan, split: int, table: SplitTable, labels: IndexArray
) -> IndexArray | None:
    """Return the ranking to compare with, made from all training labels."""
    if plan.reference is None or isinstance(plan.reference, np.ndarray):
        return plan.reference
    reference = Entry("reference", plan.reference, "labels")
    return _fit(plan, reference, split, table, Learned("all labels", labels)).order


def _agreement(
    order: IndexArray, optimal: IndexArray | None, sizes: IndexArray
) -> dict[str, Any]:
    """Return precision and distance of a ranking at each size."""
    if optimal is None:
        return {}
    chosen = [int(size) for size in sizes]
    found = {"precision": [ranking_precision(order, optimal, s) for s in chosen]}
    # A distance needs the places of all features.
    if order.size == optimal.size:
        found["distance"] = [ranking_distance(order, optimal, s) for s in chosen]
    return found


def _measured(
    plan: Plan,
    split: int,
    table: SplitTable,
    known: IndexArray,
    tested: IndexArray,
    order: IndexArray,
    sizes: IndexArray,
) -> dict[str, Any]:
    """Return accuracies and redundancy of the first features of an order."""
    ranked = table.as_columns(order, sizes)
    X_train = table.train_numbers
    return {
        "accuracies": _accuracies(plan, split, table, known, tested, *ranked),
        "representation_entropy": entropy_curve(X_train, *ranked).tolist(),
        "redundancy_rate": rate_curve(X_train, *ranked).tolist(),
    }


def _accuracies(
    plan: Plan,
    split: int,
    table: SplitTable,
    known: IndexArray,
    tested: IndexArray,
    columns: IndexArray,
    sizes: IndexArray,
) -> dict[str, list[float]]:
    """Return the accuracy of each classifier with the best columns of each number."""
    is_known = known >= 0
    seed = int(plan.generator(split, Purpose.CLASSIFIER).integers(2**31))
    return {
        name: accuracy_curve(
            table.train_numbers[is_known],
            known[is_known],
            table.test_numbers,
            tested,
            columns,
            classifier=model if isinstance(model, str) else seeded(model, seed, False),
            sizes=sizes,
        ).accuracies.tolist()
        for name, model in plan.classifiers.items()
    }


class Fit(NamedTuple):
    """A ranking and how it came about."""

    order: IndexArray
    n_used: int
    seconds: float
    changes: str


def _fit(
    plan: Plan, entry: Entry, split: int, table: SplitTable, learned: Learned
) -> Fit:
    seed = int(plan.generator(split, Purpose.SELECTOR).integers(2**31))
    selector = seeded(entry.selector, seed, plan.is_parallel)
    X, changes = table.for_selector(selector)
    X_known, labels = X, learned.labels
    if labels is not None and not _is_ours(selector):
        # To a selector of another package, -1 is a class like any other.
        X_known, labels = X[labels >= 0], labels[labels >= 0]
    start = time.perf_counter()
    if learned.pairs is None:
        selector.fit(X_known, labels)
    else:
        selector.fit(X, None, constraints=learned.pairs)
    seconds = time.perf_counter() - start
    n_used = 0 if labels is None else int(np.count_nonzero(labels >= 0))
    if learned.pairs is not None:
        n_used = int(getattr(selector, "n_constraints_used_", 0))
    elif entry.questions == 0:
        n_used = 0
    order = order_of(selector)
    if X is table.train_numbers:
        order = table.as_features(order)
    return Fit(order, n_used, seconds, changes)


def _learned_from(
    plan: Plan,
    entry: Entry,
    table: SplitTable,
    known: IndexArray,
    split: int,
    answers: Evidence | None,
) -> Learned:
    """Return what a selector learns from: answers if there were questions."""
    if entry.kind == "nothing":
        return Learned("nothing")
    if answers is not None:
        said = knowledge(entry.questions)
        if entry.questions == 0 or (
            entry.kind == "labels" and not _is_ours(entry.selector)
        ):
            return Learned(said, labels=answers.labels, answers=answers)
        of_pairs = entry.kind == "pairs"
        return Learned(said, *answers.for_selector(of_pairs=of_pairs), answers)
    is_all = entry.questions == ALL or plan.n_pairs is None
    if entry.kind == "pairs" and not is_all:
        pairs = known_pairs(plan, table.train_numbers, known, split)
        return Learned(f"{plan.n_pairs} pairs", pairs=pairs)
    n_known = "all" if plan.n_labelled is None else plan.n_labelled
    return Learned(f"{n_known} labels", labels=known)


def _is_ours(selector: Any) -> bool:
    """Whether it is a selector of this package, which takes pairs and unlabelled."""
    return hasattr(selector, "_method")


def seeded(estimator: Any, seed: int, is_parallel: bool) -> Any:
    """Return a fresh copy that draws the same numbers each time."""
    from sklearn.base import clone

    fresh = clone(estimator)
    chosen = {}
    for key, value in fresh.get_params().items():
        name = key.rpartition("__")[2]
        if name == "random_state" and value is None:
            chosen[key] = seed
        elif name == "n_jobs" and is_parallel and value in (None, -1):
            chosen[key] = 1
    return fresh.set_params(**chosen)


def order_of(selector: Any) -> IndexArray:
    """Return the features of a fitted selector, best first."""
    if hasattr(selector, "order_"):
        return np.asarray(selector.order_, dtype=np.int64)
    if hasattr(selector, "ranking_"):
        return np.argsort(selector.ranking_, kind="stable")
    if hasattr(selector, "scores_"):
        scores = np.asarray(selector.scores_, dtype=np.float64)
        return np.argsort(-np.where(np.isnan(scores), -np.inf, scores), kind="stable")
    raise DataError(
        f"{type(selector).__name__} ranks no features: it has neither order_, nor "
        "ranking_, nor scores_ after fit."
    )
