"""Mean ranks of methods, and which of them differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from pairsift._checks import check_positive
from pairsift._drawing import COLOURS, is_close
from pairsift._typing import FloatArray
from pairsift.evaluation import CriticalDifference
from pairsift.plotting._inputs import as_numbers
from pairsift.plotting._matplotlib import (
    LONGEST_NAME,
    SMALL,
    TEXT,
    THIN,
    WIDTH,
    axes_or_new,
    check_axes,
    inches,
    short,
    width_of,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Heights in lines of text, downwards from the axis at 0.
FIRST_BAR, BAR, NAME = 0.7, 0.5, 1.0
# Points for the number beside a name.
NUMBER = width_of("00.00") + 9.0


def plot_critical_difference(
    ranks: CriticalDifference | ArrayLike,
    names: Sequence[str] | None = None,
    distance: float | None = None,
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw the mean ranks of methods and join those that do not differ.

    Parameters
    ----------
    ranks : CriticalDifference or array-like of shape (n_methods,)
        What :func:`pairsift.evaluation.critical_difference` returns; or the mean rank
        of each method over data sets, 1 is best. A pandas Series brings its names
        along.
    names : sequence of str, default=None
        Name of each method; None takes the index of a Series, or 1, 2, 3, ...
    distance : float, default=None
        The critical difference: mean ranks at least so far apart differ significantly.
        None takes that of a CriticalDifference, or draws the ranks alone.
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None makes a figure as high as the methods need.

    Returns
    -------
    ax : matplotlib.axes.Axes
        The axes with the ranks on a line, the best to the left.

    See Also
    --------
    pairsift.evaluation.critical_difference : Mean ranks and their critical difference.

    Notes
    -----
    The diagram of [1]_. A thick bar joins a largest group of neighbouring methods of
    which the first and the last are less than `distance` apart; not to be joined is
    evidence of a difference, to be joined is no evidence that there is none. Where the
    p-value of Friedman's test is known it is written beside the distance; if it is
    large, the groups mean nothing.

    References
    ----------
    .. [1] J. Demšar, "Statistical comparisons of classifiers over multiple data
       sets", JMLR 7, 1-30, 2006.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from pairsift.plotting import plot_critical_difference
    >>> ax = plot_critical_difference(
    ...     [1.5, 3.2, 2.1, 3.2], ["ReliefFSc", "Variance", "FCRSC", "Laplacian"],
    ...     distance=1.3, ax=Figure().subplots(),
    ... )
    >>> [line.get_xdata() for line in ax.lines if line.get_gid() == "group"]
    [array([1.5, 2.1]), array([2.1, 3.2])]
    """
    about = ""
    if isinstance(ranks, CriticalDifference):
        about = f", Friedman's p = {ranks.p_value:.2g}"
        names = ranks.names if names is None else names
        distance = ranks.distance if distance is None else distance
        ranks = ranks.mean_ranks
    means, labels = _checked(ranks, names)
    if distance is not None:
        check_positive(distance, "distance")
    check_axes(ax)
    order = np.argsort(means, kind="stable")
    means, labels = means[order], [labels[j] for j in order]
    groups = [] if distance is None else similar_groups(means, distance)
    n_left = -(-means.size // 2)
    depth = FIRST_BAR + BAR * len(groups)
    lines = depth + NAME * n_left + (4.0 if distance is not None else 2.2)
    width = (2.0 * max(map(_width_beside, labels)) + 180.0) / 72.0
    ax = axes_or_new(ax, 0.16 * lines + 0.1, max(WIDTH, width))
    low, high = 1.0, max(float(means.size), 2.0, float(np.ceil(means[-1])))
    across = _points_across(ax)
    most = int(np.clip((0.36 * across - NUMBER) / width_of("x"), 12, LONGEST_NAME))
    labels = [short(label, most) for label in labels]
    beside = max(map(_width_beside, labels))
    room = max(across - 2.0 * beside, 0.2 * across)
    _draw_scale(ax, low, high, room)
    _draw_names(ax, means, labels, (low, high), depth, n_left)
    for number, (first, last) in enumerate(groups):
        ax.plot(
            means[[first, last]],
            np.full(2, -FIRST_BAR - BAR * number),
            color=COLOURS[3],
            linewidth=3.0,
            solid_capstyle="round",
            gid="group",
        )
    if distance is not None:
        _draw_distance(ax, low, float(distance), about)
    margin = beside / room * (high - low)
    ax.set_xlim(low - margin, max(high + margin, low + 1.02 * (distance or 0.0)))
    ax.set_ylim(-depth - NAME * n_left, 3.4 if distance is not None else 1.8)
    ax.set_axis_off()
    return ax


def similar_groups(means: FloatArray, distance: float) -> list[tuple[int, int]]:
    """First and last place of each largest group of sorted ranks within a distance."""
    groups: list[tuple[int, int]] = []
    for first in range(means.size):
        near = np.flatnonzero(is_close(means, means[first], distance))
        last = int(near[-1])
        if last > first and (not groups or last > groups[-1][1]):
            groups.append((first, last))
    return groups


def _checked(ranks: Any, names: Sequence[str] | None) -> tuple[FloatArray, list[str]]:
    if names is None:
        index = getattr(ranks, "index", None)
        if index is not None and not callable(index):
            names = [str(name) for name in index]
    means = as_numbers(ranks, "ranks", (1,))
    if means.min() < 1.0:
        raise ValueError(
            f"ranks must be at least 1, the rank of the best, got {means.min():g}."
        )
    labels = [str(j + 1) for j in range(means.size)] if names is None else list(names)
    if len(labels) != means.size:
        raise ValueError(
            f"names must name the {means.size} methods of ranks, got {len(labels)}."
        )
    return means, [str(label) for label in labels]


def _points_across(ax: Axes) -> float:
    figure = ax.get_figure()
    # A layout gives the axes nearly all of their part of the figure.
    has_layout = figure is not None and figure.get_layout_engine() is not None
    return 72.0 * inches(ax)[0] * (1.25 if has_layout else 1.0)


def _width_beside(label: str) -> float:
    return width_of(short(label)) + NUMBER


def _draw_scale(ax: Axes, low: float, high: float, room: float) -> None:
    ax.plot([low, high], [0.0, 0.0], color="black", linewidth=THIN + 0.2)
    step = max(1, int(np.ceil((high - low) * 16.0 / room)))
    for tick in np.arange(low, high + 0.5, step):
        ax.plot([tick, tick], [0.0, 0.25], color="black", linewidth=THIN + 0.2)
        ax.text(tick, 0.4, f"{tick:g}", ha="center", va="bottom", fontsize=TEXT)


def _draw_names(
    ax: Axes,
    means: FloatArray,
    labels: list[str],
    ends: tuple[float, float],
    depth: float,
    n_left: int,
) -> None:
    for number, (mean, label) in enumerate(zip(means, labels, strict=True)):
        is_left = number < n_left
        line = number if is_left else means.size - 1 - number
        height = -depth - NAME * line - 0.1
        end = ends[0] if is_left else ends[1]
        ax.plot(
            [mean, mean, end],
            [0.0, height, height],
            color="black",
            linewidth=THIN,
            gid="method",
        )
        ax.annotate(
            f"{label}  {mean:.2f}" if is_left else f"{mean:.2f}  {label}",
            (end, height),
            xytext=(-3.0 if is_left else 3.0, 0.0),
            textcoords="offset points",
            ha="right" if is_left else "left",
            va="center",
            fontsize=TEXT,
            annotation_clip=False,
        )


def _draw_distance(ax: Axes, low: float, distance: float, about: str) -> None:
    end = low + distance
    ax.plot([low, end], [2.2, 2.2], color="black", linewidth=1.2, gid="distance")
    for x in (low, end):
        ax.plot([x, x], [2.0, 2.4], color="black", linewidth=1.2)
    ax.annotate(
        f"critical difference {distance:.2f}{about}",
        (low, 2.5),
        ha="left",
        va="bottom",
        fontsize=SMALL,
        annotation_clip=False,
    )
