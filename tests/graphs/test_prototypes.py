"""The class of the nearest prototype."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from numpy.testing import assert_array_equal

from pairsift.graphs import _prototypes, nearest_prototype_classes
from tests.reference import prototypes as reference


def some_labels(rng, n_rows, n_prototypes, n_classes=3):
    labels = np.full(n_rows, -1)
    rows = rng.choice(n_rows, n_prototypes, replace=False)
    labels[rows] = rng.integers(n_classes, size=n_prototypes)
    return labels


@pytest.mark.parametrize("block_cells", [1, 7, 2**20])
def test_classes_agree_with_plain_loops(rng, block_cells, monkeypatch):
    monkeypatch.setattr(_prototypes, "BLOCK_CELLS", block_cells)
    X, labels = rng.normal(size=(40, 3)), some_labels(rng, 40, 6)

    classes = nearest_prototype_classes(X, labels)

    assert classes.dtype == np.int64
    assert_array_equal(classes, reference.nearest_prototype_classes(X, labels))


# Small integers: distances are exact, and rows are tied and duplicated.
@given(seed=st.integers(0, 2**32 - 1), n_features=st.integers(1, 3))
@settings(max_examples=50, deadline=None)
def test_ties_go_to_the_smaller_row(seed, n_features):
    rng = np.random.default_rng(seed)
    X = rng.integers(3, size=(15, n_features)).astype(float)
    labels = some_labels(rng, 15, rng.integers(1, 16))

    classes = nearest_prototype_classes(X, labels)

    assert_array_equal(classes, reference.nearest_prototype_classes(X, labels))


# Integers scaled to [0, 1]: equal distances differ in the last bit.
@given(seed=st.integers(0, 2**32 - 1), most=st.sampled_from([3, 7, 9]))
@settings(max_examples=50, deadline=None)
def test_ties_are_equal_up_to_rounding(seed, most):
    rng = np.random.default_rng(seed)
    X = rng.integers(most + 1, size=(30, 5)) / most
    labels = some_labels(rng, 30, 8)

    classes = nearest_prototype_classes(X, labels)

    assert_array_equal(classes, nearest_prototype_classes(X * most, labels))
    assert_array_equal(classes, nearest_prototype_classes(X[:, ::-1], labels))
    assert_array_equal(classes, reference.nearest_prototype_classes(X, labels))


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=20, deadline=None)
def test_permuting_rows_permutes_classes(seed):
    rng = np.random.default_rng(seed)
    X, labels = rng.normal(size=(20, 2)), some_labels(rng, 20, 5)
    rows = rng.permutation(20)

    permuted = nearest_prototype_classes(X[rows], labels[rows])

    assert_array_equal(permuted, nearest_prototype_classes(X, labels)[rows])


def test_a_prototype_equal_to_an_earlier_one_keeps_its_class():
    X = np.zeros((4, 2))

    classes = nearest_prototype_classes(X, [-1, 1, 0, -1])

    assert_array_equal(classes, [1, 1, 0, 1])


def test_small_differences_far_from_the_origin_are_seen():
    # Distances by |a|² + |b|² - 2ab would be noise here.
    X = 1e8 + np.array([[0.0], [1.0], [3.0]])

    assert_array_equal(nearest_prototype_classes(X, [0, -1, 1]), [0, 0, 1])


def test_two_rows_and_one_prototype():
    assert_array_equal(nearest_prototype_classes(np.eye(2), [-1, 4]), [4, 4])


def test_labels_are_left_alone():
    labels = np.array([0, -1, 1])
    labels.setflags(write=False)

    nearest_prototype_classes(np.arange(3.0)[:, None], labels)

    assert_array_equal(labels, [0, -1, 1])


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([0, -1], r"an integer for each of the 3 rows of X, got int64 .* \(2,\)"),
        ([[0], [1], [-1]], r"labels must hold an integer .* shape \(3, 1\)"),
        ([0.0, np.nan, 1.0], "labels must hold an integer .*got float64"),
        (["a", "b", ""], "labels must hold an integer"),
        ([-1, -1, -1], "labels must hold the class of at least one prototype"),
    ],
)
def test_bad_labels_are_named(labels, message):
    with pytest.raises(ValueError, match=message):
        nearest_prototype_classes(np.eye(3), labels)


def test_numbers_too_large_for_distances_are_named():
    X = np.array([[1e200], [-1e200]])

    with pytest.raises(ValueError, match="X holds numbers so large that distances"):
        nearest_prototype_classes(X, [0, -1])


def test_missing_values_are_named():
    with pytest.raises(ValueError, match="X contains NaN"):
        nearest_prototype_classes(np.array([[np.nan], [0.0]]), [0, -1])
