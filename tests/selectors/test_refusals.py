"""Data that every selector takes or refuses, with the remedy."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from pairsift._sklearn_compat import Interval
from tests.selectors.builders import (
    SELECTORS,
    build,
    each_selector,
    each_way_to_fit,
    fit_arguments,
    problem,
)


@each_way_to_fit
def test_path_in_place_of_data_is_told_to_be_read(name):
    with pytest.raises(TypeError, match="X is the text 'wine.csv'"):
        build(name).fit("wine.csv", [0, 1])


@each_way_to_fit
def test_masked_cells_are_not_taken_as_data(name):
    X = np.ma.masked_less(np.random.default_rng(0).random((40, 3)), 0.1)
    said = f"X is a masked array with {X.mask.sum()} masked cells"
    with pytest.raises(ValueError, match=said):
        build(name).fit(X, np.arange(40) % 2)


@each_way_to_fit
@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.empty((0, 3)), "0 sample"),
        (np.empty((5, 0)), "0 feature"),
        (np.zeros((1, 3)), "1 sample"),
        (np.zeros(5), "1D array|Expected 2D"),
        (np.full((40, 2), np.inf), "infinity"),
    ],
    ids=["no rows", "no columns", "one row", "one dimension", "infinite"],
)
def test_impossible_data_is_refused(name, X, message):
    with pytest.raises(ValueError, match=message):
        build(name).fit(X, np.arange(len(X)) % 2)


@each_selector
def test_text_is_taken_or_refused_with_the_remedy(name):
    X, y = problem()
    frame = pd.DataFrame(X).rename(columns=str)
    frame["colour"] = np.where(y == 1, "red", "blue")
    arguments = fit_arguments(name, y)
    if SELECTORS[name]._accepts_categorical:
        selector = build(name).fit(frame, **arguments)
        assert selector.n_features_in_ == 7
    else:
        with pytest.raises(ValueError, match="'colour'.*numbers only.*OrdinalEncoder"):
            build(name).fit(frame, **arguments)
    with pytest.raises(ValueError, match="X holds text .*encode the column first"):
        build(name).fit(np.array([["a", "b"], ["c", "d"]] * 20), **arguments)


@each_way_to_fit
def test_columns_that_are_neither_numbers_nor_text_are_refused(name):
    X, y = problem()
    frame = pd.DataFrame(X, columns=list("abcdef"))
    arguments = fit_arguments(name, y)
    wrong = {
        "when": pd.date_range("2026-01-01", periods=40),
        "wave": np.full(40, 1j),
        "list": [[1]] * 40,
    }
    for column, values in wrong.items():
        with pytest.raises(ValueError, match=f"column '?{column}|'{column}'"):
            build(name).fit(frame.assign(**{column: values}), **arguments)
    twice = pd.DataFrame(X, columns=list("abcdea"))
    with pytest.raises(ValueError, match="more than one column named 'a'"):
        build(name).fit(twice, **arguments)
    with pytest.raises(TypeError, match=r"lazy data frame: call X.collect\(\)"):
        build(name).fit(pl.DataFrame(X).lazy(), **arguments)


@each_selector
def test_numbers_too_large_to_square_give_no_nan(name):
    X, y = problem()
    arguments = fit_arguments(name, y)
    scores, message = None, ""
    with np.errstate(all="ignore"):
        try:
            scores = build(name).fit(X * 1e160, **arguments).scores_
        except ValueError as error:
            message = str(error)
    assert "scale it first" in message if scores is None else not np.isnan(scores).any()


@each_selector
def test_whole_numbers_beyond_any_count_are_refused(name):
    X, y = problem()
    selector = build(name)
    for parameter, accepted in selector._parameter_constraints.items():
        intervals = [each for each in accepted if isinstance(each, Interval)]
        if not any(10**30 in interval for interval in intervals):
            continue
        with pytest.raises(ValueError, match=rf"{parameter} must be .*up to 2\*\*53"):
            build(name, **{parameter: 10**30}).fit(X, **fit_arguments(name, y))


@each_selector
def test_missing_values_are_taken_or_refused_with_the_remedy(name):
    X, y = problem()
    X[3, 2] = np.nan
    arguments = fit_arguments(name, y)
    if SELECTORS[name]._accepts_missing:
        assert np.isfinite(build(name).fit(X, **arguments).scores_).all()
    else:
        with pytest.raises(ValueError, match="contains NaN.*SimpleImputer"):
            build(name).fit(X, **arguments)


@each_way_to_fit
def test_dask_collection_is_refused(name):
    class Collection:
        pass

    Collection.__module__ = "dask.array.core"
    with pytest.raises(TypeError, match="Dask collection.*in memory"):
        build(name).fit(Collection())
