"""Pictures of chosen features, drawn as SVG: data in, text out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from pairsift._typing import FloatArray
from pairsift._words import escape
from pairsift.reports._pictures import (
    N_COLOURS,
    axis_tick,
    nice_ticks,
    side_name,
    straight,
    svg_picture,
)

MAX_GROUPS = N_COLOURS
# Of groups up to this size every value is drawn.
_MAX_DOTS = 60
_ROW = 26
# Where groups begin and end, in percent of the width.
_LEFT, _RIGHT = 38.0, 88.0


class Group(NamedTuple):
    """Values of a feature in a group of rows, or of pairs."""

    label: str
    values: FloatArray


def box_picture(groups: Sequence[Group], *, name: str, title: str) -> str:
    """Draw how a feature is distributed in every group.

    A box goes from the first quartile to the third with a line at the median, whiskers
    from 5 % to 95 % of the values. What lies beyond the frame is drawn at its edge, so
    that an outlier does not flatten the rest.
    """
    known = [g._replace(values=g.values[~np.isnan(g.values)]) for g in groups]
    ends = [np.quantile(g.values, [0.05, 0.95]) for g in known if g.values.size]
    low, high = (np.min(ends), np.max(ends)) if ends else (0.0, 1.0)
    ticks = nice_ticks(float(low), float(high), 5)
    bottom = _ROW * len(known)

    def x(value: float) -> float:
        share = (value - ticks[0]) / (ticks[-1] - ticks[0])
        return _LEFT + (_RIGHT - _LEFT) * min(max(share, 0.0), 1.0)

    parts = [axis_tick(x(tick), 0, bottom, f"{tick:g}") for tick in ticks]
    parts += [_group(group, row, x) for row, group in enumerate(known)]
    medians = ", ".join(
        f"{g.label} {np.median(g.values):.4g}" for g in known if g.values.size
    )
    return svg_picture(bottom + 20, name, title, f"Medians: {medians}.", parts)


def _group(group: Group, row: int, x: Callable[[float], float]) -> str:
    middle = _ROW * row + _ROW / 2
    colour = f"colour-{row % N_COLOURS}"
    parts = [
        side_name(group.label, middle + 4.5),
        f'<text class="number" x="100%" y="{middle + 4.5:g}" text-anchor="end">'
        f"{group.values.size:,}</text>",
    ]
    if group.values.size <= _MAX_DOTS:
        # Spread by the golden section, which repeats nothing and needs no chance.
        heights = middle + 12.0 * (np.arange(group.values.size) * 0.618 % 1.0 - 0.5)
        parts += [
            f'<circle class="dot {colour}" cx="{x(value):.2f}%" cy="{y:.1f}" r="2.5"/>'
            for value, y in zip(group.values.tolist(), heights.tolist(), strict=True)
        ]
    if group.values.size:
        at = [x(v) for v in np.quantile(group.values, [0.05, 0.25, 0.5, 0.75, 0.95])]
        parts += [
            straight(f"whisker {colour}", at[0], middle, at[4], middle),
            f'<rect class="box {colour}" x="{at[1]:.2f}%" y="{middle - 8:g}" '
            f'width="{at[3] - at[1]:.2f}%" height="16"/>',
            straight(f"median {colour}", at[2], middle - 8, at[2], middle + 8),
        ]
    return "".join(parts)


def correlation_picture(
    names: Sequence[str], correlations: FloatArray, *, name: str, title: str
) -> str:
    """Draw correlations between features as a map, the darker the larger in size."""
    size = (100.0 - _LEFT) / len(names)
    top = 20.0
    parts = []
    for row, feature in enumerate(names):
        middle = top + _ROW * row + _ROW / 2
        parts.append(side_name(f"{row + 1}  {feature}", middle + 4.5))
        parts.append(_text(_LEFT + size * (row + 0.5), top - 6, str(row + 1)))
        for column in range(row + 1):
            value = float(correlations[row, column])
            left = _LEFT + size * column
            share = 0.0 if np.isnan(value) else 0.6 * abs(value)
            parts.append(
                f'<rect x="{left:.2f}%" y="{middle - _ROW / 2 + 1:g}" '
                f'width="{size - 0.3:.2f}%" height="{_ROW - 2}" '
                f'style="fill:rgba(var(--shade),{share:.2f})"/>'
            )
            if column < row:
                parts.append(_text(left + size / 2, middle + 4.5, _short(value)))
    height = round(top + _ROW * len(names))
    return svg_picture(height, name, title, most_alike(names, correlations), parts)


def _text(x: float, y: float, text: str) -> str:
    return (
        f'<text class="number" x="{x:.2f}%" y="{y:g}" text-anchor="middle">'
        f"{escape(text)}</text>"
    )


def _short(value: float) -> str:
    """Write a correlation in few letters: .87, −.12, 1."""
    if np.isnan(value):
        return "–"
    text = f"{value:.2f}".replace("0.", ".").replace("-", "−")
    return {"1.00": "1", "−1.00": "−1", "−.00": ".00"}.get(text, text)


def most_alike(names: Sequence[str], correlations: FloatArray) -> str:
    """Say which two features are most alike; empty where no two can be compared."""
    size = np.abs(np.tril(correlations, -1))
    if len(names) < 2 or np.isnan(size).all() or not np.nanmax(size) > 0:
        return ""
    i, j = divmod(int(np.nanargmax(size)), len(names))
    return (
        f"Most alike are {names[j]} and {names[i]}, with a rank correlation of "
        f"{correlations[i, j]:.2f}."
    )
