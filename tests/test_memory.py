"""The memory that is left, by what the system says in its files."""

import subprocess
import sys

import numpy as np
import pytest

from pairsift import _checks, _memory
from pairsift._memory import available_memory

GB = 2**30


@pytest.fixture
def system(tmp_path, monkeypatch):
    """A machine with 10 GB to be had, whose files can be written."""
    monkeypatch.setattr(_memory, "ROOT", tmp_path)

    def write(path, text):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(str(text))

    write("proc/meminfo", f"MemTotal: 1 kB\nMemAvailable: {10 * GB // 1024} kB\n")
    return write


def test_without_limits_it_is_that_of_the_machine(system):
    assert available_memory() == 10 * GB


def test_a_limit_of_a_control_group_of_version_2_counts(system):
    system("proc/self/cgroup", "0::/user.slice/app.scope\n")
    group = "sys/fs/cgroup/user.slice/app.scope"
    system(f"{group}/memory.max", 4 * GB)
    system(f"{group}/memory.current", 3 * GB)
    assert available_memory() == GB
    # Files that were read stay in memory until something else needs it.
    system(f"{group}/memory.stat", f"anon 5\ninactive_file {2 * GB}\n")
    assert available_memory() == 3 * GB
    system(f"{group}/memory.max", "max\n")
    assert available_memory() == 10 * GB


def test_a_limit_of_a_group_above_counts(system):
    system("proc/self/cgroup", "0::/outer/inner\n")
    system("sys/fs/cgroup/outer/inner/memory.max", "max")
    system("sys/fs/cgroup/outer/inner/memory.current", GB)
    system("sys/fs/cgroup/outer/memory.max", 2 * GB)
    system("sys/fs/cgroup/outer/memory.current", GB)
    assert available_memory() == GB


def test_a_limit_of_a_control_group_of_version_1_counts(system):
    system("proc/self/cgroup", "9:cpu:/other\n4:memory:/docker/abc\n0::/\n")
    # Within a container, the folder of its group is the root.
    system("sys/fs/cgroup/memory/memory.limit_in_bytes", 2 * GB)
    system("sys/fs/cgroup/memory/memory.usage_in_bytes", GB)
    system("sys/fs/cgroup/memory/memory.stat", f"total_inactive_file {GB // 2}\n")
    assert available_memory() == 1.5 * GB


def test_more_use_than_the_limit_leaves_nothing(system):
    system("proc/self/cgroup", "0::/\n")
    system("sys/fs/cgroup/memory.max", GB)
    system("sys/fs/cgroup/memory.current", 2 * GB)
    assert available_memory() == 0.0


def test_memory_is_unknown_where_nothing_tells(tmp_path, monkeypatch):
    monkeypatch.setattr(_memory, "ROOT", tmp_path)
    monkeypatch.delattr(_memory.os, "sysconf")
    assert available_memory() == np.inf
    _checks.check_memory(1e30, "they", "wait")


def test_this_machine_has_some():
    assert 1e6 < available_memory() < np.inf


@pytest.mark.subprocess
@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc and RLIMIT_AS")
def test_a_limit_of_addresses_counts():
    code = (
        "import resource\n"
        "from pairsift._memory import available_memory\n"
        "used = int(open('/proc/self/statm').read().split()[0]) * 4096\n"
        "resource.setrlimit(resource.RLIMIT_AS, (used + 2**28, used + 2**28))\n"
        "print(available_memory())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert 0 <= float(done.stdout) <= 2**28
