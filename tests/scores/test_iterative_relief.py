"""Iterative Relief against its formula in plain loops."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal

from pairsift._kernels import describe_columns, radius_margins
from pairsift.scores import iterative_relief_score
from pairsift.scores._iterative_relief import fit_iterative_relief
from tests.reference import iterative_relief as reference

TREATMENTS = ["probability", "ignore", "constant", "distinct"]
each_treatment = pytest.mark.parametrize("missing", TREATMENTS)


def data(rng, n_classes=3, n_samples=18, share_missing=0.0):
    """Unbalanced classes, a constant column, equal rows, columns of few values."""
    X = rng.normal(size=(n_samples, 5))
    y = np.minimum(rng.integers(0, n_classes + 2, size=n_samples), n_classes - 1)
    y[:n_classes] = np.arange(n_classes)
    X[:, 0] += 1.5 * y
    X[:, 2] = 4.0
    X[:, 3] = rng.integers(0, 3, size=n_samples)
    X[5] = X[9]
    X[rng.random(X.shape) < share_missing] = np.nan
    return X, y


def mask(columns, n_features):
    return np.isin(np.arange(n_features), columns)


def fit(X, y, **options):
    defaults = {
        "radius": 2.0,
        "max_iter": 100,
        "tol": 1e-3,
        "is_categorical": None,
        "missing": "probability",
        "n_jobs": 1,
    }
    return fit_iterative_relief(X, y, **defaults | options)


def test_first_step_by_hand():
    # Equal weights w: from each corner the hit is w away, by (0, 1), and the misses w
    # and 2w, by (1, 0) and (1, 1). The radius 2w takes the nearer miss only.
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    z = iterative_relief_score(X, [0, 0, 1, 1], radius=2.0, max_iter=1)
    assert_allclose(z, [1.0, -1.0], rtol=1e-12)
    # With the radius 3w the misses count 2/3 and 1/3.
    z = iterative_relief_score(X, [0, 0, 1, 1], radius=3.0, max_iter=1)
    assert_allclose(z, [1.0, 1 / 3 - 1.0], rtol=1e-12)


def test_classes_by_hand():
    # One feature, range 8; priors 2/6, 3/6 and 1/6; the row at 4 is alone in its class.
    # Row 0 meets all classes within 4, its radius is 8: the misses at 2 and 6 count 6/8
    # and 2/8, that at 8 nothing.
    X = np.array([[0.0], [1.0], [2.0], [6.0], [8.0], [4.0]])
    y = [0, 0, 1, 1, 1, 2]
    of_0 = 3 / 4 * (2 * 6 + 6 * 2) / 8 + 1 / 4 * 4 - 1
    # Row 1: radius 6, misses at 1, 5 and 3 count 5/6, 1/6 and 1/2.
    of_1 = 3 / 4 * (1 * 5 + 5 * 1) / 6 + 1 / 4 * 3 - 1
    # Row 2: its class is the farthest, 4 away, radius 8: misses at 1 and 2 count 7/8
    # and 6/8, hits at 4 and 6 count 4/8 and 2/8.
    of_2 = 2 / 3 * (1 * 7 + 2 * 6) / 13 + 1 / 3 * 2 - (4 * 4 + 6 * 2) / 6
    # Row 3: class 0 is 5 away, radius 10: 5 and 6 count 5/10 and 4/10; hits at 2 and 4
    # count 8/10 and 6/10.
    of_3 = 2 / 3 * (5 * 5 + 6 * 4) / 9 + 1 / 3 * 2 - (2 * 8 + 4 * 6) / 14
    # Row 4: class 0 is 7 away, radius 14: 7 and 8 count 7/14 and 6/14; hits at 2 and 6
    # count 12/14 and 8/14.
    of_4 = 2 / 3 * (7 * 7 + 8 * 6) / 13 + 1 / 3 * 4 - (2 * 12 + 6 * 8) / 20
    expected = (of_0 + of_1 + of_2 + of_3 + of_4) / 5 / 8
    z = iterative_relief_score(X, y, max_iter=1)
    assert_allclose(z, [expected], rtol=1e-12)


@pytest.mark.parametrize("radius", [1.01, 2.0, 5.0])
@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("max_iter", [1, 4])
def test_margins_agree_with_plain_loops(rng, radius, n_classes, max_iter):
    X, y = data(rng, n_classes)
    y[12] = -1
    options = {"radius": radius, "max_iter": max_iter}
    expected = reference.iterative_relief(X, y, categorical=[3], **options)
    z = iterative_relief_score(X, y, is_categorical=mask([3], 5), **options)
    assert_allclose(z, expected, rtol=1e-10, atol=1e-12)
    assert z[2] == 0.0


@each_treatment
@pytest.mark.parametrize("max_iter", [1, 4])
def test_missing_values_agree_with_plain_loops(rng, missing, max_iter):
    X, y = data(rng, share_missing=0.2, n_samples=25)
    kinds = {"missing": missing, "max_iter": max_iter}
    expected = reference.iterative_relief(X, y, categorical=[3], **kinds)
    z = iterative_relief_score(X, y, is_categorical=mask([3], 5), **kinds)
    assert_allclose(z, expected, rtol=1e-10, atol=1e-12)


@given(
    X=arrays(
        np.float64, (8, 3), elements=st.sampled_from([0.0, 1.0, 2.0, 3.0, np.nan])
    ),
    y=arrays(np.int64, 6, elements=st.integers(-1, 3)),
    missing=st.sampled_from(TREATMENTS),
    radius=st.sampled_from([1.2, 2.0, 3.0]),
    categorical=st.sampled_from([[], [1], [0, 1, 2]]),
)
@settings(max_examples=100, deadline=None)
def test_duplicates_and_missing_values_agree(X, y, missing, radius, categorical):
    y = np.concatenate([[0, 1], y])
    options = {"missing": missing, "radius": radius, "max_iter": 1}
    z = iterative_relief_score(X, y, is_categorical=mask(categorical, 3), **options)
    expected = reference.iterative_relief(X, y, categorical=categorical, **options)
    assert_allclose(z, expected, rtol=1e-10, atol=1e-10)


@each_treatment
def test_last_digits_of_the_weights_do_not_matter(missing):
    """Even where a row misses all columns but those that weigh next to nothing."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X = rng.integers(0, 4, (30, 5)).astype(float)
        X[rng.random(X.shape) < 0.3] = np.nan
        y = np.arange(30) // 15
        columns = describe_columns(X, np.zeros(5, dtype=bool), missing, y)
        weights = 10.0 ** rng.uniform(-12.0, 0.0, 5)
        others = weights * (1.0 + 2e-16 * rng.integers(-1, 2, 5))
        priors = np.array([0.5, 0.5])
        first, second = (
            radius_margins(X, y, priors, some, 1.5, columns)
            for some in (weights, others)
        )
        assert_array_equal(first[1], second[1])
        assert_allclose(first[0], second[0], atol=1e-12 * np.abs(first[0]).max())


