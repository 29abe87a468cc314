"""Stability: by hand, by the published formulas, and at its edges."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from numpy.testing import assert_allclose

from pairsift.evaluation import stability
from pairsift.exceptions import DataError
from tests.reference.stability import stability_and_variance


def test_by_hand():
    # Shares 1, 2/3, 1/3, 0 of four features; two selected each time, so chance is
    # 1/2 * 1/2. Spread: 3/2 * (0 + 2/9 + 2/9 + 0) / 4 = 1/6, hence 1 - (1/6) / (1/4).
    supports = [[1, 1, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0]]
    assert_allclose(stability(supports).value, 1 / 3)


def test_equal_selections_are_fully_stable():
    found = stability([[True, False, True]] * 4)
    assert found.value == 1.0
    assert found.standard_error == 0.0
    assert (found.low, found.high) == (1.0, 1.0)
    assert float(found) == 1.0


def test_opposite_selections_are_less_stable_than_chance():
    assert stability([[1, 0], [0, 1]]).value == -1.0


@pytest.mark.parametrize("seed", range(5))
def test_agrees_with_the_published_formulas(seed):
    rng = np.random.default_rng(seed)
    supports = rng.random((int(rng.integers(2, 12)), 9)) < rng.random(9)
    found = stability(supports)
    value, variance = stability_and_variance(supports.astype(int).tolist())

    assert_allclose(found.value, value, atol=1e-12)
    assert_allclose(found.standard_error**2, variance, atol=1e-12)
    # 1.959964 is the 0.975 quantile of the normal distribution.
    assert_allclose(found.high - found.value, 1.959963984540054 * np.sqrt(variance))


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_order_of_runs_and_features_does_not_matter(seed):
    rng = np.random.default_rng(seed)
    supports = rng.random((5, 7)) < 0.5
    supports[0, :2] = (True, False)
    moved = supports[rng.permutation(5)][:, rng.permutation(7)]
    found, again = stability(supports), stability(moved)
    assert_allclose(again.value, found.value, atol=1e-12)
    assert_allclose(again.standard_error, found.standard_error, atol=1e-12)


def test_random_selections_have_no_stability():
    rng = np.random.default_rng(0)
    found = stability(rng.random((400, 30)) < 0.3)
    assert found.low < 0.0 < found.high
    assert abs(found.value) < 0.01


@pytest.mark.parametrize(
    ("supports", "message"),
    [
        ([[1, 0, 1]], r"at least two runs .* got shape \(1, 3\)"),
        ([1, 0, 1], r"got shape \(3,\)"),
        ([[0, 3], [1, 2]], "give masks, .* and not column numbers"),
        ([[1, 0], [1]], "rows of different lengths"),
        ([["a", "b"], ["a", "b"]], "must hold True and False"),
        ([[1, 1], [1, 1]], "every run selected all features"),
        ([[0, 0], [0, 0]], "every run selected no feature"),
    ],
)
def test_what_is_no_selection_is_refused(supports, message):
    with pytest.raises(DataError, match=message):
        stability(supports)


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95, "high"])
def test_confidence_is_a_share(confidence):
    with pytest.raises(DataError, match="confidence must be above 0 and below 1"):
        stability([[1, 0], [0, 1]], confidence=confidence)
