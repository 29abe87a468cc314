"""Feature clustering by the compression index against plain rounds."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from pairsift.scores import mici_score
from pairsift.scores._mici import compression_indices, fit_mici
from tests.reference import mici as reference
from tests.scores.redundancy_data import DATA


@pytest.mark.parametrize("n_neighbors", [1, 2, 3, 5, 100])
@pytest.mark.parametrize("name", sorted(set(DATA) - {"units"}))
def test_clusters_agree_with_plain_rounds(name, n_neighbors):
    X = DATA[name]
    columns = X.astype(np.float64).T.tolist()
    expected = reference.score(columns, n_neighbors)
    found = fit_mici(X, n_neighbors)
    atol = 1e-8 if name == "far from zero" else 1e-12
    assert_allclose(found.scores, expected, rtol=1e-9, atol=atol)
    retained, discarded, epsilon = reference.cluster(columns, n_neighbors)
    representatives = np.arange(X.shape[1])
    for j, (i, _) in discarded.items():
        representatives[j] = i
    assert_array_equal(found.representatives, representatives)
    assert_allclose(found.epsilon, epsilon, rtol=1e-9, atol=atol)
    assert len(retained) >= 1


def test_index_is_the_smaller_eigenvalue(rng):
    X = rng.normal(size=(20, 5)) * [1e-4, 1.0, 1e4, 1.0, 3.0]
    D = compression_indices(X)
    for f in range(5):
        for g in range(5):
            if f != g:
                values = np.linalg.eigvalsh(np.cov(X[:, f], X[:, g], bias=True))
                assert_allclose(D[f, g], values[0], rtol=1e-6)
    assert np.isinf(np.diag(D)).all()


def test_features_that_depend_linearly_are_not_apart(rng):
    X = rng.normal(size=(20, 1))
    D = compression_indices(np.column_stack([X, 3 * X + 1, -X]))
    assert_array_equal(D[~np.eye(3, dtype=bool)], 0.0)


@pytest.mark.parametrize("n_neighbors", [1, 2, 4, 7])
def test_retained_features_are_apart_and_score_highest(rng, n_neighbors):
    X = rng.normal(size=(30, 5)) @ rng.normal(size=(5, 25))
    found = fit_mici(X, n_neighbors)
    is_retained = found.representatives == np.arange(25)
    assert 1 <= is_retained.sum() < 25
    assert found.scores[~is_retained].max() <= found.epsilon
    assert found.scores[is_retained].min() > found.epsilon
    if is_retained.sum() > 1:
        D = compression_indices(X[:, is_retained])
        assert D.min() > found.epsilon


def test_copies_are_discarded_and_the_first_stays(rng):
    X = rng.normal(size=(30, 6))
    scores = mici_score(np.column_stack([X, X]), n_neighbors=1)
    assert (scores[:6] > 0).all()
    assert_array_equal(scores[6:], 0.0)


def test_constant_features_discard_nothing(rng):
    X = rng.normal(size=(30, 4))
    wide = np.insert(X, 1, 7.0, axis=1)
    scores = mici_score(wide, n_neighbors=2)
    assert np.isneginf(scores[1])
    assert_array_equal(np.delete(scores, 1), mici_score(X, n_neighbors=2))
    assert_array_equal(mici_score(np.ones((4, 2))), -np.inf)


@given(seed=st.integers(0, 1000), k=st.integers(1, 4), scale=st.floats(0.01, 100))
def test_order_of_rows_and_columns_and_a_common_unit_do_not_matter(seed, k, scale):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(15, 7))
    expected = mici_score(X, n_neighbors=k)
    rows, columns = rng.permutation(15), rng.permutation(7)
    actual = mici_score(scale * X[rows][:, columns], n_neighbors=k)
    assert_allclose(actual, scale**2 * expected[columns], rtol=1e-8)


def test_impossible_number_of_neighbours_is_refused():
    with pytest.raises(ValueError, match="n_neighbors must be a whole number of at"):
        mici_score(np.eye(3), n_neighbors=0)
