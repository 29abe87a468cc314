"""STIR against the formulas in plain loops, and its p-values."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import t as t_distribution

from pairsift import STIR
from pairsift.scores import multisurf_score, relieff_score, stir_score
from tests.reference import relief as reference
from tests.scores.test_relief import each_treatment, mask, mixed_data

each_neighborhood = pytest.mark.parametrize("neighborhood", ["relieff", "multisurf"])


def assert_as_in_plain_loops(X, y, neighborhood, k=3, categorical=(), **options):
    expected = reference.stir(
        X,
        y,
        k if neighborhood == "relieff" else None,
        categorical=categorical,
        **options,
    )
    selector = STIR(
        neighborhood=neighborhood,
        n_neighbors=k,
        categorical_features=mask(list(categorical), X.shape[1]),
        **options,
    ).fit(X, y)
    statistics = np.array([t for t, _ in expected])
    assert_allclose(selector.scores_, statistics, rtol=1e-9, atol=1e-11)
    p = [t_distribution.sf(t, freedom) for t, freedom in expected]
    assert_allclose(selector.pvalues_, p, rtol=1e-6, atol=1e-300)


@pytest.mark.slow
@each_neighborhood
@pytest.mark.parametrize("n_classes", [2, 3, 12])
def test_agrees_with_plain_loops(rng, neighborhood, n_classes):
    X, y = mixed_data(rng, 24), np.arange(24) % n_classes
    assert_as_in_plain_loops(X, y, neighborhood, categorical=(1, 4))


@pytest.mark.slow
@each_neighborhood
@each_treatment
def test_missing_values_agree_with_plain_loops(rng, neighborhood, missing):
    X = mixed_data(rng, 22, share_missing=0.1)
    y = rng.integers(-1, 3, size=22)
    assert_as_in_plain_loops(X, y, neighborhood, categorical=(1, 4), missing=missing)


@pytest.mark.slow
@each_neighborhood
def test_tied_and_duplicated_rows_agree(rng, neighborhood):
    X = rng.integers(0, 3, size=(40, 4)).astype(float)
    assert_as_in_plain_loops(X, rng.integers(0, 3, size=40), neighborhood)


@each_neighborhood
def test_order_of_rows_and_columns_does_not_matter(rng, neighborhood):
    X = rng.integers(0, 4, size=(120, 5)).astype(float)
    y = rng.integers(0, 3, size=120)
    expected = stir_score(X, y, neighborhood=neighborhood)
    rows, columns = rng.permutation(120), rng.permutation(5)
    actual = stir_score(X[rows][:, columns], y[rows], neighborhood=neighborhood)
    assert_allclose(actual, expected[columns], rtol=1e-9)


@pytest.mark.parametrize(
    ("neighborhood", "score"),
    [("relieff", relieff_score), ("multisurf", multisurf_score)],
)
def test_sign_is_that_of_the_margin_for_two_classes(rng, neighborhood, score):
    # The numerator is the score of ReliefF or MultiSURF.
    X, y = rng.normal(size=(50, 12)), np.arange(50) % 2
    margins = score(X, y)
    assert (margins > 0).any()
    assert (margins < 0).any()
    statistics = stir_score(X, y, neighborhood=neighborhood)
    assert_array_equal(np.sign(statistics), np.sign(margins))


@each_neighborhood
def test_signal_has_small_pvalues_and_noise_has_not(neighborhood):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(100, 20)), np.arange(100) % 2
    X[:, 13] += 2.0 * y
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    p = STIR(neighborhood=neighborhood).fit(X, y).pvalues_
    assert p[13] < 1e-6
    assert (np.delete(p, 13) > 1e-3).mean() > 0.8


def test_share_of_small_pvalues_on_noise_is_near_what_the_notes_say():
    below = []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(100, 30)), np.arange(100) % 2
        below.append((STIR().fit(X, y).pvalues_ < 0.05).mean())
    assert 0.02 < np.mean(below) < 0.12


@each_neighborhood
def test_without_any_hit_nothing_is_known(neighborhood):
    X, y = np.random.default_rng(0).normal(size=(4, 2)), np.arange(4)
    with pytest.warns(UserWarning, match="has a label of its own"):
        selector = STIR(neighborhood=neighborhood).fit(X, y)
    assert_array_equal(selector.scores_, [0.0, 0.0])
    assert_array_equal(selector.pvalues_, [0.5, 0.5])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"neighborhood": "surf"}, "neighborhood must be .*'relieff'.*got 'surf'"),
        ({"n_neighbors": 0}, "n_neighbors must be"),
    ],
)
def test_wrong_arguments_are_refused(rng, options, message):
    with pytest.raises(ValueError, match=message):
        stir_score(rng.normal(size=(10, 2)), np.arange(10) % 2, **options)


@each_neighborhood
def test_rounding_is_no_signal(neighborhood):
    # Nearly all differences on the second column are guessed, and equal.
    for seed in range(30):
        rng = np.random.default_rng(seed)
        X = np.full((11, 2), np.nan)
        X[:, 0], X[:2, 1] = rng.random(11), [1.0, 2.0]
        y = np.arange(11) % 2
        selector = STIR(neighborhood=neighborhood, missing="constant").fit(X, y)
        assert selector.pvalues_[1] == 0.5 or abs(selector.scores_[1]) < 4.0
