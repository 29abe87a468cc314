"""Tables that people are asked about: whole, or a draw of their rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pairsift._words import did_you_mean, listing
from pairsift.cli._cost import take_rows
from pairsift.cli._drawn_file import DrawnFile
from pairsift.cli._drawn_table import is_text, unread
from pairsift.cli._files import TableFile
from pairsift.cli._loading import Reading, loaded
from pairsift.exceptions import DataError
from pairsift.reports import Table

if TYPE_CHECKING:
    import pandas as pd

    from pairsift._typing import IndexArray

DRAWN_ROWS = 10_000
"""Rows that are drawn from a file that is too large for memory."""


def drawn_rows(n_all: int, n_rows: int) -> IndexArray:
    """Return the rows of a draw, the same ones each time."""
    return np.sort(np.random.default_rng(0).permutation(n_all)[:n_rows])


def read_or_draw(data: Path, reading: Reading, max_samples: int | None) -> Table:
    """Read a table, or a draw of its rows: of a file that is too large, always.

    Refuses rows that cannot be compared, or told apart in the files of answers.
    """
    table = _read_or_draw(data, reading, max_samples)
    if len(table.features) < 2:
        raise DataError(f"{data} has one row: there is nothing to compare it with.")
    names = [name.strip() for name in table.ids or []]
    twice = next((name for name, n in Counter(names).items() if n > 1), None)
    if twice is not None:
        raise DataError(f"--id {reading.id_column}: {twice!r} names more than one row.")
    return table


def _read_or_draw(data: Path, reading: Reading, max_samples: int | None) -> Table:
    from pairsift.cli._streaming import Where, is_in_blocks, read_rows

    if is_in_blocks(data, Where()):
        most = max_samples or DRAWN_ROWS
        return read_rows(data, reading, lambda n_all: drawn_rows(n_all, most))
    if max_samples is not None and is_text(data):
        with unread(data, reading) as seen:
            return seen.with_features(_draw(seen.table, max_samples))
    with loaded(data, reading) as given:
        table = given.table
    return _draw(table, max_samples)


def _draw(table: Table, max_samples: int | None) -> Table:
    n_all = len(table.features)
    if max_samples is None or max_samples >= n_all:
        return table
    return take_rows(table, None, drawn_rows(n_all, max_samples))[0]


def more_columns(
    data: Path, table: Table, names: Sequence[str], na: Sequence[str]
) -> pd.DataFrame:
    """Return columns that are no features, of the rows that a table has."""
    from pairsift.cli._streaming import Where, is_in_blocks, read_columns

    n_rows = len(table.features)
    rows = drawn_rows(table.n_drawn_from or n_rows, n_rows)
    if is_in_blocks(data, Where()):
        return read_columns(data, names, na, rows)
    if table.n_drawn_from is not None and is_text(data):
        return _drawn_columns(data, names, na, rows)
    frame = TableFile(data).read(names, na)
    for name in names:
        refuse_unknown(data, name, list(frame.columns))
    return frame[list(names)].iloc[rows].reset_index(drop=True)


def _drawn_columns(
    data: Path, names: Sequence[str], na: Sequence[str], rows: IndexArray
) -> pd.DataFrame:
    file = DrawnFile(data)
    look = file.look((), names, na)
    for name in names:
        refuse_unknown(data, name, look.names)
    return file.read_rows(rows, look, names, na)[list(names)]


def refuse_unknown(data: Path, name: str, columns: Sequence[str]) -> None:
    """Refuse a column to show that the file does not have."""
    if name not in columns:
        raise DataError(
            f"{data} has no column {name!r} to show{did_you_mean(name, columns)}: it "
            f"has {listing(columns, most=10)}."
        )


def draw_notes(table: Table) -> list[str]:
    """Say of a draw what it is, and that rows have their names of the whole file."""
    if table.n_drawn_from is None:
        return []
    return [
        f"questions are about a draw of {len(table.features):,} of "
        f"{table.n_drawn_from:,} rows, the same ones each time (--max-samples); "
        "pairs and piles name them as in the whole file."
    ]
