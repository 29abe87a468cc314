import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from pairsift.evaluation import AccuracyCurve, _accuracy, accuracy_curve
from pairsift.exceptions import DataError

ROUTES = {
    "1nn": KNeighborsClassifier(1),
    "svm": SVC(kernel="linear", C=1),
    "naive-bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(criterion="entropy", random_state=0),
}


def make_problem(seed=0, n_train=60, n_test=41, n_features=7):
    rng = np.random.default_rng(seed)
    n_rows = n_train + n_test
    y = rng.integers(3, size=n_rows)
    X = rng.normal(size=(n_rows, n_features))
    X[:, [2, 5]] += y[:, np.newaxis]
    order = rng.permutation(n_features)
    return X[:n_train], y[:n_train], X[n_train:], y[n_train:], order


def nearest_neighbor_accuracy(X_train, y_train, X_test, y_test, columns):
    n_right = 0
    for x, label in zip(X_test, y_test, strict=True):
        nearest, smallest = None, np.inf
        for i, other in enumerate(X_train):
            distance = sum((x[j] - other[j]) ** 2 for j in columns)
            if distance < smallest:
                nearest, smallest = i, distance
        n_right += y_train[nearest] == label
    return n_right / len(X_test)


def test_accuracies_by_hand():
    # Feature 1 tells the classes apart; feature 0 calls the second test row wrongly
    # alone (nearest: 9) and by its size also beside feature 1.
    X_train = [[0.0, 0.0], [9.0, 1.0]]
    X_test = [[1.0, 0.1], [8.0, 0.2]]

    ranked_well = accuracy_curve(X_train, ["a", "b"], X_test, ["a", "a"], [1, 0])
    ranked_badly = accuracy_curve(X_train, ["a", "b"], X_test, ["a", "a"], [0, 1])

    assert_array_equal(ranked_well.sizes, [1, 2])
    assert_array_equal(ranked_well.accuracies, [1.0, 0.5])
    assert_array_equal(ranked_badly.accuracies, [0.5, 0.5])


def test_equal_distances_go_to_the_smaller_training_index():
    X_train = [[1.0], [-1.0], [1.0]]

    curve = accuracy_curve(X_train, [0, 1, 2], [[0.0], [1.0]], [0, 0], [0])

    assert_array_equal(curve.accuracies, [1.0])


@pytest.mark.parametrize("name", ROUTES)
def test_every_name_equals_its_scikit_learn_classifier(name):
    X_train, y_train, X_test, y_test, order = make_problem()

    curve = accuracy_curve(X_train, y_train, X_test, y_test, order, classifier=name)

    expected = [
        clone(ROUTES[name])
        .fit(X_train[:, order[:size]], y_train)
        .score(X_test[:, order[:size]], y_test)
        for size in range(1, len(order) + 1)
    ]
    assert_array_equal(curve.accuracies, expected)


@pytest.mark.parametrize("block_entries", [1, 100, 1 << 16])
def test_one_nearest_neighbor_is_the_same_for_any_block(block_entries, monkeypatch):
    problem = make_problem(seed=1)
    monkeypatch.setattr(_accuracy, "_BLOCK_ENTRIES", block_entries)

    curve = accuracy_curve(*problem)

    knn = accuracy_curve(*problem, classifier=KNeighborsClassifier(1))
    assert_array_equal(curve.accuracies, knn.accuracies)


# Small integers: all distances are exact and most of them are tied.
@given(seed=st.integers(0, 2**32 - 1), n_values=st.integers(1, 4))
@settings(max_examples=30, deadline=None)
def test_tied_distances_as_in_a_plain_loop_and_in_scikit_learn(seed, n_values):
    rng = np.random.default_rng(seed)
    X_train, X_test = rng.integers(n_values, size=(2, 12, 3)).astype(float)
    y_train, y_test = rng.integers(3, size=(2, 12))
    order = rng.permutation(3)
    problem = X_train, y_train, X_test, y_test, order

    curve = accuracy_curve(*problem)

    brute = accuracy_curve(
        *problem, classifier=KNeighborsClassifier(1, algorithm="brute")
    )
    expected = [nearest_neighbor_accuracy(*problem[:4], order[:s]) for s in (1, 2, 3)]
    assert_array_equal(curve.accuracies, expected)
    assert_array_equal(curve.accuracies, brute.accuracies)


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=20, deadline=None)
def test_permuting_test_rows_and_columns_changes_nothing(seed):
    rng = np.random.default_rng(seed)
    X_train, y_train, X_test, y_test, order = make_problem(seed)
    rows, columns = rng.permutation(len(X_test)), rng.permutation(len(order))

    permuted = accuracy_curve(
        X_train[:, columns],
        y_train,
        X_test[rows][:, columns],
        y_test[rows],
        np.argsort(columns)[order],
    )

    expected = accuracy_curve(X_train, y_train, X_test, y_test, order)
    assert_array_equal(permuted.accuracies, expected.accuracies)


