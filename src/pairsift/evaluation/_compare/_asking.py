"""The questions of a comparison: in each split, training labels play the person."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from numbers import Integral, Real
from typing import Any

import numpy as np

from pairsift._typing import IndexArray
from pairsift.active import ActiveSession, Asking, Evidence, Person
from pairsift.constraints import PairConstraints
from pairsift.evaluation._compare._plan import ALL, Entry, Plan
from pairsift.evaluation._compare._splits import Purpose, table_of
from pairsift.exceptions import DataError

# Without any question, the clusters of k-means stand for classes. docs/guide/active.md
# compares 4 clusters with 8 and with UnsupervisedMRMR.
N_CLUSTERS = 4

Questions = int | str
Asked = tuple[int, float | None]
"""Number of questions, and how far their answers are spread."""
Answers = dict[tuple[int | str | None, float | None], Evidence | Exception]
"""What is known after each number of questions, or why nothing is."""


def as_questions(questions: Any) -> list[Questions]:
    """Return the numbers of questions, or an error that names the one that is none."""
    listed = list(questions) if _is_list(questions) else [questions]
    for number in listed:
        is_whole = isinstance(number, Integral) and not isinstance(number, bool)
        if number != ALL and not (is_whole and number >= 0):
            raise DataError(
                "questions must be a number of questions from 0, 'all' for all labels, "
                f"or a list of these, got {questions!r}."
            )
    if not listed or len(set(listed)) < len(listed):
        raise DataError(
            f"questions must be different numbers, at least one, got {questions!r}."
        )
    return [number if number == ALL else int(number) for number in listed]


def _is_list(questions: Any) -> bool:
    is_text = isinstance(questions, str)
    return isinstance(questions, Sequence | np.ndarray) and not is_text


def as_asking(
    strategy: str, mode: str | None, spread: bool | Mapping[str, Any], wrong: float
) -> Asking:
    """Return how questions are asked, or an error that names what is wrong."""
    try:
        # A person with nothing to say checks the share of wrong answers.
        Person([0], wrong)
        return Asking(strategy, mode, spread)
    except (TypeError, ValueError) as error:
        raise DataError(str(error)) from error


def refuse_without_questions(options: Mapping[str, Any]) -> None:
    """Refuse options of questions that are not asked."""
    for name, (value, default) in options.items():
        if value != default:
            raise DataError(f"{name}={value!r} goes with questions: give their number.")


def refuse_with_questions(**options: Any) -> None:
    """Refuse other ways to say what selectors learn from."""
    for name, value in options.items():
        if value is not None:
            raise DataError(f"questions goes without {name}: leave one out.")


def variants(
    entries: list[Entry], questions: Any, alphas: Sequence[float] = ()
) -> list[Entry]:
    """Return each selector once for each number of questions and each alpha.

    A list of numbers makes them part of the names; selectors that learn from nothing
    stand there once, and where nothing is asked, nothing is spread.
    """
    if questions is None:
        return entries
    numbers = as_questions(questions)
    is_swept = _is_list(questions)
    found = []
    for entry in entries:
        for number in numbers if entry.kind != "nothing" else [None]:
            asked = {"questions": number} if is_swept and number is not None else {}
            is_asked = isinstance(number, int) and number > 0
            spreads: list[float | None] = [*alphas] if is_asked else []
            for alpha in spreads or [None]:
                spread = {} if alpha is None else {"alpha": alpha}
                sweep = {**asked, **spread, **entry.sweep}
                settings = tuple(sweep.items())
                found.append(
                    entry._replace(questions=number, alpha=alpha, settings=settings)
                )
    return found


def as_alphas(alphas: Any, questions: Any, asking: Asking) -> list[float]:
    """Return how far answers are spread, or an error that says what does not fit."""
    if alphas is None:
        return []
    if questions is None:
        raise DataError(f"alphas={alphas!r} goes with questions: give their number.")
    if not asking.is_spread:
        raise DataError("alphas goes with spread: say spread=True, or its options.")
    if isinstance(asking.spread, Mapping) and "alpha" in asking.spread:
        raise DataError("alphas goes without spread={'alpha': ...}: leave one out.")
    listed = list(alphas) if _is_list(alphas) else [alphas]
    is_right = all(isinstance(a, Real) and 0 < float(a) < 1 for a in listed)
    if not listed or not is_right or len(set(listed)) < len(listed):
        raise DataError(
            "alphas must be different numbers above 0 and below 1, at least one, got "
            f"{alphas!r}."
        )
    return [float(alpha) for alpha in listed]


def ask(plan: Plan, split: int, numbers: Collection[Asked]) -> Answers:
    """Return what is known after each number of questions, or why nothing is.

    An error is one of all cells that wait for these answers, and of no others.
    """
    from threadpoolctl import threadpool_limits

    found: Answers = {}
    if not numbers:
        return found
    with warnings.catch_warnings(), threadpool_limits(1):
        # Contradictions are wanted here, and what was spread is told in the notes.
        warnings.simplefilter("ignore")
        questions = SplitQuestions(plan, split)
        for number, alpha in sorted(numbers, key=lambda asked: asked[0]):
            try:
                found[number, alpha] = questions.after(number, alpha)
            except Exception as error:
                found[number, alpha] = error
    return found


class SplitQuestions:
    """The questions of a split, and who answers them."""

    def __init__(self, plan: Plan, split: int) -> None:
        self._plan = plan
        self._table, train, _ = table_of(plan, split)
        self._X = self._table.as_given()
        self._seed = int(plan.generator(split, Purpose.QUESTIONS).integers(2**31))
        self._person = Person(plan.codes[train], plan.wrong, self._seed)

    def after(self, number: int, alpha: float | None = None) -> Evidence:
        """Ask on to a number of questions, and spread the answers as far as said."""
        if number == 0:
            clusters = self._clusters()
            nothing = PairConstraints(n_samples=clusters.size)
            return Evidence(0, clusters, nothing, is_spread=False)
        n_more = number - len(self._session.history)
        asking = self._plan.asking
        asking.ask(self._session, self._person, n_more)
        if alpha is not None:
            options = asking.spread if isinstance(asking.spread, Mapping) else {}
            asking = replace(asking, spread={**options, "alpha": alpha})
        return asking.evidence(self._session, self._X)

    @cached_property
    def _session(self) -> ActiveSession:
        return ActiveSession(
            self._X,
            strategy=self._plan.asking.strategy,
            random_state=self._seed,
            n_jobs=1 if self._plan.is_parallel else -1,
        )

    def _clusters(self) -> IndexArray:
        from sklearn.cluster import KMeans

        X = self._table.train_numbers
        n_clusters = min(N_CLUSTERS, len(np.unique(X, axis=0)))
        model = KMeans(n_clusters, n_init=10, random_state=self._seed)
        return np.asarray(model.fit_predict(X), dtype=np.int64)
