"""What a page of ``pairsift query`` says: a pair or a card, and all around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

# Keys of piles by their number, so that the key of a pile never moves. Letters that
# mean something else, or do so for pairs, are left out.
PILE_KEYS = "123456789acefgijkloprtvwx"
PAIR_KEYS = (
    ("s", "same"),
    ("d", "different"),
    ("u", "unsure"),
    ("z", "undo"),
    ("y", "redo"),
    ("b", "back"),
    ("q", "quit"),
    ("?", "help"),
)
CARD_KEYS = (("n", "new"), *PAIR_KEYS[2:])
END_KEYS = tuple(key for key in PAIR_KEYS if key[0] in "zybq")
_HELP = (
    "u  unsure: it is not asked again, and nothing is learned from it",
    "z  undo, also Backspace and Ctrl-Z: takes the last answer back, again the one "
    "before",
    "y  redo: gives the answer again that was taken back last",
    "b  back to an answer that the other answers speak against, or to those of a "
    "contradiction: answer it again, or go on to the next with b, or leave it as it is "
    "with z",
    "q  quit, also Ctrl-C and Ctrl-D: every answer is on disk, and the same command "
    "goes on where you stopped",
)
PAIR_HELP = (
    "Do the two rows belong together? What that means is yours to say: the same kind, "
    "the same state, the same person.",
    "s  same: they belong together (must-link)",
    "d  different: they belong apart (cannot-link)",
    *_HELP,
    "Columns come in the order of their difference: the distance of the two values as "
    "a share of the width in which the middle 90 % of the column lie; texts differ or "
    "do not. A point marks the best features so far; where there is no room for all "
    "columns, up to half of the lines are theirs.",
)
CARD_HELP = (
    "On which pile does the row belong? What a pile stands for is yours to say: a "
    "kind, a state, a person. Of each pile the row that is nearest to the card is "
    "shown.",
    "1 to 9, then a, c, e, f, ...: the key of a pile, which never changes; piles that "
    "are not shown have theirs, too. # and the number of a pile and Enter reach any",
    "n  new: it belongs on none of the piles and begins another one",
    "m  more: shows the piles for which there was no room",
    *_HELP,
    "Piles stand in the order of their keys; an arrow marks the nearest one by the "
    "answers so far. Where there is no room for all, the nearest are shown. The best "
    "features so far come first, with a point; then the columns in which the rows "
    "differ most. The value nearest to that of the card is bold.",
)


class Line(NamedTuple):
    """A column of the table in which two rows lie."""

    name: str
    first: str
    second: str
    difference: float
    is_text: bool
    is_best: bool = False
    """Among the best features so far."""


@dataclass(frozen=True)
class PairPage:
    """Two rows side by side."""

    names: tuple[str, str]
    """How the two rows are called."""
    lines: Sequence[Line]
    """Most different first."""
    n_columns: int


class PileHead(NamedTuple):
    """What stands above the values of a pile."""

    number: int
    n_rows: int
    name: str
    """How the row is called that is shown."""

    @property
    def key(self) -> str:
        """The key of the pile, which is how it is called, too."""
        return pile_key(self.number)


class CardLine(NamedTuple):
    """A column of the table, its value of a card and of the row shown of each pile."""

    name: str
    card: str
    piles: Sequence[str]
    differences: Sequence[float]
    """From the value of the card, NaN where one is missing."""
    is_best: bool = False


@dataclass(frozen=True)
class CardPage:
    """A row and the piles side by side."""

    name: str
    """How the row is called."""
    piles: Sequence[PileHead]
    """Nearest first."""
    lines: Sequence[CardLine]
    """Best features first, then most different."""
    n_columns: int


@dataclass(frozen=True)
class Page:
    """A question and all that is said around it."""

    title: str
    progress: str
    counts: str
    question: PairPage | CardPage | None
    """None when there is nothing left to ask."""
    top: str
    advice: str
    """Whether more answers are needed."""
    contradiction: str
    remark: str
    """What has just happened."""
    said: str = ""
    """What was answered before, when it is looked at again."""

    @property
    def keys(self) -> tuple[tuple[str, str], ...]:
        """Keys other than those of piles, and what they do."""
        if self.question is None:
            return END_KEYS
        keys = CARD_KEYS if isinstance(self.question, CardPage) else PAIR_KEYS
        changed = {"z": "leave it", "b": "next"} if self.said else {}
        return tuple((key, changed.get(key, word)) for key, word in keys)

    @property
    def help(self) -> tuple[str, ...]:
        """The keys explained."""
        return CARD_HELP if isinstance(self.question, CardPage) else PAIR_HELP


def pile_key(number: int) -> str:
    """Return the key of a pile; one of a high number is called by that alone."""
    return PILE_KEYS[number - 1] if number <= len(PILE_KEYS) else f"#{number}"


def pile_keys(piles: Sequence[PileHead]) -> str:
    """Return the keys of piles for a line of hints, such as 1-9 a-f."""
    keys = [pile.key for pile in sorted(piles) if pile.number <= len(PILE_KEYS)]
    runs = [[k for k in keys if k.isdigit()], [k for k in keys if k.isalpha()]]
    return " ".join(
        f"{run[0]}-{run[-1]}" if len(run) > 2 else " ".join(run) for run in runs if run
    )
