"""The second eigenvector of a session, and the pairs asked about."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from pairsift._drawing import COLOURS
from pairsift._typing import FloatArray
from pairsift.active import ActiveSession
from pairsift.plotting._matplotlib import (
    QUIET,
    SMALL,
    THIN,
    axes_or_new,
    check_axes,
    counted,
    legend_below,
    set_style,
    set_title,
    whole_numbers,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Colour, dashes, and the side to which the arcs bend.
ANSWERS = {
    "same": ("must-link", COLOURS[0], "-", 1.0),
    "different": ("cannot-link", COLOURS[3], (0, (4, 1.5)), -1.0),
    "unsure": ("unsure", QUIET, (0, (1, 1.5)), 1.0),
}
POINTS_AN_ARC = 33


def plot_embedding(session: ActiveSession, *, ax: Axes | None = None) -> Axes:
    """Draw the second eigenvector of a session and the pairs asked about so far.

    Parameters
    ----------
    session : ActiveSession
        A session of any strategy.
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None makes a figure.

    Returns
    -------
    ax : matplotlib.axes.Axes
        The axes with a point per row, sorted by its place on the eigenvector, and an
        arc for each pair answered.

    See Also
    --------
    pairsift.ActiveSession : Asks for the pairs that matter most.

    Notes
    -----
    Rows on the two sides of zero are the two groups into which the graph falls most
    easily; the row next to zero, circled, is the most uncertain one. (The strategy
    "multi-eigenvector" looks at several eigenvectors, so that its most uncertain row
    may lie elsewhere on this one.) For a session whose strategy does not look at a
    graph, the picture is the one that "eigenvector" would see after the same answers,
    and no row is circled. Must-links are solid and bend upwards, cannot-links
    are dashed and bend downwards, pairs answered with "unsure" are dotted.
    Equal entries are in order of the rows.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from pairsift import ActiveSession
    >>> from pairsift.plotting import plot_embedding
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import minmax_scale
    >>> X, y = load_wine(return_X_y=True)
    >>> X = minmax_scale(X)
    >>> session = ActiveSession(X, strategy="eigenvector")
    >>> for _ in range(5):
    ...     i, j = session.ask()
    ...     session.tell(i, j, "same" if y[i] == y[j] else "different")
    >>> ax = plot_embedding(session, ax=Figure().subplots())
    >>> ax.get_title(loc="left")
    '178 rows, 5 pairs answered'
    """
    if not isinstance(session, ActiveSession):
        raise TypeError(
            f"session must be an ActiveSession, got {type(session).__name__}."
        )
    check_axes(ax)
    values, uncertain = _embedding(session)
    order = np.argsort(values, kind="stable")
    place = np.empty(order.size, dtype=np.int64)
    place[order] = np.arange(1, order.size + 1)
    ax = axes_or_new(ax, 3.2)
    ax.axhline(0.0, color=QUIET, linewidth=THIN, zorder=0.5)
    ax.scatter(
        place[order],
        values[order],
        s=float(np.clip(1500.0 / values.size, 3.0, 18.0)),
        color="black",
        linewidths=0,
        zorder=2.0,
    )
    pairs = [pair for answer in session.history for pair in answer.pairs()]
    _draw_arcs(ax, pairs, place, values)
    if uncertain is not None:
        _mark_uncertain(ax, uncertain, place, values)
    ax.set_xlabel("rows, sorted")
    ax.set_ylabel("second eigenvector")
    ax.margins(y=0.12)
    whole_numbers(ax)
    set_style(ax)
    n_pairs = counted(len(pairs), "pair")
    set_title(ax, f"{counted(values.size, 'row')}, {n_pairs} answered")
    legend_below(ax)
    return ax


def _embedding(session: ActiveSession) -> tuple[FloatArray, int | None]:
    """Return the eigenvector, and the row of which the strategy is least certain."""
    if hasattr(session, "embedding_"):
        return session.embedding_, session.uncertain_
    settings = session.settings
    spectral = ActiveSession(
        session.X,
        strategy="eigenvector",
        graph=settings["graph"],
        n_neighbors=min(settings["n_neighbors"], session.n_samples - 1),
        categorical_features=settings["categorical_features"],
    )
    with warnings.catch_warnings():
        # The session itself has warned of contradictions.
        warnings.simplefilter("ignore")
        for answer in session.history:
            for pair in answer.pairs():
                spectral.tell(*pair, replace=True)
    return spectral.embedding_, None


def _draw_arcs(
    ax: Axes,
    history: Sequence[tuple[int, int, str]],
    place: np.ndarray[tuple[int], np.dtype[np.int64]],
    values: FloatArray,
) -> None:
    span = float(np.ptp(values))
    along = np.linspace(0.0, 1.0, POINTS_AN_ARC)
    bend = 4.0 * along * (1.0 - along)
    for answer, (label, colour, dashes, side) in ANSWERS.items():
        arcs = []
        for i, j, said in history:
            if said == answer:
                width = abs(place[j] - place[i]) / place.size
                height = side * span * (0.06 + 0.3 * width)
                x = place[i] + along * (place[j] - place[i])
                y = values[i] + along * (values[j] - values[i]) + height * bend
                # A gap after each arc: all of a kind are one line.
                arcs.append(np.vstack([np.column_stack([x, y]), [np.nan, np.nan]]))
        if arcs:
            ax.plot(
                *np.vstack(arcs).T,
                color=colour,
                linestyle=dashes,
                linewidth=1.0,
                label=f"{label} ({len(arcs)})",
                zorder=1.5,
            )


def _mark_uncertain(
    ax: Axes,
    row: int,
    place: np.ndarray[tuple[int], np.dtype[np.int64]],
    values: FloatArray,
) -> None:
    ax.plot(
        place[row],
        values[row],
        linestyle="none",
        marker="o",
        markersize=9.0,
        markerfacecolor="none",
        markeredgecolor="black",
        label="most uncertain row",
        zorder=3.0,
    )
    ax.annotate(
        f"row {row}",
        (place[row], values[row]),
        xytext=(-7.0, 7.0),
        textcoords="offset points",
        ha="right",
        fontsize=SMALL,
    )
