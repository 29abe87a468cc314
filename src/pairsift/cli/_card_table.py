"""A card and the piles side by side, column by column."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from pairsift._words import shortened
from pairsift.cli._pages import CardLine, CardPage, PileHead
from pairsift.cli._pair_table import marked, with_rest

MAX_PILES = 9
"""Number of piles that stand side by side, if there is room."""
_GAP, _TIGHT_GAP = 3, 2
# Room for "12 rows", and for most numbers.
_NARROWEST, _WIDEST = 7, 12


class CardTable:
    """A card as a table that fits the terminal, with as many piles as there is room.

    `n_turned` is how often the person asked for more piles; `is_new` is False for a
    card that is looked at again, of which no pile is marked as the nearest.
    """

    def __init__(
        self, console: Console, card: CardPage, n_turned: int = 0, *, is_new: bool
    ) -> None:
        self._console, self.card = console, card
        self._width = self._value_width()
        n_piles = len(card.piles)
        n_fit = min(self._n_fit(), n_piles) or 1
        first = n_turned % -(-max(n_piles, 1) // n_fit) * n_fit
        places = range(first, min(first + n_fit, n_piles))
        # Nearest first decides which piles are shown, their numbers in which order.
        self._places = sorted(places, key=lambda k: card.piles[k].number)
        self._nearest = 0 if is_new and n_piles > 1 else -1

    @property
    def has_more(self) -> bool:
        """Tell whether there are piles for which there is no room."""
        return len(self._places) < len(self.card.piles)

    def n_other_lines(self, is_tight: bool) -> int:
        """Return the number of lines beside the rows of the table.

        A blank one, three of header, a rule, the count of columns left out, another
        blank one, and the piles for which there is no room; if it is tight, one of
        header, and no rule and blank ones.
        """
        return (2 if is_tight else 7) + self.has_more

    def drawn(self, n_rows: int, is_tight: bool) -> RenderableType:
        """Return the table with `n_rows` of the columns."""
        shown = self.card.lines[:n_rows]
        gap = _TIGHT_GAP if self._is_narrow() else _GAP
        table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
        if is_tight:
            table = Table(box=None, padding=(0, gap, 0, 0), pad_edge=False)
        names = self._name_width()
        question = "On which pile does it belong?" if names >= 29 else "Which pile?"
        table.add_column(Text(question, style="bold"), no_wrap=True, width=names)
        name = Text(shortened(self.card.name, self._width), style="bold cyan")
        table.add_column(name, justify="right", no_wrap=True, width=self._width)
        for place in self._places:
            head = self._head(self.card.piles[place], place, is_tight)
            table.add_column(head, justify="right", no_wrap=True, width=self._width)
        for text, line in zip(marked(self._console, shown, names), shown, strict=True):
            card = self._cell(line.card, "bold")
            table.add_row(Text(text), card, *self._values(line))
        n_more = self.card.n_columns - len(shown)
        return with_rest(table, n_more, is_tight, self._other_piles())

    def _head(self, pile: PileHead, place: int, is_tight: bool) -> Text:
        arrow = "->" if self._console.options.ascii_only else "→"
        key = f"{arrow} {pile.key}" if place == self._nearest else pile.key
        head = Text(key, style="bold cyan")
        rows = f"{pile.n_rows} {'row' if pile.n_rows == 1 else 'rows'}"
        if is_tight:
            return head
        name = shortened(pile.name, self._width)
        return head.append(f"\n{rows}\n{name}", style="not bold dim")

    def _values(self, line: CardLine) -> list[Text]:
        """Return the values of the piles shown, the nearest bold."""
        known = [line.differences[k] for k in self._places]
        least = min((d for d in known if not math.isnan(d)), default=math.nan)
        is_nearest = [d == least and len(known) > 1 for d in known]
        return [
            self._cell(line.piles[k], "bold green" if is_bold else "")
            for k, is_bold in zip(self._places, is_nearest, strict=True)
        ]

    def _cell(self, value: str, style: str = "") -> Text:
        is_missing = value == "–"
        return Text(shortened(value, self._width), "dim" if is_missing else style)

    def _other_piles(self) -> str:
        """Name the piles for which there is no room, nearest first, in a line."""
        others = [
            f"{pile.key} ({pile.n_rows})"
            for k, pile in enumerate(self.card.piles)
            if k not in self._places
        ]
        return f"other piles (rows): {', '.join(others)}" if others else ""

    def _is_narrow(self) -> bool:
        return self._console.width < 60

    def _value_width(self) -> int:
        lines: Sequence[CardLine] = self.card.lines[: self._console.height]
        cells = [cell for line in lines for cell in (line.card, *line.piles)]
        names = [self.card.name, *(pile.name for pile in self.card.piles)]
        widest = max(map(cell_len, [*cells, *names]))
        most = _NARROWEST + 1 if self._is_narrow() else _WIDEST
        return min(max(widest, _NARROWEST), most)

    def _n_fit(self) -> int:
        """Return how many piles fit beside names of columns of a useful width."""
        gap = _TIGHT_GAP if self._is_narrow() else _GAP
        names = min(self._longest_name(), self._console.width // 4)
        room = self._console.width - 2 - names - (self._width + gap)
        return max(1, min(room // (self._width + gap), MAX_PILES))

    def _name_width(self) -> int:
        """Give the names of columns what the values leave."""
        gap = _TIGHT_GAP if self._is_narrow() else _GAP
        values = (len(self._places) + 1) * (self._width + gap)
        room = self._console.width - 2 - values
        return max(min(max(self._longest_name(), 29), room), 8)

    def _longest_name(self) -> int:
        lines = self.card.lines[: self._console.height]
        return 2 + max((cell_len(line.name) for line in lines), default=10)
