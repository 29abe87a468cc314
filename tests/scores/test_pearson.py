"""Pearson score against plain loops."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from pairsift.scores import pearson_score
from tests.reference import correlation as reference
from tests.scores.redundancy_data import DATA


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("name", DATA)
def test_scores_agree_with_plain_loops(name, n_classes):
    X = DATA[name]
    y = np.arange(len(X)) % min(n_classes, len(X))
    columns = X.astype(np.float64).T.tolist()
    expected = reference.pearson_score(columns, y.tolist())
    assert_allclose(pearson_score(X, y), expected, rtol=1e-10, atol=1e-12)


def test_score_agrees_with_numpy(rng):
    X, y = rng.normal(size=(30, 4)), np.arange(30) % 2
    expected = [abs(np.corrcoef(f, y)[0, 1]) for f in X.T]
    assert_allclose(pearson_score(X, y), expected, rtol=1e-12)


def test_unlabelled_rows_are_left_out(rng):
    X, y = rng.normal(size=(30, 4)), np.arange(30) % 4 - 1
    assert_array_equal(pearson_score(X, y), pearson_score(X[y >= 0], y[y >= 0]))


def test_extremes():
    X = np.array([[0.0, 7.0], [0.0, 7.0], [5.0, 7.0], [5.0, 7.0]])
    assert_array_equal(pearson_score(X, ["a", "a", "b", "b"]), [1.0, 0.0])


@given(
    shift=st.floats(-100, 100),
    scale=st.floats(0.01, 100) | st.floats(-100, -0.01),
    seed=st.integers(0, 100),
)
def test_units_and_names_of_classes_do_not_matter(shift, scale, seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(20, 3)), rng.integers(0, 3, 20)
    y[:3] = [0, 1, 2]
    expected = pearson_score(X, y)
    names = np.array(["x", "c", "m"])[y]
    order = rng.permutation(20)
    actual = pearson_score(scale * X[order] + shift, names[order])
    assert_allclose(actual, expected, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("labels", [[0] * 6, [0, 1], [-1] * 6])
def test_impossible_labels_are_refused(labels):
    with pytest.raises(ValueError, match="labels must hold a class for each of the 6"):
        pearson_score(np.arange(12.0).reshape(6, 2), labels)
