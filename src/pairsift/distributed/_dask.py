"""Blocks of Dask arrays and data frames: the one place that imports Dask."""

import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from os import PathLike
from typing import Any

import numpy as np

from pairsift._blocks import merged
from pairsift.distributed._parquet import ParquetSource
from pairsift.distributed._sources import Source, StreamedSource, run_block

INSTALL = "install pairsift with its extra dask, such as 'pairsift[cli,dask]'"
_ENVIRONMENT = "distributed.nanny.pre-spawn-environ"
WORKER_CONFIG = {
    f"{_ENVIRONMENT}.MALLOC_TRIM_THRESHOLD_": 2**28,
    f"{_ENVIRONMENT}.MALLOC_MMAP_THRESHOLD_": 2**28,
}
"""Dask's own setting lets workers ask the system for each array of 128 KB and give it
back at once, which takes as long as to sort it. By this one they keep 256 MB."""


def is_dask(X: Any) -> bool:
    """Tell whether something belongs to Dask, without loading it."""
    return type(X).__module__.partition(".")[0] in ("dask", "dask_expr")


def gathered(y: Any) -> Any:
    """Return labels in memory: those of Dask are computed, others are as they were."""
    return y.compute() if is_dask(y) else y


class DaskSource(Source):
    """The chunks of a Dask array, or the partitions of a Dask data frame.

    Functions run where Dask runs them: on the cluster of the active `Client`, or on the
    default scheduler. Chunks are computed anew in every pass, unless they were
    persisted; a chunk that was lost with its worker is computed again by Dask.
    """

    def __init__(self, X: Any) -> None:
        self.sizes = None
        if hasattr(X, "chunks"):
            if X.ndim != 2:
                raise ValueError(
                    f"X is a Dask array of {X.ndim} dimensions, {X.shape}: it must "
                    "have two, rows and features."
                )
            # Every block has whole rows.
            X = X.rechunk({1: -1}) if X.numblocks[1] > 1 else X
            if not np.isnan(X.chunks[0]).any():
                self.sizes = tuple(int(size) for size in X.chunks[0])
        self._blocks = list(np.ravel(X.to_delayed()))
        self.n_blocks = len(self._blocks)

    def reduce(
        self,
        partial: Callable[..., Any],
        merge: Callable[[Any, Any], Any],
        numbers: Sequence[int],
        own: Sequence[tuple[Any, ...]],
        shared: tuple[Any, ...],
    ) -> Any:
        """Run a function on some blocks, and merge what it returns, as one graph."""
        import dask

        # In the graph, and not on some worker that may die.
        everywhere = dask.delayed(_same, pure=False)(shared)
        run, join = dask.delayed(run_block, pure=False), dask.delayed(merge, pure=False)
        states = [
            run(partial, self.name(number), self._blocks[number], arguments, everywhere)
            for number, arguments in zip(numbers, own, strict=True)
        ]
        with warnings.catch_warnings(), _told_of_deaths():
            # What is shared is in the graph on purpose, see above.
            warnings.filterwarnings("ignore", "Sending large graph")
            return merged(states, join).compute()


@contextmanager
def _told_of_deaths() -> Iterator[None]:
    """Say of workers that die again and again what to do, not only that they do."""
    if "distributed" not in sys.modules:
        yield
        return
    from distributed import KilledWorker

    try:
        yield
    except KilledWorker as error:
        limit = getattr(error.last_worker, "memory_limit", None)
        memory = f"their memory of {limit:,} bytes each" if limit else "their memory"
        raise MemoryError(
            f"{error.allowed_failures + 1} workers of the Dask cluster died at one "
            f"task, most likely because {memory} was too small: give workers more, or "
            "give data in smaller blocks, or a draw of the rows."
        ) from error


def _same(shared: tuple[Any, ...]) -> tuple[Any, ...]:
    return shared


class ReadOnWorkers(DaskSource):
    """Blocks that the workers of a Dask cluster read themselves.

    Parameters
    ----------
    source : StreamedSource
        Whose readers can be sent to another process.
    """

    def __init__(self, source: StreamedSource) -> None:
        import dask

        self._source = source
        self.sizes, self.n_blocks = source.sizes, source.n_blocks
        self._blocks = [dask.delayed(read, pure=False)() for read in source.readers]

    def name(self, number: int) -> str:
        """Return what errors call a block."""
        return self._source.name(number)


def has_client() -> bool:
    """Tell whether a Dask client is open, without loading Dask."""
    if "distributed" not in sys.modules:
        return False
    from distributed import default_client

    with suppress(ValueError):
        # One that never reached its scheduler would wait for ever.
        return bool(default_client().status == "running")
    return False


@contextmanager
def open_client(address: str | None = None) -> Iterator[Any]:
    """Open a client of a scheduler, or of a cluster on this machine; close it."""
    try:
        import dask
        from distributed import Client, LocalCluster, default_client
    except ImportError:
        raise ImportError(f"a Dask cluster takes Dask: {INSTALL}.") from None

    if address is not None:
        try:
            client = Client(address)
        except (OSError, ValueError) as error:
            # It stays behind as the default client, for which all others would wait.
            with suppress(ValueError):
                default_client().close(timeout=1)
            raise ConnectionError(
                f"no Dask scheduler answers at {address!r}: {error}. Give the address "
                "that `dask scheduler` prints, such as tcp://host:8786."
            ) from error
        with client:
            yield client
        return
    # One thread for each process: kernels then run side by side without a lock.
    options = {"threads_per_worker": 1, "dashboard_address": ":0"}
    with (
        dask.config.set(WORKER_CONFIG),
        # What a block says of its error is raised here, and once is enough.
        LocalCluster(**options, silence_logs="CRITICAL") as cluster,
        Client(cluster) as client,
    ):
        yield client


def path_for_workers(path: str | PathLike[str]) -> str | PathLike[str]:
    """Return a path that workers find, too, whose folder may be another one."""
    return os.path.abspath(path) if has_client() else path


def on_cluster(source: StreamedSource) -> Source:
    """Return blocks that workers read if a client is open, else those given."""
    return ReadOnWorkers(source) if has_client() else source


def as_source(X: Any) -> Source:
    """Return the blocks of whatever holds them, which then count their rows once.

    Parameters
    ----------
    X : dask.array.Array, dask.dataframe.DataFrame, path-like or Source
        The data, as :func:`fit` takes them.

    Returns
    -------
    source : Source
        What all functions here take in the place of `X`. A Source is returned as it
        is.
    """
    if isinstance(X, Source):
        return X
    if isinstance(X, str | PathLike):
        return on_cluster(ParquetSource(path_for_workers(X)))
    if not is_dask(X):
        raise TypeError(
            f"X is a {type(X).__name__}: distributed.fit takes a Dask array, a Dask "
            "data frame, the path of Parquet files or a Source of blocks; data in "
            "memory are for the selector's own fit, or for ActiveSession."
        )
    try:
        import dask  # noqa: F401
    except ImportError:
        raise ImportError(
            f"data in blocks need Dask, which is not installed: {INSTALL}"
        ) from None
    return DaskSource(X)
