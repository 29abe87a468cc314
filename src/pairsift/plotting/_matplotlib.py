"""Matplotlib, if it is there."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's colours, told apart by all kinds of sight; without yellow, too light
# for lines on white, and black, which is for text.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9", "#cc79a7")
QUIET = "#8c8c8c"


def load_pyplot() -> Any:
    """Return Matplotlib's pyplot, or say how to get it."""
    try:
        return import_module("matplotlib.pyplot")
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "Matplotlib is needed to draw and is not installed: "
            "pip install 'pairsift[plot]'."
        ) from error


def check_axes(ax: "Axes | None") -> None:
    """Refuse what cannot be drawn in."""
    if ax is not None and not hasattr(ax, "transData"):
        raise TypeError(
            f"ax must be a Matplotlib Axes or None, got {type(ax).__name__}."
        )
