"""Tables and pair constraints, read from the files that users have."""

from __future__ import annotations

import csv
import gzip
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pairsift._typing import FloatArray
from pairsift.exceptions import DataError

if TYPE_CHECKING:
    import pandas as pd

    from pairsift.constraints import PairConstraints

FORMATS = {
    ".csv": "CSV",
    ".tsv": "TSV",
    ".tab": "TSV",
    ".parquet": "Parquet",
    ".pq": "Parquet",
}


@dataclass(frozen=True)
class Table:
    """A data set: features, and what is known of its rows."""

    features: pd.DataFrame
    labels: NDArray[Any] | None = None
    ids: list[str] | None = None
    unlabelled_words: tuple[str, ...] = ()
    """Words in the label column, such as NA, that were read as no label."""


def read_table(
    path: Path,
    label: str | None = None,
    id_column: str | None = None,
    drop: Sequence[str] = (),
) -> Table:
    """Read a data set and set the columns that are no features apart."""
    frame = _read_frame(path, id_column)
    options = [(label, "--label"), (id_column, "--id"), *((c, "--drop") for c in drop)]
    apart = [(column, option) for column, option in options if column is not None]
    for column, option in apart:
        _check_column(frame, column, option, path)
    features = frame.drop(columns={column for column, _ in apart})
    if features.shape[1] == 0:
        raise DataError(f"{path} has no column left to rank.")
    _check_cells(features)
    return Table(
        features,
        None if label is None else frame[label].to_numpy(),
        None if id_column is None else _read_ids(frame[id_column]),
        () if label is None else _words_for_nothing(path, frame[label]),
    )


def read_constraints(path: Path, table: Table) -> PairConstraints:
    """Read pairs of row ids, or of row numbers when the table has no ids."""
    from pairsift.constraints import PairConstraints

    n_rows = len(table.features)
    try:
        pairs = PairConstraints.from_csv(path, table.ids, n_rows)
    except (UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"{path} cannot be read as CSV: {error}.") from error
    if pairs.n_must_link + pairs.n_cannot_link == 0:
        raise DataError(f"{path} holds no pairs.")
    return pairs


def draw_constraints(
    table: Table, n_pairs: int, *, with_must_links: bool
) -> PairConstraints:
    """Draw so many pairs of each kind from the labels, the same ones each time."""
    from pairsift.constraints import PairConstraints

    n_must_link = n_pairs if with_must_links else 0
    return PairConstraints.sample(table.labels, n_pairs, n_must_link, random_state=0)


def row_name(row: int, ids: Sequence[str] | None) -> str:
    """Return the id of a row, its number when rows have no ids."""
    return str(row) if ids is None else ids[row]


