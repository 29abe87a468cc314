"""Read and write the CSV files of data sets."""

from __future__ import annotations

import os
import warnings
import zlib
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import numpy as np

from pairsift.datasets._registry import Dataset
from pairsift.datasets._sources import Table
from pairsift.exceptions import DataError

if TYPE_CHECKING:
    import pandas as pd

UNREADABLE = (OSError, EOFError, ValueError, LookupError, zlib.error, HTTPException)
# Above this many cells a cached file is compressed.
GZIP_CELLS = 1_000_000


def read_table(path: Path, dataset: Dataset) -> Table:
    """Read a file: float64 and text columns, the target as it is written."""
    import pandas as pd

    try:
        with warnings.catch_warnings():
            # Rows longer than the header are only a warning in pandas.
            warnings.simplefilter("error", pd.errors.ParserWarning)
            features = pd.read_csv(
                path,
                dtype=None if dataset.is_regression else {dataset.target: str},
                keep_default_na=False,
                na_values=["", "NA", "NaN", "nan", "?"],
                encoding="utf-8-sig",
                index_col=False,
                low_memory=False,
            )
    except (*UNREADABLE, pd.errors.ParserWarning) as error:
        reason = " ".join(str(error).split())
        raise DataError(
            f"the file {str(path)!r} cannot be read as CSV: {reason}"
        ) from error
    if dataset.target not in features.columns:
        raise DataError(f"the file {str(path)!r} has no column {dataset.target!r}")
    target = features.pop(dataset.target)
    if features.size == 0:
        raise DataError(f"the file {str(path)!r} has no rows or no feature columns")
    if dataset.is_regression:
        target = _as_numbers(target, dataset, path)
    if features.select_dtypes(exclude="number").empty:
        return features.astype(np.float64), target
    return features.apply(_as_numbers, args=(dataset, path)), target


def _as_numbers(column: pd.Series, dataset: Dataset, path: Path) -> pd.Series:
    """Turn a column to float64 unless it holds text and is known to."""
    import pandas as pd

    numbers = pd.to_numeric(column, errors="coerce")
    is_text = numbers.isna() & column.notna()
    if not is_text.any():
        return numbers.astype(np.float64)
    if dataset.is_categorical(str(column.name)):
        return column
    raise DataError(
        f"column {column.name!r} of the file {str(path)!r} must hold numbers, "
        f"got {column[is_text].iloc[0]!r}"
    )


def write_table(table: Table, dataset: Dataset, folder: Path) -> Path:
    """Write the table to the cache folder so that no reader ever sees half of it."""
    import pandas as pd

    is_large = table[0].size > GZIP_CELLS
    path = folder / dataset.files[is_large]
    part = folder / f".{path.name}.{uuid4().hex}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        pd.concat(table, axis=1).to_csv(
            part, index=False, compression="gzip" if is_large else None
        )
        os.replace(part, path)
    except OSError as error:
        raise DataError(
            f"data set {dataset.name!r} cannot be written to the cache folder "
            f"{str(folder)!r} ({error}); name a writable folder in the environment "
            "variable PAIRSIFT_CACHE"
        ) from error
    finally:
        with suppress(OSError):
            part.unlink()
    return path
