"""Accuracy curves: means, bands and best points of what was given."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pairsift.evaluation import AccuracyCurve
from pairsift.plotting import plot_accuracy_curve

pytest.importorskip("matplotlib")

from matplotlib.figure import Figure

from pairsift.plotting._matplotlib import look
from tests.plotting.pictures import (
    check_all_readable,
    column,
    legend_of,
)

CURVE = AccuracyCurve(np.array([1, 2, 4, 8]), np.array([0.5, 0.9, 0.8, 0.9]))
RUNS = np.array([[0.5, 0.7, 0.6], [0.7, 0.7, 0.9], [0.6, 0.7, 0.6]])


def curve_of(ax, name):
    (line,) = [line for line in ax.lines if line.get_label() == name]
    return line


def best_points(ax):
    large = [line for line in ax.lines if line.get_markersize() > 7.0]
    return [
        (*line.get_xdata(), *line.get_ydata())
        for line in large
        if len(line.get_xdata())
    ]


def band_of(ax, number=0):
    """Lower and upper limit at each size."""
    (path,) = ax.collections[number].get_paths()
    corners = {}
    for x, y in path.vertices:
        low, high = corners.get(x, (y, y))
        corners[x] = min(low, y), max(high, y)
    return np.array([corners[x] for x in sorted(corners)]).T


def test_one_curve_and_its_best_point():
    ax = plot_accuracy_curve(CURVE)
    assert_array_equal(ax.lines[0].get_xdata(), CURVE.sizes)
    assert_array_equal(ax.lines[0].get_ydata(), CURVE.accuracies)
    # Two sizes reach 0.9: the smaller one is marked.
    assert best_points(ax) == [(2, 0.9)]
    assert not ax.collections
    assert legend_of(ax) == ["best point"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("number of features", "accuracy")


def test_runs_are_drawn_as_their_mean_with_a_band():
    ax = plot_accuracy_curve({"random": RUNS}, sizes=[2, 4, 6], confidence=0.9)
    line = curve_of(ax, "random")
    assert_array_equal(line.get_xdata(), [2, 4, 6])
    assert_allclose(line.get_ydata(), [0.6, 0.7, 0.7])
    assert best_points(ax) == [(4, pytest.approx(0.7))]
    # Student's quantile for 2 degrees of freedom at 95 percent, from a table.
    half = 2.919986 * np.array([0.1, 0.0, np.sqrt(0.03)]) / np.sqrt(3)
    low, high = band_of(ax)
    assert_allclose(low, line.get_ydata() - half, rtol=1e-6)
    assert_allclose(high, line.get_ydata() + half, rtol=1e-6)


def test_band_is_cut_at_zero_and_one():
    ax = plot_accuracy_curve([[0.0, 1.0], [0.2, 0.8]])
    low, high = band_of(ax)
    assert low[0] == 0.0
    assert high[1] == 1.0
    assert ax.get_ylim()[0] > -0.1
    assert ax.get_ylim()[1] < 1.1


def test_list_of_curves_is_repeated_runs():
    other = AccuracyCurve(CURVE.sizes, np.array([0.7, 0.5, 0.8, 0.7]))
    ax = plot_accuracy_curve([CURVE, other], confidence=None)
    assert_allclose(ax.lines[0].get_ydata(), [0.6, 0.7, 0.8, 0.8])
    assert best_points(ax) == [(4, pytest.approx(0.8))]
    assert not ax.collections


def test_names_are_in_the_legend_and_looks_differ():
    curves = {f"method {j}": np.linspace(0.1 + j / 20, 0.9, 30) for j in range(12)}
    ax = plot_accuracy_curve(curves)
    assert legend_of(ax) == [*curves, "best point"]
    lines = [curve_of(ax, name) for name in curves]
    assert len({line.get_marker() for line in lines}) == 12
    looks = {(line.get_color(), str(line.get_linestyle())) for line in lines}
    assert len(looks) >= 6
    # Without colours, neighbours differ in their dashes too.
    assert all(look(j)["linestyle"] != look(j + 1)["linestyle"] for j in range(11))
    for line in lines:
        start, every = line.get_markevery()
        assert 4 <= len(range(start, 30, every)) <= 8


@pytest.mark.parametrize("make", [lambda: None, lambda: column(4.0)])
def test_curves_are_readable(make):
    rng = np.random.default_rng(0)
    curves = {f"SimilarityConstraint {j}": rng.random((4, 60)) for j in range(12)}
    check_all_readable(plot_accuracy_curve(curves, ax=make()))


@pytest.mark.parametrize("values", [[0.7], np.ones(9), np.zeros(9)])
def test_one_size_and_constant_curves(values):
    ax = plot_accuracy_curve({"a": values})
    assert_array_equal(curve_of(ax, "a").get_ydata(), values)
    assert best_points(ax) == [(1, values[0])]
    assert ax.get_ylim()[0] < values[0] < ax.get_ylim()[1]
    check_all_readable(ax)


def test_legend_stays_inside_where_nothing_makes_room():
    ax = plot_accuracy_curve({"a": CURVE}, ax=Figure().subplots())
    ax.figure.canvas.draw()
    legend, axes = ax.get_legend().get_window_extent(), ax.get_window_extent()
    assert axes.x0 <= legend.x0 <= legend.x1 <= axes.x1
    assert axes.y0 <= legend.y0 <= legend.y1 <= axes.y1


def test_legend_below_covers_nothing():
    ax = plot_accuracy_curve({"a": CURVE, "b": RUNS})
    ax.figure.canvas.draw()
    label = ax.xaxis.label.get_window_extent()
    assert ax.get_legend().get_window_extent().y1 <= label.y0 + 2.0


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"curves": {}}, ValueError, "at least one curve, got an empty mapping"),
        (
            {"curves": {"a": "b"}},
            ValueError,
            r"curves\['a'\] must be a list or a matrix",
        ),
        ({"curves": []}, ValueError, "curves must be a list or a matrix of numbers"),
        ({"curves": [[0.1], [0.1, 0.2]]}, ValueError, "list or a matrix of numbers"),
        ({"curves": [0.5, np.nan]}, ValueError, "curves must be finite"),
        ({"curves": [50.0, 90.0]}, ValueError, "fractions from 0 to 1, got 50 to 90"),
        ({"curves": [CURVE, 0.5]}, ValueError, "AccuracyCurve only, or numbers only"),
        (
            {"curves": [CURVE, AccuracyCurve(np.array([1]), np.array([0.5]))]},
            ValueError,
            "runs of the same sizes",
        ),
        ({"sizes": [1, 2]}, ValueError, "sizes must be 3 ascending numbers"),
        ({"sizes": [1, 3, 2]}, ValueError, "sizes must be 3 ascending numbers"),
        ({"confidence": 95}, ValueError, "between 0 and 1 or None, got 95"),
        ({"confidence": "a"}, ValueError, "between 0 and 1 or None, got 'a'"),
        ({"ax": "here"}, TypeError, "ax must be a Matplotlib Axes or None, got str"),
    ],
)
def test_refuses(arguments, error, message):
    with pytest.raises(error, match=message):
        plot_accuracy_curve(**{"curves": RUNS} | arguments)
