"""Unsupervised mRMR against plain loops, and what holds whatever the data."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from pairsift.scores import _associations as associations, unsupervised_mrmr_path
from tests.reference import semi_mrmr as reference
from tests.scores.information_data import as_columns
from tests.scores.test_semi_mrmr import DATA, kinds


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("share", [1.0, 0.5])
def test_path_agrees_with_plain_loops(name, share):
    X, mask = DATA[name], kinds(name)
    n_steps = max(1, int(share * X.shape[1]))
    found = unsupervised_mrmr_path(X, n_features=n_steps, is_categorical=mask)
    expected = reference.unsupervised_mrmr(as_columns(X), mask.tolist(), n_steps)
    assert_array_equal(found[0], expected[0])
    assert_allclose(found[1], expected[1], rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("shape", [(40, 7), (7, 40)])
def test_blocks_change_nothing(shape, rng, monkeypatch):
    """More rows than columns or fewer, one block or many."""
    X = rng.normal(size=shape) + rng.normal(size=(shape[0], 1))
    table = associations.RankAssociations(X, np.zeros(shape[1], dtype=bool))
    squared = np.corrcoef(table.ranks) ** 2
    expected = (squared.sum(axis=0) - 1.0) / (shape[1] - 1)
    assert_allclose(table.mean_squares(), expected, rtol=1e-10)
    monkeypatch.setattr(associations, "PRODUCT_CELLS", 90)
    assert_allclose(table.mean_squares(), expected, rtol=1e-10)


def test_known_by_hand():
    # ρ of columns 0 and 1 is 0.8, a constant has none: the means are 0.32, 0.32 and 0.
    X = np.array([[1, 1, 7], [2, 2, 7], [3, 4, 7], [4, 3, 7]], dtype=float)
    # Of four rows, chance alone makes as much: 1 - (1 - 0.32) * 3 / 2 is below 0.
    assert_array_equal(unsupervised_mrmr_path(X)[1], np.zeros(3))
    order, values = unsupervised_mrmr_path(np.vstack([X, X]))
    relevance = 1 - (1 - 0.32) * 7 / 6
    shared = -0.5 * np.log(1 - 0.64)
    assert_array_equal(order, [0, 1, 2])
    assert_allclose(values, [relevance, relevance / (shared + 0.02), 0.0], atol=1e-12)


@given(st.integers(0, 10_000))
def test_units_growing_functions_and_orders_do_not_matter(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(20, 6)) + rng.normal(size=(20, 1))
    found = unsupervised_mrmr_path(X)
    other = X * rng.uniform(0.01, 100, 6) * rng.choice([-1, 1], 6)
    other[:, 0] = np.exp(X[:, 0])
    again = unsupervised_mrmr_path(other[rng.permutation(20)])
    assert_array_equal(again[0], found[0])
    assert_allclose(again[1], found[1], rtol=1e-9, atol=1e-12)
    columns = rng.permutation(6)
    again = unsupervised_mrmr_path(X[:, columns])
    assert_allclose(again[1], found[1], rtol=1e-9, atol=1e-12)


def test_columns_that_go_with_no_other_tell_nothing():
    X = np.column_stack([np.arange(9.0), np.arange(9.0) ** 2, np.ones(9)])
    order, values = unsupervised_mrmr_path(X)
    assert_array_equal(order, [0, 1, 2])
    assert values[2] == 0.0
    assert_array_equal(unsupervised_mrmr_path(X[:2])[1], np.zeros(3))
    assert_array_equal(unsupervised_mrmr_path(X[:, :1])[1], [0.0])
