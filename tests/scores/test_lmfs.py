"""LMFS against plain loops, by finite differences and by its optimality conditions."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import check_grad
from threadpoolctl import threadpool_limits

from pairsift.datasets import make_pcirc, make_xor
from pairsift.scores import fit_lmfs, lmfs_score
from pairsift.scores._lmfs import (
    BOUNDS,
    LMFS_STEPS,
    _best_training,
    _errors_left_out,
    _first_steps,
    _training_set,
    fewest_steps,
    stands_out,
)
from pairsift.scores._lmfs_network import Network, best_output
from pairsift.scores._projected_newton import minimise_projected, onto_l1_ball
from tests.reference import lmfs as reference

DEFAULTS = {
    "n_hidden": 5,
    "hidden_bound": 4.0,
    "output_bound": 5.0,
    "rule": "gap",
    "emphasis": "select",
    "unlabelled": "ignore",
    "n_starts": 3,
    "n_first": 20,
    "max_iter": 2000,
    "tol": 1e-4,
    "random_state": 0,
}


def some_data(n_samples=30, n_features=4, n_classes=2):
    rng = np.random.default_rng(3)
    y = np.arange(n_samples) % n_classes
    X = rng.normal(size=(n_samples, n_features))
    X[:, 0] += 2.0 * y
    return X, y


def datasets():
    X, y = some_data()
    three, of_three = some_data(n_classes=3)
    return {
        "two classes": (X, y),
        "three classes": (three, of_three),
        "ties": (np.round(X), y),
        "constant": (np.column_stack([X, np.full(30, 0.1)]), y),
        "copies of rows": (X[np.arange(30) // 4], y[np.arange(30) // 4]),
        "one feature": (X[:, :1], y),
        "two rows": (X[:2], y[:2]),
        "single precision": (X.astype(np.float32), y),
        "Fortran order": (np.asfortranarray(X), y),
    }


DATA = datasets()


def make_network(name, n_hidden=3, output_bound=2.0):
    X, y = DATA[name]
    inputs, targets = _training_set(np.asarray(X, dtype=np.float64), y, "ignore")
    network = Network(inputs, targets, n_hidden, 2.0, output_bound)
    return network, network.start(np.random.default_rng(1))


@pytest.mark.parametrize("name", DATA)
def test_error_by_plain_loops(name):
    network, x = make_network(name)
    assert_allclose(
        network.X, reference.standardised(DATA[name][0].tolist()), atol=1e-6
    )
    Z, b = network.groups(x), x[network.n_weights :]
    H = np.tanh(network.X @ Z + b)
    W = best_output(H, network.Y, network.output_bound).weights
    c = network.Y.mean(axis=0) - H.mean(axis=0) @ W
    expected = reference.error(network.X, network.Y, Z, b, W, c)
    assert_allclose(network.error(x)[0], expected, rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("output_bound", [0.5, 2.0, 1e3])
@pytest.mark.parametrize("name", ["two classes", "three classes", "constant", "ties"])
def test_gradient_by_finite_differences(name, output_bound):
    network, x = make_network(name, output_bound=output_bound)
    difference = check_grad(
        lambda x: network.error(x)[0], lambda x: network.error(x)[1], x
    )
    assert difference < 1e-5 * max(1.0, np.linalg.norm(network.error(x)[1]))


@pytest.mark.parametrize("bound", [0.3, 1.0, 100.0])
def test_output_layer_meets_its_optimality_conditions(rng, bound):
    H, Y = rng.normal(size=(40, 4)), rng.normal(size=(40, 2))
    Y[:, 0] += 2.0 * H[:, 1]
    layer = best_output(H, Y, bound)
    gradient = (H - H.mean(axis=0)).T @ layer.residuals / 40
    norm = np.linalg.norm(layer.weights)
    assert norm <= bound * (1 + 1e-9)
    multiplier = -(gradient * layer.weights).sum() / norm**2
    assert multiplier >= -1e-12
    assert_allclose(gradient, -multiplier * layer.weights, atol=1e-10)
    assert (multiplier > 1e-6) == (bound < 2.0)


def test_a_constant_hidden_layer_has_outputs():
    layer = best_output(np.ones((5, 2)), np.array([[1.0], [1], [1], [-1], [-1]]), 1.0)
    assert_array_equal(layer.weights, np.zeros((2, 1)))


@pytest.mark.parametrize("radius", [1e-30, 0.1, 1.0, 100.0])
def test_projection_by_plain_loops(rng, radius):
    for v in (rng.normal(size=7), np.array([1.0, -1.0, 1.0]), np.array([2.0])):
        expected = reference.onto_l1_ball(v.tolist(), radius)
        assert_allclose(onto_l1_ball(v, radius), expected, atol=1e-12)


def test_minimum_of_a_parabola_in_the_ball(rng):
    # Along the axes the nearest point of the ball is the projection.
    target = rng.normal(size=20)
    found = minimise_projected(
        lambda x: (0.5 * float(((x - target) ** 2).sum()), x - target),
        lambda x: onto_l1_ball(x, 3.0),
        np.zeros(20),
        max_iter=100,
        tol=1e-9,
    )
    assert_allclose(found.x, onto_l1_ball(target, 3.0), atol=1e-8)
    assert found.optimality <= 1e-9


def test_minimum_of_a_narrow_valley():
    """Rosenbrock's function, whose minimum is inside: as without bounds."""
    from scipy.optimize import rosen, rosen_der

    found = minimise_projected(
        lambda x: (float(rosen(x)), rosen_der(x)),
        lambda x: onto_l1_ball(x, 10.0),
        np.array([-1.2, 1.0, 0.5]),
        max_iter=500,
        tol=1e-6,
    )
    assert_allclose(found.x, 1.0, atol=1e-4)
    assert (np.diff(found.values) <= 0).all()


