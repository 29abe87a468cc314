"""ForwardBackwardMI and ClusterHomogeneity as estimators."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.feature_selection import SelectKBest
from sklearn.model_selection import StratifiedKFold, cross_val_score

import pairsift
from pairsift import ClusterHomogeneity, ConstraintError, ForwardBackwardMI
from pairsift.datasets import make_xor
from pairsift.scores import forward_backward_path
from tests.selectors.builders import problem

each_selector = pytest.mark.parametrize("cls", [ForwardBackwardMI, ClusterHomogeneity])


def blobs(seed=0, n_samples=240):
    """Four clusters on columns 0 and 3, two of each class; the rest is noise."""
    rng = np.random.default_rng(seed)
    corner = np.arange(n_samples) % 4
    X = rng.normal(size=(n_samples, 5))
    X[:, 0] += 8 * (corner % 2)
    X[:, 3] += 8 * (corner // 2)
    return X, (corner == 0) | (corner == 3), corner


def test_attributes_are_those_of_the_path():
    X, y = problem(n_samples=90)
    path = forward_backward_path(X, y, random_state=3)
    selector = ForwardBackwardMI(random_state=3).fit(X, y)
    assert_array_equal(selector.order_, path.order)
    assert_array_equal(selector.path_scores_, path.values)
    assert_array_equal(selector.path_thresholds_, path.thresholds)
    assert_array_equal(selector.removed_, path.removed)
    assert selector.n_found_ == path.n_found == selector.n_features_to_select_
    assert set(selector.get_support(indices=True)) == {1, 4}


def test_scores_are_what_features_add():
    X, y = problem(n_samples=90)
    selector = ForwardBackwardMI(random_state=3).fit(X, y)
    added = np.diff(selector.path_scores_, prepend=0.0)
    assert_allclose(selector.scores_[selector.order_[:2]], added)
    assert (selector.scores_[selector.order_[2:]] < 0.1).all()


def test_two_features_added_at_once_have_half_each():
    data = make_xor(400, random_state=0)
    selector = ForwardBackwardMI(random_state=0).fit(data.data, data.target)
    assert selector.path_scores_.size == 1
    half = selector.path_scores_[0] / 2
    assert_allclose(selector.scores_[selector.support_], half)


def test_a_number_takes_the_best_of_the_same_search():
    X, y = problem(n_samples=90)
    found = ForwardBackwardMI(random_state=3).fit(X, y)
    for wanted, number in ((1, 1), (5, 5), (None, 6)):
        selector = ForwardBackwardMI(wanted, random_state=3).fit(X, y)
        assert_array_equal(selector.order_, found.order_)
        assert selector.support_.sum() == number


def test_the_best_feature_stays_when_none_is_found():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 4)), np.arange(60) % 2
    selector = ForwardBackwardMI(random_state=0).fit(X, y)
    assert selector.n_found_ == 0
    assert selector.support_.sum() == 1


@each_selector
def test_labels_are_needed(cls):
    X, _ = problem()
    with pytest.raises(ConstraintError, match=f"{cls.__name__} needs at least two"):
        cls().fit(X, np.full(40, -1))
    with pytest.raises(ConstraintError, match=f"{cls.__name__} needs labels or must"):
        cls().fit(X)


@each_selector
@pytest.mark.parametrize(
    "options", [{"quantile": 0.0}, {"n_permutations": 0}, {"pairs": "yes"}], ids=str
)
def test_impossible_parameters_are_refused(cls, options):
    X, y = problem()
    with pytest.raises(ValueError, match=f"The '{next(iter(options))}' parameter"):
        cls(**options).fit(X, y)


def test_completed_labels_are_classes_and_then_clusters():
    X, y, corner = blobs()
    some = np.where(np.arange(len(y)) < 8, y, -1)
    useful = X[:, [0, 3]]
    completed = pairsift.complete_labels(useful, some, n_clusters=4, random_state=0)
    assert_array_equal(completed[:8], y[:8])
    assert set(completed[8:]) == {2, 3, 4, 5}
    # Clusters are the corners, but for a few rows.
    for cluster in range(2, 6):
        inside = corner[8:][completed[8:] == cluster]
        assert np.bincount(inside).max() > 0.9 * inside.size


def test_labels_of_any_kind_are_completed():
    X, y, _ = blobs()
    names = np.where(y, "yes", "no").astype(object)
    names[20:] = None
    numbers = np.where(np.arange(len(y)) < 20, y, -1)
    expected = pairsift.complete_labels(X, numbers, random_state=0)
    assert_array_equal(pairsift.complete_labels(X, names, random_state=0), expected)
    assert_array_equal(pairsift.complete_labels(X, y), y)


def test_units_do_not_matter_to_the_clusters():
    X, _, _ = blobs()
    nothing = np.full(len(X), -1)
    expected = pairsift.complete_labels(X, nothing, random_state=0)
    scaled = X * [1, 1e4, 1e-3, 10, 7]
    assert_array_equal(
        pairsift.complete_labels(scaled, nothing, random_state=0), expected
    )


@pytest.mark.parametrize("min_size", [1, 13, 60, 500])
def test_small_clusters_are_dissolved(min_size):
    X, y, _ = blobs()
    some = np.where(np.arange(len(y)) < 8, y, -1)
    completed = pairsift.complete_labels(
        X, some, n_clusters=30, min_size=min_size, random_state=0
    )
    sizes = np.bincount(completed)[2:]
    assert sizes.min() >= min(min_size, 232)
    assert (sizes.size == 1) == (min_size == 500)


def test_a_given_number_of_clusters_is_taken_as_given():
    X, y, _ = blobs()
    some = np.where(np.arange(len(y)) < 8, y, -1)
    clusters = pairsift.complete_labels(X, some, n_clusters=30, random_state=0)[8:]
    assert np.unique(clusters).size == 30
    assert np.bincount(clusters).max() < 40
    # Without a number, those of fewer than 13 rows are dissolved.
    clusters = pairsift.complete_labels(X[:60], some[:60], random_state=0)[8:]
    assert np.bincount(clusters)[2:].min() >= 13


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "n_clusters"),
    [
        ({"n_clusters": 30}, 30),
        ({"n_clusters": 30, "dissolve": False}, 30),
        ({"n_clusters": 30, "dissolve": True}, None),
        ({"dissolve": True}, None),
    ],
)
def test_small_clusters_are_dissolved_where_asked(options, n_clusters):
    X, y, _ = blobs()
    some = np.where(np.arange(len(y)) < 8, y, -1)
    selector = ClusterHomogeneity(random_state=0, pairs=False, **options).fit(X, some)
    sizes = np.bincount(selector.completed_labels_[8:])[2:]
    assert selector.n_clusters_ == sizes.size
    if n_clusters is None:
        assert sizes.min() >= 13
    else:
        assert sizes.size == n_clusters


def test_the_number_of_clusters_may_be_sought():
    X, y, _ = blobs()
    X[:, 3] += 0.5 * y
    some = np.where(np.arange(len(y)) < 40, y, -1)
    numbers = [2, 25, 4]
    selector = ClusterHomogeneity(n_clusters=numbers, random_state=0).fit(X, some)
    assert selector.n_clusters_ in numbers
    assert list(selector.cluster_accuracies_) == numbers
    accuracies = selector.cluster_accuracies_
    best = min(n for n in numbers if accuracies[n] == max(accuracies.values()))
    assert selector.n_clusters_ == best
    # As if that number had been given.
    given = ClusterHomogeneity(n_clusters=best, random_state=0).fit(X, some)
    assert_array_equal(selector.scores_, given.scores_)
    assert_array_equal(selector.completed_labels_, given.completed_labels_)
    assert given.cluster_accuracies_ is None
    # The accuracy is that of discriminant analysis on held-out labelled rows.
    features = given.order_[: given.n_found_]
    model = LinearDiscriminantAnalysis(priors=[0.5, 0.5])
    seed = int(np.random.default_rng(0).integers(2**31))
    folds = StratifiedKFold(10, shuffle=True, random_state=seed)
    by_hand = cross_val_score(model, X[:40][:, features], y[:40], cv=folds).mean()
    assert accuracies[best] == pytest.approx(by_hand, rel=1e-12)


def test_a_search_needs_rows_to_judge_by():
    X, y, _ = blobs()
    some = np.full(len(y), -1)
    some[:3] = 0, 1, 0
    with pytest.raises(ConstraintError, match="two labelled rows of every class"):
        ClusterHomogeneity(n_clusters=[2, 3]).fit(X, some)
    for wrong in ([], [0, 2], [2.5], [[2, 3]]):
        with pytest.raises(ValueError, match="n_clusters must be"):
            ClusterHomogeneity(n_clusters=wrong).fit(X, y)


@pytest.mark.filterwarnings("error")
def test_degenerate_rows_are_completed():
    same = pairsift.complete_labels(np.ones((30, 2)), np.full(30, -1))
    assert_array_equal(same, np.zeros(30))
    two = pairsift.complete_labels(np.repeat([[0.0], [1.0]], 20, axis=0), [-1] * 40)
    assert_array_equal(np.bincount(two), [20, 20])


def test_a_supervised_selector_sees_the_clusters():
    X, y, _ = blobs()
    some = np.where(np.arange(len(y)) < 8, y, -1)
    completed = pairsift.complete_labels(X, some, n_clusters=4, random_state=0)
    selector = SelectKBest(k=2).fit(X, completed)
    assert_array_equal(selector.get_support(indices=True), [0, 3])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_clusters": 0}, "n_clusters must be a whole number of at least 1, got 0"),
        ({"n_clusters": "few"}, "n_clusters must be a whole number .* got 'few'"),
        ({"n_clusters": [2]}, "n_clusters must be a whole number"),
        ({"min_size": 0}, "min_size must be a whole number of at least 1, got 0"),
        ({"y": [0, 1]}, "y must hold a label, or -1, for each of the 6 rows"),
    ],
)
def test_impossible_completions_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        pairsift.complete_labels(np.ones((6, 1)), **{"y": [-1] * 6} | options)


@pytest.mark.parametrize("seed", range(3))
def test_cluster_homogeneity_finds_an_exclusive_or_that_few_labels_hide(seed):
    X, y, _ = blobs(seed)
    some = np.where(np.arange(len(y)) < 8, y, -1)
    selector = ClusterHomogeneity(n_clusters=4, random_state=seed).fit(X, some)
    assert {0, 3} <= set(selector.get_support(indices=True))
    assert set(selector.order_[:2]) == {0, 3}
    labelled = ForwardBackwardMI(random_state=seed).fit(X, some)
    assert labelled.n_found_ == 0


def test_clusters_may_be_found_on_selected_features():
    X, y, _ = blobs()
    X[:, 0] += 2.0 * y
    some = np.where(np.arange(len(y)) < 60, y, -1)
    alone = ForwardBackwardMI(random_state=np.random.default_rng(0)).fit(X, some)
    selector = ClusterHomogeneity(cluster_on="selected", random_state=0).fit(X, some)
    whole = ClusterHomogeneity(random_state=0).fit(X, some)
    assert alone.support_.sum() < 5
    assert not np.array_equal(selector.completed_labels_, whole.completed_labels_)
    assert_array_equal(selector.completed_labels_[:60], y[:60])


def test_all_rows_labelled_is_the_supervised_search():
    X, y = problem(n_samples=90)
    expected = ForwardBackwardMI(random_state=0).fit(X, y)
    selector = ClusterHomogeneity(random_state=0).fit(X, y)
    assert_array_equal(selector.order_, expected.order_)
    assert_array_equal(selector.completed_labels_, y)
