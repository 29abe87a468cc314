"""Row ids that a CSV file names, looked up in a Parquet file that is not loaded."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pairsift._formulas import unguarded
from pairsift.cli._tables import read_ids
from pairsift.constraints import separator_of
from pairsift.distributed import ParquetSource

if TYPE_CHECKING:
    from pairsift._typing import IndexArray


def words_in(path: Path, columns: Sequence[str]) -> list[str]:
    """Return what stands in some columns of a CSV file, as the ids that it may be."""
    with path.open(newline="", encoding="utf-8-sig", errors="replace") as file:
        separator = separator_of(file.readline())
        file.seek(0)
        lines = csv.DictReader(file, delimiter=separator, skipinitialspace=True)
        cells = [line.get(column) or "" for line in lines for column in columns]
    forms = [[c, c.strip(), unguarded(c), unguarded(c.strip()).strip()] for c in cells]
    return list(dict.fromkeys(form for each in forms for form in each if form))


def find_ids(
    path: Path, id_column: str, wanted: Sequence[str]
) -> tuple[list[str], IndexArray]:
    """Look for some ids block by block; return those found, and their rows."""
    known, first = set(wanted), 0
    found: list[str] = []
    rows: list[int] = []
    for read in ParquetSource(path, [id_column]).readers:
        ids = read_ids(read()[id_column], first)
        for place, name in enumerate(ids):
            if name in known:
                found.append(name)
                rows.append(first + place)
        first += len(ids)
    return found, np.array(rows, dtype=np.int64)
