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
from rich.table import Table
from rich.text import Text

from pairsift.cli._console import Messages

KEYS = (
    ("s", "same"),
    ("d", "different"),
    ("u", "unsure"),
    ("z", "undo"),
    ("q", "quit"),
    ("?", "help"),
)
HELP = (
    "Do the two rows belong together? What that means is yours to say: the same kind, "
    "the same state, the same person.",
    "s  same: they belong together (must-link)",
    "d  different: they belong apart (cannot-link)",
    "u  unsure: the couple is not asked again, and nothing is learned from it",
    "z  undo, also Backspace: takes the last answer back, again the one before",
    "q  quit, also Ctrl-C and Ctrl-D: every answer is on disk, and the same command "
    "goes on where you stopped",
    "Columns come in the order of their difference: the distance of the two values as "
    "a share of the range of the column; texts differ or do not.",
)
_BAR = 10
# Seconds after which somebody wonders whether the program still works.
_PATIENCE = 0.5
# Lines of a page beside its head, its foot and the rows of the table: a blank one,
# header and rule, the count of columns left out, another blank one, the cursor's.
_OTHER_LINES = 6
_FEWEST_ROWS = 3


class Line(NamedTuple):
    """A column of the table in which the rows lie."""

    name: str
    first: str
    second: str
    difference: float
    is_text: bool


@dataclass(frozen=True)
class Page:
    """All that is said around one question."""

    title: str
    progress: str
    counts: str
    couple: tuple[str, str] | None
    """How the two rows are called; None when there is nothing left to ask."""
    lines: Sequence[Line]
    """Most different first."""
    n_columns: int
    top: str
    contradiction: str
    remark: str
    """What has just happened."""


class View(Protocol):
    """Where questions are shown."""

    def show(self, page: Page) -> None:
        """Show a question."""

    def help(self) -> bool:
        """Explain the keys; tell whether the question has to be shown again."""

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
        if page.couple is None:
            self._messages.note(f"{page.progress}.")
            return
        most = ", ".join(
            f"{line.name} {line.first} / {line.second}" for line in page.lines[:3]
        )
        first, second = page.couple
        self._messages.note(f"{page.progress}: {first} and {second} ({most})")

    def help(self) -> bool:
        """Write the help."""
        for text in HELP:
            self._messages.note(text)
        return False

    def waiting(self, text: str) -> AbstractContextManager[None]:
        """Wait in silence."""
        return nullcontext()


class Terminal:
    """Questions as pages that fill the terminal."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def show(self, page: Page) -> None:
        """Draw a page over the last one."""
        head, foot = self._head(page), self._foot(page)
        n_taken = self._height(head) + self._height(foot)
        n_rows = max(self._console.height - n_taken - _OTHER_LINES, _FEWEST_ROWS)
        self._draw(Group(head, self._table(page, n_rows), foot))

    def help(self) -> bool:
        """Draw the help."""
        lines = [Padding(Text(text), (0, 1, 1, 1)) for text in HELP]
        more = Text(" Any key goes back to the question.", style="dim")
        self._draw(Group(Text(" pairsift query\n", style="bold"), *lines, more))
        return True

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

    def _draw(self, content: RenderableType) -> None:
        self._console.clear()
        self._console.print(content, end="")

    def _height(self, content: RenderableType) -> int:
        return len(self._console.render_lines(content, pad=False))

    def _head(self, page: Page) -> RenderableType:
        line = Table.grid(expand=True, padding=(0, 1))
        line.add_column(no_wrap=True, overflow="ellipsis")
        line.add_column(justify="right", no_wrap=True)
        title = Text.assemble((page.progress, "bold"), ("  " + page.title, "dim"))
        line.add_row(title, Text(page.counts))
        return Padding(line, (0, 1))

    def _table(self, page: Page, n_rows: int) -> RenderableType:
        if page.couple is None:
            return Text("")
        shown = page.lines[:n_rows]
        width = self._value_width(page.couple, shown)
        table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
        # Three gaps of three, a margin on both sides, and the number behind the bar.
        rest = max(self._console.width - 2 * width - _BAR - 16, 10)
        question = Text("Do they belong together?", style="bold")
        table.add_column(question, no_wrap=True, max_width=rest)
        for name in page.couple:
            header = Text(_shortened(name, width), style="bold cyan")
            table.add_column(header, justify="right", no_wrap=True, width=width)
        table.add_column(Text("difference", style="dim"), no_wrap=True)
        for line in shown:
            style = "" if line.difference > 0 else "dim"
            cells = _shortened(line.name, rest), line.first, line.second
            table.add_row(*map(Text, cells), self._difference(line), style=style)
        n_more = page.n_columns - len(shown)
        noun = "column that differs" if n_more == 1 else "columns that differ"
        more = f"and {n_more} {noun} no more than these" if n_more else ""
        below = Text(f"{more}\n" if more else "", style="dim")
        return Padding(Group("", table, below), (0, 1))

    def _value_width(self, couple: tuple[str, str], lines: Sequence[Line]) -> int:
        """Give values what they need up to a quarter, names a sixth of the page."""
        whole = self._console.width
        cells = max(cell_len(cell) for line in lines for cell in line[1:3])
        names = max(map(cell_len, couple))
        return max(8, min(cells, whole // 4), min(names, whole // 6))

    def _difference(self, line: Line) -> Text:
        if math.isnan(line.difference):
            return Text("missing", style="dim")
        if line.is_text:
            return Text("differs" if line.difference else "equal")
        block, rest = "#." if self._console.options.ascii_only else "█░"
        n_blocks = round(line.difference * _BAR)
        bar = Text(block * n_blocks, style="cyan")
        bar.append(rest * (_BAR - n_blocks), style="dim")
        return bar.append(f" {line.difference:.2f}")

    def _foot(self, page: Page) -> RenderableType:
        keys = KEYS if page.couple else [k for k in KEYS if k[0] in "zq"]
        hints = [Text.assemble((key, "bold cyan"), f" {word}") for key, word in keys]
        parts: list[RenderableType] = [Text(page.top), Text("")]
        if page.contradiction:
            parts += [Text(page.contradiction, style="bold red"), Text("")]
        parts += [Columns(hints, padding=(0, 3)), Text(page.remark, style="yellow")]
        return Padding(Group(*parts), (0, 1))


def _shortened(text: str, width: int) -> str:
    """Cut the middle out, because names often differ at their end."""
    if len(text) <= width:
        return text
    end = (width - 1) // 2
    return f"{text[: width - 1 - end]}…{text[len(text) - end :]}"
