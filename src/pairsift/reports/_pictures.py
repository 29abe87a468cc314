"""Pictures for the report, drawn as SVG.

Why SVG beside Matplotlib, and what the two share, is written in `pairsift._drawing`.
Widths are percentages of the page and heights are pixels, so that a picture fits a
phone and a sheet of paper while its text keeps its size.
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from pairsift._drawing import COLOURS, N_DASHES, is_close, log_ticks, takes_bars
from pairsift._words import escape, shortened
from pairsift.reports._ranking import Feature

MAX_BARS = 30
N_COLOURS = len(COLOURS)
_LONGEST_NAME = {"wide": 34, "narrow": 18}
_ROW = 24
# Side of a cell of a grid.
_CELL = 32
# Where names end, bars begin and end, in percent of the width.
_NAMES, _BARS, _END = 36.0, 38.0, 82.0


def score_picture(features: Sequence[Feature]) -> str:
    """Draw the scores of the best features, as bars from 0 or as points on an axis."""
    shown = features[:MAX_BARS]
    finite = [f.score for f in shown if math.isfinite(f.score)]
    height, parts = (_bars if has_bars(features) else _points_at)(shown, finite)
    best = f"The best is {shown[0].name} with {shown[0].score_text}."
    return svg_picture(height, "scores", "Scores of the features", best, parts)


def has_bars(features: Sequence[Feature]) -> bool:
    """Whether the picture of these features has bars, the longest the best's."""
    return takes_bars([feature.score for feature in features[:MAX_BARS]])


def _bars(shown: Sequence[Feature], finite: Sequence[float]) -> tuple[int, list[str]]:
    low, high = min([0.0, *finite]), max([0.0, *finite])
    percent = (_END - _BARS) / ((high - low) or 1.0)
    zero = _BARS - low * percent
    height = _ROW * len(shown)
    parts = []
    for row, feature in enumerate(shown):
        # As long as can be where a score is infinite, none where it is -infinity.
        score = (
            feature.score
            if math.isfinite(feature.score)
            else (high if feature.score > 0 else 0.0)
        )
        size = score * percent
        bar = (
            f'<rect class="{_kind(feature)}" x="{zero + min(size, 0.0):.3f}%" '
            f'y="{_middle(row) - 8:g}" width="{abs(size):.3f}%" height="16"/>'
        )
        parts.append(_score_line(feature, row, bar))
    parts.append(straight("axis", zero, 0, zero, height))
    return height, parts


def _points_at(
    shown: Sequence[Feature], finite: Sequence[float]
) -> tuple[int, list[str]]:
    ticks = nice_ticks(min(finite), max(finite), 5)
    height = _ROW * len(shown)

    def x(score: float) -> float:
        share = (score - ticks[0]) / (ticks[-1] - ticks[0])
        return _BARS + (_END - _BARS) * share

    parts = [axis_tick(x(tick), 0, height, f"{tick:g}") for tick in ticks]
    for row, feature in enumerate(shown):
        point = ""
        if math.isfinite(feature.score):
            point = (
                f'<circle class="{_kind(feature)}" cx="{x(feature.score):.3f}%" '
                f'cy="{_middle(row):g}" r="5"/>'
            )
        parts.append(_score_line(feature, row, point))
    return height + 20, parts


def _score_line(feature: Feature, row: int, mark: str) -> str:
    """Write name and score at the sides of a bar or point."""
    score = feature.score_text.replace("-", "−").replace("inf", "∞")
    return (
        f"<g><title>{escape(f'{feature.rank}. {feature.name}')}</title>"
        f"{side_name(feature.name, _middle(row) + 4.5)}{mark}"
        f'<text class="number" x="100%" y="{_middle(row) + 4.5:g}" text-anchor="end">'
        f"{score}</text></g>"
    )


def _kind(feature: Feature) -> str:
    return "selected" if feature.is_selected else "rest"


def _middle(row: int) -> float:
    return _ROW * row + _ROW / 2


def grid_picture(
    values: Sequence[Sequence[float]],
    marked: Collection[tuple[int, int]] = (),
    *,
    title: str,
) -> str:
    """Draw numbers as shaded cells of a grid, those marked with a frame."""
    flat = [value for line in values for value in line]
    low, width = min(flat), (max(flat) - min(flat)) or 1.0
    parts = []
    for i, line in enumerate(values):
        for j, value in enumerate(line):
            kind = "cell marked" if (i, j) in marked else "cell"
            parts.append(
                f'<rect class="{kind}" x="{_CELL * j + 2}" y="{_CELL * i + 2}" '
                f'width="{_CELL - 4}" height="{_CELL - 4}" '
                f'fill-opacity="{(value - low) / width:.3f}">'
                f"<title>{value:#.3g}</title></rect>"
            )
    size = f"{len(values)} x {len(values[0])} cells."
    return svg_picture(_CELL * len(values), "grid-cells", title, size, parts)


def axis_tick(x: float, top: float, bottom: float, text: str) -> str:
    """Draw a line of a grid with its number below; x in percent."""
    return (
        straight("grid", x, top, x, bottom)
        + f'<text class="number" x="{x:.2f}%" y="{bottom + 15:g}" '
        f'text-anchor="middle">{escape(text.replace("-", "−"))}</text>'
    )


