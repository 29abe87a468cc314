"""The weights of a sparse model along its penalties."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pairsift.plotting._matplotlib import (
    PALE,
    counted,
    legend_below,
    look,
    set_style,
    set_title,
    short,
)
from pairsift.selectors import PairLogistic

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Features with a colour and a name; more could not be told apart.
MAX_LINES = 8
MARKERS_A_LINE = 6


def draw_coefficients(ax: Axes, selector: PairLogistic, names: list[str]) -> None:
    """Draw a line per feature, the best in colour, from the largest penalty down."""
    penalties = np.asarray(selector.path_.penalties, dtype=np.float64)
    coefs = np.asarray(selector.path_.coefs, dtype=np.float64)
    is_used = (coefs != 0.0).any(axis=0)
    used = [j for j in np.asarray(selector.order_).tolist() if is_used[j]]
    for j in used[MAX_LINES:]:
        ax.plot(penalties, coefs[:, j], color=PALE, linewidth=0.8, zorder=1.5)
    every = max(1, penalties.size // MARKERS_A_LINE)
    for number, j in enumerate(used[:MAX_LINES]):
        places = (number * every // MAX_LINES, every)
        ax.plot(
            *(penalties, coefs[:, j]),
            label=short(names[j]),
            markevery=places,
            **look(number),
        )
    ax.axvline(
        selector.penalty_,
        color="black",
        linestyle=(0, (4, 3)),
        linewidth=0.8,
        zorder=1.0,
        label="chosen penalty",
    )
    ax.set_xscale("log")
    ax.set_xlim(penalties.max(), penalties.min())
    ax.set_xlabel("penalty")
    ax.set_ylabel("weight")
    set_style(ax)
    n_features = counted(len(names), "feature")
    n_weighted = np.count_nonzero(selector.coef_)
    set_title(ax, f"{n_weighted} of {n_features} have a weight")
    legend_below(ax)
