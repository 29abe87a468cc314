"""Selecting what is significant: the threshold of Relief, the p-values of STIR."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pairsift import (
    STIR,
    SURF,
    MultiSURF,
    MultiSURFStar,
    Relief,
    ReliefF,
    RReliefF,
    SURFStar,
    SWRFStar,
)

ONE = [Relief, ReliefF, SURF, MultiSURF]
TWO = [SURFStar, SWRFStar, MultiSURFStar]


def problem(rng, n_samples=100):
    """Column 1 is nearly the class, column 3 goes with it, the others are noise."""
    y = np.arange(n_samples) % 2
    X = rng.random((n_samples, 12))
    X[:, 1] = np.where(np.arange(n_samples) < 4, 1 - y, y)
    X[:, 3] = y + 0.8 * X[:, 3]
    return X, y


@pytest.mark.filterwarnings("ignore:no feature is significant")
@pytest.mark.parametrize("selector_class", ONE + TWO)
@pytest.mark.parametrize("alpha", [0.1, 0.5])
def test_margins_above_the_threshold_are_selected(rng, selector_class, alpha):
    X, y = problem(rng)
    selector = selector_class("significant", alpha=alpha).fit(X, y)
    tau = (1 if selector_class in ONE else 2) / (alpha * 100) ** 0.5
    assert_allclose(selector.threshold_, tau)
    selected = [f for f in range(12) if selector.scores_[f] > tau]
    assert len(selected) < 12
    # The far rows of the others take away what the near ones give.
    assert 1 in selected or selector_class in TWO or alpha < 0.5
    assert selector.get_support(indices=True).tolist() == selected
    assert selector.n_features_to_select_ == len(selected)
    assert_array_equal(selector.support_, selector.ranking_ <= len(selected))


@pytest.mark.filterwarnings("ignore:no feature is significant")
def test_rows_drawn_are_the_rows_counted(rng):
    X, y = problem(rng)
    selector = ReliefF("significant", max_samples=40, random_state=0).fit(X, y)
    assert_allclose(selector.threshold_, 1 / (0.05 * 40) ** 0.5)
    some = np.where(np.arange(100) < 60, y, -1)
    selector = Relief("significant", max_samples=80).fit(X, some, missing_label=-1)
    assert_allclose(selector.threshold_, 1 / (0.05 * 60) ** 0.5)


@pytest.mark.filterwarnings("ignore:no feature is significant")
@pytest.mark.parametrize("selector_class", [Relief, STIR])
def test_noise_is_not_selected(rng, selector_class):
    y = np.arange(60) % 2
    n_found = 0
    for _ in range(20):
        X = rng.normal(size=(60, 4))
        n_found += selector_class("significant").fit(X, y).support_.any()
    # At 5 % a time: more than 6 of 20 have a probability below one in a thousand.
    assert n_found <= 6


def test_none_may_be_significant(rng):
    X, y = rng.normal(size=(40, 3)), np.arange(40) % 2
    with pytest.warns(UserWarning, match=r"no feature is significant at alpha=0\.01"):
        selector = ReliefF("significant", alpha=0.01).fit(X, y)
    assert not selector.support_.any()
    assert selector.n_features_to_select_ == 0
    assert_array_equal(np.sort(selector.order_), np.arange(3))


def test_p_values_are_corrected_by_holm(rng):
    X, y = problem(rng)
    X[:, 5:8] += 0.1 * y[:, None]
    selector = STIR("significant", neighborhood="multisurf").fit(X, y)
    p = selector.pvalues_
    expected = [
        min(1.0, max(p[g] * (p >= p[g]).sum() for g in range(12) if p[g] <= p[f]))
        for f in range(12)
    ]
    assert_allclose(selector.corrected_pvalues_, expected)
    assert_array_equal(selector.support_, np.array(expected) < 0.05)
    assert {1, 3} <= set(selector.get_support(indices=True))
    assert not selector.support_.all()
    # What equals the level is not below it.
    level = max(q for q in expected if q < 1.0)
    again = STIR("significant", neighborhood="multisurf", alpha=level).fit(X, y)
    assert again.support_.sum() == sum(q < level for q in expected) > 0


def test_rows_that_are_left_out_cannot_be_counted(rng):
    X, y = problem(rng)
    assert ReliefF("significant", missing="ignore").fit(X, y).support_[1]
    X[3, 2] = np.nan
    with pytest.raises(ValueError, match='missing="ignore" leaves some out'):
        ReliefF("significant", missing="ignore").fit(X, y)
    assert ReliefF("significant").fit(X, y).support_[1]
    assert STIR("significant", missing="ignore").fit(X, y).support_[1]


def test_impossible_levels_are_refused(rng):
    X, y = problem(rng)
    for alpha in (0.0, 1.0, -1, "small"):
        with pytest.raises(ValueError, match="'alpha' parameter"):
            ReliefF("significant", alpha=alpha).fit(X, y)
    with pytest.raises(ValueError, match="n_features_to_select"):
        RReliefF("significant").fit(X, X[:, 0])
