"""Selectors on data larger than memory: on a Dask cluster, or read block by block."""

from pairsift.distributed._dask import (
    on_cluster as on_cluster,
    open_client as open_client,
)
from pairsift.distributed._fit import fit, transform
from pairsift.distributed._parquet import ParquetSource
from pairsift.distributed._sources import MappedSource, Source, StreamedSource

__all__ = [
    "MappedSource",
    "ParquetSource",
    "Source",
    "StreamedSource",
    "fit",
    "transform",
]
