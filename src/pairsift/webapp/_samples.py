"""Samples as the page shows them: tables, pictures and texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from pairsift._typing import BoolArray, FloatArray
from pairsift.exceptions import DataError
from pairsift.webapp._pictures import Pictures

if TYPE_CHECKING:
    import pandas as pd

# Lines of a table that are sent with a question; the page asks for more.
MAX_LINES = 40
MAX_CELLS = 500
# Rows among which the place of a value is found, and their cells.
MAX_REFERENCES = 2_000
REFERENCE_CELLS = 2_000_000
# Characters of a cell and of a text, and words of it that are compared.
MAX_CHARACTERS = 300
MAX_TEXT = 20_000
MAX_WORDS = 600
# Rows, and pairs of texts, of which these are kept.
MAX_KEPT = 256
Json = dict[str, Any]


@dataclass(frozen=True)
class Looks:
    """How samples look, beside their table.

    images : the pictures of the rows.
    pixels : height and width of the picture that the columns are.
    texts : a text for each row.
    """

    images: Pictures | None = None
    pixels: tuple[int, int] | None = None
    texts: Sequence[str] | None = None

    @property
    def kind(self) -> str:
        """What the page draws: "image", "pixels", "text" or "table"."""
        if self.images is not None:
            return "image"
        if self.pixels is not None:
            return "pixels"
        return "table" if self.texts is None else "text"


class Samples:
    """The rows of a table as the page shows them."""

    def __init__(
        self, frame: pd.DataFrame, ids: Sequence[str] | None, looks: Looks | None = None
    ) -> None:
        self.looks = looks or Looks()
        self._ids = ids
        self.columns = [str(name) for name in frame.columns]
        self.is_number: BoolArray = np.array(
            [getattr(t, "kind", "O") in "iuf" for t in frame.dtypes], dtype=bool
        )
        self._cells, self._words_of = _as_cells(frame, self.is_number)
        self._references = _references(self._cells)
        self._n_known = np.maximum((~np.isnan(self._references)).sum(axis=0), 1)
        # They depend on the data only: what was found for a card that is to come, while
        # a person looked at another one, is right after any answer.
        self._places = lru_cache(MAX_KEPT)(self._find_places)
        self.words = lru_cache(MAX_KEPT)(self._find_words)
        self._darkest, self._brightest = self._pixel_range()

    def __len__(self) -> int:
        return len(self._cells)

    def name(self, row: int) -> str:
        """Return the id of a row, or its number."""
        return str(row) if self._ids is None else self._ids[row]

    def sample(self, row: int) -> Json:
        """Return what is shown of a row beside its table."""
        found: Json = {"row": row, "name": self.name(row)}
        if self.looks.images is not None:
            has_image = self.looks.images.has(row)
            found["image"] = f"/image/{row}" if has_image else None
        if self.looks.pixels is not None:
            found["pixels"] = self._pixels(row)
        if self.looks.texts is not None:
            found["text"] = _cut(self.looks.texts[row], MAX_TEXT)
        return found

    def table(
        self,
        rows: Sequence[int],
        *,
        find: str = "",
        first: int = 0,
        most: int = MAX_LINES,
    ) -> Json:
        """Return cells of some rows, those columns first in which two rows differ most.

        The first row is compared with the second, if there is one.
        """
        places = np.array([self._places(row) for row in rows])
        order = np.arange(len(self.columns))
        if len(rows) > 1:
            order = np.argsort(-self.gaps(rows[0], rows[1]), kind="stable")
        if find:
            word = find.casefold()
            order = np.array(
                [j for j in order if word in self.columns[j].casefold()], dtype=np.int64
            )
        chosen = order[first : first + most].tolist()
        return {
            "columns": [_cut(self.columns[j], MAX_CHARACTERS) for j in chosen],
            "total": len(order),
            "cells": [
                [self._cell(row, j, places[i, j]) for j in chosen]
                for i, row in enumerate(rows)
            ],
        }

    def differences(self, row: int, other: int, most: int = 3) -> list[Json]:
        """Return the columns in which two rows differ most, if they differ at all."""
        gaps = self.gaps(row, other)
        order = np.argsort(-gaps, kind="stable")[:most]
        return [
            {
                "column": _cut(self.columns[j], 60),
                "card": self._text(row, j),
                "pile": self._text(other, j),
            }
            for j in order.tolist()
            if gaps[j] > 0
        ]

    def gaps(self, row: int, other: int) -> FloatArray:
        """Return how far apart two rows lie in every column, from 0 to 1.

        The share of rows between them for numbers, 0 or 1 for text. Against a missing
        value it is one half, unless both are missing.
        """
        gaps = np.abs(self._places(row) - self._places(other))
        a, b = self._cells[row], self._cells[other]
        gaps = np.where(self.is_number, gaps, (a != b).astype(np.float64))
        is_missing = np.array([np.isnan(a), np.isnan(b)])
        gaps[is_missing.any(axis=0)] = 0.5
        gaps[is_missing.all(axis=0)] = 0.0
        return gaps

    def _find_words(self, row: int, other: int) -> Json:
        """Return the texts of two rows in parts, each with whether it differs."""
        texts = self.looks.texts
        assert texts is not None
        first, second = (_words(texts[r]) for r in (row, other))
        matcher = SequenceMatcher(None, first, second, autojunk=False)
        parts: Json = {"card": [], "pile": []}
        for tag, i, j, k, m in matcher.get_opcodes():
            for side, words in (("card", first[i:j]), ("pile", second[k:m])):
                if words:
                    parts[side].append(["".join(words), tag != "equal"])
        return parts

    def _find_places(self, row: int) -> FloatArray:
        """Return the share of rows with a lower value in each column of numbers.

        Equal values count half; NaN for text and missing values.
        """
        values = self._cells[row]
        below = (self._references < values).sum(axis=0)
        equal = (self._references == values).sum(axis=0)
        found = (below + 0.5 * equal) / self._n_known
        return np.where(np.isnan(values) | ~self.is_number, np.nan, found)

    def _cell(self, row: int, j: int, place: float) -> list[Any]:
        """Return text and place of a cell; None for a missing value or no place."""
        return [self._text(row, j), None if np.isnan(place) else round(float(place), 4)]

    def _text(self, row: int, j: int) -> str | None:
        value = float(self._cells[row, j])
        if np.isnan(value):
            return None
        if j in self._words_of:
            return _cut(str(self._words_of[j][int(value)]), MAX_CHARACTERS)
        is_whole = value.is_integer() and abs(value) < 1e15
        return str(int(value)) if is_whole else f"{value:.6g}"

    def _pixel_range(self) -> tuple[float, float]:
        if self.looks.pixels is None:
            return 0.0, 1.0
        height, width = self.looks.pixels
        if not self.is_number.all() or len(self.columns) != height * width:
            raise DataError(
                f"--pixels {height}x{width} needs {height * width} columns of numbers, "
                f"the table has {int(self.is_number.sum())} of {len(self.columns)}: "
                "leave the others out with --drop, or name them with --id or --label."
            )
        return float(np.nanmin(self._references)), float(np.nanmax(self._references))

    def _pixels(self, row: int) -> Json:
        assert self.looks.pixels is not None
        height, width = self.looks.pixels
        span = (self._brightest - self._darkest) or 1.0
        shades = (np.nan_to_num(self._cells[row]) - self._darkest) / span
        values = np.clip(np.round(255 * shades), 0, 255).astype(int).tolist()
        return {"height": height, "width": width, "values": values}


def _as_cells(
    frame: pd.DataFrame, is_number: BoolArray
) -> tuple[FloatArray, dict[int, Any]]:
    """Return numbers, or the number of a word, and the words of columns of text."""
    import pandas as pd

    cells, words = np.empty(frame.shape), {}
    for j, is_numeric in enumerate(is_number.tolist()):
        column = frame.iloc[:, j]
        if is_numeric:
            cells[:, j] = column.to_numpy(dtype=np.float64, na_value=np.nan)
        else:
            codes, words[j] = pd.factorize(column)
            cells[:, j] = np.where(codes < 0, np.nan, codes)
    return cells, words


def _references(numbers: FloatArray) -> FloatArray:
    n_rows, n_columns = numbers.shape
    most = min(MAX_REFERENCES, max(REFERENCE_CELLS // max(n_columns, 1), 50))
    if n_rows <= most:
        return numbers
    return numbers[np.random.default_rng(0).permutation(n_rows)[:most]]


def _words(text: str) -> list[str]:
    """Split a text into words, each with the space after it."""
    return re.findall(r"\S+\s*", text[:MAX_TEXT])[:MAX_WORDS]


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