@pytest.mark.parametrize("emphasis", ["select", "eliminate"])
@pytest.mark.parametrize("rule", ["gap", "mean"])
def test_what_stands_out_by_plain_loops(rng, rule, emphasis):
    tables = [rng.random(k) for k in (1, 2, 7, 30)]
    for G in (*tables, np.zeros(3), np.full(3, 0.1), np.array([3.0, 1.0, 0.0, 0.0])):
        expected = reference.released(G.tolist(), rule, emphasis)
        assert_array_equal(stands_out(G, rule, emphasis), expected)


def test_what_stands_out_by_hand():
    G = np.array([1.0, 0.9, 0.5, 0.02, 0.01])
    flags = {
        ("gap", "select"): [1, 1, 1, 0, 0],
        ("gap", "eliminate"): [1, 1, 1, 0, 0],
        ("mean", "select"): [1, 1, 1, 0, 0],
        ("mean", "eliminate"): [1, 1, 1, 0, 0],
    }
    for (rule, emphasis), expected in flags.items():
        assert_array_equal(
            stands_out(G, rule, emphasis), np.array(expected, dtype=bool)
        )


@pytest.mark.parametrize("name", DATA)
def test_optimality_conditions_hold_at_the_end(name):
    X, y = DATA[name]
    fit = fit_lmfs(X, y, **DEFAULTS | {"n_starts": 2})
    end = fit.end
    assert end.optimality <= 1e-4
    assert (np.diff(end.values) <= 0).all()
    assert fit.scores.sum() <= 4.0 * (1 + 1e-9)
    assert not fit.scores[~fit.is_released].any()
    assert_allclose(fit.scores, np.abs(fit.weights).sum(axis=1))
    # |∂z| ≤ λ where z = 0, ∂z = -λ sign z elsewhere, λ = 0 if the bound is not met.
    inputs, targets = _training_set(np.asarray(X, dtype=np.float64), y, "ignore")
    network = Network(inputs[:, fit.is_released], targets, 5, 4.0, 5.0)
    slopes = network.error(end.x)[1]
    z, at_z = end.x[: network.n_weights], slopes[: network.n_weights]
    assert np.abs(slopes[network.n_weights :]).max() <= 1e-4
    largest = np.abs(at_z).max() if fit.scores.sum() > 4.0 - 1e-3 else 0.0
    # A weight just above 0 may still shrink to it.
    is_in = np.abs(z) > 1e-3
    assert_allclose(at_z[is_in], -largest * np.sign(z[is_in]), atol=3e-4)


