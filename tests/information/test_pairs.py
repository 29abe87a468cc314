"""Pairs of columns against single estimates, scikit-learn and plain loops."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import digamma
from sklearn.feature_selection import mutual_info_regression

from pairsift.information import (
    mutual_information,
    pairwise_mutual_information,
    relevance,
)
from pairsift.information._pairs import column_table, pair_information
from tests.reference import information as reference


def columns(rng, n_samples=80):
    """Two continuous, two discrete and two constant columns, related to each other."""
    X = rng.normal(size=(n_samples, 6)) * [1.0, 1000.0, 1.0, 1.0, 1.0, 1.0]
    X[:, 1] += 500.0 * X[:, 0]
    X[:, 2] = np.round(X[:, 0])
    X[:, 3] = rng.integers(0, 3, size=n_samples) + X[:, 2]
    X[:, 4] = 0.1
    X[:, 5] = 7.0
    return X, np.array([False, False, True, True, False, True])


@pytest.mark.parametrize("k", [1, 3, 6, 100])
@pytest.mark.parametrize("n_samples", [2, 5, 80])
def test_each_pair_is_estimated_by_its_kinds(rng, k, n_samples):
    X, mask = columns(rng, n_samples)
    options = {"n_neighbors": k}
    found = pairwise_mutual_information(X, discrete_features=mask, **options)
    assert_array_equal(found, found.T)
    for i in range(6):
        for j in range(6):
            if i != j:
                expected = mutual_information(
                    X[:, [i]],
                    X[:, j],
                    discrete_features=mask[[i]],
                    discrete_target=bool(mask[j]),
                    **options,
                )
                assert_allclose(found[i, j], expected, rtol=1e-10, atol=1e-12)
    assert_array_equal(found[4:], 0.0)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Rows that are copies")
@pytest.mark.parametrize("kind", ["normal", "ties", "copies", "decimals", "zeros"])
@pytest.mark.parametrize("k", [1, 4])
def test_continuous_pairs_agree_with_plain_loops(rng, kind, k):
    X = rng.normal(size=(60, 3))
    X[:, 1] += X[:, 0]
    if kind == "ties":
        X = np.round(3 * X)
    if kind == "decimals":
        X = np.round(X, 1)
    if kind == "copies":
        X[20:50] = X[0]
    if kind == "zeros":
        X[rng.random(X.shape) < 0.6] = 0.0
    found = pairwise_mutual_information(X, discrete_features=False, n_neighbors=k)
    for i in range(3):
        for j in range(3):
            expected = reference.ksg(X[:, [i]].tolist(), X[:, [j]].tolist(), k)
            assert_allclose(found[i, j], expected, rtol=1e-10, atol=1e-12)


def test_continuous_pairs_agree_with_scikit_learn(rng):
    # It adds noise of 1e-10 and replaces estimates below 0. Of a column with itself,
    # the noise makes two columns: 1/k less.
    X = rng.normal(size=(300, 5))
    X[:, 1:3] += X[:, :1]
    found = pairwise_mutual_information(X, n_neighbors=3)
    for j in range(5):
        theirs = mutual_info_regression(X, X[:, j], n_neighbors=3, random_state=0)
        theirs[j] += 1 / 3
        assert_allclose(np.maximum(found[:, j], 0.0), theirs, rtol=1e-10, atol=1e-12)


def test_diagonal_is_what_the_docstring_says(rng):
    X, mask = columns(rng)
    diagonal = np.diag(pairwise_mutual_information(X, discrete_features=mask))
    assert_allclose(diagonal[:2], digamma(80) - digamma(6), rtol=1e-12)
    for j in (2, 3):
        expected = reference.discrete_entropy(X[:, j].tolist())
        assert_allclose(diagonal[j], expected, rtol=1e-12)


@pytest.mark.parametrize("target", ["classes", "text", "numbers", "column"])
def test_relevance_is_the_information_of_each_column(rng, target):
    X, mask = columns(rng)
    y = {
        "classes": np.arange(80) % 3,
        "text": np.array(["a", "b"])[(X[:, 0] > 0).astype(int)],
        "numbers": X[:, 0] + rng.normal(size=80),
        "column": X[:, 1],
    }[target]
    found = relevance(X, y, discrete_features=mask)
    for j in range(6):
        expected = mutual_information(X[:, [j]], y, discrete_features=mask[[j]])
        assert_allclose(found[j], expected, rtol=1e-10, atol=1e-12)


def test_relevance_of_a_column_is_a_row_of_all_pairs(rng):
    X, mask = columns(rng)
    pairs = pairwise_mutual_information(X, discrete_features=mask)
    for j in range(6):
        row = relevance(
            X, X[:, j], discrete_features=mask, discrete_target=bool(mask[j])
        )
        assert_allclose(row, pairs[j], rtol=1e-12, atol=1e-14)


def test_two_tables_can_be_crossed(rng):
    # As a permutation test does: shuffled copies of one column with another.
    X, mask = columns(rng)
    orders = [rng.permutation(80) for _ in range(5)]
    copies = np.column_stack([X[order, 0] for order in orders])
    pairs = np.column_stack([np.arange(5), np.ones(5, dtype=int)])
    found, low = pair_information(
        column_table(copies, np.zeros(5, dtype=bool)),
        column_table(X, mask),
        pairs,
        n_neighbors=6,
    )
    assert_array_equal(low, 0.0)
    for i in range(5):
        expected = mutual_information(copies[:, [i]], X[:, 1])
        assert_allclose(found[i], expected, rtol=1e-10, atol=1e-12)


def test_order_of_rows_changes_no_bit_of_continuous_pairs(rng):
    X = np.round(rng.normal(size=(100, 4)) * 8) / 8
    found = pairwise_mutual_information(X, discrete_features=False)
    rows = rng.permutation(100)
    assert_array_equal(
        pairwise_mutual_information(X[rows], discrete_features=False), found
    )


def test_units_and_shifts_do_not_matter(rng):
    X, mask = columns(rng)
    found = pairwise_mutual_information(X, discrete_features=mask)
    moved = X * [4.0, -0.5, 3.0, -1.0, 2.0, 5.0] + [0.0, 0.0, 1.0, 2.0, 3.0, 4.0]
    assert_allclose(
        pairwise_mutual_information(moved, discrete_features=mask), found, atol=1e-12
    )


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e140])
def test_extreme_units_do_not_matter(rng, scale):
    X, mask = columns(rng)
    unit = 2.0 ** np.round(np.log2(scale))
    found = pairwise_mutual_information(X, discrete_features=mask)
    assert_allclose(
        pairwise_mutual_information(X * unit, discrete_features=mask), found, atol=1e-12
    )


def test_any_number_of_threads_gives_the_same_bits(rng):
    X, mask = columns(rng, 200)
    one, three = (
        pairwise_mutual_information(X, discrete_features=mask, n_jobs=n) for n in (1, 3)
    )
    assert_array_equal(one, three)


def test_copies_are_told_and_one_column_is_enough(rng):
    x = np.repeat(rng.normal(size=(10, 1)), 10, axis=0)
    with pytest.warns(UserWarning, match="copies of each other"):
        pairwise_mutual_information(np.hstack([x, x]), discrete_features=False)
    with pytest.warns(UserWarning, match="copies of each other"):
        relevance(x, np.arange(100) % 2, discrete_features=False)
    assert_allclose(pairwise_mutual_information(x), [[np.log(10)]], rtol=1e-12)
    assert relevance(x, np.zeros(100, dtype=int)) == 0.0


def test_input_is_left_alone(rng):
    X, mask = columns(rng)
    before = X.copy()
    X.flags.writeable = False
    pairwise_mutual_information(X, discrete_features=mask)
    relevance(X, X[:, 0], discrete_features=mask)
    assert_array_equal(X, before)


def test_impossible_arguments_are_refused(rng):
    X = rng.normal(size=(10, 2))
    with pytest.raises(ValueError, match="y must hold one value for each of the 10"):
        relevance(X, X)
    with pytest.raises(ValueError, match="n_neighbors must be a whole number"):
        relevance(X, X[:, 0], n_neighbors=1.5)
    with pytest.raises(ValueError, match="n_neighbors must be a whole number"):
        pairwise_mutual_information(X, n_neighbors=-1)
    with pytest.raises(ValueError, match="a mask of 2 booleans"):
        pairwise_mutual_information(X, discrete_features=[0, 1])
