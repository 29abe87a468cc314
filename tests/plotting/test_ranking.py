"""Bars of scores and the heat map of ranks show what was fitted."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SelectKBest

from pairsift import FisherScore, ReliefF, VarianceScore
from pairsift.plotting import plot_ranking, plot_ranks
from tests.selectors.builders import problem

pytest.importorskip("matplotlib")

from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from tests.plotting.pictures import (
    check_all_readable,
    column,
    labels,
    legend_of,
)

LONG = "a very long name of a measurement, number"


def fitted(n_features=6, n_features_to_select=2, cls=ReliefF):
    X, y = problem(n_features=n_features)
    X = pd.DataFrame(X, columns=[f"gene {j}" for j in range(n_features)])
    return cls(n_features_to_select).fit(X, y)


def with_scores(scores, n_selected=1):
    selector = VarianceScore(n_selected)
    selector.fit(np.eye(len(scores) + 1)[:, : len(scores)])
    selector.scores_ = np.array(scores, dtype=np.float64)
    return selector._rank()


def bars(ax):
    """Length and colour of each bar, from top to bottom."""
    found = {}
    for bar in ax.patches:
        line = round(bar.get_y() + bar.get_height() / 2)
        found[line] = (bar.get_x(), bar.get_width(), to_hex(bar.get_facecolor()))
    return [found[line] for line in sorted(found)]


def test_bars_are_the_scores_best_first_selected_in_colour():
    selector = fitted()
    ax = plot_ranking(selector)
    starts, lengths, colours = zip(*bars(ax), strict=True)
    assert_array_equal(lengths, selector.scores_[selector.order_])
    assert set(starts) == {0.0}
    assert colours == ("#0072b2",) * 2 + ("#c8c8c8",) * 4
    assert labels(ax.yaxis) == [f"gene {j}" for j in selector.order_]
    low, high = ax.get_ylim()
    assert low > high  # the first line is on top
    assert legend_of(ax) == ["selected", "not selected"]


def test_top_cuts_the_picture_and_the_title_says_so():
    ax = plot_ranking(fitted(), top=3)
    assert len(bars(ax)) == 3
    expected = "ReliefF: the best 3 of 6 features, 2 selected"
    assert ax.get_title(loc="left") == expected
    assert len(bars(plot_ranking(fitted(), top=None))) == 6
    assert len(bars(plot_ranking(fitted(), top=99))) == 6


def test_all_selected_needs_no_legend():
    ax = plot_ranking(fitted(n_features_to_select=None))
    assert {colour for *_, colour in bars(ax)} == {"#0072b2"}
    assert ax.get_legend() is None


@pytest.mark.parametrize("scores", [[-3.0, -1.0, -2.0], [0.5, -9.0, 0.25]])
def test_scores_that_bars_would_turn_round_are_points(scores):
    ax = plot_ranking(with_scores(scores))
    points = np.vstack([c.get_offsets() for c in ax.collections[:2]])
    assert bars(ax) == []
    assert_array_equal(points[:, 0], np.sort(scores)[::-1])
    assert_array_equal(points[:, 1], [0, 1, 2])
    low, high = ax.get_xlim()
    assert low < min(scores) < max(scores) < high
    check_all_readable(ax)


def test_the_longest_bar_is_the_best_feature():
    ax = plot_ranking(with_scores([-1.0, 3.0, 2.0, -3.0]))
    assert [length for _, length, _ in bars(ax)] == [3.0, 2.0, -1.0, -3.0]


def test_infinite_scores_are_written_out_at_the_ends():
    ax = plot_ranking(with_scores([1.0, -np.inf, 2.0, np.inf]))
    assert [length for _, length, _ in bars(ax)] == [2.0, 1.0]
    best, worst = ax.texts
    assert (best.get_text(), best.xy) == ("∞", (1.0, 0))
    assert (worst.get_text(), worst.xy) == ("−∞", (0.0, 3))
    check_all_readable(ax)


def test_constant_scores_and_one_feature_are_pictures_too():
    ax = plot_ranking(with_scores([0.0, 0.0, 0.0]))
    assert [length for _, length, _ in bars(ax)] == [0.0] * 3
    check_all_readable(ax)
    ax = plot_ranking(with_scores([4.0]))
    assert ax.get_title(loc="left") == "VarianceScore: 1 feature, 1 selected"
    check_all_readable(ax)


@pytest.mark.parametrize("make", [lambda: None, lambda: column(3.5)])
def test_ranking_is_readable(make):
    names = [f"{LONG} {j}" for j in range(60)]
    ax = plot_ranking(with_scores(np.arange(60.0)), feature_names=names, ax=make())
    check_all_readable(ax)
    shown = labels(ax.yaxis)
    assert len(set(shown)) == len(shown)  # cut in the middle, not at the end
    assert shown[0].startswith("a very")
    assert shown[0].endswith(" 59")


def test_crowded_axes_name_some_lines_only():
    ax = plot_ranking(with_scores(np.arange(90.0)), top=None, ax=column(2.0))
    check_all_readable(ax)
    assert len(bars(ax)) == 90
    shown = [int(name.removeprefix("x")) for name in labels(ax.yaxis)]
    assert shown[0] == 89
    assert np.unique(np.diff(shown)).size == 1
    assert ax.get_yticks()[1] == 89 - shown[1]


def test_drawn_in_given_axes_and_defaults_untouched():
    import matplotlib as mpl

    before = dict(mpl.rcParams)
    ax = Figure().subplots()
    assert plot_ranking(fitted(), ax=ax) is ax
    assert plot_ranks([fitted()], ax=ax) is ax
    assert dict(mpl.rcParams) == before


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"selector": SelectKBest()}, TypeError, "selector of pairsift, got SelectK"),
        ({"selector": ReliefF()}, NotFittedError, "not fitted"),
        ({"top": 0}, ValueError, "top must be a whole number of at least 1, got 0"),
        ({"feature_names": ["a"]}, ValueError, "name the 6 features, got 1 names"),
        ({"feature_names": "abcdef"}, ValueError, "6 features, got one text"),
        ({"ax": 3}, TypeError, "ax must be a Matplotlib Axes or None, got int"),
    ],
)
def test_ranking_refuses(arguments, error, message):
    with pytest.raises(error, match=message):
        plot_ranking(**{"selector": fitted()} | arguments)


def cells(ax):
    return ax.collections[0].get_array().reshape(len(ax.get_yticks()), -1)


def test_cells_are_the_ranks_best_mean_first():
    ranks = {"a": [3, 1, 2], "b": [3, 2, 1], "c": [1, 2, 3]}
    ax = plot_ranks(ranks, feature_names=["x", "y", "z"])
    assert labels(ax.yaxis) == ["y", "z", "x"]  # 5/3, 2, 7/3
    assert labels(ax.xaxis) == ["a", "b", "c"]
    assert_array_equal(cells(ax), [[1, 2, 2], [2, 1, 3], [3, 3, 1]])
    written = [[text.get_text() for text in ax.texts[i : i + 3]] for i in (0, 3, 6)]
    assert written == [["1", "2", "2"], ["2", "1", "3"], ["3", "3", "1"]]
    assert ax.get_ylim() == (3, 0)


def test_fitted_selectors_are_named_by_class_and_bring_names():
    selectors = [fitted(), fitted(cls=FisherScore), fitted(n_features_to_select=3)]
    ax = plot_ranks(selectors)
    assert labels(ax.xaxis) == ["ReliefF", "FisherScore", "ReliefF (2)"]
    order = [int(name.removeprefix("gene ")) for name in labels(ax.yaxis)]
    expected = np.column_stack([s.ranking_ for s in selectors])[order]
    assert_array_equal(cells(ax), expected)


def test_ranks_of_a_table():
    table = pd.DataFrame({"a": [1.9, 1.0], "b": [1.5, 1.4]}, index=["x", "y"])
    ax = plot_ranks(table)
    assert labels(ax.yaxis) == ["y", "x"]
    assert labels(ax.xaxis) == ["a", "b"]
    assert [text.get_text() for text in ax.texts] == ["1.0", "1.4", "1.9", "1.5"]


def test_shades_go_to_the_number_of_features_though_few_are_shown():
    ax = plot_ranks({"a": np.arange(1, 41)}, top=5)
    assert ax.collections[0].get_clim() == (1, 40)
    assert cells(ax).ravel().tolist() == [1, 2, 3, 4, 5]
    assert ax.get_xlabel() == "the best 5 of 40 features"


def test_small_cells_have_a_bar_of_shades_instead_of_numbers():
    ranks = {"a": np.arange(1, 301), "b": np.arange(300, 0, -1)}
    ax = plot_ranks(ranks, top=None, ax=column(3.0))
    assert not ax.texts
    assert [other.get_ylabel() for other in ax.figure.axes] == ["", "rank"]
    check_all_readable(ax)


@pytest.mark.parametrize("make", [lambda: None, lambda: column(4.5)])
def test_ranks_are_readable(make):
    rng = np.random.default_rng(0)
    many = {
        f"SimilarityConstraintScore {j}": rng.permutation(60) + 1 for j in range(12)
    }
    names = [f"{LONG} {j}" for j in range(60)]
    check_all_readable(plot_ranks(many, top=12, feature_names=names, ax=make()))


def test_one_feature_of_one_method():
    ax = plot_ranks({"only": [1]})
    assert [text.get_text() for text in ax.texts] == ["1"]
    check_all_readable(ax)


@pytest.mark.parametrize(
    ("selectors", "error", "message"),
    [
        ([], ValueError, r"selectors must be a mapping .* at least one, got \[\]"),
        ("relief", ValueError, "selectors must be a mapping"),
        ([3], TypeError, "each of selectors must be a fitted selector .* got int"),
        ([ReliefF()], NotFittedError, "not fitted"),
        ({"a": "abc"}, ValueError, r"selectors\['a'\] must be a fitted selector or"),
        ({"a": [0, 1]}, ValueError, "ranks from 1 to 2, .* got 0 to 1"),
        ({"a": [1, 3]}, ValueError, "ranks from 1 to 2, .* got 1 to 3"),
        ({"a": [1.0, np.nan]}, ValueError, "ranks from 1 to 2"),
        ({"a": [1, 2], "b": [1]}, ValueError, "'a' ranks 2 and 'b' 1"),
    ],
)
def test_ranks_refuse(selectors, error, message):
    with pytest.raises(error, match=message):
        plot_ranks(selectors)