@pytest.mark.parametrize("make", [make_xor, make_pcirc])
def test_relevant_features_and_their_copies_are_released(make):
    problem = make(400, noise=0.03, random_state=7)
    fit = fit_lmfs(problem.data, problem.target, **DEFAULTS | {"n_starts": 5})
    wanted = np.union1d(problem.relevant, problem.redundant)
    assert_array_equal(np.flatnonzero(fit.is_released), wanted)


def test_outputs_for_its_own_rows_leave_the_residuals():
    network, x = make_network("three classes")
    missed = network.outputs(x, network.X) - network.Y
    assert_allclose(0.5 * (missed**2).sum() / 30, network.error(x)[0])


def test_every_feature_starts_with_an_equal_share_of_half_the_bound():
    network, x = make_network("three classes")
    assert_allclose(np.abs(network.groups(x)).sum(axis=1), 0.5 * 2.0 / 4)


def test_weights_after_some_steps_are_those_of_a_shorter_training():
    network, x = make_network("two classes")
    steps = (1, 3, 7)
    for number, found in zip(steps, network.after_steps(x, steps), strict=True):
        assert_array_equal(found, network.train(x, max_iter=number, tol=0.0).x)


def test_after_a_minimum_there_are_no_further_steps():
    network, x = make_network("two classes")
    end = network.train(x, max_iter=2000, tol=1e-12).x
    first, last = network.after_steps(end, (1, 3000))
    assert_allclose(first, end, atol=1e-6)
    assert_allclose(last, end, atol=1e-6)


def test_errors_of_rows_left_out_by_plain_training():
    X, y = some_data(9)
    inputs, targets = _training_set(X, y, "ignore")
    network = Network(inputs, targets, 2, 1.0, 5.0)
    found = _errors_left_out(network, (1.0,), (2,), np.random.default_rng(0))[0, 0]
    rng = np.random.default_rng(0)
    rows = rng.permutation(9)
    rows = np.concatenate([rows[y[rows] == 0], rows[y[rows] == 1]])
    for fold in range(3):
        out = np.sort(rows[fold::3])
        part = network.on(np.setdiff1d(np.arange(9), out))
        start = part.start(np.random.default_rng(int(rng.integers(2**32))))
        end = part.train(start, max_iter=2, tol=0.0).x
        missed = part.outputs(end, inputs[out]) - targets[out]
        assert_allclose(found[out], missed[:, 0] ** 2)


@pytest.mark.parametrize("spread", [0.0, 0.1, 1.0, 10.0])
def test_fewest_steps_within_a_standard_error_by_plain_loops(rng, spread):
    for _ in range(20):
        errors = rng.random((3, 4, 1)) + spread * rng.random((3, 4, 25))
        expected = reference.fewest_steps(errors.tolist())
        assert fewest_steps(errors) == expected


def test_fewest_steps_by_hand():
    # Of four rows: means 2, 1.5 and 1, the last with a standard error of 0.5.
    errors = np.array([[[2.0] * 4, [1.5] * 4, [0.0, 0.0, 2.0, 2.0]]])
    assert fewest_steps(errors) == (0, 1)
    errors[0, 1] += 0.01
    assert fewest_steps(errors) == (0, 2)
    assert fewest_steps(np.append(errors, errors - 0.5, axis=0)) == (1, 2)


@pytest.mark.slow
def test_few_labels_have_a_small_bound_and_features_together_a_large_one():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 20)), np.arange(30) % 2
    X[:, :4] += 2.0 * y[:, None]
    found = []
    xor = make_xor(200, random_state=0)
    for data, target in ((X, y), (xor.data, xor.target)):
        inputs, targets = _training_set(data, target, "ignore")
        network = Network(inputs, targets, 5, 1.0, 5.0)
        rng = np.random.default_rng(0)
        found.append(_best_training(network, "auto", "auto", rng))
    (bound, n_first), (larger, more) = found
    assert bound <= 1.0 < larger
    assert n_first <= 2 < 8 <= more
    assert {bound, larger} <= set(BOUNDS)
    assert {n_first, more} <= set(LMFS_STEPS)
    chosen = fit_lmfs(X, y, **DEFAULTS | {"hidden_bound": "auto", "n_first": "auto"})
    assert chosen.hidden_bound <= 1.0
    assert chosen.n_first <= 2
    assert chosen.scores.sum() <= chosen.hidden_bound * (1 + 1e-9)


