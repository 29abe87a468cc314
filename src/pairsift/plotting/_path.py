"""The way of a forward search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pairsift._drawing import COLOURS
from pairsift._typing import FloatArray
from pairsift.plotting._coefficients import draw_coefficients
from pairsift.plotting._inputs import check_fitted, names_of_features
from pairsift.plotting._matplotlib import (
    TEXT,
    axes_or_new,
    check_axes,
    counted,
    inches,
    legend_below,
    look,
    set_style,
    set_title,
    short,
    whole_numbers,
    width_of,
)
from pairsift.selectors import (
    MRMR,
    BaseScoreSelector,
    ForwardSearch,
    GramSchmidt,
    NearestNeighborForward,
    PairLogistic,
    SemiMRMR,
    SimilarityConstraintScore,
    UnsupervisedMRMR,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# Steps whose features are named in a figure of our own.
MAX_NAMED = 25


class Way(NamedTuple):
    """What is known of each step of a search."""

    what: str
    label: str
    best: str | None
    """Which step is marked, if one is."""


WAYS: dict[type, Way] = {
    SimilarityConstraintScore: Way("error", "normalised error ε", "smallest"),
    NearestNeighborForward: Way("accuracy", "accuracy", "largest"),
    GramSchmidt: Way("cosine", "squared cosine", None),
    MRMR: Way("criterion", "criterion", None),
    SemiMRMR: Way("criterion", "criterion", None),
    UnsupervisedMRMR: Way("criterion", "criterion", None),
}


def plot_path(
    selector: BaseScoreSelector,
    *,
    feature_names: Sequence[str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    r"""Draw the path on which features came in, and where it was best.

    Parameters
    ----------
    selector : selector
        A fitted ``SimilarityConstraintScore``, ``NearestNeighborForward``,
        ``GramSchmidt``, ``MRMR``, ``SemiMRMR``, ``UnsupervisedMRMR`` or
        ``PairLogistic``.
    feature_names : sequence of str, default=None
        Names of the features; None takes those seen in fit, or x0, x1, ...
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None makes a figure.

    Returns
    -------
    ax : matplotlib.axes.Axes
        The axes with a point per step, from left to right as features were added; or
        with a line per feature, from the largest penalty on the left to the smallest.

    See Also
    --------
    plot_ranking : The scores of a selector that does not search.

    Notes
    -----
    Drawn are the ``path_scores_``: the normalised error :math:`\varepsilon` of
    ``SimilarityConstraintScore``, whose smallest is marked, the accuracy of
    ``NearestNeighborForward``, whose largest is marked, the squared cosine of
    ``GramSchmidt`` and the criterion of the ``MRMR`` kind, which belong to the feature
    added and have no best step. Of equal values the first is marked. Coloured
    points are selected features.

    With a number in `n_features_to_select` the search stops there: the best step is the
    best of those made. Where there is room, the features are named below their steps.
    Values of minus infinity, of constant features in ``MRMR``, are not drawn.

    Of ``PairLogistic``, the weights are drawn at each penalty; the dashed line is the
    penalty chosen, for which the title counts them. The best eight features of the
    ranking that have a weight anywhere have a colour and a name, the others are grey.

    Examples
    --------
    >>> import numpy as np
    >>> from matplotlib.figure import Figure
    >>> from pairsift import SimilarityConstraintScore
    >>> from pairsift.plotting import plot_path
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import minmax_scale
    >>> X, y = load_wine(return_X_y=True)
    >>> X = minmax_scale(X)
    >>> few_labels = np.where(np.arange(len(y)) % 20 == 0, y, -1)
    >>> selector = SimilarityConstraintScore(sigma=0.5).fit(X, few_labels)
    >>> ax = plot_path(selector, ax=Figure().subplots())
    >>> ax.get_title(loc="left")
    'smallest error with 8 of 13 features'
    """
    way = None if isinstance(selector, PairLogistic) else _way(selector)
    check_fitted(selector)
    check_axes(ax)
    names = names_of_features(selector, feature_names)
    if isinstance(selector, PairLogistic):
        ax = axes_or_new(ax, 3.2)
        draw_coefficients(ax, selector, names)
        return ax
    assert way is not None
    assert isinstance(selector, ForwardSearch)
    values = np.asarray(selector.path_scores_, dtype=np.float64)
    added = [short(names[j]) for j in selector.order_[: values.size]]
    is_named = len(added) <= MAX_NAMED if ax is None else _has_room(ax, added)
    ax = axes_or_new(ax, 2.8 + is_named * max(map(width_of, added)) / 72.0)
    _draw_steps(ax, values, selector.n_features_to_select_)
    n_features = counted(len(names), "feature")
    title = f"{selector.n_features_to_select_} of {n_features} selected"
    if way.best is not None:
        best = best_step(values, way.best)
        _mark_best(ax, best, values[best - 1], way.best)
        title = f"{way.best} {way.what} with {best} of {n_features}"
    ax.set_ylabel(way.label)
    set_style(ax)
    set_title(ax, title)
    legend_below(ax, _name_steps(ax, added, is_named))
    return ax


def _mark_best(ax: Axes, step: int, value: float, label: str) -> None:
    ax.axvline(step, color="black", linestyle=(0, (4, 3)), linewidth=0.8, zorder=1)
    ax.plot(
        *(step, value),
        linestyle="none",
        marker="o",
        markersize=9.0,
        markerfacecolor="none",
        markeredgecolor="black",
        label=label,
    )


def best_step(values: FloatArray, best: str) -> int:
    """Return the first step of the smallest or largest value, up to rounding."""
    better = values if best == "smallest" else -values
    return int(np.argmax(better <= better.min() + 1e-12 * abs(better.min()))) + 1


def _way(selector: object) -> Way:
    for cls, way in WAYS.items():
        if isinstance(selector, cls):
            return way
    raise TypeError(
        f"selector must be a fitted {', '.join(cls.__name__ for cls in WAYS)} or "
        f"PairLogistic, got {type(selector).__name__}, which has no path to draw."
    )


def _draw_steps(ax: Axes, values: FloatArray, n_selected: int) -> None:
    steps = np.arange(1, values.size + 1)
    drawn = np.where(np.isfinite(values), values, np.nan)
    style = look(0)
    ax.plot(steps, drawn, color=COLOURS[0], linewidth=style["linewidth"], zorder=2)
    for is_in, face, label in (
        (steps <= n_selected, COLOURS[0], "selected"),
        (steps > n_selected, "white", "not selected"),
    ):
        if is_in.any():
            ax.plot(
                steps[is_in],
                drawn[is_in],
                linestyle="none",
                marker="o",
                markersize=4.0 if values.size <= 60 else 2.5,
                markerfacecolor=face,
                markeredgecolor=COLOURS[0],
                markeredgewidth=0.8,
                label=label,
                zorder=3,
            )


def _has_room(ax: Axes, names: list[str]) -> bool:
    width, height = inches(ax)
    # Title, label and legend take about 70 points; the picture should have 80.
    room = 72.0 * 1.25 * height - 150.0
    return 1.25 * TEXT * len(names) < 72.0 * width and max(map(width_of, names)) < room


def _name_steps(ax: Axes, names: list[str], is_named: bool) -> float:
    """Name or number the steps; return the points needed below the axis."""
    if not is_named:
        ax.set_xlabel("number of features", fontsize=TEXT)
        whole_numbers(ax)
        return 30.0
    ax.set_xticks(np.arange(1, len(names) + 1), names, rotation=90)
    ax.set_xlabel("features in the order in which they were added", fontsize=TEXT)
    ax.set_xlim(0.4, len(names) + 0.6)
    return 24.0 + max(map(width_of, names))
