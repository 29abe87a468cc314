"""MICI as an estimator."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from pairsift import MICI
from pairsift.scores import mici_score
from pairsift.scores._mici import fit_mici
from tests.selectors.builders import problem


@pytest.mark.parametrize("n_neighbors", [1, 3, 5])
def test_retained_features_are_selected(n_neighbors):
    X, _ = problem(n_features=20)
    selector = MICI(n_neighbors=n_neighbors).fit(X)
    found = fit_mici(X, n_neighbors)
    assert_array_equal(selector.scores_, mici_score(X, n_neighbors=n_neighbors))
    assert_array_equal(selector.representatives_, found.representatives)
    assert selector.epsilon_ == found.epsilon
    assert_array_equal(selector.support_, found.representatives == np.arange(20))


def test_a_number_is_taken_from_the_best():
    X, _ = problem(n_features=20)
    selector = MICI(4).fit(X)
    assert_array_equal(selector.get_support(indices=True), np.sort(selector.order_[:4]))
    assert MICI(None).fit(X).n_features_to_select_ == 20


def test_groups_of_copies_keep_one_each(rng):
    X = rng.normal(size=(30, 4))
    wide = np.repeat(X, 3, axis=1)
    selector = MICI(n_neighbors=2).fit(wide)
    assert_array_equal(selector.get_support(indices=True), [0, 3, 6, 9])
    assert_array_equal(selector.representatives_, np.repeat([0, 3, 6, 9], 3))
    assert selector.epsilon_ == 0.0


def test_one_feature_and_only_constant_features():
    selector = MICI().fit([[1.0], [3.0]])
    assert_array_equal(selector.scores_, [1.0])
    assert selector.n_features_to_select_ == 1
    with pytest.warns(UserWarning, match="no feature has a defined MICI"):
        assert MICI().fit(np.ones((4, 3))).n_features_to_select_ == 1
