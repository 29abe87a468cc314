"""Rows on no pile that were said to be different from others."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable


class LooseRows:
    """Loose rows by the number of piles that they are apart from.

    One that is apart from every pile begins a new one. An answer changes the counts of
    the rows it is about, so that nothing has to look at all loose rows.
    """

    def __init__(self) -> None:
        # How many rows of each pile a loose row was said to be different from.
        self._rows_of: dict[int, Counter[int]] = {}
        self._of_count: defaultdict[int, set[int]] = defaultdict(set)

    def __contains__(self, row: int) -> bool:
        return row in self._rows_of

    def insert(self, row: int, numbers: Iterable[int]) -> None:
        """Take a row in; numbers : the pile of each row that it is apart from."""
        self._rows_of[row] = Counter(numbers)
        self._of_count[len(self._rows_of[row])].add(row)

    def discard(self, row: int) -> None:
        """Leave a row out, because it lies on a pile now."""
        if row in self._rows_of:
            self._of_count[len(self._rows_of.pop(row))].discard(row)

    def change(self, row: int, number: int, by: int) -> None:
        """Count a row of a pile that a loose row is apart from, or no longer (-1)."""
        if row not in self._rows_of:
            return
        rows_of = self._rows_of[row]
        self._of_count[len(rows_of)].discard(row)
        rows_of[number] += by
        if not rows_of[number]:
            del rows_of[number]
        self._of_count[len(rows_of)].add(row)

    def apart_from(self, n_piles: int) -> set[int]:
        """Return the loose rows that are apart from `n_piles` piles."""
        return self._of_count.get(n_piles, set())
