"""Panels of a comparison."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pairsift import FisherScore, VarianceScore
from pairsift.evaluation import Comparison, compare
from pairsift.plotting import plot_comparison
from tests.selectors.builders import problem

pytest.importorskip("matplotlib")

from matplotlib.figure import Figure

from tests.plotting.pictures import check_all_readable, legend_of


def table(n_data=1, n_classifiers=1, n_selectors=2, n_splits=3, n_sizes=4):
    rng = np.random.default_rng(0)
    shape = (n_data, n_classifiers, n_selectors, n_splits, n_sizes)
    index = pd.MultiIndex.from_product(
        [
            [f"data {j}" for j in range(n_data)],
            ["1nn", "svm", "tree"][:n_classifiers],
            [f"selector {j}" for j in range(n_selectors)],
            range(n_splits),
            range(1, n_sizes + 1),
        ],
        names=["data", "classifier", "selector", "split", "n_features"],
    )
    values = rng.random(shape)
    return pd.DataFrame({"accuracy": values.ravel()}, index=index).reset_index(), values


def result():
    X, y = problem(n_samples=60)
    return Comparison.join(
        compare(
            [("fisher", FisherScore()), ("variance", VarianceScore())],
            X[:, columns],
            y,
            classifiers=("1nn", "tree"),
            n_splits=3,
            n_jobs=1,
            name=name,
        )
        for name, columns in (("six", slice(6)), ("four", slice(1, 5)))
    )


def test_panels_are_the_means_of_data_and_classifiers():
    lines, values = table(2, 3)
    axes = plot_comparison(lines)
    assert axes.shape == (2, 3)
    for (i, j), ax in np.ndenumerate(axes):
        for k in range(2):
            assert_allclose(ax.lines[k].get_ydata(), values[i, j, k].mean(axis=0))
        assert ax.get_title(loc="left") == f"data {i}, {['1nn', 'svm', 'tree'][j]}"
        assert len(ax.collections) == 2
    (legend,) = axes[0, 0].figure.legends
    expected = ["selector 0", "selector 1", "best point"]
    assert [text.get_text() for text in legend.get_texts()] == expected
    check_all_readable(*axes.flat)


def test_table_without_data_and_classifier_is_one_panel():
    lines, values = table()
    axes = plot_comparison(lines.drop(columns=["data", "classifier"]), confidence=None)
    assert axes.shape == (1, 1)
    ax = axes[0, 0]
    assert_allclose(ax.lines[1].get_ydata(), values[0, 0, 1].mean(axis=0))
    assert not ax.collections
    assert legend_of(ax) == ["selector 0", "selector 1", "best point"]
    check_all_readable(ax)


def test_curve_ends_where_a_split_ends_and_failed_splits_do_not_count():
    lines, values = table()
    is_first = lines["selector"] == "selector 0"
    lines = lines[~(is_first & (lines["split"] == 0))]
    ended = is_first & (lines["split"] == 1) & (lines["n_features"] == 4)
    lines.loc[ended.reindex(lines.index), "accuracy"] = np.nan
    ax = plot_comparison(lines)[0, 0]
    assert_array_equal(ax.lines[0].get_xdata(), [1, 2, 3])
    assert_allclose(ax.lines[0].get_ydata(), values[0, 0, 0, 1:, :3].mean(axis=0))
    assert_array_equal(ax.lines[1].get_xdata(), [1, 2, 3, 4])


def test_selector_keeps_its_look_where_another_is_missing():
    lines, _ = table(2)
    lines = lines[~((lines["data"] == "data 1") & (lines["selector"] == "selector 0"))]
    axes = plot_comparison(lines)
    assert axes[1, 0].lines[0].get_xdata().size == 0
    assert axes[1, 0].lines[1].get_color() == axes[0, 0].lines[1].get_color()


def test_comparison_is_drawn_with_its_own_bands():
    found = result()
    axes = plot_comparison(found, confidence=0.8)
    assert axes.shape == (2, 2)
    index = ["data", "classifier", "selector"]
    curves = found.curves(0.8).set_index(index).sort_index(kind="stable")
    for (i, j), ax in np.ndenumerate(axes):
        for k, name in enumerate(["fisher", "variance"]):
            part = curves.loc[(["six", "four"][i], ["1nn", "tree"][j], name)]
            assert_array_equal(ax.lines[k].get_xdata(), part["n_features"])
            assert_allclose(ax.lines[k].get_ydata(), part["accuracy"])
            (path,) = ax.collections[k].get_paths()
            drawn = set(path.vertices[:, 1].round(9))
            assert set(part["low"].clip(0, 1).round(9)) <= drawn
            assert set(part["high"].clip(0, 1).round(9)) <= drawn


def test_redundancy_has_one_panel_for_all_classifiers():
    found = result()
    axes = plot_comparison(found, value="redundancy_rate")
    assert axes.shape == (2, 1)
    index = ["data", "classifier", "selector"]
    curves = found.curves().set_index(index).sort_index(kind="stable")
    part = curves.loc[("four", "1nn", "variance")]
    assert_allclose(axes[1, 0].lines[1].get_ydata(), part["redundancy_rate"])
    assert axes[0, 0].get_ylabel() == "redundancy rate"
    assert not axes[0, 0].collections


def test_other_columns_can_be_drawn():
    lines, values = table()
    lines["seconds"] = 100.0 * lines["accuracy"]
    ax = plot_comparison(lines, value="seconds")[0, 0]
    assert_allclose(ax.lines[0].get_ydata(), 100.0 * values[0, 0, 0].mean(axis=0))
    assert legend_of(ax) == ["selector 0", "selector 1"]  # no best point


def test_drawn_in_given_axes():
    given = Figure().subplots(2)
    axes = plot_comparison(table(2)[0], axes=given)
    assert axes.shape == (2, 1)
    assert list(axes.flat) == list(given)


def twice():
    lines, _ = table()
    return pd.concat([lines, lines[:1]])


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"result": {}}, TypeError, "a Comparison or a pandas DataFrame, got dict"),
        ({"value": "speed"}, ValueError, "must have the column 'speed', got 'data', "),
        ({"value": "selector"}, ValueError, "a column of numbers, got 'selector'"),
        ({"result": table()[0][:0]}, ValueError, "at least one accuracy, got none"),
        ({"result": twice()}, ValueError, "each run once, got twice: data 'data 0'"),
        ({"result": Comparison(())}, ValueError, "one finished run, got none"),
        ({"result": Comparison(()), "value": "n"}, ValueError, "value must be one of"),
        ({"confidence": 0}, ValueError, "between 0 and 1 or None, got 0"),
        ({"axes": []}, ValueError, "axes must be 1, one for each .* got 0"),
        ({"axes": ["a"]}, TypeError, "each of axes must be a Matplotlib Axes"),
    ],
)
def test_refuses(arguments, error, message):
    with pytest.raises(error, match=message):
        plot_comparison(**{"result": table()[0]} | arguments)
