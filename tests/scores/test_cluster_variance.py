"""Cluster variance against plain loops."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from pairsift.scores import cluster_variance_score
from tests.reference import cluster_variance as reference
from tests.scores.redundancy_data import DATA


@pytest.mark.parametrize("n_clusters", [1, 2, 5])
@pytest.mark.parametrize("name", DATA)
def test_scores_agree_with_plain_loops(name, n_clusters):
    X = DATA[name]
    clusters = np.arange(len(X)) % n_clusters
    clusters[-1] = -1
    columns = X.astype(np.float64).T.tolist()
    expected = reference.score(columns, clusters.tolist())
    assert_allclose(
        cluster_variance_score(X, clusters), expected, rtol=1e-10, atol=1e-10
    )


def test_by_hand():
    X = np.array([[0.0, 0.0, 3.0], [2.0, 0.0, 3.0], [9.0, 4.0, 3.0], [9.0, 4.0, 3.0]])
    # Variances 1 and 0 inside, 16.5 overall; 0 and 0 inside, 4 overall.
    expected = [1 - 0.5 / 16.5, 1.0, -np.inf]
    assert_allclose(cluster_variance_score(X, [0, 0, 1, 1]), expected)


def test_one_cluster_is_as_wide_as_the_data(rng):
    scores = cluster_variance_score(rng.normal(size=(9, 3)), np.zeros(9))
    assert_allclose(scores, 0.0, atol=1e-14)


@given(seed=st.integers(0, 1000))
def test_order_of_rows_and_units_do_not_matter(seed):
    rng = np.random.default_rng(seed)
    X, clusters = rng.normal(size=(12, 4)), rng.integers(0, 3, 12)
    rows = rng.permutation(12)
    other = X[rows] * rng.uniform(0.1, 10, 4) + rng.normal(size=4)
    assert_allclose(
        cluster_variance_score(other, clusters[rows]),
        cluster_variance_score(X, clusters),
        rtol=1e-9,
        atol=1e-10,
    )


@pytest.mark.parametrize("clusters", [[0, 1], [-1] * 4])
def test_impossible_clusters_are_refused(clusters):
    with pytest.raises(
        ValueError, match="clusters must hold a cluster number for each"
    ):
        cluster_variance_score(np.eye(4), clusters)


def test_all_constant_features_are_undefined():
    assert_array_equal(cluster_variance_score(np.ones((4, 2)), [0, 0, 1, 1]), -np.inf)
