"""Single linkage, and where it stops."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.cluster.hierarchy import is_valid_linkage, linkage
from scipy.sparse import csr_array
from scipy.spatial.distance import squareform

from pairsift.graphs._feature_clusters import cluster_features
from tests.reference import feature_graph as reference


def graph(n, edges):
    S = np.zeros((n, n))
    for a, b, similarity in edges:
        S[a, b] = S[b, a] = similarity
    return csr_array(S)


def cluster(S, n_clusters=None, copy_of=None, linkage_method="single"):
    copy_of = np.arange(S.shape[0]) if copy_of is None else np.array(copy_of)
    return cluster_features(S, copy_of, n_clusters, linkage_method)


OTHERS = ("complete", "average", "ward")


def parts(clusters):
    return {frozenset(np.flatnonzero(clusters == c).tolist()) for c in set(clusters)}


def random_graph(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 16))
    S = np.triu(rng.random((n, n)) * (rng.random((n, n)) < rng.uniform(0.1, 0.9)), 1)
    return S + S.T


@pytest.mark.parametrize("seed", range(60))
def test_partition_agrees_with_merging_one_by_one(seed):
    S = random_graph(seed)
    assert parts(cluster(csr_array(S)).clusters) == reference.clusters(S)


@pytest.mark.parametrize("seed", range(20))
def test_merges_agree_with_scipy(seed):
    S = random_graph(seed)
    found = cluster(csr_array(S)).linkage
    expected = linkage(squareform(1.0 - S, checks=False), "single")
    assert is_valid_linkage(found)
    assert_allclose(found[:, 2], expected[:, 2], atol=1e-15)
    has_tie = (np.diff(expected[:, 2]) == 0.0).any()
    if not has_tie:
        assert_array_equal(found, expected)


def test_cutoff_by_hand():
    # 0-1 and 2-3 make pairs, 4 joins the first; 1-2 would join clusters, and 5, which
    # comes later, stays alone.
    edges = [(0, 1, 0.9), (2, 3, 0.8), (0, 4, 0.7), (1, 2, 0.6), (4, 5, 0.5)]
    found = cluster(graph(6, edges))
    assert_array_equal(found.clusters, [0, 0, 1, 1, 0, 2])
    assert_allclose(found.linkage[:, 2], [0.1, 0.2, 0.3, 0.4, 0.5])
    assert_array_equal(found.linkage[:, 3], [2, 2, 3, 5, 6])


def test_chain_grows_by_single_features():
    found = cluster(graph(4, [(0, 1, 0.9), (1, 2, 0.8), (2, 3, 0.7)]))
    assert_array_equal(found.clusters, 0)


@pytest.mark.parametrize("order", [(0, 1, 2, 3, 4), (4, 2, 0, 3, 1), (1, 3, 0, 2, 4)])
def test_tied_merges_are_looked_at_together(order):
    # At 0.5 the pairs 0-1 and 2-3 would be joined, and 4 to 5 is free of that.
    place = {feature: order.index(feature) for feature in range(5)} | {5: 5}
    edges = [(0, 1, 0.9), (2, 3, 0.8), (1, 2, 0.5), (4, 5, 0.5 + 1e-12)]
    found = cluster(graph(6, [(place[a], place[b], s) for a, b, s in edges]))
    expected = [{0, 1}, {2, 3}, {4, 5}]
    assert parts(found.clusters) == {frozenset(place[j] for j in e) for e in expected}
    assert is_valid_linkage(found.linkage)


def test_path_of_equal_similarities_is_one_cluster():
    found = cluster(graph(4, [(0, 1, 0.5), (2, 3, 0.5), (1, 2, 0.5)]))
    assert_array_equal(found.clusters, 0)


def test_copies_are_one_member():
    # 0 and 1 are copies, 2 and 3 too: joining them joins two members, not two clusters.
    edges = [(0, 1, 1.0), (2, 3, 1.0), (0, 2, 0.5), (4, 5, 0.4), (0, 4, 0.3)]
    found = cluster(graph(6, edges), copy_of=[0, 0, 1, 1, 2, 3])
    assert_array_equal(found.clusters, [0, 0, 0, 0, 1, 1])
    apart = cluster(graph(6, edges))
    assert_array_equal(apart.clusters, [0, 0, 1, 1, 2, 3])


def test_copies_come_first_where_others_are_more_similar():
    found = cluster(graph(3, [(0, 1, 1.7), (1, 2, 1.0)]), copy_of=[0, 1, 1])
    assert_allclose(found.linkage[:, 2], [0.0, 0.0], atol=1e-15)
    assert is_valid_linkage(found.linkage)


def test_features_without_similarity_stay_alone():
    found = cluster(graph(4, [(1, 2, 0.4)]))
    assert_array_equal(found.clusters, [0, 1, 1, 2])
    assert_array_equal(found.linkage[1:, 2], 1.0)
    assert not found.is_joined_without_similarity


def test_number_of_clusters_can_be_told():
    S = graph(5, [(0, 1, 0.9), (2, 3, 0.8), (1, 2, 0.6)])
    sizes = [cluster(S, n).clusters.max() + 1 for n in range(1, 6)]
    assert sizes == [1, 2, 3, 4, 5]
    assert_array_equal(cluster(S, 2).clusters, [0, 0, 0, 0, 1])
    assert not cluster(S, 2).is_joined_without_similarity
    assert cluster(S, 1).is_joined_without_similarity
    with pytest.raises(ValueError, match="n_clusters=6 asks .* the 5 features of X"):
        cluster(S, 6)
    with pytest.raises(ValueError, match="n_clusters must be a whole number"):
        cluster(S, 0)


def test_one_feature():
    found = cluster(graph(1, []))
    assert found.linkage.shape == (0, 4)
    assert_array_equal(found.clusters, [0])


@settings(deadline=None, max_examples=50)
@given(seed=st.integers(0, 10_000))
def test_order_of_features_does_not_matter_even_with_ties(seed):
    rng = np.random.default_rng(seed)
    S = np.round(4 * random_graph(seed)) / 4
    order = rng.permutation(len(S))
    expected = {
        frozenset(np.argsort(order)[list(part)].tolist())
        for part in parts(cluster(csr_array(S)).clusters)
    }
    mixed = cluster(csr_array(S[np.ix_(order, order)]))
    assert parts(mixed.clusters) == expected
    assert is_valid_linkage(mixed.linkage)


@pytest.mark.parametrize("link", [("complete", min), ("average", np.mean)])
@pytest.mark.parametrize("seed", range(20))
def test_other_linkages_agree_with_merging_one_by_one(seed, link):
    S = random_graph(seed)
    found = cluster(csr_array(S), linkage_method=link[0])
    assert parts(found.clusters) == reference.clusters(S, link[1])


@pytest.mark.parametrize("method", OTHERS)
@pytest.mark.parametrize("seed", range(10))
def test_other_merges_agree_with_scipy(seed, method):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 16))
    S = np.triu(rng.uniform(0.05, 0.95, size=(n, n)), 1)
    S = S + S.T
    found = cluster(csr_array(S), linkage_method=method)
    expected = linkage(squareform(1.0 - S, checks=False), method)
    assert is_valid_linkage(found.linkage)
    assert_allclose(found.linkage[:, 2], expected[:, 2], atol=1e-12)
    assert_array_equal(found.linkage[:, :2], np.sort(expected[:, :2], axis=1))
    assert not cluster(csr_array(S), 1, None, method).is_joined_without_similarity


def test_ward_merges_only_what_is_similar():
    # 2 is similar to 0 and not to 1, 3 to nothing.
    S = graph(4, [(0, 1, 0.9), (0, 2, 0.5)])
    found = cluster(S, linkage_method="ward")
    assert_array_equal(found.clusters, [0, 0, 0, 1])
    # 2 * 2 * 1 / 3 times ((1/4 + 1) / 2 - 1/200 / 2), by hand.
    assert_allclose(found.linkage[1, 2], np.sqrt(4 / 3 * (0.625 - 0.0025)))
    assert found.linkage[2, 2] >= found.linkage[1, 2]
    assert cluster(S, 1, linkage_method="ward").is_joined_without_similarity
    assert_array_equal(cluster(S, linkage_method="complete").clusters, [0, 0, 1, 2])


@pytest.mark.parametrize("method", OTHERS)
def test_copies_change_no_other_linkage(method):
    S = random_graph(3)
    once = cluster(csr_array(S), linkage_method=method)
    which = np.array([0, 0, 0, *range(len(S)), 1])
    many = S[np.ix_(which, which)]
    many[which[:, None] == which] = 1.0
    np.fill_diagonal(many, 0.0)
    twice = cluster(csr_array(many), copy_of=which, linkage_method=method)
    assert len(parts(once.clusters)) > 1
    expected = once.clusters[which]
    assert parts(twice.clusters) == parts(expected)


@pytest.mark.parametrize("method", OTHERS)
@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 10_000))
def test_order_of_features_does_not_matter_to_other_linkages(method, seed):
    rng = np.random.default_rng(seed)
    S = np.round(4 * random_graph(seed)) / 4
    order = rng.permutation(len(S))
    expected = {
        frozenset(np.argsort(order)[list(part)].tolist())
        for part in parts(cluster(csr_array(S), linkage_method=method).clusters)
    }
    mixed = cluster(csr_array(S[np.ix_(order, order)]), linkage_method=method)
    assert parts(mixed.clusters) == expected
    assert is_valid_linkage(mixed.linkage)
