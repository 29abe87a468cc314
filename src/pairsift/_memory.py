"""The memory that is left for this process, whatever limits it."""

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np

ROOT = Path("/")
# By version of the control groups: the files of the limit and of what is used, and the
# line of memory.stat with the files in memory that give way to other data.
_FILES = {
    1: ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
    2: ("memory.max", "memory.current", "inactive_file"),
}


def available_memory() -> float:
    """Return the bytes that can be had without swapping, inf where nothing tells.

    The least of what the machine, the control groups and the limit of addresses leave.
    """
    return max(min(_of_machine(), _of_groups(), _of_addresses()), 0.0)


def _of_machine() -> float:
    try:
        lines = (ROOT / "proc/meminfo").read_text(encoding="ascii").splitlines()
        kilobytes = dict(line.split(":") for line in lines)["MemAvailable"].split()[0]
        return 1024.0 * float(kilobytes)
    except (OSError, KeyError, ValueError):
        pass
    try:
        return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, OSError, ValueError):
        return np.inf


def _of_groups() -> float:
    """Return what the control groups leave, each of which may have a limit."""
    left = [_of_group(folder, version) for folder, version in _groups()]
    return min(left, default=np.inf)


def _groups() -> Iterator[tuple[Path, int]]:
    """Yield the folders of the groups that this process is in, up to the root."""
    try:
        lines = (ROOT / "proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return
    base = ROOT / "sys/fs/cgroup"
    for line in lines:
        number, controllers, path = line.split(":", 2)
        if "memory" in controllers.split(","):
            top, version = base / "memory", 1
        elif number == "0":
            top, version = base, 2
        else:
            continue
        # Within a container, its own group is the root and the path is not there.
        inner = top / path.lstrip("/")
        for folder in (inner, *inner.parents):
            yield folder, version
            if folder == top:
                break


def _of_group(folder: Path, version: int) -> float:
    limit_file, used_file, giving_way = _FILES[version]
    try:
        limit = float((folder / limit_file).read_text(encoding="ascii"))
        used = float((folder / used_file).read_text(encoding="ascii"))
    except (OSError, ValueError):
        # No such group, or the word max.
        return np.inf
    try:
        stat = (folder / "memory.stat").read_text(encoding="ascii").splitlines()
        used -= float(dict(line.split() for line in stat)[giving_way])
    except (OSError, KeyError, ValueError):
        pass
    return limit - used


def _of_addresses() -> float:
    """Return what `ulimit -v` leaves."""
    try:
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit == resource.RLIM_INFINITY:
            return np.inf
        pages = (ROOT / "proc/self/statm").read_text(encoding="ascii").split()[0]
        return limit - float(pages) * resource.getpagesize()
    except (ImportError, OSError, ValueError):
        return np.inf
