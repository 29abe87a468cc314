"""FSManifold: the machine and its indicators as an estimator."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from pairsift import FSManifold
from pairsift.scores import fs_manifold_score
from tests.selectors.builders import problem


@pytest.mark.parametrize("seed", [0, 1])
def test_features_of_the_classes_come_before_noise(seed):
    rng = np.random.default_rng(seed)
    y = np.arange(200) % 2
    X = rng.normal(size=(200, 12))
    X[:, :3] += 2.0 * y[:, None] * [1, -1, 1]
    labels = np.where(np.arange(200) // 2 % 10 == 0, y, -1)
    selector = FSManifold(3).fit(X, labels)
    assert set(selector.order_[:3]) == {0, 1, 2}


def test_attributes_are_those_of_the_fit():
    X, y = problem()
    labels = np.where(np.arange(40) % 7 < 2, y, -1)
    selector = FSManifold(2, C=5.0).fit(X, labels)
    expected = fs_manifold_score(X, labels, C=5.0, n_indicators=2)
    assert_array_equal(selector.scores_, expected)
    assert selector.coef_.shape == (3, 6)
    assert selector.intercept_.shape == (3,)
    assert selector.n_iter_ == selector.objectives_.size
    # Indicators grow with the scores.
    ordered = selector.indicators_[selector.order_]
    assert (np.diff(ordered) <= 0).all()


def test_the_number_of_indicators_is_its_own_if_given():
    X, y = problem()
    three = FSManifold(2, n_indicators=3).fit(X, y)
    assert three.support_.sum() == 2
    assert three.indicators_.sum() == pytest.approx(3, abs=1e-5)
    half = FSManifold().fit(X, y)
    assert half.indicators_.sum() == pytest.approx(3, abs=1e-5)
