"""Load a data set by name: from a folder, the cache, or the network."""

from __future__ import annotations

import os
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from sklearn.utils import Bunch

from pairsift._typing import FloatArray, ObjectArray
from pairsift.datasets._files import UNREADABLE, read_table, write_table
from pairsift.datasets._registry import DATASETS, Dataset
from pairsift.datasets._sources import Bundled, OpenML, Table, Uci
from pairsift.exceptions import DataError

if TYPE_CHECKING:
    import pandas as pd


def available() -> list[str]:
    """Return the names that `load` knows.

    A data set may have several names: the short one, and the name of its file where
    that is longer.

    Returns
    -------
    names : list of str
        In alphabetical order.

    See Also
    --------
    load : Load one of them.

    Examples
    --------
    >>> from pairsift.datasets import available
    >>> [name for name in available() if name.startswith("w")]
    ['warppie10p', 'wbcd', 'wbcd_699', 'wdbc', 'wine']
    """
    return sorted(DATASETS)


def load(
    name: str,
    *,
    data_dir: str | os.PathLike[str] | None = None,
    as_frame: bool = False,
) -> Bunch:
    """Load a data set of the papers by its name.

    The table is taken from the first place that has it: the folder `data_dir`; the
    folder named by the environment variable ``PAIRSIFT_DATA``; the cache folder; the
    copy installed with scikit-learn (Wine and WDBC); and last the UCI repository or
    OpenML, after which it is kept in the cache folder. With `data_dir` nothing is
    downloaded.

    Parameters
    ----------
    name : str
        One of `available`. Case does not matter, and ``-`` is the same as ``_``.
    data_dir : path-like, default=None
        Folder with files ``NAME.csv`` or ``NAME.csv.gz``: a header, the features, and
        a column ``class`` (``target`` for the regression problem ``boston``); empty
        cells are missing values.
    as_frame : bool, default=False
        Return `data` as a pandas DataFrame, and the whole table as `frame`.

    Returns
    -------
    bunch : sklearn.utils.Bunch
        With the attributes

        data : ndarray of shape (n_samples, n_features), float64
            A DataFrame when `as_frame` is true or a column holds text.
        target : ndarray of shape (n_samples,)
            Class labels as text (None where the cell is empty), floats for ``boston``.
        feature_names, target_names : list of str
            Column names; distinct labels.
        categorical_features : list of str
            Names of the columns documented as categorical.
        frame : DataFrame
            Features and target, only with ``as_frame=True``.
        name, DESCR, source : str
            Short name; what it is, its size and citation; where it came from.

    Raises
    ------
    DataError
        If the name is unknown, or the table can neither be found nor downloaded, or
        its file cannot be read.

    See Also
    --------
    available : The names.

    Notes
    -----
    The cache is the folder ``PAIRSIFT_CACHE``, or else ``pairsift`` in the cache folder
    of the user (``XDG_CACHE_HOME``, ``~/.cache``, or ``LOCALAPPDATA`` on Windows).
    The gene expression and face data have no download source.

    Examples
    --------
    >>> from pairsift.datasets import load
    >>> wine = load("wine")
    >>> wine.data.shape
    (178, 13)
    >>> wine.target[:2]
    array(['class_0', 'class_0'], dtype=object)
    >>> wine.feature_names[:3]
    ['alcohol', 'malic_acid', 'ash']
    """
    dataset = _find(name)
    (features, labels), source = _find_table(dataset, data_dir)
    target = _target(labels, dataset)
    names = [str(column) for column in features.columns]
    is_frame = as_frame or any(dtype != np.float64 for dtype in features.dtypes)
    bunch = Bunch(
        data=features if is_frame else np.array(features, order="C"),
        target=target,
        feature_names=names,
        target_names=_target_names(target, dataset),
        categorical_features=[c for c in names if dataset.is_categorical(c)],
        name=dataset.name,
        source=source,
    )
    bunch.DESCR = _describe(dataset, bunch)
    if as_frame:
        bunch.frame = _joined(features, target, dataset)
    return bunch


def _find(name: str) -> Dataset:
    key = str(name).strip().lower().replace("-", "_").replace(" ", "_")
    if key in DATASETS:
        return DATASETS[key]
    close = get_close_matches(key, DATASETS)
    hint = f"did you mean {' or '.join(map(repr, close))}" if close else "none is close"
    raise DataError(
        f"unknown data set {name!r}: {hint}; pairsift.datasets.available() lists "
        "all names"
    )


