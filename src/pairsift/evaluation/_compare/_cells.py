"""One cell of a comparison: a selector on a split, judged by every classifier."""

from __future__ import annotations

import time
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from pairsift._typing import FloatArray, IndexArray
from pairsift.constraints import LabelledPairs, PairConstraints
from pairsift.evaluation._accuracy import accuracy_curve
from pairsift.evaluation._compare._plan import Entry, Plan
from pairsift.evaluation._compare._redundancy import entropy_curve, rate_curve
from pairsift.evaluation._compare._tables import split_table
from pairsift.exceptions import DataError

# What the random numbers of a split are drawn for.
_ROWS, _LABELS, _PAIRS, _SELECTOR, _CLASSIFIER = range(5)


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
    sizes: list[int]
    accuracies: dict[str, list[float]]
    representation_entropy: list[float]
    redundancy_rate: list[float]
    warnings: list[str]
    changes: str = ""
    """What was done to text and missing values that the selector does not take."""
    classifier_changes: str = ""
    """The same for classifiers."""


@dataclass(frozen=True)
class Failure:
    """A selector that could not be fitted or judged on a split."""

    data: str
    selector: str
    split: int
    error: str


def run_cell(plan: Plan, entry: Entry, split: int) -> Cell | Failure:
    """Fit and judge; an error is an outcome like any other."""
    from threadpoolctl import threadpool_limits

    try:
        # Sums of one BLAS thread: the same bits however many cells run side by side.
        with warnings.catch_warnings(record=True) as caught, threadpool_limits(1):
            warnings.simplefilter("ignore")
            for category in (UserWarning, RuntimeWarning):
                warnings.simplefilter("always", category)
            return _judge(plan, entry, split, caught)
    except Exception as error:
        text = " ".join(f"{type(error).__name__}: {error}".split())
        return Failure(plan.data, entry.name, split, text)


def split_rows(plan: Plan, split: int) -> tuple[IndexArray, IndexArray]:
    """Return training and test rows of a split, classes in equal shares."""
    from sklearn.model_selection import train_test_split

    seed = int(plan.generator(split, _ROWS).integers(2**31))
    try:
        train, test = train_test_split(
            np.arange(len(plan.X)),
            test_size=plan.test_size,
            stratify=plan.codes,
            random_state=seed,
        )
    except ValueError as error:
        raise DataError(f"test_size={plan.test_size}: {error}") from error
    return np.sort(train), np.sort(test)


def known_labels(plan: Plan, codes: IndexArray, split: int) -> IndexArray:
    """Hide the labels of all but `n_labelled` training rows, classes in equal shares.

    The first row drawn of each class comes before the second of any.
    """
    if plan.n_labelled is None:
        return codes
    shuffled = plan.generator(split, _LABELS).permutation(codes.size)
    share = np.empty(codes.size)
    for code in np.unique(codes):
        is_of_class = codes[shuffled] == code
        n_rows = np.count_nonzero(is_of_class)
        share[is_of_class] = np.arange(n_rows) / n_rows
    kept = shuffled[np.argsort(share, kind="stable")[: plan.n_labelled]]
    known = np.full_like(codes, -1)
    known[kept] = codes[kept]
    return known


def known_pairs(
    plan: Plan, X: FloatArray, codes: IndexArray, split: int
) -> PairConstraints:
    """Draw the pairs of a split: half are cannot-links, half must-links."""
    rng = plan.generator(split, _PAIRS)
    n_pairs = int(plan.n_pairs or 0)
    if plan.draw_pairs is not None:
        return plan.draw_pairs(X, codes, n_pairs, rng)
    existing = LabelledPairs(codes)
    return PairConstraints.sample(
        codes,
        min(n_pairs - n_pairs // 2, existing.count("cannot")),
        min(n_pairs // 2, existing.count("must")),
        random_state=rng,
    )


def _judge(plan: Plan, entry: Entry, split: int, caught: list[Any]) -> Cell:
    train, test = split_rows(plan, split)
    table = split_table(plan.X, plan.is_text, plan.names, train, test)
    X_train, X_test = table.train_numbers, table.test_numbers
    known = known_labels(plan, plan.codes[train], split)
    labels, pairs, supervision = _learned_from(plan, entry, X_train, known, split)
    seed = int(plan.generator(split, _SELECTOR).integers(2**31))
    selector = seeded(entry.selector, seed, plan.is_parallel)
    X_selector, changes = table.for_selector(selector)
    start = time.perf_counter()
    if pairs is None:
        selector.fit(X_selector, labels)
    else:
        selector.fit(X_selector, None, constraints=pairs)
    seconds = time.perf_counter() - start
    n_used = 0 if labels is None else int(np.count_nonzero(labels >= 0))
    if pairs is not None:
        n_used = int(getattr(selector, "n_constraints_used_", 0))
    order = order_of(selector)
    if X_selector is X_train:
        order = table.as_features(order)
    sizes = plan.sizes[plan.sizes <= order.size]
    columns, column_sizes = table.as_columns(order, sizes)
    is_known = known >= 0
    seed = int(plan.generator(split, _CLASSIFIER).integers(2**31))
    accuracies = {
        name: accuracy_curve(
            X_train[is_known],
            known[is_known],
            X_test,
            plan.codes[test],
            columns,
            classifier=model if isinstance(model, str) else seeded(model, seed, False),
            sizes=column_sizes,
        ).accuracies.tolist()
        for name, model in plan.classifiers.items()
    }
    return Cell(
        data=plan.data,
        selector=entry.name,
        split=split,
        supervision=supervision,
        n_used=n_used,
        n_train=train.size,
        n_test=test.size,
        seconds=seconds,
        order=order.tolist(),
        sizes=sizes.tolist(),
        accuracies=accuracies,
        representation_entropy=entropy_curve(X_train, columns, column_sizes).tolist(),
        redundancy_rate=rate_curve(X_train, columns, column_sizes).tolist(),
        warnings=list(dict.fromkeys(" ".join(str(w.message).split()) for w in caught)),
        changes=changes,
        classifier_changes=table.changes,
    )


def _learned_from(
    plan: Plan, entry: Entry, X: FloatArray, known: IndexArray, split: int
) -> tuple[IndexArray | None, PairConstraints | None, str]:
    """Return labels or pairs for a selector, and say which."""
    if entry.kind == "nothing":
        return None, None, "nothing"
    if entry.kind == "pairs" and plan.n_pairs is not None:
        pairs = known_pairs(plan, X, known, split)
        return None, pairs, f"{plan.n_pairs} pairs"
    n_known = "all" if plan.n_labelled is None else plan.n_labelled
    return known, None, f"{n_known} labels"


def seeded(estimator: Any, seed: int, is_parallel: bool) -> Any:
    """Return a fresh copy that draws the same numbers each time."""
    from sklearn.base import clone

    fresh = clone(estimator)
    missing = [key for key, value in fresh.get_params().items() if value is None]
    chosen = {key: seed for key in missing if _last(key) == "random_state"}
    if is_parallel:
        chosen |= {key: 1 for key in missing if _last(key) == "n_jobs"}
    return fresh.set_params(**chosen)


def _last(key: str) -> str:
    return key.rpartition("__")[2]


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
