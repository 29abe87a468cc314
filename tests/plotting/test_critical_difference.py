"""Mean ranks, and the groups that a critical difference joins."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from pairsift.evaluation import critical_difference
from pairsift.plotting import plot_critical_difference

pytest.importorskip("matplotlib")

from matplotlib.figure import Figure

from tests.plotting.pictures import check_all_readable, column


def groups(ax):
    lines = [line for line in ax.lines if line.get_gid() == "group"]
    return [tuple(line.get_xdata().tolist()) for line in lines]


def ranks(ax):
    lines = [line for line in ax.lines if line.get_gid() == "method"]
    return [line.get_xdata()[0] for line in lines]


def texts(ax):
    return [text.get_text() for text in ax.texts]


def by_all_pairs(means, distance):
    """Largest sets of sorted ranks of which no two are the distance apart."""
    means = sorted(means)
    found = []
    for i in range(len(means)):
        for j in range(i + 1, len(means)):
            if means[j] - means[i] < distance:
                found.append((i, j))
    return [
        (means[i], means[j])
        for i, j in found
        if not any((a <= i and j <= b) and (a, b) != (i, j) for a, b in found)
    ]


def test_by_hand():
    means = [1.5, 3.2, 2.1, 3.6]
    ax = plot_critical_difference(means, ["a", "b", "c", "d"], 1.2)
    assert groups(ax) == [(1.5, 2.1), (2.1, 3.2), (3.2, 3.6)]
    assert ranks(ax) == [1.5, 2.1, 3.2, 3.6]
    for text in ("a  1.50", "c  2.10", "3.20  b", "3.60  d"):
        assert text in texts(ax)
    (bar,) = [line for line in ax.lines if line.get_gid() == "distance"]
    assert_array_equal(bar.get_xdata(), [1.0, 2.2])
    assert "critical difference 1.20" in texts(ax)


def test_ranks_exactly_the_distance_apart_differ():
    # In floating point, 2.3 - 1.1 is a little less than 1.2.
    assert groups(plot_critical_difference([1.1, 2.3], distance=1.2)) == []


@pytest.mark.parametrize("seed", range(5))
def test_groups_are_those_of_all_pairs(seed):
    rng = np.random.default_rng(seed)
    means = rng.uniform(1, 9, 9)
    distance = rng.uniform(0.5, 4.0)
    ax = plot_critical_difference(means, distance=distance)
    assert groups(ax) == by_all_pairs(means.tolist(), distance)


def test_without_a_distance_nothing_is_joined():
    ax = plot_critical_difference([1.0, 2.0])
    assert groups(ax) == []
    assert not any("critical" in text for text in texts(ax))
    assert "1  1.00" in texts(ax)


def test_series_brings_its_names():
    series = pd.Series([2.0, 1.0], index=["slow", "fast"])
    ax = plot_critical_difference(series, distance=0.5)
    assert {"fast  1.00", "2.00  slow"} <= set(texts(ax))


def test_result_of_the_test_brings_everything():
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.random((6, 3)), columns=["a", "b", "c"])
    found = critical_difference(table)
    ax = plot_critical_difference(found)
    assert_array_equal(ranks(ax), found.mean_ranks)
    (text,) = [text for text in texts(ax) if text.startswith("critical")]
    assert f"{found.distance:.2f}" in text
    assert f"p = {found.p_value:.2g}" in text


@pytest.mark.parametrize("n_methods", [1, 2, 5, 12])
@pytest.mark.parametrize("make", [lambda: None, column, lambda: Figure().subplots()])
def test_readable(n_methods, make):
    rng = np.random.default_rng(0)
    means = rng.uniform(1, n_methods, n_methods)
    names = [f"SimilarityConstraintScore {j}" for j in range(n_methods)]
    ax = plot_critical_difference(means, names, 0.3 * n_methods, ax=make())
    check_all_readable(ax)
    ticks = [text for text in ax.texts if text.get_text().isdigit()]
    boxes = [text.get_window_extent() for text in ticks]
    assert all(a.x1 < b.x0 for a, b in pairwise(boxes))


def test_distance_wider_than_the_scale_is_seen_whole():
    ax = plot_critical_difference([1.5, 1.5], ["a", "b"], 3.0)
    assert ax.get_xlim()[1] > 4.0


def test_drawn_in_given_axes():
    ax = Figure().subplots()
    assert plot_critical_difference([1.0, 2.0], ax=ax) is ax


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"ranks": []}, ValueError, "ranks must be a list of numbers"),
        ({"ranks": [[1.0]]}, ValueError, "ranks must be a list of numbers"),
        ({"ranks": [0.0, 1.0]}, ValueError, "at least 1, the rank of the best, got 0"),
        ({"ranks": [1.0, np.nan]}, ValueError, "ranks must be finite"),
        ({"names": ["a"]}, ValueError, "names must name the 2 methods of ranks, got 1"),
        ({"distance": 0}, ValueError, "distance must be a positive number, got 0"),
        ({"ax": 3}, TypeError, "ax must be a Matplotlib Axes or None, got int"),
    ],
)
def test_refuses(arguments, error, message):
    with pytest.raises(error, match=message):
        plot_critical_difference(**{"ranks": [1.0, 2.0]} | arguments)
