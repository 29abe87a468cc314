"""Bars of scores: never the longest for a feature that is not the best."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose

from pairsift.plotting import plot_ranking
from pairsift.reports import ranked_features
from pairsift.reports._pictures import has_bars, score_picture
from pairsift.reports._ranking import Feature
from pairsift.selectors import find_method, methods
from tests.reports.pages import Page

NAMES = [f"x{j}" for j in range(7)]


def percent(attributes, name):
    return float(attributes[name].rstrip("%"))


def marks(picture, tag):
    """Return the attributes of bars (rect) or points (circle), best feature first."""
    return [a for found, a in Page(picture).tags if found == tag]


@pytest.fixture(scope="module")
def problem():
    """Two classes; one clear column, one weak, a copy, a constant and noise."""
    rng = np.random.default_rng(0)
    y = np.arange(36) % 2
    X = rng.random((36, 7))
    X[:, 2] += 2.0 * y
    X[:, 4] += 0.4 * y
    X[:, 5] = X[:, 4]
    X[:, 6] = 1.0
    return X, y


@pytest.fixture(scope="module")
def fitted(problem):
    X, y = problem

    def fit(name):
        selector = find_method(name)()
        if "random_state" in selector.get_params():
            selector.set_params(random_state=0)
        is_number = selector._method.needs == "a numeric target"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return selector.fit(X, X[:, 2] + 0.1 * X[:, 4] if is_number else y)

    return fit


@pytest.mark.slow
@pytest.mark.parametrize("name", methods()["name"])
def test_the_longest_bar_is_the_best_features_or_there_is_none(name, fitted):
    features = ranked_features(fitted(name), NAMES)
    picture = score_picture(features)
    bars, points = marks(picture, "rect"), marks(picture, "circle")

    assert bool(bars) == has_bars(features) != bool(points)
    lengths = [percent(bar, "width") for bar in bars]
    assert not lengths or lengths[0] == max(lengths)
    places = [percent(point, "cx") for point in points]
    assert places == sorted(places, reverse=True)


@pytest.mark.parametrize("name", ["fcrsc", "laplacian-score", "relieff"])
def test_figures_and_pages_agree_on_bars(name, fitted):
    from matplotlib.figure import Figure

    selector = fitted(name)
    ax = plot_ranking(selector, ax=Figure().subplots())
    assert bool(ax.patches) == has_bars(ranked_features(selector, NAMES))


def as_features(*scores):
    return [Feature(k + 1, f"f{k}", s, True) for k, s in enumerate(scores)]


def test_bars_start_at_zero_on_the_left_and_are_proportional():
    bars = marks(score_picture(as_features(4.0, 2.0, 1.0, 0.0)), "rect")

    assert len({bar["x"] for bar in bars}) == 1
    lengths = [percent(bar, "width") for bar in bars]
    assert_allclose(np.array(lengths) / lengths[0], [1.0, 0.5, 0.25, 0.0], atol=1e-4)


def test_a_margin_below_zero_is_a_bar_to_the_left():
    best, worst = marks(score_picture(as_features(4.0, -1.0)), "rect")

    zero = percent(best, "x")
    assert_allclose(percent(worst, "x") + percent(worst, "width"), zero, atol=1e-3)
    assert_allclose(percent(best, "width"), 4 * percent(worst, "width"), atol=1e-2)


def test_infinite_scores_are_written_out():
    picture = score_picture(as_features(np.inf, 2.0, -np.inf))
    lengths = [percent(bar, "width") for bar in marks(picture, "rect")]

    assert lengths[0] == lengths[1] > 0.0
    assert lengths[2] == 0.0
    assert {"∞", "−∞"} <= set(Page(picture).text)