def test_any_classifier_is_cloned_and_left_alone():
    problem = make_problem()
    model = make_pipeline(StandardScaler(), LogisticRegression())

    curve = accuracy_curve(*problem, classifier=model, sizes=[7])

    X_train, y_train, X_test, y_test, order = problem
    expected = clone(model).fit(X_train[:, order], y_train)
    assert_array_equal(curve.accuracies, [expected.score(X_test[:, order], y_test)])
    assert not hasattr(model[-1], "coef_")


@pytest.mark.parametrize("classifier", ["1nn", "naive-bayes"])
def test_sizes_pick_points_of_the_whole_curve(classifier):
    problem = make_problem()
    whole = accuracy_curve(*problem, classifier=classifier)

    curve = accuracy_curve(*problem, classifier=classifier, sizes=[5, 2, 5])

    assert_array_equal(curve.sizes, [2, 5])
    assert_array_equal(curve.accuracies, whole.accuracies[[1, 4]])


@pytest.mark.parametrize("frame", [pd.DataFrame, lambda X: pl.DataFrame(X.copy())])
@pytest.mark.parametrize("classifier", ["1nn", "svm"])
def test_frames_and_text_labels_equal_arrays(frame, classifier):
    X_train, y_train, X_test, y_test, order = make_problem()
    names = np.array(["a", "b", "c"], dtype=object)
    expected = accuracy_curve(
        X_train, y_train, X_test, y_test, order, classifier=classifier
    )

    curve = accuracy_curve(
        frame(X_train),
        pd.Series(names[y_train]),
        frame(X_test),
        pd.Series(names[y_test], dtype="category"),
        list(order),
        classifier=classifier,
    )

    assert_array_equal(curve.accuracies, expected.accuracies)


def test_input_is_unchanged_and_may_be_read_only():
    problem = make_problem()
    copies = [array.copy() for array in problem]
    for array in problem:
        array.setflags(write=False)

    accuracy_curve(*problem)

    for array, copy in zip(problem, copies, strict=True):
        assert_array_equal(array, copy)


def test_a_class_unseen_in_training_is_never_right():
    curve = accuracy_curve([[0.0], [1.0]], [0, 1], [[0.0], [1.0]], [0, 2], [0])

    assert_array_equal(curve.accuracies, [0.5])


def test_curve_properties_by_hand():
    curve = AccuracyCurve(np.arange(1, 6), np.array([0.5, 0.75, 1.0, 1.0, 0.0]))

    assert (curve.best_size, curve.best_accuracy) == (3, 1.0)
    assert_allclose(curve.mean_first_half, 0.75)  # sizes 1, 2, 3 = ceil(5 / 2)


def test_mean_first_half_of_one_feature_is_its_accuracy():
    assert AccuracyCurve(np.array([1]), np.array([0.25])).mean_first_half == 0.25


def test_mean_first_half_without_early_sizes_says_so():
    curve = AccuracyCurve(np.array([5]), np.array([1.0]))

    with pytest.raises(DataError, match="up to 3, but the smallest of sizes is 5"):
        _ = curve.mean_first_half


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"order": [0, 1, 0]}, "order must name each feature once, got 0 2 times"),
        ({"order": [0, 7]}, "order must hold column numbers from 0 to 6, got 7"),
        ({"order": [-1]}, "order must hold column numbers from 0 to 6, got -1"),
        ({"order": [0.0, 1.0]}, "order must be a one-dimensional list of integers"),
        ({"order": np.ones(7, bool)}, "order must be a one-dimensional list of int"),
        ({"order": []}, "order must name at least one feature"),
        ({"classifier": "knn"}, "classifier must be one of '1nn', .* got 'knn'"),
        ({"classifier": GaussianNB}, "classifier must be one of .* an instance"),
        ({"classifier": StandardScaler()}, "classifier must be one of"),
        ({"sizes": [0, 1]}, "sizes must be from 1 to 7, the length of order, got 0"),
        ({"sizes": [8]}, "sizes must be from 1 to 7, the length of order, got 8"),
        ({"sizes": []}, "sizes must hold at least one"),
        ({"sizes": [0.5]}, "sizes must be a one-dimensional list of integers"),
        ({"X_test": np.zeros((41, 6))}, "same columns, got 7 and 6"),
        ({"X_train": np.full((60, 7), np.nan)}, "X_train must be .*finite"),
        ({"X_test": np.full((41, 7), "a")}, "X_test must be .*could not convert"),
        ({"X_train": np.zeros(60)}, "X_train must be a matrix"),
        ({"X_test": np.zeros((0, 7))}, "X_test must be .*0 sample"),
        (
            {"y_train": np.zeros(59)},
            "y_train must hold one .* 60 rows of X_train",
        ),
        ({"y_test": np.zeros((41, 1))}, r"y_test must hold one label .* \(41, 1\)"),
        ({"y_test": np.full(41, np.nan)}, "y_test must hold no missing labels, got 41"),
        ({"y_test": ["0"] * 41}, "y_train and y_test must be of one kind"),
    ],
)
def test_bad_input_is_named(changes, message):
    names = ["X_train", "y_train", "X_test", "y_test", "order"]
    arguments = dict(zip(names, make_problem(), strict=True))

    with pytest.raises(DataError, match=message):
        accuracy_curve(**arguments | changes)
