"""Piles as a file: written by ``query`` and ``label``, read by ``select``."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np

from pairsift._formulas import guarded, id_among, unguarded
from pairsift._replacing import replacing
from pairsift._typing import IndexArray
from pairsift.exceptions import DataError
from pairsift.reports import Table, row_name

COLUMNS = ["row", "pile"]
# The labelling page adds what people call a pile.
NAMED = [*COLUMNS, "name"]


def write_piles(path: Path, labels: IndexArray, table: Table) -> None:
    """Write the pile of each row that lies on one, by its id if rows have any."""
    with replacing(path) as draft, draft.open("w", newline="", encoding="utf-8") as f:
        lines = csv.writer(f)
        lines.writerow(COLUMNS)
        for row in np.flatnonzero(labels >= 0).tolist():
            name = guarded(row_name(row, table.ids))
            lines.writerow([name, int(labels[row])])


def check_piles(path: Path | None) -> None:
    """Refuse to overwrite a file that holds something else than piles."""
    if path is not None and path.is_file() and path.stat().st_size:
        _read(path)


def read_piles(path: Path, table: Table) -> Table:
    """Return a table with the piles of a file as its labels."""
    names = table.ids or [str(row) for row in range(len(table.features))]
    place = {name: row for row, name in enumerate(names)}
    labels = np.full(len(names), None, dtype=object)
    for name, pile, *called in _read(path):
        known = id_among(name, place)
        if known not in place:
            raise DataError(f"{path} has row {name!r}, which the table does not have.")
        labels[place[known]] = unguarded("".join(called)) or f"pile {pile}"
    return replace(table, labels=labels, missing_label=None)


def _read(path: Path) -> list[list[str]]:
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            header, *lines = csv.reader(file)
    except ValueError:
        header, lines = [], []
    is_ours = header in (COLUMNS, NAMED)
    if not is_ours or any(len(line) != len(header) for line in lines):
        raise DataError(
            f"{path} does not hold piles, with the columns {','.join(COLUMNS)}: give "
            "another file with --labels."
        )
    return lines
