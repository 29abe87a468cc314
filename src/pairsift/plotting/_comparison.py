"""A whole comparison: a panel for each data set and classifier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pairsift._checks import check_choice
from pairsift._typing import ObjectArray
from pairsift.evaluation import Comparison
from pairsift.plotting._curves import (
    Curve,
    check_confidence,
    draw_curves,
    keep_fractions,
    mean_curve,
)
from pairsift.plotting._matplotlib import (
    LEGEND,
    WIDTH,
    check_axes,
    legend_below,
    legend_columns,
    load_pyplot,
    set_title,
)

if TYPE_CHECKING:
    import pandas as pd

MEASURES = ("accuracy", "redundancy_rate", "representation_entropy")
NEEDED = ("selector", "split", "n_features")
PANEL_HEIGHT = 2.4


def plot_comparison(
    result: Any,
    *,
    value: str = "accuracy",
    confidence: float | None = 0.95,
    axes: Any = None,
) -> NDArray[np.object_]:
    r"""Draw the curves of a comparison of selectors, with bands over the splits.

    Parameters
    ----------
    result : Comparison or pandas.DataFrame
        What :func:`pairsift.evaluation.compare` returns; or a table with a line for
        each selector, split and number of features and the columns ``selector``,
        ``split``, ``n_features`` and `value`, and ``data`` and ``classifier`` where
        there are several.
    value : str, default="accuracy"
        What to draw against the number of features: "accuracy", "redundancy_rate" or
        "representation_entropy" of a Comparison, any column of numbers of a table.
    confidence : float or None, default=0.95
        Level of the bands around the means over the splits; None draws no bands.
    axes : array of matplotlib.axes.Axes, default=None
        Where to draw, as many as there are panels; None makes a figure.

    Returns
    -------
    axes : ndarray of shape (n_data, n_classifiers)
        The axes: a line of panels for each data set, a panel for each classifier.

    See Also
    --------
    plot_accuracy_curve : Curves measured one by one, with the formula of the bands.
    plot_critical_difference : Mean ranks over several data sets.

    Notes
    -----
    A selector has the same colour, dashes and marker in all panels, in the order of the
    table. Above 100 features the axis of their number is logarithmic. A curve ends with
    the largest size that all its splits have. Best points are marked for accuracies.

    The bands of a Comparison are those of its ``curves``, which know that splits of the
    same rows are not independent; they are of accuracies, other columns have none.
    Those of a table are narrower, see :func:`plot_accuracy_curve`.

    Examples
    --------
    >>> import pandas as pd
    >>> from matplotlib.figure import Figure
    >>> from pairsift.plotting import plot_comparison
    >>> table = pd.DataFrame({
    ...     "selector": ["ReliefF"] * 4 + ["Variance"] * 4,
    ...     "split": [0, 0, 1, 1] * 2,
    ...     "n_features": [1, 2] * 4,
    ...     "accuracy": [0.7, 0.9, 0.8, 0.9, 0.5, 0.6, 0.6, 0.8],
    ... })
    >>> axes = plot_comparison(table, axes=[Figure().subplots()])
    >>> axes[0, 0].lines[0].get_ydata()
    array([0.75, 0.9 ])
    """
    check_confidence(confidence)
    if isinstance(result, Comparison):
        table = _mean_curves(result, value, confidence)
    else:
        table = _checked_table(result, value)
    selectors = list(dict.fromkeys(table["selector"]))
    data, classifiers = (
        list(dict.fromkeys(table[key])) if key in table else [None]
        for key in ("data", "classifier")
    )
    panels, is_ours = panels_of(axes, len(data), len(classifiers), len(selectors))
    for (line, column), ax in np.ndenumerate(panels):
        part = table
        for key, name in (("data", data[line]), ("classifier", classifiers[column])):
            part = part if name is None else part[part[key] == name]
        _draw_panel(ax, part, selectors, value, confidence)
        if panels.size > 1:
            about = [str(x) for x in (data[line], classifiers[column]) if x is not None]
            set_title(ax, ", ".join(about))
            ax.set_xlabel(ax.get_xlabel() if line == len(data) - 1 else "")
            ax.set_ylabel(ax.get_ylabel() if column == 0 else "")
    draw_legend(panels, is_ours)
    return panels


def _mean_curves(
    result: Comparison, value: str, confidence: float | None
) -> pd.DataFrame:
    check_choice(value, "value", MEASURES)
    table = result.curves(0.95 if confidence is None else confidence)
    if table.empty:
        raise ValueError("result must hold at least one finished run, got none.")
    if confidence is None or value != "accuracy":
        table = table.drop(columns=["low", "high"])
    if value != "accuracy":
        # Redundancy has nothing to do with classifiers.
        table = table.drop_duplicates(["data", "selector", "n_features"])
        table = table.drop(columns="classifier")
    return table


def _checked_table(table: Any, value: str) -> pd.DataFrame:
    import pandas as pd

    if not isinstance(table, pd.DataFrame):
        raise TypeError(
            "result must be a Comparison or a pandas DataFrame, got "
            f"{type(table).__name__}."
        )
    missing = [name for name in (*NEEDED, value) if name not in table.columns]
    if missing:
        raise ValueError(
            f"result must have the column {missing[0]!r}, got "
            f"{', '.join(map(repr, table.columns))}."
        )
    if not pd.api.types.is_numeric_dtype(table[value]):
        raise ValueError(
            f"value must name a column of numbers, got {value!r} with "
            f"{table[value].dtype} values."
        )
    table = table[table[value].notna()]
    if table.empty:
        raise ValueError(f"result must hold at least one {value}, got none.")
    keys = [name for name in ("data", "classifier", *NEEDED) if name in table.columns]
    copies = table[table.duplicated(keys)]
    if len(copies):
        what = ", ".join(f"{key} {copies[key].iloc[0]!r}" for key in keys)
        raise ValueError(f"result must hold each run once, got twice: {what}.")
    return table


def panels_of(
    axes: Any, n_lines: int, n_columns: int, n_curves: int
) -> tuple[ObjectArray, bool]:
    shape = n_lines, n_columns
    if axes is None:
        width = WIDTH if n_columns == 1 else 2.8 * n_columns
        height = PANEL_HEIGHT * n_lines + 0.4 + 0.1 * n_curves
        _, made = load_pyplot().subplots(
            *shape,
            squeeze=False,
            sharey="row",
            figsize=(width, height),
            layout="constrained",
        )
        return made, True
    given = np.array(axes, dtype=object)
    if given.size != n_lines * n_columns:
        raise ValueError(
            f"axes must be {n_lines * n_columns}, one for each data set and "
            f"classifier, got {given.size}."
        )
    for ax in given.flat:
        check_axes(ax, "each of axes")
    return given.reshape(shape), False


def _draw_panel(
    ax: Any,
    part: pd.DataFrame,
    selectors: list[Any],
    value: str,
    confidence: float | None,
) -> None:
    curves = {
        str(name): _curve(part[part["selector"] == name], value, confidence)
        for name in selectors
    }
    is_accuracy = value == "accuracy"
    limits = (0.0, 1.0) if is_accuracy else (-np.inf, np.inf)
    draw_curves(ax, curves, limits=limits, mark_best=is_accuracy)
    if is_accuracy:
        keep_fractions(ax)
    ax.set_ylabel(value.replace("_", " "))


def _curve(lines: pd.DataFrame, value: str, confidence: float | None) -> Curve:
    if "split" in lines:
        runs = lines.pivot(index="split", columns="n_features", values=value)
        runs = runs.dropna(axis=1)
        sizes = runs.columns.to_numpy(dtype=np.int64)
        if not sizes.size:
            # A selector that never succeeded here has its line in the legend only.
            return Curve(sizes, np.empty(0))
        return mean_curve(sizes, runs.to_numpy(dtype=np.float64), confidence)
    columns = ["n_features", value, *(c for c in ("low", "high") if c in lines)]
    sizes, *values = (lines[column].to_numpy() for column in columns)
    return Curve(sizes, *values)


def draw_legend(panels: ObjectArray, is_ours: bool) -> None:
    if panels.size == 1 or not is_ours:
        legend_below(panels[-1, 0])
        return
    handles, names = panels[0, 0].get_legend_handles_labels()
    figure = panels[0, 0].get_figure()
    figure.legend(
        handles,
        names,
        loc="outside lower center",
        ncols=legend_columns(names, 72.0 * figure.bbox.width / figure.dpi),
        frameon=False,
        **LEGEND,
    )
