"""mRMR by correlation against plain loops, and what holds whatever the data."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from pairsift.scores import mrmr_path, semi_mrmr_path
from pairsift.scores._associations import (
    MIN_UNSHARED,
    RankAssociations,
    explained_variance,
    without_chance,
)
from pairsift.scores._correlation_path import correlation_path, fewest_features
from pairsift.scores._correlation_search import CorrelationTable
from tests.reference import semi_mrmr as reference
from tests.scores.information_data import as_columns


def datasets():
    rng = np.random.default_rng(5)
    n = 24
    y = np.arange(n) % 3
    X = rng.normal(size=(n, 4))
    X[:, 1] += 2.0 * y
    X[:, 3] = X[:, 1] + 0.3 * rng.normal(size=n)
    names = np.column_stack(
        [
            rng.integers(0, 2, n),
            (y + rng.integers(0, 2, n)) % 3,
            rng.integers(0, 5, n),
            np.arange(n),
            np.zeros(n),
        ]
    )
    mixed = np.column_stack([X, names]).astype(np.float64)
    return {
        "numbers": X,
        "mixed": mixed,
        "names": names.astype(np.float64),
        "ties": np.round(mixed),
        "copies of rows": mixed[np.arange(n) // 2],
        "copies of columns": X[:, [0, 1, 1, 3, 0]],
        "constant": np.column_stack([np.full(n, 0.1), X]),
        "one feature": X[:, 1:2],
        "two rows": X[:2],
        "single precision": mixed.astype(np.float32),
        "Fortran order": np.asfortranarray(mixed),
    }


DATA = datasets()


def kinds(name):
    """Which columns name categories: the last five, where tables are of both kinds."""
    n_features = DATA[name].shape[1]
    n_names = 5 if n_features == 9 or name == "names" else 0
    return np.arange(n_features) >= n_features - n_names


def some_labels(n_rows):
    if n_rows == 2:
        return np.array([0, 1])
    labels = np.arange(n_rows) % 3
    return np.where(np.arange(n_rows) % 4 < 2, labels, -1)


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("share", [1.0, 0.5])
def test_both_paths_agree_with_plain_loops(name, share):
    X = DATA[name]
    mask, labels = kinds(name), some_labels(len(X))
    n_steps = max(1, int(share * X.shape[1]))
    options = {"n_features": n_steps, "is_categorical": mask}
    plain = as_columns(X), mask.tolist(), labels.tolist(), n_steps
    order, values = semi_mrmr_path(X, labels, **options)
    expected = reference.semi_mrmr(*plain)
    assert_array_equal(order, expected[0])
    assert_allclose(values, expected[1], rtol=1e-9, atol=1e-10)
    order, values = mrmr_path(X, labels, estimator="correlation", **options)
    expected = reference.mrmr(*plain)
    assert_array_equal(order, expected[0])
    assert_allclose(values, expected[1], rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("least", [0.001, 0.05, 2.0])
def test_the_least_redundancy_is_added_in_the_quotient(least):
    X = DATA["mixed"]
    mask, labels = kinds("mixed"), some_labels(len(X))
    plain = as_columns(X), mask.tolist(), labels.tolist(), X.shape[1]
    order, values = semi_mrmr_path(
        X, labels, is_categorical=mask, least_redundancy=least
    )
    expected = reference.semi_mrmr(*plain, least)
    assert_array_equal(order, expected[0])
    assert_allclose(values, expected[1], rtol=1e-9, atol=1e-10)
    with pytest.raises(ValueError, match="least_redundancy must be a positive number"):
        semi_mrmr_path(X, labels, least_redundancy=0.0)


@pytest.mark.parametrize("name", ["mixed", "names", "ties", "copies of rows"])
def test_what_columns_share_agrees_with_plain_loops(name):
    X = DATA[name]
    mask, columns = kinds(name), as_columns(X)
    table = RankAssociations(X, mask)
    for f in range(X.shape[1]):
        expected = [
            reference.shared(columns[f], mask[f], columns[g], mask[g])
            for g in range(X.shape[1])
        ]
        found = table.shared_with(f)
        # Near 1 - ρ² = 0, rounding decides between nearly and fully equal.
        is_near = np.array(expected) > 12.0
        assert_allclose(found[~is_near], np.array(expected)[~is_near], atol=1e-10)
        assert (found[is_near] > 12.0).all()


def test_two_categories_are_a_column_of_0_and_1(rng):
    X = rng.normal(size=(60, 4))
    X[:, 0] = rng.integers(0, 2, 60)
    X[:, 1] = X[:, 0] != (rng.random(60) < 0.2)
    X[:, 2] = rng.integers(0, 4, 60)
    labels = np.where(np.arange(60) < 30, np.arange(60) % 3, -1)
    as_names, as_numbers = np.array([[1, 1, 1, 0], [0, 0, 1, 0]], dtype=bool)
    for path in (
        semi_mrmr_path,
        lambda *a, **k: mrmr_path(*a, estimator="correlation", **k),
    ):
        a = path(X, labels, is_categorical=as_names)
        b = path(X, labels, is_categorical=as_numbers)
        assert_array_equal(a[0], b[0])
        assert_allclose(a[1], b[1], rtol=1e-9)


def test_chance_gives_columns_of_any_kind_the_same_redundancy(rng):
    n, n_draws = 60, 300
    unshared = np.empty((n_draws, 3))
    for draw in range(n_draws):
        a, b = rng.permutation(n), rng.permutation(n)
        x, y = rng.permutation(np.arange(n) % 12), rng.permutation(np.arange(n) % 4)
        belongs = (x[:, None] == np.arange(12)).tolist()
        found, total = reference.between(a.tolist(), belongs)
        squared = [
            reference.squared_correlation(a.tolist(), b.tolist()),
            found / total,
            reference.chi_squared(x.tolist(), y.tolist()) / (n * 3),
        ]
        freedom = np.array([1.0, 11.0, 11.0])
        unshared[draw] = without_chance(1.0 - np.array(squared), freedom, n)
    errors = unshared.std(axis=0) / np.sqrt(n_draws)
    assert (np.abs(unshared.mean(axis=0) - (1 - 1 / (n - 1))) < 4 * errors).all()


def test_copies_share_a_lot_and_not_everything(rng):
    X = rng.normal(size=(40, 2))
    X = np.column_stack([X, X[:, 0], -np.exp(X[:, 0])])
    shared = RankAssociations(X, np.zeros(4, dtype=bool)).shared_with(0)
    assert_allclose(shared[[0, 2, 3]], -0.5 * np.log(MIN_UNSHARED))
    assert shared[1] < 1.0
    assert_allclose(-0.5 * np.log(MIN_UNSHARED), 13.8, atol=0.02)


def test_shares_of_a_row_are_those_of_all_labelled_rows_equally_near():
    X = np.array([[0.0], [1.0], [2.0], [2.0], [2.0], [4.0]])
    labels = np.array([0, -1, 1, 1, 0, -1])
    shares = CorrelationTable(X, np.array([False])).spread(labels)
    third = 1 / 3
    expected = [[1, 0], [0.5, 0.5], [0, 1], [0, 1], [1, 0], [third, 2 * third]]
    assert_allclose(shares, expected)


def test_variance_between_shared_classes_by_hand():
    # Class means 0 and 2, of one and a half rows each, about the mean 1.
    X = np.array([[0.0], [1.0], [2.0]])
    shares = np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]])
    eta = 2 * 1.5 * (2 / 3) ** 2 / 2
    relevance = explained_variance(X, np.array([False]), shares)
    assert_allclose(relevance, 1 - (1 - eta) * 2 / 1)


def test_all_labels_make_both_paths_one(rng):
    X, y = rng.normal(size=(50, 6)), np.arange(50) % 3
    X[:, 2] += y
    a, b = semi_mrmr_path(X, y), mrmr_path(X, y, estimator="correlation")
    assert_array_equal(a[0], b[0])
    assert_array_equal(a[1], b[1])


@given(seed=st.integers(0, 1000))
def test_order_of_rows_and_columns_and_units_do_not_matter(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(30, 6)), np.arange(30) % 3
    y[rng.random(30) < 0.5] = -1
    y[:3] = [0, 1, 2]
    X[:, 0] += y
    X[:, 3:] = np.round(X[:, 3:])
    mask = np.arange(6) == 5
    rows, columns = rng.permutation(30), rng.permutation(6)
    units = np.where(mask, 1.0, rng.uniform(0.01, 100, 6))
    other = (X * units + np.where(mask, 0.0, rng.normal(size=6)))[rows][:, columns]
    for path in (
        semi_mrmr_path,
        lambda *a, **k: mrmr_path(*a, estimator="correlation", **k),
    ):
        order, values = path(X, y, is_categorical=mask)
        found = path(other, y[rows], is_categorical=mask[columns])
        is_tied = np.isclose(values[:, None], values, rtol=1e-8).sum(axis=1) > 1
        assert_allclose(found[1][~is_tied], values[~is_tied], rtol=1e-7, atol=1e-9)
        assert_array_equal(columns[found[0]][~is_tied], order[~is_tied])


def test_numbers_too_large_or_small_to_square_are_numbers():
    X, labels = DATA["numbers"], some_labels(24)
    order, values = semi_mrmr_path(X, labels)
    found = semi_mrmr_path(X / np.abs(X).max() * [1.7e308, 1.0, 1e-300, 1e-9], labels)
    assert_array_equal(found[0], order)
    assert_allclose(found[1], values, rtol=1e-9)


def test_growing_functions_of_columns_change_no_redundancy(rng):
    X = rng.normal(size=(50, 3))
    mask = np.zeros(3, dtype=bool)
    other = np.column_stack([np.exp(X[:, 0]), X[:, 1] ** 3, np.arctan(X[:, 2])])
    for f in range(3):
        assert_array_equal(
            RankAssociations(other, mask).shared_with(f),
            RankAssociations(X, mask).shared_with(f),
        )


def test_held_out_rows_say_how_many_features_are_needed(rng):
    y = np.arange(80) % 4
    X = rng.normal(size=(80, 6))
    X[:, 1] += 8 * (y > 1)
    X[:, 4] += 8 * (y % 2)
    labels = np.where(np.arange(80) < 40, y, -1)
    mask = np.zeros(6, dtype=bool)
    for is_spread in (False, True):
        order, _, hits = correlation_path(
            X, labels, mask, 6, is_spread=is_spread, is_judged=True
        )
        assert set(order[:2]) == {1, 4}
        assert hits.shape == (40, 6)
        assert fewest_features(hits) == 2
        rows = rng.permutation(80)
        again = correlation_path(
            X[rows], labels[rows], mask, 6, is_spread=is_spread, is_judged=True
        )[2]
        assert_allclose(again.mean(axis=0), hits.mean(axis=0))


def test_a_held_out_label_is_not_seen(rng):
    """On noise, rows are found again as often as chance has it."""
    X, y = rng.normal(size=(200, 30)), np.arange(200) % 2
    mask = np.zeros(30, dtype=bool)
    hits = correlation_path(X, y, mask, 5, is_spread=True, is_judged=True)[2]
    assert (np.abs(hits.mean(axis=0) - 0.5) < 4 * 0.5 / np.sqrt(200)).all()


def test_the_fewest_features_within_one_standard_error():
    # Of 16 rows, this many are found again.
    counts = [4, 12, 15, 14]
    hits = np.array([[float(row < count) for count in counts] for row in range(16)])
    # The best, 15 of 16, counts as 17 of 20, with an error of 0.08: 14 of 16 are near
    # enough, 12 are not.
    assert fewest_features(hits) == 3
    assert fewest_features(hits[:, [0, 3, 2, 1]]) == 2
    assert fewest_features(np.ones((5, 3))) == 1


@pytest.mark.parametrize(("n_missed", "number"), [(1, 1), (2, 3)])
def test_one_row_more_is_worth_no_feature_even_if_all_are_found(n_missed, number):
    hits = np.ones((20, 3))
    hits[:n_missed, :2] = 0.0
    assert fewest_features(hits) == number


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_features": 3}, "n_features=3 asks for more than the 2 features"),
        ({"is_categorical": [0, 1]}, "is_categorical must be a mask of the 2 columns"),
        ({"labels": [-1] * 6}, "labels must hold a class for each of the 6 rows"),
        ({"X": np.full((6, 2), np.nan)}, "X contains NaN"),
    ],
)
def test_impossible_arguments_are_refused(options, message):
    arguments = {"X": np.arange(12.0).reshape(6, 2), "labels": [0, 1] * 3} | options
    with pytest.raises(ValueError, match=message):
        semi_mrmr_path(**arguments)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"estimator": "rank"}, "estimator must be one of 'information', 'correlation"),
        ({"form": "difference"}, "form='difference' needs estimator='information'"),
        ({"discretize": 1}, "discretize=1 needs estimator='information'"),
    ],
)
def test_what_only_informations_have_is_refused(options, message):
    X = np.arange(12.0).reshape(6, 2)
    with pytest.raises(ValueError, match=message):
        mrmr_path(X, [0, 1] * 3, **{"estimator": "correlation"} | options)
