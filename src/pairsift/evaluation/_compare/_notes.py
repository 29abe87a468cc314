"""What to tell of a comparison: changes of the data, spread pairs, warnings."""

from __future__ import annotations

import re
from collections.abc import Iterable

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
            if cell.is_baseline:
                continue
            # A split may happen to have no missing value in its training rows.
            key = cell.data, cell.selector
            learned[key] = max(cell.changes, learned.get(key, ""), key=len)
    for data, changes in dict.fromkeys((d, c) for (d, _), c in learned.items()):
        names = [n for (d, n), c in learned.items() if (d, c) == (data, changes)]
        how = changes or "text and missing values as they are"
        notes[f"{data}: {how}, for {', '.join(names)}."] = None
    return list(notes)


def notes_on_answers(cells: Iterable[Cell]) -> list[str]:
    """Say where fewer answers were given, what they were spread to, and the check."""
    # All selectors of a split share its answers: one cell tells.
    of_split = {(c.data, c.n_questions, c.split): c for c in cells}
    questions: dict[tuple[str, int], list[Cell]] = {}
    for (data, asked, _), cell in of_split.items():
        if asked:
            questions.setdefault((data, asked), []).append(cell)
    notes = []
    for (data, number), of_number in questions.items():
        given = np.array([c.n_answers for c in of_number])
        if given.min() < number:
            notes.append(
                f"{data}: of {number} questions, {given.mean():.0f} were asked on "
                "average: then all rows were sorted."
            )
        spread = [c.n_spread for c in of_number if c.n_spread is not None]
        if spread:
            n_chance = sum(c.is_chance for c in of_number)
            notes.append(
                f"{data}: {given.mean():.0f} answers were spread to "
                f"{np.mean(spread):.0f} pairs on average; held-out answers show no "
                f"more than chance in {n_chance} of {len(spread)} splits."
            )
    return notes


def warnings_once(cells: Iterable[Cell]) -> list[str]:
    """Return each warning once, and of those alike but for numbers the first."""
    alike: dict[tuple[str, str], dict[str, None]] = {}
    for cell in cells:
        for text in cell.warnings:
            words = re.sub(r"[^A-Za-z]+", " ", text)
            alike.setdefault((cell.selector, words), {})[text] = None
    return [
        f"{selector}: {first}" + (f" ({len(more)} more like it.)" if more else "")
        for (selector, _), (first, *more) in alike.items()
    ]
