"""The nearest-neighbour search against plain loops and against scikit-learn."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.model_selection import (
    KFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_score,
)
from sklearn.neighbors import KNeighborsClassifier

from pairsift import _kernels
from pairsift._kernels.graph import _forward_neighbor
from pairsift.scores import nearest_neighbor_path
from tests.reference import similarity as reference


def data(seed=0, n_samples=16, n_features=5):
    rng = np.random.default_rng(seed)
    classes = rng.permutation(np.arange(n_samples) % 3)
    X = rng.normal(size=(n_samples, n_features))
    X[:, 1] += 2.0 * (classes == 1)
    X[:, 3] -= 2.0 * (classes == 2)
    return X, classes


def reference_path(X, classes, splits, n_steps=None):
    rows = X.tolist()
    order, values = reference.forward(
        X.shape[1],
        lambda subset: -reference.accuracy(rows, classes, splits, subset),
        n_steps,
    )
    return order, -np.array(values)


def assert_same_path(actual, expected):
    assert_array_equal(actual[0], expected[0])
    assert_allclose(actual[1], expected[1], rtol=1e-12)


def test_four_rows_by_hand():
    X = np.array([[0.0, 0.0], [5.0, 1.0], [1.0, 8.0], [6.0, 9.0]])
    order, accuracies = nearest_neighbor_path(X, np.array([0, 0, 1, 1]), n_features=1)
    # The nearest by column 0 is always of the other class, by column 1 never.
    assert_array_equal(order, [1, 0])
    assert_array_equal(accuracies, [1.0, 0.0])


@pytest.mark.parametrize("seed", range(5))
def test_leaving_one_out_agrees_with_plain_loops(seed):
    X, classes = data(seed)
    expected = reference_path(X, classes, reference.leave_one_out(16))
    assert_same_path(nearest_neighbor_path(X, classes), expected)


@pytest.mark.parametrize(
    "splitter",
    [KFold(4), StratifiedKFold(3), ShuffleSplit(7, test_size=0.3, random_state=0)],
    ids=["folds", "stratified", "shuffled"],
)
def test_any_splits_agree_with_plain_loops(splitter):
    X, classes = data(5)
    splits = list(splitter.split(X, classes))
    assert_same_path(
        nearest_neighbor_path(X, classes, splits), reference_path(X, classes, splits)
    )


def test_features_not_reached_follow_by_their_accuracy_at_the_last_step():
    X, classes = data(6, n_features=9)
    for n_steps in (1, 3):
        expected = reference_path(X, classes, reference.leave_one_out(16), n_steps)
        actual = nearest_neighbor_path(X, classes, n_features=n_steps)
        assert_same_path(actual, expected)


def test_discrete_data_with_tied_distances_agree_with_plain_loops(rng):
    # Thirds are not exact: sums in another order differ in the last place.
    X = rng.integers(0, 3, size=(25, 6)) / 3.0
    classes = rng.integers(0, 2, 25)
    expected = reference_path(X, classes, reference.leave_one_out(25))
    assert_same_path(nearest_neighbor_path(X, classes), expected)


def test_tied_neighbours_share_the_hit():
    X = np.array([[0.0], [1.0], [2.0]])
    # The middle row is as far from the first as from the last.
    assert nearest_neighbor_path(X, np.array([0, 0, 1]))[1] == [1.5 / 3]
    assert nearest_neighbor_path(X, np.array([1, 0, 0]))[1] == [1.5 / 3]


def test_decimals_have_the_ties_of_integers(rng):
    # 0.7 - 0.6 and 0.8 - 0.7 differ in the last places.
    X = np.array([[0.6], [0.7], [0.8]])
    assert nearest_neighbor_path(X, np.array([0, 0, 1]))[1] == [1.5 / 3]
    X = rng.integers(0, 8, size=(40, 3))
    classes = rng.integers(0, 2, 40)
    expected = nearest_neighbor_path(X, classes)
    assert_same_path(nearest_neighbor_path(X / 7.0, classes), expected)
    assert_same_path(nearest_neighbor_path(X / 10.0, classes), expected)


def test_order_of_rows_does_not_matter_to_ties(rng):
    X = rng.integers(0, 3, size=(40, 5)) / 3.0
    classes = rng.integers(0, 3, 40)
    expected = nearest_neighbor_path(X, classes)
    for _ in range(5):
        order = rng.permutation(40)
        actual = nearest_neighbor_path(X[order], classes[order])
        assert_array_equal(actual[0], expected[0])
        assert_allclose(actual[1], expected[1], rtol=1e-12)


def test_tied_features_go_to_the_smaller_index():
    X, classes = data(7)
    X = np.column_stack([X, X[:, 1], np.zeros(16)])
    order, _ = nearest_neighbor_path(X, classes)
    place = np.argsort(order)
    assert place[1] < place[5]
    order, accuracies = nearest_neighbor_path(np.ones((16, 3)), classes)
    assert_array_equal(order, [0, 1, 2])
    assert accuracies[0] == accuracies[2]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_choice_is_that_of_scikit_learn(seed):
    X, classes = data(seed, n_samples=61, n_features=7)
    splits = StratifiedKFold(5).split(X, classes)
    order, accuracies = nearest_neighbor_path(X, classes, splits, n_features=5)
    classifier = KNeighborsClassifier(1)
    for m in (1, 3, 5):
        search = SequentialFeatureSelector(classifier, n_features_to_select=m, cv=5)
        support = search.fit(X, classes).get_support(indices=True)
        assert_array_equal(np.sort(order[:m]), support)
        expected = cross_val_score(classifier, X[:, support], classes, cv=5).mean()
        assert accuracies[m - 1] == pytest.approx(expected, abs=1e-12)


def test_skipping_far_rows_changes_nothing():
    X, classes = data(8, n_samples=80, n_features=30)
    D = np.zeros((80, 80))
    _kernels.add_squares(np.ascontiguousarray(X[:, 3]), 1, D)
    rows = np.arange(80)
    hits = _kernels.neighbor_hits(X, np.arange(30), D, classes, rows, rows, True, 2)
    for f in range(30):
        distances = D + (X[:, f, np.newaxis] - X[:, f]) ** 2
        np.fill_diagonal(distances, np.inf)
        assert hits[f] == (classes[distances.argmin(axis=1)] == classes).sum()


def test_chunks_of_features_make_no_difference(monkeypatch):
    X, classes = data(9, n_samples=30, n_features=11)
    expected = nearest_neighbor_path(X, classes)
    monkeypatch.setattr(_forward_neighbor, "CHUNK_FEATURES", 4)
    assert_same_path(nearest_neighbor_path(X, classes), expected)


def test_numbers_too_large_or_too_small_to_square_make_no_difference():
    X, classes = data(10)
    expected = nearest_neighbor_path(X, classes)
    for scale in (2.0**1000, 2.0**-1000):
        actual = nearest_neighbor_path(scale * X, classes)
        assert_array_equal(actual[0], expected[0])
        assert_array_equal(actual[1], expected[1])


def test_two_rows_are_enough():
    order, accuracies = nearest_neighbor_path(np.eye(2), np.array([0, 1]))
    assert_array_equal(order, [0, 1])
    assert_array_equal(accuracies, [0.0, 0.0])


def test_impossible_input_is_refused():
    X, classes = data()
    with pytest.raises(ValueError, match="each of the 16 rows of X, at least two"):
        nearest_neighbor_path(X, classes[1:])
    with pytest.raises(ValueError, match="training and test rows, got 16 and 0"):
        nearest_neighbor_path(X, classes, [(np.arange(16), [])])
    with pytest.raises(ValueError, match="row numbers below 16, got"):
        nearest_neighbor_path(X, classes, [(np.arange(16), [16])])
    with pytest.raises(ValueError, match="at least one split, got none"):
        nearest_neighbor_path(X, classes, [])
    with pytest.raises(ValueError, match="n_features=6 asks for more than the 5"):
        nearest_neighbor_path(X, classes, n_features=6)


def test_rows_without_a_class_are_refused(rng):
    with pytest.raises(ValueError, match="no row without a class, got 1 with a negat"):
        nearest_neighbor_path(rng.random((4, 2)), np.array([0, 1, -1, 0]))
