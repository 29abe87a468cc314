"""Clusters of features by information, against plain loops and by hand."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pairsift.information import mutual_information
from pairsift.scores import feature_cluster_mi_score, fit_feature_cluster_mi
from tests.reference import feature_cluster_mi as reference
from tests.scores.information_data import DATA, as_columns, kinds

OPTIONS = {
    "n_clusters": None,
    "entropy_weight": 1.0,
    "relevance_weight": 1.0,
    "n_bins": 4,
    "discrete_features": "auto",
}


def fit(X, labels, **options):
    return fit_feature_cluster_mi(X, labels, **OPTIONS | options)


@pytest.mark.parametrize(("alpha_1", "alpha_2", "n_bins"), [(1, 1, 4), (0.3, 2, 2)])
@pytest.mark.parametrize("name", DATA)
def test_distances_and_relevance_agree_with_plain_loops(name, alpha_1, alpha_2, n_bins):
    X = DATA[name]
    labels = np.where(np.arange(len(X)) % 3 < 2, np.arange(len(X)) % 2, -1)
    weights = {"entropy_weight": alpha_1, "relevance_weight": alpha_2}
    tree = fit(X, labels, n_bins=n_bins, **weights)
    S, relevance = reference.distances(
        as_columns(X), kinds(X), labels.tolist(), alpha_1, alpha_2, n_bins
    )
    assert_allclose(tree.distances, S, atol=1e-9)
    assert_allclose(tree.relevance, relevance, atol=1e-9)


@pytest.mark.parametrize("n_clusters", [1, 3, 6])
def test_clusters_are_those_of_ward_in_plain_loops(rng, n_clusters):
    X, labels = rng.normal(size=(101, 8)), rng.integers(-1, 2, 101)
    X[:, 5:] = X[:, :3] + rng.normal(size=(101, 3))
    tree = fit(X, labels, n_clusters=n_clusters)
    expected, heights = reference.ward(tree.distances.tolist(), n_clusters)
    found = [np.flatnonzero(tree.clusters == c).tolist() for c in range(n_clusters)]
    assert sorted(found) == expected
    assert_allclose(tree.linkage[: len(heights), 2], heights)


def test_distance_by_hand():
    # H(f | g) = H(g | f) = ln 2, and each tells nothing alone and all beside the other.
    f, g = np.array([0.0, 0, 1, 1] * 5), np.array([0.0, 1, 0, 1] * 5)
    y = (f != g).astype(int)
    tree = fit(np.column_stack([f, g]), y, discrete_features=True, relevance_weight=3)
    assert_allclose(tree.distances, (1 - np.eye(2)) * (2 + 3 * 2) * np.log(2))
    assert_allclose(tree.relevance, 0.0, atol=1e-12)


def test_terms_are_those_of_the_estimators_of_the_house(rng):
    X = rng.integers(0, 3, (60, 2)).astype(float)
    labels = rng.integers(-1, 2, 60)
    known = labels >= 0
    tree = fit(X, labels, entropy_weight=0.0)
    both = mutual_information(X[known], labels[known])
    alone = [mutual_information(X[known][:, [j]], labels[known]) for j in (0, 1)]
    assert_allclose(tree.distances[0, 1], 2 * both - sum(alone), atol=1e-10)
    assert_allclose(tree.relevance, alone, atol=1e-10)


def test_counting_in_parts_changes_nothing(rng, monkeypatch):
    X, labels = rng.normal(size=(40, 7)), rng.integers(-1, 3, 40)
    whole = fit(X, labels)
    monkeypatch.setattr("pairsift.scores._feature_cluster_mi.MAX_COUNTS", 600)
    assert_array_equal(fit(X, labels).distances, whole.distances)


def test_representatives_are_the_most_relevant_and_come_first(rng):
    X = rng.normal(size=(300, 6))
    labels = np.where(np.arange(300) % 3 == 0, X[:, 0] + X[:, 1] > 0, -1)
    X[:, 4:] = X[:, :2] + 0.4 * rng.normal(size=(300, 2))
    tree = fit(X, labels, n_clusters=4)
    assert tree.clusters.tolist() == [0, 1, 2, 3, 0, 1]
    best = [max(pair, key=tree.relevance.__getitem__) for pair in ((0, 4), (1, 5))]
    assert tree.representatives.tolist() == [*best, 2, 3]
    others = np.setdiff1d(np.arange(6), tree.representatives)
    first = tree.representatives
    assert (tree.scores[first] == tree.relevance[first]).all()
    assert tree.scores[others].max() < tree.scores[first].min()
    score = feature_cluster_mi_score(X, labels, n_clusters=4)
    assert_array_equal(score, tree.scores)


def test_copies_are_0_apart_also_in_other_units_and_orders_of_rows(rng):
    X, labels = rng.normal(size=(50, 3)), rng.integers(-1, 2, 50)
    X = np.column_stack([X, np.exp(X[:, 0])])
    tree = fit(X, labels)
    assert tree.distances[0, 3] == 0.0
    order = rng.permutation(50)
    assert_array_equal(fit(X[order], labels[order]).distances, tree.distances)


def test_two_rows_one_feature_and_constants():
    X = np.array([[1.0, 5.0, 2.0], [2.0, 5.0, 2.0]])
    tree = fit(X, [0, 1], discrete_features=True)
    assert_allclose(tree.relevance, [np.log(2), 0, 0], atol=1e-12)
    assert tree.distances[1, 2] == 0.0
    one = fit(X[:, :1], [0, 1])
    assert one.linkage.shape == (0, 4)
    assert one.representatives.tolist() == [0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_clusters": 0}, "n_clusters must be a whole number"),
        ({"n_clusters": 4}, "n_clusters=4 asks for more than the 3 features"),
        ({"n_bins": 1}, "n_bins must be a whole number of at least 2"),
        ({"entropy_weight": -1}, "entropy_weight must be a number of at least 0"),
        ({"relevance_weight": np.nan}, "relevance_weight must be a number"),
        ({"entropy_weight": 0, "relevance_weight": 0}, "must not both be 0"),
    ],
)
def test_impossible_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        feature_cluster_mi_score(np.eye(3), [0, 1, 1], **options)


def test_more_features_than_memory_are_refused(monkeypatch):
    monkeypatch.setattr("pairsift._checks.LITTLE_MEMORY", 0.0)
    monkeypatch.setattr("pairsift._checks.available_memory", lambda: 100.0)
    with pytest.raises(ValueError, match="distances of 3 features.*SemiMRMR"):
        feature_cluster_mi_score(np.eye(3), [0, 1, 1])
