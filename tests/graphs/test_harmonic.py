"""Probabilities of classes by random walks, against plain loops and by hand."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pairsift.graphs import harmonic_probabilities
from tests.reference import harmonic as reference


@pytest.mark.parametrize("bandwidth", [None, 0.8])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_probabilities_agree_with_many_small_steps(rng, bandwidth, n_classes):
    X = rng.normal(size=(12, 2))
    labels = np.where(np.arange(12) % 2 == 0, np.arange(12) % n_classes, -1)
    labels[:n_classes] = np.arange(n_classes)
    found = harmonic_probabilities(X, labels, bandwidth)
    expected = reference.probabilities(X.tolist(), labels.tolist(), bandwidth)
    assert_allclose(found, expected, atol=1e-8)
    assert_allclose(found.sum(axis=1), 1.0)


def test_a_row_between_two_labelled_ones_by_hand():
    X = np.array([[0.0], [1.0], [3.0]])
    near, far = np.exp(-1.0), np.exp(-4.0)
    found = harmonic_probabilities(X, np.array([0, -1, 1]), 1.0)
    assert_allclose(found[1], [near / (near + far), far / (near + far)])
    assert_array_equal(found[[0, 2]], np.eye(2))


def test_rows_that_reach_no_label_have_all_classes_alike():
    X = np.array([[0.0], [1.0], [1e4], [1e4 + 1.0]])
    found = harmonic_probabilities(X, np.array([0, 1, -1, -1]), 1.0)
    assert_array_equal(found[2:], 0.5)


def test_copies_and_no_unlabelled_rows():
    equal = harmonic_probabilities(np.ones((3, 1)), np.array([0, 1, -1]))
    assert_allclose(equal[2], 0.5)
    labels = np.array([0, 1, 1])
    assert_array_equal(harmonic_probabilities(np.eye(3), labels), np.eye(2)[labels])
