"""A text table of which rows are drawn while its file is read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pairsift.cli._drawn_file import DrawnFile, Look
from pairsift.cli._files import TableFile
from pairsift.cli._loading import Loaded, Reading
from pairsift.cli._tables import (
    check_cells,
    check_column,
    read_ids,
    read_labels,
    words_for_nothing,
)
from pairsift.exceptions import DataError
from pairsift.reports import Table

if TYPE_CHECKING:
    import pandas as pd

    from pairsift._typing import IndexArray

ROW = "row"
"""The only column of a table whose features are not read yet: the numbers of rows."""


def is_text(path: Path) -> bool:
    """Tell whether a file is one of text, such as CSV, also packed."""
    return TableFile(path).kind not in ("Parquet", "Excel")


@dataclass(frozen=True)
class Unread(Loaded):
    """A table whose labels and ids are in memory, and whose features are read later."""

    file: DrawnFile
    look: Look
    reading: Reading
    names: list[str]
    """The features."""

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.names)

    @property
    def has_gaps(self) -> bool:
        """Whether values are missing in any row."""
        is_feature = np.isin(self.look.names, self.names)
        return bool(self.look.has_gaps[is_feature].any())

    def with_features(self, table: Table) -> Table:
        """Return a draw with its features."""
        return replace(table, features=self.read(table.features[ROW].to_numpy()))

    def read(self, rows: IndexArray) -> pd.DataFrame:
        """Read the features of some rows."""
        categorical = self.reading.categorical
        frame = self.file.read_rows(rows, self.look, categorical, self.reading.na)
        if categorical:
            frame = frame.astype(dict.fromkeys(categorical, "category"))
        features = frame[self.names]
        check_cells(features)
        return features


@contextmanager
def unread(path: Path, reading: Reading) -> Iterator[Unread]:
    """Look at a table: its rows, labels, ids and gaps."""
    import pandas as pd

    file = DrawnFile(path)
    ids = [] if reading.id_column is None else [reading.id_column]
    wanted = [*([] if reading.label is None else [reading.label]), *ids]
    look = file.look(wanted, [*reading.categorical, *ids], reading.na)
    reading = reading.among(look.names)
    for column, option in reading.named():
        check_column(look.names, column, option, path)
    left_out = {reading.label, reading.id_column, *reading.drop}
    names = [name for name in look.names if name not in left_out]
    if not names:
        raise DataError(f"{path} has no column left to rank.")
    table = Table(
        pd.DataFrame({ROW: np.arange(len(look.apart))}),
        ids=None if not ids else read_ids(look.apart[reading.id_column]),
        notes=tuple(file.notes),
    )
    if reading.label is not None:
        column = look.apart[reading.label]
        if reading.label in reading.categorical:
            column = column.astype("category")
        labels, missing_label, notes = read_labels(column, reading.unlabelled)
        table = replace(
            table,
            labels=labels.to_numpy(),
            unlabelled_words=words_for_nothing(file, column, reading.na),
            missing_label=missing_label,
            label_notes=notes,
        )
    yield Unread(table, file, look, reading, names)