def test_fixed_point_is_one(rng):
    X, y = data(rng, n_samples=40)
    found = fit(X, y, tol=1e-9, max_iter=2000, radius=3.0)
    assert found.change <= 1e-9
    assert found.n_iter > 10
    # One more step from these weights, in plain loops. What is left of the way is the
    # last change, times the number of steps.
    delta = reference.Delta(X.tolist(), labels=y.tolist())
    w = found.weights.tolist()
    z = reference.step(delta, y.tolist(), w, 3.0)
    assert_allclose(reference.unit_positive(z), w, atol=1e-9 * found.n_iter)


@pytest.mark.parametrize("n_noise", [5, 30])
def test_features_that_matter_only_together_are_found_among_noise(n_noise):
    # Whole steps would swing between the two for ever.
    rng = np.random.default_rng(0)
    X = rng.random((300, 2 + n_noise))
    y = (X[:, 0] > 0.5) ^ (X[:, 1] > 0.5)
    found = fit(X, y.astype(int))
    assert found.change <= 1e-3
    assert set(np.argsort(-found.margins)[:2]) == {0, 1}
    # Both weigh about the same, and the noise next to nothing.
    assert_allclose(found.weights[:2], np.sqrt(0.5), atol=0.05)
    assert np.abs(found.weights[2:]).max() < 0.1


