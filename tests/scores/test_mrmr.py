"""mRMR against plain loops, and what holds whatever the data."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from pairsift.information import pairwise_mutual_information, relevance
from pairsift.scores import mrmr_path
from tests.reference import mutual_search as reference
from tests.scores.information_data import DATA, as_columns, kinds


@pytest.mark.slow
@pytest.mark.parametrize("form", ["difference", "quotient"])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("name", DATA)
def test_path_agrees_with_plain_loops(name, form, n_classes):
    X = DATA[name]
    y = np.arange(len(X)) % 5 % n_classes
    n_steps = max(1, X.shape[1] - 1)
    order, values = mrmr_path(X, y, n_features=n_steps, form=form, n_neighbors=3)
    expected = reference.mrmr(
        as_columns(X), kinds(X), y.tolist(), form, 3, n_steps=n_steps
    )
    assert_array_equal(order, expected[0])
    assert_allclose(values[:n_steps], expected[1], rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("n_deviations", [0.5, 1, 1.5])
def test_cut_columns_have_three_values(rng, n_deviations):
    X, y = rng.normal(size=(60, 5)), np.arange(60) % 3
    away = (X - X.mean(axis=0)) / X.std(axis=0)
    cut = (away > n_deviations).astype(float) - (away < -n_deviations)
    expected = mrmr_path(cut, y, discrete_features=True)
    for a, b in zip(mrmr_path(X, y, discretize=n_deviations), expected, strict=True):
        assert_array_equal(a, b)


def test_discrete_columns_are_not_cut(rng):
    X, y = rng.integers(0, 6, (50, 4)).astype(float), np.arange(50) % 2
    for a, b in zip(mrmr_path(X, y, discretize=1), mrmr_path(X, y), strict=True):
        assert_array_equal(a, b)


def test_whole_path_is_that_of_all_pairs(rng):
    X, y = rng.normal(size=(80, 7)) + np.arange(80)[:, None] % 2, np.arange(80) % 2
    told, shared = relevance(X, y), pairwise_mutual_information(X)
    order, values = mrmr_path(X, y)
    assert values[0] == told.max()
    for step in range(1, 7):
        gain = told[order[step]] - shared[order[step], order[:step]].mean()
        assert_allclose(values[step], gain, rtol=1e-10)


def test_a_copy_comes_after_what_tells_something_else(rng):
    y = np.arange(200) % 4
    X = rng.normal(size=(200, 3))
    X[:, 0] += 4 * (y > 1)
    X[:, 1] = X[:, 0]
    X[:, 2] += 2 * (y % 2)
    for form in ("difference", "quotient"):
        assert mrmr_path(X, y, form=form)[0].tolist() == [0, 2, 1]


def test_features_that_were_not_reached_follow_by_relevance(rng):
    X, y = rng.normal(size=(50, 6)), np.arange(50) % 2
    order, values = mrmr_path(X, y, n_features=2)
    assert values.shape == (6,)
    assert (np.diff(relevance(X, y)[order[2:]]) <= 0).all()


def test_unlabelled_rows_are_left_out_but_decide_the_kind_of_a_column(rng):
    X, y = rng.normal(size=(60, 4)), np.arange(60) % 4 - 1
    X[y >= 0, 2] = np.arange(45) % 9 / 4
    values = mrmr_path(X, y)[1]
    expected = mrmr_path(X[y >= 0], y[y >= 0])
    assert np.abs(values - expected[1]).max() > 1e-3
    mask = np.zeros(4, dtype=bool)
    X[:, 2] = rng.normal(size=60)
    a = mrmr_path(X, y, discrete_features=mask)
    b = mrmr_path(X[y >= 0], y[y >= 0], discrete_features=mask)
    assert_array_equal(a[0], b[0])
    assert_array_equal(a[1], b[1])


@given(seed=st.integers(0, 1000), form=st.sampled_from(["difference", "quotient"]))
def test_order_of_rows_and_columns_and_units_do_not_matter(seed, form):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(30, 5)), np.arange(30) % 3
    X[:, 4] = rng.integers(0, 3, 30)
    order, values = mrmr_path(X, y, form=form)
    rows, columns = rng.permutation(30), rng.permutation(5)
    other = X[rows][:, columns] * 2.0 ** rng.integers(-5, 5, 5)
    found = mrmr_path(other, y[rows], form=form)
    assert_array_equal(columns[found[0]], order)
    assert_allclose(found[1], values, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("n_jobs", [2, 3, None])
def test_any_number_of_threads_gives_equal_bits(rng, n_jobs):
    X, y = rng.normal(size=(90, 12)), np.arange(90) % 2
    expected = mrmr_path(X, y, n_jobs=1)
    for a, b in zip(mrmr_path(X, y, n_jobs=n_jobs), expected, strict=True):
        assert_array_equal(a, b)


@pytest.mark.filterwarnings("error")
def test_difficult_rows_have_finite_values(rng):
    X = rng.normal(size=(12, 3))
    for data, y in (
        (X, [0] + [1] * 11),
        (X[np.arange(12) // 3], np.arange(12) % 2),
        (X[:2], [0, 1]),
        (np.round(X), np.arange(12) % 2),
    ):
        order, values = mrmr_path(data, y)
        assert_array_equal(np.sort(order), np.arange(3))
        assert np.isfinite(values).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"form": "ratio"},
            "form must be one of 'difference', 'quotient', None, got 'ratio'",
        ),
        ({"discretize": 0}, "discretize must be a positive number, got 0"),
        ({"n_features": 3}, "n_features=3 asks for more than the 2 features"),
        ({"n_neighbors": 0}, "n_neighbors must be a whole number of at least 1, got 0"),
        ({"discrete_features": [True]}, "discrete_features must be 'auto', True"),
        ({"labels": [-1] * 6}, "labels must hold a class for each of the 6 rows"),
    ],
)
def test_impossible_arguments_are_refused(options, message):
    X = np.arange(12.0).reshape(6, 2)
    with pytest.raises(ValueError, match=message):
        mrmr_path(X, **{"labels": [0, 1] * 3} | options)
