"""Measure a scenario, and say what was measured where."""

import json
import os
import platform
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks._memory import IS_MEASURABLE, peak_extra_bytes
from benchmarks._scenario import Scenario

PACKAGES = ("numpy", "scipy", "scikit-learn", "numba", "pairsift")
PAUSE = 0.02
HEADER = ("measure", "value", "times faster")


@dataclass(frozen=True)
class Measurement:
    """One number: seconds, bytes, or whatever a `track_*` method returns."""

    method: str
    value: float
    unit: str = ""
    repeats: tuple[float, ...] = ()
    times_faster: float | None = None

    def __str__(self) -> str:
        match self.unit:
            case "s":
                return f"{self.value:.4f} s"
            case "bytes":
                return f"{self.value / 1e6:.1f} MB"
        return f"{self.value:.3g}"


def measure(scenario: Scenario, *, repeat: int, tiny: bool) -> list[Measurement]:
    """Measure every method of a scenario, times first."""
    scenario.setup()
    measurements = _times(scenario, repeat)
    if IS_MEASURABLE:
        measurements += [
            Measurement(
                method,
                peak_extra_bytes(
                    type(scenario), method, threads=scenario.threads, tiny=tiny
                ),
                "bytes",
            )
            for method in scenario.methods("peakmem")
        ]
    for method in scenario.methods("track"):
        value = getattr(scenario, method)()
        if value is not None:
            measurements.append(Measurement(method, float(value)))
    return measurements


def _times(scenario: Scenario, repeat: int) -> list[Measurement]:
    """Return median seconds after one untimed call, methods taking turns."""
    calls = {method: getattr(scenario, method) for method in scenario.methods("time")}
    for call in calls.values():
        call()
    # By turns, so that a machine that slows down slows all of them.
    rounds = [
        {method: _seconds(calls[method]) for method in calls} for _ in range(repeat)
    ]
    repeats = {method: tuple(turn[method] for turn in rounds) for method in calls}
    medians = {method: statistics.median(repeats[method]) for method in calls}
    return [
        Measurement(
            method,
            medians[method],
            "s",
            repeats[method],
            medians[scenario.reference] / medians[method],
        )
        for method in calls
    ]


def _seconds(call: Callable[[], object]) -> float:
    _settle()
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def _settle() -> None:
    """Wait, awake, until the threads of the call before have come to rest.

    Those of OpenMP, which some peers use, keep a core busy for some milliseconds.
    """
    end = time.perf_counter() + PAUSE
    while time.perf_counter() < end:
        pass


def table(scenario: Scenario, measurements: list[Measurement]) -> str:
    """Return an aligned table of the measurements of one scenario."""
    rows = [HEADER] + [
        (m.method, str(m), _faster(m, scenario.reference)) for m in measurements
    ]
    first, second, third = (max(map(len, column)) for column in zip(*rows, strict=True))
    sizes = ", ".join(f"{name}={size:,}" for name, size in scenario.size.items())
    lines = [f"{a:<{first}}  {b:>{second}}  {c:>{third}}".rstrip() for a, b, c in rows]
    rule = "-" * max(map(len, lines))
    title = f"{scenario.name}: {sizes}, threads={scenario.threads}"
    return "\n".join([title, lines[0], rule, *lines[1:]])


def _faster(measurement: Measurement, reference: str) -> str:
    if measurement.times_faster is None:
        return ""
    if measurement.method == reference:
        return "reference"
    return f"{measurement.times_faster:.2f}"


def records(
    scenario: Scenario, measurements: list[Measurement], *, tiny: bool
) -> list[dict[str, Any]]:
    """Return one self-contained record per measurement."""
    circumstances = {
        "scenario": scenario.name,
        "reference": scenario.reference,
        "sizes": scenario.size,
        "seed": scenario.seed,
        "threads": scenario.threads,
        "tiny": tiny,
        "versions": versions(),
        "machine": machine(),
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    return [asdict(measurement) | circumstances for measurement in measurements]


def is_recorded(scenario: Scenario, path: Path) -> bool:
    """Tell whether a file has records of a scenario, with its sizes."""
    if not path.exists():
        return False
    known = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    wanted = scenario.name, scenario.size, scenario.threads
    return any((r["scenario"], r["sizes"], r["threads"]) == wanted for r in known)


def versions() -> dict[str, str]:
    python = {"python": platform.python_version()}
    return python | {package: version(package) for package in PACKAGES}


def machine() -> dict[str, Any]:
    return {
        "system": platform.platform(),
        "processor": _processor(),
        "cores": os.cpu_count(),
    }


def _processor() -> str:
    """Return the model of the processor, which `platform` does not know on Linux."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    models = (line.partition(":")[2] for line in lines if line.startswith("model name"))
    return next(models, platform.processor()).strip()
