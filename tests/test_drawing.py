"""What pictures show is decided once, for figures and for pages."""

import re
from importlib.resources import files

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from pairsift._drawing import (
    COLOURS,
    MANY_FEATURES,
    N_DASHES,
    by_mean_rank,
    is_close,
    log_ticks,
    takes_bars,
    takes_log_axis,
)
from pairsift.plotting import plot_accuracy_curve
from pairsift.plotting._matplotlib import DASHES


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([3.0, 1.0, 0.0], True),
        ([3.0, -3.0], True),
        ([3.0, -3.1], False),
        ([-1.0, -2.0], False),
        ([np.inf, -1.0], False),
        ([1.0, -np.inf], True),
        ([-np.inf], True),
        ([], True),
    ],
)
def test_bars_are_for_scores_of_which_the_best_is_the_largest(scores, expected):
    assert takes_bars(scores) is expected


def test_equal_mean_ranks_keep_the_order_of_the_columns():
    # 0.1 + 0.2 is a little more than 0.3.
    assert by_mean_rank([[2, 2], [0.1, 0.2], [0.3, 0.0], [1, 1]]).tolist() == [
        *(1, 2, 3, 0)
    ]


def test_ranks_at_the_critical_difference_differ():
    assert_array_equal(is_close([1.0, 1.5, 2.2, 2.0], 1.0, 1.2), [1, 1, 0, 1])


def test_ticks_of_a_logarithmic_axis():
    assert log_ticks(1, 200) == [1, 2, 5, 10, 20, 50, 100, 200]
    assert log_ticks(3, 30) == [5, 10, 20]


@pytest.mark.parametrize("n_features", [MANY_FEATURES, MANY_FEATURES + 1])
def test_figures_have_a_logarithmic_axis_above_a_number_of_features(n_features):
    from matplotlib.figure import Figure

    curve = np.linspace(0.5, 0.9, n_features)
    ax = plot_accuracy_curve(curve, ax=Figure().subplots())
    assert takes_log_axis(np.arange(1, n_features + 1)) is (n_features > MANY_FEATURES)
    assert ax.get_xscale() == ("log" if n_features > MANY_FEATURES else "linear")
    if n_features > MANY_FEATURES:
        assert ax.get_xticks().tolist() == log_ticks(1, n_features)


def test_curves_of_pages_and_figures_have_the_colours_in_one_order():
    css = files("pairsift.reports").joinpath("report.css").read_text("utf-8")
    light = re.findall(r"--c(\d): (#[0-9a-f]{6})", css)[: len(COLOURS)]
    assert light == [(str(k), colour) for k, colour in enumerate(COLOURS)]
    assert len(DASHES) == N_DASHES
    assert set(re.findall(r"\.dash-(\d)", css)) == {str(k) for k in range(1, N_DASHES)}
