"""Equal numbers of continuous columns are moved apart, and nothing else."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

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


@pytest.mark.parametrize("least", [0, -1])
def test_shifts_of_equal_rows_do_not_follow_from_the_names_of_classes(rng, least):
    X = np.round(rng.normal(size=(20, 2)), 1)
    X, y = np.vstack([X, X, X]), rng.integers(least, 3, 60)
    kinds, names = np.zeros(2, dtype=bool), np.array([2, 0, 1, -1])
    expected, rows = spread_copies(X, kinds, y), rng.permutation(60)
    assert_array_equal(spread_copies(X, kinds, names[y]), expected)
    other = spread_copies(X[rows], kinds, names[y[rows]])
    # Rows that are equal, of equal labels, may have changed places.
    order, expected = (
        np.lexsort((*other.T, y[rows])),
        expected[np.lexsort((*expected.T, y))],
    )
    assert_array_equal(other[order], expected)


def test_shifts_are_in_the_units_of_the_column(rng):
    X = np.round(rng.normal(size=(60, 3)), 1)
    y, kinds = rng.integers(0, 2, 60), np.zeros(3, dtype=bool)
    expected = spread_copies(X, kinds, y)
    twice = spread_copies(X * [2.0, 0.25, 1024.0], kinds, y)
    assert_array_equal(twice, expected * [2.0, 0.25, 1024.0])
    other = spread_copies(X * [3.0, 0.1, 7.0] + [100.0, -2.0, 0.3], kinds, y)
    assert_allclose(other, expected * [3.0, 0.1, 7.0] + [100.0, -2.0, 0.3], rtol=1e-12)


def test_columns_whose_values_repeat_alike_have_shifts_of_their_own(rng):
    x = np.repeat(np.arange(10.0), 3)
    X = np.column_stack([x, rng.permutation(x), rng.permutation(x)])
    shifts = spread_copies(X, np.zeros(3, dtype=bool), np.zeros(30, int)) - X
    assert np.abs(np.corrcoef(shifts.T) - np.eye(3)).max() < 0.5
