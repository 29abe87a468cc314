"""NearestNeighborForward: how accuracy is measured, and on which rows."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.model_selection import KFold, StratifiedKFold

from pairsift import ConstraintError, NearestNeighborForward, PairConstraints
from pairsift.scores import nearest_neighbor_path


def problem(seed=0, n_samples=40, n_features=6):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n_samples) % 3)
    X = rng.normal(size=(n_samples, n_features))
    X[:, 2] += 2.0 * (y == 1)
    return X, y


def test_default_leaves_one_row_out():
    X, y = problem()
    selector = NearestNeighborForward(2).fit(X, y)
    order, accuracies = nearest_neighbor_path(X, y, n_features=2)
    assert_array_equal(selector.order_, order)
    assert_array_equal(selector.path_scores_, accuracies[:2])
    assert_array_equal(selector.get_support(indices=True), np.sort(order[:2]))
    assert selector.n_constraints_used_ == 0


def test_scores_are_rises_of_the_accuracy():
    X, y = problem()
    selector = NearestNeighborForward().fit(X, y)
    largest_class = np.bincount(y).max() / len(y)
    rises = np.diff(selector.path_scores_, prepend=largest_class)
    assert rises[0] > rises[1] > 0 > rises.min()
    expected = np.minimum.accumulate(np.maximum(rises, 0.0))
    assert_array_equal(selector.scores_[selector.order_], expected)
    # With one step, the others offer what they have alone.
    one = NearestNeighborForward(1).fit(X, y)
    alone = [NearestNeighborForward().fit(X[:, [f]], y).scores_[0] for f in range(6)]
    assert_allclose(one.scores_, alone)
    assert selector.path_scores_.size == 6
    assert selector.n_features_to_select_ == 6


@pytest.mark.parametrize("cv", [4, StratifiedKFold(4), None, "iterable"])
def test_folds_are_those_of_scikit_learn(cv):
    X, y = problem(1)
    splits = list(StratifiedKFold(5 if cv is None else 4).split(X, y))
    expected = nearest_neighbor_path(X, y, splits)
    cv = splits if cv == "iterable" else cv
    selector = NearestNeighborForward(cv=cv).fit(X, y)
    assert_array_equal(selector.order_, expected[0])
    assert_array_equal(selector.path_scores_, expected[1])


def test_only_labelled_rows_count():
    X, y = problem(2)
    is_labelled = np.arange(40) % 3 > 0
    labels = np.where(is_labelled, y, -1)
    for cv in ("loo", 3, KFold(3)):
        expected = NearestNeighborForward(cv=cv).fit(X[is_labelled], y[is_labelled])
        selector = NearestNeighborForward(cv=cv).fit(X, labels)
        assert_array_equal(selector.scores_, expected.scores_)
        assert_array_equal(selector.path_scores_, expected.path_scores_)


def test_groups_of_must_links_are_classes_without_labels():
    X, _ = problem(3)
    c = PairConstraints([(0, 3), (3, 6), (1, 4), (4, 9)], n_samples=40)
    selector = NearestNeighborForward().fit(X, constraints=c)
    expected = NearestNeighborForward().fit(X, c.groups())
    assert_array_equal(selector.path_scores_, expected.path_scores_)
    assert selector.n_constraints_used_ == 4


@pytest.mark.parametrize("cv", ["leave", 1, 0.5])
def test_impossible_folds_are_refused(cv):
    X, y = problem()
    with pytest.raises(ValueError, match="'cv' parameter"):
        NearestNeighborForward(cv=cv).fit(X, y)


def test_one_class_is_refused():
    X, y = problem()
    with pytest.raises(ConstraintError, match="at least two classes, but y has 1"):
        NearestNeighborForward().fit(X, np.zeros_like(y))
    with pytest.raises(ConstraintError, match="needs labels or must-link pairs"):
        NearestNeighborForward().fit(X)
