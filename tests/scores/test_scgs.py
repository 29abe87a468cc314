"""SCGS: the solution is optimal, and known in special cases."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import Lasso, MultiTaskLasso

from pairsift.graphs import similarity_graph
from pairsift.scores import scgs_score
from pairsift.scores._scgs import WORKING_SET, fit_scgs
from tests.reference import scgs as reference


def datasets(rng):
    X = rng.random(size=(20, 5))
    yield "random", X
    yield "ties", np.round(2 * X)
    yield "constant", np.column_stack([np.full(20, 0.1), X])
    yield "duplicated rows", X[np.arange(20) // 2]
    yield "one feature", X[:, :1]
    yield "other units", X * [1e-3, 1.0, 1e3, 10.0, 1.0] + 100.0
    yield "more features than rows", rng.random(size=(12, 30))


CASES = dict(datasets(np.random.default_rng(0)))
PAIRS = [(0, 3), (1, 4), (7, 9)], [(0, 1), (2, 3), (5, 8), (6, 7)]


def fit(X, labels, S=None, pairs=(None, None), **options):
    defaults = {
        "alpha": 0.1,
        "beta": 1.0,
        "gamma": 1.0,
        "penalty": "l1",
        "max_iter": 100_000,
        "tol": 1e-13,
    }
    must_link, cannot_link = pairs
    return fit_scgs(
        X,
        labels,
        S,
        must_link=must_link,
        cannot_link=cannot_link,
        **(defaults | options),
    )


@pytest.mark.slow
@pytest.mark.parametrize("pairs", [(None, None), PAIRS], ids=["labels", "pairs"])
@pytest.mark.parametrize("penalty", ["l1", "l21"])
@pytest.mark.parametrize("name", CASES)
def test_weights_are_optimal(rng, name, penalty, pairs):
    X = CASES[name]
    labels = np.arange(len(X)) % 4 - 1
    S = similarity_graph(X, n_neighbors=3, sigma="auto")
    options = {"beta": 0.7, "gamma": 1.3}
    links = reference.all_pairs(labels.tolist()) if pairs[0] is None else pairs
    A, C = reference.quadratic(X, labels.tolist(), S.toarray(), *links, **options)
    for alpha in (0.01, 0.3, 1.0):
        actual = fit(X, labels, S, pairs, alpha=alpha, penalty=penalty, **options)
        threshold = alpha * reference.largest_threshold(C, penalty)
        assert actual.gap <= 1e-13
        assert reference.violation(A, C, actual.coef, penalty, threshold) < 1e-5
        best = reference.solve(A, C, penalty, threshold, n_sweeps=500)
        value = reference.objective(A, C, actual.coef, penalty, threshold)
        expected = reference.objective(A, C, best, penalty, threshold)
        assert value <= expected + 1e-10 * abs(expected) + 1e-12


@pytest.mark.parametrize("penalty", ["l1", "l21"])
def test_scores_are_norms_and_then_nearness(rng, penalty):
    X = np.column_stack([rng.random(size=(30, 6)), np.full(30, 0.7)])
    labels = np.arange(30) % 3
    A, C = reference.quadratic(X, labels.tolist(), None, [], [], 0, 0)
    threshold = 0.5 * reference.largest_threshold(C, penalty)
    W = reference.solve(A, C, penalty, threshold)
    gradient = np.abs(A @ W - C)
    size = gradient.max(axis=1)
    if penalty == "l21":
        size = np.linalg.norm(gradient, axis=1)
    norm = np.linalg.norm(W, axis=1)
    expected = np.where(norm > 0, norm, size / threshold - 1)
    expected[6] = -np.inf
    actual = scgs_score(X, labels, alpha=0.5, beta=0, penalty=penalty, tol=1e-15)
    assert (norm > 0).any()
    assert ((norm == 0) & (size > 0)).any()
    assert_allclose(actual, expected, rtol=1e-6, atol=1e-10)
    assert (actual[norm == 0] <= 0).all()
    assert (actual[:6] >= -1).all()


@pytest.mark.parametrize("shape", [(40, 10), (15, 60)])
@pytest.mark.parametrize("alpha", [0.5, 0.05])
def test_without_pairs_and_graph_it_is_the_lasso(rng, shape, alpha):
    X = rng.normal(size=shape)
    labels = np.arange(len(X)) % 3
    X[:, 0] += labels
    Y = np.eye(3)[labels]
    centred = X - X.mean(axis=0)
    options = {"alpha": alpha, "beta": 0, "gamma": 0, "tol": 1e-14}
    C = centred.T @ Y / len(X)
    model = Lasso(alpha * np.abs(C).max(), tol=1e-14, max_iter=100_000)
    expected = [model.fit(X, column).coef_ for column in Y.T]
    assert_allclose(fit(X, labels, **options).coef.T, expected, atol=1e-6)
    largest = np.linalg.norm(C, axis=1).max()
    model = MultiTaskLasso(alpha * largest, tol=1e-14, max_iter=100_000).fit(X, Y)
    actual = fit(X, labels, penalty="l21", **options).coef.T
    assert_allclose(actual, model.coef_, atol=1e-6)


def test_unlabelled_rows_matter_only_through_the_graph(rng):
    X = rng.random(size=(30, 4))
    labels = np.arange(30) % 3 - 1
    known = labels >= 0
    without = fit(X, labels, beta=1.0)
    assert_allclose(without.coef, fit(X[known], labels[known]).coef, atol=1e-6)
    with_graph = fit(X, labels, similarity_graph(X)).coef
    assert np.abs(with_graph - without.coef).max() > 1e-3
    assert_allclose(
        fit(X, labels, similarity_graph(X), gamma=0).coef, without.coef, atol=1e-6
    )


@pytest.mark.parametrize("penalty", ["l1", "l21"])
def test_all_pairs_of_labels_need_not_be_listed(rng, penalty):
    X = rng.random(size=(25, 8))
    labels = rng.integers(-1, 4, size=25)
    links = reference.all_pairs(labels.tolist())
    S = similarity_graph(X)
    listed = fit(X, labels, S, links, penalty=penalty)
    assert_allclose(fit(X, labels, S, penalty=penalty).coef, listed.coef, atol=1e-6)


def test_no_pairs_leave_the_term_out(rng):
    X, labels = rng.random(size=(20, 5)), np.arange(20) % 2
    expected = fit(X, labels, beta=0).coef
    assert_allclose(fit(X, labels, pairs=((), ())).coef, expected, atol=1e-7)
    assert np.abs(fit(X, labels, pairs=([(0, 2)], None)).coef - expected).max() > 1e-4
    assert np.abs(fit(X, labels, pairs=(None, [(0, 1)])).coef - expected).max() > 1e-4


def test_two_classes_that_are_told_apart_keep_their_cannot_links():
    # The outputs of both ends lie on opposite sides of the middle, however unequal the
    # classes: the term is 0, and does not shrink the weights.
    X = np.array([[-1.0], [-1.0], [-1.0], [-1.0], [1.0]])
    labels = [0, 0, 0, 0, 1]
    cannot = [(i, 4) for i in range(4)]
    expected = fit(X, labels, beta=0).coef
    assert_allclose(fit(X, labels, pairs=([], cannot), beta=50.0).coef, expected)


def test_scale_of_data_and_graph_only_scales_the_weights(rng):
    X, labels = rng.random(size=(30, 6)), np.arange(30) % 3
    S = similarity_graph(X)
    expected = fit(X, labels, S).coef
    assert_allclose(fit(1000.0 * X, labels, S).coef * 1000.0, expected, atol=1e-6)
    assert_allclose(fit(X, labels, S * 1e-300).coef, expected, atol=1e-6)


def test_more_features_than_the_working_set(rng):
    X = rng.normal(size=(40, 5 * WORKING_SET))
    labels = np.arange(40) % 2
    X[:, 77] += 3 * labels
    S = similarity_graph(X, sigma="auto")
    links = reference.all_pairs(labels.tolist())
    A, C = reference.quadratic(X, labels.tolist(), S.toarray(), *links, 1.0, 1.0)
    for penalty in ("l1", "l21"):
        actual = fit(X, labels, S, alpha=0.05, penalty=penalty, tol=1e-12)
        threshold = 0.05 * reference.largest_threshold(C, penalty)
        assert reference.violation(A, C, actual.coef, penalty, threshold) < 1e-4
        assert actual.scores.argmax() == 77
        assert 0 < (actual.scores > 0).sum() < 5 * WORKING_SET


def test_copies_of_a_feature_get_the_same_weights(rng):
    X = rng.normal(size=(30, 80))
    labels = np.arange(30) % 2
    X[:, 7] += labels
    scores = scgs_score(np.hstack([X, X, X]), labels)
    assert_allclose(scores[:80], scores[80:160], rtol=1e-8, atol=1e-12)
    assert_allclose(scores[:80], scores[160:], rtol=1e-8, atol=1e-12)


def test_opposite_features_do_not_stop_the_solver(rng):
    # Their sum is 0, from which no largest eigenvalue can be found.
    x = rng.normal(size=(20, 1))
    X, labels = np.hstack([x, -x]), (x[:, 0] > 0).astype(int)
    scores = scgs_score(X, labels)
    assert (scores > 0).all()
    assert_allclose(scores[0], scores[1], rtol=1e-8)


def test_feature_that_labelled_rows_do_not_see_has_no_weight(rng):
    X = rng.random(size=(20, 2))
    labels = np.where(np.arange(20) < 10, np.arange(20) % 2, -1)
    X[:10, 1] = 0.1
    assert_array_equal(scgs_score(X[:, 1:], labels), [-1.0])
    scores = scgs_score(X, labels, similarity_graph(X))
    assert scores[0] > 0
    assert scores[1] <= 0


def test_the_largest_penalty_leaves_no_weights(rng):
    X, labels = rng.random(size=(20, 5)), np.arange(20) % 2
    for penalty in ("l1", "l21"):
        actual = fit(X, labels, alpha=1.0, penalty=penalty)
        assert not actual.coef.any()
        assert_allclose(actual.scores.max(), 0.0, atol=1e-12)
        assert fit(X, labels, alpha=0.999, penalty=penalty).coef.any()


def test_too_few_steps_are_warned_of(rng):
    X, labels = rng.random(size=(20, 5)), np.arange(20) % 2
    with pytest.warns(RuntimeWarning, match="duality gap is .* after 3 steps, wanted"):
        scgs_score(X, labels, alpha=0.01, max_iter=3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scgs_score(X, labels, alpha=0.01)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"penalty": "l2"}, "penalty must be one of 'l1', 'l21', got 'l2'"),
        ({"max_iter": 0}, "max_iter must be a whole number of at least 1, got 0"),
        ({"alpha": 0.0}, "alpha must be a number above 0, got 0.0"),
        ({"tol": np.inf}, "tol must be a number above 0, got inf"),
        ({"beta": -1.0}, "beta must be a number of at least 0, got -1.0"),
        ({"gamma": np.nan}, "gamma must be a number of at least 0, got nan"),
        ({"must_link": [(0, 4)]}, r"must_link pair \(0, 4\) is out of range"),
        ({"S": np.ones((3, 3))}, "S must have one row and column for each of the 4"),
        ({"S": np.zeros((4, 4))}, "joins no two rows .*sigma larger"),
        ({"labels": [0, 0, -1, 0]}, "labels must hold .* two classes, got"),
        ({"labels": [0, 1, 1]}, "labels must hold .* two classes, got"),
        ({"X": np.full((4, 2), np.nan)}, "X contains NaN"),
        ({"X": np.eye(4) * 1e200}, "squares overflow: scale it first"),
    ],
)
def test_input_that_cannot_be_scored_is_refused(rng, options, message):
    arguments = {"X": rng.random(size=(4, 2)), "labels": [0, 0, 1, 1]} | options
    with pytest.raises(ValueError, match=message), np.errstate(over="ignore"):
        scgs_score(**arguments)
