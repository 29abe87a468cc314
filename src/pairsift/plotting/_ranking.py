"""Rankings: the scores of one selector, the ranks of several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pairsift._checks import check_at_least
from pairsift._drawing import COLOURS, by_mean_rank, takes_bars
from pairsift._typing import FloatArray, IndexArray
from pairsift.plotting._inputs import check_fitted, named_selectors, names_of_features
from pairsift.plotting._matplotlib import (
    FAINT_TEXT,
    INCHES_A_LINE,
    PALE,
    QUIET,
    SMALL,
    TEXT,
    THIN,
    axes_or_new,
    check_axes,
    counted,
    inches,
    legend_below,
    name_lines,
    points_across,
    set_style,
    set_title,
    short,
    shortened,
    width_of,
)
from pairsift.selectors import BaseScoreSelector

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


def plot_ranking(
    selector: BaseScoreSelector,
    *,
    top: int | None = 20,
    feature_names: Sequence[str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the scores of the best features, those selected in colour.

    Parameters
    ----------
    selector : selector
        Any fitted selector of pairsift.
    top : int or None, default=20
        Number of features to show, the best ones; None shows all.
    feature_names : sequence of str, default=None
        Names of the features; None takes those seen in fit, or x0, x1, ...
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None makes a figure as high as the features need.

    Returns
    -------
    ax : matplotlib.axes.Axes
        The axes with the bars or points, the best feature on top.

    See Also
    --------
    plot_ranks : The ranks that several selectors give.
    plot_path : What the searches know of each step.

    Notes
    -----
    Bars begin at 0, and the longest is that of the best feature. Where another score is
    larger in size, bars would mislead: scores whose published form is minimised are
    stored negated, so that all are below 0. Such scores are points on an axis, and only
    their place counts, the further right the better. An infinite score has neither bar
    nor point and is written out.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from pairsift import ReliefF
    >>> from pairsift.plotting import plot_ranking
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> ax = plot_ranking(ReliefF(5).fit(X, y), top=8, ax=Figure().subplots())
    >>> ax.get_title(loc="left")
    'ReliefF: the best 8 of 13 features, 5 selected'
    """
    check_fitted(selector)
    if top is not None:
        check_at_least(top, "top", 1)
    check_axes(ax)
    names = names_of_features(selector, feature_names)
    shown = selector.order_[:top]
    scores = np.asarray(selector.scores_, dtype=np.float64)[shown]
    is_selected = selector.support_[shown]
    ax = axes_or_new(ax, 0.9 + INCHES_A_LINE * len(shown))
    _draw_scores(ax, scores, is_selected)
    _draw_infinite(ax, scores)
    beside = shortened(ax, [names[j] for j in shown])
    _name_bars(ax, beside, is_selected)
    ax.set_xlabel("score, higher is better")
    set_style(ax, hidden=("top", "right", "left"))
    ax.tick_params(axis="y", length=0)
    n_features, n_selected = len(names), int(selector.support_.sum())
    extent = f"the best {len(shown)} of " if len(shown) < n_features else ""
    set_title(
        ax,
        f"{type(selector).__name__}: {extent}{counted(n_features, 'feature')}, "
        f"{n_selected} selected",
        beside,
    )
    if not is_selected.all():
        legend_below(ax, side="right")
    return ax


def _draw_scores(ax: Axes, scores: FloatArray, is_selected: Any) -> None:
    is_finite = np.isfinite(scores)
    is_bars = takes_bars(scores)
    for chosen, colour, label in (
        (True, COLOURS[0], "selected"),
        (False, PALE if is_bars else QUIET, "not selected"),
    ):
        lines = np.flatnonzero((is_selected == chosen) & is_finite)
        if lines.size and is_bars:
            ax.barh(lines, scores[lines], 0.72, color=colour, label=label)
        elif lines.size:
            ax.scatter(scores[lines], lines, 26, color=colour, label=label, zorder=2)
    if is_bars:
        ax.axvline(0.0, color="black", linewidth=THIN)
    else:
        ax.hlines(np.flatnonzero(is_finite), *ax.get_xlim(), PALE, linewidth=THIN)
    if not scores[is_finite].any():
        ax.set_xlim(-0.05, 1.0)


def _draw_infinite(ax: Axes, scores: FloatArray) -> None:
    """Write infinite scores at the end of the axis where they would lie."""
    for line in np.flatnonzero(~np.isfinite(scores)):
        is_best = scores[line] > 0
        ax.annotate(
            "∞" if is_best else "−∞",
            (float(is_best), line),
            xycoords=("axes fraction", "data"),
            xytext=(-3.0 if is_best else 3.0, 0.0),
            textcoords="offset points",
            ha="right" if is_best else "left",
            va="center",
            fontsize=TEXT,
            color=FAINT_TEXT,
        )


def _name_bars(ax: Axes, names: list[str], is_selected: Any) -> None:
    step = name_lines(ax, np.arange(len(names)), names)
    for label, chosen in zip(ax.get_yticklabels(), is_selected[::step], strict=True):
        label.set_color("black" if chosen else FAINT_TEXT)
    ax.set_ylim(len(names) - 0.4, -0.6)


