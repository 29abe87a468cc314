"""Words of a file that mean a missing value, and words that are values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pairsift.exceptions import DataError

if TYPE_CHECKING:
    import pandas as pd

# The words that pandas takes for an empty cell, as its documentation lists them.
EMPTY_WORDS = (
    *("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND"),
    *("1.#QNAN", "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"),
)


class NaWords(tuple[str, ...]):
    """The words of --na; those of --keep-na, which are values of text, in `keep`."""

    keep: tuple[str, ...] = ()


def na_words(na: Iterable[str] | None, keep: Iterable[str] | None) -> NaWords:
    """Return the words of the two options, which must differ."""
    words = NaWords(na or ())
    words.keep = tuple(keep or ())
    for word in words.keep:
        if word in words:
            raise DataError(
                f"both --na and --keep-na name {word!r}: use one of them for it."
            )
    return words


def na_options(na: Sequence[str]) -> dict[str, Any]:
    """Return the words as arguments of a function of pandas that reads a file."""
    keep = getattr(na, "keep", ())
    if not keep:
        return {"na_values": list(na), "keep_default_na": True}
    empty = [word for word in EMPTY_WORDS if word not in keep]
    return {"na_values": [*empty, *na], "keep_default_na": False}


def without_kept_words(
    frame: pd.DataFrame, na: Sequence[str], text: Sequence[str]
) -> pd.DataFrame:
    """Read columns of numbers and kept words as numbers: there a word is no value.

    text : columns that stay as they are.
    """
    import pandas as pd

    keep = getattr(na, "keep", ())
    for name, column in frame.items() if keep else ():
        if column.dtype.kind == "O" and name not in text:
            others = column.mask(column.isin(keep))
            with suppress(ValueError, TypeError):
                if others.notna().any():
                    frame[name] = pd.to_numeric(others)
    return frame
