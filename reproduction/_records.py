"""Outcomes of parts as they are stored: with runs, date, machine and version."""

from __future__ import annotations

import json
import os
import platform
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from pairsift import __version__
from pairsift.exceptions import StorageError
from reproduction._experiment import Curve, Experiment, Outcome, Outcomes, Part
from reproduction._run_log import RunLog, sources_digest

_FORMAT = "pairsift outcomes 1"
MOST_POINTS = 200
"""Number of points that are drawn of a curve that has more."""


class Made(NamedTuple):
    """How the outcomes of a part were made.

    `n_runs` is the number asked for, of which some cells need one only; `seconds` is
    the processor time of these runs together, None where it was not measured.
    """

    n_runs: int
    seed: int
    date: str
    machine: str
    version: str
    seconds: float | None = None
    sources: str = ""
    note: str = ""


class Record(NamedTuple):
    """The outcomes of a part, and how they were made."""

    outcomes: Outcomes
    made: Made


def made_now(paper: str, n_runs: int, seed: int, seconds: float) -> Made:
    """Return how outcomes are made that are made now."""
    return Made(
        n_runs,
        seed,
        date=datetime.now(UTC).date().isoformat(),
        machine=machine(),
        version=__version__,
        seconds=round(seconds, 3),
        sources=sources_digest(paper),
    )


def machine() -> str:
    """Return the model of the processor, the number of cores and the system."""
    # `platform` does not know the model on Linux.
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    models = (line.partition(":")[2] for line in lines if line.startswith("model name"))
    model = next(models, platform.processor()).strip() or platform.machine()
    return f"{model}, {os.cpu_count()} cores, {platform.system()}"


class RecordStore:
    """A folder of outcomes, a file for each paper, and of the values of runs."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._folder, self._seed = folder, seed
        self._papers: dict[str, dict[str, list[Any]]] = {}

    def log(self, paper: str) -> RunLog:
        """Return the values of single runs of a paper."""
        return RunLog(self._folder / "runs", paper, self._seed)

    def find(self, experiment: Experiment, place: int) -> Record | None:
        """Return the outcomes of a part by its place, None if its cells are others."""
        tables = self._read(experiment.paper)
        stored = tables.get(experiment.table, [])
        record = _from_json(stored[place]) if place < len(stored) else None
        part = experiment.parts[place]
        return record if record is not None and _fits(part, record) else None

    def save(self, experiment: Experiment, place: int, record: Record) -> None:
        """Keep the outcomes of a part, in place of those that were there."""
        tables = self._read(experiment.paper)
        stored = tables.setdefault(experiment.table, [])
        stored += [None] * (len(experiment.parts) - len(stored))
        stored[place] = _as_json(record)
        document = {"format": _FORMAT, "seed": self._seed, "tables": tables}
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._path(experiment.paper)
        draft = path.with_suffix(".part")
        draft.write_text(_written(document), encoding="utf-8")
        draft.replace(path)

    def _path(self, paper: str) -> Path:
        return self._folder / f"{paper}.json"

    def _read(self, paper: str) -> dict[str, list[Any]]:
        if paper not in self._papers:
            self._papers[paper] = self._read_file(self._path(paper))
        return self._papers[paper]

    def _read_file(self, path: Path) -> dict[str, list[Any]]:
        if not path.exists():
            return {}
        try:
            document = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            document = None
        if not isinstance(document, dict) or document.get("format") != _FORMAT:
            raise StorageError(f"{path} is no file of outcomes: give another folder.")
        if document["seed"] != self._seed:
            raise StorageError(
                f"store {self._folder} holds outcomes of the seed {document['seed']}, "
                f"got {self._seed}: give another folder, or that seed."
            )
        tables: dict[str, list[Any]] = document["tables"]
        return tables


def _fits(part: Part, record: Record) -> bool:
    return all(cell.key in record.outcomes for cell in part.cells)


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
    return {"made": record.made._asdict(), "cells": cells}


def _short(curve: Curve) -> list[list[float]]:
    """Round what is only drawn, and leave out points that no picture shows."""
    step = max(1, len(curve.sizes) // MOST_POINTS)
    values = [float(f"{value:.6g}") for value in curve.values[::step]]
    return [curve.sizes[::step], values]


def _from_json(stored: Any) -> Record | None:
    if stored is None:
        return None
    outcomes = {
        (row, column): Outcome(
            value, spread, n_runs, None if curve is None else Curve(*curve)
        )
        for row, column, value, spread, n_runs, curve in stored["cells"]
    }
    return Record(outcomes, Made(**stored["made"]))


def _written(document: dict[str, Any]) -> str:
    """Write a line for each part, so that a change is a change of its line."""
    head = {key: value for key, value in document.items() if key != "tables"}
    tables = []
    for name, parts in document["tables"].items():
        lines = ",\n".join(json.dumps(part, ensure_ascii=False) for part in parts)
        tables.append(f"{json.dumps(name)}: [\n{lines}\n]")
    body = ",\n".join(tables)
    return f'{json.dumps(head)[:-1]}, "tables": {{\n{body}\n}}}}\n'
