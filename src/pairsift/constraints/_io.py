"""Pair constraints as CSV files with the columns a, b and link."""

import csv
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np

from pairsift._formulas import guarded, id_among
from pairsift._typing import PairArray
from pairsift.exceptions import ConstraintError

COLUMNS = ["a", "b", "link"]
WORDS = {"must": "must", "same": "must", "cannot": "cannot", "different": "cannot"}
"""What `link` may say; the words of a session, and those that are written."""


def write_pairs(
    path: Path, must_link: PairArray, cannot_link: PairArray, ids: Sequence[Any] | None
) -> None:
    """Write the pairs, as row ids when `ids` names the rows."""
    names = None if ids is None else [guarded(name) for name in _row_numbers(ids)]
    last = max(must_link.max(initial=-1), cannot_link.max(initial=-1))
    if names is not None and last >= len(names):
        raise ConstraintError(
            f"ids must name every row of the data, got {len(names)} ids and a pair "
            f"with row {last}."
        )
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for link, pairs in (("must", must_link), ("cannot", cannot_link)):
            for a, b in pairs.tolist():
                ends = (a, b) if names is None else (names[a], names[b])
                writer.writerow([*ends, link])


def read_pairs(path: Path, ids: Sequence[Any] | None) -> dict[str, PairArray]:
    """Read the pairs of a file as row numbers."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConstraintError(f"{path} is no UTF-8 text: {error}.") from error
    return parse_pairs(text, str(path), ids)


def parse_pairs(
    text: str, path: str, ids: Sequence[Any] | None
) -> dict[str, PairArray]:
    """Return pairs as row numbers, looked up in `ids` when it names the rows.

    path : name of the file, for errors.
    """
    row_of = None if ids is None else _row_numbers(ids)
    pairs: dict[str, list[tuple[int, int]]] = {"must": [], "cannot": []}
    for where, record in _records(path, text):
        word = (record["link"] or "").strip().lower()
        if word not in WORDS:
            raise ConstraintError(
                f"{where}: link is {word!r}, accepted are 'must' or 'same', and "
                "'cannot' or 'different'."
            )
        ends = [_row_number(record[end], row_of, where) for end in ("a", "b")]
        if ends[0] == ends[1]:
            a, b = ((record[end] or "").strip() for end in ("a", "b"))
            raise ConstraintError(f"{where}: pair ({a}, {b}) joins a row with itself.")
        pairs[WORDS[word]].append((ends[0], ends[1]))
    return {
        link: np.array(found, dtype=np.int64).reshape(-1, 2)
        for link, found in pairs.items()
    }


def _records(path: str, text: str) -> Iterator[tuple[str, dict[str, str | None]]]:
    """Read line by line, each with the words that say where it is."""
    reader = csv.DictReader(
        StringIO(text, newline=""),
        delimiter=separator_of(text.partition("\n")[0]),
        skipinitialspace=True,
    )
    try:
        _check_header(path, reader.fieldnames)
        for record in reader:
            yield f"{path} line {reader.line_num}", record
    except csv.Error as error:
        where = f"{path} line {reader.line_num + 1}"
        raise ConstraintError(f"{where} cannot be read as CSV: {error}.") from error


def separator_of(header: str) -> str:
    """Return what separates the columns of a file of pairs, from its first line."""
    # Spreadsheets of many countries write semicolons.
    return next((mark for mark in ",;\t" if mark in header), ",")


def _check_header(path: str, header: Sequence[str] | None) -> None:
    missing = [name for name in COLUMNS if name not in (header or [])]
    if missing:
        raise ConstraintError(
            f"{path} lacks the column {missing[0]!r}: a constraints file has the "
            f"columns a,b,link, this one has {','.join(header or []) or 'none'}."
        )


def _row_numbers(ids: Sequence[Any]) -> dict[str, int]:
    """Return the row of each id, in order of the rows."""
    names = [str(name).strip() for name in ids]
    row_of = {name: row for row, name in enumerate(names)}
    if len(row_of) < len(names):
        twice = next(name for row, name in enumerate(names) if row_of[name] != row)
        raise ConstraintError(f"ids must name each row once, {twice!r} occurs twice.")
    return row_of


def _row_number(text: str | None, row_of: dict[str, int] | None, where: str) -> int:
    text = (text or "").strip()
    if row_of is not None:
        text = id_among(text, row_of)
        if text not in row_of:
            raise ConstraintError(f"{where}: no row of the data has the id {text!r}.")
        return row_of[text]
    try:
        return int(text)
    except ValueError:
        raise ConstraintError(
            f"{where}: {text!r} is no row number; if the file holds row ids, say which "
            "ids the rows of the data have (ids=, on the command line --id)."
        ) from None
