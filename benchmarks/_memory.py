"""Peak extra memory of one method, measured in a fresh process.

Not by ``ru_maxrss``: on Linux a child inherits its parent's, so that a big parent hides
all its child does. The high-water mark of /proc belongs to the process alone and can be
reset once the data are made.
"""

import ctypes
import gc
import subprocess
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from benchmarks._scenario import Scenario

ROOT = Path(__file__).resolve().parents[1]
IS_MEASURABLE = Path("/proc/self/status").exists()


def peak_extra_bytes(
    scenario: type[Scenario], method: str, *, threads: int, tiny: bool
) -> int:
    """Run `method` in a fresh process and return how far memory rose above the data."""
    place = f"{scenario.__module__}:{scenario.__qualname__}"
    command = [sys.executable, "-m", "benchmarks._memory", place, method, str(threads)]
    child = subprocess.run(
        command + ["tiny"] * tiny,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return int(child.stdout.splitlines()[-1])


def main() -> None:
    place, method, threads, *tiny = sys.argv[1:]
    module, _, name = place.partition(":")
    scenario_class = getattr(import_module(module), name)
    # Imports and compiled code are no memory of the method: both happen here.
    warm_up = scenario_class(int(threads), tiny=True)
    warm_up.setup()
    getattr(warm_up, method)()

    scenario = scenario_class(int(threads), tiny=bool(tiny))
    scenario.setup()
    gc.collect()
    # Freed memory that the allocator keeps would be used again without being seen.
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)
    # Where the mark cannot be reset the result errs on the side of too much.
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
    before = _status_bytes("VmRSS")
    getattr(scenario, method)()
    print(max(0, _status_bytes("VmHWM") - before))


def _status_bytes(field: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        key, _, value = line.partition(":")
        if key == field:
            return int(value.split()[0]) * 1024
    raise KeyError(field)


if __name__ == "__main__":
    main()
