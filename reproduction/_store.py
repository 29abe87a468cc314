"""Outcomes on disk: a JSON Lines file per table, in it a line per part."""

from __future__ import annotations

import json
import os
import platform
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import pairsift
from pairsift.exceptions import StorageError
from reproduction._experiment import Curve, Experiment, Outcome, Outcomes, Part

# A curve with more points is thinned before it is stored.
MAX_POINTS = 200


class Made(NamedTuple):
    """The circumstances in which the outcomes of a part were made.

    `n_runs` is the number asked for, although some cells need one run only. `seconds`
    is the processor time of all runs, None where it was not measured.
    """

    n_runs: int
    seed: int
    date: str
    machine: str
    version: str
    seconds: float | None = None
    digest: str = ""
    note: str = ""


class Record(NamedTuple):
    """The outcomes of a part, and how they were made."""

    outcomes: Outcomes
    made: Made


def made_now(n_runs: int, seed: int, seconds: float | None) -> Made:
    """Return how outcomes are made today, here and by this code."""
    return Made(
        n_runs,
        seed,
        date=datetime.now(UTC).date().isoformat(),
        machine=machine(),
        version=pairsift.__version__,
        seconds=None if seconds is None else round(seconds, 3),
        digest=code_digest(),
    )


def machine() -> str:
    """Return the model of the processor, the number of cores and the system."""
    # `platform` does not know the model on Linux.
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    models = (line.partition(":")[2] for line in lines if line.startswith("model name"))
    model = next(models, platform.processor()).strip() or platform.machine()
    return f"{model}, {os.cpu_count()} cores, {platform.system()}"


@cache
def code_digest() -> str:
    """Return the version of pairsift with a digest of its selectors and scores."""
    package = Path(pairsift.__file__).parent
    digest = sha256()
    for folder in ("scores", "selectors"):
        for file in sorted((package / folder).rglob("*.py")):
            digest.update(file.read_bytes())
    return f"{pairsift.__version__} {digest.hexdigest()[:12]}"


class Store:
    """A folder with a folder per paper."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self._seed = folder, seed

    def find(self, experiment: Experiment, part: Part) -> Record | None:
        """Return the outcomes of a part, None if any of its cells has none."""
        return _fitting(part, self._read(experiment))

    def save(self, experiment: Experiment, part: Part, record: Record) -> None:
        """Keep the outcomes of a part in place of those that were there."""
        stored = self._read(experiment)
        records = (
            record if other is part else _fitting(other, stored)
            for other in experiment.parts
        )
        lines = [json.dumps(_as_json(r), ensure_ascii=False) for r in records if r]
        path = self._path(experiment)
        path.parent.mkdir(parents=True, exist_ok=True)
        # Written beside the file first: a program that ends here loses nothing.
        draft = path.with_suffix(".part")
        draft.write_text("\n".join([*lines, ""]), encoding="utf-8")
        draft.replace(path)

    def _path(self, experiment: Experiment) -> Path:
        return self.folder / experiment.paper / f"{experiment.table}.jsonl"

    def _read(self, experiment: Experiment) -> list[Record]:
        path = self._path(experiment)
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        try:
            records = [_from_json(json.loads(line)) for line in lines]
        except (ValueError, TypeError, KeyError) as error:
            raise StorageError(
                f"{path} does not contain stored outcomes: give another folder."
            ) from error
        for record in records:
            if record.made.seed != self._seed:
                raise StorageError(
                    f"{path} contains outcomes of the seed {record.made.seed}, got "
                    f"{self._seed}: give another folder, or that seed."
                )
        return records


def _fitting(part: Part, records: list[Record]) -> Record | None:
    """Return the record that has all cells of the part, None if there is none."""
    keys = {cell.key for cell in part.cells}
    return next((r for r in records if keys <= r.outcomes.keys()), None)


def _as_json(record: Record) -> dict[str, Any]:
    cells = [
        [
            *key,
            o.value,
            o.spread,
            o.n_runs,
            None if o.curve is None else _short(o.curve),
        ]
        for key, o in record.outcomes.items()
    ]
    return {"cells": cells, "made": record.made._asdict()}


def _short(curve: Curve) -> list[list[float]]:
    """Round what is only drawn, and leave out points that no picture shows."""
    step = max(1, len(curve.sizes) // MAX_POINTS)
    values = [float(f"{value:.6g}") for value in curve.values[::step]]
    return [curve.sizes[::step], values]


def _from_json(stored: dict[str, Any]) -> Record:
    outcomes = {
        (row, column): Outcome(
            value, spread, n_runs, None if curve is None else Curve(*curve)
        )
        for row, column, value, spread, n_runs, curve in stored["cells"]
    }
    return Record(outcomes, Made(**stored["made"]))
