"""Pictures for the report, drawn as SVG.

Widths are percentages of the page and heights are pixels, so that a picture fits a
phone and a sheet of paper while its text keeps its size.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import pairwise

from pairsift.cli._ranking import Feature

MOST_BARS = 30
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


def curve_picture(
    sizes: Sequence[int], curves: Mapping[str, Sequence[float]], all_features: float
) -> str:
    """Draw accuracies against numbers of features, every curve in its class."""
    left, right, top, bottom = 9.0, 98.0, 10.0, 230.0
    floor = math.floor(10 * min(map(min, curves.values()))) / 10

    def x(size: int) -> float:
        return left + (right - left) * (size - 1) / max(1, sizes[-1] - 1)

    def y(accuracy: float) -> float:
        return bottom - (bottom - top) * (accuracy - floor) / (1.0 - floor)

    ticks = [tenth / 10 for tenth in range(round(10 * floor), 11)]
    parts = [
        _line("grid", left, y(tick), right, y(tick))
        + f'<text class="number" x="{left - 1.5}%" y="{y(tick) + 4.5:.1f}" '
        f'text-anchor="end">{tick:.0%}</text>'
        for tick in ticks
    ]
    parts += [
        f'<text class="number" x="{x(size):.2f}%" y="{bottom + 20}" '
        f'text-anchor="middle">{size}</text>'
        for size in sizes
    ]
    parts.append(_line("all", left, y(all_features), right, y(all_features)))
    for kind, values in curves.items():
        points = [(x(s), y(v)) for s, v in zip(sizes, values, strict=True)]
        parts += [_line(kind, *a, *b) for a, b in pairwise(points)]
        parts += [
            f'<circle class="{kind}" cx="{cx:.2f}%" cy="{cy:.1f}" r="3"/>'
            for cx, cy in points
        ]
    description = f"All features together reach {all_features:.1%}."
    title = "Accuracy against the number of best features used"
    return _svg(round(bottom) + 26, "curve", title, description, parts)


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
