"""What the tests share."""

import os
from pathlib import Path

import numba
import numpy as np
import pytest
from hypothesis import settings

# A loaded machine is no error: no test asserts how long something takes.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

KERNELS = Path(__file__).parents[1] / "src" / "pairsift" / "_kernels"
CACHE = Path(os.environ.get("NUMBA_CACHE_DIR", KERNELS))
SHARED_DATA = Path(
    os.environ.get("PAIRSIFT_DATA", Path(__file__).parents[2] / "shared" / "data")
)


def pytest_configure(config):
    clear_stale_kernels(config)
    if numba.config.DISABLE_JIT:
        # Compiled loops compute inf - inf or 1 / 0 without a word, as they mean to.
        # Python warns of it for scalars, which only these loops compute with.
        config.addinivalue_line(
            "filterwarnings", "ignore:.* encountered in scalar:RuntimeWarning"
        )


def clear_stale_kernels(config):
    """Have kernels compiled again when one of them has changed.

    Numba compares a kernel with its own file, not with those of kernels it calls.
    """
    compiled = list(CACHE.rglob("*.nb[ic]"))
    changed = max(source.stat().st_mtime for source in KERNELS.rglob("*.py"))
    is_stale = any(file.stat().st_mtime < changed for file in compiled)
    # Before the first test process starts, which would write new ones.
    if is_stale and not hasattr(config, "workerinput"):
        for file in compiled:
            file.unlink(missing_ok=True)


@pytest.fixture(autouse=True)
def threads_for_little_work(monkeypatch):
    """Have little data worked on by as many threads, in as many blocks, as much."""
    monkeypatch.setattr("pairsift._kernels._jit.THREAD_COST", 1.0)
    monkeypatch.setattr("pairsift._kernels._jit.BLOCK_COST", 1.0)


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.fixture
def shared_data():
    if not SHARED_DATA.is_dir():
        pytest.skip("the data sets of the papers are not beside the project")
    return SHARED_DATA
