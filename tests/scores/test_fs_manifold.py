"""FS-manifold: each convex step is optimal, the objective falls, and by plain loops."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.svm import SVC

from pairsift.graphs import similarity_graph
from pairsift.scores import fit_fs_manifold, fs_manifold_score
from pairsift.scores._box_program import solve_machine
from pairsift.scores._fs_manifold import Machines, best_indicators, smoothness
from tests.reference import fs_manifold as reference

OPTIONS = {
    "n_indicators": 2,
    "C": 5.0,
    "rho": 2.0,
    "n_neighbors": 4,
    "tol": 1e-9,
    "max_iter": 400,
}


def shifted(seed, n_samples=50, n_features=6, n_classes=2):
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % n_classes
    X = rng.normal(size=(n_samples, n_features))
    X[:, :n_classes] += 2.0 * np.eye(n_classes)[y]
    labels = np.where(np.arange(n_samples) < 8 * n_classes, y, -1)
    return (X - X.mean(axis=0)) / X.std(axis=0), labels


def machines(seed):
    X, labels = shifted(seed)
    known = labels >= 0
    signs = 2.0 * labels[known][None, :] - 1.0
    return Machines(X[known], signs, smoothness(X, 4), 5.0, 2.0)


@pytest.mark.parametrize("cost", [0.05, 1.0, 50.0])
def test_a_machine_is_that_of_scikit_learn(rng, cost):
    X = rng.normal(size=(40, 3))
    signs = np.where(X[:, 0] + 0.5 * rng.normal(size=40) > 0, 1.0, -1.0)
    found = solve_machine(X @ X.T, signs, cost)
    svc = SVC(kernel="linear", C=cost, tol=1e-10).fit(X, signs)
    assert_allclose(X.T @ (found.alpha * signs), svc.coef_[0], rtol=1e-4, atol=1e-5)
    assert_allclose(found.bias, svc.intercept_[0], rtol=1e-4, atol=1e-5)


def test_multipliers_are_optimal_by_their_gradient(rng):
    X, cost = rng.normal(size=(20, 4)), 0.3
    signs = np.where(np.arange(20) % 3 == 0, 1.0, -1.0)
    K = X @ X.T
    a, bias = solve_machine(K, signs, cost)

    def dual(alpha):
        u = X.T @ (alpha * signs)
        return 0.5 * u @ u - alpha.sum()

    # The gradient along the constraint, by finite differences.
    gradient = [
        (dual(a + 1e-5 * e) - dual(a - 1e-5 * e)) / 2e-5 + bias * s
        for e, s in zip(np.eye(20), signs, strict=True)
    ]
    assert_allclose(gradient, signs * (K @ (a * signs)) - 1 + bias * signs, atol=1e-7)
    assert abs(a @ signs) < 1e-8
    for g, share in zip(gradient, a / cost, strict=True):
        assert g > -1e-6 or share > 1 - 1e-6
        assert g < 1e-6 or share < 1e-6


def test_weights_for_given_indicators_are_optimal(rng):
    problem = machines(0)
    p = rng.uniform(0.1, 1.0, 6)
    v, biases = problem.best_weights(p)
    best = problem.objective(v, biases, p)
    for _ in range(60):
        step = 1e-3 * rng.normal(size=(1, 7)) * rng.choice([0, 1], (1, 7))
        near = problem.objective(v + step[:, :6], biases + step[:, 6], p)
        assert near >= best - 1e-9


@pytest.mark.parametrize("n_wanted", [1, 2, 3, 5])
def test_indicators_for_given_weights_are_optimal(rng, n_wanted):
    lengths = rng.exponential(size=6) ** 2
    p = best_indicators(lengths, n_wanted)
    assert_allclose(p.sum(), n_wanted, atol=1e-6)
    assert (p > 0).all()
    assert (p <= 1).all()
    best = (lengths**2 / p).sum()
    for _ in range(200):
        # Any other point with this sum, within the bounds.
        other = rng.dirichlet(np.ones(6)) * n_wanted
        if other.max() <= 1.0:
            assert (lengths**2 / np.maximum(other, 1e-12)).sum() >= best - 1e-9
            between = 0.99 * p + 0.01 * other
            assert (lengths**2 / between).sum() >= best - 1e-9


def test_fewer_weights_than_indicators():
    assert_allclose(
        best_indicators(np.array([2.0, 0.0, 0.0, 0.0]), 2), [1, *[1 / 3] * 3]
    )
    assert_allclose(best_indicators(np.array([2.0, 1.0]), 2), [1.0, 1.0])


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("seed", [0, 1])
def test_objective_falls_and_is_that_of_the_plain_loops(seed, n_classes):
    assert_plain_objective(*shifted(seed, n_classes=n_classes))


@pytest.mark.parametrize("seed", range(4))
def test_neighbours_of_whole_numbers_are_tied(seed):
    X, labels = shifted(seed, n_features=3)
    X = np.round(X)
    # In units of their deviations, tied distances differ by rounding.
    assert_plain_objective((X - X.mean(axis=0)) / X.std(axis=0), labels)


def assert_plain_objective(X, labels):
    fit = fit_fs_manifold(X, labels, **OPTIONS)
    assert (np.diff(fit.objectives) <= 1e-9).all()
    assert fit.indicators.sum() <= 2 + 1e-6
    assert_allclose(fit.scores, np.sqrt((fit.weights**2).sum(axis=0)))
    n_classes = labels.max() + 1
    S = similarity_graph(X, n_neighbors=4, sigma="auto").tocoo()
    edges = [
        (i, j, w)
        for i, j, w in zip(S.row.tolist(), S.col.tolist(), S.data, strict=True)
        if i < j
    ]
    expected = 0.0
    for c, v in enumerate(fit.weights):
        positive = c if n_classes > 2 else 1
        signs = np.where(labels < 0, 0, np.where(labels == positive, 1, -1))
        expected += reference.objective(
            *(X.tolist(), signs.tolist(), edges, S.data.sum(), v / fit.indicators**0.5),
            *(fit.biases[c], fit.indicators, 5.0, 2.0),
        )
    assert_allclose(fit.objectives[-1], expected, rtol=1e-6)


def test_no_point_nearby_is_better_as_the_problem_is_convex(rng):
    X, labels = shifted(2)
    problem = machines(2)
    fit = fit_fs_manifold(X, labels, **OPTIONS)
    best = fit.objectives[-1]
    for _ in range(100):
        p = rng.dirichlet(np.full(6, 0.5)) * 2
        share = 10.0 ** rng.uniform(-4, -1)
        if p.max() > 1:
            continue
        p = np.maximum((1 - share) * fit.indicators + share * p, 1e-8)
        v, biases = problem.best_weights(p)
        assert problem.objective(v, biases, p) >= best * (1 - 1e-5)


def test_odd_tables():
    X, labels = shifted(0)
    X[:, 3] = 7.0
    single = np.asfortranarray(X, dtype=np.float32)
    scores = fs_manifold_score(X, labels)
    assert scores[3] == 0.0
    assert_allclose(fs_manifold_score(single, labels), scores, atol=1e-3)
    two = fs_manifold_score(np.array([[0.0, 1.0], [1.0, 1.0]]), [0, 1])
    assert_array_equal(two > 0, [True, False])
    assert_array_equal(fs_manifold_score(np.ones((4, 2)), [0, 1, 0, -1]), 0.0)


def test_impossible_options_and_sizes_are_refused(monkeypatch):
    X, labels = shifted(0)
    for name in ("C", "rho", "tol"):
        with pytest.raises(ValueError, match=f"{name} must be a positive number"):
            fs_manifold_score(X, labels, **{name: 0.0})
    with pytest.raises(ValueError, match="n_indicators=7 asks for more than the 6"):
        fs_manifold_score(X, labels, n_indicators=7)
    with pytest.warns(UserWarning, match="did not converge in 2 rounds"):
        fs_manifold_score(X, labels, n_indicators=1, max_iter=2, tol=1e-12)
    monkeypatch.setattr("pairsift.scores._fs_manifold.MAX_FEATURES", 5)
    with pytest.raises(ValueError, match="X has 6 features, and 5 are the most.*Semi"):
        fs_manifold_score(X, labels)
