"""Columns of numbers that a few odd cells would turn into text."""

import re
from collections import Counter
from collections.abc import Iterable
from decimal import Decimal
from numbers import Real
from typing import Any, NamedTuple

# Of so large a share of numbers, the rest is an accident whatever it says.
NEARLY_ALL = 0.9
# Few other words among many different numbers mark missing values.
MOST_WORDS = 5
MANY_NUMBERS = 10
_SHOWN = 3

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_COMMAS = re.compile(r"[+-]?[0-9]+(?:,[0-9]+)+(?:\.[0-9]+)?")
_UNIT = re.compile(rf"{_NUMBER.pattern}(?:\s*(%)|\s+(\D+))")


class OddCells(NamedTuple):
    """The cells of a column of numbers that are none."""

    n_numbers: int
    n_known: int
    first_row: dict[str, int]
    """First row of each odd word."""

    @property
    def extra(self) -> str:
        """What makes numbers of the words when it is left out, if that is one thing."""
        words = [word.strip() for word in self.words]
        if all(_COMMAS.fullmatch(word) for word in words):
            return "commas"
        found = [_UNIT.fullmatch(word) for word in words]
        units = {match and (match[1] or match[2]) for match in found}
        unit = next(iter(units))
        return f"the unit {unit!r}" if len(units) == 1 and unit else ""

    @property
    def words(self) -> list[str]:
        """The words, in the order of their first rows."""
        return list(self.first_row)

    def told(self, column: str) -> str:
        """Return the beginning of a sentence about them."""
        shown = [f"{word!r} in row {row}" for word, row in self.first_row.items()]
        n_more = len(shown) - _SHOWN
        more = f" and {n_more} more" if n_more > 0 else ""
        verb = "is" if len(shown) == 1 else "are"
        return (
            f"{self.n_numbers} of {self.n_known} cells of {column!r} are numbers; "
            f"{', '.join(shown[:_SHOWN])}{more} {verb} not"
        )


def find_odd_cells(column: Iterable[Any]) -> OddCells | None:
    """Find what is no number in a column that seems to be meant as numbers.

    Returns None for numbers alone, and for a column of words.
    """
    first_row: dict[Any, int] = {}
    counts: Counter[Any] = Counter()
    for row, value in enumerate(column):
        if value is None or type(value).__name__ == "NAType" or value != value:
            continue
        first_row.setdefault(value, row)
        counts[value] += 1
    numbers = [value for value in counts if _is_number(value)]
    others = [value for value in counts if not _is_number(value)]
    if not others or not all(isinstance(value, str) for value in others):
        return None
    found = OddCells(
        sum(counts[value] for value in numbers),
        sum(counts.values()),
        # NumPy's text has another repr.
        {str(value): first_row[value] for value in others},
    )
    return found if _is_meant(found, len(numbers)) else None


def is_sign(word: str) -> bool:
    """Tell whether a word, such as ? or --, has neither a letter nor a digit."""
    return word.strip() != "" and not any(c.isalnum() for c in word)


def _is_number(value: Any) -> bool:
    if isinstance(value, str):
        return _NUMBER.fullmatch(value.strip()) is not None
    return isinstance(value, Real | Decimal) and not isinstance(value, bool)


def _is_meant(found: OddCells, n_different: int) -> bool:
    """Tell whether the column seems to be one of numbers."""
    n_odd = found.n_known - found.n_numbers
    words = [word.strip() for word in found.words]
    if found.n_numbers >= NEARLY_ALL * found.n_known or (
        n_odd == 1 and found.n_numbers > 2
    ):
        return True
    if n_different and all(map(is_sign, words)):
        return True
    if n_different > MANY_NUMBERS and len(words) <= MOST_WORDS:
        return True
    return bool(found.extra)
