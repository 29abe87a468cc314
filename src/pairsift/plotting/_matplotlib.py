"""Matplotlib, if it is there, and the one style of all pictures."""

from collections.abc import Iterable, Sequence
from importlib import import_module
from math import ceil
from textwrap import fill
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from pairsift._drawing import COLOURS, log_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

QUIET = "#8c8c8c"
PALE = "#c8c8c8"
FAINT_TEXT = "#595959"
# Told apart without colours: by the marker alone, and by the dashes of neighbours.
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*", "p", "h")
# As many as N_DASHES: a curve has the same place in the list in a figure and on a page.
DASHES = ("-", (0, (5, 1.5)), (0, (5, 1.5, 1, 1.5)), (0, (1.2, 1.2)), (0, (8, 2)))

WIDTH = 5.0
"""Width of a figure in inches; pictures are also readable in a column of 3.3."""
INCHES_A_LINE = 0.17
"""Height of one name in a list."""
TEXT, SMALL = 8.0, 7.0
"""Sizes of letters in points."""
LETTER = 0.55
"""Width of a letter as a part of its size, about."""
THIN = 0.6
LONGEST_NAME = 32
LEGEND: dict[str, Any] = {
    "fontsize": SMALL,
    "handlelength": 2.6,
    "columnspacing": 1.2,
}


def load_pyplot() -> Any:
    """Return Matplotlib's pyplot, or say how to get it."""
    try:
        return import_module("matplotlib.pyplot")
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "Matplotlib is needed to draw and is not installed: "
            "pip install 'pairsift[plot]'."
        ) from error


def check_axes(ax: Any, name: str = "ax") -> None:
    """Refuse what cannot be drawn in."""
    if ax is not None and not hasattr(ax, "transData"):
        raise TypeError(
            f"{name} must be a Matplotlib Axes or None, got {type(ax).__name__}."
        )


def axes_or_new(ax: "Axes | None", height: float, width: float = WIDTH) -> "Axes":
    """Return the axes given, or those of a new figure of this size in inches."""
    if ax is not None:
        return ax
    return load_pyplot().subplots(figsize=(width, height), layout="constrained")[1]


def look(number: int) -> dict[str, Any]:
    """Colour, dashes and marker of the curve of this number, from 0."""
    return {
        "color": COLOURS[number % len(COLOURS)],
        "linestyle": DASHES[number % len(DASHES)],
        "marker": MARKERS[number % len(MARKERS)],
        "linewidth": 1.3,
        "markersize": 3.5,
        "markeredgewidth": 0.0,
    }


def inches(ax: "Axes") -> tuple[float, float]:
    """Width and height of the axes, before the layout takes some for the texts."""
    place, figure = ax.get_position(), ax.get_figure()
    assert figure is not None
    return place.width * figure.bbox.width / figure.dpi, (
        place.height * figure.bbox.height / figure.dpi
    )


def set_style(ax: "Axes", *, hidden: tuple[str, ...] = ("top", "right")) -> None:
    """Thin lines and small letters for one picture, whatever the defaults are."""
    for side, spine in ax.spines.items():
        spine.set_linewidth(THIN)
        spine.set_visible(side not in hidden)
    ax.tick_params(labelsize=TEXT, width=THIN, length=3.0)
    for text in (ax.xaxis.label, ax.yaxis.label):
        text.set_fontsize(TEXT)


def set_title(ax: "Axes", title: str, beside: Sequence[str] = ()) -> None:
    """Write the title above the left end of the picture, on lines that fit.

    The names beside the picture, to the left, take their part of the width.
    """
    room = points_across(ax) - max(map(width_of, beside), default=0.0)
    n_letters = max(12, int(room / (LETTER * (TEXT + 1))))
    if len(title) > n_letters:
        parts = title.replace(", ", ",\n").split("\n")
        title = "\n".join(fill(part, n_letters) for part in parts)
    ax.set_title(title, loc="left", fontsize=TEXT + 1)


def width_of(text: str, size: float = TEXT) -> float:
    """Return about how many points wide a text is."""
    return LETTER * size * len(text)


def points_across(ax: "Axes") -> float:
    """Return about how many points picture and names have together."""
    # Axes are made with 0.775 of their part of the figure.
    return 72.0 * 1.2 * inches(ax)[0]


def shortened(ax: "Axes", names: Iterable[object]) -> list[str]:
    """Cut names so that they leave about half of the width to the picture."""
    most = int(np.clip(8.3 * inches(ax)[0], 12, LONGEST_NAME))
    return [short(name, most) for name in names]


def name_lines(ax: "Axes", places: NDArray[Any], names: Sequence[str]) -> int:
    """Name the lines of a picture, each, or every second, third, ...; return which."""
    room = 72.0 * inches(ax)[1]
    step = max(1, ceil(1.1 * TEXT * len(names) / room))
    ax.set_yticks(places[::step], list(names[::step]))
    return step


def whole_numbers(ax: "Axes", axis: str = "x") -> None:
    """Let an axis have ticks at whole numbers only."""
    getattr(ax, f"{axis}axis").get_major_locator().set_params(
        integer=True, min_n_ticks=1
    )


def logarithmic(ax: "Axes", low: float, high: float) -> None:
    """Give the x-axis equal room for equal ratios, with ticks at round numbers."""
    ticks = log_ticks(low, high)
    ax.set_xscale("log")
    ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.minorticks_off()


def legend_below(
    ax: "Axes", points: float = 30.0, side: Literal["left", "right"] = "left"
) -> None:
    """Name the curves below the axis label, in as many columns as there is room for.

    In a figure without a layout nothing would make room below: there it stands in the
    emptiest corner. On the right side it may reach below the names of the lines.
    """
    figure = ax.get_figure()
    handles, names = ax.get_legend_handles_labels()
    if not names or figure is None:
        return
    if figure.get_layout_engine() is None:
        ax.legend(handles, names, loc="best", framealpha=0.8, **LEGEND)
        return
    from matplotlib.transforms import ScaledTranslation

    down = ScaledTranslation(0.0, -points / 72.0, figure.dpi_scale_trans)
    ax.legend(
        handles,
        names,
        loc="upper right" if side == "right" else "upper left",
        bbox_to_anchor=(float(side == "right"), 0.0),
        bbox_transform=ax.transAxes + down,
        ncols=legend_columns(names, 72.0 * 1.1 * inches(ax)[0]),
        frameon=False,
        borderaxespad=0.0,
        **LEGEND,
    )


def legend_columns(names: Sequence[str], room: float) -> int:
    """Return how many columns of names fit into `room` points."""
    widest = max(width_of(name, SMALL) for name in names) + 34.0
    return min(max(1, int(room // widest)), len(names))


def short(name: object, most: int = LONGEST_NAME) -> str:
    """Cut a name that is too long in its middle: names often differ at their ends."""
    text = str(name)
    if len(text) <= most:
        return text
    n_last = most // 3
    return f"{text[: most - 1 - n_last]}…{text[-n_last:]}"


def counted(number: int, thing: str) -> str:
    """Return "1 feature", "2 features"."""
    return f"{number} {thing}{'' if number == 1 else 's'}"
