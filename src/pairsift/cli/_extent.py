"""Files that would not fit into memory, refused before they are read."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import IO, Any

from pairsift import _checks
from pairsift.exceptions import DataError

# Bytes of memory, measured with pandas 3.1 (tables of digits, numbers and words
# of 20 million cells): the text, and for each cell places in it, its value and a copy.
CELL_BYTES = 32
# A header is text, a cell, a name, and copies of them.
HEADER_COPIES = 8
# A row of which only number, label and id are known.
ROW_BYTES = 128
# Cells that are read as text, for a draw.
WORD_BYTES = 100
DRAWN_AT_ONCE = 2_000_000
# Numbers of a Parquet file, before and after pandas has them.
PARQUET_BYTES = 24
# Python objects in lists, which is how cells of Excel files are read.
EXCEL_BYTES = 150
_EXCEL_CELL = re.compile(rb'\br="([A-Z]{1,3})([0-9]{1,7})"')
_CHUNK = 1 << 20
_IN_PARQUET = (
    "save it as Parquet, which select, query and label read in blocks, or with fewer "
    "columns"
)


class TextExtent:
    """Bytes, rows and cells of a text that is read in chunks, and what they take."""

    def __init__(self, path: Path, *, is_drawn: bool = False) -> None:
        self.path, self.is_drawn = path, is_drawn
        self.n_bytes = self.n_rows = self.n_signs = self.n_header = 0
        self.longest = self._since = 0
        self._sign = b","
        self.available = _checks.available_memory()

    def add(self, chunk: bytes) -> None:
        """Count a chunk, and refuse the file as soon as it takes too much."""
        end = b"\n" if b"\n" in chunk else b"\r"
        if not self.n_bytes:
            header = chunk.partition(end)[0]
            self._sign = max((b",", b";", b"\t", b"|", b" "), key=header.count)
        n_ends = chunk.count(end)
        begun = chunk.find(end) if n_ends else len(chunk)
        if not self.n_rows:
            self.n_header += begun
        # A line that begins and ends in the same chunk is not long.
        self._since += begun
        self.longest = max(self.longest, self._since)
        if n_ends:
            self._since = len(chunk) - chunk.rfind(end)
        self.n_rows += n_ends
        self.n_signs += chunk.count(self._sign)
        self.n_bytes += len(chunk)
        if self.needed > self.available:
            raise DataError(self.refusal)

    @property
    def n_cells(self) -> int:
        """Number of cells so far, about."""
        return self.n_signs + self.n_rows + 1

    @property
    def _for_rows(self) -> float:
        """Bytes that a draw takes beside the rows that are read at once."""
        return ROW_BYTES * self.n_rows + HEADER_COPIES * self.longest

    @property
    def needed(self) -> float:
        """Bytes of memory that reading takes."""
        if self.is_drawn:
            return self._for_rows + WORD_BYTES * min(self.n_cells, DRAWN_AT_ONCE)
        names = (HEADER_COPIES - 1) * self.n_header
        return self.n_bytes + names + CELL_BYTES * self.n_cells

    @property
    def refusal(self) -> str:
        """The sentence on a text that takes too much."""
        return _refusal(
            self.path,
            f"at least {spoken_bytes(self.n_bytes)} of text, unpacked",
            self.needed,
            self.available,
            self._cure,
        )

    @property
    def _cure(self) -> str:
        if not self.n_rows:
            return "its first line does not end, write each row on a line of its own"
        has_room = self.available >= 2 * WORD_BYTES * DRAWN_AT_ONCE
        if self.is_drawn or not has_room or 4 * self._for_rows > self.needed:
            return _IN_PARQUET
        return f"{_IN_PARQUET}, or draw rows while it is read (--max-samples of these)"


def refuse_draw(path: Path, n_rows: int, n_columns: int) -> None:
    """Refuse to draw more rows than fit into memory."""
    needed, available = (
        2.0 * WORD_BYTES * n_rows * n_columns,
        _checks.available_memory(),
    )
    if needed > available:
        held = f"{n_columns:,} columns, and {n_rows:,} rows are to be drawn"
        cure = "draw fewer with --max-samples"
        raise DataError(_refusal(path, held, needed, available, cure))


def check_excel(path: Path, file: IO[bytes]) -> None:
    """Refuse a workbook, a packed file, that takes too much memory."""
    if not zipfile.is_zipfile(file):
        # Said where it is opened.
        return
    n_bytes = n_cells = 0
    with zipfile.ZipFile(file) as archive:
        for member in archive.infolist():
            n_bytes += member.file_size
            if member.filename.startswith("xl/worksheets/sheet"):
                with archive.open(member) as sheet:
                    n_cells = max(n_cells, _excel_cells(sheet))
    needed, available = n_bytes + EXCEL_BYTES * n_cells, _checks.available_memory()
    if needed > available:
        held = f"{spoken_bytes(n_bytes)}, unpacked, and {n_cells:,} cells"
        cure = f"{_IN_PARQUET}, or without the empty cells between far ones"
        raise DataError(_refusal(path, held, needed, available, cure))


def _excel_cells(sheet: IO[bytes]) -> int:
    """Return rows times columns: cells that are not there are filled in."""
    n_rows = n_columns = 0
    tail = b""
    while chunk := sheet.read(_CHUNK):
        text = tail + chunk
        for letters, digits in set(_EXCEL_CELL.findall(text)):
            column = 0
            for letter in letters:
                column = 26 * column + letter - 64
            n_rows, n_columns = max(n_rows, int(digits)), max(n_columns, column)
        tail = text[-32:]
    return n_rows * n_columns


def check_parquet(path: Path, file: IO[bytes]) -> None:
    """Refuse a Parquet file that takes too much memory, by what it says of itself."""
    import pyarrow.parquet as pq

    opened, available = pq.ParquetFile(file), _checks.available_memory()
    about = opened.metadata
    groups = [about.row_group(g) for g in range(about.num_row_groups)]
    n_cells = about.num_rows * about.num_columns
    needed = PARQUET_BYTES * n_cells + sum(g.total_byte_size for g in groups)
    if needed <= available:
        # Words that repeat are written once, so that only reading shows their size.
        needed += _text_bytes(opened, available - needed)
    if needed > available:
        held = f"{about.num_rows:,} rows of {about.num_columns:,} columns"
        cure = (
            "read it in blocks (select, query and label do, with --stream or by "
            "themselves), or write fewer rows or columns"
        )
        raise DataError(_refusal(path, held, needed, available, cure))


def _text_bytes(opened: Any, most: float) -> float:
    """Return what the words of a Parquet file take; stop where that is too much."""
    schema = opened.schema
    names = [
        schema.column(j).path
        for j in range(len(schema))
        if schema.column(j).physical_type == "BYTE_ARRAY"
    ]
    n_bytes = 0.0
    # A look takes as long as reading, and little more than a look.
    if not names or PARQUET_BYTES * opened.metadata.num_rows < most / 1000:
        return n_bytes
    for batch in opened.iter_batches(10_000, columns=names):
        n_bytes += 2.0 * batch.nbytes
        if n_bytes > most:
            break
    return n_bytes


def unread(path: Path) -> str:
    """Return the sentence on a file at which memory ran out all the same."""
    n_bytes = path.stat().st_size
    return _refusal(
        path,
        f"{spoken_bytes(n_bytes)} as it is stored",
        n_bytes,
        _checks.available_memory(),
        _IN_PARQUET,
    )


def _refusal(path: Path, held: str, needed: float, available: float, cure: str) -> str:
    return (
        f"{path} holds {held}: reading takes at least {spoken_bytes(needed)} of "
        f"memory, and {spoken_bytes(available)} are available; {cure}."
    )


def spoken_bytes(n_bytes: float) -> str:
    """Return a number of bytes as people say it."""
    for unit, name in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if n_bytes >= unit:
            return f"{n_bytes / unit:,.1f} {name}"
    return f"{n_bytes:.0f} bytes"
