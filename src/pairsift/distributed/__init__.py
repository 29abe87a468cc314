"""Selectors on data larger than memory: on a Dask cluster, or read block by block."""

from pairsift.distributed._fit import fit, transform
from pairsift.distributed._sources import Source, StreamedSource

__all__ = ["Source", "StreamedSource", "fit", "transform"]
