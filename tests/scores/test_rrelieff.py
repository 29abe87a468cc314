"""RReliefF against its formula in plain loops, by hand and in the limit."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal

from pairsift.scores import rrelieff_score
from tests.reference import rrelieff as reference

TREATMENTS = ["probability", "ignore", "constant", "distinct"]
each_treatment = pytest.mark.parametrize("missing", TREATMENTS)
each_rule = pytest.mark.parametrize("ties", ["share", "index"])


def mixed_data(rng, n_samples=30, share_missing=0.0):
    """Numbers, few values, a constant column and equal rows; some targets unknown."""
    X = rng.normal(size=(n_samples, 6))
    X[:, 1] = rng.integers(0, 3, size=n_samples)
    X[:, 2] = 4.0
    X[:, 4] = rng.choice([-1.0, 2.5], size=n_samples)
    X[3] = X[8]
    X[rng.random(X.shape) < share_missing] = np.nan
    y = X[:, 0] + rng.normal(size=n_samples)
    y[np.isnan(y)] = -1.0
    y[rng.integers(0, n_samples, size=3)] = np.nan
    return X, y


def mask(columns, n_features):
    return np.isin(np.arange(n_features), columns)


def test_by_hand_with_rank_weights():
    # One column equal to the target, 0, 1, 3: ranks 1 and 2 weigh e^-1/4 and e^-1.
    near = np.exp(-0.25) / (np.exp(-0.25) + np.exp(-1.0))
    far = 1.0 - near
    # Δ of the nearer and the farther row, in thirds of the range: 1 3, 1 2 and 2 3.
    mean = (near * (1 + 1 + 2) + far * (3 + 2 + 3)) / 3
    squares = (near * (1 + 1 + 4) + far * (9 + 4 + 9)) / 9
    expected = squares / mean - (mean - squares) / (3 - mean)
    x = np.array([[0.0], [1.0], [3.0]])
    scores = rrelieff_score(x, [5.0, 4.0, 2.0], n_neighbors=2, sigma=2.0)
    assert_allclose(scores, [expected], rtol=1e-12)


def test_tied_rows_share_the_weights_of_their_ranks_or_the_first_takes_the_first():
    # Row 0 has two rows at distance 1 and one at 2; the target differs from row 1 only.
    X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    y = [0.0, 1.0, 0.0, 0.0]
    one, two, three = np.exp(-1.0), np.exp(-4.0), np.exp(-9.0)
    total = one + two + three
    for ties, of_row_1, of_row_2 in (
        ("share", (one + two) / 2, (one + two) / 2),
        ("index", one, two),
    ):
        # Row 0 alone: Δ of the columns is (1, 0) where y differs, and (0, 1), (1, 1).
        agrees = (of_row_2 + three) / total
        second = np.array([three / total, (of_row_2 + three) / total]) / agrees
        draw = next(s for s in range(50) if np.random.default_rng(s).choice(4, 1) == 0)
        scores = rrelieff_score(
            X, y, sigma=1.0, ties=ties, max_samples=1, random_state=draw
        )
        assert of_row_1 > 0
        assert_allclose(scores, [1.0, 0.0] - second, rtol=1e-12)


@each_rule
@pytest.mark.parametrize("sigma", [None, 0.3, 2.0, 20.0])
@pytest.mark.parametrize("n_neighbors", [1, 4, 70])
def test_agrees_with_plain_loops(rng, n_neighbors, sigma, ties):
    X, y = mixed_data(rng)
    expected = reference.rrelieff(X, y, n_neighbors, sigma, ties=ties, categorical=[1])
    scores = rrelieff_score(
        X,
        y,
        n_neighbors=n_neighbors,
        sigma=sigma,
        ties=ties,
        is_categorical=mask([1], 6),
    )
    assert_allclose(scores, expected, rtol=1e-10, atol=1e-12)
    assert scores[2] == 0.0


@each_treatment
def test_missing_values_agree_with_plain_loops(rng, missing):
    X, y = mixed_data(rng, share_missing=0.2)
    expected = reference.rrelieff(X, y, 5, 3.0, categorical=[1, 4], missing=missing)
    scores = rrelieff_score(
        X,
        y,
        n_neighbors=5,
        sigma=3.0,
        is_categorical=mask([1, 4], 6),
        missing=missing,
    )
    assert_allclose(scores, expected, rtol=1e-10, atol=1e-12)


@given(
    X=arrays(
        np.float64, (8, 3), elements=st.sampled_from([0.0, 1.0, 2.0, 3.0, np.nan])
    ),
    y=arrays(np.float64, 6, elements=st.sampled_from([-1.0, 0.0, 0.5, 7.0, np.nan])),
    missing=st.sampled_from(TREATMENTS),
    ties=st.sampled_from(["share", "index"]),
    n_neighbors=st.integers(1, 9),
    sigma=st.sampled_from([None, 0.5, 3.0]),
    categorical=st.sampled_from([[], [1], [0, 1, 2]]),
)
@settings(max_examples=100, deadline=None)
def test_ties_duplicates_and_missing_values_agree(
    X, y, missing, ties, n_neighbors, sigma, categorical
):
    y = np.concatenate([[0.0, 1.0], y])
    kinds = {"missing": missing, "ties": ties}
    scores = rrelieff_score(
        X, y, n_neighbors=n_neighbors, sigma=sigma, is_categorical=mask(categorical, 3),
        **kinds,
    )  # fmt: skip
    expected = reference.rrelieff(
        X, y, n_neighbors, sigma, categorical=categorical, **kinds
    )
    assert_allclose(scores, expected, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("n_samples", [2, 3, 10, 501])
def test_target_that_is_its_only_feature_in_closed_form(n_samples):
    # Even steps, all rows neighbours with equal weights: the mean difference is
    # (n + 1)/3 steps, the mean square n (n + 1)/6, the range n - 1. In the limit, 1/4.
    n = n_samples
    mean, square = (n + 1) / 3 / (n - 1), n * (n + 1) / 6 / (n - 1) ** 2
    expected = square / mean
    if n > 2:
        expected -= (mean - square) / (1.0 - mean)
    x = np.arange(n, dtype=float)
    scores = rrelieff_score(x[:, None], 3.0 - 2.0 * x, n_neighbors=n, sigma=None)
    assert_allclose(scores, [expected], rtol=1e-10)
    if n == 501:
        assert abs(scores[0] - 0.25) < 0.001


def test_noise_tends_to_0_and_the_target_to_a_quarter():
    # With all rows as neighbours a column independent of the target has
    # E[Δ_y Δ_A] = E[Δ_y] E[Δ_A], hence 0; one equal to a uniform target has 1/4.
    errors = []
    for n_samples in (50, 800):
        rng = np.random.default_rng(0)
        X = rng.random((n_samples, 6))
        scores = rrelieff_score(X, X[:, 4], n_neighbors=n_samples, sigma=None)
        errors.append(np.abs(scores - [0, 0, 0, 0, 0.25, 0]).max())
    assert errors[1] < 0.01 < errors[0]


def test_linear_target_finds_its_columns():
    X = np.random.default_rng(0).random((500, 6))
    scores = rrelieff_score(X, 2.0 * X[:, 1] + X[:, 4])
    assert_array_equal(np.argsort(-scores)[:2], [1, 4])
    # Near rows that differ on these agree on the others, whose scores are below 0.
    assert (scores[[1, 4]] > 0).all()
    assert (np.delete(scores, [1, 4]) < 0).all()


def test_features_that_matter_only_together_are_found():
    # y is a product of signs: no column tells anything by itself.
    rng = np.random.default_rng(1)
    X = rng.uniform(-1, 1, size=(600, 8))
    y = np.sign(X[:, 2]) * np.sign(X[:, 5])
    scores = rrelieff_score(X, y, n_neighbors=10, sigma=None)
    assert set(np.argsort(-scores)[:2]) == {2, 5}


def test_binary_target_is_a_difference_of_means():
    # Δ of the target is 0 or 1: mean Δ to near rows of the other value less the own.
    rng = np.random.default_rng(2)
    X, y = rng.random((40, 3)), np.arange(40) % 2
    delta = np.abs(X[:, None] - X[None]) / np.ptp(X, axis=0)
    is_near = np.zeros((40, 40), dtype=bool)
    for i in range(40):
        distances = delta[i].sum(axis=1)
        distances[i] = np.inf
        is_near[i, np.argsort(distances)[:7]] = True
    differs = y[:, None] != y[None]
    expected = delta[is_near & differs].mean(axis=0)
    expected -= delta[is_near & ~differs].mean(axis=0)
    scores = rrelieff_score(X, y, n_neighbors=7, sigma=None)
    assert_allclose(scores, expected, rtol=1e-10)


@each_treatment
def test_many_blocks_and_threads_agree_with_few(rng, missing, monkeypatch):
    X = np.round(4 * rng.normal(size=(500, 7)))
    X[rng.random(X.shape) < 0.1] = np.nan
    y = rng.normal(size=500)
    options = {"missing": missing, "is_categorical": mask([2, 5], 7)}
    expected = rrelieff_score(X, y, n_jobs=1, **options)
    assert_array_equal(rrelieff_score(X, y, n_jobs=3, **options), expected)
    monkeypatch.setattr("pairsift._kernels.relief._tiles.STRIP_ROWS", 8)
    assert_array_equal(rrelieff_score(X, y, **options), expected)


@each_treatment
def test_order_of_rows_and_columns_and_units_do_not_matter(rng, missing):
    # Counts are often tied; thirds make the sums of Δ inexact.
    X = rng.integers(0, 4, size=(150, 5)).astype(float)
    X[rng.random(X.shape) < 0.1] = np.nan
    y = rng.normal(size=150)
    expected = rrelieff_score(X, y, n_neighbors=9, sigma=4.0, missing=missing)
    rows, columns = rng.permutation(150), rng.permutation(5)
    scores = rrelieff_score(
        8.0 * X[rows][:, columns] - 1.0,
        5.0 - 3.0 * y[rows],
        n_neighbors=9,
        sigma=4.0,
        missing=missing,
    )
    assert_allclose(scores, expected[columns], rtol=1e-10, atol=1e-13)


def test_near_ties_are_told_apart(rng):
    X = 1.0 + 1e-8 * rng.normal(size=(60, 3))
    X[0], X[1] = 0.0, 2.0
    y = rng.normal(size=60)
    scores = rrelieff_score(X, y, n_neighbors=3)
    expected = reference.rrelieff(X, y, 3, 20.0)
    assert_allclose(scores, expected, rtol=1e-9, atol=1e-15)


def test_small_and_odd_data():
    X = np.array([[0.0, 3.0], [1.0, 3.0]])
    assert_array_equal(rrelieff_score(X, [0, 1]), [1.0, 0.0])
    assert_array_equal(rrelieff_score(np.ones((6, 2)), np.arange(6)), [0.0, 0.0])
    unknown = np.array([[np.nan, 0.0], [np.nan, 1.0], [np.nan, 0.0]])
    assert rrelieff_score(unknown, [0, 1, 2], missing="ignore")[0] == 0.0
    # Far targets differ, near ones do not: no near row differs, 0 / 0 is 0.
    X = np.array([[0.0], [1.0], [8.0], [9.0]])
    scores = rrelieff_score(X, [2, 2, 5, 5], n_neighbors=1)
    assert_allclose(scores, [-1 / 9], rtol=1e-12)


@pytest.mark.parametrize("sigma", [1e-300, 1e300])
def test_extreme_sigma_is_one_neighbour_or_equal_weights(rng, sigma):
    X, y = rng.random((20, 3)), rng.random(20)
    options = {"n_neighbors": 1 if sigma < 1 else 5}
    expected = rrelieff_score(X, y, sigma=None, **options)
    scores = rrelieff_score(X, y, n_neighbors=5, sigma=sigma)
    assert_allclose(scores, expected, rtol=1e-12)


def test_rows_without_a_target_are_left_out_of_everything(rng):
    X, y = rng.normal(size=(40, 4)), rng.integers(-1, 4, size=40).astype(float)
    X[rng.random(X.shape) < 0.1] = np.nan
    unknown = rng.random(40) < 0.3
    X[unknown] *= 100
    y[unknown] = np.nan
    expected = rrelieff_score(X[~unknown], y[~unknown])
    assert_array_equal(rrelieff_score(X, y), expected)


def test_drawn_rows_are_a_part_of_the_sums(rng):
    X, y = rng.normal(size=(30, 3)), rng.normal(size=30)
    drawn = np.random.default_rng(5).choice(30, 12, replace=False)
    expected = reference.rrelieff(X, y, 3, 2.0, targets=drawn.tolist())
    scores = rrelieff_score(
        X, y, n_neighbors=3, sigma=2.0, max_samples=12, random_state=5
    )
    assert_allclose(scores, expected, rtol=1e-10)
    everything = rrelieff_score(X, y, max_samples=30, random_state=1)
    assert_array_equal(everything, rrelieff_score(X, y))


@pytest.mark.parametrize("form", [np.asfortranarray, np.float32])
def test_memory_form_does_not_matter(rng, form):
    X, y = rng.integers(0, 9, size=(30, 4)) / 8, rng.random(30)
    assert_array_equal(rrelieff_score(form(X), y), rrelieff_score(X, y))


def test_huge_targets_do_not_overflow():
    X = np.arange(8.0).reshape(4, 2)
    y = np.array([-1.7e308, 0.0, 1e308, 1.7e308])
    assert_allclose(rrelieff_score(X, y), rrelieff_score(X, y / 1e300), rtol=1e-12)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_neighbors": 0}, "n_neighbors must be a whole number of at least 1, got 0"),
        ({"sigma": 0.0}, "sigma must be a positive number, got 0.0"),
        ({"ties": "random"}, "ties must be one of 'share', 'index', got 'random'"),
        ({"missing": "mean"}, "missing must be one of .*got 'mean'"),
        ({"target": [1, 1, 1, 1]}, "target must hold at least two different numbers"),
        ({"target": [np.nan] * 4}, "target must hold at least two different numbers"),
        ({"target": [0, 1]}, "target must hold a number for each of the 4 rows of X"),
        ({"target": list("abcd")}, "target must hold numbers, got"),
        ({"target": [0, 1, np.inf, 2]}, "target contains infinity"),
    ],
)
def test_wrong_arguments_are_refused(options, message):
    arguments = {"X": np.eye(4), "target": [0.5, 1, 0, 1]} | options
    with pytest.raises(ValueError, match=message):
        rrelieff_score(**arguments)