def unit_range(X: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return minimum and width of each column, NaN left out; width 1 if constant."""
    low = np.fmin.reduce(X, axis=0)
    width = np.fmax.reduce(X, axis=0) - low
    return low, np.where(width > 0, width, 1.0)


def scale(features: pd.DataFrame) -> pd.DataFrame:
    """Bring the quantitative columns to [0, 1]; a constant column becomes 0."""
    numbers = features.select_dtypes("number")
    X = numbers.to_numpy(dtype=np.float64, na_value=np.nan)
    low, width = unit_range(X)
    scaled = features.copy()
    for j, column in enumerate(numbers.columns):
        scaled[column] = (X[:, j] - low[j]) / width[j]
    return scaled


def _read_frame(path: Path, id_column: str | None) -> pd.DataFrame:
    import pandas as pd

    if path.is_dir() or not path.exists():
        raise DataError(_not_found(path))
    kind = _format(path)
    try:
        if kind == "Parquet":
            frame = _unindexed(pd.read_parquet(path))
        else:
            separator, decimal = _dialect(path, kind)
            _refuse_repeated(path, separator)
            frame = pd.read_csv(
                path,
                sep=separator,
                decimal=decimal,
                # As text, so that an id 007 stays what the constraints file says.
                dtype={id_column: str},
                skipinitialspace=True,
                low_memory=False,
            )
    except pd.errors.EmptyDataError:
        raise DataError(f"{path} is empty.") from None
    except OSError as error:
        # pyarrow reports a broken Parquet file as an OSError without a number.
        if error.errno is not None:
            raise
        raise DataError(f"{path} cannot be read as {kind}: {error}") from error
    except (ValueError, EOFError) as error:
        raise DataError(f"{path} cannot be read as {kind}: {error}") from error
    if not frame.index.equals(pd.RangeIndex(len(frame))):
        raise DataError(f"{path} has rows with more cells than its header has names.")
    frame.columns = [str(column) for column in frame.columns]
    if not frame.columns.is_unique:
        twice = frame.columns[frame.columns.duplicated()][0]
        raise DataError(f"{path} has more than one column {twice!r}: rename one.")
    if frame.empty:
        raise DataError(f"{path} has no rows.")
    return frame


def _format(path: Path) -> str:
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes[-1:] == [".gz"]:
        suffixes = suffixes[:-1]
    kind = FORMATS.get(suffixes[-1] if suffixes else "")
    if kind is None:
        accepted = ", ".join(FORMATS)
        raise DataError(
            f"{path}: the name of a data file ends in {accepted} (or .csv.gz)."
        )
    return kind


def _not_found(path: Path) -> str:
    if path.is_dir():
        return f"{path} is a folder, not a data file."
    folder = path.parent
    names = [file.name for file in folder.iterdir()] if folder.is_dir() else []
    return f"there is no file {str(path)!r}{did_you_mean(path.name, names)}."


def _lines(path: Path, most: int) -> list[str]:
    opener: Any = gzip.open if path.suffix.lower() == ".gz" else open
    with opener(path, "rt", encoding="utf-8-sig") as file:
        return [line for line, _ in zip(file, range(most), strict=False)]


def _dialect(path: Path, kind: str) -> tuple[str, str]:
    """Take the sign most used in the header, and the decimal sign of the first rows."""
    header, *rows = _lines(path, most=50) or [""]
    separator = "\t" if kind == "TSV" else max(",;\t", key=header.count)
    text = "".join(rows)
    has_commas = separator != "," and re.search(r"\d,\d", text) is not None
    return separator, "," if has_commas and not re.search(r"\d\.\d", text) else "."


def _refuse_repeated(path: Path, separator: str) -> None:
    """Refuse what pandas would rename without a word."""
    header = next(csv.reader(_lines(path, most=1), delimiter=separator), [])
    names = [name.strip() for name in header if name.strip()]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise DataError(f"{path} has more than one column {twice!r}: rename one.")


def _words_for_nothing(path: Path, labels: pd.Series) -> tuple[str, ...]:
    """Return the words of a label column that pandas takes for an empty cell."""
    import pandas as pd

    if _format(path) == "Parquet" or not labels.isna().any():
        return ()
    separator, _ = _dialect(path, _format(path))
    text = pd.read_csv(
        path,
        sep=separator,
        usecols=[str(labels.name)],
        dtype=str,
        keep_default_na=False,
        skipinitialspace=True,
    ).iloc[:, 0]
    words = text[labels.isna().to_numpy()].str.strip()
    return tuple(sorted(set(words) - {""}))


def _unindexed(frame: pd.DataFrame) -> pd.DataFrame:
    """Make a column of an index that was stored with a name."""
    is_named = any(name is not None for name in frame.index.names)
    return frame.reset_index(drop=not is_named)


def _check_column(frame: pd.DataFrame, column: str, option: str, path: Path) -> None:
    if column not in frame.columns:
        hint = did_you_mean(column, frame.columns)
        names = listing(frame.columns, most=10)
        raise DataError(
            f"{path} has no column {column!r} for {option}{hint}: it has {names}."
        )


def _check_cells(features: pd.DataFrame) -> None:
    from pandas.api.types import is_hashable

    for name, column in features.items():
        kind = getattr(column.dtype, "kind", "O")
        if kind in "mMc":
            raise DataError(
                f"column {name!r} holds {column.dtype} values, which no method takes: "
                "turn them into numbers, or leave the column out with --drop."
            )
        if kind == "O" and not column.map(is_hashable).all():
            raise DataError(
                f"column {name!r} holds lists, which no method takes: leave it out "
                "with --drop."
            )
        if kind == "f" and np.isinf(column.to_numpy(np.float64, na_value=0.0)).any():
            raise DataError(
                f"column {name!r} holds infinite values: replace them, or leave the "
                "column out with --drop."
            )


def _read_ids(column: pd.Series) -> list[str]:
    if column.isna().any():
        row = int(column.isna().to_numpy().argmax())
        raise DataError(f"row {row} (counted from 0) has no id in {column.name!r}.")
    return [str(value) for value in column]


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a hint at similar names, empty when there are none."""
    by_lower = {name.lower(): name for name in known}
    close = get_close_matches(word.lower(), by_lower, cutoff=0.7)
    names = " or ".join(repr(by_lower[name]) for name in close)
    return f" (did you mean {names}?)" if names else ""


def listing(names: Iterable[str], most: int = 5) -> str:
    """Join names to a sentence, and only count those after the first few."""
    names = list(names)
    rest = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + rest
