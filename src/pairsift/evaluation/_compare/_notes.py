"""What to tell of a comparison: changes of the data, spread pairs, warnings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from pairsift.evaluation._compare._cells import Cell


def notes_on_changes(cells: Iterable[Cell]) -> list[str]:
    """Say what was done to text and missing values, and for whom."""
    notes: dict[str, None] = {}
    learned: dict[tuple[str, str], str] = {}
    for cell in cells:
        if cell.classifier_changes:
            note = f"{cell.data}: {cell.classifier_changes}, for all classifiers."
            notes[note] = None
            # A split may happen to have no missing value in its training rows.
            key = cell.data, cell.selector
            learned[key] = max(cell.changes, learned.get(key, ""), key=len)
    for data, changes in dict.fromkeys((d, c) for (d, _), c in learned.items()):
        names = [n for (d, n), c in learned.items() if (d, c) == (data, changes)]
        how = changes or "text and missing values as they are"
        notes[f"{data}: {how}, for {', '.join(names)}."] = None
    return list(notes)


class _Spread(NamedTuple):
    """What the answers of a split were spread to; all selectors share it."""

    data: str
    n_answers: int
    split: int
    n_pairs: int
    is_chance: bool


def notes_on_spreading(cells: Iterable[Cell]) -> list[str]:
    """Say how many pairs answers were spread to, and whether to trust them."""
    found = {
        _Spread(c.data, c.n_answers or 0, c.split, c.n_spread, c.is_chance)
        for c in cells
        if c.n_spread is not None
    }
    notes = []
    for data, n_answers in sorted({(s.data, s.n_answers) for s in found}):
        spread = [s for s in found if (s.data, s.n_answers) == (data, n_answers)]
        n_chance = sum(s.is_chance for s in spread)
        notes.append(
            f"{data}: {n_answers} answers were spread to "
            f"{np.mean([s.n_pairs for s in spread]):.0f} pairs on average; held-out "
            f"answers show no more than chance in {n_chance} of {len(spread)} splits."
        )
    return notes


def warnings_once(cells: Iterable[Cell]) -> list[str]:
    """Return each warning once, and of those alike but for numbers the first."""
    alike: dict[str, dict[str, None]] = {}
    for cell in cells:
        for text in cell.warnings:
            said = f"{cell.selector}: {text}"
            words = re.sub(r"[^A-Za-z]+", " ", said)
            alike.setdefault(words, {})[said] = None
    return [
        first + (f" ({len(more)} more like it.)" if more else "")
        for first, *more in alike.values()
    ]
