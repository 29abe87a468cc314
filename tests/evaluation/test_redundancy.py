import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from numpy.testing import assert_allclose

from pairsift.evaluation import (
    _redundancy,
    redundancy_rate,
    representation_entropy,
)
from pairsift.exceptions import DataError


def make_data(seed, n_samples=20, n_features=6):
    rng = np.random.default_rng(seed)
    mixing = rng.normal(size=(n_features, n_features))
    return rng.normal(size=(n_samples, n_features)) @ mixing


def entropy_reference(X):
    eigenvalues = np.linalg.eigvalsh(np.cov(X, rowvar=False))
    shares = eigenvalues / eigenvalues.sum()
    return -sum(share * math.log(share) for share in shares if share > 0)


def redundancy_reference(X, absolute):
    n_features = X.shape[1]
    total = 0.0
    for i in range(n_features):
        for j in range(i):
            a, b = X[:, i] - X[:, i].mean(), X[:, j] - X[:, j].mean()
            correlation = sum(a * b) / math.sqrt(sum(a**2)) / math.sqrt(sum(b**2))
            total += abs(correlation) if absolute else correlation
    return total / (n_features * (n_features - 1))


def test_entropy_by_hand():
    # Uncorrelated, with variances as 3 to 1.
    root = math.sqrt(3.0)
    X = np.array([[-root, -1.0], [-root, 1.0], [root, -1.0], [root, 1.0]])

    expected = -0.75 * math.log(0.75) - 0.25 * math.log(0.25)

    assert_allclose(representation_entropy(X), expected)


def test_entropy_of_even_variances_is_the_log_of_their_number():
    X = np.vstack([np.eye(5), -np.eye(5)])

    assert_allclose(representation_entropy(X), math.log(5))


def test_entropy_of_copies_is_zero():
    column = np.random.default_rng(0).normal(size=(30, 1))

    # Eigenvalues of copies vanish up to the square of a rounding.
    assert_allclose(representation_entropy(column * [1.0, -2.0, 3.0]), 0.0, atol=1e-28)


# 0.1 has a mean that is not 0.1: centring must not turn it into noise.
@pytest.mark.parametrize("X", [np.full((7, 3), 0.1), [[1.0, 2.0]], [[1.0], [2.0]]])
def test_entropy_without_two_directions_is_zero(X):
    entropy = representation_entropy(X)

    assert entropy == 0.0
    assert math.copysign(1.0, entropy) == 1.0


def test_constant_columns_add_nothing_to_the_entropy():
    X = make_data(0)

    with_constant = representation_entropy(np.column_stack([np.full(20, 0.1), X]))

    assert_allclose(with_constant, representation_entropy(X), rtol=1e-10)


@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e200])
def test_entropy_is_the_same_at_any_scale(scale):
    X = make_data(1)

    assert_allclose(representation_entropy(scale * X), entropy_reference(X), rtol=1e-10)


def test_many_more_features_than_samples():
    X = make_data(2, n_samples=5, n_features=40)

    # The reference has 36 eigenvalues that are 0 but for rounding.
    assert_allclose(representation_entropy(X), entropy_reference(X), rtol=1e-9)


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=30, deadline=None)
def test_entropy_equals_the_reference_and_ignores_order_and_shift(seed):
    X = make_data(seed)
    rng = np.random.default_rng(seed)
    shuffled = rng.permutation(X, axis=0)[:, rng.permutation(6)] + 3.0

    assert_allclose(representation_entropy(X), entropy_reference(X), rtol=1e-10)
    assert_allclose(
        representation_entropy(shuffled), representation_entropy(X), rtol=1e-10
    )


def test_redundancy_by_hand():
    # Correlations: 1 of columns 0 and 1, -1 of each with 2; 6 ordered pairs.
    X = np.array([[0.0, 0.0, 2.0], [1.0, 2.0, 1.0], [2.0, 4.0, 0.0]])

    assert_allclose(redundancy_rate(X), (1 - 1 - 1) / 6)
    assert_allclose(redundancy_rate(X, absolute=True), (1 + 1 + 1) / 6)


def test_copies_reach_one_half():
    column = np.random.default_rng(0).normal(size=(30, 1))

    assert_allclose(redundancy_rate(column * [1.0, 2.0, 3.0]), 0.5)


def test_constant_feature_has_correlation_zero():
    X = np.array([[0.0, 0.1, 0.0], [1.0, 0.1, 1.0], [4.0, 0.1, 4.0]])

    assert_allclose(redundancy_rate(X), 1 / 6)
    assert redundancy_rate(X, [0, 1]) == 0.0


@pytest.mark.parametrize("features", [[], [1]])
def test_fewer_than_two_features_give_zero(features):
    X = make_data(0)

    assert redundancy_rate(X, features) == 0.0
    assert representation_entropy(X, features) == 0.0


@given(seed=st.integers(0, 2**32 - 1), absolute=st.booleans())
@settings(max_examples=30, deadline=None)
def test_redundancy_equals_the_reference_and_ignores_order_and_scale(seed, absolute):
    X = make_data(seed)
    rng = np.random.default_rng(seed)
    rescaled = X[:, rng.permutation(6)] * rng.uniform(0.5, 2.0, size=6) + 3.0

    rate = redundancy_rate(X, absolute=absolute)

    # Signed correlations cancel: the error is that of the terms, not of the sum.
    assert_allclose(rate, redundancy_reference(X, absolute), atol=1e-13)
    assert_allclose(redundancy_rate(rescaled, absolute=absolute), rate, atol=1e-13)


@pytest.mark.parametrize("absolute", [False, True])
@pytest.mark.parametrize("block_columns", [1, 4, 6, 256])
def test_redundancy_is_the_same_for_any_block(block_columns, absolute, monkeypatch):
    X = make_data(3)
    monkeypatch.setattr(_redundancy, "_BLOCK_COLUMNS", block_columns)

    rate = redundancy_rate(X, absolute=absolute)

    assert_allclose(rate, redundancy_reference(X, absolute), rtol=1e-10)


@pytest.mark.parametrize("measure", [representation_entropy, redundancy_rate])
def test_a_subset_by_numbers_by_mask_and_by_frame(measure):
    X = make_data(4)
    mask = np.array([True, False, True, True, False, False])
    expected = measure(X[:, [0, 2, 3]])

    for subset in ([0, 2, 3], mask):
        assert_allclose(measure(X, subset), expected, rtol=1e-10)
        assert_allclose(measure(pd.DataFrame(X), subset), expected, rtol=1e-10)


@pytest.mark.parametrize("measure", [representation_entropy, redundancy_rate])
@pytest.mark.parametrize(
    ("X", "features", "message"),
    [
        (np.eye(3), [0, 3], "features must hold column numbers from 0 to 2, got 3"),
        (np.eye(3), [1, 1], "features must name each feature once, got 1 2 times"),
        (np.eye(3), [True, False], "features must be a one-dimensional list of int"),
        (np.eye(3), ["a"], "features must be a one-dimensional list of integers"),
        ([[1.0, np.inf]], None, "X must be a matrix of finite numbers"),
        ([["a", "b"]], None, "X must be a matrix of finite numbers"),
        (np.empty((0, 2)), None, "X must be a matrix of finite numbers"),
    ],
)
def test_bad_input_is_named(measure, X, features, message):
    with pytest.raises(DataError, match=message):
        measure(X, features)


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_redundancy_does_not_depend_on_the_scale(scale):
    X = np.random.default_rng(0).normal(size=(20, 5))
    assert_allclose(redundancy_rate(X * scale), redundancy_rate(X), rtol=1e-10)
