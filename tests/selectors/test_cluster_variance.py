"""ClusterVarianceScore as an estimator."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from pairsift import ClusterVarianceScore
from pairsift.scores import cluster_variance_score
from tests.selectors.builders import problem


def test_score_is_that_of_the_clusters_found():
    X, _ = problem()
    selector = ClusterVarianceScore(n_clusters=4, random_state=0).fit(X)
    assert_array_equal(np.unique(selector.clusters_), np.arange(4))
    assert_array_equal(selector.scores_, cluster_variance_score(X, selector.clusters_))


def test_features_that_make_the_clusters_are_best(rng):
    X = rng.normal(size=(90, 8))
    y = np.arange(90) % 3
    X[:, 2] += 9 * (y == 1)
    X[:, 5] += 9 * (y == 2)
    selector = ClusterVarianceScore(2, n_clusters=3, random_state=0).fit(X)
    assert_array_equal(selector.get_support(indices=True), [2, 5])


@pytest.mark.parametrize(
    "seed", [3, np.random.RandomState(3), np.random.default_rng(3)]
)
def test_seed_makes_clusters_reproducible(seed):
    X, _ = problem()
    first = ClusterVarianceScore(random_state=seed, n_init=1).fit(X).clusters_
    if isinstance(seed, int):
        again = ClusterVarianceScore(random_state=seed, n_init=1).fit(X).clusters_
        assert_array_equal(first, again)
    assert first.shape == (40,)


def test_fewer_different_rows_than_clusters():
    X = np.repeat([[0.0, 1.0], [5.0, 1.0], [9.0, 2.0]], 4, axis=0)
    message = "n_clusters=8 is more than the 3 different rows, so that 3 count: choose"
    with pytest.warns(UserWarning, match=message) as caught:
        selector = ClusterVarianceScore(random_state=0).fit(X)
    assert caught[0].filename == __file__
    assert_array_equal(np.unique(selector.clusters_), [0, 1, 2])
    assert_array_equal(selector.scores_, [1.0, 1.0])


@pytest.mark.parametrize("parameters", [{"n_clusters": 0}, {"n_init": 0}])
def test_impossible_parameters_are_refused(parameters):
    X, _ = problem()
    with pytest.raises(ValueError, match="parameter of ClusterVarianceScore"):
        ClusterVarianceScore(**parameters).fit(X)
