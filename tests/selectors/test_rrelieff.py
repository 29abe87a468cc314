"""RReliefF as a selector: what targets it takes."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_array_equal
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from pairsift import RReliefF
from pairsift.scores import rrelieff_score


def regression(n_samples=60):
    """A linear target of the columns 1 and 4."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_samples, 6))
    return X, 2.0 * X[:, 1] - X[:, 4]


def test_parameters_reach_the_score():
    X, y = regression()
    X[:, 3] = np.round(X[:, 3])
    X[5, 0] = np.nan
    parameters = {
        "n_neighbors": 4,
        "sigma": 2.0,
        "ties": "index",
        "missing": "distinct",
        "max_samples": 9,
        "random_state": 3,
    }
    selector = RReliefF(categorical_features=[3], **parameters).fit(X, y)
    expected = rrelieff_score(X, y, is_categorical=np.arange(6) == 3, **parameters)
    assert_array_equal(selector.scores_, expected)


def test_linear_target_finds_its_columns():
    X, y = regression()
    selector = RReliefF(2).fit(X, y)
    assert_array_equal(selector.get_support(indices=True), [1, 4])
    assert selector.n_labelled_ == 60
    assert selector.n_constraints_used_ == 0


def test_rows_without_a_target_are_left_out_and_minus_one_is_a_number():
    X, y = regression()
    y = np.round(y)
    assert (y == -1).any()
    few = np.where(np.arange(60) % 3 == 0, np.nan, y)
    selector = RReliefF().fit(X, few)
    assert selector.n_labelled_ == 40
    known = ~np.isnan(few)
    assert_array_equal(selector.scores_, RReliefF().fit(X[known], y[known]).scores_)


def test_forms_of_the_target_do_not_matter():
    X, y = regression()
    y = np.where(np.arange(60) % 10 == 0, np.nan, np.round(y))
    expected = RReliefF().fit(X, y).scores_
    values = [None if np.isnan(value) else int(value) for value in y]
    forms = [
        y.tolist(),
        values,
        np.array(values, dtype=object),
        pd.Series(y),
        pd.Series(values, dtype="Int64"),
        pl.Series(values),
    ]
    for form in forms:
        assert_array_equal(RReliefF().fit(X, form).scores_, expected)


def test_booleans_are_0_and_1():
    X, y = regression()
    expected = RReliefF().fit(X, (y > 0).astype(int)).scores_
    assert_array_equal(RReliefF().fit(X, y > 0).scores_, expected)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (None, "RReliefF requires y to be passed, but the target y is None"),
        (["red", "blue"] * 30, "needs a numeric target, but y holds 'red': .* ReliefF"),
        (["1.5", "2"] * 30, "needs a numeric target, but y holds '1.5'"),
        (np.full(60, 2.5), "at least two different numbers, but y has only 2.5"),
        (np.full(60, np.nan), "at least two different numbers, but y has none"),
        ([np.inf, *range(59)], "y contains infinity, RReliefF needs finite numbers"),
        (np.full(60, 1j), "Complex data not supported"),
        (pd.date_range("2026-01-01", periods=60), "but y holds '2026-01-01"),
        (np.zeros((60, 2)), "should be a 1d array"),
    ],
)
def test_impossible_targets_are_refused(y, message):
    X, _ = regression()
    with pytest.raises(ValueError, match=message):
        RReliefF().fit(X, y)


def test_pipeline_for_regression():
    X, y = regression()
    pipeline = make_pipeline(RReliefF(2), LinearRegression())
    assert (cross_val_score(pipeline, X, y, cv=3) > 1 - 1e-9).all()
