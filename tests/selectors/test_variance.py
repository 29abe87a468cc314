"""VarianceScore and FisherScore as estimators."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from pairsift import STIR, ConstraintError, FisherScore, PairConstraints, VarianceScore
from pairsift.scores import fisher_score, variance_score
from tests.selectors.builders import problem


def test_variance_needs_nothing_and_uses_nothing():
    X, y = problem()
    c = PairConstraints.sample(y, 10)
    selector = VarianceScore().fit(X, y, constraints=c)
    assert_array_equal(selector.scores_, variance_score(X))
    assert selector.n_constraints_used_ == 0


def test_fisher_uses_labelled_rows_of_any_kind_of_label():
    X, y = problem()
    y[::4] = -1
    expected = fisher_score(X, y)
    text = np.array(["a", "b", "c", None], dtype=object)[y]
    for labels in (y, text, y.astype(float), np.where(y == -1, np.nan, y)):
        selector = FisherScore().fit(X, labels)
        assert_array_equal(selector.scores_, expected)
        assert selector.n_constraints_used_ == 0


def test_fisher_takes_must_link_groups_as_classes_when_there_are_no_labels():
    X, _ = problem()
    c = PairConstraints([(0, 3), (3, 9), (1, 4)], [(0, 1)], n_samples=40)
    labels = np.full(40, -1)
    labels[[0, 3, 9]] = 0
    labels[[1, 4]] = 1
    selector = FisherScore().fit(X, constraints=c)
    assert_array_equal(selector.scores_, fisher_score(X, labels))
    assert selector.n_constraints_used_ == 3


def test_fisher_takes_must_link_groups_when_no_row_is_labelled():
    X, _ = problem()
    c = PairConstraints([(0, 3), (1, 4)], n_samples=40)
    unlabelled = FisherScore().fit(X, np.full(40, -1), constraints=c)
    assert_array_equal(unlabelled.scores_, FisherScore().fit(X, constraints=c).scores_)


def test_fisher_prefers_labels_to_pairs():
    X, y = problem()
    c = PairConstraints.sample(y, 5, 5)
    both = FisherScore().fit(X, y, constraints=c)
    assert_array_equal(both.scores_, FisherScore().fit(X, y).scores_)


def test_more_than_ten_classes_are_classes():
    X, _ = problem(n_samples=60)
    y = np.arange(60) % 12
    assert_array_equal(FisherScore().fit(X, y).scores_, fisher_score(X, y))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "needs labels or must-link pairs, got neither"),
        ({"y": np.zeros(40)}, "at least two classes, but y has 1 class"),
        ({"y": np.full(40, -1)}, "at least two classes, but y has 0 classes"),
        (
            {"constraints": PairConstraints([(0, 1)], n_samples=40)},
            "at least two classes, but the must-links make 1 class",
        ),
        (
            {"constraints": PairConstraints([], [(0, 1)], n_samples=40)},
            "at least two classes, but the must-links make 0 classes",
        ),
    ],
)
def test_fewer_than_two_classes_are_refused(arguments, message):
    X, _ = problem()
    with pytest.raises(ConstraintError, match=f"FisherScore .*{message}"):
        FisherScore().fit(X, **arguments)


def test_continuous_target_is_refused():
    X, _ = problem()
    with pytest.raises(ValueError, match="y must hold class labels, got a continuous"):
        FisherScore().fit(X, X[:, 0])


def test_column_of_labels_is_taken_with_a_warning():
    X, y = problem()
    with pytest.warns(UserWarning, match="column-vector y"):
        selector = FisherScore().fit(X, y[:, None])
    assert_array_equal(selector.scores_, FisherScore().fit(X, y).scores_)


@pytest.mark.parametrize("scale", [1e200, 1e-200])
def test_variances_that_overflow_or_vanish_are_refused(scale):
    X, y = problem()
    for selector in (VarianceScore(), FisherScore()):
        with pytest.raises(ValueError, match="squares .*: scale it first"):
            selector.fit(X * scale, y)


@pytest.mark.parametrize("selector", [FisherScore(2), STIR(2)])
def test_features_that_repeat_the_labels_come_first_with_a_warning(selector):
    X, y = problem()
    y = y == 1
    X[:, 3] = X[:, 5] = 0.1 + 3.0 * y
    with pytest.warns(UserWarning, match="of 2 of 6 features is infinite .*feature 3"):
        selector.fit(X, y)
    assert selector.order_[:2].tolist() == [3, 5]
    assert np.isposinf(selector.scores_[[3, 5]]).all()
