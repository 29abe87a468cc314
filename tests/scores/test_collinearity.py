"""The collinearity filter against plain loops."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from pairsift.scores import _collinearity, collinearity_score
from tests.reference import correlation as reference
from tests.scores.redundancy_data import DATA

each_preference = pytest.mark.parametrize(
    "prefer", ["uncorrelated", "variance", "first"]
)


@each_preference
@pytest.mark.parametrize("measure", ["correlation", "cosine"])
@pytest.mark.parametrize("threshold", [0.3, 0.9])
@pytest.mark.parametrize("name", DATA)
def test_scores_agree_with_plain_loops(name, measure, prefer, threshold, monkeypatch):
    X = DATA[name]
    options = {"threshold": threshold, "measure": measure, "prefer": prefer}
    columns = X.astype(np.float64).T.tolist()
    expected = reference.collinearity_score(columns, **options)
    # Far from zero, cosines of the reference lose as many digits as the shift has.
    assert_allclose(collinearity_score(X, **options), expected, rtol=1e-9, atol=1e-10)
    monkeypatch.setattr(_collinearity, "BLOCK", 4)
    assert_allclose(collinearity_score(X, **options), expected, rtol=1e-9, atol=1e-10)


@each_preference
def test_of_copies_the_first_stays(rng, prefer):
    X = rng.normal(size=(30, 4))
    scores = collinearity_score(np.column_stack([X, 1 - X]), prefer=prefer)
    assert (scores[:4] > -0.9).all()
    assert_allclose(scores[4:], -1.0, rtol=1e-12)


@pytest.mark.parametrize("threshold", [0.2, 0.5, 0.8])
def test_every_feature_left_out_has_one_that_stands_for_it(rng, threshold):
    X = rng.normal(size=(20, 4)) @ rng.normal(size=(4, 30))
    scores = collinearity_score(X, threshold=threshold)
    kept = np.flatnonzero(scores >= -threshold)
    R = np.abs(np.corrcoef(X.T))
    between = R[np.ix_(kept, kept)] - np.eye(kept.size)
    assert (between <= threshold).all()
    others = np.setdiff1d(np.arange(30), kept)
    assert (R[np.ix_(others, kept)].max(axis=1) > threshold).all()
    assert 0 < kept.size < 30


def test_preference_by_hand():
    # The third column is near both others, which are less near to each other.
    a = np.array([1.0, 1.0, -1.0, -1.0, 0.0, 0.0])
    b = np.array([1.0, -1.0, 1.0, -1.0, 0.0, 0.0])
    X = np.column_stack([3 * (a + b), a, b])
    options = {"threshold": 0.6}
    kept = collinearity_score(X, **options) >= -0.6
    assert_array_equal(kept, [False, True, True])
    kept = collinearity_score(X, prefer="variance", **options) >= -0.6
    assert_array_equal(kept, [True, False, False])


@given(seed=st.integers(0, 1000))
def test_order_of_rows_and_columns_and_units_do_not_matter(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(15, 3)) @ rng.normal(size=(3, 8)) + rng.normal(size=(15, 8))
    expected = collinearity_score(X, threshold=0.5)
    rows, columns = rng.permutation(15), rng.permutation(8)
    other = X[rows][:, columns] * rng.uniform(0.1, 10, 8) + rng.normal(size=8)
    assert_allclose(
        collinearity_score(other, threshold=0.5), expected[columns], atol=1e-10
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threshold": 1.0}, "threshold must be between 0 and 1, got 1.0"),
        ({"measure": "angle"}, "measure must be one of 'correlation', 'cosine', got"),
        ({"prefer": "last"}, "prefer must be one of 'uncorrelated', .*got 'last'"),
    ],
)
def test_impossible_arguments_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        collinearity_score(np.eye(3), **options)
