"""The one place that knows how kernels are compiled, run on threads and stopped."""

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar, copy_context
from functools import cache
from itertools import pairwise

import numba
import numpy as np
from threadpoolctl import OpenBLASController, ThreadpoolController

from pairsift._cores import number_of_jobs
from pairsift._kernels._cache import keep_compiled
from pairsift._kernels._interrupts import interrupts_later
from pairsift._typing import FloatArray, IndexArray

# Sums over rows or pairs are taken in this many parts, and the parts added in order:
# the result has the same bits for any number of threads.
N_BLOCKS = 64
MAX_THREADS = 256
# A thread may lose its core to another program for a while.
PARTS_EACH = 4
# Nanoseconds. A part takes about as long at most, because a call can be stopped between
# parts only; the caller hands on longer ones, because Python handles no signal while
# it runs one; and work for less is done before a thread has woken up.
PART_COST = 1e8
LONG_COST = 5e8
THREAD_COST = 1e5
# A block of rows is worth as much at least: what Python does for each, a tenth of a
# millisecond, keeps other threads waiting. ReliefF on 1,000 x 100 took 6.9 ms on two
# threads with blocks of 32 rows, which was no less than on one, and takes 4.3.
BLOCK_COST = 2e6
# Seconds to wait for threads at a time, and for those that have been told to stop.
MOMENT = 0.1
PATIENCE = 2.0
WORKER = "pairsift-kernel"


def kernel(*, inline=False, part=False, inner=False, fused=False, reordered=False):
    """Compile a function without touching the order of its floating-point operations.

    Code is cached on disk, so that only the first use after an installation pays for
    compiling; `inline` marks small functions meant to vanish into their callers, `part`
    those that are compiled with their callers only, which is faster than twice;
    `inner` those that only kernels call, which need no code to be called from Python;
    `fused` allows to round a product and a sum once, where the processor can;
    `reordered` allows that, and to add up a sum in any order, the same at each call.
    Kernels release the interpreter lock and run on plain threads: compiling parallel
    loops takes twice as long (measured on these kernels).
    """
    allowed = {"contract": fused or reordered, "reassoc": reordered}
    compiled = numba.njit(
        nogil=True,
        error_model="numpy",
        no_cfunc_wrapper=True,
        no_cpython_wrapper=inner,
        forceinline=inline,
        inline="always" if part else "never",
        fastmath={flag for flag, is_set in allowed.items() if is_set},
    )

    def decorate(function):
        found = compiled(function)
        # Without compiling, for the debugger, Numba returns the function itself.
        if found is not function:
            keep_compiled(found)
        return found

    return decorate


class _OneBlasThread:
    """Keeps products of matrices on the thread that asks for them, while anyone asks.

    The number of threads belongs to the process: the first to enter sets it to one,
    and the last to leave restores it, in whatever order others come and go.
    """

    def __init__(self) -> None:
        self._n_inside, self.lock = 0, threading.Lock()

    def __enter__(self) -> None:
        with self.lock:
            if self._n_inside == 0:
                _let_any_thread_set_blas()
                self._limit = _blas().limit(limits=1, user_api="blas")
            self._n_inside += 1

    def __exit__(self, *_: object) -> None:
        with self.lock:
            self._n_inside -= 1
            if self._n_inside == 0:
                _let_any_thread_set_blas()
                self._limit.restore_original_limits()
                _let_any_thread_set_blas()


def _let_any_thread_set_blas() -> None:
    """Undo that newer versions of threadpoolctl heed the first thread alone.

    Here the last to leave is often another one, and what it set would be ignored.
    """
    clear = getattr(OpenBLASController, "clear_controlling_thread", None)
    if clear is not None:
        clear(force=True)


@cache
def _blas() -> ThreadpoolController:
    return ThreadpoolController()


_one_blas_thread = _OneBlasThread()


def one_blas_thread() -> AbstractContextManager[None]:
    """Keep products of matrices on the thread that asks for them, in a with block."""
    return _one_blas_thread


class _Call:
    """A running call of `on_threads`."""

    is_stopped = False


class _Stopped(BaseException):
    """The call that a worker works for has been stopped."""


_worked_for: ContextVar[_Call | None] = ContextVar("worked_for", default=None)
_watcher: ContextVar[Callable[[float], None] | None] = ContextVar(
    "watcher", default=None
)


@contextmanager
def watching(report: Callable[[float], None]) -> Iterator[None]:
    """Call report(cost) whenever a part of the work is done, in a with block.

    It is called on any thread. An error that it raises stops the work.
    """
    token = _watcher.set(report)
    try:
        yield
    finally:
        _watcher.reset(token)


