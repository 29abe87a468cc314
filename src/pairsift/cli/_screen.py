"""Questions as a person sees them: a page on a terminal, or lines in a pipe."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Protocol

from rich.cells import cell_len
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.segment import Segment, SegmentLines
from rich.text import Text

from pairsift.cli._card_table import CardTable
from pairsift.cli._console import Messages
from pairsift.cli._pages import CardPage, Page, PairPage, pile_keys
from pairsift.cli._pair_table import PairTable

# Seconds after which a person wonders whether the program still works.
_PATIENCE = 0.5
_MIN_ROWS = 3


class View(Protocol):
    """Where questions are shown."""

    def show(self, page: Page, n_turned: int = 0) -> None:
        """Show a question; of a card the piles after `n_turned` turns."""

    def help(self, texts: Sequence[str]) -> Iterator[None]:
        """Explain the keys, step by step; each step waits for a key."""

    def waiting(self, text: str) -> AbstractContextManager[None]:
        """Say what is going on when it takes long."""


class Lines:
    """Questions as lines on stderr, for scripts."""

    def __init__(self, messages: Messages) -> None:
        self._messages = messages

    def show(self, page: Page, n_turned: int = 0) -> None:
        """Write what has happened, and the question with the columns that matter."""
        for text in (page.remark, page.contradiction):
            if text:
                self._messages.note(text)
        if page.question is None:
            self._messages.note(f"{page.progress}.")
            return
        said = page.said and f" {page.said}"
        question = _question_text(page.question)
        self._messages.note(f"{page.progress}: {question}{said}")

    def help(self, texts: Sequence[str]) -> Iterator[None]:
        """Write the help, all at once."""
        for text in texts:
            self._messages.note(text)
        return iter(())

    def waiting(self, text: str) -> AbstractContextManager[None]:
        """Wait in silence."""
        return nullcontext()


def _question_text(question: PairPage | CardPage) -> str:
    if isinstance(question, CardPage):
        return _card_text(question)
    return _pair_text(question)


def _pair_text(pair: PairPage) -> str:
    most = ", ".join(
        f"{line.name} {line.first} / {line.second}" for line in pair.lines[:3]
    )
    return f"{' and '.join(pair.names)} ({most})"


def _card_text(card: CardPage) -> str:
    lines = card.lines[:3]
    own = ", ".join(f"{line.name} {line.card}" for line in lines)
    piles = [
        f"{pile.key} {pile.name} ({', '.join(line.piles[k] for line in lines)})"
        for k, pile in enumerate(card.piles)
    ]
    return f"{card.name} ({own}); piles: {', '.join(piles) or 'none yet'}"


class Terminal:
    """Questions as pages that fill the terminal."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def show(self, page: Page, n_turned: int = 0) -> None:
        """Draw a page over the last one; in a small window texts are cut."""
        head = self._lines(self._head(page))
        table = self._table(page, n_turned)
        for most in (None, 2, 1, 0):
            is_tight = most is not None
            foot = self._lines(self._foot(page, table, most))
            n_other = 0 if table is None else table.n_other_lines(is_tight)
            n_rows = self._n_lines() - len(head) - len(foot) - n_other
            if n_rows >= _MIN_ROWS:
                break
        drawn = Text("") if table is None else table.drawn(max(n_rows, 1), is_tight)
        body = [*head, *self._lines(drawn)][: max(self._n_lines() - len(foot), 0)]
        self._draw([*body, *foot])

    def help(self, texts: Sequence[str]) -> Iterator[None]:
        """Draw the help, one screen after the other."""
        parts = [Padding(Text(text), (0, 1)) for text in texts]
        lines = self._lines(Group(Text(" pairsift query", style="bold"), *parts))
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

    def _table(self, page: Page, n_turned: int) -> CardTable | PairTable | None:
        if isinstance(page.question, CardPage):
            is_new = not page.said
            return CardTable(self._console, page.question, n_turned, is_new=is_new)
        if page.question is None:
            return None
        return PairTable(self._console, page.question)

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

    def _foot(
        self, page: Page, table: CardTable | PairTable | None, most: int | None
    ) -> RenderableType:
        """Return what is known and what can be done, each text cut to `most` lines.

        In the smallest windows, 0, only the most urgent text is left.
        """
        texts = [
            Text(page.top),
            Text(page.advice, style="green"),
            Text(page.contradiction, style="bold red"),
            Text(page.said, style="bold yellow"),
        ]
        remark = Text(page.remark, style="yellow")
        hints = [
            Text.assemble((key, "bold cyan"), f" {word}")
            for key, word in self._hints(page, table)
        ]
        if most is None:
            known = [text for text in texts if text]
            parts = [*known, *[Text("")] * bool(known)]
            bottom: list[RenderableType] = [Columns(hints, padding=(0, 2)), remark]
        else:
            cut = [self._cut(text, max(most, 1)) for text in (*texts, remark) if text]
            parts = cut if most else cut[-1:]
            bottom = [Columns(hints, padding=(0, 2))]
        return Padding(Group(*parts, *bottom), (0, 1))

    def _hints(
        self, page: Page, table: CardTable | PairTable | None
    ) -> list[tuple[str, str]]:
        hints = list(page.keys)
        if isinstance(table, CardTable):
            if table.card.piles:
                hints.insert(0, (pile_keys(table.card.piles), "pile"))
            if table.has_more:
                hints.insert(-2, ("m", "more"))
        return hints

    def _cut(self, text: Text, most: int) -> Text:
        lines = text.wrap(self._console, self._console.width - 2)
        if len(lines) <= most:
            return text
        short = Text("\n").join(lines[:most])
        short.rstrip()
        short.right_crop(1)
        return short.append("…")
