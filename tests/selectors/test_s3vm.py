"""S3VMSelector: the machine as an estimator."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from pairsift import S3VMSelector
from pairsift.scores import s3vm_score
from tests.selectors.builders import problem


@pytest.mark.parametrize("seed", [0, 1])
def test_features_of_the_classes_come_before_noise(seed):
    rng = np.random.default_rng(seed)
    y = np.arange(200) % 2
    X = rng.normal(size=(200, 12))
    X[:, :3] += 2.0 * y[:, None] * [1, -1, 1]
    labels = np.where(np.arange(200) // 2 % 10 == 0, y, -1)
    selector = S3VMSelector().fit(X, labels)
    assert set(selector.order_[:3]) == {0, 1, 2}


def test_attributes_are_those_of_the_fit():
    X, y = problem()
    labels = np.where(np.arange(40) % 7 < 2, y, -1)
    selector = S3VMSelector(C=5.0).fit(X, labels)
    assert_array_equal(selector.scores_, s3vm_score(X, labels, C=5.0))
    assert selector.coef_.shape == (3, 6)
    assert selector.intercept_.shape == (3,)
    has_weight = (selector.coef_ != 0).any(axis=0)
    assert_array_equal(has_weight, selector.scores_ > 0)
    assert selector.n_features_to_select_ == max(1, has_weight.sum())
    assert len(selector.objectives_) == 3


def test_without_weights_the_best_feature_stays():
    X, y = problem()
    selector = S3VMSelector(C=0.01).fit(X, y)
    assert (selector.scores_ < 0).all()
    assert selector.support_.sum() == 1
