import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from numpy.testing import assert_array_equal

from pairsift import PairConstraints
from pairsift.evaluation import (
    accuracy_curve,
    constrained_spectral_clustering,
    draw_prototypes,
    first_rows_split,
    prototype_accuracy_curve,
)
from pairsift.exceptions import DataError


def make_problem(seed=0, n_train=36, n_test=25, n_features=5):
    rng = np.random.default_rng(seed)
    y = np.arange(n_train + n_test) % 3
    X = rng.normal(size=(len(y), n_features)) * 0.4
    X[:, [1, 3]] += y[:, np.newaxis]
    labels = draw_prototypes(y[:n_train], 2, rng)
    return X[:n_train], labels, X[n_train:], y[n_train:], rng.permutation(n_features)


def test_the_first_rows_of_each_class_train():
    train, test = first_rows_split(["b", "a", "b", "b", "a", "a", "a"])

    assert_array_equal(train, [0, 1, 2, 4])
    assert_array_equal(test, [3, 5, 6])


def test_half_rows_are_rounded_up_and_rounding_errors_are_not():
    # 0.07 * 100 is a little more than 7.
    assert first_rows_split(np.zeros(100, int), 0.07)[0].size == 7
    assert first_rows_split(np.zeros(5, int))[0].size == 3


@pytest.mark.parametrize(
    ("counts", "fraction", "n_train"),
    [([225, 126], 0.5, 176), ([357, 212], 0.66, 376), ([11] * 15, 0.5, 90)],
)
def test_published_numbers_of_training_rows(counts, fraction, n_train):
    # Ionosphere, WDBC and Yale in table 1 of Salmi et al. 2020.
    y = np.repeat(np.arange(len(counts)), counts)

    assert first_rows_split(y, fraction)[0].size == n_train


@pytest.mark.parametrize("fraction", [0, 1, 0.0, 1.0, -0.5, np.nan, "half"])
def test_a_fraction_is_between_0_and_1(fraction):
    with pytest.raises(DataError, match=f"fraction must be above 0.*{fraction}"):
        first_rows_split([0, 1], fraction)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([[0], [1]], r"y must hold one label .* got shape \(2, 1\)"),
        (["a", None], "y must hold no missing labels, got 1"),
    ],
)
def test_labels_of_a_split_are_complete(y, message):
    with pytest.raises(DataError, match=message):
        first_rows_split(y)


@given(seed=st.integers(0, 2**32 - 1), n_per_class=st.integers(1, 4))
@settings(max_examples=30, deadline=None)
def test_every_class_gets_its_prototypes(seed, n_per_class):
    y = np.random.default_rng(seed).permutation(np.repeat([3, 5, 8], [4, 6, 9]))

    labels = draw_prototypes(y, n_per_class, seed)

    drawn = labels != -1
    assert_array_equal(labels[drawn], y[drawn])
    assert_array_equal(np.unique(labels[drawn]), [3, 5, 8])
    assert_array_equal(np.bincount(labels[drawn])[[3, 5, 8]], [n_per_class] * 3)


def test_every_row_of_a_class_may_be_drawn():
    y = np.zeros(4, int)

    drawn = {int(np.argmax(draw_prototypes(y, 1, seed))) for seed in range(40)}

    assert drawn == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("y", "expected"),
    [
        (["a", "b"], ["a", "b"]),
        (["a", None, "b", ""], ["a", None, "b", None]),
        (pd.Series(["a", "b"], dtype="category"), ["a", "b"]),
        ([1.0, np.nan, 0.0], [1, -1, 0]),
        ([True, False], [1, 0]),
        ([7, -1, 5], [7, -1, 5]),
        (np.array([7, 5], dtype=np.uint8), [7, 5]),
    ],
)
def test_rows_not_drawn_are_unlabelled_as_pairsift_reads_it(y, expected):
    labels = draw_prototypes(y, 1)

    assert labels.tolist() == expected
    PairConstraints.from_labels(labels, missing_label=-1)


@pytest.mark.parametrize(
    ("y", "n_per_class", "message"),
    [
        ([0, 0, 1], 2, "n_per_class must be .* 1 to 1, .* of class 1, got 2"),
        ([0, 0, 1], 0, "n_per_class must be a whole number from 1 to 1, .*got 0"),
        ([0, 0, 1], 1.0, "n_per_class must be a whole number .*got 1.0"),
        ([-1, -1], 1, "y must hold at least one label, got none"),
        ([[0], [1]], 1, "y must hold one label"),
        ([0.5, 1.5], 1, "y must hold class labels"),
    ],
)
def test_bad_draws_are_named(y, n_per_class, message):
    with pytest.raises(DataError, match=message):
        draw_prototypes(y, n_per_class)


