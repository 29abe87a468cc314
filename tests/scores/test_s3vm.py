"""The semi-supervised machine: optimality of each step, descent, and by hand."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pairsift.scores import fit_s3vm, s3vm_score
from pairsift.scores._s3vm import even_multipliers, slope, solve_program
from tests.reference import s3vm as reference

OPTIONS = {"C": 3.0, "unlabelled": 1.0}


def shifted(seed, n_samples=60, n_features=6, n_classes=2):
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % n_classes
    X = rng.normal(size=(n_samples, n_features))
    X[:, :n_classes] += 3.0 * np.eye(n_classes)[y]
    labels = np.where(np.arange(n_samples) < 4 * n_classes, y, -1)
    return (X - X.mean(axis=0)) / X.std(axis=0), labels


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("is_held", [False, True])
def test_a_step_is_optimal_by_duality(seed, is_held):
    rng = np.random.default_rng(seed)
    X, _ = shifted(seed)
    signs, costs = rng.choice([-1.0, 1.0], 60), rng.uniform(0.01, 0.3, 60)
    is_free = np.arange(60) > 20
    held = (is_free, 0.2) if is_held else ()
    found = solve_program(X, signs, costs, *held)
    f = X @ found.weights + found.bias
    hinge = np.maximum(0.0, 1.0 - signs * f)
    assert_allclose(found.objective, np.abs(found.weights).sum() + costs @ hinge)
    # Any multipliers within these bounds prove a lower bound of all objectives.
    free = is_free if is_held else np.zeros(60, dtype=bool)
    assert_is_proof(found, X, signs, costs, free)
    assert_is_proof(
        even_multipliers(found, X, signs, costs, free), X, signs, costs, free
    )
    if is_held:
        assert_allclose(f[is_free].mean(), 0.2, atol=1e-8)


def assert_is_proof(found, X, signs, costs, free):
    a = found.multipliers
    assert (a >= -1e-9).all()
    assert (a <= costs + 1e-9).all()
    assert_allclose(a @ signs + found.balance, 0.0, atol=1e-9)
    slopes = slope(X, signs, free, found)
    assert (np.abs(slopes) <= 1.0 + 1e-7).all()
    assert_allclose(a.sum() + 0.2 * found.balance, found.objective, rtol=1e-7)
    # Weights lie along the steepest slopes.
    has_weight = found.weights != 0.0
    assert_allclose(slopes[has_weight], np.sign(found.weights[has_weight]), atol=1e-6)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_objective_falls_and_is_the_one_of_the_plain_loops(seed, n_classes):
    X, labels = shifted(seed, n_classes=n_classes)
    fit = fit_s3vm(X, labels, **OPTIONS)
    assert len(fit.objectives) == len(fit.weights) == (3 if n_classes == 3 else 1)
    for c, values in enumerate(fit.objectives):
        assert (np.diff(values) <= 1e-7 * values[:-1]).all()
        positive = c if n_classes == 3 else 1
        signs = np.where(labels < 0, 0, np.where(labels == positive, 1, -1))
        expected = reference.objective(
            X.tolist(), signs.tolist(), fit.weights[c], fit.biases[c], 3.0, 1.0
        )
        assert_allclose(values[-1], expected, rtol=1e-6)


def test_a_small_change_does_not_help():
    X, labels = shifted(1)
    fit = fit_s3vm(X, labels, **OPTIONS)
    signs = np.where(labels < 0, 0, 2 * labels - 1)
    w, b = fit.weights[0], fit.biases[0]
    best = reference.objective(X.tolist(), signs, w, b, 3.0, 1.0)
    mean = X[labels < 0].mean(axis=0)
    rng = np.random.default_rng(0)
    for _ in range(40):
        step = 1e-4 * rng.normal(size=w.size) * rng.choice([0, 1], w.size)
        # Along the constraint that holds the classes in balance.
        near = reference.objective(
            X.tolist(), signs, w + step, b - mean @ step, 3.0, 1.0
        )
        assert near >= best - 1e-9


def test_by_hand_one_feature_two_rows():
    # At w = 1 both rows are on their margin: |w| costs 1, and nothing else is cheaper.
    fit = fit_s3vm(np.array([[1.0], [3.0]]), [0, 1], **OPTIONS)
    assert_allclose(fit.weights, [[1.0]])
    assert_allclose(fit.objectives[0], [1.0])
    # With C below 1 the margin is not worth a weight; the slope is C.
    little = fit_s3vm(np.array([[1.0], [3.0]]), [0, 1], C=0.4, unlabelled=1.0)
    assert_array_equal(little.weights, [[0.0]])
    assert_allclose(little.scores, [-0.6])


def test_without_weights_features_are_ranked_by_the_means_of_the_classes():
    # One row of five is not worth a weight. The others are all on their margin.
    X = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [2.0, 1.0, 0.0]] * 3)
    X = np.vstack([X, [[2.0, 2.0, 0.1]]])
    labels = [0] * 9 + [1]
    fit = fit_s3vm(X, labels, C=1.0, unlabelled=1.0)
    assert_array_equal(fit.weights, 0.0)
    apart = (X[9] - X[:9].mean(axis=0)) / X.std(axis=0)
    assert_allclose(fit.scores, np.abs(apart) / 10 - 1)


@pytest.mark.parametrize("share", [0.2, 1.0])
@pytest.mark.parametrize("seed", range(5))
def test_order_of_rows_does_not_matter(seed, share):
    rng = np.random.default_rng(seed)
    y = np.arange(40) % 4 // 3
    X = np.round(rng.normal(size=(40, 5)) + y[:, None])
    labels = np.where(np.arange(40) < 40 * share, y, -1)
    order = rng.permutation(40)
    expected = s3vm_score(X, labels)
    assert_allclose(s3vm_score(X[order], labels[order]), expected, atol=1e-7)


def test_unlabelled_rows_leave_the_margin():
    X, labels = shifted(0)
    others = X[labels < 0]

    def mean_cost(unlabelled):
        fit = fit_s3vm(X, labels, C=3.0, unlabelled=unlabelled)
        f = others @ fit.weights[0] + fit.biases[0]
        return np.maximum(0.0, 1.0 - np.abs(f)).mean()

    assert mean_cost(1.0) < mean_cost(1e-6)


def test_constant_columns_two_rows_and_float32():
    X = np.array([[0.0, 5.0], [1.0, 5.0]])
    assert s3vm_score(X, [0, 1]).argmax() == 0
    assert s3vm_score(X, [0, 1])[1] == -1.0
    X, labels = shifted(0)
    single = np.asfortranarray(X, dtype=np.float32)
    assert_allclose(s3vm_score(single, labels), s3vm_score(X, labels), atol=1e-4)


def test_impossible_options_and_too_many_cells_are_refused(monkeypatch):
    X, labels = shifted(0)
    with pytest.raises(ValueError, match="C must be a positive number"):
        s3vm_score(X, labels, C=0)
    with pytest.raises(ValueError, match="unlabelled must be a positive number"):
        s3vm_score(X, labels, unlabelled=-1.0)
    monkeypatch.setattr("pairsift.scores._s3vm.MAX_CELLS", 100)
    with pytest.raises(ValueError, match="X has 360 cells, and 100 are the most.*SCGS"):
        s3vm_score(X, labels)
