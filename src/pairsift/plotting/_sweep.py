"""Accuracy against what a comparison varied: questions, alpha or a parameter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pairsift._checks import check_choice
from pairsift._drawing import sweep_axis, sweep_title
from pairsift.evaluation import Comparison
from pairsift.plotting._comparison import draw_legend, panels_of
from pairsift.plotting._curves import (
    Curve,
    check_confidence,
    draw_curves,
    keep_fractions,
)
from pairsift.plotting._matplotlib import set_title

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

MEASURES = ("mean_accuracy", "precision", "distance")


def plot_sweep(
    result: Comparison,
    by: str | None = None,
    *,
    value: str = "mean_accuracy",
    size: int | None = None,
    confidence: float | None = 0.95,
    axes: Any = None,
) -> NDArray[np.object_]:
    """Draw accuracy against the number of questions, alpha or a parameter.

    Parameters
    ----------
    result : Comparison
        What :func:`pairsift.evaluation.compare` returns for several `questions`,
        `alphas` or values of a `grid`.
    by : str, default=None
        What stands on the axis, one of ``result.swept``; None if there is one only.
    value : {"mean_accuracy", "precision", "distance"}, default="mean_accuracy"
        What to draw: the mean accuracy over the first half of the ranking, or the
        agreement with the reference ranking at `size` features.
    size : int, default=None
        Number of best features at which precision and distance are measured, see
        `Comparison.summary`.
    confidence : float or None, default=0.95
        Level of the bands around mean accuracies; None draws no bands.
    axes : array of matplotlib.axes.Axes, default=None
        Where to draw, as many as there are panels; None makes a figure.

    Returns
    -------
    axes : ndarray of shape (n_data, n_classifiers)
        The axes: a line of panels for each data set, a panel for each classifier;
        precision and distance do not depend on the classifier.

    See Also
    --------
    plot_comparison : Curves against the number of features.

    Notes
    -----
    Means and bands are those of `Comparison.sweep`. Selectors that do not depend on
    what was varied are level lines. Values that are not numbers stand side by side;
    positive numbers that differ by a factor of 100 or more have a logarithmic axis.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from sklearn.datasets import load_wine
    >>> from pairsift.evaluation import compare
    >>> from pairsift.plotting import plot_sweep
    >>> X, y = load_wine(return_X_y=True)
    >>> result = compare("semi-mrmr", X, y, questions=[5, 10], classifiers=["1nn"])
    >>> [[ax]] = plot_sweep(result, axes=[Figure().subplots()])
    >>> ax.lines[0].get_xdata().tolist()
    [5, 10]
    """
    check_confidence(confidence)
    check_choice(value, "value", MEASURES)
    table = result.sweep(by, size, 0.95 if confidence is None else confidence)
    by = str(table.columns[3])
    if value != "mean_accuracy":
        if table[value].isna().all():
            raise ValueError(f"value={value!r} needs compare(reference=...).")
        table = table.drop_duplicates(["data", "line", by])
        table = table.assign(classifier=None)
    has_bands = confidence is not None and value == "mean_accuracy"
    lines = list(dict.fromkeys(table["line"]))
    data, classifiers = (
        list(dict.fromkeys(table[key])) for key in ("data", "classifier")
    )
    panels, is_ours = panels_of(axes, len(data), len(classifiers), len(lines))
    for (row, column), ax in np.ndenumerate(panels):
        part = table[table["data"] == data[row]]
        if classifiers[column] is not None:
            part = part[part["classifier"] == classifiers[column]]
        _draw_panel(ax, part, lines, by, value, has_bands)
        if panels.size > 1:
            about = [data[row], classifiers[column]]
            set_title(ax, ", ".join(str(x) for x in about if x is not None))
    draw_legend(panels, is_ours)
    return panels


def _draw_panel(
    ax: Axes,
    part: pd.DataFrame,
    lines: list[str],
    by: str,
    value: str,
    has_bands: bool,
) -> None:
    axis = sweep_axis(part[by].tolist())
    curves = {}
    for name in lines:
        line = part[part["line"] == name]
        places = np.array([axis.places[place] for place in line[by]])
        sides = [line[side].to_numpy() for side in ("low", "high") if has_bands]
        curves[name] = Curve(places, line[value].to_numpy(), *sides)
    draw_curves(ax, curves, limits=(0.0, 1.0), mark_best=False)
    ax.set_xscale("log" if axis.is_log else "linear")
    ax.set_xticks(list(axis.places.values()), list(axis.texts), minor=False)
    ax.minorticks_off()
    ax.set_xlabel(sweep_title(by))
    ax.set_ylabel(value.replace("_", " "))
    if value != "distance":
        keep_fractions(ax)
