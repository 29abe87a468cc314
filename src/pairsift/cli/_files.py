"""Files of tables: their formats, encodings and separators."""

from __future__ import annotations

import codecs
import gzip
import io
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from decimal import Decimal
from functools import cached_property
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Any, TextIO, cast

import numpy as np

from pairsift._formulas import name_among
from pairsift._typing import BoolArray
from pairsift._words import count, did_you_mean, listing
from pairsift.cli._extent import TextExtent, check_excel, check_parquet, unread
from pairsift.exceptions import DataError

if TYPE_CHECKING:
    import pandas as pd

FORMATS = {
    ".csv": "CSV",
    ".tsv": "TSV",
    ".tab": "TSV",
    ".txt": "text",
    ".parquet": "Parquet",
    ".pq": "Parquet",
    ".xlsx": "Excel",
}
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    # Before UTF-16, whose mark it begins with.
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# What reading raises, beside OSError, when a file is not what its name says.
_BROKEN = (ValueError, KeyError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error)
# How pandas says that a row has too many cells.
_RAGGED = re.compile(r"Expected (\d+) fields in line (\d+), saw (\d+)")
# How pandas calls a column without a name.
_NAMELESS = re.compile(r"Unnamed: \d+")
_CHUNK = 1 << 20
_MANY_COLUMNS = 100


