"""Online I-Relief against plain loops."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from pairsift.scores import irelief_score, online_irelief_score
from pairsift.scores._online_irelief import Stream
from tests.reference import online_irelief as reference
from tests.scores.test_irelief import data


@pytest.mark.parametrize("multi_class", ["prior", "nearest"])
@pytest.mark.parametrize("sigma", [0.1, 1.0])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_fit_agrees_with_plain_loops(rng, multi_class, sigma, n_classes):
    X, y = data(rng, n_classes)
    options = {"sigma": sigma, "multi_class": multi_class}
    draws = np.random.default_rng(3)
    orders = [draws.permutation(len(X)).tolist() for _ in range(2)]
    expected = reference.online_irelief(
        X.tolist(), y.tolist(), orders, list(range(len(X))), **options
    )
    actual = online_irelief_score(X, y, n_epochs=2, random_state=3, **options)
    assert_allclose(actual, expected, rtol=1e-10, atol=1e-13)
    assert actual[2] == 0.0


@pytest.mark.parametrize("multi_class", ["prior", "nearest"])
def test_fit_with_few_points_draws_neighbours(rng, multi_class):
    X, y = data(rng, 3, n_samples=30)
    draws = np.random.default_rng(5)
    points = np.sort(draws.choice(30, 12, replace=False)).tolist()
    orders = [draws.permutation(30).tolist() for _ in range(2)]
    options = {"sigma": 0.5, "multi_class": multi_class}
    expected = reference.online_irelief(
        X.tolist(), y.tolist(), orders, points, **options
    )
    actual = online_irelief_score(
        X, y, n_epochs=2, max_points=12, random_state=5, **options
    )
    assert_allclose(actual, expected, rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize("multi_class", ["prior", "nearest"])
@pytest.mark.parametrize("max_points", [6, 100])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_stream_agrees_with_plain_loops(rng, multi_class, max_points, n_classes):
    X, y = data(rng, n_classes, n_samples=25)
    X *= np.linspace(0.2, 3.0, 25)[:, None]  # ranges grow
    X[:, 2] = 4.0
    options = {"sigma": 0.5, "multi_class": multi_class}
    draws = np.random.default_rng(1).random(25).tolist()
    expected, kept = reference.stream(
        X.tolist(), y.tolist(), draws, max_points, **options
    )
    stream = Stream(5, max_points, np.random.default_rng(1))
    stream.learn(X, y, 0.5, multi_class)
    assert_allclose(stream.margins(), expected, rtol=1e-10, atol=1e-13)
    assert_array_equal(stream.points[: stream.n_points], X[kept])
    assert_array_equal(stream.labels[: stream.n_points], y[kept])


def test_margins_that_only_rounding_makes_positive_get_no_weight():
    # Column 2 differs from all rows before at its first 1: a margin of exactly 0.
    X = np.array(
        [[1, 0, 0, 0], [0, 0, 0, 1], [0, 1, 0, 1], [0, 1, 0, 0], [1, 0, 1, 1]], float
    )
    y = np.array([0, 1, 0, 1, 1])
    stream = Stream(4, 10, np.random.default_rng(0))
    stream.learn(X, y, 0.5, "prior")
    assert_array_equal(stream.weights(), np.zeros(4))
    more = np.vstack([X, X[::-1]]), np.append(y, 1 - y)
    stream.learn(X[::-1], 1 - y, 0.5, "prior")
    expected, _ = reference.stream(
        *(rows.tolist() for rows in more), [0.0] * 10, 10, sigma=0.5,
        multi_class="prior",
    )  # fmt: skip
    assert_allclose(stream.margins(), expected, rtol=1e-10, atol=1e-13)


@settings(deadline=None, max_examples=30)
@given(st.lists(st.integers(0, 40), max_size=6), st.integers(2, 50))
def test_chunks_do_not_matter(cuts, max_points):
    X, y = data(np.random.default_rng(0), 3, n_samples=40)
    whole = Stream(5, max_points, np.random.default_rng(2))
    whole.learn(X, y, 0.5, "prior")
    parts = Stream(5, max_points, np.random.default_rng(2))
    edges = [0, *sorted(cuts), 40]
    for first, last in pairwise(edges):
        parts.learn(X[first:last], y[first:last], 0.5, "prior")
    assert_array_equal(parts.margins(), whole.margins())
    assert parts.n_points == len(parts.labels[: parts.n_points]) == min(40, max_points)


def test_every_row_is_kept_with_the_same_probability():
    # 2,000 streams of 12 rows that keep 4: a row is kept 667 times, give or take 21.
    X, y = np.arange(12.0)[:, None], np.arange(12) % 2
    times = np.zeros(12)
    for seed in range(2000):
        stream = Stream(1, 4, np.random.default_rng(seed))
        stream.learn(X, y, 0.5, "nearest")
        times[stream.points[:4, 0].astype(int)] += 1
    assert times.sum() == 8000
    assert (np.abs(times - 2000 / 3) < 5 * 21.1).all()


def test_many_passes_tend_to_irelief(rng):
    X, y = data(rng, 3, n_samples=30)
    expected = irelief_score(X, y)
    one, thirty, many = (
        np.abs(
            30 * online_irelief_score(X, y, n_epochs=n, random_state=0) - expected
        ).max()
        for n in (1, 30, 900)
    )
    assert many < 0.2 * thirty < 0.04 * one
    assert many < 0.002 * np.abs(expected).max()


def test_ranges_that_grow_shrink_the_margins_before():
    X = np.array([[0.0], [0.1], [1.0], [0.9]])
    stream = Stream(1, 10, np.random.default_rng(0))
    stream.learn(X, np.array([0, 0, 1, 1]), 0.5, "prior")
    before = stream.margins() * stream.n_steps
    assert before[0] > 0
    # A class nobody else has: it has no hit, no margin, and only makes the range 10.
    stream.learn(np.array([[10.0]]), np.array([2]), 0.5, "prior")
    assert_allclose(stream.margins() * stream.n_steps, before / 10.0, rtol=1e-14)


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 1000))
def test_units_of_a_feature_do_not_matter(seed):
    X, y = data(np.random.default_rng(seed))
    scaled = X * [0.01, 3.0, 1.0, 100.0, 7.0] + [5.0, 0.0, 1.0, -2.0, 40.0]
    actual = online_irelief_score(scaled, y, random_state=0)
    expected = online_irelief_score(X, y, random_state=0)
    assert_allclose(actual, expected, rtol=1e-8, atol=1e-11)


@settings(deadline=None, max_examples=25)
@given(st.permutations(range(5)))
def test_order_of_columns_does_not_matter(order):
    X, y = data(np.random.default_rng(0))
    actual = online_irelief_score(X[:, order], y, random_state=0)
    expected = online_irelief_score(X, y, random_state=0)[list(order)]
    assert_allclose(actual, expected, rtol=1e-10, atol=1e-13)


def test_unlabelled_rows_are_left_out(rng):
    X, y = data(rng, n_samples=30)
    y[12:20] = -1
    X[12:20] *= 100.0
    actual = online_irelief_score(X, y, random_state=0)
    expected = online_irelief_score(X[y >= 0], y[y >= 0], random_state=0)
    assert_array_equal(actual, expected)


def test_two_rows_and_one_feature():
    assert_array_equal(online_irelief_score([[0.0], [1.0]], [0, 1]), [0.0])


def together(seed, n_samples=300, n_features=12):
    """Columns 3 and 11 tell the class together, and nothing alone."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, size=(n_samples, n_features))
    return X, (X[:, 3] * X[:, 11] > 0).astype(int)


def test_features_that_matter_together_are_found_and_only_then(rng):
    found = {"true": 0, "shuffled": 0}
    for seed in range(10):
        X, y = together(seed)
        for name, labels in (("true", y), ("shuffled", rng.permutation(y))):
            scores = online_irelief_score(X, labels, random_state=seed)
            found[name] += set(np.argsort(-scores)[:2]) == {3, 11}
    assert found == {"true": 10, "shuffled": 0}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"labels": [0] * 6}, "labels must hold a class .* at least two classes"),
        ({"sigma": 0.0}, "sigma must be a positive number, got 0.0"),
        ({"multi_class": "all"}, "multi_class must be one of 'prior', 'nearest'"),
        ({"n_epochs": 0}, "n_epochs must be a whole number of at least 1, got 0"),
        ({"max_points": 1}, "max_points must be a whole number of at least 2, got 1"),
        ({"random_state": "x"}, "random_state must be a seed of at least 0"),
    ],
)
def test_impossible_arguments_are_refused(arguments, message):
    X = np.arange(12.0).reshape(6, 2)
    with pytest.raises(ValueError, match=message):
        online_irelief_score(X, **{"labels": [0, 1, 0, 1, 0, 1]} | arguments)
