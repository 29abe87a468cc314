"""SVD entropy against decompositions without each feature."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from pairsift.scores import svd_entropy_score
from tests.reference import svd_entropy as reference
from tests.scores.redundancy_data import DATA


@pytest.mark.parametrize("center", [False, True])
@pytest.mark.parametrize("name", DATA)
def test_contributions_agree_with_the_definition(name, center):
    X = DATA[name]
    expected = reference.score(X.astype(np.float64), center)
    # Contributions are differences of entropies, of which each is at most 1.
    assert_allclose(svd_entropy_score(X, center=center), expected, rtol=0, atol=1e-11)


@pytest.mark.parametrize("shape", [(60, 40), (40, 60), (50, 50)])
def test_larger_tables_agree_too(rng, shape):
    X = rng.normal(size=shape) @ np.diag(rng.uniform(0, 3, shape[1]))
    assert_allclose(svd_entropy_score(X), reference.score(X), rtol=0, atol=1e-12)


def test_by_hand():
    # Two equal columns and one orthogonal to them: s² = 2, 1, 0.
    X = np.array([[1.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]])
    whole = (2 / 3 * np.log(3 / 2) + 1 / 3 * np.log(3)) / np.log(3)
    expected = [whole - 1.0, whole - 1.0, whole]
    assert_allclose(svd_entropy_score(X), expected, rtol=1e-12)


def test_equal_eigenvalues_and_zeros_are_no_trouble():
    assert_allclose(
        svd_entropy_score(np.eye(5)[:, [0, 1, 2, 3, 3, 4]]),
        reference.score(np.eye(5)[:, [0, 1, 2, 3, 3, 4]]),
        atol=1e-13,
    )
    assert_array_equal(svd_entropy_score(np.zeros((3, 2))), -np.inf)
    assert_array_equal(svd_entropy_score(np.ones((3, 2))), -np.inf)


def test_constant_feature_ranks_last_but_is_part_of_the_whole(rng):
    X = rng.normal(size=(9, 12))
    with_constant = np.column_stack([X, np.full(9, 2.0)])
    scores = svd_entropy_score(with_constant)
    assert np.isneginf(scores[12])
    assert not np.allclose(scores[:12], svd_entropy_score(X))
    centred = svd_entropy_score(with_constant, center=True)
    assert_allclose(centred[:12], svd_entropy_score(X, center=True), atol=1e-13)


@given(seed=st.integers(0, 1000), scale=st.floats(1e-3, 1e3), wide=st.booleans())
def test_order_of_rows_and_columns_and_a_common_unit_do_not_matter(seed, scale, wide):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(6, 9) if wide else (9, 6))
    expected = svd_entropy_score(X)
    rows, columns = rng.permutation(len(X)), rng.permutation(X.shape[1])
    actual = svd_entropy_score(scale * X[rows][:, columns])
    assert_allclose(actual, expected[columns], rtol=0, atol=1e-12)


def test_two_distinct_rows_in_any_order_of_columns():
    """The share of what rounding leaves of a zero was 0, and has no logarithm."""
    rng = np.random.default_rng(115)
    d, n = int(rng.integers(2, 30)), int(rng.integers(2, 40))
    X = np.round(2 * rng.normal(size=(2, d)))[np.r_[0, 1, rng.integers(0, 2, n - 2)]]
    for _ in range(300):
        scores = svd_entropy_score(X[:, rng.permutation(d)], center=True)
        assert_allclose(scores[np.isfinite(scores)], 0.0, atol=1e-14)
