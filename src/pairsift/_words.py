"""Text for people: lists, hints, and names that cannot command a terminal."""

import html
import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from itertools import islice

# Control characters, and those that are not seen but turn text around or hide it.
_CONTROLS = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\ufeff\ud800-\udfff]"
)


def visible(text: str) -> str:
    r"""Write control characters as escapes, such as \u001b, which JSON reads too."""
    return _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def printable(value: object) -> str:
    """Return a value as text of one line that cannot command a terminal."""
    if isinstance(value, float):
        return f"{value:.6g}"
    return visible(" ".join(str(value).split()))


def escape(text: str) -> str:
    """Return text for an HTML page, on which it stands as it is."""
    return html.escape(visible(text))


def html_table(
    caption: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    most: int = 10,
) -> str:
    """Return a small table for a notebook; rows after the first few are counted."""
    rows = iter(rows)
    first = [_table_line("td", row) for row in islice(rows, most)]
    n_more = sum(1 for _ in rows)
    lines = [_table_line("th", columns), *first] if first else []
    if n_more:
        span = f'colspan="{len(columns)}"'
        lines.append(f"<tr><td {span}>and {n_more:,} more</td></tr>")
    caption = f"<caption>{escape(caption)}</caption>"
    return "\n".join(["<table>", caption, *lines, "</table>"])


def _table_line(tag: str, cells: Iterable[object]) -> str:
    texts = (escape(shortened(printable(cell), 60)) for cell in cells)
    return "<tr>" + "".join(f"<{tag}>{text}</{tag}>" for text in texts) + "</tr>"


def shortened(text: str, most: int) -> str:
    """Cut the middle out of a long text, because names often differ at their end."""
    if len(text) <= most:
        return text
    end = (most - 1) // 2
    return f"{text[: most - 1 - end]}…{text[len(text) - end :]}"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a hint at similar names, empty when there are none."""
    by_lower = {name.lower(): name for name in known}
    close = get_close_matches(word.lower(), by_lower, cutoff=0.7)
    names = " or ".join(repr(by_lower[name]) for name in close)
    return f" (did you mean {names}?)" if names else ""


def listing(names: Iterable[str], most: int = 5) -> str:
    """Join names to a sentence, and only count those after the first few."""
    names = list(names)
    rest = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + rest


def count(number: int, one: str, many: str) -> str:
    """Return a number with the noun or verb that fits it."""
    return f"{number} {one if number == 1 else many}"
