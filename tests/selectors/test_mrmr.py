"""MRMR as an estimator."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pairsift import MRMR, ConstraintError, PairConstraints
from pairsift.scores import mrmr_path
from tests.selectors.builders import problem


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"form": "quotient"},
        {"discretize": 0.5},
        {"n_neighbors": 2},
        {"estimator": "correlation"},
    ],
    ids=str,
)
def test_order_and_values_are_those_of_the_path(options):
    X, y = problem()
    for wanted, n_steps in ((None, 6), (4, 4), (0.5, 3)):
        selector = MRMR(wanted, **options).fit(X, y)
        order, values = mrmr_path(X, y, n_features=n_steps, **options)
        assert_array_equal(selector.order_, order)
        assert_array_equal(selector.path_scores_, values[:n_steps])
        assert selector.accuracies_ is None
        assert_array_equal(np.sort(order[:n_steps]), selector.get_support(indices=True))


def test_scores_are_differences_that_fall_to_0():
    X, y = problem()
    selector = MRMR().fit(X, y)
    values = selector.path_scores_
    assert (values[2:] < 0).any()
    expected = np.minimum.accumulate(np.maximum(values, 0.0))
    assert_array_equal(selector.scores_[selector.order_], expected)


@pytest.mark.parametrize("estimator", ["information", "correlation"])
def test_scores_of_quotients_are_shares_of_the_relevance(estimator):
    X, y = problem()
    selector = MRMR(form="quotient", estimator=estimator).fit(X, y)
    # A quotient r / (s + c) is the share r / (r + s + c); at first, s is 0.
    quotients = np.maximum(selector.path_scores_, 0.0)
    quotients[0] /= 0.01
    expected = np.minimum.accumulate(quotients / (1.0 + quotients))
    assert_allclose(selector.scores_[selector.order_], expected)
    one = MRMR(1, form="quotient", estimator=estimator).fit(X, y)
    assert one.scores_.max() == selector.scores_.max()
    assert (np.diff(one.scores_[one.order_]) <= 0).all()


def test_features_not_reached_offer_something_yet():
    X, y = problem(n_samples=120)
    selector = MRMR(1, estimator="correlation").fit(X, y)
    assert_array_equal(np.sort(selector.order_[:2]), [1, 4])
    assert selector.scores_[selector.order_[1]] > 0.9
    X[:, 2] = 3.0
    assert MRMR(1, estimator="correlation").fit(X, y).scores_[2] == 0.0


def test_auto_finds_the_two_informative_features():
    X, y = problem(n_samples=120)
    X[:, 1] += 5 * (y == 2)
    X[:, 4] += 5 * (y == 1)
    selector = MRMR("auto", estimator="correlation").fit(X, y)
    assert_array_equal(selector.get_support(indices=True), [1, 4])
    assert selector.accuracies_.shape == (6,)
    with pytest.raises(ValueError, match="'auto' needs estimator='correlation'"):
        MRMR("auto").fit(X, y)


def test_text_columns_are_categories_by_either_estimator():
    X, y = problem()
    frame = pd.DataFrame(X).rename(columns=str)
    frame["kind"] = np.array(["a", "b", "c"])[y]
    for estimator in ("information", "correlation"):
        selector = MRMR(estimator=estimator).fit(frame, y)
        assert selector.order_[0] == 6
        numbers = frame.assign(kind=y)
        again = MRMR(estimator=estimator, categorical_features=["kind"]).fit(numbers, y)
        assert_array_equal(again.scores_, selector.scores_)


def test_both_informative_features_come_first():
    X, y = problem(n_samples=120)
    assert set(MRMR(2).fit(X, y).order_[:2]) == {1, 4}


def test_a_mask_says_which_columns_are_discrete(rng):
    X, y = problem()
    X = np.column_stack([X, rng.integers(0, 15, 40)])
    mask = np.arange(7) == 6
    selector = MRMR(discrete_features=mask).fit(X, y)
    expected = mrmr_path(X, y, discrete_features=mask)[1]
    assert_array_equal(selector.path_scores_, expected)


def test_order_of_rows_and_columns_does_not_matter_to_rounded_numbers(rng):
    X, y = problem()
    X = np.round(X)
    assert len(np.unique(X[:, 0])) <= 10
    expected = MRMR(discrete_features=False).fit(X, y)
    rows, columns = rng.permutation(40), rng.permutation(6)
    other = MRMR(discrete_features=False).fit(X[rows][:, columns], y[rows])
    assert_array_equal(columns[other.order_], expected.order_)
    assert_allclose(other.path_scores_, expected.path_scores_, rtol=1e-9)


def test_groups_of_must_links_are_classes_when_there_are_no_labels():
    X, _ = problem()
    c = PairConstraints([(0, 3), (3, 9), (1, 4), (4, 7)], n_samples=40)
    selector = MRMR().fit(X, constraints=c)
    assert_array_equal(selector.order_, mrmr_path(X, c.groups())[0])
    assert selector.n_constraints_used_ == 4
    with pytest.raises(ConstraintError, match="MRMR needs labels or must-link"):
        MRMR().fit(X)
    with pytest.raises(ConstraintError, match="MRMR needs at least two classes"):
        MRMR().fit(X, np.full(40, -1))


@pytest.mark.parametrize(
    "options",
    [
        {"form": "sum"},
        {"discretize": 0},
        {"discrete_features": "some"},
        {"estimator": "rank"},
    ],
)
def test_impossible_parameters_are_refused(options):
    X, y = problem()
    with pytest.raises(ValueError, match=f"The '{next(iter(options))}' parameter"):
        MRMR(**options).fit(X, y)