def test_weights_are_the_positive_part_at_unit_norm(rng):
    X, y = data(rng)
    found = fit(X, y)
    assert (found.margins < 0).any()
    positive = np.maximum(found.margins, 0.0)
    assert_allclose(found.weights, positive / np.linalg.norm(positive), rtol=1e-14)


@each_treatment
def test_many_threads_agree_with_one(rng, missing):
    X, y = data(rng, n_samples=300, share_missing=0.1)
    options = {"missing": missing, "is_categorical": mask([3], 5), "max_iter": 5}
    expected = iterative_relief_score(X, y, n_jobs=1, **options)
    for n_jobs in (3, None):
        z = iterative_relief_score(X, y, n_jobs=n_jobs, **options)
        assert_array_equal(z, expected)


@each_treatment
def test_order_of_rows_and_columns_and_units_do_not_matter(rng, missing):
    X, y = data(rng, n_samples=60, share_missing=0.1)
    options = {"missing": missing, "max_iter": 6}
    expected = iterative_relief_score(X, y, **options)
    rows, columns = rng.permutation(60), rng.permutation(5)
    scaled = 4.0 * X[rows][:, columns] - 3.0
    z = iterative_relief_score(scaled, y[rows], **options)
    assert_allclose(z, expected[columns], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("form", [np.asfortranarray, np.float32])
def test_memory_form_does_not_matter(rng, form):
    X, y = rng.integers(0, 9, size=(30, 4)) / 8, np.arange(30) % 2
    expected = iterative_relief_score(X, y, max_iter=5)
    assert_array_equal(iterative_relief_score(form(X), y, max_iter=5), expected)


def test_unlabelled_rows_are_left_out(rng):
    X, y = data(rng, n_samples=30)
    y[12:20] = -1
    X[12:20] *= 100.0
    expected = iterative_relief_score(X[y >= 0], y[y >= 0])
    assert_array_equal(iterative_relief_score(X, y), expected)


def test_small_and_odd_data():
    # Nobody has a hit: no row has a margin.
    found = fit(np.array([[0.0, 3.0], [1.0, 3.0]]), [0, 1])
    assert_array_equal(found.margins, [0.0, 0.0])
    assert (found.n_iter, found.change) == (1, 0.0)
    found = fit(np.ones((6, 2)), [0, 1] * 3)
    assert_array_equal(found.margins, [0.0, 0.0])
    assert (found.n_iter, found.change) == (0, 0.0)
    # One column that does not separate: no positive margin, one step.
    found = fit(np.array([[0.0], [1.0], [0.0], [1.0]]), [0, 0, 1, 1])
    assert found.margins[0] < 0
    assert found.n_iter == 1
    assert_array_equal(found.weights, [0.0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"labels": [0] * 6}, "labels must hold .*at least two classes"),
        ({"labels": [0, 1]}, "labels must hold a class number for each of the 6 rows"),
        ({"radius": 0.0}, "radius must be a positive number, got 0.0"),
        ({"radius": 1}, "radius must be above 1, got 1"),
        ({"missing": "mean"}, "missing must be one of .*got 'mean'"),
        ({"max_iter": 0}, "max_iter must be a whole number of at least 1, got 0"),
    ],
)
def test_impossible_arguments_are_refused(arguments, message):
    X = np.arange(12.0).reshape(6, 2)
    with pytest.raises(ValueError, match=message):
        iterative_relief_score(X, **{"labels": [0, 1, 0, 1, 0, 1]} | arguments)
