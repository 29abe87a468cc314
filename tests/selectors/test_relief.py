"""Relief and ReliefF as selectors: what they learn from, and what they remember."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from pairsift import PairConstraints, Relief, ReliefF
from pairsift.scores import relief_score, relieff_score
from tests.selectors.builders import problem

each_class = pytest.mark.parametrize("cls", [Relief, ReliefF])


def test_parameters_reach_the_score():
    X, y = problem()
    X[:, 3] = np.round(X[:, 3])
    X[5, 0] = np.nan
    shared = {
        "ties": "index",
        "missing": "distinct",
        "max_samples": 9,
        "random_state": 3,
    }
    mask = np.arange(6) == 3
    selector = ReliefF(n_neighbors=4, categorical_features=[3], **shared).fit(X, y)
    expected = relieff_score(X, y, n_neighbors=4, is_categorical=mask, **shared)
    assert_array_equal(selector.scores_, expected)
    selector = Relief(categorical_features=[3], **shared).fit(X, y)
    expected = relief_score(X, y, is_categorical=mask, **shared)
    assert_array_equal(selector.scores_, expected)


@each_class
def test_unlabelled_rows_are_left_out_and_counted(cls):
    X, y = problem()
    y = np.where(np.arange(40) % 4 == 0, -1, y)
    selector = cls().fit(X, y)
    assert selector.n_labelled_ == 30
    expected = cls().fit(X[y >= 0], y[y >= 0]).scores_
    assert_array_equal(selector.scores_, expected)


@each_class
def test_groups_of_must_links_serve_as_classes(cls):
    X, _ = problem()
    pairs = PairConstraints([(0, 1), (1, 2), (7, 8), (8, 9)], n_samples=40)
    selector = cls().fit(X, constraints=pairs)
    assert (selector.n_constraints_used_, selector.n_labelled_) == (4, 6)
    expected = cls().fit(X[[0, 1, 2, 7, 8, 9]], [0, 0, 0, 1, 1, 1]).scores_
    assert_array_equal(selector.scores_, expected)


@each_class
def test_text_labels_and_numbers_give_the_same(cls):
    X, y = problem()
    expected = cls().fit(X, y).scores_
    assert_array_equal(cls().fit(X, np.array(["a", "b", "c"])[y]).scores_, expected)
