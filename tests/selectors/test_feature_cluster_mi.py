"""FeatureClusterMI as an estimator: one feature of each cluster."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from pairsift import ConstraintError, FeatureClusterMI, PairConstraints
from pairsift.scores import feature_cluster_mi_score
from tests.selectors.builders import problem


def with_copies(seed, n_samples=1000):
    """Columns 0 to 2 make the classes, 3 to 5 nearly repeat them, 6 to 17 are noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, 18))
    y = (X[:, :3].sum(axis=1) > 0).astype(int)
    X[:, 3:6] = X[:, :3] + 0.3 * rng.normal(size=(n_samples, 3))
    return X, np.where(rng.random(n_samples) < 0.1, y, -1)


@pytest.mark.parametrize("seed", [0, 1])
def test_one_feature_of_each_relevant_cluster_comes_first(seed):
    X, labels = with_copies(seed)
    selector = FeatureClusterMI().fit(X, labels)
    assert selector.n_clusters_ == 9
    first = selector.order_[:3]
    assert sorted(first % 3) == [0, 1, 2]
    assert first.max() < 6


def test_a_tenth_of_400_labels_finds_one_of_each_pair():
    """Columns 0 to 2 differ between the classes, 3 to 5 nearly repeat them."""
    n_found = 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        y = np.arange(400) % 2
        X = rng.normal(size=(400, 18))
        X[:, :3] += 2.0 * y[:, None]
        X[:, 3:6] = X[:, :3] + 0.3 * rng.normal(size=(400, 3))
        first = FeatureClusterMI().fit(X, np.where(np.arange(400) < 40, y, -1)).order_
        n_found += sorted(first[:3] % 3) == [0, 1, 2] and first[:3].max() < 6
    assert n_found >= 9


def test_attributes_are_those_of_the_fit():
    X, labels = with_copies(2, 200)
    selector = FeatureClusterMI(n_clusters=5, n_bins=3).fit(X, labels)
    expected = feature_cluster_mi_score(X, labels, n_clusters=5, n_bins=3)
    assert_array_equal(selector.scores_, expected)
    assert selector.n_features_to_select_ == selector.n_clusters_ == 5
    assert set(selector.get_support(indices=True)) == set(selector.representatives_)
    for c, best in enumerate(selector.representatives_):
        inside = selector.clusters_ == c
        assert selector.relevance_[best] == selector.relevance_[inside].max()


def test_a_number_takes_the_best_and_none_ranks():
    X, labels = with_copies(2, 200)
    ranked = FeatureClusterMI(None).fit(X, labels)
    assert ranked.support_.all()
    two = FeatureClusterMI(2).fit(X, labels)
    assert_array_equal(np.sort(ranked.order_[:2]), two.get_support(indices=True))


def test_groups_of_must_links_serve_as_classes():
    X, _ = problem()
    must = [(r, r + 6) for r in range(30)]
    pairs = PairConstraints(must, n_samples=40)
    selector = FeatureClusterMI().fit(X, constraints=pairs)
    labels = FeatureClusterMI().fit(X, pairs.groups())
    assert_array_equal(selector.scores_, labels.scores_)
    assert selector.n_constraints_used_ == 30


def test_labels_are_needed():
    X, _ = problem()
    with pytest.raises(ConstraintError, match="FeatureClusterMI needs at least two"):
        FeatureClusterMI().fit(X, np.full(40, -1))
