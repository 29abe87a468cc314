"""The similarity-based score against plain loops, and what must not matter to it."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from pairsift import ConstraintError
from pairsift.scores import (
    _similarity as similarity,
    similarity_class_path,
    similarity_pair_path,
)
from tests.reference import similarity as reference


def data(seed=0, n_samples=15, n_features=6):
    rng = np.random.default_rng(seed)
    classes = np.arange(n_samples) % 3
    X = rng.random((n_samples, n_features))
    X[:, 2] += 0.7 * (classes == 1)
    X[:, 4] += 0.4 * classes
    return X, classes


def reference_class_path(X, classes, sigma=1.0, n_steps=None):
    targets = reference.class_targets(classes.tolist())
    return reference_path(X, targets, sigma, n_steps)


def reference_path(X, targets, sigma, n_steps):
    rows = X.astype(float).tolist()
    return reference.forward(
        X.shape[1],
        lambda subset: reference.error(rows, targets, subset, sigma),
        n_steps,
    )


def assert_same_path(actual, expected, n_steps=None):
    """Errors of features that were not reached are in single precision."""
    order, errors, _ = actual
    expected_order, expected_errors = expected
    assert_array_equal(order, expected_order)
    assert_allclose(errors[:n_steps], expected_errors[:n_steps], rtol=1e-10, atol=1e-13)
    assert_allclose(errors, expected_errors, rtol=1e-5, atol=1e-13)


@pytest.mark.slow
def test_four_rows_by_hand():
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    order, errors, sigma = similarity_class_path(X, np.array([0, 0, 1, 1]))
    w = np.exp(-0.5)
    # Column 0: 1 within classes, w between them (8 ordered pairs). Both: w within (4
    # ordered pairs), w or w² between.
    assert_array_equal(order, [0, 1])
    assert_allclose(errors, [8 * w**2, 4 * (w - 1) ** 2 + 4 * w**2 + 4 * w**4])
    assert sigma == 1.0


@pytest.mark.slow
@pytest.mark.parametrize("sigma", [0.05, 0.3, 1.0, 50.0])
@pytest.mark.parametrize("seed", range(3))
def test_class_path_agrees_with_plain_loops(seed, sigma):
    X, classes = data(seed)
    expected = reference_class_path(X, classes, sigma)
    assert_same_path(similarity_class_path(X, classes, sigma=sigma), expected)


@pytest.mark.parametrize("sigma", [0.05, 1.0, 50.0])
def test_pair_path_agrees_with_plain_loops(sigma):
    X, _ = data(1)
    must, cannot = [(0, 3), (4, 1), (2, 14)], [(0, 1), (5, 7), (3, 2), (10, 0)]
    targets = reference.pair_targets(must, cannot)
    expected = reference_path(X, targets, sigma, None)
    assert_same_path(similarity_pair_path(X, must, cannot, sigma=sigma), expected)


def test_all_pairs_listed_or_not_is_the_same_path():
    X, classes = data(2, 30, 9)
    i, j = np.tril_indices(30, -1)
    same = classes[i] == classes[j]
    pairs = np.column_stack([i, j])
    listed = similarity_pair_path(X, pairs[same], pairs[~same])
    assert_same_path(similarity_class_path(X, classes), listed[:2])


@pytest.mark.parametrize("n_steps", [1, 2, 5])
def test_features_not_reached_follow_by_their_error_at_the_last_step(n_steps):
    X, classes = data(3)
    X = np.column_stack([X, X[:, 1], X[:, 0]])
    expected = reference_class_path(X, classes, n_steps=n_steps)
    actual = similarity_class_path(X, classes, n_features=n_steps)
    assert_same_path(actual, expected, n_steps)
    must, cannot = [(0, 3), (1, 4)], [(0, 1), (5, 7)]
    targets = reference.pair_targets(must, cannot)
    expected = reference_path(X, targets, 1.0, n_steps)
    actual = similarity_pair_path(X, must, cannot, n_features=n_steps)
    assert_same_path(actual, expected)


def test_many_candidates_agree_with_plain_loops():
    X, classes = data(4, 12, 40)
    expected = reference_class_path(X, classes, 0.7, 4)
    actual = similarity_class_path(X, classes, sigma=0.7, n_features=4)
    assert_same_path(actual, expected, 4)


@pytest.mark.parametrize("scale", [1e-3, 1e3, 1e8])
def test_unscaled_data_agrees_with_plain_loops(scale):
    X, classes = data(5)
    X = np.round(X, 2) * scale + scale
    assert_same_path(
        similarity_class_path(X, classes), reference_class_path(X, classes)
    )


def test_copies_and_constants_go_to_the_smaller_index():
    X, classes = data(6)
    X = np.column_stack([X, X[:, 2], np.full(15, 3.0), X[:, 2], np.zeros(15), X[:, 0]])
    order, errors, _ = similarity_class_path(X, classes)
    assert_same_path((order, errors, 1.0), reference_class_path(X, classes))
    place = np.argsort(order)
    assert place[2] < place[6] < place[8]
    assert place[7] < place[9]
    assert place[0] < place[10]


def test_a_mirrored_copy_is_tied_up_to_rounding():
    X, classes = data(7)
    mirrored = np.column_stack([0.1 - X[:, 2], X])
    order, _, _ = similarity_class_path(mirrored, classes)
    place = np.argsort(order)
    assert place[0] < place[3]


def test_duplicated_rows_count_as_rows():
    X, classes = data(8, 9)
    twice = np.concatenate([X, X])
    classes = np.concatenate([classes, classes])
    assert_same_path(
        similarity_class_path(twice, classes), reference_class_path(twice, classes)
    )


def test_smallest_problems():
    X = np.array([[0.0], [1.0]])
    w = np.exp(-0.5)
    for classes, expected in (([0, 0], 2 * (w - 1) ** 2), ([0, 1], 2 * w**2)):
        order, errors, _ = similarity_class_path(X, np.array(classes))
        assert_array_equal(order, [0])
        assert_allclose(errors, [expected])


def test_rows_of_no_class_are_left_out():
    X, classes = data(9)
    is_known = np.arange(15) < 9
    expected = similarity_class_path(X[is_known], classes[is_known])
    actual = similarity_class_path(X, np.where(is_known, classes, -1))
    assert_array_equal(actual[0], expected[0])
    assert_array_equal(actual[1], expected[1])


def test_memory_form_does_not_matter():
    X, classes = data(10)
    X = np.round(8 * X) / 8
    expected = similarity_class_path(X, classes)
    for other in (X.astype(np.float32), np.asfortranarray(X), X.tolist()):
        actual = similarity_class_path(other, classes)
        assert_array_equal(actual[0], expected[0])
        assert_array_equal(actual[1], expected[1])


def test_when_nothing_is_similar_any_more_the_index_decides():
    X, classes = data(11, 20, 30)
    order, errors, _ = similarity_class_path(1e6 * X, classes)
    assert_array_equal(np.diff(order[1:]) > 0, True)
    # The target of pairs within a class is missed by 1: 7 + 7 + 6 rows.
    assert_allclose(errors[1:], 7 * 6 + 7 * 6 + 6 * 5)


def test_perfect_similarities_keep_their_precision():
    # Errors of 1e-9 and less beside 60 pairs of similarity 1.
    rng = np.random.default_rng(0)
    classes = np.repeat([0, 1], 6)
    X = 10.0 * classes[:, np.newaxis] + 1e-3 * rng.random((12, 7))
    assert_same_path(
        similarity_class_path(X, classes), reference_class_path(X, classes)
    )


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), sigma=st.sampled_from([0.1, 0.5, 1.0, 3.0]))
def test_order_of_rows_and_columns_does_not_matter(seed, sigma):
    X, classes = data(seed, 24, 7)
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(24), rng.permutation(7)
    order, errors, _ = similarity_class_path(X, classes, sigma=sigma)
    other = similarity_class_path(X[rows][:, columns], classes[rows], sigma=sigma)
    assert_array_equal(columns[other[0]], order)
    assert_allclose(other[1], errors, rtol=1e-12)


def test_order_within_pairs_does_not_matter():
    X, _ = data(12)
    must, cannot = np.array([(0, 3), (4, 1)]), np.array([(0, 1), (5, 7), (3, 2)])
    expected = similarity_pair_path(X, must, cannot)
    actual = similarity_pair_path(X, must[::-1, ::-1], cannot[:, ::-1])
    assert_array_equal(actual[0], expected[0])
    assert_allclose(actual[1], expected[1], rtol=1e-14)


@pytest.mark.parametrize("n_jobs", [2, 5, -1, None])
def test_any_number_of_threads_gives_equal_bits(n_jobs):
    X, classes = data(13, 70, 12)
    expected = similarity_class_path(X, classes, n_jobs=1)
    actual = similarity_class_path(X, classes, n_jobs=n_jobs)
    assert_array_equal(actual[0], expected[0])
    assert_array_equal(actual[1], expected[1])


def test_single_precision_decides_nothing(monkeypatch):
    X, classes = data(14, 60, 25)
    # Two columns that differ by less than single precision can tell.
    X[:, 7] = X[:, 2] + 1e-9 * np.arange(60)
    roughly = similarity_class_path(X, classes)
    monkeypatch.setattr(similarity, "FEW_CANDIDATES", 1000)
    exactly = similarity_class_path(X, classes)
    assert_array_equal(roughly[0], exactly[0])
    assert_array_equal(roughly[1], exactly[1])


def test_automatic_width_has_the_smallest_error_of_all_features():
    X, classes = data(15, 20, 5)
    _, errors, sigma = similarity_class_path(X, classes, sigma="auto")
    i, j = np.tril_indices(20, -1)
    distances = np.sqrt(((X[i] - X[j]) ** 2).sum(axis=1))
    widths = np.median(distances) * 2.0 ** np.arange(-3, 3.5, 0.5)
    targets = reference.class_targets(classes.tolist())
    expected = [reference.error(X.tolist(), targets, range(5), s) for s in widths]
    assert sigma == pytest.approx(widths[np.argmin(expected)], rel=1e-12)
    # The last step has all features.
    assert errors[-1] == pytest.approx(min(expected), rel=1e-12)


def test_automatic_width_of_pairs_that_all_coincide_is_one():
    X = np.zeros((4, 2))
    assert similarity_pair_path(X, [(0, 1)], [(2, 3)], sigma="auto")[2] == 1.0
    assert similarity_class_path(X, np.array([0, 0, 1, 1]), sigma="auto")[2] == 1.0


@pytest.mark.parametrize("sigma", [0, -1.0, np.inf, np.nan, "automatic", None])
def test_impossible_width_is_refused(sigma):
    X, classes = data()
    with pytest.raises(ValueError, match="sigma must be a positive number"):
        similarity_class_path(X, classes, sigma=sigma)


@pytest.mark.parametrize("n_features", [0, 1.5, "auto"])
def test_impossible_number_of_features_is_refused(n_features):
    X, classes = data()
    with pytest.raises(ValueError, match="n_features must be a whole number"):
        similarity_class_path(X, classes, n_features=n_features)
    with pytest.raises(ValueError, match="n_features=7 asks for more than the 6"):
        similarity_pair_path(X, [(0, 1)], [], n_features=7)


def test_impossible_classes_and_pairs_are_refused():
    X, classes = data()
    with pytest.raises(ValueError, match="each of the 15 rows of X, and two that are"):
        similarity_class_path(X, classes[:-1])
    with pytest.raises(ValueError, match="each of the 15 rows of X, and two that are"):
        similarity_class_path(X, np.where(np.arange(15) == 3, 0, -1))
    with pytest.raises(ValueError, match="must hold a pair, got none"):
        similarity_pair_path(X, [], [])
    with pytest.raises(ConstraintError, match="cannot_link"):
        similarity_pair_path(X, [(0, 1)], [(0, 15)])
    with pytest.raises(ValueError, match="NaN"):
        similarity_class_path(np.full((3, 2), np.nan), np.zeros(3, dtype=int))
