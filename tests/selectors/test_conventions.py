"""What scikit-learn and Python expect of every selector."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks
from sklearn.utils.fixes import parse_version

import pairsift
from tests.selectors.builders import (
    SELECTORS,
    WAYS_TO_FIT,
    build,
    each_selector,
    each_way_to_fit,
    fit_arguments,
    problem,
)


def broken_checks(estimator):
    """Name the checks of scikit-learn that fail whatever the estimator does."""
    tags = get_tags(estimator).input_tags
    is_mended = parse_version(sklearn.__version__) >= parse_version("1.7.2")
    # It takes a mean off whole numbers in place, which stand for categories.
    if is_mended or tags.allow_nan or not tags.categorical:
        return {}
    return {"check_positive_only_tag_during_fit": "mended in scikit-learn 1.7.2"}


@parametrize_with_checks(
    [build(name) for name in WAYS_TO_FIT], expected_failed_checks=broken_checks
)
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


@pytest.mark.slow  # all together
@parametrize_with_checks(
    [build(name) for name in SELECTORS if name not in WAYS_TO_FIT],
    expected_failed_checks=broken_checks,
)
def test_scikit_learn_conventions_of_the_others(estimator, check):
    check(estimator)


@each_way_to_fit
def test_data_frames_give_names_out(name):
    X, y = problem()
    names = [f"gene {j}" for j in range(6)]
    arguments = fit_arguments(name, y)
    expected = build(name, n_features_to_select=2).fit(X, **arguments)
    for frame in (pd.DataFrame(X, columns=names), pl.DataFrame(X, schema=names)):
        selector = build(name, n_features_to_select=2).fit(frame, **arguments)
        assert_array_equal(selector.scores_, expected.scores_)
        assert_array_equal(selector.feature_names_in_, names)
        kept = [names[j] for j in np.flatnonzero(expected.support_)]
        assert selector.get_feature_names_out().tolist() == kept
    as_pandas = clone(selector).set_output(transform="pandas")
    result = as_pandas.fit(pd.DataFrame(X, columns=names), **arguments)
    assert list(result.transform(pd.DataFrame(X, columns=names)).columns) == kept


@pytest.mark.slow  # all together
@each_selector
@pytest.mark.parametrize("output", ["pandas", "polars"])
def test_global_setting_of_the_output_changes_no_fit(name, output):
    X, y = problem()
    frame = pd.DataFrame(X, columns=list("abcdef"))
    known = fit_arguments(name, y)
    expected = build(name, n_features_to_select=3).fit(frame, **known)
    with sklearn.config_context(transform_output=output):
        found = build(name, n_features_to_select=3).fit(frame, **known)
        reduced = found.transform(frame)
    assert_array_equal(found.scores_, expected.scores_)
    assert_array_equal(reduced.to_numpy(), expected.transform(frame))
    assert [*reduced.columns] == [*expected.get_feature_names_out()]


@each_way_to_fit
def test_clone_and_pickle_keep_everything(name):
    X, y = problem()
    arguments = fit_arguments(name, y)
    selector = build(name, n_features_to_select=3).fit(X, **arguments)
    again = pickle.loads(pickle.dumps(selector))
    assert_array_equal(again.scores_, selector.scores_)
    twin = clone(selector)
    with pytest.raises(NotFittedError, match="not fitted"):
        twin.transform(X)
    assert_array_equal(twin.fit(X, **arguments).support_, selector.support_)


@each_way_to_fit
def test_failed_fit_leaves_the_last_one(name, monkeypatch):
    X, y = problem(n_samples=24)
    arguments = fit_arguments(name, y)
    selector = build(name, n_features_to_select=3).fit(X, **arguments)
    before = pickle.dumps(selector)
    # Refused at the end, when there is a score for each of the two columns.
    with pytest.raises(ValueError, match="more than the 2 features of X"):
        selector.fit(X[:, :2], **arguments)
    assert pickle.dumps(selector) == before

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(SELECTORS[name], "_rank", interrupt)
    with pytest.raises(KeyboardInterrupt):
        selector.fit(X[:, 2:], **arguments)
    assert pickle.dumps(selector) == before


def test_catalogue_lists_every_public_selector():
    catalogue = pairsift.methods()
    public = {name for name in pairsift.__all__ if name[0].isupper()}
    classes = set(catalogue["class"])
    assert classes <= public
    selectors = [getattr(pairsift, name) for name in public]
    assert classes == {cls.__name__ for cls in selectors if hasattr(cls, "_method")}
    assert not catalogue.isna().any().any()
    assert not (catalogue.drop(columns="aliases") == "").any().any()
    assert catalogue["name"].is_unique
