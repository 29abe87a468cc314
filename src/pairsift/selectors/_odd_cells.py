"""Columns of numbers that a few odd cells would turn into text."""

import re
from collections import Counter
from collections.abc import Iterable
from datetime import date, time
from decimal import Decimal
from numbers import Real
from typing import Any, Literal, NamedTuple

import numpy as np

from pairsift._typing import FloatArray

# Of so large a share of numbers, the rest is an accident whatever it says.
NEARLY_ALL = 0.9
# Few other words among many different numbers mark missing values.
MAX_WORDS = 5
MANY_NUMBERS = 10
_SHOWN = 3

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_COMMAS = re.compile(r"[+-]?[0-9]+(?:,[0-9]+)+(?:\.[0-9]+)?")
_UNIT = re.compile(rf"{_NUMBER.pattern}(?:\s*([%$€£¥])|\s+(\D+))")
_CURRENCY = re.compile(rf"([$€£¥])\s*{_NUMBER.pattern}")
_MONTH = (
    "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    "|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DATE = re.compile(
    r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[T ].*)?"
    r"|(?:[0-9]{4}([./])[0-9]{1,2}\1[0-9]{1,2}"
    r"|[0-9]{1,2}([./-])[0-9]{1,2}\2(?:[0-9]{2}|[0-9]{4})"
    rf"|[0-9]{{1,2}}[. -]*{_MONTH}[., -]*[0-9]{{2,4}}"
    rf"|{_MONTH}[. -]*[0-9]{{1,2}}[, -]+[0-9]{{4}})"
    r"(?:[T, ]+[0-9]{1,2}:[0-9]{2}.*)?",
    re.IGNORECASE,
)
# Dates as numbers, such as 20240118.
FIRST_DATE, LAST_DATE = 19000101, 21001231
# So few numbers written as text, or such as 007, are rather codes than numbers.
MAX_CODES = 20
_CODE = re.compile(r"[+-]?0[0-9]")


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
        found = [_UNIT.fullmatch(w) or _CURRENCY.fullmatch(w) for w in words]
        units = {match and next(filter(None, match.groups())) for match in found}
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


class Values(NamedTuple):
    """The different known values of a column, in order of appearance.

    first_row : of each value; counts : how often it is there; n_rows : of the column.
    """

    first_row: dict[Any, int]
    counts: Counter[Any]
    n_rows: int

    def then(self, later: "Values") -> "Values":
        """Return the values of a column that goes on with later rows."""
        first_row = dict(self.first_row)
        for value, row in later.first_row.items():
            first_row.setdefault(value, self.n_rows + row)
        counts = self.counts + later.counts
        return Values(first_row, counts, self.n_rows + later.n_rows)


def is_missing(value: Any) -> bool:
    """Tell whether a cell is None, NaN or NA."""
    return bool(value is None or type(value).__name__ == "NAType" or value != value)


def values_of(column: Iterable[Any]) -> Values:
    """Return the different known values of a column."""
    first_row: dict[Any, int] = {}
    counts: Counter[Any] = Counter()
    n_rows = 0
    for row, value in enumerate(column):
        n_rows = row + 1
        if not is_missing(value):
            first_row.setdefault(value, row)
            counts[value] += 1
    return Values(first_row, counts, n_rows)


def find_odd_cells(column: Iterable[Any]) -> OddCells | None:
    """Find what is no number in a column that seems to be meant as numbers.

    Returns None for numbers alone, and for a column of words.
    """
    return odd_among(values_of(column))


def odd_among(values: Values) -> OddCells | None:
    """Find the same among the values of a column."""
    first_row, counts, _ = values
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


def find_date(values: Values) -> str | None:
    """Return the first value of a column of dates, text or objects, else None."""
    words = list(values.first_row)
    return str(words[0]) if len(words) > 1 and all(map(_is_date, words)) else None


def _is_date(value: Any) -> bool:
    if isinstance(value, str):
        word = value.strip()
        return _DATE.fullmatch(word) is not None or _is_packed_date(word)
    # The order of times of day would be lost as that of dates.
    return isinstance(value, date | time)


def find_date_number(numbers: FloatArray) -> int | None:
    """Return the first of numbers that are all dates such as 20240118, else None."""
    known = numbers[~np.isnan(numbers)]
    if not known.size or not FIRST_DATE <= known.min() < known.max() <= LAST_DATE:
        return None
    are_dates = all(
        number.is_integer() and _is_packed_date(str(int(number)))
        for number in np.unique(known).tolist()
    )
    return int(known[0]) if are_dates else None


def _is_packed_date(word: str) -> bool:
    """Tell whether a word is a date of eight digits."""
    if len(word) != 8 or not word.isdecimal():
        return False
    try:
        date.fromisoformat(word)
    except ValueError:
        return False
    return FIRST_DATE <= int(word) <= LAST_DATE


def kind_of(values: Values) -> Literal["text", "numbers", "codes"]:
    """Tell what the text and objects of a column are.

    Returns "codes" for numbers written as text that are rather categories.
    """
    known = values.first_row
    if not known or not all(map(_is_number, known)):
        return "text"
    words = [value for value in known if isinstance(value, str)]
    if find_date(values) is not None:
        return "text"
    if words and len(known) <= MAX_CODES:
        return "codes"
    return "codes" if any(_CODE.match(word.strip()) for word in words) else "numbers"


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
    if n_different > MANY_NUMBERS and len(words) <= MAX_WORDS:
        return True
    return bool(found.extra)
