"""Constraint scores against plain loops, and what they have in common."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from pairsift.constraints import PairConstraints
from pairsift.graphs import similarity_graph
from pairsift.scores import (
    constraint_score_1,
    constraint_score_2,
    constraint_score_3,
    constraint_score_4,
    constraint_score_5,
    constraint_score_6,
    constraint_score_7,
    laplacian_score,
)
from pairsift.scores._constraint import pair_forms, sums_of_classes
from tests.reference import constraint as plain

FORMS = ["sum", "matrix"]


def problem(seed, kind="random"):
    """Rows in [0, 1], some of them labelled, and the pairs that the labels make."""
    rng = np.random.default_rng(seed)
    n_samples, n_features = {"two rows": (2, 3), "one feature": (9, 1)}.get(
        kind, (13, 4)
    )
    X = rng.random((n_samples, n_features))
    labels = np.arange(n_samples) % 3
    if kind == "two rows":
        labels = np.array([0, 1])
    else:
        labels[rng.random(n_samples) < 0.5] = -1
        labels[:4] = [0, 0, 1, 2]
    if kind == "ties":
        X = np.round(2 * X) / 2
    if kind == "duplicated rows":
        X[5:10] = X[:5]
    if kind == "constant feature":
        X[:, 1] = 0.1
    return X, labels, PairConstraints.from_labels(labels)


def sparse_pairs(labels, seed):
    """Pairs that leave pairs of named rows open, unlike those of labels."""
    drawn = PairConstraints.sample(labels, 5, 3, random_state=seed)
    return drawn.must_link, drawn.cannot_link


each_kind = pytest.mark.parametrize(
    "kind",
    ["random", "ties", "duplicated rows", "constant feature", "one feature"],
)


def columns(X):
    return [list(column) for column in X.T]


@each_kind
@pytest.mark.parametrize("seed", range(3))
def test_scores_1_and_2_are_the_published_sums(kind, seed):
    X, _, pairs = problem(seed, kind)
    must, cannot = pairs.must_link, pairs.cannot_link
    expected = [plain.score_1(f, must, cannot) for f in columns(X)]
    assert_allclose(constraint_score_1(X, must, cannot), expected, rtol=1e-10)
    expected = [plain.score_2(f, must, cannot, 0.3) for f in columns(X)]
    scores = constraint_score_2(X, must, cannot, lambda_=0.3)
    assert_allclose(scores, expected, rtol=1e-10, atol=1e-13)


def test_pairs_count_as_often_as_they_are_given_in_scores_1_and_2():
    X = np.array([[0.0], [1.0], [3.0]])
    assert_array_equal(constraint_score_1(X, [(0, 1), (1, 0)], [(1, 2)]), [-0.5])
    assert_array_equal(
        constraint_score_2(X, [(0, 1)], [(0, 2), (0, 2)], lambda_=1.0), [17.0]
    )


@pytest.mark.slow
@each_kind
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("source", ["labels", "pairs"])
def test_score_3_is_the_published_ratio(kind, seed, source):
    X, labels, pairs = problem(seed, kind)
    must, cannot = pairs.must_link, pairs.cannot_link
    if source == "pairs":
        labels = np.arange(len(X)) % 3
        must, cannot = sparse_pairs(labels, seed)
    M, C = plain.as_sets(must), plain.as_sets(cannot)
    expected = [plain.score_3(X, f, M, C, 2, 10.0) for f in columns(X)]
    scores = constraint_score_3(X, must, cannot, gamma=10.0, n_neighbors=2)
    assert_allclose(scores, expected, rtol=1e-10)


@each_kind
@pytest.mark.parametrize("seed", range(3))
def test_score_4_is_the_published_product(kind, seed):
    X, _, pairs = problem(seed, kind)
    must, cannot = pairs.must_link, pairs.cannot_link
    expected = [plain.score_4(X, f, must, cannot, 0.5) for f in columns(X)]
    scores = constraint_score_4(X, must, cannot, sigma=0.5)
    assert_allclose(scores, expected, rtol=1e-10)


# One seed each: the plain loops find all neighbours anew for every pair of rows.
@pytest.mark.slow
@each_kind
@pytest.mark.parametrize(("seed", "source"), [(0, "labels"), (1, "pairs")])
@pytest.mark.parametrize("form", FORMS)
def test_scores_5_6_and_7_are_the_published_ratios(kind, seed, source, form):
    X, labels, pairs = problem(seed, kind)
    must, cannot = pairs.must_link, pairs.cannot_link
    if source == "pairs":
        must, cannot = sparse_pairs(np.arange(len(X)) % 3, seed)
        labels = PairConstraints(must, n_samples=len(X)).groups()
    M, C = plain.as_sets(must), plain.as_sets(cannot)
    options = {"n_neighbors": 2, "sigma": 0.6, "form": form}
    constant = np.flatnonzero(np.ptp(X, axis=0) == 0)
    expected = [plain.score_5(X, f, M, C, 2, 0.6, form) for f in columns(X)]
    actual = constraint_score_5(X, must, cannot, **options)
    assert_close_or_worst(actual, expected, constant)
    expected = [plain.score_6(X, f, M, C, 2, 0.6, form) for f in columns(X)]
    actual = constraint_score_6(X, must, cannot, **options)
    assert_close_or_worst(actual, expected, constant)
    expected = [
        plain.score_7(X, f, M, C, labels, 2, 0.6, 0.8, 0.4, form) for f in columns(X)
    ]
    actual = constraint_score_7(
        X, must, cannot, labels, gamma=0.8, lambda_=0.4, **options
    )
    assert_close_or_worst(actual, expected, constant)


def assert_close_or_worst(actual, expected, constant):
    """In plain loops the denominator of a constant feature is only nearly 0."""
    assert_allclose(np.delete(actual, constant), np.delete(expected, constant), 1e-10)
    assert np.isneginf(actual[constant]).all()


def test_two_rows_are_enough():
    X = np.array([[0.0, 1.0], [2.0, 1.0]])
    assert_array_equal(constraint_score_2(X, [], [(0, 1)], lambda_=0.5), [2.0, 0.0])
    assert_array_equal(constraint_score_3(X, [], [(0, 1)]), [-0.0, -np.inf])
    # No row is free and no must-link joins them: C^5 has its one similarity above and,
    # with both degrees, below.
    assert_allclose(constraint_score_5(X, [], [(0, 1)]), [-1.0, -np.inf])


def test_score_5_without_constraints_is_twice_the_laplacian_score(rng):
    X = rng.random((30, 4))
    S = similarity_graph(X, n_neighbors=4)
    scores = constraint_score_5(X, [], [], n_neighbors=4)
    assert_allclose(scores, 2 * laplacian_score(X, S), rtol=1e-12)


def test_a_given_graph_of_neighbors_saves_building_it(rng):
    X, _, pairs = problem(0)
    must, cannot = pairs.must_link, pairs.cannot_link
    near = similarity_graph(X, n_neighbors=3, kernel="binary")
    for score in (constraint_score_3, constraint_score_5, constraint_score_6):
        assert_array_equal(
            score(X, must, cannot, neighbors=near),
            score(X, must, cannot, n_neighbors=3),
        )


def test_neighbors_stay_neighbors_when_similarities_vanish():
    """Weight 1 for a must-link of neighbours, λ otherwise, though both have w = 0."""
    X = 1000.0 * np.array([[0.0, 0.0], [1.0, 0.5], [3.0, 0.0], [9.0, 1.0]])
    labels = np.array([0, 0, 0, -1])
    pairs = PairConstraints.from_labels(labels)
    arguments = (X, pairs.must_link, pairs.cannot_link, labels)
    with pytest.warns(UserWarning, match="only must-links count: .*at sigma=1.0"):
        scores = constraint_score_7(*arguments, n_neighbors=1, lambda_=0.5)
    weights = {(0, 1): 1.0, (1, 2): 1.0, (0, 2): 0.5}
    numerator = 2 * sum(w * (X[i] - X[j]) ** 2 for (i, j), w in weights.items())
    d = np.array([1.5, 2.0, 1.5])
    mean = (d[:, None] * X[:3]).sum(axis=0) / d.sum()
    spread = (d[:, None] * (X[:3] - mean) ** 2).sum(axis=0)
    within = ((X[:3] - X[:3].mean(axis=0)) ** 2).sum(axis=0)
    assert_allclose(scores, -numerator / (spread - within), rtol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_forms_of_labels_need_no_list_of_pairs(seed):
    X, labels, pairs = problem(seed)
    must, cannot, _ = sums_of_classes(X, labels)
    assert_allclose(must, pair_forms(X, pairs.must_link), rtol=1e-12)
    assert_allclose(cannot, pair_forms(X, pairs.cannot_link), rtol=1e-12)


def test_forms_of_a_constant_feature_are_exactly_0():
    X = np.full((7, 1), 0.1)
    must, cannot, _ = sums_of_classes(X, np.array([0, 0, 0, 1, 1, 2, -1]))
    assert must == 0.0
    assert cannot == 0.0


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.floats(0.1, 10.0))
def test_scores_do_not_depend_on_order_or_origin(seed, scale):
    X, labels, pairs = problem(seed % 7)
    must, cannot = pairs.must_link, pairs.cannot_link
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(X))
    place = np.argsort(order)
    flip = np.where(rng.random(len(cannot)) < 0.5, 1, -1)
    swapped = np.array([pair[::f] for pair, f in zip(cannot, flip, strict=True)])
    moved = X[order] + scale
    for score in (
        constraint_score_1,
        constraint_score_3,
        constraint_score_4,
        constraint_score_5,
        constraint_score_6,
    ):
        expected = score(X, must, cannot)
        actual = score(moved, place[must], place[swapped])
        assert_allclose(actual, expected, rtol=1e-9)
    expected = constraint_score_7(X, must, cannot, labels)
    actual = constraint_score_7(moved, place[must], place[swapped], labels[order])
    assert_allclose(actual, expected, rtol=1e-9)
    # Ratios of sums over given pairs do not depend on the unit of a feature either.
    assert_allclose(
        constraint_score_1(X * scale, must, cannot),
        constraint_score_1(X, must, cannot),
        rtol=1e-9,
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"sigma": 0.0}, "sigma must be a positive number or 'auto', got 0.0"),
        ({"sigma": -1.0}, "sigma must be a positive number or 'auto', got -1.0"),
        ({"form": "best"}, "form must be one of 'sum', 'matrix', got 'best'"),
        ({"n_neighbors": 0}, "n_neighbors must be a whole number of at least 1"),
        ({"sigma": 1e-4}, "no two rows of X are similar at sigma=0.0001.*sigma='auto'"),
    ],
)
def test_wrong_arguments_are_named(arguments, message):
    X, _, pairs = problem(0)
    with pytest.raises(ValueError, match=message):
        constraint_score_5(X, pairs.must_link, pairs.cannot_link, **arguments)


def test_pairs_out_of_range_are_named():
    X, _, _ = problem(0)
    with pytest.raises(ValueError, match=r"cannot_link pair \(0, 99\) is out of range"):
        constraint_score_1(X, [(0, 1)], [(0, 99)])
