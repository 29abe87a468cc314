"""Equal numbers of continuous columns are moved apart, and nothing else."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from pairsift.information import relevance
from pairsift.scores._copies import spread_copies


@given(seed=st.integers(0, 1000), decimals=st.integers(0, 2))
def test_copies_stay_between_the_values_beside_them(seed, decimals):
    rng = np.random.default_rng(seed)
    x = np.round(rng.normal(size=30), decimals)
    spread = spread_copies(x[:, None], np.array([False]), np.zeros(30, int))[:, 0]
    assert np.unique(spread).size == (30 if np.unique(x).size > 1 else 1)
    values, places, counts = np.unique(x, return_inverse=True, return_counts=True)
    assert_array_equal(spread[counts[places] == 1], x[counts[places] == 1])
    nearest = np.abs(spread[:, None] - values).argmin(axis=1)
    assert_array_equal(nearest, places)


def test_discrete_and_constant_columns_and_numbers_without_copies_stay(rng):
    X = np.column_stack([rng.integers(0, 2, 20), np.full(20, 0.1), rng.normal(size=20)])
    assert_array_equal(
        spread_copies(X, np.array([True, False, False]), np.zeros(20, int)), X
    )


def test_estimates_of_rounded_columns_come_near_those_of_exact_ones():
    rng = np.random.default_rng(0)
    y = np.arange(300) % 2
    exact = rng.normal(size=(300, 4)) + 1.5 * y[:, None] * [0, 0, 1, 1]
    rounded = spread_copies(np.round(exact, 1), np.zeros(4, dtype=bool), y)
    expected = relevance(exact, y)
    assert np.abs(relevance(rounded, y) - expected).max() < 0.1
    assert expected[2:].min() > 0.15


def test_shifts_follow_from_the_values_alone(rng):
    X = np.round(rng.normal(size=(60, 3)), 1)
    X = np.column_stack([X, X[:, 1]])
    y, kinds = rng.integers(0, 2, 60), np.zeros(4, dtype=bool)
    expected = spread_copies(X, kinds, y)
    assert_array_equal(expected[:, 1], expected[:, 3])
    rows, columns = rng.permutation(60), rng.permutation(4)
    other = spread_copies(X[rows][:, columns], kinds, y[rows])
    assert_array_equal(other, expected[rows][:, columns])
