"""Kernels are kept on disk where that is possible, and run everywhere."""

import json
import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.subprocess

MODULE = """
from pairsift._kernels._jit import kernel

@kernel()
def double(x):
    return 2 * x

@kernel()
def triple(x):
    return 3 * x
"""
SCRIPT = """
import json, sys, warnings
from loops import double, triple
before = sys.argv[1]
exec(before)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    results = [double(4), double(0.5), triple(4)]
compiled = sum(sum(f.stats.cache_misses.values()) for f in (double, triple))
assert all(w.filename == "<string>" for w in caught), "the lines of this script"
print(json.dumps([results, compiled, [str(w.message) for w in caught]]))
"""
FULL_DISK = (
    "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
    "resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))"
)


@pytest.fixture
def run(tmp_path):
    """Return a function that runs three kernels in a process of its own."""
    (tmp_path / "loops.py").write_text(MODULE)

    def run_once(before="", **environment):
        environment = {
            **os.environ,
            "PYTHONPATH": str(tmp_path),
            "PYTHONDONTWRITEBYTECODE": "1",
            "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
            **environment,
        }
        command = [sys.executable, "-c", SCRIPT, before]
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True
        )
        results, n_compiled, warned = json.loads(done.stdout)
        assert results == [8, 1.0, 12]
        return n_compiled, warned

    return run_once


def test_a_second_process_compiles_nothing(run):
    assert run() == (3, [])
    assert run() == (0, [])


def test_kernels_run_where_no_folder_can_be_written_and_say_so_once(run, tmp_path):
    # Root may write anywhere, but nobody below a file.
    (tmp_path / "__pycache__").touch()
    nowhere = str(tmp_path / "loops.py" / "cache")
    n_compiled, warned = run(
        NUMBA_CACHE_DIR=nowhere, HOME=nowhere, XDG_CACHE_HOME=nowhere
    )
    assert n_compiled == 3
    assert len(warned) == 1
    assert "compiled kernels cannot be kept on disk" in warned[0]


@pytest.mark.skipif(os.name == "nt", reason="limits of POSIX")
def test_kernels_run_where_the_disk_is_full_and_say_so_once(run):
    n_compiled, warned = run(FULL_DISK)
    assert n_compiled == 3
    assert len(warned) == 1
    assert "File too large" in warned[0]
    assert run() == (3, [])


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize("share", [0.0, 0.9])
def test_files_cut_short_are_replaced(run, tmp_path, ending, share):
    run()
    for file in (tmp_path / "cache").rglob(f"*.{ending}"):
        os.truncate(file, int(share * file.stat().st_size))
    assert run() == (3, [])
    assert run() == (0, [])


def test_one_damaged_byte_of_code_is_noticed(run, tmp_path):
    run()
    for file in (tmp_path / "cache").rglob("*.nbc"):
        content = bytearray(file.read_bytes())
        content[content.index(b"ELF") + 100] ^= 1
        file.write_bytes(content)
    assert run() == (3, [])
    assert run() == (0, [])


def test_code_for_other_arguments_is_not_taken(run, tmp_path):
    run()
    first, second = sorted((tmp_path / "cache").rglob("*double*.nbc"))
    second.write_bytes(first.read_bytes())
    n_compiled, _ = run()
    assert n_compiled >= 1
    assert run() == (0, [])


@pytest.mark.skipif(os.name == "nt", reason="limits of POSIX")
def test_a_damaged_file_on_a_full_disk_ends_no_fit(run, tmp_path):
    run()
    for file in (tmp_path / "cache").rglob("*.nbi"):
        os.truncate(file, 40)
    n_compiled, warned = run(FULL_DISK)
    assert n_compiled == 3
    assert len(warned) == 1
