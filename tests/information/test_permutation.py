"""Thresholds of chance."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pairsift.information import mutual_information, permutation_threshold, relevance


def test_threshold_is_the_quantile_of_shuffled_estimates(rng):
    X, y = rng.normal(size=(50, 2)), np.arange(50) % 2
    draws = np.random.default_rng(3)
    estimates = [
        mutual_information(X[draws.permutation(50)], y, n_neighbors=3) for _ in range(9)
    ]
    options = {"n_permutations": 9, "random_state": 3, "n_neighbors": 3}
    for quantile in (0.0, 0.5, 0.95, 1.0):
        found = permutation_threshold(X, y, quantile=quantile, **options)
        assert_allclose(found, np.quantile(estimates, quantile), rtol=1e-12)


def test_one_column_is_shuffled_alone(rng):
    X = rng.normal(size=(60, 3))
    y = X[:, 0] > 0
    seen = []

    def record(X, y):
        seen.append(X.copy())
        return 0.0

    before = X.copy()
    permutation_threshold(X, y, permuted=1, statistic=record, n_permutations=4)
    assert_array_equal(X, before)
    for shuffled in seen:
        assert_array_equal(shuffled[:, [0, 2]], X[:, [0, 2]])
        assert (shuffled[:, 1] != X[:, 1]).any()
        assert_array_equal(np.sort(shuffled[:, 1]), np.sort(X[:, 1]))
    assert len(seen) == 4


def test_columns_shuffled_together_stay_together(rng):
    X = np.column_stack([np.arange(30.0), np.arange(30.0) ** 2, rng.normal(size=30)])

    def check(X, y):
        assert_array_equal(X[:, 0] ** 2, X[:, 1])
        return 0.0

    assert permutation_threshold(X, X[:, 2], permuted=[0, 1], statistic=check) == 0.0
    assert permutation_threshold(X, X[:, 2], statistic=check) == 0.0


def test_relevance_has_a_threshold_for_each_column(rng):
    X, y = rng.normal(size=(100, 3)), np.arange(100) % 2
    options = {"n_permutations": 20, "random_state": 0}
    found = permutation_threshold(X, y, statistic=relevance, **options)
    assert found.shape == (3,)
    alone = permutation_threshold(X[:, [1]], y, **options)
    assert_allclose(found[1], alone, rtol=1e-10)


@pytest.mark.slow
def test_chance_exceeds_the_threshold_about_as_often_as_asked():
    rng = np.random.default_rng(0)
    n_above = 0
    for _ in range(60):
        X, y = rng.normal(size=(40, 1)), rng.integers(0, 2, size=40)
        threshold = permutation_threshold(
            X, y, n_permutations=40, quantile=0.8, random_state=rng
        )
        n_above += mutual_information(X, y) > threshold
    # 12 expected, with a standard deviation of 3.
    assert 4 <= n_above <= 20


def test_copies_are_not_told_for_each_permutation(rng):
    X = np.repeat(rng.normal(size=(10, 1)), 10, axis=0)
    y = np.arange(100) % 2
    permutation_threshold(X, y, discrete_features=False, n_permutations=2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_permutations": 0}, "n_permutations must be a whole number of at least 1"),
        ({"quantile": 95}, "quantile must be a number from 0 to 1, got 95"),
        ({"permuted": 2}, "permuted must hold column numbers from 0 to 1, got 2"),
        ({"permuted": []}, "permuted must hold column numbers"),
        ({"permuted": "a"}, "permuted must hold column numbers from 0 to 1, got 'a'"),
        ({"random_state": "seed"}, "random_state must be a seed"),
    ],
)
def test_impossible_arguments_are_refused(arguments, message):
    X, y = np.arange(8.0).reshape(4, 2), [0, 1, 0, 1]
    with pytest.raises(ValueError, match=message):
        permutation_threshold(X, y, **arguments)
