"""What must hold for every problem: one function per promise, each raises or returns."""

import pickle
import traceback
import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import sklearn

import pairsift
from pairsift import PairConstraints, PairsiftError
from tests.fuzz.problems import Problem
from tests.selectors.promises import COLUMN_ORDER, ROW_ORDER, UNITS

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
    """Fit; a refusal is returned, when it is one: a sentence, raised on purpose."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            selector.fit(problem.X, **problem.known)
            refusal = ""
        except (PairsiftError, ValueError, TypeError) as error:
            refusal = str(error)
            raised_in = traceback.extract_tb(error.__traceback__)[-1].filename
            assert raised_in.startswith(OURS), f"not refused, but failed: {error!r}"
            assert refusal.endswith("."), f"no sentence: {refusal!r}"
    for warning in caught:
        assert warning.category is not RuntimeWarning, str(warning)
        assert not issubclass(warning.category, DeprecationWarning | FutureWarning), (
            str(warning)
        )
    return refusal


def check_attributes(selector: Any) -> None:
    for name, value in vars(selector).items():
        if isinstance(value, np.ndarray | float) and name.endswith("_"):
            is_number = np.asarray(value).dtype.kind == "f"
            assert not is_number or not np.isnan(value).any(), f"{name} holds NaN"
    n_features = selector.n_features_in_
    assert selector.scores_.shape == (n_features,)
    assert sorted(selector.order_) == list(range(n_features))
    assert (np.diff(selector.scores_[selector.order_]) <= 0).all() or (
        np.isinf(selector.scores_).any()
    )
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
    n_rows = len(problem.X)
    refused = fit(selector, replace(problem, X=np.full((n_rows, 2), np.inf)))
    assert refused
    assert pickle.dumps(selector) == before, "a failed fit changed the selector"


def check_rows(selector: Any, problem: Problem, rng: np.random.Generator) -> None:
    if problem.name in ROW_ORDER:
        return
    order = rng.permutation(len(problem.X))
    known = dict(problem.known)
    if "y" in known:
        known["y"] = [known["y"][row] for row in order]
    if "constraints" in known:
        known["constraints"] = known["constraints"].subset(order)
    X = problem.X
    if isinstance(X, pd.DataFrame):
        X = X.iloc[order]
    elif isinstance(X, list):
        X = [X[row] for row in order]
    else:
        X = X[order]
    other = problem.selector()
    assert not fit(other, replace(problem, X=X, known=known)), "another order refused"
    assert_same(other.scores_, selector.scores_, "another order of rows")


def check_columns(selector: Any, problem: Problem, rng: np.random.Generator) -> None:
    if problem.name in COLUMN_ORDER:
        return
    order = rng.permutation(selector.n_features_in_)
    X = problem.X
    if isinstance(X, pd.DataFrame):
        X = X.iloc[:, order]
    elif isinstance(X, list):
        X = [[row[column] for column in order] for row in X]
    else:
        X = X[:, order]
    other = problem.selector()
    assert not fit(other, replace(problem, X=X)), "another order refused"
    assert_same(other.scores_, selector.scores_[order], "another order of columns")


def check_units(selector: Any, problem: Problem, rng: np.random.Generator) -> None:
    X = problem.X
    is_plain = isinstance(X, np.ndarray) and X.dtype == np.float64
    if problem.name in UNITS or not is_plain:
        return
    size = np.nanmax(np.abs(X))
    if not 1e-3 <= size <= 1e3:
        return
    factors, shifts = 2.0 ** rng.integers(-9, 9, X.shape[1]), 0.0
    other = problem.selector()
    assert not fit(other, replace(problem, X=X * factors + shifts))
    assert_same(other.scores_, selector.scores_, "other units")


def assert_same(actual: Any, expected: Any, where: str) -> None:
    finite = np.isfinite(expected)
    size = np.abs(expected[finite]).max(initial=0.0)
    is_same = (actual == expected) | (np.abs(actual - expected) <= 1e-6 * size)
    assert is_same.all(), f"{where}: {expected[~is_same]} became {actual[~is_same]}"


assert PairConstraints
