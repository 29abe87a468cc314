"""What a fit on blocks takes: tables made block by block, and worker processes."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks._memory import IS_MEASURABLE

HAS_DASK = find_spec("dask") is not None and find_spec("distributed") is not None
MEMORY_LIMIT = 1_000_000_000
"""Bytes that a worker may take."""
N_WORKERS = 2


def make_block(number: int, n_rows: int, n_features: int) -> np.ndarray:
    """Return rows of two classes by turns, which two columns tell apart."""
    rng = np.random.default_rng([0, number])
    X = rng.standard_normal((n_rows, n_features), dtype=np.float32)
    X[:, [1, n_features // 2]] += (np.arange(n_rows) % 2)[:, None]
    return X


@dataclass(frozen=True)
class Lazy:
    """A table that is made block by block; each block notes how long it took."""

    n_samples: int
    n_features: int
    block_rows: int
    notes: str

    def __call__(self, block_id: tuple[int, int]) -> np.ndarray:
        began = time.thread_time()
        first = block_id[0] * self.block_rows
        n_rows = min(self.block_rows, self.n_samples - first)
        X = make_block(block_id[0], n_rows, self.n_features)
        with open(self.notes, "ab", buffering=0) as file:
            file.write(np.float64(time.thread_time() - began).tobytes())
        return X

    @property
    def n_blocks(self) -> int:
        return -(-self.n_samples // self.block_rows)

    def as_dask(self) -> Any:
        import dask.array as da

        sizes = [self.block_rows] * (self.n_samples // self.block_rows)
        rest = self.n_samples % self.block_rows
        chunks = ((*sizes, *([rest] if rest else [])), (self.n_features,))
        return da.map_blocks(
            _called, self, chunks=chunks, dtype=np.float32, meta=np.empty((0, 0), "f4")
        )

    def in_memory(self) -> np.ndarray:
        X = np.empty((self.n_samples, self.n_features), dtype=np.float32)
        for number in range(self.n_blocks):
            block = self((number, 0))
            first = number * self.block_rows
            X[first : first + len(block)] = block
        return X


def _called(lazy: Lazy, block_id: tuple[int, int]) -> np.ndarray:
    return lazy(block_id)


@dataclass(frozen=True)
class Run:
    """What one fit on blocks took."""

    seconds: float
    cpu: float
    """Seconds of processors, of workers and of this process."""
    making: float
    """Seconds of processors for making blocks."""
    n_made: int
    """Blocks that were made."""
    n_asked: int
    """Blocks that passes asked for: each is made once if nothing is done twice."""
    n_passes: int
    """Passes over all blocks."""
    n_gathers: int
    """Passes over some blocks, those of rows that are fetched by number."""
    client_cpu: float
    """Seconds of this process alone, which hands out the blocks."""
    peak: float
    """Most bytes of a worker, nan if it cannot be known."""
    n_lost: int
    """Workers of the beginning that were not there at the end."""


class Counted:
    """Passes of a source, and the blocks that they ask for, counted while it works."""

    def __init__(self, source: Any) -> None:
        self.n_passes = self.n_gathers = self.n_asked = 0
        whole = source.reduce

        def reduce(partial: Any, merge: Any, numbers: Any, *rest: Any) -> Any:
            is_whole = len(numbers) == source.n_blocks
            self.n_passes += is_whole
            self.n_gathers += not is_whole
            self.n_asked += len(numbers)
            return whole(partial, merge, numbers, *rest)

        source.reduce = reduce


@contextmanager
def cluster(n_workers: int, memory_limit: int | None = MEMORY_LIMIT) -> Iterator[Any]:
    """Open worker processes of one thread each; none for 0: threads of this process."""
    import dask

    if n_workers == 0:
        with dask.config.set(scheduler="threads"):
            yield None
        return
    from distributed import Client, LocalCluster

    from pairsift.distributed._dask import WORKER_CONFIG

    options = {
        "n_workers": n_workers,
        "threads_per_worker": 1,
        "memory_limit": memory_limit,
        "dashboard_address": ":0",
        "silence_logs": "ERROR",
    }
    with (
        dask.config.set(WORKER_CONFIG),
        LocalCluster(**options) as local,
        Client(local) as client,
    ):
        client.run(_warm_up)
        yield client


def _warm_up() -> None:
    """Load the library, which a worker does once in its life."""
    import pairsift.distributed  # noqa: F401


class State(NamedTuple):
    """What a worker has used so far."""

    process: int
    cpu: float
    peak: float
    """Most bytes that it held, nan if that cannot be known."""


def peak_here() -> float:
    """Return the most bytes that this process held, nan if that cannot be known."""
    if not IS_MEASURABLE:
        return np.nan
    text = Path("/proc/self/status").read_text()
    line = next(line for line in text.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024.0


def _state() -> State:
    return State(os.getpid(), time.process_time(), peak_here())


def _states(client: Any) -> dict[int, State]:
    """Return the states of all workers by process; those of threads are ours."""
    states = [_state()] if client is None else [_state(), *client.run(_state).values()]
    return {state.process: state for state in states}


def run_on_blocks(selector: Any, lazy: Lazy, client: Any, **how: Any) -> Run:
    """Fit a selector to a lazy table, and say what that took."""
    from pairsift import distributed
    from pairsift.distributed._dask import DaskSource

    source = DaskSource(lazy.as_dask())
    counted = Counted(source)
    Path(lazy.notes).write_bytes(b"")
    before = _states(client)
    began = time.perf_counter()
    distributed.fit(selector, source, **how)
    seconds = time.perf_counter() - began
    after = _states(client)
    noted = np.fromfile(lazy.notes)
    workers = [state for state in after.values() if state.process != os.getpid()]
    return Run(
        seconds=seconds,
        cpu=sum(state.cpu for state in after.values())
        - sum(state.cpu for state in before.values()),
        client_cpu=after[os.getpid()].cpu - before[os.getpid()].cpu,
        making=float(noted.sum()),
        n_made=noted.size,
        n_asked=counted.n_asked,
        n_passes=counted.n_passes,
        n_gathers=counted.n_gathers,
        peak=max((state.peak for state in workers), default=np.nan),
        n_lost=len(set(before) - set(after)),
    )


class Took(NamedTuple):
    """What a call in this process took."""

    seconds: float
    cpu: float


def took(call: Callable[[], Any]) -> Took:
    began, cpu = time.perf_counter(), time.process_time()
    call()
    return Took(time.perf_counter() - began, time.process_time() - cpu)
