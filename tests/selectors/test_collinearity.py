"""CollinearityFilter as an estimator."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from pairsift import CollinearityFilter
from pairsift.scores import collinearity_score
from tests.selectors.builders import problem


@pytest.mark.parametrize(
    "parameters",
    [{}, {"threshold": 0.2}, {"measure": "cosine"}, {"prefer": "first"}],
)
def test_parameters_reach_the_score(parameters):
    X, _ = problem()
    X = np.column_stack([X + 3, 1 - X[:, ::2]])
    selector = CollinearityFilter(**parameters).fit(X)
    assert_array_equal(selector.scores_, collinearity_score(X, **parameters))
    kept = selector.scores_ >= -selector.threshold
    assert_array_equal(selector.support_, kept)
    assert 0 < kept.sum() < 9


def test_a_number_keeps_the_least_collinear():
    X, _ = problem()
    X = np.column_stack([X, X])
    selector = CollinearityFilter(7).fit(X)
    assert_array_equal(selector.get_support(indices=True), [0, 1, 2, 3, 4, 5, 6])
    assert CollinearityFilter(None).fit(X).n_features_to_select_ == 12
    assert CollinearityFilter().fit(X).n_features_to_select_ == 6


def test_only_constant_features_leave_one():
    with pytest.warns(UserWarning, match="no feature has a defined CollinearityFilter"):
        selector = CollinearityFilter().fit(np.ones((5, 3)))
    assert selector.n_features_to_select_ == 1


@pytest.mark.parametrize(
    "parameters", [{"threshold": 1.0}, {"measure": "angle"}, {"prefer": "last"}]
)
def test_impossible_parameters_are_refused(parameters):
    X, _ = problem()
    with pytest.raises(ValueError, match="parameter of CollinearityFilter"):
        CollinearityFilter(**parameters).fit(X)
