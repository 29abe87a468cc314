"""Questions as a person sees them: a page on a terminal, or lines in a pipe."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.segment import Segment, SegmentLines
from rich.table import Table
from rich.text import Text

from pairsift._words import shortened
from pairsift.cli._console import Messages

KEYS = (
    ("s", "same"),
    ("d", "different"),
    ("u", "unsure"),
    ("z", "undo"),
    ("b", "back"),
    ("q", "quit"),
    ("?", "help"),
)
HELP = (
    "Do the two rows belong together? What that means is yours to say: the same kind, "
    "the same state, the same person.",
    "s  same: they belong together (must-link)",
    "d  different: they belong apart (cannot-link)",
    "u  unsure: the pair is not asked again, and nothing is learned from it",
    "z  undo, also Backspace: takes the last answer back, again the one before",
    "b  back to the answer that the other answers speak against most: answer it again, "
    "or go on to the next with b, or leave it as it is with z",
    "q  quit, also Ctrl-C and Ctrl-D: every answer is on disk, and the same command "
    "goes on where you stopped",
    "Columns come in the order of their difference: the distance of the two values as "
    "a share of the width in which the middle 90 % of the column lie; texts differ or "
    "do not. A point marks the best features so far; where there is no room for all "
    "columns, up to half of the lines are theirs.",
)
_BAR = 10
# Narrower pages have no room for bars, only for their numbers.
_WIDE = 60
# Seconds after which somebody wonders whether the program still works.
_PATIENCE = 0.5
# Lines of a page beside its head, its foot and the rows of the table: a blank one,
# header and rule, the count of columns left out, another blank one.
_OTHER_LINES, _OTHER_TIGHT_LINES = 5, 2
_FEWEST_ROWS = 3


class Line(NamedTuple):
    """A column of the table in which the rows lie."""

    name: str
    first: str
    second: str
    difference: float
    is_text: bool
    is_best: bool = False
    """Among the best features so far."""


@dataclass(frozen=True)
class Page:
    """All that is said around one question."""

    title: str
    progress: str
    counts: str
    pair: tuple[str, str] | None
    """How the two rows are called; None when there is nothing left to ask."""
    lines: Sequence[Line]
    """Most different first."""
    n_columns: int
    top: str
    contradiction: str
    remark: str
    """What has just happened."""
    said: str = ""
    """What was answered before, when the pair is looked at again."""


class View(Protocol):
    """Where questions are shown."""

    def show(self, page: Page) -> None:
        """Show a question."""

    def help(self) -> Iterator[None]:
        """Explain the keys, step by step; each step waits for a key."""

    def waiting(self, text: str) -> AbstractContextManager[None]:
        """Say what is going on when it takes long."""


class Lines:
    """Questions as lines on stderr, for scripts."""

    def __init__(self, messages: Messages) -> None:
        self._messages = messages

    def show(self, page: Page) -> None:
        """Write what has happened, and the question with the largest differences."""
        for text in (page.remark, page.contradiction):
            if text:
                self._messages.note(text)
        if page.pair is None:
            self._messages.note(f"{page.progress}.")
            return
        most = ", ".join(
            f"{line.name} {line.first} / {line.second}" for line in page.lines[:3]
        )
        first, second = page.pair
        said = page.said and f" {page.said}"
        self._messages.note(f"{page.progress}: {first} and {second} ({most}){said}")

    def help(self) -> Iterator[None]:
        """Write the help, all at once."""
        for text in HELP:
            self._messages.note(text)
        return iter(())

    def waiting(self, text: str) -> AbstractContextManager[None]:
        """Wait in silence."""
        return nullcontext()


class Terminal:
    """Questions as pages that fill the terminal."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def show(self, page: Page) -> None:
        """Draw a page over the last one; in a small window texts are cut."""
        head = self._lines(self._head(page))
        for most in (None, 2, 1):
            is_tight = most is not None
            foot = self._lines(self._foot(page, most))
            n_other = _OTHER_TIGHT_LINES if is_tight else _OTHER_LINES
            n_rows = self._n_lines() - len(head) - len(foot) - n_other
            if n_rows >= _FEWEST_ROWS:
                break
        table = self._lines(self._table(page, max(n_rows, 1), is_tight))
        body = [*head, *table][: max(self._n_lines() - len(foot), 0)]
        self._draw([*body, *foot])

    def help(self) -> Iterator[None]:
        """Draw the help, one screen after the other."""
        texts = [Padding(Text(text), (0, 1)) for text in HELP]
        lines = self._lines(Group(Text(" pairsift query", style="bold"), *texts))
        n_lines = max(self._n_lines() - 1, 1)
        for start in range(0, len(lines), n_lines):
            is_last = start + n_lines >= len(lines)
            more = "goes back to the question" if is_last else "shows the rest"
            end = self._lines(Text(f" Any key {more}.", style="dim"))
            self._draw([*lines[start : start + n_lines], *end])
            yield

    @contextmanager
    def waiting(self, text: str) -> Iterator[None]:
        """Show a spinner after a while."""
        status = self._console.status(text)
        timer = threading.Timer(_PATIENCE, status.start)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()
            status.stop()
            self._console.show_cursor(False)

    def _n_lines(self) -> int:
        """Return how many lines can be drawn; in the last one stands the cursor."""
        return self._console.height - 1

    def _lines(self, content: RenderableType) -> list[list[Segment]]:
        return self._console.render_lines(content, pad=False)

    def _draw(self, lines: list[list[Segment]]) -> None:
        self._console.clear()
        self._console.print(SegmentLines(lines, new_lines=True), end="")

    def _head(self, page: Page) -> RenderableType:
        line = Text.assemble((page.progress, "bold"), ("  " + page.title, "dim"))
        room = self._console.width - 4 - cell_len(page.counts)
        line.truncate(max(room, 1), overflow="ellipsis", pad=True)
        line.append(f"  {page.counts}")
        line.no_wrap = True
        return Padding(line, (0, 1))

    def _table(self, page: Page, n_rows: int, is_tight: bool) -> RenderableType:
        if page.pair is None:
            return Text("")
        shown = _that_matter(page.lines, n_rows)
        width = self._value_width(page.pair, shown)
        # Three gaps of three, a margin on both sides, and the number behind the bar.
        bar = self._bar_width()
        rest = max(self._console.width - 2 * width - bar - 16, 10)
        table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
        if is_tight:
            table = Table(box=None, padding=(0, 3, 0, 0), pad_edge=False)
        question = "Do they belong together?" if rest >= 24 else "together?"
        table.add_column(Text(question, style="bold"), no_wrap=True, max_width=rest)
        for name in page.pair:
            header = Text(shortened(name, width), style="bold cyan")
            table.add_column(header, justify="right", no_wrap=True, width=width)
        word = "difference" if bar else "diff."
        table.add_column(Text(word, style="dim"), no_wrap=True)
        names = self._marked(shown, rest)
        for name, line in zip(names, shown, strict=True):
            style = "" if line.difference > 0 else "dim"
            cells = map(Text, (name, line.first, line.second))
            table.add_row(*cells, self._difference(line), style=style)
        n_more = page.n_columns - len(shown)
        noun = "column" if n_more == 1 else "columns"
        below = Text(f"and {n_more:,} {noun} more" if n_more else "", style="dim")
        if is_tight:
            return Padding(Group(table, *[below] * (n_more > 0)), (0, 1))
        return Padding(Group("", table, below, *[""] * (n_more > 0)), (0, 1))

    def _marked(self, lines: Sequence[Line], width: int) -> list[str]:
        """Return names with a point before those of the best features, if any."""
        if not any(line.is_best for line in lines):
            return [shortened(line.name, width) for line in lines]
        point = "*" if self._console.options.ascii_only else "•"
        return [
            f"{point if line.is_best else ' '} {shortened(line.name, width - 2)}"
            for line in lines
        ]

    def _bar_width(self) -> int:
        return _BAR if self._console.width >= _WIDE else 0

    def _value_width(self, pair: tuple[str, str], lines: Sequence[Line]) -> int:
        """Give values what they need up to a quarter, names a sixth of the page."""
        whole = self._console.width
        cells = max(cell_len(cell) for line in lines for cell in line[1:3])
        names = max(map(cell_len, pair))
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

    def _foot(self, page: Page, most: int | None) -> RenderableType:
        """Return what is known and what can be done, each text cut to `most` lines."""
        keys = dict(KEYS) | ({"z": "leave it", "b": "next"} if page.said else {})
        hints = [
            Text.assemble((key, "bold cyan"), f" {word}")
            for key, word in keys.items()
            if page.pair or key in "zbq"
        ]
        texts = [
            Text(page.top),
            Text(page.contradiction, style="bold red"),
            Text(page.said, style="bold yellow"),
        ]
        remark = Text(page.remark, style="yellow")
        if most is None:
            parts = [part for text in texts if text for part in (text, Text(""))]
            bottom: list[RenderableType] = [Columns(hints, padding=(0, 3)), remark]
        else:
            parts = [self._cut(text, most) for text in (*texts, remark) if text]
            bottom = [Columns(hints, padding=(0, 2))]
        return Padding(Group(*parts, *bottom), (0, 1))

    def _cut(self, text: Text, most: int) -> Text:
        lines = text.wrap(self._console, self._console.width - 2)
        if len(lines) <= most:
            return text
        short = Text("\n").join(lines[:most])
        short.rstrip()
        short.right_crop(1)
        return short.append("…")


def _that_matter(lines: Sequence[Line], n_rows: int) -> Sequence[Line]:
    """Take the lines that fit: best features, at most half, and large differences."""
    if len(lines) <= n_rows:
        return lines
    best = [k for k, line in enumerate(lines) if line.is_best][: max(n_rows // 2, 1)]
    others = [k for k in range(len(lines)) if k not in best]
    chosen = sorted([*best, *others[: n_rows - len(best)]])
    return [lines[k] for k in chosen]
