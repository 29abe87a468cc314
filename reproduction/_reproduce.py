"""Run published experiments and put our values beside the published ones."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from math import inf
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple

from joblib import Memory

from pairsift.datasets import load
from pairsift.exceptions import DataError
from reproduction._experiment import (
    NO_DATA,
    NOT_RUN,
    PENDING,
    Bench,
    Curve,
    Experiment,
    Judged,
    MissingData,
    Outcomes,
    Paper,
    Part,
    curve_of,
    judge_part,
    without_outcome,
)
from reproduction._store import Made, Record, Store, code_digest, made_now
from reproduction.coelho2013 import PAPER as COELHO_2013
from reproduction.hijazi2019 import PAPER as HIJAZI_2019
from reproduction.hijazi2021 import PAPER as HIJAZI_2021
from reproduction.salmi2020 import PAPER as SALMI_2020

PAPERS: dict[str, Paper] = {
    paper.key: paper for paper in (HIJAZI_2019, HIJAZI_2021, SALMI_2020, COELHO_2013)
}


def experiments(
    paper: str | None = None, table: str | None = None
) -> tuple[Experiment, ...]:
    """Return published experiments, by default all, in the order of the papers.

    A figure that shows the numbers of a table is found as that table, and what was
    published twice as the later one.
    """
    if paper is None:
        if table is not None:
            raise DataError(f"paper must be given to find the table {table!r}.")
        return tuple(e for paper in PAPERS.values() for e in paper.experiments)
    if paper not in PAPERS:
        raise DataError(f"paper must be one of {', '.join(PAPERS)}, got {paper!r}.")
    if table is None:
        return PAPERS[paper].experiments
    shown = _shown(paper)
    if table not in shown:
        raise DataError(
            f"table must be one of {', '.join(shown)} for {paper}, got {table!r}."
        )
    return (shown[table],)


def _shown(paper: str) -> dict[str, Experiment]:
    """Return what shows each table and figure of a source, its own first."""
    shown = {experiment.table: experiment for experiment in PAPERS[paper].experiments}
    for other in PAPERS.values():
        for experiment in other.experiments:
            for name in experiment.also:
                source, _, table = name.rpartition(" ")
                if (source or other.key) == paper:
                    shown.setdefault(table, experiment)
    return shown


class Result(NamedTuple):
    """An experiment, its cells with our values, and how each part was made."""

    experiment: Experiment
    cells: list[Judged]
    made: list[tuple[Part, Made]]

    @property
    def curves(self) -> dict[tuple[str, str], Curve]:
        """Our curves by row and column, and those made of single points."""
        curves: dict[tuple[str, str], Curve] = {}
        for cell, ours, *_ in self.cells:
            name, at = curve_of(self.experiment, cell)
            if ours is None:
                continue
            if ours.curve is not None:
                curves[name] = ours.curve
            elif at is not None:
                curve = curves.setdefault(name, Curve([], []))
                curve.sizes.append(at)
                curve.values.append(float(ours.value))
        return curves


def reproduce(
    paper: str | None = None, table: str | None = None, **options: Any
) -> list[Result]:
    """Run published experiments; the options are those of `Runner`.

    The protocol of the paper is followed, also where a better one is known; nothing
    is fitted to the published values.
    """
    chosen = experiments(paper, table)
    runner = Runner(**options)
    return [runner.measure(experiment) for experiment in chosen]


class Runner:
    """Measures experiments, and stores what comes out.

    Parameters
    ----------
    n_runs : int, optional
        Number of runs where the protocol draws at random; by default a number that
        each experiment states.
    data_dir : path-like, optional
        Folder of the data files, see :func:`pairsift.datasets.load`.
    seed : int, default=0
        Seed of the random draws.
    store : path-like, optional
        Folder for outcomes, made if it is not there. Outcomes that the same code has
        stored are not made again, so that an interrupted run continues.
    budget : float, optional
        Seconds after which no further part is begun. Such a part has its stored
        outcomes, whatever code made them; with 0, nothing is run.
    """

    def __init__(
        self,
        *,
        n_runs: int | None = None,
        data_dir: str | os.PathLike[str] | None = None,
        seed: int = 0,
        store: str | os.PathLike[str] | None = None,
        budget: float | None = None,
    ) -> None:
        if n_runs is not None and n_runs < 1:
            raise DataError(f"n_runs must be at least 1, got {n_runs!r}.")
        if seed < 0:
            raise DataError(f"seed must be at least 0, got {seed!r}.")
        if budget is not None and not budget >= 0:
            raise DataError(f"budget must be 0 seconds or more, got {budget!r}.")
        self._n_runs = n_runs
        self._end = inf if budget is None else perf_counter() + budget
        self.store = None if store is None else Store(Path(store).expanduser(), seed)
        memory = self.store and self.store.folder / "memory"
        self.bench = Bench(0, seed, loader(data_dir), Memory(memory, verbose=0))

    def measure(self, experiment: Experiment) -> Result:
        """Run the parts of an experiment that are not stored, and judge all cells."""
        outcomes: Outcomes = {}
        cells: list[Judged] = []
        made = []
        for part in experiment.parts:
            record, missing = self._record(experiment, part)
            if record is not None:
                outcomes |= record.outcomes
                made.append((part, record.made))
                cells += judge_part(part, record.outcomes)
            else:
                cells += _unmeasured(part, outcomes, missing)
        return Result(experiment, cells, made)

    def _record(self, experiment: Experiment, part: Part) -> tuple[Record | None, str]:
        """Return the outcomes of a part, and else the name of the missing data."""
        if part.run is None:
            return None, ""
        stored = self.store.find(experiment, part) if self.store else None
        n_runs = part.runs_of(self._n_runs or experiment.n_runs)
        if perf_counter() >= self._end or (stored and _is_enough(stored, n_runs)):
            return stored, ""
        start = process_time()
        try:
            outcomes = part.run(replace(self.bench, n_runs=n_runs))
        except MissingData as error:
            return stored, str(error)
        seconds = process_time() - start
        # The values of earlier runs of the same code were read, in no time.
        is_whole = stored is None or stored.made.digest != code_digest()
        record = Record(
            {cell.key: outcomes[cell.key] for cell in part.cells},
            made_now(n_runs, self.bench.seed, seconds if is_whole else None),
        )
        if self.store:
            self.store.save(experiment, part, record)
        return record, ""


def _is_enough(stored: Record, n_runs: int) -> bool:
    """Whether this code has made these runs, or draws nothing at random."""
    if stored.made.digest != code_digest():
        return False
    used = max(outcome.n_runs for outcome in stored.outcomes.values())
    return stored.made.n_runs >= n_runs or used < stored.made.n_runs


def _unmeasured(part: Part, outcomes: Outcomes, missing: str) -> list[Judged]:
    if part.derive is not None:
        try:
            return judge_part(part, part.derive(outcomes))
        except KeyError:
            return without_outcome(part, NO_DATA, "it needs all other rows.")
    if part.run is None:
        return [Judged(c, None, PENDING, c.note or part.note) for c in part.cells]
    return without_outcome(part, NO_DATA if missing else NOT_RUN, missing)


def loader(data_dir: str | os.PathLike[str] | None) -> Callable[[str], Any]:
    """Return a function that loads each data set once, or raises `MissingData`."""
    if data_dir is not None and not Path(data_dir).expanduser().is_dir():
        raise DataError(
            f"data_dir must be an existing folder, got {os.fspath(data_dir)!r}."
        )

    @cache
    def attempt(name: str) -> Any:
        # A failure is remembered, too: a download may take long to fail.
        try:
            return load(name, data_dir=data_dir)
        except DataError as error:
            return MissingData(str(error))

    def load_once(name: str) -> Any:
        found = attempt(name)
        if isinstance(found, MissingData):
            raise found
        return found

    return load_once
