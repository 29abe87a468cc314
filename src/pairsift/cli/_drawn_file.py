"""Some rows of a text file, drawn while it is read, so that it need not fit memory."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pairsift._formulas import name_among
from pairsift.cli import _extent
from pairsift.cli._files import TableFile
from pairsift.exceptions import DataError

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from pairsift._typing import BoolArray, IndexArray


class Look(NamedTuple):
    """A table, seen once from its first row to its last."""

    names: list[str]
    apart: pd.DataFrame
    """All rows of the columns that are wanted whole."""
    has_gaps: BoolArray
    """By column."""


class DrawnFile(TableFile):
    """A text file that is read twice: to look at it, and for the rows that are drawn.

    Rows are read as text, and take their types when they are together: they do not
    depend on how the file is cut.
    """

    is_drawn = True

    def look(
        self, apart: Sequence[str], text: Sequence[str], na: Sequence[str]
    ) -> Look:
        """Count rows, find gaps, and keep the columns `apart`; `text` stays text."""
        with self._explained():
            names = self._header_names()
            kept = [name_among(column, names) for column in apart]
            seen = _Seen(kept)
            for chunk in self._chunks(len(names), na, dtype=dict.fromkeys(kept, str)):
                if len(chunk):
                    seen.add(chunk)
        if not seen.n_known.size:
            raise DataError(f"{self.path} has no rows.")
        columns = [str(column) for column in seen.columns]
        n_rows = int(seen.last_known.max()) + 1
        n_columns = self._without_margin_columns(
            columns, seen.n_known > 0, seen.n_rows, n_rows
        )
        if not n_rows or not n_columns:
            raise DataError(f"{self.path} has no rows.")
        whole = seen.words().iloc[:n_rows]
        if whole.shape[1]:
            written = _Written(list(whole))
            written.add(whole.astype(object).where(whole.notna(), "").to_numpy())
            whole = self._typed_again(written, text, na)
        has_gaps = seen.n_known[:n_columns] < n_rows
        return Look(columns[:n_columns], whole, has_gaps)

    def read_rows(
        self, rows: IndexArray, look: Look, text: Sequence[str], na: Sequence[str]
    ) -> pd.DataFrame:
        """Return some rows, in ascending order, of all columns."""
        _extent.refuse_draw(self.path, rows.size, len(look.names))
        written, first = _Written(look.names), 0
        with self._explained():
            options = {"dtype": object, "na_filter": False}
            for chunk in self._chunks(len(look.names), (), **options):
                last = first + len(chunk)
                low, high = np.searchsorted(rows, [first, last])
                if low < high:
                    cells = chunk.to_numpy()[rows[low:high] - first]
                    written.add(cells[:, : len(look.names)])
                first = last
                if high == rows.size:
                    break
            return self._typed_again(written, text, na)

    def _chunks(
        self, n_columns: int, na: Sequence[str], **options: Any
    ) -> Iterator[pd.DataFrame]:
        import pandas as pd

        options = self._cell_options(na) | options
        options["chunksize"] = max(_extent.DRAWN_AT_ONCE // max(n_columns, 1), 1)
        n_rows = 0
        with self._open_text() as file:
            for chunk in pd.read_csv(file, sep=self._signs[0], **options):
                self._refuse_index(chunk.index, n_rows)
                n_rows += len(chunk)
                yield chunk

    def _typed_again(
        self, written: _Written, text: Sequence[str], na: Sequence[str]
    ) -> pd.DataFrame:
        """Return columns of text with the types of a file that holds them alone."""
        import pandas as pd

        as_text = {name_among(column, written.names): str for column in text}
        options = self._cell_options(na) | {"skipinitialspace": False}
        written.file.seek(0)
        return pd.read_csv(written.file, sep="\t", dtype=as_text, **options)


class _Written:
    """Rows of text, as a file that is held in memory."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = list(names)
        self.file = StringIO(newline="")
        self._writer = csv.writer(self.file, delimiter="\t", quoting=csv.QUOTE_ALL)
        self._writer.writerow(self.names)

    def add(self, cells: NDArray[Any]) -> None:
        """Write some rows."""
        self._writer.writerows(cells.tolist())


class _Seen:
    """Counts of known cells, and words of some columns, of all chunks."""

    def __init__(self, kept: Sequence[str]) -> None:
        self.kept = list(kept)
        self.columns: list[str] = []
        self.n_rows = 0
        self.n_known = self.last_known = np.zeros(0, dtype=np.int64)
        self._parts: list[pd.DataFrame] = []

    def add(self, chunk: pd.DataFrame) -> None:
        # Joined first: columns that were read stand apart.
        is_known = chunk.copy().notna().to_numpy()
        if not self.n_rows:
            self.columns = list(chunk.columns)
            self.n_known = np.zeros(len(self.columns), dtype=np.int64)
            self.last_known = self.n_known - 1
        last = len(chunk) - 1 - is_known[::-1].argmax(axis=0)
        found = is_known.any(axis=0)
        self.last_known = np.where(found, self.n_rows + last, self.last_known)
        self.n_known = self.n_known + is_known.sum(axis=0)
        self.n_rows += len(chunk)
        self._parts.append(chunk[[c for c in self.kept if c in self.columns]])

    def words(self) -> pd.DataFrame:
        import pandas as pd

        return pd.concat(self._parts)