def report_done(cost: float) -> None:
    """Tell the watchers how many nanoseconds of work are done."""
    watcher = _watcher.get()
    if watcher is not None:
        watcher(cost)


def check_stopped() -> None:
    """End the work of this thread if the call that it works for has been stopped."""
    call = _worked_for.get()
    if call is not None and call.is_stopped:
        raise _Stopped


def on_threads(
    n_jobs: int | None,
    n_items: int,
    work: Callable[[int, int], None],
    *,
    cost: float,
    parts_each: int = PARTS_EACH,
    is_counted: bool = True,
) -> None:
    """Call work(start, stop) on consecutive parts of the items, one a thread at a time.

    An interrupt (Ctrl-C) or an error stops it: no other part is begun, and those that
    run are waited for, a moment at least.

    n_jobs : number of threads, see `number_of_jobs`.
    cost : nanoseconds that one core takes for all items, about; sets the number of
    threads and parts.
    parts_each : parts per thread, at least; a thread that is done early takes more.
    is_counted : whether to report parts that are done; not where `work` itself does.
    """
    n_threads = _n_threads(n_jobs, min(n_items, int(cost / THREAD_COST)))
    n_parts = max(n_threads * parts_each if n_threads > 1 else 1, cost / PART_COST)
    n_parts = max(min(int(n_parts), n_items), 1)
    edges = [part * n_items // n_parts for part in range(n_parts + 1)]
    parts = iter(list(pairwise(edges)))
    call = _Call()

    def take_parts() -> None:
        for start, stop in parts:
            check_stopped()
            if call.is_stopped:
                return
            with interrupts_later():
                work(start, stop)
            if is_counted:
                report_done(cost / n_parts)

    def help_out() -> None:
        _worked_for.set(call)
        try:
            take_parts()
        except _Stopped:
            pass
        except BaseException:
            call.is_stopped = True
            raise

    others: list[Future[None]] = []
    takes_part = cost / n_parts < LONG_COST or _is_worker()
    try:
        # An interrupt would leave locks of the pool as they may not be.
        with interrupts_later():
            for _ in range(n_threads - takes_part):
                others.append(_workers().submit(copy_context().run, help_out))
        if takes_part:
            take_parts()
        while _is_any_busy(others):
            pass
    except BaseException:
        call.is_stopped = True
        # Workers still write into the caller's arrays; one may be compiling.
        wait(others, timeout=PATIENCE)
        raise
    for other in others:
        other.result()


def _is_any_busy(others: list[Future[None]]) -> bool:
    """Wait for a moment; interrupts are heard at its end."""
    with interrupts_later():
        return bool(wait(others, timeout=MOMENT).not_done)


def _n_threads(n_jobs: int | None, most: int) -> int:
    # Workers that waited for workers could wait for ever.
    return 1 if _is_worker() else max(min(number_of_jobs(n_jobs), most), 1)


@cache
def _workers() -> ThreadPoolExecutor:
    """Return threads that stay: starting one takes longer than many a kernel."""
    return ThreadPoolExecutor(MAX_THREADS, thread_name_prefix=WORKER)


def _is_worker() -> bool:
    return threading.current_thread().name.startswith(WORKER)


# A forked process has none of the threads of its parent, nor may any hold a lock.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_workers.cache_clear)
    os.register_at_fork(
        before=_one_blas_thread.lock.acquire,
        after_in_child=_one_blas_thread.lock.release,
        after_in_parent=_one_blas_thread.lock.release,
    )


def sum_of_blocks(
    n_jobs: int | None,
    n_features: int,
    add: Callable[[int, int, FloatArray], None],
    n_blocks: int = N_BLOCKS,
    *,
    cost: float,
) -> FloatArray:
    """Sum over features, in blocks: add(first, last, sums) fills sums[first:last].

    cost : as in `on_threads`, of all blocks.
    """
    sums = np.zeros((n_blocks, n_features))
    on_threads(n_jobs, n_blocks, lambda first, last: add(first, last, sums), cost=cost)
    return sums.sum(axis=0)


def number_of_blocks(n_rows: int, cost: float = np.inf) -> int:
    """Return a number of blocks of at least 32 rows, or of all rows if fewer.

    cost : as in `on_threads`, of all rows, where blocks of little work do not pay.
    """
    most = min(N_BLOCKS, -(-n_rows // 32))
    return most if cost > most * BLOCK_COST else max(int(cost / BLOCK_COST), 1)


def chunks_of(
    rows: IndexArray, block: int, n_blocks: int, size: int
) -> Iterator[IndexArray]:
    """Yield the rows of one of the blocks, `size` at a time."""
    stop = (block + 1) * rows.size // n_blocks
    for start in range(block * rows.size // n_blocks, stop, size):
        check_stopped()
        yield rows[start : min(start + size, stop)]
