"""Results go to stdout, everything that is said about them to stderr."""

import json
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from textwrap import fill
from typing import Any

import typer
from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console, JustifyMethod
from rich.markup import escape as without_markup
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from pairsift._words import printable, visible


class Messages:
    """Lines for the person at the terminal, silenced by ``--quiet``."""

    def __init__(self, quiet: bool = False) -> None:
        self.quiet = quiet
        self._bar: Progress | None = None

    def note(self, text: str) -> None:
        """Say what is done, on a terminal in lines that are broken between words."""
        if self.quiet:
            return
        text = f"pairsift: {visible(' '.join(text.splitlines()))}"
        console = self._bar.console if self._bar else Console(stderr=True)
        if console.is_terminal:
            # Through the console of a bar, which moves below what is said.
            console.print(text, markup=False, highlight=False, emoji=False)
        else:
            typer.echo(text, err=True)

    def warn(self, text: str) -> None:
        """Say what may be wrong."""
        self.note(f"warning: {text}")

    @contextmanager
    def progress(
        self, text: str, total: float | None = None
    ) -> Iterator[Callable[..., None]]:
        """Show a spinner, or a bar of `total` steps; only on a terminal.

        Yields a function of the number of steps taken, by default one.
        """
        console = Console(stderr=True)
        # A terminal shows one bar at a time: the outer one stays.
        if self.quiet or not console.is_terminal or self._bar is not None:
            yield lambda _steps=1.0: None
            return
        columns: list[str | ProgressColumn] = [
            "{task.description}",
            TimeElapsedColumn(),
        ]
        columns.insert(0, BarColumn() if total else SpinnerColumn())
        if total:
            columns += ["and", TimeRemainingColumn(), "to go"]
        with Progress(*columns, console=console, transient=True) as bar:
            task = bar.add_task(without_markup(printable(text)), total=total)
            self._bar = bar
            try:
                yield lambda steps=1.0: bar.advance(task, steps)
            finally:
                self._bar = None


def print_json(document: Any) -> None:
    """Print one valid JSON document: no NaN, no infinity."""
    text = json.dumps(
        document, indent=2, ensure_ascii=False, allow_nan=False, default=str
    )
    typer.echo(visible(text))


def print_table(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    right: Sequence[str] = (),
    whole: Sequence[str] = (),
    styles: Sequence[str] | None = None,
    caption: str | None = None,
) -> None:
    """Print rows as a table on a terminal, separated by tabs in a pipe.

    Columns named in `right` hold numbers, those in `whole` are never broken, the others
    only between words.
    """
    console = Console(highlight=False, markup=False)
    header = [*map(printable, header)]
    rows = [[*map(printable, row)] for row in rows]
    if not console.is_terminal:
        for row in (header, *rows):
            typer.echo("\t".join(row))
        return
    table = Table(box=SIMPLE_HEAD, caption=caption, caption_justify="left")
    for j, name in enumerate(header):
        justify: JustifyMethod = "right" if name in right else "left"
        cells = [row[j] for row in (header, *rows)]
        widest = max(map(cell_len, cells))
        if name not in whole:
            # A word, such as the name of a feature, may be wider than the terminal.
            words = [cell_len(word) for cell in cells for word in cell.split()]
            widest = min(max(words, default=0), console.width // 2)
        table.add_column(name, justify=justify, min_width=widest, overflow="fold")
    for row, style in zip(rows, styles or [""] * len(rows), strict=True):
        table.add_row(*map(Text, row), style=style)
    console.print(table)


def print_text(text: str) -> None:
    """Print a paragraph, on a terminal wrapped to lines that read well."""
    text = visible(text)
    console = Console()
    if console.is_terminal:
        text = fill(text, min(console.width, 88))
    typer.echo(text)


def is_terminal() -> bool:
    """Tell whether results are read by a person."""
    return Console().is_terminal


def program() -> str:
    """Return what to type: the bare name, or the path when it is not on PATH."""
    return "pairsift" if shutil.which("pairsift") else sys.argv[0]
