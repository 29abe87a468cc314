"""Simba against algorithm 2.3 of the thesis in plain loops."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pairsift import _kernels
from pairsift.scores import simba_score
from tests.reference import irelief as reference


def data(rng, share_missing=0.0, n_classes=3):
    X = rng.normal(size=(15, 6))
    X[:, 1] = rng.integers(0, 3, size=15)
    X[:, 2] = 4.0
    X[3] = X[8]
    y = rng.permutation(np.arange(15) % n_classes)
    X[:, 0] += y
    X[rng.random(X.shape) < share_missing] = np.nan
    return X, y


def cells_of(X):
    columns = _kernels.describe_columns(X, np.zeros(X.shape[1], dtype=bool))
    cells = _kernels.as_cells(X, columns)
    return cells, _kernels.single_columns(cells)


def orders(n_rows, n_starts, seed):
    rng = np.random.default_rng(seed)
    return [rng.permutation(n_rows).tolist() for _ in range(n_starts)]


@pytest.mark.slow
@pytest.mark.parametrize("step", [0.5, 1.0])
@pytest.mark.parametrize("n_starts", [1, 4])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_weights_agree_with_plain_loops(rng, step, n_starts, n_classes):
    X, y = data(rng, n_classes=n_classes)
    expected = reference.simba(
        X, y.tolist(), orders(15, n_starts, 3), step=step, categorical=[1]
    )
    scores = simba_score(
        X,
        y,
        n_starts=n_starts,
        step=step,
        is_categorical=np.arange(6) == 1,
        random_state=3,
    )
    assert_allclose(scores, expected, rtol=1e-10, atol=1e-12)
    assert scores[2] == 0.0
    assert scores.max() == 1.0


@pytest.mark.parametrize("missing", ["probability", "ignore", "constant", "distinct"])
def test_missing_values_agree_with_plain_loops(rng, missing):
    X, y = data(rng, share_missing=0.15)
    expected = reference.simba(
        X, y.tolist(), orders(15, 3, 0), categorical=[1], missing=missing
    )
    scores = simba_score(
        X,
        y,
        n_starts=3,
        is_categorical=np.arange(6) == 1,
        missing=missing,
        random_state=0,
    )
    assert_allclose(scores, expected, rtol=1e-10, atol=1e-12)


def test_step_by_hand():
    # From row 0 the near-miss is row 2, one apart on feature 0; the near-hit is row 1,
    # one apart on feature 1. The step doubles one weight and makes the other 0.
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    y = np.array([0, 0, 1, 1])
    cells, block = cells_of(X)
    weights = np.ones(2)
    _kernels.simba_label_pass(cells, block, np.array([0]), y, 1.0, weights)
    assert_array_equal(weights, [2.0, 0.0])


def test_step_follows_finite_differences_of_the_margin(rng):
    # A short step of one row is along the gradient of its margin.
    X, y = data(rng)
    X[3] += 0.01
    cells, block = cells_of(X)
    start = rng.uniform(0.5, 1.5, size=6) * (cells.slopes > 0)
    steps = np.zeros(6)
    for row in range(15):
        moved = start.copy()
        _kernels.simba_label_pass(cells, block, np.array([row]), y, 1e-6, moved)
        steps += (moved - start) / 1e-6
    gradient = np.zeros(6)
    for f in range(6):
        up, down = start.copy(), start.copy()
        up[f] += 1e-6
        down[f] -= 1e-6
        gradient[f] = _kernels.total_label_margin(cells, block, y, up)
        gradient[f] -= _kernels.total_label_margin(cells, block, y, down)
    assert_allclose(steps, gradient / 2e-6, rtol=1e-5, atol=1e-6)


def test_row_alone_in_its_class_is_passed_over(rng):
    X, y = data(rng, n_classes=2)
    y[4] = 9
    codes = np.unique(y, return_inverse=True)[1]
    expected = reference.simba(X, codes.tolist(), orders(15, 2, 1))
    scores = simba_score(X, y, n_starts=2, random_state=1)
    assert_allclose(scores, expected, rtol=1e-10, atol=1e-12)


def test_unlabelled_rows_are_left_out(rng):
    X, y = data(rng)
    y[5:8] = -1
    X[5:8] *= 100.0
    expected = simba_score(X[y >= 0], y[y >= 0], random_state=0)
    assert_array_equal(simba_score(X, y, random_state=0), expected)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"labels": [0] * 6}, "labels must hold a class .* at least two classes"),
        ({"n_starts": 0}, "n_starts must be a whole number of at least 1"),
        ({"step": 0.0}, "step must be a positive number"),
        ({"missing": "zero"}, "missing must be one of"),
    ],
)
def test_impossible_arguments_are_refused(arguments, message):
    X = np.arange(12.0).reshape(6, 2)
    with pytest.raises(ValueError, match=message):
        simba_score(X, **{"labels": [0, 1, 0, 1, 0, 1]} | arguments)
