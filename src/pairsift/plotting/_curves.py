"""Accuracies against the number of features, of one run or of many."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pairsift._drawing import takes_log_axis
from pairsift._typing import FloatArray, IndexArray
from pairsift.evaluation import AccuracyCurve
from pairsift.plotting._inputs import as_numbers
from pairsift.plotting._matplotlib import (
    axes_or_new,
    check_axes,
    legend_below,
    logarithmic,
    look,
    set_style,
    short,
    whole_numbers,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Markers on a line at most; more would hide its dashes.
MAX_MARKERS = 8
BEST: dict[str, Any] = {
    "linestyle": "none",
    "marker": "o",
    "markersize": 7.5,
    "markeredgecolor": "black",
    "markeredgewidth": 0.9,
    "zorder": 3.0,
}


class Curve(NamedTuple):
    """A line against the number of features, and the limits of its band."""

    sizes: IndexArray
    values: FloatArray
    low: FloatArray | None = None
    high: FloatArray | None = None


def plot_accuracy_curve(
    curves: AccuracyCurve | ArrayLike | Mapping[str, Any],
    *,
    sizes: ArrayLike | None = None,
    confidence: float | None = 0.95,
    ax: Axes | None = None,
) -> Axes:
    r"""Draw accuracy against the number of features, the best point of each marked.

    Parameters
    ----------
    curves : AccuracyCurve, list, array or mapping
        One curve; or the repeated runs of one method, as a list of AccuracyCurve or an
        array of shape (n_runs, n_sizes); or a mapping from names to any of these.
    sizes : array-like of int, default=None
        Numbers of features that the columns of arrays stand for; None is 1, 2, 3, ...
    confidence : float or None, default=0.95
        Level of the band around the mean of repeated runs; None draws no band.
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None makes a figure.

    Returns
    -------
    ax : matplotlib.axes.Axes
        The axes with a line for each name, the mean of its runs.

    See Also
    --------
    pairsift.evaluation.accuracy_curve : Measures a curve.
    plot_comparison : Curves of a whole comparison.

    Notes
    -----
    Of q runs with mean :math:`\bar a` and standard deviation s at a size, the band is
    :math:`\bar a \pm t_{q-1} s / \sqrt q`, cut at 0 and 1, for the mean over further
    runs of the same kind. Runs on splits of the same rows are not independent, so that
    the band is too narrow for other rows, and it is one size at a time.

    The best point is the smallest number of features that reaches the highest mean. The
    best point of a single run is higher than that of a mean of many, by chance alone:
    compare like with like.

    Curves differ in colour, dashes and marker; up to 12 are told apart in grey. Above
    100 features the axis of their number is logarithmic.

    Examples
    --------
    >>> import numpy as np
    >>> from matplotlib.figure import Figure
    >>> from pairsift.evaluation import AccuracyCurve
    >>> from pairsift.plotting import plot_accuracy_curve
    >>> one = AccuracyCurve(np.arange(1, 5), np.array([0.7, 0.9, 0.9, 0.8]))
    >>> runs = [[0.5, 0.6, 0.8, 0.8], [0.6, 0.7, 0.7, 0.9]]
    >>> curves = {"chosen": one, "random": runs}
    >>> ax = plot_accuracy_curve(curves, ax=Figure().subplots())
    >>> ax.lines[0].get_label(), ax.lines[0].get_ydata()
    ('chosen', array([0.7, 0.9, 0.9, 0.8]))
    >>> ax.lines[1].get_ydata()
    array([0.55, 0.65, 0.75, 0.85])
    """
    is_named = isinstance(curves, Mapping)
    given = curves if isinstance(curves, Mapping) else {"": curves}
    if not given:
        raise ValueError("curves must hold at least one curve, got an empty mapping.")
    check_confidence(confidence)
    check_axes(ax)
    drawn = {}
    for name, runs in given.items():
        title = f"curves[{name!r}]" if is_named else "curves"
        drawn[str(name)] = mean_curve(*_as_runs(runs, title, sizes), confidence)
    ax = axes_or_new(ax, 2.9 + 0.07 * len(drawn))
    draw_curves(ax, drawn, limits=(0.0, 1.0))
    keep_fractions(ax)
    ax.set_ylabel("accuracy")
    legend_below(ax)
    return ax


def check_confidence(confidence: float | None) -> None:
    """Refuse what is no level of a band."""
    is_number = isinstance(confidence, int | float | np.number)
    if confidence is not None and not (is_number and 0.0 < confidence < 1.0):
        raise ValueError(
            f"confidence must be a number between 0 and 1 or None, got {confidence!r}."
        )


def _as_runs(
    curve: Any, name: str, sizes: ArrayLike | None
) -> tuple[IndexArray, FloatArray]:
    """Return the sizes, and the accuracies with a row per run."""
    if isinstance(curve, AccuracyCurve):
        curve = [curve]
    if (
        isinstance(curve, list | tuple)
        and len(curve)
        and isinstance(curve[0], AccuracyCurve)
    ):
        if not all(isinstance(run, AccuracyCurve) for run in curve):
            raise ValueError(f"{name} must hold AccuracyCurve only, or numbers only.")
        first = np.asarray(curve[0].sizes)
        if not all(np.array_equal(run.sizes, first) for run in curve):
            raise ValueError(
                f"{name} must hold runs of the same sizes, got different ones: put "
                "them under different names."
            )
        values = np.array([run.accuracies for run in curve], dtype=np.float64)
        return first, values
    values = np.atleast_2d(as_numbers(curve, name, (1, 2)))
    if values.min() < 0.0 or values.max() > 1.0:
        raise ValueError(
            f"{name} must hold accuracies as fractions from 0 to 1, got "
            f"{values.min():g} to {values.max():g}."
        )
    if sizes is None:
        return np.arange(1, values.shape[1] + 1), values
    numbers = as_numbers(sizes, "sizes", (1,))
    if numbers.size != values.shape[1] or (np.diff(numbers) <= 0).any():
        raise ValueError(
            f"sizes must be {values.shape[1]} ascending numbers, one for each column "
            f"of {name}, got {sizes!r}."
        )
    return numbers.astype(np.int64), values


def mean_curve(sizes: IndexArray, runs: FloatArray, confidence: float | None) -> Curve:
    """Mean of the rows, with limits for it where there are several."""
    from scipy.stats import t

    mean, n_runs = runs.mean(axis=0), len(runs)
    if confidence is None or n_runs < 2:
        return Curve(sizes, mean)
    quantile = t.ppf(0.5 + confidence / 2.0, n_runs - 1)
    half = quantile * runs.std(axis=0, ddof=1) / np.sqrt(n_runs)
    return Curve(sizes, mean, mean - half, mean + half)


def draw_curves(
    ax: Axes,
    curves: Mapping[str, Curve],
    *,
    limits: tuple[float, float] = (-np.inf, np.inf),
    mark_best: bool = True,
) -> None:
    """Draw each curve with its band and its best point."""
    alpha = 0.18 if len(curves) <= 4 else 0.09
    for number, (name, (sizes, values, low, high)) in enumerate(curves.items()):
        style = look(number)
        every = max(1, -(-sizes.size // MAX_MARKERS))
        # Markers of different curves stand at different sizes where they can.
        places = (number % every if sizes.size > every else 0, every)
        ax.plot(
            *(sizes, values),
            label=short(name) or None,
            markevery=places,
            zorder=2.0,
            **style,
        )
        if low is not None and high is not None:
            ax.fill_between(
                sizes,
                *np.clip([low, high], *limits),
                color=style["color"],
                alpha=alpha,
                linewidth=0.0,
            )
    if mark_best:
        _mark_best(ax, curves)
    ax.set_xlabel("number of features")
    sizes = np.concatenate([curve.sizes for curve in curves.values()])
    if takes_log_axis(sizes):
        logarithmic(ax, sizes.min(), sizes.max())
    else:
        whole_numbers(ax)
    set_style(ax)


def _mark_best(ax: Axes, curves: Mapping[str, Curve]) -> None:
    for number, (sizes, values, *_) in enumerate(curves.values()):
        if sizes.size:
            best, style = best_place(values), look(number)
            ax.plot(
                *(sizes[best], values[best]),
                **{**BEST, "marker": style["marker"]},
                color=style["color"],
            )
    ax.plot([], [], **BEST, markerfacecolor="none", label="best point")


def best_place(means: FloatArray) -> int:
    """Place of the first value that is the highest, up to rounding."""
    return int(np.argmax(means >= means.max() - 1e-12))


def keep_fractions(ax: Axes) -> None:
    """Let the axis of fractions end at 0 and 1, where there is nothing beyond."""
    low, high = ax.get_ylim()
    room = 0.03 * (min(high, 1.0) - max(low, 0.0))
    ax.set_ylim(max(low, -room), min(high, 1.0 + room))
