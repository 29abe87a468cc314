"""The one place that knows how kernels are compiled, and on how many threads."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numba

# Sums over rows or pairs are taken in this many parts, each by one thread, and the
# parts added in order: the result has the same bits for any number of threads.
N_BLOCKS = 64


def kernel(*, parallel=False, inline=False):
    """Compile a function without touching the order of its floating-point operations.

    Code is cached on disk, so that only the first use after an installation pays for
    compiling; `inline` marks small functions meant to vanish into their callers.
    """
    return numba.njit(
        cache=True,
        nogil=True,
        error_model="numpy",
        parallel=parallel,
        forceinline=inline,
    )


_one_at_a_time = threading.RLock()


@contextmanager
def threads(n_jobs: int | None) -> Iterator[None]:
    """Run kernels on `n_jobs` threads; None or -1 uses all cores, -2 all but one.

    Numba's fallback threading layer must not be entered from two Python threads at
    once, hence the lock.
    """
    most = numba.config.NUMBA_NUM_THREADS
    wanted = most if n_jobs is None else n_jobs
    if wanted < 0:
        wanted += most + 1
    with _one_at_a_time:
        before = numba.get_num_threads()
        numba.set_num_threads(min(max(wanted, 1), most))
        try:
            yield
        finally:
            numba.set_num_threads(before)
