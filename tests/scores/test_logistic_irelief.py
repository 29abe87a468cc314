"""Logistic I-Relief and its semi-supervised form against plain loops."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import approx_fprime
from scipy.special import expit

from pairsift.scores import logistic_irelief_score, semi_logistic_irelief_score
from pairsift.scores._irelief import scaled
from pairsift.scores._logistic_irelief import (
    UNLABELLED_MARGINS,
    Rows,
    fit_logistic_irelief,
    fit_semi_logistic_irelief,
)
from pairsift.scores._margin_program import Program, minimise
from tests.reference import logistic_irelief as reference
from tests.reference.irelief import differences
from tests.scores.test_irelief import data
from tests.scores.test_online_irelief import together

each_rule = pytest.mark.parametrize("rule", UNLABELLED_MARGINS)
OPTIONS = {"sigma": 1.0, "alpha": 1.0, "max_iter": 200, "tol": 1e-6, "n_jobs": 1}
SEMI = OPTIONS | {"beta": 0.1, "rho": 1.0}


def margins(seed, n_rows=30):
    """Margin vectors of which some features are mostly positive."""
    rng = np.random.default_rng(seed)
    shift = np.array([0.4, 0.0, 0.2, 0.0, -0.1, 0.0])
    return rng.normal(scale=0.3, size=(n_rows, 6)) + shift


def residual(gradient, w):
    """How far the gradient conditions are from holding."""
    return np.abs(w - np.maximum(w - np.asarray(gradient), 0.0)).max()


def some_unlabelled(rng, n_classes=3, n_samples=24):
    """Every other row has no label, and the classes are numbered without a gap."""
    X, y = data(rng, n_classes, n_samples)
    y[n_classes::2] = -1
    X[3] = 1.2 * X[4]
    return X, y


# The problem of given margins.


@pytest.mark.parametrize("beta", [0.0, 0.7])
def test_value_and_gradient_are_those_of_the_formula(beta):
    rows = margins(0)
    program = Program(rows, 20, 1.5, beta, 0.3)
    w = np.random.default_rng(1).uniform(0, 2, size=6)
    terms = (rows[:20].tolist(), rows[20:].tolist(), 1.5, beta, 0.3)
    assert_allclose(program.value(w), reference.objective(w.tolist(), *terms))
    assert_allclose(program.gradient(w), reference.gradient(w.tolist(), *terms))
    numeric = approx_fprime(w, program.value, 1e-7)
    assert_allclose(program.gradient(w), numeric, atol=1e-5)
    hessian = rows.T @ (program.curvature(w)[:, None] * rows)
    assert_allclose(hessian, approx_fprime(w, program.gradient, 1e-7), atol=1e-5)


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 10_000), st.sampled_from([0.05, 1.0, 20.0]))
def test_minimum_is_that_of_plain_bisection(seed, alpha):
    rows = margins(seed)
    w = minimise(Program(rows, 30, alpha), np.zeros(6))
    expected = reference.minimum(rows.tolist(), alpha, 6)
    assert_allclose(w, expected, rtol=1e-9, atol=1e-10)
    assert_array_equal(w == 0.0, np.array(expected) == 0.0)


def test_a_slope_of_rounding_that_is_not_bent_is_left_in_few_steps(monkeypatch):
    # One labelled and one unlabelled margin of 1: neither slope nor bend at w = 1/2.
    bent = expit(0.5) * expit(-0.5) / np.exp(-0.25)
    beta = 1.0 / (np.exp(-0.25) + expit(-0.5) / bent)
    program = Program(np.ones((2, 1)), 1, beta / bent, beta)
    steps, gradient = [], Program.gradient

    def counted(self, w):
        steps.append(w)
        return gradient(self, w)

    monkeypatch.setattr(Program, "gradient", counted)
    assert abs(gradient(program, np.array([0.4999]))[0]) < 1e-8
    assert_array_equal(minimise(program, np.array([0.4999])), [0.0])
    assert len(steps) < 100


@pytest.mark.parametrize("n_features", [1, 6, 50, 400])
@pytest.mark.parametrize("start", [0.0, 1.0, 50.0])
def test_gradient_conditions_hold_at_the_minimum(n_features, start):
    # More features than rows, copies and multiples: the matrix of curvatures is flat.
    rng = np.random.default_rng(n_features)
    rows = rng.normal(size=(40, n_features)) + rng.uniform(0, 0.6, size=n_features)
    rows[:, n_features // 2] = rows[:, 0]
    rows[:, n_features // 3] = 2.0 * rows[:, 0]
    program = Program(rows, 40, 2.0)
    w = minimise(program, np.full(n_features, start))
    assert residual(program.gradient(w), w) < 1e-9
    assert (w > 0.0).any()
    # Convex: from anywhere to the same value.
    other = minimise(program, rng.uniform(0, 3, size=n_features))
    assert_allclose(program.value(w), program.value(other), rtol=1e-12)


@settings(deadline=None, max_examples=40)
@given(
    st.integers(0, 10_000),
    st.sampled_from([0.01, 0.5, 10.0]),
    st.sampled_from([0.1, 1.0, 30.0]),
)
def test_even_cost_goes_down_to_a_point_without_slope(seed, beta, rho):
    program = Program(margins(seed), 10, 1.0, beta, rho)
    start = np.random.default_rng(seed).uniform(0, 3, size=6)
    w = minimise(program, start)
    assert program.value(w) <= program.value(start)
    assert residual(program.gradient(w), w) < 1e-8


# The alternation.


@pytest.mark.parametrize("multi_class", ["prior", "nearest"])
@pytest.mark.parametrize("sigma", [0.3, 2.0])
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("max_iter", [1, 5])
def test_scores_agree_with_plain_loops(rng, multi_class, sigma, n_classes, max_iter):
    X, y = data(rng, n_classes)
    options = {"sigma": sigma, "multi_class": multi_class, "max_iter": max_iter}
    w, slopes = reference.logistic_irelief(X.tolist(), y.tolist(), alpha=3.0, **options)
    scores = logistic_irelief_score(X, y, alpha=3.0, **options)
    expected = np.where(np.array(w) > 0.0, w, -np.array(slopes))
    expected[2] = -np.inf
    assert_allclose(scores, expected, rtol=1e-9, atol=1e-10)


def test_weight_by_hand():
    # All four margins of the first feature are 1, whatever the weights; the minimum of
    # w + 4 log(1 + exp(-w)) is at log 3.
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    scores = logistic_irelief_score(X, [0, 0, 1, 1])
    assert_allclose(scores[0], np.log(3.0), rtol=1e-12)
    # The hit is 1 apart on the second. A miss is so with a probability of one half,
    # in which case r = 4 (1/2 - 1) / (1 + 3), once the first alone has a weight.
    assert_allclose(scores[1], -0.5 - 1.0, rtol=1e-12)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_margins_and_weights_agree_at_the_end(rng, n_classes):
    X, y = data(rng, n_classes)
    fit = fit_logistic_irelief(X, y, multi_class="nearest", **OPTIONS | {"tol": 1e-11})
    assert fit.change <= 1e-11
    delta, w = differences(X.tolist()), fit.weights.tolist()
    found = reference.labelled_margins(delta, y.tolist(), w, 1.0, "nearest")
    slopes = reference.gradient(w, found, [], 1.0)
    assert residual(slopes, fit.weights) < 1e-8
    nothing = fit.weights == 0.0
    nothing[2] = False
    assert_allclose(fit.scores[nothing], -np.array(slopes)[nothing], atol=1e-8)


@each_rule
@pytest.mark.parametrize("n_classes", [2, 3])
def test_margins_of_all_rows_and_weights_agree_at_the_end(rng, rule, n_classes):
    X, y = some_unlabelled(rng, n_classes)
    options = SEMI | {"alpha": 2.0, "beta": 0.5, "tol": 1e-11}
    fit = fit_semi_logistic_irelief(X, y, multi_class=rule, **options)
    assert fit.change <= 1e-11
    assert fit.weights.any()
    delta, w = differences(X.tolist()), fit.weights.tolist()
    labelled = reference.labelled_margins(delta, y.tolist(), w, 1.0, "nearest")
    unlabelled = reference.unlabelled_margins(delta, y.tolist(), w, 1.0, rule)
    slopes = reference.gradient(w, labelled, unlabelled, 2.0, 0.5, 1.0)
    assert residual(slopes, fit.weights) < 1e-8
    assert residual(reference.gradient(w, labelled, [], 2.0), fit.weights) > 1e-3


def rows_of(X, y, rule="nearest-neighbor"):
    points = scaled(X)
    nothing = np.empty((0, 0))
    return Rows(points[y >= 0], y[y >= 0], points[y < 0], nothing, 1.0, rule, 1)


@each_rule
def test_margins_of_unlabelled_rows_are_those_of_plain_loops(rng, rule):
    X, y = some_unlabelled(rng, 4, n_samples=30)
    for w in (np.array([3.0, 0.5, 0.0, 0.0, 1.0]), np.array([0.0, 0.0, 0.0, 2.0, 0.0])):
        actual = rows_of(X, y, rule).unlabelled_margins(w)
        expected = reference.unlabelled_margins(
            differences(X.tolist()), y.tolist(), w.tolist(), 1.0, rule
        )
        assert_allclose(actual, expected, rtol=1e-10, atol=1e-12)


def test_rules_differ_for_more_than_two_classes(rng):
    X, y = some_unlabelled(rng, 4, n_samples=30)
    w = np.array([3.0, 0.5, 0.0, 0.0, 1.0])
    one, other = (
        rows_of(X, y, rule).unlabelled_margins(w) for rule in UNLABELLED_MARGINS
    )
    assert not np.allclose(one, other)
    assert (one @ w >= other @ w - 1e-12).all()


def test_either_of_two_classes_gives_the_same_cost(rng):
    X, y = some_unlabelled(rng, 2)
    rows, w = rows_of(X, y), np.array([1.0, 0.2, 0.0, 0.4, 3.0])
    n_unlabelled = int((y < 0).sum())
    sides = [rows.margins_as(np.full(n_unlabelled, c), w) for c in (0, 1)]
    assert_array_equal(sides[0], -sides[1])
    values = [
        Program(np.vstack([rows.margins(w), z]), int((y >= 0).sum()), 1.0, 0.4).value(w)
        for z in sides
    ]
    assert values[0] == values[1]
    scores = [
        semi_logistic_irelief_score(X, y, multi_class=r) for r in UNLABELLED_MARGINS
    ]
    assert_allclose(scores[0], scores[1], rtol=1e-9)


@each_rule
def test_without_unlabelled_rows_it_is_logistic_irelief(rng, rule):
    X, y = data(rng, 4)
    expected = fit_logistic_irelief(X, y, multi_class="nearest", **OPTIONS)
    actual = fit_semi_logistic_irelief(X, y, multi_class=rule, **SEMI)
    assert_array_equal(actual.scores, expected.scores)
    assert actual.n_iter == expected.n_iter


def test_vanishing_cost_of_unlabelled_rows_changes_nothing(rng):
    # The unlabelled rows lie inside the ranges of the labelled ones.
    X, y = data(rng, 2, n_samples=30)
    y[:12] = np.arange(12) % 2
    extremes = np.concatenate([X.argmin(axis=0), X.argmax(axis=0)])
    y[12:][~np.isin(np.arange(12, 30), extremes)] = -1
    assert (y < 0).sum() > 5
    actual = semi_logistic_irelief_score(X, y, beta=1e-12, tol=1e-10)
    expected = logistic_irelief_score(X, y, tol=1e-10)
    assert_allclose(actual, expected, rtol=1e-7, atol=1e-7)


# What holds in general.


def test_features_without_weight_stand_below_those_with(rng):
    X, y = data(rng)
    X = np.column_stack([X, rng.normal(size=(18, 20))])
    fit = fit_logistic_irelief(X, y, multi_class="nearest", **OPTIONS)
    has_weight = fit.weights > 0.0
    assert 0 < has_weight.sum() < 20
    assert (fit.scores[has_weight] == fit.weights[has_weight]).all()
    assert (fit.scores[~has_weight] <= 0.0).all()
    assert_array_equal(np.flatnonzero(np.isneginf(fit.scores)), [2])
    # So small a cost buys no weight, but the features are still told apart.
    scores = logistic_irelief_score(X, y, alpha=1e-3)
    assert (scores < 0.0).all()
    assert np.argmax(scores) == 0
    assert np.unique(scores).size == 25


def test_copies_share_the_weight_evenly(rng):
    X, y = data(rng)
    once = logistic_irelief_score(X, y)
    # Ones in the beginning count copies: what is left is where it settles.
    twice = logistic_irelief_score(np.column_stack([X, X[:, 0]]), y)
    assert once[0] > 0.0
    assert twice[0] == twice[5]
    assert_allclose(twice[0], once[0] / 2.0, rtol=1e-4)
    assert_allclose(twice[[1, 3, 4]], once[[1, 3, 4]], atol=1e-4)


def test_features_constant_on_labelled_rows_are_last(rng):
    X, y = some_unlabelled(rng)
    X[y >= 0, 4] = 1.0
    scores = semi_logistic_irelief_score(X, y)
    assert_array_equal(np.isneginf(scores), [False, False, True, False, True])
    everything = fit_logistic_irelief(
        np.ones((4, 2)), [0, 0, 1, 1], multi_class="nearest", **OPTIONS
    )
    assert np.isneginf(everything.scores).all()
    assert everything.change == 0.0


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 1000), st.permutations(range(5)), st.permutations(range(24)))
def test_order_and_units_do_not_matter(seed, columns, order):
    X, y = some_unlabelled(np.random.default_rng(seed))
    other = (X * [0.01, 3.0, 1.0, 100.0, 7.0] + [5.0, 0.0, 1.0, -2.0, 40.0])[
        np.ix_(order, columns)
    ]
    # Few steps: where it does not settle, the last steps are those of rounding.
    for score in (logistic_irelief_score, semi_logistic_irelief_score):
        actual = score(other, y[list(order)], max_iter=4)
        expected = score(X, y, max_iter=4)[list(columns)]
        assert_allclose(actual, expected, rtol=1e-6, atol=1e-7)


def test_order_of_columns_does_not_change_a_bit(rng):
    X, y = some_unlabelled(rng)
    order = rng.permutation(5)
    for score in (logistic_irelief_score, semi_logistic_irelief_score):
        assert_array_equal(score(X[:, order], y), score(X, y)[order])


def test_row_alone_in_its_class_is_a_miss_only(rng):
    X, y = data(rng, n_classes=2)
    alone = np.append(y[:-1], 7)
    w, _ = reference.logistic_irelief(
        X.tolist(), alone.tolist(), sigma=1.0, alpha=3.0, multi_class="nearest",
        max_iter=3,
    )  # fmt: skip
    actual = fit_logistic_irelief(
        X, alone, multi_class="nearest", **OPTIONS | {"alpha": 3.0, "max_iter": 3}
    )
    assert_allclose(actual.weights, w, rtol=1e-9, atol=1e-10)


def test_features_that_compete_settle(rng):
    # Two noisy copies of the class: with full steps they swap places for ever.
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 5))
    X[:, [1, 3]] += 2.5 * y[:, None]
    fit = fit_logistic_irelief(X, y, multi_class="nearest", **OPTIONS | {"sigma": 0.3})
    assert fit.change <= 1e-6
    assert set(np.argsort(-fit.weights)[:2]) == {1, 3}


def test_features_that_matter_together_are_found_and_only_then(rng):
    found = {"true": 0, "shuffled": 0}
    for seed in range(6):
        X, y = together(seed, n_features=25)
        for name, labels in (("true", y), ("shuffled", rng.permutation(y))):
            scores = logistic_irelief_score(X, labels)
            found[name] += set(np.argsort(-scores)[:2]) == {3, 11}
    assert found == {"true": 6, "shuffled": 0}


@each_rule
def test_semi_supervised_finds_features_and_only_with_true_labels(rng, rule):
    found = {"true": 0, "shuffled": 0}
    for seed in range(6):
        draws = np.random.default_rng(seed)
        y = np.arange(150) % 3
        X = draws.normal(size=(150, 12))
        X[:, 7] += 3.0 * (y == 1)
        X[:, 2] += 3.0 * (y == 2)
        X = (X - X.mean(axis=0)) / X.std(axis=0)
        for name, labels in (("true", y), ("shuffled", rng.permutation(y))):
            few = np.where(np.arange(150) < 45, labels, -1)
            scores = semi_logistic_irelief_score(X, few, multi_class=rule)
            found[name] += set(np.argsort(-scores)[:2]) == {2, 7}
    assert found == {"true": 6, "shuffled": 0}


def test_two_rows_and_one_feature():
    # Nobody has a hit: no margin, no weight, and the slope is that of the weight alone.
    assert_array_equal(logistic_irelief_score([[0.0], [1.0]], [0, 1]), [-1.0])


@pytest.mark.parametrize(
    ("score", "arguments", "message"),
    [
        (logistic_irelief_score, {"labels": [0] * 6}, "at least two classes"),
        (logistic_irelief_score, {"sigma": 0.0}, "sigma must be a positive number"),
        (logistic_irelief_score, {"alpha": -1.0}, "alpha must be a positive number"),
        (
            logistic_irelief_score,
            {"multi_class": "nearest-neighbor"},
            "multi_class must be one of 'prior', 'nearest', got",
        ),
        (logistic_irelief_score, {"max_iter": 0}, "max_iter must be a whole number"),
        (semi_logistic_irelief_score, {"beta": 0.0}, "beta must be a positive number"),
        (semi_logistic_irelief_score, {"rho": np.inf}, "rho must be a positive number"),
        (
            semi_logistic_irelief_score,
            {"multi_class": "prior"},
            "multi_class must be one of 'one-margin-per-class', 'nearest-neighbor'",
        ),
    ],
)
def test_impossible_arguments_are_refused(score, arguments, message):
    X = np.arange(12.0).reshape(6, 2)
    with pytest.raises(ValueError, match=message):
        score(X, **{"labels": [0, 1, 0, 1, 0, 1]} | arguments)