def test_what_is_given_is_not_chosen():
    network, _ = make_network("two classes")
    rng = np.random.default_rng(0)
    assert _best_training(network, 3.0, 7, rng) == (3.0, 7)
    assert _best_training(network, 3.0, "auto", rng)[0] == 3.0
    assert _best_training(network, "auto", 7, rng)[1] == 7


def test_every_start_sees_half_of_the_rows_of_each_class(monkeypatch):
    X, y = some_data(9, n_classes=3)
    y[:] = [0, 0, 0, 0, 0, 0, 1, 1, 2]
    inputs, targets = _training_set(X, y, "ignore")
    network = Network(inputs, targets, 2, 1.0, 5.0)
    seen, on = [], Network.on

    def watched(self, rows):
        seen.append(rows)
        return on(self, rows)

    monkeypatch.setattr(Network, "on", watched)
    _first_steps(network, 4, 1, np.random.default_rng(0))
    for rows in seen:
        assert_array_equal(np.bincount(y[rows]), [3, 1, 1])
    assert len({tuple(rows) for rows in seen}) > 1


def test_constant_features_have_no_weight():
    X, y = DATA["constant"]
    fit = fit_lmfs(X, y, **DEFAULTS)
    assert fit.scores[4] == fit.first_scores[4] == 0.0
    assert not lmfs_score(np.ones((4, 2)), [0, 1, 0, 1]).any()


def test_unlabelled_rows_are_ignored_or_have_the_nearest_class():
    X, y = some_data(60)
    few = np.where(np.arange(60) < 20, y, -1)
    alone = fit_lmfs(X[:20], y[:20], **DEFAULTS)
    assert_array_equal(fit_lmfs(X, few, **DEFAULTS).scores, alone.scores)
    span = np.ptp(X, axis=0)
    nearest = [int(np.abs((X[:20] - row) / span).sum(axis=1).argmin()) for row in X]
    spread = fit_lmfs(X, few, **DEFAULTS | {"unlabelled": "nearest"})
    expected = fit_lmfs(X, y[nearest], **DEFAULTS)
    assert_array_equal(spread.scores, expected.scores)


def test_threads_of_products_change_nothing():
    problem = make_xor(600, random_state=0)
    results = []
    for n_threads in (1, 2):
        with threadpool_limits(n_threads, user_api="blas"):
            results.append(
                lmfs_score(problem.data, problem.target, n_starts=2, n_first=8)
            )
    assert_array_equal(*results)


def test_too_few_steps_are_told():
    X, y = DATA["two classes"]
    with pytest.warns(RuntimeWarning, match=r"after 1 steps, wanted tol=1\.0e-09"):
        lmfs_score(X, y, max_iter=1, tol=1e-9, n_starts=1)


def test_large_networks_are_refused(monkeypatch):
    X, y = DATA["two classes"]
    monkeypatch.setattr("pairsift._checks.available_memory", lambda: 1e9)
    with pytest.raises(ValueError, match=r"4 features and 1000000 hidden.*take SCGS"):
        lmfs_score(X, y, n_hidden=10**6)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rule": "box"}, "rule must be"),
        ({"emphasis": "both"}, "emphasis must be"),
        ({"unlabelled": "drop"}, "unlabelled must be"),
        ({"n_hidden": 0}, "n_hidden must be"),
        ({"n_first": 0}, "n_first must be"),
        ({"n_first": "few"}, "number or \"auto\", got 'few'"),
        ({"hidden_bound": 0.0}, "hidden_bound must be"),
        ({"hidden_bound": "best"}, "number or \"auto\", got 'best'"),
        ({"output_bound": -1.0}, "output_bound must be"),
        ({"tol": 0.0}, "tol must be"),
    ],
)
def test_wrong_options_are_refused(options, message):
    X, y = DATA["two classes"]
    with pytest.raises(ValueError, match=message):
        lmfs_score(X, y, **options)
