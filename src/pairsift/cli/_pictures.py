"""Pictures for the report, drawn as SVG.

Widths are percentages of the page and heights are pixels, so that a picture fits a
phone and a sheet of paper while its text keeps its size.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from pairsift.cli._ranking import Feature
from pairsift.cli._words import escape

MOST_BARS = 30
N_COLOURS, N_DASHES = 6, 5
_LONGEST_NAME = {"wide": 34, "narrow": 18}
_ROW = 24
# Where names end, bars begin and end, in percent of the width.
_NAMES, _BARS, _END = 36.0, 38.0, 82.0


def bar_picture(features: Sequence[Feature]) -> str:
    """Draw the scores of the best features as horizontal bars from a zero line."""
    shown = features[:MOST_BARS]
    finite = [f.score for f in shown if math.isfinite(f.score)]
    low, high = min([0.0, *finite]), max([0.0, *finite])
    percent = (_END - _BARS) / ((high - low) or 1.0)
    zero = _BARS - low * percent
    height = _ROW * len(shown)
    parts = [_bar(f, i, zero, percent) for i, f in enumerate(shown)]
    parts.append(_line("axis", zero, 0, zero, height))
    best = f"The best is {shown[0].name} with {shown[0].score_text}."
    return _svg(height, "bars", "Scores of the features, best first", best, parts)


def _bar(feature: Feature, row: int, zero: float, percent: float) -> str:
    middle = _ROW * row + _ROW / 2
    size = feature.score * percent if math.isfinite(feature.score) else 0.0
    kind = "selected" if feature.is_selected else "rest"
    score = feature.score_text.replace("-", "−").replace("inf", "∞")
    return (
        f"<g><title>{escape(f'{feature.rank}. {feature.name}')}</title>"
        f"{_name(feature.name, middle + 4.5)}"
        f'<rect class="{kind}" x="{zero + min(size, 0.0):.3f}%" y="{middle - 8:g}" '
        f'width="{abs(size):.3f}%" height="16"/>'
        f'<text class="number" x="100%" y="{middle + 4.5:g}" text-anchor="end">'
        f"{score}</text></g>"
    )


def _name(name: str, y: float) -> str:
    """Write a name twice when a narrow page has to cut it shorter than a wide one."""
    cut = {kind: _shortened(name, most) for kind, most in _LONGEST_NAME.items()}
    if cut["wide"] == cut["narrow"]:
        cut = {"": name}
    return "".join(
        f'<text class="{kind}" x="{_NAMES}%" y="{y:g}" text-anchor="end">'
        f"{escape(text)}</text>"
        for kind, text in cut.items()
    )


def _shortened(name: str, most: int) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"


@dataclass(frozen=True)
class Line:
    """A curve; `low` and `high` make a band around it."""

    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] | None = None
    high: Sequence[float] | None = None


def look(number: int) -> str:
    """Return the CSS classes of the curve of this number, from 0."""
    return f"colour-{number % N_COLOURS} dash-{number % N_DASHES}"


def line_picture(
    lines: Sequence[Line],
    *,
    name: str,
    title: str,
    x_title: str,
    y_title: str,
    is_percent: bool = False,
    is_log: bool = False,
    description: str = "",
) -> str:
    """Draw curves with bands; `name` is unique on the page, `is_log` is of x."""
    left, right, top, bottom = 9.0, 98.0, 26.0, 266.0
    place: Callable[[float], float] = math.log if is_log else float
    xs = [place(x) for line in lines for x in line.x]
    ys = [
        y
        for line in lines
        for part in (line.y, line.low, line.high)
        if part
        for y in part
    ]
    x_low, x_high = min(xs), max(xs)
    if is_percent:
        # A band may reach beyond what there is.
        ys = [min(max(y, 0.0), 1.0) for y in ys]
    ticks = nice_ticks(min(ys), max(ys))
    y_low, y_high = min(ticks[0], *ys), max(ticks[-1], *ys)

    def x(value: float) -> float:
        return (place(value) - x_low) / ((x_high - x_low) or 1.0)

    def y(value: float) -> float:
        inside = min(max(value, y_low), y_high)
        return (y_high - inside) / ((y_high - y_low) or 1.0)

    def height(value: float) -> float:
        return top + (bottom - top) * y(value)

    digits = max(0, -math.floor(math.log10(ticks[1] - ticks[0]) + 1e-9))
    shown = f".{max(0, digits - 2)}%" if is_percent else f".{digits}f"
    parts = [
        _line("grid", left, height(tick), right, height(tick))
        + f'<text class="number" x="{left - 1.2}%" y="{height(tick) + 4.5:.1f}" '
        f'text-anchor="end">{tick:{shown}}</text>'
        for tick in ticks
    ]
    parts += [
        f'<text class="number" x="{left + (right - left) * x(tick):.2f}%" '
        f'y="{bottom + 19}" text-anchor="middle">{tick:g}</text>'
        for tick in _x_ticks(lines, is_log)
    ]
    parts.append(
        # Stretched to the page, with lines that keep their width.
        f'<svg x="{left}%" y="{top}" width="{right - left}%" height="{bottom - top}" '
        'viewBox="0 0 1000 1000" preserveAspectRatio="none">'
        + "".join(_band(line, i, x, y) for i, line in enumerate(lines))
        + "".join(_curve(line, i, x, y) for i, line in enumerate(lines))
        + "</svg>"
    )
    parts.append(f'<text class="title" x="0" y="13">{escape(y_title)}</text>')
    parts.append(
        f'<text class="title" x="{right}%" y="{bottom + 40}" text-anchor="end">'
        f"{escape(x_title)}</text>"
    )
    return _svg(round(bottom) + 46, name, title, description, parts)


def _curve(
    line: Line, number: int, x: Callable[[float], float], y: Callable[[float], float]
) -> str:
    points = list(zip(line.x, line.y, strict=True))
    if len(points) == 1:
        points *= 2
    path = _points(points, x, y)
    return (
        f'<polyline class="curve {look(number)}" points="{path}" '
        'vector-effect="non-scaling-stroke"/>'
    )


def _band(
    line: Line, number: int, x: Callable[[float], float], y: Callable[[float], float]
) -> str:
    if line.low is None or line.high is None:
        return ""
    upper = list(zip(line.x, line.high, strict=True))
    lower = list(zip(line.x, line.low, strict=True))
    path = _points([*upper, *reversed(lower)], x, y)
    return f'<polygon class="band colour-{number % N_COLOURS}" points="{path}"/>'


def _points(
    points: Iterable[tuple[float, float]],
    x: Callable[[float], float],
    y: Callable[[float], float],
) -> str:
    return " ".join(f"{1000 * x(a):.1f},{1000 * y(b):.1f}" for a, b in points)


def nice_ticks(low: float, high: float, most: int = 9) -> list[float]:
    """Return round numbers, at equal steps, that enclose two numbers."""
    if not high > low:
        low, high = low - 0.5, high + 0.5
    rough = (high - low) / (most - 2)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * f for f in (1.0, 2.0, 5.0, 10.0) if power * f >= rough)
    # Not beyond a round number that is met but for rounding.
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(number * step, 12) for number in range(first, last + 1)]


def _x_ticks(lines: Sequence[Line], is_log: bool) -> list[float]:
    values = sorted({x for line in lines for x in line.x})
    low, high = values[0], values[-1]
    if is_log:
        ladder = [f * 10.0**p for p in range(12) for f in (1, 2, 5)]
        return [tick for tick in ladder if low <= tick <= high]
    if len(values) <= 15:
        return values
    inside = [tick for tick in nice_ticks(low, high, 8) if low <= tick <= high]
    return [low, *(tick for tick in inside if tick - low > (high - low) / 20)]


def difference_picture(
    names: Sequence[str],
    mean_ranks: Sequence[float],
    distance: float,
    *,
    name: str,
    title: str,
) -> str:
    """Draw mean ranks, best on top, each with the distance that chance bridges."""
    order = sorted(range(len(names)), key=lambda i: mean_ranks[i])
    left, right, top = _BARS, 94.0, 44.0
    worst = len(names)
    bottom = top + _ROW * len(names)

    def x(rank: float) -> float:
        return left + (right - left) * (rank - 1) / max(1, worst - 1)

    best = mean_ranks[order[0]]
    reach = min(right + 4.0, x(best + distance))
    parts = [
        f'<rect class="within" x="{x(best):.2f}%" y="{top - 8}" '
        f'width="{reach - x(best):.2f}%" height="{bottom - top + 8}"/>'
    ]
    parts += [
        _line("grid", x(rank), top - 8, x(rank), bottom)
        + f'<text class="number" x="{x(rank):.2f}%" y="{top - 14}" '
        f'text-anchor="middle">{rank}</text>'
        for rank in range(1, worst + 1)
    ]
    for row, i in enumerate(order):
        middle = top + _ROW * row + _ROW / 2
        is_near = mean_ranks[i] - best <= distance
        kind = "selected" if is_near else "rest"
        parts.append(
            f"{_name(names[i], middle + 4.5)}"
            f'<circle class="{kind}" cx="{x(mean_ranks[i]):.2f}%" cy="{middle:g}" '
            'r="5"/>'
            f'<text class="number" x="100%" y="{middle + 4.5:g}" text-anchor="end">'
            f"{mean_ranks[i]:.2f}</text>"
        )
    parts.append(
        f'<text class="title" x="{right}%" y="13" text-anchor="end">mean rank</text>'
    )
    description = f"The best mean rank is {best:.2f}, of {names[order[0]]}."
    return _svg(round(bottom) + 4, name, title, description, parts)


def _line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return (
        f'<line class="{kind}" x1="{x1:.2f}%" y1="{y1:.1f}" x2="{x2:.2f}%" '
        f'y2="{y2:.1f}"/>'
    )


def _svg(
    height: int, name: str, title: str, description: str, parts: Iterable[str]
) -> str:
    return (
        f'<svg width="100%" height="{height}" role="img" '
        f'aria-labelledby="{name}-title {name}-desc" '
        'xmlns="http://www.w3.org/2000/svg">'
        f'<title id="{name}-title">{escape(title)}</title>'
        f'<desc id="{name}-desc">{escape(description)}</desc>'
        f"{''.join(parts)}</svg>"
    )
