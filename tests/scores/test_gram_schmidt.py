"""Gram-Schmidt selection against least squares, and its probe against random ones."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from pairsift.scores import gram_schmidt_path, pearson_score
from tests.reference import correlation as reference
from tests.scores.redundancy_data import DATA


@pytest.mark.parametrize("n_classes", [2, 3, 4])
@pytest.mark.parametrize("name", sorted(set(DATA) - {"two rows"}))
def test_path_agrees_with_least_squares(name, n_classes):
    X = DATA[name]
    y = np.arange(len(X)) % 5 % n_classes
    expected = reference.gram_schmidt(X.astype(np.float64).T.tolist(), y.tolist())
    order, cosines, risks = gram_schmidt_path(X, y)
    assert_array_equal(order, expected[0])
    # A shift of 10,000 leaves eleven digits, of which least squares loses two more.
    atol = 1e-7 if name == "far from zero" else 1e-10
    assert_allclose(cosines, expected[1], rtol=1e-9, atol=atol)
    assert_allclose(risks, expected[2], rtol=1e-7, atol=1e-10)


def test_two_rows_leave_no_room_for_a_probe():
    order, cosines, risks = gram_schmidt_path(
        np.array([[1.0, 0.0, 2], [1, 1, 5]]), [0, 1]
    )
    assert_array_equal(order, [1, 0, 2])
    assert_allclose(cosines, [1.0, 0.0, 0.0], atol=1e-12)
    assert_array_equal(risks, 1.0)


def test_first_step_of_two_classes_is_the_squared_correlation(rng):
    X, y = rng.normal(size=(25, 5)), np.arange(25) % 2
    scores = pearson_score(X, y)
    order, cosines, _ = gram_schmidt_path(X, y, n_features=1)
    assert_array_equal(order, np.argsort(-scores))
    assert_allclose(cosines, scores[order] ** 2, rtol=1e-12)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_chance_of_a_probe_is_that_of_random_features(rng, n_classes):
    # Beside two features added, how often is a random one nearer than the third?
    X, y = rng.normal(size=(18, 3)), np.arange(18) % n_classes
    order, cosines, risks = gram_schmidt_path(X, y)
    chance = 1 - (1 - risks[2]) / (1 - risks[1])
    probes = rng.normal(size=(18, 20_000))
    classes = range(1 if n_classes == 2 else n_classes)
    added = [X[:, j] for j in order[:2]]
    basis = reference.orthonormal(
        [reference.beside((y == c).astype(float), added) for c in classes]
    )
    rest = reference.beside(probes[:, 0], added)
    A = np.column_stack([np.ones(18), *added])
    rest = probes - A @ np.linalg.lstsq(A, probes, rcond=None)[0]
    nearness = sum((b @ rest) ** 2 for b in basis) / (rest**2).sum(axis=0)
    share = (nearness > cosines[2]).mean()
    assert abs(share - chance) < 4 * np.sqrt(chance * (1 - chance) / 20_000)
    assert 0.01 < chance < 0.99


def test_a_random_feature_is_accepted_as_often_as_the_risk_says():
    rng = np.random.default_rng(5)
    y = np.arange(12) % 3
    risks = [gram_schmidt_path(rng.normal(size=(12, 1)), y)[2][0] for _ in range(2000)]
    for risk in (0.05, 0.3, 0.7):
        share = np.mean(np.array(risks) <= risk)
        assert abs(share - risk) < 4 * np.sqrt(risk * (1 - risk) / 2000)


def test_search_stops_at_the_risk(rng):
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 8))
    X[:, 5] += 2 * y
    X[:, 2] += 1.5 * y
    whole = gram_schmidt_path(X, y)
    order, cosines, risks = gram_schmidt_path(X, y, risk=0.01)
    n = np.count_nonzero(whole[2] <= 0.01)
    assert_array_equal(order[: n + 1], whole[0][: n + 1])
    assert_allclose(risks, whole[2][: n + 1])
    assert_allclose(cosines[: n + 1], whole[1][: n + 1])
    assert risks[-1] > 0.01 >= risks[-2]
    assert_array_equal(np.sort(order), np.arange(8))
    assert {5, 2} <= set(order[:n].tolist())


def test_copies_and_sums_of_features_come_last(rng):
    X, y = rng.normal(size=(40, 4)), np.arange(40) % 3
    wide = np.column_stack([X, 2 * X[:, 1] + 5, X[:, 0] + X[:, 2]])
    order, cosines, risks = gram_schmidt_path(wide, y)
    assert_array_equal(np.sort(cosines)[:2], 0.0)
    assert_array_equal(cosines[4:], 0.0)
    assert_array_equal(risks[4:], 1.0)
    assert order.tolist().index(1) < order.tolist().index(4)


def test_what_is_left_of_near_copies_is_exact(rng):
    # A difference of squares would keep six digits of the second length.
    X, y = rng.normal(size=(30, 3)), np.arange(30) % 2
    X = np.column_stack([X, X + 1e-5 * rng.normal(size=(30, 3))])
    expected = reference.gram_schmidt(X.T.tolist(), y.tolist())
    order, cosines, _ = gram_schmidt_path(X, y)
    assert_array_equal(order, expected[0])
    assert_allclose(cosines, expected[1], rtol=1e-9, atol=1e-12)


def test_unlabelled_rows_are_left_out(rng):
    X, y = rng.normal(size=(30, 4)), np.arange(30) % 4 - 1
    for a, b in zip(
        gram_schmidt_path(X, y), gram_schmidt_path(X[y >= 0], y[y >= 0]), strict=True
    ):
        assert_array_equal(a, b)


@given(seed=st.integers(0, 1000))
def test_order_of_rows_and_columns_and_units_do_not_matter(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(16, 5)), np.arange(16) % 3
    order, cosines, risks = gram_schmidt_path(X, y)
    rows, columns = rng.permutation(16), rng.permutation(5)
    other = X[rows][:, columns] * rng.uniform(0.1, 10, 5) + rng.normal(size=5)
    found = gram_schmidt_path(other, y[rows])
    assert_array_equal(columns[found[0]], order)
    assert_allclose(found[1], cosines, rtol=1e-8, atol=1e-10)
    assert_allclose(found[2], risks, rtol=1e-7, atol=1e-10)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"risk": 0.0}, "risk must be above 0 and at most 1, got 0.0"),
        ({"n_features": 3}, "n_features=3 asks for more than the 2 features"),
        ({"labels": [0] * 6}, "labels must hold a class for each of the 6 rows"),
    ],
)
def test_impossible_arguments_are_refused(options, message):
    X = np.arange(12.0).reshape(6, 2)
    with pytest.raises(ValueError, match=message):
        gram_schmidt_path(X, **{"labels": [0, 1] * 3} | options)