class TableFile:
    """A file that holds a table; what should be known about it is in `notes`."""

    is_drawn = False
    """Whether some of its rows are read, and the others passed over."""

    def __init__(self, path: Path) -> None:
        if path.is_dir() or not path.exists():
            raise DataError(_not_found(path))
        self.path = path
        self.notes: list[str] = []
        suffixes = [suffix.lower() for suffix in path.suffixes]
        self._packing = suffixes[-1] if suffixes[-1:] in ([".gz"], [".zip"]) else ""
        self._member = ""
        if self._packing == ".zip":
            self._member = self._only_member()
            suffixes = [PurePosixPath(self._member).suffix.lower()]
        elif self._packing:
            suffixes = suffixes[:-1]
        self.kind = self._format(suffixes[-1] if suffixes else "")

    def read(self, text: Sequence[str], na: Sequence[str]) -> pd.DataFrame:
        """Read the table; columns in `text` as text, cells in `na` as missing."""
        with self._explained():
            if self.kind == "Parquet":
                frame = self._read_parquet(text, na)
            elif self.kind == "Excel":
                frame = self._read_excel(text, na)
            else:
                names = self._header_names()
                types = {name_among(column, names): str for column in text}
                frame = self._read_csv(dtype=types, **self._cell_options(na))
        self._refuse_index(frame.index)
        if frame.shape[1] > _MANY_COLUMNS:
            # Columns that were read stand apart, and most operations run over them.
            frame = frame.copy()
        frame.columns = [str(column) for column in frame.columns]
        if self.kind != "Parquet":
            frame = self._without_margin(frame)
        if frame.empty:
            raise DataError(f"{self.path} has no rows.")
        return frame

    def _header_names(self) -> list[str]:
        return self._refuse_repeated(self._read_csv(header=None, nrows=1, dtype=str))

    def _cell_options(self, na: Sequence[str]) -> dict[str, Any]:
        return {
            "skipinitialspace": True,
            "na_values": list(na),
            "keep_default_na": True,
            "decimal": self._signs[1],
            "low_memory": False,
        }

    def _refuse_index(self, index: pd.Index, first: int = 0) -> None:
        """Refuse rows whose first cells pandas took for their names."""
        import pandas as pd

        if not index.equals(pd.RangeIndex(first, first + len(index))):
            raise DataError(
                f"{self.path} has rows with more cells than its header has names."
            )

    def read_words(self, column: str) -> pd.Series | None:
        """Read a column as it is written; None if the format knows types."""
        if self.kind in ("Parquet", "Excel"):
            return None
        return self._read_csv(usecols=[column], dtype=str).iloc[:, 0]

    def _without_margin(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Leave out what spreadsheets add to the right of a table and below it."""
        is_known = frame.notna().to_numpy()
        n_rows = end_of(is_known.any(axis=1))
        n_columns = self._without_margin_columns(
            list(frame.columns), is_known.any(axis=0), len(frame), n_rows
        )
        return frame.iloc[:n_rows, :n_columns]

    def _without_margin_columns(
        self, columns: Sequence[str], has_values: BoolArray, n_all: int, n_rows: int
    ) -> int:
        """Return the number of columns without those to the right; note what goes."""
        is_named = np.array([not _NAMELESS.fullmatch(c) for c in columns])
        n_columns = end_of(has_values | is_named)
        over = {
            ("column", "columns"): len(columns) - n_columns,
            ("row", "rows"): n_all - n_rows,
        }
        told = [count(number, *nouns) for nouns, number in over.items() if number]
        if told:
            self.notes.append(
                f"{self.path.name}: {' and '.join(told)} at the end without any value "
                "left out."
            )
        nameless = [c for c in columns[:n_columns] if _NAMELESS.fullmatch(c)]
        if nameless:
            # Often the row numbers that pandas writes without index=False.
            counted = count(len(nameless), "column has", "columns have")
            self.notes.append(
                f"{self.path.name}: {counted} no name in the header, here called "
                f"{listing(nameless, most=3)}."
            )
        return n_columns

    def _read_csv(self, **options: Any) -> pd.DataFrame:
        import pandas as pd

        options = {"keep_default_na": False, "skipinitialspace": True} | options
        with self._open_text() as file:
            return pd.read_csv(file, sep=self._signs[0], **options)

    def _read_parquet(self, text: Sequence[str], na: Sequence[str]) -> pd.DataFrame:
        import pandas as pd

        with self._open() as file:
            check_parquet(self.path, file)
            file.seek(0)
            frame = pd.read_parquet(file)
        is_named = any(name is not None for name in frame.index.names)
        frame = frame.reset_index(drop=not is_named)
        self._refuse_twice(list(map(str, frame.columns)))
        if na:
            numbers = pd.to_numeric(pd.Series(na), errors="coerce").dropna()
            frame = frame.mask(frame.isin([*na, *numbers]))
        return _typed(frame, text)

    def _read_excel(self, text: Sequence[str], na: Sequence[str]) -> pd.DataFrame:
        import pandas as pd

        with self._open() as file:
            check_excel(self.path, file)
            file.seek(0)
            try:
                book = pd.ExcelFile(file, engine="openpyxl")
            except ImportError:
                raise DataError(
                    f"{self.path}: reading .xlsx files takes openpyxl: pip install "
                    "openpyxl, or save the table as CSV."
                ) from None
            if len(book.sheet_names) > 1:
                self.notes.append(
                    f"{self.path.name} has {len(book.sheet_names)} sheets: the first, "
                    f"{book.sheet_names[0]!r}, was read."
                )
            header = book.parse(header=None, nrows=1, dtype=str)
            names = self._refuse_repeated(header)
            types = {name_among(column, names): str for column in text}
            frame = book.parse(dtype=types, na_values=list(na))
        return _typed(frame, text)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Say that the file cannot be read, in one sentence."""
        import pandas as pd

        try:
            yield
        except DataError:
            raise
        except MemoryError:
            raise DataError(unread(self.path)) from None
        except pd.errors.EmptyDataError:
            raise DataError(f"{self.path} is empty.") from None
        except OSError as error:
            # pyarrow reports a broken Parquet file as an OSError without a number.
            if error.errno is not None:
                raise
            raise DataError(self._unreadable(error)) from error
        except _BROKEN as error:
            raise DataError(self._unreadable(error)) from error

    def _unreadable(self, error: Exception) -> str:
        if "out of memory" in str(error):
            return unread(self.path)
        found = _RAGGED.search(str(error))
        if found is not None:
            n_expected, line, n_found = found.groups()
            return (
                f"{self.path}: line {line} has {n_found} cells, those before it have "
                f"{n_expected}: put text that holds the separator in quotes."
            )
        return f"{self.path} cannot be read as {self.kind}: {error}"

    def _format(self, suffix: str) -> str:
        kind = FORMATS.get(suffix)
        if kind is None:
            inside = f", and its member {self._member!r} does not" * bool(self._member)
            raise DataError(
                f"{self.path}: the name of a data file ends in {', '.join(FORMATS)} "
                f"(or in these with .gz, or .zip){inside}."
            )
        return kind

    def _only_member(self) -> str:
        try:
            with zipfile.ZipFile(self.path) as archive:
                names = archive.namelist()
        except zipfile.BadZipFile as error:
            raise DataError(f"{self.path} cannot be read as ZIP: {error}.") from error
        # macOS adds files of its own.
        names = [n for n in names if not n.startswith("__MACOSX/") and n[-1] != "/"]
        if len(names) != 1:
            found = listing(map(repr, names), most=10) or "none"
            raise DataError(
                f"{self.path} must hold one file, it has {found}: take out the one to "
                "read."
            )
        return names[0]

    def _open(self) -> IO[bytes]:
        if self._packing == ".gz":
            return cast(IO[bytes], gzip.open(self.path))
        if self._packing == ".zip":
            with zipfile.ZipFile(self.path) as archive:
                return archive.open(self._member)
        return self.path.open("rb")

    def _open_text(self) -> TextIO:
        encoding = self._encoding
        return io.TextIOWrapper(self._open(), encoding=encoding, newline="")

    @cached_property
    def _encoding(self) -> str:
        """Take the encoding that a mark names, else UTF-8 if that fits, else cp1252."""
        extent, is_utf8 = TextExtent(self.path, is_drawn=self.is_drawn), True
        decoder = codecs.getincrementaldecoder("utf-8")()
        with self._open() as file:
            chunk = file.read(_CHUNK)
            marked = [encoding for mark, encoding in _MARKS if chunk.startswith(mark)]
            while chunk:
                extent.add(chunk)
                if not marked:
                    self._refuse_nul(chunk)
                    is_utf8 = is_utf8 and _decodes(decoder, chunk)
                chunk = file.read(_CHUNK)
        if marked:
            if marked[0] != "utf-8-sig":
                self._note_encoding(marked[0].upper())
            return marked[0]
        if is_utf8 and _decodes(decoder, b"", is_end=True):
            return "utf-8"
        self._note_encoding("Western European text (cp1252), not UTF-8")
        return "cp1252"

    def _refuse_nul(self, chunk: bytes) -> None:
        if b"\0" in chunk:
            raise DataError(
                f"{self.path} cannot be read as {self.kind}: it holds NUL bytes, which "
                "text does not; save it as UTF-8."
            )

    def _note_encoding(self, name: str) -> None:
        self.notes.append(f"{self.path.name} was read as {name}.")

    @cached_property
    def _signs(self) -> tuple[str, str]:
        """Take the sign most used in the header, and the decimal sign of some rows."""
        with self._open_text() as file:
            header, *rows = [*islice(file, 50)] or [""]
        signs = {"TSV": "\t", "text": ",;\t|"}.get(self.kind, ",;\t")
        separator = max(signs, key=header.count)
        if self.kind == "text" and separator not in header:
            separator = r"\s+"
        has_commas = separator != "," and _has_numbers(rows, separator, ",")
        is_comma = has_commas and not _has_numbers(rows, separator, r"\.")
        return separator, "," if is_comma else "."

    def _refuse_repeated(self, header: pd.DataFrame) -> list[str]:
        """Return the names of a header; refuse what pandas would rename silently."""
        cells = [] if header.empty else header.iloc[0].dropna().tolist()
        names = [name for cell in cells if (name := str(cell).strip())]
        self._refuse_twice(names)
        return names

    def _refuse_twice(self, names: list[str]) -> None:
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise DataError(
                f"{self.path} has more than one column {twice!r}: rename one."
            )


def _decodes(
    decoder: codecs.IncrementalDecoder, chunk: bytes, *, is_end: bool = False
) -> bool:
    """Tell whether the next bytes of a text are of an encoding."""
    try:
        decoder.decode(chunk, is_end)
    except UnicodeDecodeError:
        return False
    return True


def end_of(is_used: BoolArray) -> int:
    """Return the number of places up to the last one that is used."""
    return int(np.flatnonzero(is_used).max(initial=-1)) + 1


def _has_numbers(rows: Sequence[str], separator: str, decimal: str) -> bool:
    """Tell whether a cell is a number with a decimal sign.

    Whole cells are looked at: the points of a date or an address are no decimal points.
    """
    sign = separator if separator == r"\s+" else re.escape(separator)
    number = re.compile(rf"[-+]?\d*{decimal}\d+([eE][-+]?\d+)?")
    cells = (cell.strip(' \t\r\n"') for row in rows for cell in re.split(sign, row))
    return any(number.fullmatch(cell) for cell in cells)


def _typed(frame: pd.DataFrame, text: Sequence[str]) -> pd.DataFrame:
    """Read columns of text that hold numbers alone as a CSV file would be read.

    So are decimals, as a database exports them.
    """
    import pandas as pd

    text = [name_among(name, frame.columns) for name in text]
    for name, column in frame.items():
        is_loose = column.dtype.kind == "O" and column.dtype != "category"
        if not is_loose or name in text:
            continue
        if any(isinstance(c, str | Decimal) for c in column):
            with suppress(ValueError, TypeError):
                frame[name] = pd.to_numeric(column)
    return frame


def _not_found(path: Path) -> str:
    if path.is_dir():
        if any(path.glob("*.parquet")) or any(path.glob("*.pq")):
            return (
                f"{path} is a folder, not a data file: select, query and label read "
                "the Parquet files of a folder, give one of them here."
            )
        return (
            f"{path} is a folder, not a data file: give a file, or a folder whose "
            "Parquet files lie in it and not in folders inside."
        )
    folder = path.parent
    names = [file.name for file in folder.iterdir()] if folder.is_dir() else []
    return f"there is no file {str(path)!r}{did_you_mean(path.name, names)}."
