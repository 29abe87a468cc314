"""SVDEntropy as an estimator, and the two rules for the number of features."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from pairsift import SVDEntropy
from pairsift.scores import svd_entropy_score
from tests.selectors.builders import problem


@pytest.mark.parametrize("center", [False, True])
def test_parameters_reach_the_score(center):
    X, _ = problem()
    selector = SVDEntropy(center=center).fit(X + 1)
    assert_array_equal(selector.scores_, svd_entropy_score(X + 1, center=center))
    assert selector.n_features_to_select_ == 6


def test_rules_are_those_of_the_thesis(rng):
    X = rng.normal(size=(15, 30)) * rng.uniform(0.5, 2, 30)
    X[:, 4] = 2.0
    scores = svd_entropy_score(X)
    known = scores[np.isfinite(scores)]
    high = scores > known.mean() + known.std()
    low = scores < known.mean() - known.std()
    assert_array_equal(SVDEntropy("auto").fit(X).support_, high)
    assert_array_equal(SVDEntropy("auto", rule="not-low").fit(X).support_, ~low)
    assert 0 < high.sum() < (~low).sum() < 29


def test_redundant_features_come_last(rng):
    X = rng.normal(size=(20, 40))
    X[:, 10:30] = X[:, [3]] + 0.1 * rng.normal(size=(20, 20))
    last = SVDEntropy().fit(X).order_[-20:]
    assert set(last.tolist()) <= {3, *range(10, 30)}


def test_equal_contributions_select_one():
    assert SVDEntropy("auto").fit(np.eye(4)).n_features_to_select_ == 1
    assert SVDEntropy("auto", rule="not-low").fit(np.eye(4)).n_features_to_select_ == 4
    with pytest.warns(UserWarning, match="no feature has a defined SVDEntropy"):
        assert SVDEntropy("auto").fit(np.ones((4, 3))).n_features_to_select_ == 1


@pytest.mark.parametrize("parameters", [{"rule": "low"}, {"center": "yes"}])
def test_impossible_parameters_are_refused(parameters):
    X, _ = problem()
    with pytest.raises(ValueError, match="parameter of SVDEntropy"):
        SVDEntropy(**parameters).fit(X)


def test_copies_are_in_the_order_of_their_columns():
    """They were in the order of their rounding errors."""
    for seed in range(20):
        X = np.random.default_rng(seed).normal(size=(30, 5))
        order = SVDEntropy().fit(np.hstack([X, X])).order_
        place = np.argsort(order)
        assert (place[5:] == place[:5] + 1).all()