def test_supervised_is_the_curve_of_the_prototypes():
    X_train, labels, X_test, y_test, order = make_problem()
    rows = labels >= 0

    curve = prototype_accuracy_curve(X_train, labels, X_test, y_test, order)

    expected = accuracy_curve(X_train[rows], labels[rows], X_test, y_test, order)
    assert_array_equal(curve.sizes, expected.sizes)
    assert_array_equal(curve.accuracies, expected.accuracies)


@pytest.mark.parametrize("sizes", [None, [4, 2]])
def test_semi_supervised_clusters_anew_in_each_subspace(sizes):
    X_train, labels, X_test, y_test, order = make_problem(seed=1)

    curve = prototype_accuracy_curve(
        *make_problem(seed=1), context="semi-supervised", sizes=sizes, sigma=0.5
    )

    expected = []
    for size in curve.sizes:
        columns = order[:size]
        classes = constrained_spectral_clustering(
            X_train[:, columns], labels, sigma=0.5
        )
        alone = accuracy_curve(X_train, classes, X_test, y_test, order, sizes=[size])
        expected.append(alone.accuracies[0])
    assert_array_equal(curve.sizes, [2, 4] if sizes else [1, 2, 3, 4, 5])
    assert_array_equal(curve.accuracies, expected)


@pytest.mark.parametrize("context", ["supervised", "semi-supervised"])
def test_contexts_agree_when_every_row_is_a_prototype(context):
    X_train, _, X_test, y_test, order = make_problem()
    y_train = np.arange(36) % 3

    curve = prototype_accuracy_curve(
        X_train, y_train, X_test, y_test, order, context=context
    )

    expected = accuracy_curve(X_train, y_train, X_test, y_test, order)
    assert_array_equal(curve.accuracies, expected.accuracies)


@pytest.mark.parametrize("context", ["supervised", "semi-supervised"])
def test_text_labels_and_frames_equal_numbers_and_arrays(context):
    X_train, labels, X_test, y_test, order = make_problem()
    names = np.array(["x", "y", "z", None], dtype=object)

    curve = prototype_accuracy_curve(
        pd.DataFrame(X_train),
        names[labels],
        pd.DataFrame(X_test),
        pd.Series(names[y_test]),
        order,
        context=context,
    )

    expected = prototype_accuracy_curve(
        X_train, labels, X_test, y_test, order, context=context
    )
    assert_array_equal(curve.accuracies, expected.accuracies)


@pytest.mark.parametrize("context", ["supervised", "semi-supervised"])
def test_two_rows_and_one_feature(context):
    curve = prototype_accuracy_curve(
        [[0.0], [1.0]], [0, 1], [[0.1], [0.2]], [0, 1], [0], context=context
    )

    assert_array_equal(curve.accuracies, [0.5])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"context": "unsupervised"}, "context must be 'supervised' or 'semi-super"),
        ({"context": None}, "context must be .*got None"),
        ({"y_prototypes": np.full(36, -1)}, "y_prototypes must hold at least one lab"),
        ({"y_prototypes": [0]}, r"y_prototypes must hold one .* 36 rows of X_train"),
        ({"y_test": ["a"] * 25}, "y_prototypes and y_test must be of one kind"),
        ({"y_test": [0]}, "y_test must hold one label .* 25 rows of X_test"),
        ({"order": [9]}, "order must hold column numbers from 0 to 4, got 9"),
        ({"sizes": [6]}, "sizes must be from 1 to 5"),
    ],
)
def test_bad_input_is_named(changes, message):
    names = ["X_train", "y_prototypes", "X_test", "y_test", "order"]
    arguments = dict(zip(names, make_problem(), strict=True))

    with pytest.raises(DataError, match=message):
        prototype_accuracy_curve(**arguments | changes)


def test_sigma_of_the_clustering_must_be_positive():
    with pytest.raises(ValueError, match="sigma must be a positive number"):
        prototype_accuracy_curve(*make_problem(), context="semi-supervised", sigma=-1)
