"""SemiMRMR as an estimator."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.datasets import load_wine

from pairsift import (
    MRMR,
    ConstraintError,
    PairConstraints,
    SemiMRMR,
    choose_features,
)
from pairsift.scores import semi_mrmr_path
from tests.selectors.builders import problem


def some_labels(y, n_labelled=12):
    return np.where(np.arange(len(y)) < n_labelled, y, -1)


@pytest.mark.parametrize(("wanted", "n_steps"), [(None, 6), (4, 4), (0.5, 3), (1, 1)])
def test_order_and_values_are_those_of_the_path(wanted, n_steps):
    X, y = problem()
    selector = SemiMRMR(wanted).fit(X, some_labels(y))
    order, values = semi_mrmr_path(X, some_labels(y), n_features=n_steps)
    assert_array_equal(selector.order_, order)
    assert_array_equal(selector.path_scores_, values[:n_steps])
    assert_array_equal(np.sort(order[:n_steps]), selector.get_support(indices=True))
    assert selector.accuracies_ is None


def test_scores_lie_between_0_and_1():
    X, y = problem()
    X[:, 0] = 7.0
    scores = SemiMRMR().fit(X, some_labels(y)).scores_
    assert scores[0] == 0.0
    assert 0.9 < scores.max() < 1.0


def test_few_labels_find_the_two_informative_features():
    X, y = problem(n_samples=120)
    X[:, 1] += 5 * (y == 2)
    X[:, 4] += 5 * (y == 1)
    selector = SemiMRMR("auto").fit(X, some_labels(y, 30))
    assert_array_equal(selector.get_support(indices=True), [1, 4])
    assert selector.accuracies_.shape == (6,)
    assert selector.n_features_to_select_ == 2


def test_auto_looks_no_farther_than_a_hundred_features(rng):
    X, y = rng.normal(size=(40, 130)), np.arange(40) % 2
    X[:, 120] += 5 * y
    selector = SemiMRMR("auto").fit(X, some_labels(y, 20))
    assert selector.path_scores_.shape == selector.accuracies_.shape == (100,)
    assert_array_equal(selector.get_support(indices=True), [120])


@pytest.mark.parametrize("seed", [1, 4, 6])
def test_auto_does_not_end_with_a_coin_that_finds_one_row_more(seed):
    X, y = load_wine(return_X_y=True)
    coin = np.random.default_rng(seed).integers(0, 2, size=(len(y), 1))
    X = np.column_stack([X, coin])
    selector = choose_features(X, y, 20, selector=SemiMRMR("auto"), random_state=seed)
    assert selector.n_features_to_select_ <= 7
    assert not selector.support_[13]


def test_auto_takes_no_feature_that_tells_nothing(rng):
    X, y = rng.normal(size=(40, 3)), np.arange(40) % 2
    # Every class has as many of each value: the relevance is 0, and yet the column
    # tells the rows apart beside the others.
    X[:, 2] = np.where(np.arange(40) % 4 < 2, 0.0, 10.0)
    X[:, 0] += np.where(y == 0, 1.0, -1.0) * (X[:, 2] - 5.0)
    X[:, 1] = rng.normal(size=40)
    selector = SemiMRMR("auto").fit(X, y)
    assert selector.scores_[2] == 0.0
    assert not selector.support_[2]


def test_auto_without_a_row_to_hold_out_says_so():
    X, y = problem()
    with pytest.warns(UserWarning, match="no class has two labelled rows"):
        selector = SemiMRMR("auto").fit(X, some_labels(y, 3))
    assert selector.n_features_to_select_ == np.count_nonzero(selector.scores_)


def test_text_columns_are_categories():
    X, y = problem()
    frame = pd.DataFrame(X).rename(columns=str)
    frame["kind"] = np.array(["a", "b", "c"])[y]
    selector = SemiMRMR(1).fit(frame, some_labels(y))
    assert selector.get_feature_names_out().tolist() == ["kind"]
    numbers = frame.assign(kind=y)
    again = SemiMRMR(1, categorical_features=["kind"]).fit(numbers, some_labels(y))
    assert_array_equal(again.scores_, selector.scores_)


def test_groups_of_must_links_are_classes_when_there_are_no_labels():
    X, _ = problem()
    c = PairConstraints([(0, 3), (3, 9), (1, 4), (4, 7)], n_samples=40)
    selector = SemiMRMR().fit(X, constraints=c)
    assert_array_equal(selector.order_, semi_mrmr_path(X, c.groups())[0])
    assert selector.n_constraints_used_ == 4
    with pytest.raises(ConstraintError, match="SemiMRMR needs labels or must-link"):
        SemiMRMR().fit(X)


def test_least_supported_of_contradictory_pairs_are_left_out():
    X, y = problem()
    rows = [np.flatnonzero(y == label)[:6].tolist() for label in range(3)]
    must = [pair for part in rows for pair in pairwise(part)]
    apart = [(rows[0][k], rows[1][k]) for k in range(6)]
    right = PairConstraints(must, apart, n_samples=len(X))
    expected = SemiMRMR().fit(X, constraints=right)
    wrong = right | PairConstraints([(rows[0][5], rows[1][0])])
    with pytest.warns(UserWarning, match="contradicts .*must-link .*, left out"):
        found = SemiMRMR().fit(X, constraints=wrong)
    assert_array_equal(found.scores_, expected.scores_)
    # Beside labels the pairs are not used.
    assert SemiMRMR().fit(X, y, constraints=wrong).n_constraints_used_ == 0


def test_all_labels_make_it_mrmr_by_correlation():
    X, y = problem()
    expected = MRMR(estimator="correlation").fit(X, y)
    assert_array_equal(SemiMRMR().fit(X, y).scores_, expected.scores_)


def test_wide_tables_need_no_array_of_all_pairs_of_columns(rng):
    import tracemalloc

    X, y = rng.normal(size=(20, 4000)), np.arange(20) % 2
    tracemalloc.start()
    SemiMRMR(5).fit(X, some_labels(y, 8))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20 * X.nbytes < 4000 * 4000 * 8