def plot_ranks(
    selectors: Mapping[str, Any] | Sequence[BaseScoreSelector] | pd.DataFrame,
    *,
    top: int | None = 30,
    feature_names: Sequence[str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the rank of each feature by each method as a heat map.

    Parameters
    ----------
    selectors : mapping, list or pandas.DataFrame
        Fitted selectors by name, or a list of them, which are named by their classes.
        In a mapping, a list of ranks, 1 for the best feature, may stand for a selector.
        A table has a line per feature and a column per method, such as mean ranks of
        ``Comparison.ranks()``.
    top : int or None, default=30
        Number of features to show, the best by their mean rank; None shows all.
    feature_names : sequence of str, default=None
        Names of the features; None takes those seen in fit, or x0, x1, ...
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None makes a figure as high as the features need.

    Returns
    -------
    ax : matplotlib.axes.Axes
        The axes with a line per feature, the best mean rank on top, and a column per
        method, in the order given.

    See Also
    --------
    plot_ranking : The scores of one selector.
    pairsift.RankEnsemble : Combines the rankings.

    Notes
    -----
    Dark is good. The shades go from rank 1 to the number of features, also where only
    some are shown. Ranks are written into the cells where these are large enough,
    elsewhere a bar explains the shades. Equal mean ranks are in order of the columns.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from pairsift import FisherScore, ReliefF
    >>> from pairsift.plotting import plot_ranks
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> selectors = [ReliefF().fit(X, y), FisherScore().fit(X, y)]
    >>> ax = plot_ranks(selectors, top=5, ax=Figure().subplots())
    >>> [label.get_text() for label in ax.get_yticklabels()][:2]
    ['flavanoids', 'od280/od315_of_diluted_wines']
    """
    import pandas as pd

    if isinstance(selectors, pd.DataFrame):
        if feature_names is None:
            feature_names = [str(name) for name in selectors.index]
        selectors = {name: selectors[name].to_numpy() for name in selectors.columns}
    found = named_selectors(selectors, "selectors")
    if top is not None:
        check_at_least(top, "top", 1)
    check_axes(ax)
    ranks = np.column_stack(_all_ranks(found))
    names = names_of_features(_named(found), feature_names, len(ranks))
    shown = by_mean_rank(ranks)[:top]
    longest = max(map(len, found))
    ax = axes_or_new(ax, 0.7 + 0.055 * longest + INCHES_A_LINE * len(shown))
    cells = ax.pcolormesh(
        ranks[shown],
        cmap="Blues_r",
        vmin=1,
        vmax=max(2, len(ranks)),
    )
    _name_sides(ax, [names[j] for j in shown], list(found))
    _write_ranks(ax, cells, ranks[shown], len(ranks))
    set_style(ax, hidden=("top", "right", "left", "bottom"))
    ax.tick_params(length=0)
    if len(shown) < len(ranks):
        ax.set_xlabel(f"the best {len(shown)} of {counted(len(ranks), 'feature')}")
        ax.xaxis.label.set_fontsize(TEXT)
    return ax


def _all_ranks(found: dict[str, Any]) -> list[IndexArray]:
    rankings: list[IndexArray] = []
    for name, value in found.items():
        if isinstance(value, BaseScoreSelector):
            check_fitted(value, f"selectors[{name!r}]")
        ranking = np.asarray(getattr(value, "ranking_", value))
        if ranking.ndim != 1 or not ranking.size or ranking.dtype.kind not in "iuf":
            raise ValueError(
                f"selectors[{name!r}] must be a fitted selector or a list of ranks, "
                f"got {value!r}."
            )
        if not (ranking >= 1).all() or (ranking > ranking.size).any():
            raise ValueError(
                f"selectors[{name!r}] must hold ranks from 1 to {ranking.size}, the "
                f"number of features, got {ranking.min()} to {ranking.max()}."
            )
        if rankings and ranking.size != rankings[0].size:
            raise ValueError(
                "selectors must rank the same features, but "
                f"{next(iter(found))!r} ranks {rankings[0].size} and {name!r} "
                f"{ranking.size}."
            )
        rankings.append(ranking)
    return rankings


def _named(found: dict[str, Any]) -> Any:
    """Return the first selector that has seen names, if one has."""
    named = [s for s in found.values() if hasattr(s, "feature_names_in_")]
    return named[0] if named else None


def _name_sides(ax: Axes, features: list[str], methods: list[str]) -> None:
    beside = shortened(ax, features)
    name_lines(ax, np.arange(len(features)) + 0.5, beside)
    above = [short(name) for name in methods]
    ax.set_xticks(np.arange(len(above)) + 0.5, above)
    ax.xaxis.tick_top()
    room = (points_across(ax) - max(map(width_of, beside))) / len(above)
    if max(map(width_of, above)) > room:
        for label in ax.get_xticklabels():
            label.set(rotation=90)
    ax.set_ylim(len(features), 0)
    ax.set_xlabel("")


def _write_ranks(ax: Axes, cells: Any, ranks: IndexArray, worst: int) -> None:
    form = ".0f" if (ranks == np.round(ranks)).all() else ".1f"
    texts = sorted((f"{rank:{form}}" for rank in ranks.flat), key=len, reverse=True)
    width, height = inches(ax)
    # The names take up to half of the width, and some of the height.
    is_large = (
        72.0 * 0.6 * width / ranks.shape[1] > width_of(texts[0], SMALL) + 2.0
        and 72.0 * 0.8 * height / len(ranks) > SMALL
    )
    figure = ax.get_figure()
    assert figure is not None
    if not is_large:
        bar = figure.colorbar(cells, ax=ax, shrink=0.6, aspect=30.0)
        bar.set_label("rank", fontsize=TEXT)
        bar.ax.tick_params(labelsize=TEXT, width=THIN)
        bar.ax.invert_yaxis()
        bar.outline.set_visible(False)
        return
    cells.set(edgecolor="white", linewidth=THIN)
    for (line, column), rank in np.ndenumerate(ranks):
        is_dark = rank <= 1 + 0.45 * (worst - 1)
        ax.text(
            column + 0.5,
            line + 0.5,
            f"{rank:{form}}",
            ha="center",
            va="center",
            fontsize=SMALL,
            color="white" if is_dark else "black",
        )
