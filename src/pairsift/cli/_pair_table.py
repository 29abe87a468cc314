"""The two rows of a pair, column by column, with their differences."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pairsift._words import shortened
from pairsift.cli._pages import CardLine, Line, PairPage

_BAR = 10
# Narrower pages have no room for bars, only for their numbers.
_WIDE = 60


class PairTable:
    """A pair as a table that fits the terminal."""

    def __init__(self, console: Console, pair: PairPage) -> None:
        self._console, self.pair = console, pair

    def n_other_lines(self, is_tight: bool) -> int:
        """Return the number of lines beside the rows of the table.

        A blank one, header and rule, the count of columns left out, another blank one;
        without blanks and rule if it is tight.
        """
        return 2 if is_tight else 5

    def drawn(self, n_rows: int, is_tight: bool) -> RenderableType:
        """Return the table with `n_rows` of the columns."""
        shown = that_matter(self.pair.lines, n_rows)
        width = self._value_width(shown)
        # Three gaps of three, a margin on both sides, and the number behind the bar.
        bar = self._bar_width()
        rest = max(self._console.width - 2 * width - bar - 16, 10)
        table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
        if is_tight:
            table = Table(box=None, padding=(0, 3, 0, 0), pad_edge=False)
        question = "Do they belong together?" if rest >= 24 else "together?"
        table.add_column(Text(question, style="bold"), no_wrap=True, max_width=rest)
        for name in self.pair.names:
            header = Text(shortened(name, width), style="bold cyan")
            table.add_column(header, justify="right", no_wrap=True, width=width)
        word = "difference" if bar else "diff."
        table.add_column(Text(word, style="dim"), no_wrap=True)
        names = marked(self._console, shown, rest)
        for name, line in zip(names, shown, strict=True):
            style = "" if line.difference > 0 else "dim"
            cells = map(Text, (name, line.first, line.second))
            table.add_row(*cells, self._difference(line), style=style)
        return with_rest(table, self.pair.n_columns - len(shown), is_tight)

    def _bar_width(self) -> int:
        return _BAR if self._console.width >= _WIDE else 0

    def _value_width(self, lines: Sequence[Line]) -> int:
        """Give values what they need up to a quarter, names a sixth of the page."""
        whole = self._console.width
        cells = max(cell_len(cell) for line in lines for cell in line[1:3])
        names = max(map(cell_len, self.pair.names))
        return max(8, min(cells, whole // 4), min(names, whole // 6))

    def _difference(self, line: Line) -> Text:
        if math.isnan(line.difference):
            return Text("missing" if self._bar_width() else "–", style="dim")
        if line.is_text:
            return Text("differs" if line.difference else "equal")
        block, rest = "#." if self._console.options.ascii_only else "█░"
        n_blocks = round(min(line.difference, 1.0) * self._bar_width())
        bar = Text(block * n_blocks, style="cyan")
        bar.append(rest * (self._bar_width() - n_blocks), style="dim")
        share = f"{line.difference:.2f}" if line.difference <= 1.0 else ">1"
        return bar.append(f" {share}" if self._bar_width() else share)


def with_rest(
    table: RenderableType, n_more: int, is_tight: bool, above: str = ""
) -> RenderableType:
    """Return a table with the number of columns left out below it."""
    noun = "column" if n_more == 1 else "columns"
    texts = [above, f"and {n_more:,} {noun} more" if n_more else ""]
    below = [Text(text, style="dim", no_wrap=True) for text in texts if text]
    if is_tight:
        return Padding(Group(table, *below), (0, 1))
    blank = Text("")
    return Padding(Group(blank, table, *below, blank), (0, 1))


def marked(console: Console, lines: Sequence[Line | CardLine], width: int) -> list[str]:
    """Return names with a point before those of the best features, if any."""
    if not any(line.is_best for line in lines):
        return [shortened(line.name, width) for line in lines]
    point = "*" if console.options.ascii_only else "•"
    return [
        f"{point if line.is_best else ' '} {shortened(line.name, width - 2)}"
        for line in lines
    ]


def that_matter(lines: Sequence[Line], n_rows: int) -> Sequence[Line]:
    """Take the lines that fit: best features, at most half, and large differences."""
    if len(lines) <= n_rows:
        return lines
    best = [k for k, line in enumerate(lines) if line.is_best][: max(n_rows // 2, 1)]
    others = [k for k in range(len(lines)) if k not in best]
    chosen = sorted([*best, *others[: n_rows - len(best)]])
    return [lines[k] for k in chosen]