def side_name(name: str, y: float) -> str:
    """Write a name beside a line, twice where a narrow page has to cut it shorter."""
    cut = {kind: shortened(name, most) for kind, most in _LONGEST_NAME.items()}
    if cut["wide"] == cut["narrow"]:
        cut = {"": name}
    return "".join(
        f'<text class="{kind}" x="{_NAMES}%" y="{y:g}" text-anchor="end">'
        f"{escape(text)}</text>"
        for kind, text in cut.items()
    )


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
    x_ticks: Mapping[float, str] | None = None,
    description: str = "",
) -> str:
    """Draw curves with bands; `name` is unique on the page, `is_log` is of x."""
    left, right, top, bottom = 9.0, 98.0, 26.0, 266.0
    place: Callable[[float], float] = math.log if is_log else float
    xs = [place(x) for line in lines for x in line.x]
    ys = _heights(lines, is_percent)
    x_low, x_high = min(xs), max(xs)
    ticks = nice_ticks(min(ys), max(ys))
    y_low, y_high = min(ticks[0], *ys), max(ticks[-1], *ys)

    def x(value: float) -> float:
        return (place(value) - x_low) / ((x_high - x_low) or 1.0)

    def y(value: float) -> float:
        inside = min(max(value, y_low), y_high)
        return (y_high - inside) / ((y_high - y_low) or 1.0)

    def height(value: float) -> float:
        return top + (bottom - top) * y(value)

    form = _tick_form(ticks, is_percent)
    parts = [
        straight("grid", left, height(tick), right, height(tick))
        + f'<text class="number" x="{left - 1.2}%" y="{height(tick) + 4.5:.1f}" '
        f'text-anchor="end">{tick:{form}}</text>'
        for tick in ticks
    ]
    parts += [
        f'<text class="number" x="{left + (right - left) * x(tick):.2f}%" '
        f'y="{bottom + 19}" text-anchor="middle">{escape(text)}</text>'
        for tick, text in (x_ticks or _x_ticks(lines, is_log)).items()
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
    return svg_picture(round(bottom) + 46, name, title, description, parts)


def _heights(lines: Sequence[Line], is_percent: bool) -> list[float]:
    """Return all values of curves and bands, percentages cut at 0 and 1."""
    parts = [part for line in lines for part in (line.y, line.low, line.high) if part]
    values = [y for part in parts for y in part]
    return [min(max(y, 0.0), 1.0) for y in values] if is_percent else values


def _tick_form(ticks: Sequence[float], is_percent: bool) -> str:
    """Return how to write ticks with as many digits as tell them apart."""
    digits = max(0, -math.floor(math.log10(ticks[1] - ticks[0]) + 1e-9))
    return f".{max(0, digits - 2)}%" if is_percent else f".{digits}f"


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


def _x_ticks(lines: Sequence[Line], is_log: bool) -> dict[float, str]:
    values = sorted({x for line in lines for x in line.x})
    low, high = values[0], values[-1]
    if is_log:
        values = log_ticks(low, high)
    elif len(values) > 15:
        inside = [tick for tick in nice_ticks(low, high, 8) if low <= tick <= high]
        values = [low, *(tick for tick in inside if tick - low > (high - low) / 20)]
    return {tick: f"{tick:g}" for tick in values}


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
    is_near = is_close(mean_ranks, best, distance)
    reach = min(right + 4.0, x(best + distance))
    parts = [
        f'<rect class="within" x="{x(best):.2f}%" y="{top - 8}" '
        f'width="{reach - x(best):.2f}%" height="{bottom - top + 8}"/>'
    ]
    parts += [
        straight("grid", x(rank), top - 8, x(rank), bottom)
        + f'<text class="number" x="{x(rank):.2f}%" y="{top - 14}" '
        f'text-anchor="middle">{rank}</text>'
        for rank in range(1, worst + 1)
    ]
    for row, i in enumerate(order):
        middle = top + _ROW * row + _ROW / 2
        kind = "selected" if is_near[i] else "rest"
        parts.append(
            f"{side_name(names[i], middle + 4.5)}"
            f'<circle class="{kind}" cx="{x(mean_ranks[i]):.2f}%" cy="{middle:g}" '
            'r="5"/>'
            f'<text class="number" x="100%" y="{middle + 4.5:g}" text-anchor="end">'
            f"{mean_ranks[i]:.2f}</text>"
        )
    parts.append(
        f'<text class="title" x="{right}%" y="13" text-anchor="end">mean rank</text>'
    )
    description = f"The best mean rank is {best:.2f}, of {names[order[0]]}."
    return svg_picture(round(bottom) + 4, name, title, description, parts)


def straight(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    """Draw a straight line; x in percent, y in pixels."""
    return (
        f'<line class="{kind}" x1="{x1:.2f}%" y1="{y1:.1f}" x2="{x2:.2f}%" '
        f'y2="{y2:.1f}"/>'
    )


def svg_picture(
    height: int, name: str, title: str, description: str, parts: Iterable[str]
) -> str:
    """Put a picture together; `name` is unique on the page."""
    return (
        f'<svg width="100%" height="{height}" role="img" '
        f'aria-labelledby="{name}-title {name}-desc" '
        'xmlns="http://www.w3.org/2000/svg">'
        f'<title id="{name}-title">{escape(title)}</title>'
        f'<desc id="{name}-desc">{escape(description)}</desc>'
        f"{''.join(parts)}</svg>"
    )
