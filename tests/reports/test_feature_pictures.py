"""Pictures of chosen features: what is drawn where, from data in memory."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

from pairsift.reports._feature_pictures import (
    Group,
    box_picture,
    correlation_picture,
    most_alike,
)
from pairsift.reports._pictures import score_picture
from pairsift.reports._ranking import Feature
from tests.reports.pages import Page

NAMES = {"name": "p", "title": "T"}


def numbers(picture, tag, kind, attribute):
    """Return an attribute of all marks of a kind, in percent or pixels."""
    return [
        float(attributes[attribute].rstrip("%"))
        for found, attributes in Page(picture).tags
        if found == tag and attributes.get("class", "").split(" ")[0] == kind
    ]


def test_boxes_are_quartiles_and_whiskers_by_hand():
    # 0, 1, ..., 100: ticks from 0 to 100, so that a value is its percentage.
    picture = box_picture([Group("all", np.arange(101.0))], **NAMES)

    def at(value):
        return 38 + (88 - 38) * value / 100

    [left], [width] = (numbers(picture, "rect", "box", a) for a in ("x", "width"))
    assert_allclose([left, left + width], [at(25), at(75)], atol=0.02)
    assert_allclose(numbers(picture, "line", "whisker", "x1"), [at(5)], atol=0.02)
    assert_allclose(numbers(picture, "line", "whisker", "x2"), [at(95)], atol=0.02)
    assert_allclose(numbers(picture, "line", "median", "x1"), [at(50)], atol=0.02)
    # Too many values to draw each of them; their number stands at the side.
    assert numbers(picture, "circle", "dot", "cx") == []
    assert "101" in Page(picture).text
    assert "Medians: all 50." in Page(picture).text


def test_an_outlier_is_drawn_at_the_edge():
    values = np.append(np.arange(40.0), 1e9)
    picture = box_picture([Group("a", values), Group("b", values - 1)], **NAMES)
    dots = numbers(picture, "circle", "dot", "cx")

    assert len(dots) == 82
    assert max(dots) == 88.0
    assert np.median(dots) < 70.0


@pytest.mark.parametrize(
    "values", [[], [np.nan, np.nan], [3.0], [3.0, 3.0, np.nan]], ids=str
)
def test_awkward_groups(values):
    picture = box_picture([Group("a", np.array(values, dtype=float))], **NAMES)

    assert "nan" not in picture
    assert str(np.count_nonzero(~np.isnan(values))) in Page(picture).text


def test_correlations_are_written_below_the_diagonal():
    R = np.array([[1.0, 0.874, -0.126], [0.874, 1.0, np.nan], [-0.126, np.nan, 1.0]])
    picture = correlation_picture(["x", "y", "<z>"], R, **NAMES)
    text = Page(picture).text

    assert [t for t in text if t in (".87", "−.13", "–")] == [".87", "−.13", "–"]
    shares = re.findall(r"--shade\),([\d.]+)", picture)
    assert shares == ["0.60", "0.52", "0.60", "0.08", "0.00", "0.60"]
    assert "3  <z>" in text
    assert most_alike(["x", "y", "z"], R) == (
        "Most alike are x and y, with a rank correlation of 0.87."
    )
    assert most_alike(["x", "y"], np.array([[1.0, np.nan], [np.nan, 1.0]])) == ""


def scored(*scores):
    order = sorted(scores, reverse=True)
    return [Feature(k + 1, f"x{k}", score, k < 2) for k, score in enumerate(order)]


@pytest.mark.parametrize(
    "scores", [(3.0, 2.0, 0.0), (3.0, 1.0, -3.0), (np.inf, 2.0, -np.inf), (0.0, 0.0)]
)
def test_the_longest_bar_is_the_best_feature(scores):
    picture = score_picture(scored(*scores))
    widths = numbers(picture, "rect", "selected", "width")
    widths += numbers(picture, "rect", "rest", "width")

    assert len(widths) == len(scores)
    assert widths[0] == max(widths)
    assert "nan" not in picture


def test_bars_begin_at_zero_on_the_left():
    picture = score_picture(scored(4.0, 2.0, 1.0))
    starts = numbers(picture, "rect", "selected", "x")
    widths = numbers(picture, "rect", "selected", "width")

    assert starts == [38.0, 38.0]
    assert_allclose(widths, [44.0, 22.0])
    assert numbers(picture, "line", "axis", "x1") == [38.0]


@pytest.mark.parametrize("scores", [(-1.0, -2.0, -4.0), (0.5, -9.0, -np.inf)])
def test_points_take_the_place_of_bars_that_would_mislead(scores):
    picture = score_picture(scored(*scores))
    places = numbers(picture, "circle", "selected", "cx")

    assert numbers(picture, "rect", "selected", "x") == []
    assert places == sorted(places, reverse=True)
    assert 38.0 <= min(places) < max(places) <= 82.0


def test_points_lie_on_the_axis_by_hand():
    # Ticks from -4 to -1 at steps of 1.
    picture = score_picture(scored(-1.0, -2.0, -4.0))
    places = numbers(picture, "circle", "selected", "cx")

    assert_allclose(places, [82.0, 38 + 44 * 2 / 3], atol=0.01)
    assert [t for t in Page(picture).text if t in ("−4", "−1")] == ["−4", "−1"]
