"""Scaling, drawing pairs and reading curves, as the papers do."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from reproduction._protocols import (
    best_first,
    best_point,
    draw_pairs,
    scaled,
    sizes_text,
)


def test_columns_are_scaled_and_gaps_filled_with_the_mean():
    X = scaled([[0.0, 5.0, 1.0], [2.0, 5.0, np.nan], [4.0, 5.0, 3.0]])
    assert_allclose(X, [[0.0, 0.0, 0.0], [0.5, 0.0, 0.5], [1.0, 0.0, 1.0]])


@pytest.mark.parametrize("same", [False, True])
def test_pairs_are_of_the_wanted_kind_and_none_comes_twice(rng, same):
    y = np.array([0, 0, 0, 1, 1, 2])
    n_all = 4 if same else 11
    pairs = draw_pairs(y, n_all, rng, same=same)
    assert len({frozenset(pair) for pair in pairs.tolist()}) == n_all
    assert_array_equal(y[pairs[:, 0]] == y[pairs[:, 1]], same)


def test_pairs_come_in_either_order(rng):
    pairs = draw_pairs(np.arange(40) % 2, 50, rng)
    assert 0 < np.count_nonzero(pairs[:, 0] < pairs[:, 1]) < 50


def test_ties_go_to_the_lower_feature_and_no_score_comes_last():
    order = best_first(np.array([1.0, 3.0, -np.inf, 3.0]))
    assert_array_equal(order, [1, 3, 0, 2])


def test_the_best_point_of_one_run_has_no_spread():
    accuracy, size = best_point([np.array([0.5, 0.75, 0.75])], np.array([1, 2, 4]))
    assert (accuracy.value, accuracy.spread, accuracy.n_runs) == (75.0, None, 1)
    assert accuracy.curve == ([1, 2, 4], [50.0, 75.0, 75.0])
    assert (size.value, size.spread, size.n_runs) == (2.0, None, 1)


def test_the_best_point_is_that_of_the_mean_curve():
    # The means are 0.6, 0.65 and 0.65 up to rounding: the smaller size wins.
    curves = [np.array([0.2, 0.3, 0.1]), np.array([1.0, 1.0, 1.2])]
    accuracy, size = best_point(curves, np.array([1, 2, 3]))
    assert accuracy.value == pytest.approx(65.0)
    assert (size.value, size.n_runs) == (2.0, 2)


def test_the_spread_of_a_sure_best_point_is_the_deviation_of_its_runs(rng):
    # Size 2 is best in every run, so its accuracy is a plain mean.
    runs = rng.normal(0.9, 0.02, size=400)
    curves = [np.array([0.1, value]) for value in runs]
    accuracy, size = best_point(curves, np.array([1, 2]))
    # A deviation over 200 resamples has a relative error of about 1 / 20.
    assert accuracy.spread == pytest.approx(100 * runs.std(), rel=0.2)
    assert size.spread == 0.0


@pytest.mark.parametrize(
    ("sizes", "text"),
    [
        ([5], "5"),
        ([5, 7, 8], "5,7,8"),
        ([9, 10, 11], "9-11"),
        ([1, 2, 4, 5, 6, 7, 9], "1,2,4-7,9"),
    ],
)
def test_sizes_are_written_as_in_print(sizes, text):
    assert sizes_text(np.array(sizes)) == text
