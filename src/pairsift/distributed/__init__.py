"""Selectors and sessions on data larger than memory: on Dask, or block by block."""

from pairsift.distributed._dask import (
    as_source,
    on_cluster as on_cluster,
    open_client as open_client,
    path_for_workers as path_for_workers,
)
from pairsift.distributed._enough import (
    EnoughRows,
    enough_rows,
    rows_in_turn as rows_in_turn,
)
from pairsift.distributed._fit import fit, transform
from pairsift.distributed._parquet import ParquetSource
from pairsift.distributed._propagate import propagate
from pairsift.distributed._rows import take_rows
from pairsift.distributed._session import load_session, session
from pairsift.distributed._sources import MappedSource, Source, StreamedSource

__all__ = [
    "EnoughRows",
    "MappedSource",
    "ParquetSource",
    "Source",
    "StreamedSource",
    "as_source",
    "enough_rows",
    "fit",
    "load_session",
    "propagate",
    "session",
    "take_rows",
    "transform",
]
