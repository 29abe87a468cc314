"""Accuracy against what was varied, in figures and on the page."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from pairsift import reports
from pairsift._drawing import sweep_axis, sweep_title
from pairsift.evaluation import Comparison
from pairsift.evaluation._compare._cells import Cell
from pairsift.plotting import plot_sweep

pytest.importorskip("matplotlib")

from matplotlib.figure import Figure

from tests.plotting.pictures import check_all_readable


def cell(name, sweep, split, level, **more):
    return Cell(
        data="data",
        selector=", ".join([name, *(f"{k}={v}" for k, v in sweep.items())]),
        split=split,
        supervision="labels",
        n_used=3,
        n_train=20,
        n_test=10,
        seconds=0.1,
        order=[0, 1],
        sizes=[1, 2],
        accuracies={"1nn": [level + 0.1 * split, 0.9], "svm": [0.5, 0.5]},
        representation_entropy=[0.0, 0.5],
        redundancy_rate=[0.0, 0.1],
        warnings=[],
        method=name,
        sweep=sweep,
        **more,
    )


def result(values=(1, 5, 20), **more):
    cells = [
        cell("relieff", {"k": value}, split, 0.5 + 0.1 * place, **more)
        for place, value in enumerate(values)
        for split in range(2)
    ]
    cells += [cell("fisher", {}, split, 0.4, **more) for split in range(2)]
    return Comparison(tuple(cells), (), {"data": ["a", "b"]})


def test_lines_are_those_of_the_sweep():
    found = result()
    axes = plot_sweep(found)
    assert axes.shape == (1, 2)
    sweep = found.sweep("k")
    sweep = sweep[sweep["classifier"] == "1nn"]
    for line, name in zip(axes[0, 0].lines, ["relieff", "fisher"], strict=True):
        part = sweep[sweep["line"] == name]
        assert line.get_xdata().tolist() == [1, 5, 20]
        assert_allclose(line.get_ydata(), part["mean_accuracy"])
    [band, _] = axes[0, 0].collections
    assert band.get_paths()[0].vertices[:, 1].max() <= 1.0
    assert [t.get_text() for t in axes[0, 0].get_xticklabels()] == ["1", "5", "20"]
    assert axes[0, 0].get_xlabel() == "k"
    figure = axes[0, 0].get_figure()
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    assert names == ["relieff", "fisher"]
    check_all_readable(axes[0, 0])


def test_agreement_with_the_reference_has_one_panel_for_all_classifiers():
    with pytest.raises(ValueError, match="'precision' needs compare.reference"):
        plot_sweep(result(), value="precision")
    found = result(precision=[1.0, 0.5], distance=[0.0, 0.25])
    [[ax]] = plot_sweep(found, value="distance", size=2, axes=[Figure().subplots()])
    assert ax.lines[0].get_ydata().tolist() == [0.25] * 3
    assert not ax.collections
    with pytest.raises(ValueError, match="value must be one of 'mean_accuracy'"):
        plot_sweep(found, value="seconds")


def test_words_stand_side_by_side_and_wide_ranges_on_a_logarithmic_axis():
    [[ax]] = plot_sweep(
        result(["share", "index", None]), value="mean_accuracy", axes=None
    )[:, :1]
    assert ax.lines[0].get_xdata().tolist() == [0, 1, 2]
    assert [t.get_text() for t in ax.get_xticklabels()] == ["share", "index", "None"]
    assert plot_sweep(result([0.1, 1.0, 100.0]))[0, 0].get_xscale() == "log"
    assert sweep_axis([0, 50]).is_log is False
    assert sweep_axis([0.5, 40.0]).texts == ("0.5", "40")
    assert sweep_title("questions") == "number of questions"


def test_the_page_has_the_picture(tmp_path):
    reports.write(result(), tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "Accuracy against what was varied" in page
    assert page.count("Mean accuracy against k, ") >= 2
    assert "precision" not in page
    found = result(precision=[1.0, 0.5], distance=[0.0, np.nan])
    reports.write(found, tmp_path / "page.html")
    assert ">precision<" in (tmp_path / "page.html").read_text("utf-8")
