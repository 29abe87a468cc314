"""Entropy against theory and the thesis in plain loops."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from pairsift.information import entropy
from tests.reference import information as reference


def test_discrete_entropy_by_hand():
    assert entropy([1, 1, 1, 1]) == 0.0
    assert_allclose(entropy([0, 1, 2, 0, 1, 2]), np.log(3), rtol=1e-14)
    assert_allclose(entropy(["b", "a", "b", "b"]), 2 * np.log(2) - 0.75 * np.log(3))
    # Two columns have the entropy of their pairs.
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [0, 0], [0, 1], [1, 0], [1, 1]])
    assert_allclose(entropy(X), np.log(4), rtol=1e-14)


@pytest.mark.slow
@pytest.mark.parametrize("k", [1, 3, 50])
@pytest.mark.parametrize("shape", [(2, 1), (30, 1), (30, 3)])
def test_continuous_entropy_is_equation_6_15(rng, k, shape):
    X = rng.normal(size=shape) * [1.0, 20.0, 0.01][: shape[1]]
    spread = reference.spreads(X.tolist())
    expected = reference.continuous_entropy(X.tolist(), k, spread)
    expected += np.log(spread).sum()
    found = entropy(X, discrete_features=False, n_neighbors=k)
    assert_allclose(found, expected, rtol=1e-10)


@pytest.mark.parametrize("n_features", [1, 3])
def test_error_on_uniforms_and_gaussians_shrinks(n_features):
    sides = np.array([0.5, 4.0, 10.0])[:n_features]
    normal = 0.5 * np.log(2 * np.pi * np.e) * n_features
    errors = []
    for n in (100, 1000, 10_000):
        found = []
        for seed in range(6):
            rng = np.random.default_rng(seed)
            uniform = entropy(rng.uniform(0.0, sides, size=(n, n_features)))
            gaussian = entropy(rng.normal(size=(n, n_features)))
            found.append([uniform - np.log(sides).sum(), gaussian - normal])
        errors.append(np.sqrt(np.mean(np.square(found), axis=0)))
    assert (errors[0] > errors[1]).all()
    assert (errors[1] > errors[2]).all()
    # The third column of a cube has a bias from its faces that falls like n^(-1/3).
    assert errors[2].max() < 0.02 * n_features**2


def test_mixed_entropy_is_equation_6_12(rng):
    x = rng.integers(0, 3, size=40)
    z = rng.normal(size=40) * 5.0
    spread = reference.spreads(z[:, None].tolist())
    expected = reference.discrete_entropy(x.tolist()) + np.log(spread[0])
    for value in range(3):
        cell = z[x == value][:, None].tolist()
        expected += len(cell) / 40 * reference.continuous_entropy(cell, 6, spread)
    found = entropy(np.column_stack([z, x]), discrete_features=np.array([False, True]))
    assert_allclose(found, expected, rtol=1e-10)


def test_units_add_their_logarithm(rng):
    X = rng.normal(size=(50, 2))
    assert_allclose(entropy(X * [8.0, 1.0]), entropy(X) + np.log(8.0), rtol=1e-12)


def test_a_constant_is_certain():
    assert entropy(np.ones((9, 2))) == 0.0
    X = np.column_stack([np.arange(9.0), np.ones(9)])
    assert entropy(X, discrete_features=False) == -np.inf


def test_copies_are_told(rng):
    X = np.repeat(rng.normal(size=(5, 1)), 20, axis=0)
    with pytest.warns(UserWarning, match="100% of the distances"):
        entropy(X, discrete_features=False)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([0.1, np.nan], "X contains missing values"),
        (["a", None], "X contains missing values"),
        ([[0.1], [np.inf]], "X contains infinity"),
        ([], "X must have rows and columns"),
    ],
)
def test_impossible_values_are_refused(X, message):
    with pytest.raises(ValueError, match=message):
        entropy(X)
