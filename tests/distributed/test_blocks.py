"""Merging: in one shape, in any grouping, over all rows or some."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix

from pairsift._blocks import OneBlock, SomeRows, Tree, extremes_of, merged
from pairsift.scores._associations import VarianceParts
from pairsift.scores._variance import _moments_of_groups, merge_moments


@pytest.mark.parametrize("n_states", range(1, 12))
def test_neighbours_are_merged_pairwise_and_in_order(n_states):
    def merge(first, later):
        return f"({first}{later})"

    level = [chr(97 + i) for i in range(n_states)]
    tree = Tree(merge)
    for state in level:
        tree.add(state)
    while len(level) > 1:
        pairs = [level[i : i + 2] for i in range(0, len(level), 2)]
        level = [merge(*pair) if len(pair) == 2 else pair[0] for pair in pairs]
    assert tree.top() == level[0]


def test_moments_are_merged_in_any_grouping_and_order():
    rng = np.random.default_rng(0)
    X = 1e6 + rng.normal(size=(30, 3))
    X[:, 1] = 0.1
    codes = rng.integers(-1, 3, 30)
    a, b, c = (
        _moments_of_groups(X[rows], 0, codes[rows], 3, X[0])
        for rows in (slice(0, 4), slice(4, 5), slice(5, 30))
    )
    whole = _moments_of_groups(X, 0, codes, 3, X[0])
    for found in (
        merge_moments(merge_moments(a, b), c),
        merge_moments(a, merge_moments(b, c)),
        merge_moments(merge_moments(c, a), b),
    ):
        for state, expected in zip(found, whole, strict=True):
            # Of numbers around 10⁶, differences are known to 10⁻¹⁰.
            assert_allclose(state, expected, rtol=1e-8, atol=1e-9)
        assert_array_equal(found.scatters[:, 1], 0.0)


def test_variances_between_classes_are_merged_in_any_grouping():
    rng = np.random.default_rng(1)
    X, shares = rng.normal(size=(20, 3)), rng.dirichlet(np.ones(2), 20)
    kinds = csr_matrix(rng.integers(0, 2, 20) == np.arange(2)[:, None], dtype=float)
    parts = [slice(0, 0), slice(0, 1), slice(1, 9), slice(9, 20)]
    states = [VarianceParts.of(X[p], kinds[:, p], shares[p]) for p in parts]
    whole = VarianceParts.of(X, kinds, shares)
    for order in (states, states[::-1]):
        found = merged(order, VarianceParts.then)
        for state, expected in zip(found, whole, strict=True):
            assert_allclose(state, expected, rtol=1e-10, atol=1e-12)


def test_extremes_of_columns_without_a_known_value_are_zero():
    X = np.array([[np.nan, 2.0], [np.nan, 5.0]])
    found = extremes_of(X[:0]).then(extremes_of(X)).known()
    assert_array_equal(found.low, [0.0, 2.0])
    assert_array_equal(found.high, [0.0, 5.0])
    assert_array_equal(found.n_missing, [2, 0])


def _sum(X, first_row, numbers):
    return X.sum(axis=0), first_row, numbers


def test_some_rows_are_counted_among_themselves():
    X = np.arange(12.0).reshape(6, 2)
    rows = SomeRows(OneBlock(X), np.array([1, 4, 5]))
    total, first_row, numbers = rows.reduce(_sum, max, by_row=np.array([7, 8, 9]))
    assert rows.shape == (3, 2)
    assert_array_equal(total, X[[1, 4, 5]].sum(axis=0))
    assert first_row == 0
    assert_array_equal(numbers, [7, 8, 9])
    assert_array_equal(rows.rows(np.array([2, 0])), X[[5, 1]])
    assert_array_equal(rows.extremes.low, [2.0, 3.0])