def _find_table(
    dataset: Dataset, data_dir: str | os.PathLike[str] | None
) -> tuple[Table, str]:
    """Return features and labels, and where they came from."""
    folders = _folders(data_dir)
    for path in (folder / file for folder in folders for file in dataset.files):
        if os.path.isfile(path):
            return read_table(path, dataset), str(path)
    source = dataset.source
    if isinstance(source, Bundled):
        return source.fetch(), source.address
    if data_dir is not None:
        raise DataError(_not_found(dataset, folders))
    if source is None:
        raise DataError(_not_found(dataset, folders, "it has no download source"))
    try:
        table = source.fetch(_cache_folder())
    except UNREADABLE as error:
        reason = f"downloading {source.address} failed ({' '.join(str(error).split())})"
        raise DataError(_not_found(dataset, folders, reason)) from error
    path = write_table(_documented(table, dataset, source), dataset, _cache_folder())
    return read_table(path, dataset), source.address


def _folders(data_dir: str | os.PathLike[str] | None) -> list[Path]:
    if data_dir is None:
        named = os.environ.get("PAIRSIFT_DATA")
        return [*([Path(named).expanduser()] if named else []), _cache_folder()]
    folder = Path(data_dir).expanduser()
    if not folder.is_dir():
        raise DataError(f"data_dir must be an existing folder, got {str(folder)!r}")
    return [folder]


def _cache_folder() -> Path:
    own = os.environ.get("PAIRSIFT_CACHE")
    if own:
        return Path(own).expanduser()
    shared = os.environ.get("LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME")
    return (Path(shared) if shared else Path.home() / ".cache") / "pairsift"


def _not_found(dataset: Dataset, folders: list[Path], reason: str = "") -> str:
    places = " and in ".join(repr(str(folder)) for folder in folders)
    return (
        f"data set {dataset.name!r} was not found: no file {dataset.files[0]!r} or "
        f"{dataset.files[1]!r} in {places}{', and ' * bool(reason)}{reason}; put the "
        "file there, or give the folder that holds it as data_dir or in the "
        "environment variable PAIRSIFT_DATA"
    )


def _documented(table: Table, dataset: Dataset, source: Uci | OpenML) -> Table:
    """Give a downloaded table its documented names, once its size is as published."""
    features, labels = table
    expected = (source.n_samples, len(dataset.columns))
    if features.shape != expected or labels.shape[0] != source.n_samples:
        raise DataError(
            f"data set {dataset.name!r} must have {expected[0]} rows and {expected[1]} "
            f"features, got {features.shape[0]} and {features.shape[1]} from "
            f"{source.address}; put a file {dataset.files[0]!r} in a folder and give "
            "that as data_dir"
        )
    return features.set_axis(dataset.columns, axis=1), labels.rename(dataset.target)


def _joined(
    features: pd.DataFrame, target: FloatArray | ObjectArray, dataset: Dataset
) -> pd.DataFrame:
    import pandas as pd

    return pd.concat([features, pd.Series(target, name=dataset.target)], axis=1)


def _target(column: pd.Series, dataset: Dataset) -> FloatArray | ObjectArray:
    if dataset.is_regression:
        return np.array(column, dtype=np.float64)
    labels = column.astype(object)
    return np.array(labels.where(labels.notna(), None), dtype=object)


def _target_names(target: FloatArray | ObjectArray, dataset: Dataset) -> list[str]:
    """Return the distinct labels, numbers in numerical order."""
    if dataset.is_regression:
        return [dataset.target]
    labels = {label for label in target if label is not None}
    return sorted(labels, key=lambda label: (_number(label), label))


def _number(label: str) -> float:
    try:
        return float(label)
    except ValueError:
        return np.inf


def _describe(dataset: Dataset, bunch: Bunch) -> str:
    n_samples, n_features = bunch.data.shape
    kind = (
        "a numerical target"
        if dataset.is_regression
        else f"{len(bunch.target_names)} classes"
    )
    return (
        f"{dataset.title}: {n_samples} samples, {n_features} features, {kind} "
        f"({dataset.citation})."
    )
