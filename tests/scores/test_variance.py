"""Variance and Fisher scores."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pairsift.scores import constraint_score_7, fisher_score, variance_score


def test_variance_agrees_with_plain_loops(rng):
    X = rng.normal(size=(17, 3)) + 5.0
    for f in range(3):
        column = X[:, f].tolist()
        mean = sum(column) / 17
        expected = sum((x - mean) ** 2 for x in column) / 17
        assert_allclose(variance_score(X)[f], expected, rtol=1e-12)


def test_constant_feature_has_exactly_no_variance():
    # The mean of 0.1 over 10 rows is not 0.1, which must not become a variance.
    X = np.full((10, 1), 0.1)
    assert_array_equal(variance_score(X), [0.0])
    assert_array_equal(fisher_score(X, np.arange(10) % 2), [0.0])


def test_fisher_by_hand():
    # Classes {0, 2} and {10, 14}: means 1 and 12, overall 6.5, variances 1 and 4.
    X = np.array([[0.0], [2.0], [10.0], [14.0]])
    between = 2 * 5.5**2 + 2 * 5.5**2
    assert_allclose(fisher_score(X, np.array([0, 0, 1, 1])), [between / 10])


def test_fisher_agrees_with_plain_loops_and_leaves_unlabelled_rows_out(rng):
    X = rng.normal(size=(40, 4)) * [1, 10, 0.1, 5] + 100
    labels = rng.integers(-1, 4, size=40)
    scores = fisher_score(X, labels)
    for f in range(4):
        groups = [X[labels == c, f].tolist() for c in range(4)]
        everything = [x for group in groups for x in group]
        overall = sum(everything) / len(everything)
        means = [sum(group) / len(group) for group in groups]
        between = sum(
            len(group) * (mean - overall) ** 2
            for group, mean in zip(groups, means, strict=True)
        )
        within = sum(
            sum((x - mean) ** 2 for x in group)
            for group, mean in zip(groups, means, strict=True)
        )
        assert_allclose(scores[f], between / within, rtol=1e-9)


def test_feature_constant_in_every_class_is_infinitely_good():
    X = np.array([[0.1, 1.0], [0.1, 2.0], [0.7, 1.0], [0.7, 2.0]])
    assert_array_equal(fisher_score(X, np.array([0, 0, 1, 1])), [np.inf, 0.0])


def test_data_that_cannot_be_scored_is_refused(rng):
    X = rng.normal(size=(4, 2))
    with pytest.raises(ValueError, match="labels must hold a class number"):
        fisher_score(X, [-1, -1, -1, -1])
    with pytest.raises(ValueError, match="X contains NaN"):
        fisher_score(np.full((4, 2), np.nan), [0, 0, 1, 1])
    assert fisher_score(X.tolist(), [0, 0, 1, 1]).shape == (2,)


@pytest.mark.parametrize("name", [None, np.nan, ""])
def test_labels_may_be_text(rng, name):
    X, y = rng.normal(size=(20, 3)), np.array([0, 1, -1, 1] * 5)
    words = np.array(["b", "a", name], dtype=object)[y]
    assert_array_equal(fisher_score(X, words), fisher_score(X, y))
    pairs = [(0, 4)], [(0, 1)]
    expected = constraint_score_7(X, *pairs, y)
    assert_array_equal(constraint_score_7(X, *pairs, words), expected)


@pytest.mark.parametrize("labels", [[0, 1], [-1] * 4, ["", None, "", None]])
def test_labels_that_are_no_classes_are_refused(labels):
    with pytest.raises(
        ValueError, match="labels must hold a class number for each of the 4"
    ):
        fisher_score(np.eye(4), labels)
