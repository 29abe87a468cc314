"""What must hold for every problem: one function per promise, an assertion each."""

import pickle
import traceback
import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import sklearn
from sklearn.exceptions import ConvergenceWarning

import pairsift
from pairsift import PairsiftError
from tests.fuzz.problems import FEW, Problem
from tests.selectors.promises import (
    COLUMN_ORDER,
    ORDER_PARAMETERS,
    ROW_ORDER,
    TIES_BY_COLUMN,
    TIES_BY_ROW,
    UNITS,
    WITH_UNIT,
)

OURS = tuple(str(module.__path__[0]) for module in (pairsift, sklearn))


def check(problem: Problem) -> str:
    """Check all promises on one problem; returns "fitted", or why it was refused."""
    before = pickle.dumps((problem.X, problem.known))
    selector = problem.selector()
    refusal = fit(selector, problem)
    assert pickle.dumps((problem.X, problem.known)) == before, "fit changed its input"
    if refusal:
        return refusal
    check_attributes(selector)
    check_repetition(selector, problem)
    check_failed_refit(selector, problem)
    rng = np.random.default_rng(problem.seed)
    check_rows(selector, problem, rng)
    check_columns(selector, problem, rng)
    check_units(selector, problem, rng)
    return "fitted"


def fit(selector: Any, problem: Problem) -> str:
    """Fit; a refusal is returned when it is one: a sentence, raised on purpose."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            selector.fit(problem.X, **problem.known)
            refusal = ""
        except (PairsiftError, ValueError, TypeError) as error:
            refusal = str(error)
            last = traceback.extract_tb(error.__traceback__)[-1].filename
            if not (last.startswith(OURS) and refusal.endswith(".")):
                raise
    for warning in caught:
        # A sentence for users, not the by-product of a computation gone wrong.
        assert warning.category in (UserWarning, ConvergenceWarning), str(warning)
        assert str(warning.message).endswith("."), str(warning)
    return refusal


def check_attributes(selector: Any) -> None:
    for name, value in vars(selector).items():
        if isinstance(value, np.ndarray | float) and name.endswith("_"):
            is_number = np.asarray(value).dtype.kind == "f"
            assert not is_number or not np.isnan(value).any(), f"{name} holds NaN"
    n_features, order = selector.n_features_in_, selector.order_
    assert selector.scores_.shape == (n_features,)
    assert sorted(order) == list(range(n_features)), "order_ is no order"
    assert (selector.scores_[order][:-1] >= selector.scores_[order][1:]).all()
    assert selector.support_.sum() == selector.n_features_to_select_


def check_repetition(selector: Any, problem: Problem) -> None:
    """Equal bits on repetition, for any number of threads, and on a second fit."""
    threads = "n_jobs" in selector.get_params(deep=False)
    others = [problem.selector(n_jobs=n) for n in (1, 2)] if threads else []
    for again in [problem.selector(), *others]:
        assert not fit(again, problem)
        assert again.scores_.tobytes() == selector.scores_.tobytes(), "other bits"


def check_failed_refit(selector: Any, problem: Problem) -> None:
    before = pickle.dumps(selector)
    impossible = np.full((len(problem.X), 2), np.inf)
    assert fit(selector, replace(problem, X=impossible)), "infinity was accepted"
    assert pickle.dumps(selector) == before, "a failed fit changed the selector"


def check_rows(selector: Any, problem: Problem, rng: np.random.Generator) -> None:
    is_promised = problem.name not in ROW_ORDER and has_no_order(selector, problem)
    if not is_promised or (problem.name in TIES_BY_ROW and not problem.is_general):
        return
    order = rng.permutation(len(problem.X))
    known = dict(problem.known)
    if "y" in known:
        known["y"] = [known["y"][row] for row in order]
    if "constraints" in known:
        known["constraints"] = known["constraints"].subset(order)
    other = replace(problem, X=rows_of(problem.X, order), known=known)
    assert_same(refit(other), selector.scores_, other, "another order of rows")


def check_columns(selector: Any, problem: Problem, rng: np.random.Generator) -> None:
    is_promised = problem.name not in COLUMN_ORDER and has_no_order(selector, problem)
    if not is_promised or (problem.name in TIES_BY_COLUMN and not problem.is_general):
        return
    order = rng.permutation(selector.n_features_in_)
    other = replace(problem, X=columns_of(problem.X, order))
    where = "another order of columns"
    assert_same(refit(other), selector.scores_[order], other, where)


def check_units(selector: Any, problem: Problem, rng: np.random.Generator) -> None:
    X = problem.X
    is_plain = isinstance(X, np.ndarray) and X.dtype == np.float64
    is_changed = problem.parameters.keys() - {*FEW, "random_state"}
    if problem.name in UNITS or is_changed or not is_plain or is_unsettled(selector):
        return
    if not 1e-3 <= np.nanmax(np.abs(X)) <= 1e3:
        return
    # Powers of two and whole shifts, so that equal numbers stay equal.
    factors = 2.0 ** rng.integers(-9, 9, X.shape[1])
    other = replace(problem, X=(X + rng.integers(-9, 9, X.shape[1])) * factors)
    assert_same(refit(other), selector.scores_, other, "other units")


def has_no_order(selector: Any, problem: Problem) -> bool:
    return not (
        problem.parameters.keys() & ORDER_PARAMETERS.keys() or is_unsettled(selector)
    )


def is_unsettled(selector: Any) -> bool:
    """Whether it stopped before it converged: then rounding may have grown."""
    return getattr(selector, "n_iter_", 0) >= getattr(selector, "max_iter", np.inf)


def refit(problem: Problem) -> Any:
    selector = problem.selector()
    refusal = fit(selector, problem)
    assert not refusal, f"the same data in another form is refused: {refusal}"
    return selector.scores_


def rows_of(X: Any, order: Any) -> Any:
    if isinstance(X, pd.DataFrame):
        return X.iloc[order]
    return [X[row] for row in order] if isinstance(X, list) else X[order]


def columns_of(X: Any, order: Any) -> Any:
    if isinstance(X, pd.DataFrame):
        return X.iloc[:, order]
    if isinstance(X, list):
        return [[row[column] for column in order] for row in X]
    return X[:, order]


def assert_same(actual: Any, expected: Any, problem: Problem, where: str) -> None:
    """Equal up to rounding, which is small beside 1 in scores without a unit."""
    size = np.abs(expected[np.isfinite(expected)]).max(initial=0.0)
    most = 1e-6 * size + (0.0 if problem.name in WITH_UNIT else 1e-9)
    with np.errstate(invalid="ignore"):
        is_same = (actual == expected) | (np.abs(actual - expected) <= most)
    assert is_same.all(), f"{where}: {expected[~is_same]} became {actual[~is_same]}"
