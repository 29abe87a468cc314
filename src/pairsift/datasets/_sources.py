"""Where a table comes from when no file of it is at hand, and how it is unpacked.

A source fetches the features and the labels of a table in the row order of the
published file; the caller names the columns.
"""

from __future__ import annotations

import gzip
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.request import urlopen

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

UCI = "https://archive.ics.uci.edu/ml/machine-learning-databases/"
TIMEOUT_SECONDS = 30
WHITESPACE = r"\s+"
STEEL_FAULTS = (
    "Pastry_Fault",
    "Z_Scratch_Fault",
    "K_Scatch_Fault",
    "Stains_Fault",
    "Dirtiness_Fault",
    "Bumps_Fault",
    "Other_Faults",
)

Table: TypeAlias = "tuple[pd.DataFrame, pd.Series]"


def read_rows(
    files: Sequence[bytes],
    *,
    separator: str = ",",
    label: int = -1,
    skip: int = 0,
    identifiers: int = 0,
    complete: bool = False,
    recode: Mapping[str, str] | None = None,
) -> Table:
    """Unpack files whose rows hold the features and, in column `label`, the class.

    `skip` header lines and `identifiers` leading columns are dropped, and with
    `complete` also the rows with a missing value.
    """
    import pandas as pd

    frame = pd.concat(
        [_read(content, separator, skip) for content in files], ignore_index=True
    )
    if complete:
        frame = frame.dropna(ignore_index=True)
    labels = frame.pop(frame.columns[label]).astype(str)
    if recode is not None:
        labels = labels.map(recode)
    return frame.iloc[:, identifiers:], labels


def read_labels_apart(files: Sequence[bytes]) -> Table:
    """Unpack feature files followed by as many label files."""
    import pandas as pd

    tables = [_read(content, WHITESPACE) for content in files]
    half = len(tables) // 2
    labels = pd.concat(tables[half:], ignore_index=True)[0]
    return pd.concat(tables[:half], ignore_index=True), labels.astype(str)


def read_mfeat(files: Sequence[bytes]) -> Table:
    """Unpack files that stand side by side: 200 rows of each digit, in order."""
    import pandas as pd

    tables = [_read(content, WHITESPACE) for content in files]
    digits = pd.Series(np.repeat(np.arange(10), 200).astype(str))
    return pd.concat(tables, axis=1), digits


def read_steel(files: Sequence[bytes]) -> Table:
    """Unpack 27 features followed by seven indicator columns, one for each fault."""
    import pandas as pd

    frame = _read(files[0], WHITESPACE)
    fault = frame.iloc[:, -len(STEEL_FAULTS) :].to_numpy().argmax(axis=1)
    labels = pd.Series(np.array(STEEL_FAULTS, dtype=object)[fault])
    return frame.iloc[:, : -len(STEEL_FAULTS)], labels


def read_normal_smurf(files: Sequence[bytes]) -> Table:
    """Draw the 2500 normal and 2500 smurf connections, kept in file order."""
    features, labels = read_rows(files)
    # This seed and this order of draws give the rows of kdd99_normal_smurf.csv.
    rng = np.random.default_rng(0)
    rows = np.sort(
        [
            rng.choice(np.flatnonzero(labels == kind), 2500, replace=False)
            for kind in ("normal.", "smurf.")
        ],
        axis=None,
    )
    return (
        features.iloc[rows].reset_index(drop=True),
        labels.iloc[rows].reset_index(drop=True),
    )


def _read(content: bytes, separator: str, skip: int = 0) -> pd.DataFrame:
    import pandas as pd

    return pd.read_csv(
        BytesIO(content),
        sep=separator,
        header=None,
        skiprows=skip,
        na_values="?",
        skipinitialspace=True,
        low_memory=False,
    )


@dataclass(frozen=True)
class Uci:
    """Files of the UCI Machine Learning Repository."""

    n_samples: int
    paths: tuple[str, ...]
    reader: Callable[[Sequence[bytes]], Table] = read_rows

    @property
    def address(self) -> str:
        """Say where the data come from."""
        return UCI + self.paths[0]

    def fetch(self, data_home: Path) -> Table:
        """Return features and labels; `data_home` is not needed."""
        return self.reader([_fetch_bytes(UCI + path) for path in self.paths])


def _fetch_bytes(url: str) -> bytes:
    with urlopen(url, timeout=TIMEOUT_SECONDS) as response:
        content: bytes = response.read()
    return gzip.decompress(content) if url.endswith(".gz") else content


@dataclass(frozen=True)
class OpenML:
    """A table of OpenML, by its number."""

    n_samples: int
    data_id: int

    @property
    def address(self) -> str:
        """Say where the data come from."""
        return f"https://www.openml.org/d/{self.data_id}"

    def fetch(self, data_home: Path) -> Table:
        """Return features and labels; scikit-learn keeps its files in `data_home`."""
        from sklearn.datasets import fetch_openml

        with warnings.catch_warnings():
            # The failure itself is reported, its repetition need not be.
            warnings.filterwarnings("ignore", message="A network error occurred")
            bunch = fetch_openml(
                data_id=self.data_id,
                as_frame=True,
                parser="auto",
                data_home=str(data_home / "openml"),
                n_retries=1,
            )
        return bunch.data.apply(_plain), bunch.target.astype(str)


def _plain(column: pd.Series) -> pd.Series:
    """Turn OpenML's categories into the numbers or texts they name."""
    import pandas as pd

    if not isinstance(column.dtype, pd.CategoricalDtype):
        return column
    try:
        return pd.to_numeric(column.astype(object))
    except (TypeError, ValueError):
        return column.astype(object)


@dataclass(frozen=True)
class Bundled:
    """A table that is installed with scikit-learn."""

    function: str
    address: str = "scikit-learn"

    def fetch(self) -> Table:
        """Return features and labels; the names have no blanks, as in the CSV files."""
        import pandas as pd
        from sklearn import datasets

        bunch: Any = getattr(datasets, self.function)()
        names = [name.replace(" ", "_") for name in bunch.feature_names]
        classes = np.array([str(name) for name in bunch.target_names], dtype=object)
        return pd.DataFrame(bunch.data, columns=names), pd.Series(classes[bunch.target])
