"""Threads and processes that `n_jobs` stands for."""

import multiprocessing
import os
from functools import cache

import joblib


def number_of_jobs(n_jobs: int | None) -> int:
    """Return how many threads or processes `n_jobs` stands for, at least 1.

    None is what `joblib.parallel_config` says, 1 outside of it; -1 is a thread for each
    core, -2 one fewer.
    """
    if n_jobs is None:
        n_jobs = joblib.effective_n_jobs(None)
    if n_jobs < 0:
        n_jobs += _n_cores() + 1
    return max(n_jobs, 1)


# Counting takes as long as a small kernel.
@cache
def _n_cores() -> int:
    """Return the cores that this process may use.

    A container or batch system may limit them. A worker of joblib or Dask is started
    with its share in the environment.
    """
    n_cores = joblib.cpu_count()
    granted = os.environ.get("OMP_NUM_THREADS", "")
    if multiprocessing.parent_process() is not None and granted.isdecimal():
        n_cores = min(n_cores, int(granted))
    return max(n_cores, 1)


# The environment of a child process is another one.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_n_cores.cache_clear)
