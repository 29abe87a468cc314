"""Which parts are run, and how often: what is stored is not run again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import Any

from reproduction._experiment import (
    NO_DATA,
    NOT_RUN,
    PENDING,
    TOO_FEW,
    Bench,
    Experiment,
    Judged,
    MissingData,
    Outcomes,
    Part,
    goal_of,
    judge_part,
    without_outcome,
)
from reproduction._records import Record, RecordStore, made_now
from reproduction._run_log import RunLog, sources_digest

# Numbers of runs at which a part stops for others, when time is short.
_LADDER = (1, 2, 3, 5, 10, 20, 30, 50, 100)


@dataclass
class Job:
    """A part of an experiment, and what is known of it."""

    experiment: Experiment
    place: int
    keeps_runs: bool
    record: Record | None = None
    missing: str = ""

    @property
    def part(self) -> Part:
        """Return the part."""
        return self.experiment.parts[self.place]

    @property
    def n_runs(self) -> int:
        """Number of runs of the outcomes that are known."""
        return 0 if self.record is None else self.record.made.n_runs

    @property
    def is_open(self) -> bool:
        """Whether it can be run, and more runs may tell more."""
        if self.part.run is None or self.missing:
            return False
        if self.record is None:
            return True
        most = max(outcome.n_runs for outcome in self.record.outcomes.values())
        # Nothing is drawn at random where more runs were asked for than are told.
        return most >= self.n_runs

    @property
    def says_little(self) -> bool:
        """Whether nothing is known, or too little for a verdict."""
        if self.record is None:
            return True
        judged = judge_part(self.part, self.record.outcomes)
        return any(verdict == TOO_FEW for _, _, verdict, _ in judged)

    @property
    def seconds_per_run(self) -> float:
        """Processor time of one run, 0 if it is not known."""
        if self.record is None or not self.record.made.seconds:
            return 0.0
        return self.record.made.seconds / self.n_runs

    def expected(self, n_runs: int) -> float:
        """Return the seconds that more runs will take."""
        return self.seconds_per_run * (n_runs - self.n_runs * self.keeps_runs)

    def is_known(self, n_runs: int) -> bool:
        """Whether this code has made at least `n_runs` runs."""
        if self.record is None:
            return False
        made = self.record.made
        is_ours = made.sources == sources_digest(self.experiment.paper)
        return is_ours and (made.n_runs >= n_runs or not self.is_open)

    def run(self, bench: Bench) -> None:
        """Measure the part."""
        if self.part.run is None:
            return
        start = process_time()
        try:
            outcomes = self.part.run(bench)
        except MissingData as error:
            self.missing = str(error)
            return
        seconds = process_time() - start
        paper = self.experiment.paper
        if self.record is not None and self.keeps_runs:
            before = self.record.made
            if before.sources == sources_digest(paper):
                # Runs that were made before have been read, in no time.
                seconds += before.seconds or 0.0
        outcomes = {cell.key: outcomes[cell.key] for cell in self.part.cells}
        self.record = Record(
            outcomes, made_now(paper, bench.n_runs, bench.seed, seconds)
        )

    def judged(self, of_experiment: Outcomes) -> list[Judged]:
        """Return our outcome of each cell, the verdict and what is to be said."""
        part = self.part
        if part.derive is not None:
            try:
                return judge_part(part, part.derive(of_experiment))
            except KeyError:
                return without_outcome(part, NO_DATA, "it needs all other rows.")
        if part.run is None:
            found = without_outcome(part, PENDING, part.note)
            return [
                (cell, None, verdict, cell.note or n) for cell, _, verdict, n in found
            ]
        if self.record is not None:
            return judge_part(part, self.record.outcomes)
        if self.missing:
            return without_outcome(part, NO_DATA, self.missing)
        return without_outcome(part, NOT_RUN, "")


def judged(jobs: Sequence[Job]) -> list[Judged]:
    """Judge the parts of one experiment, of which some may follow from others."""
    outcomes: Outcomes = {}
    for job in jobs:
        outcomes |= {} if job.record is None else job.record.outcomes
    return [of_cell for job in jobs for of_cell in job.judged(outcomes)]


@dataclass
class Runner:
    """Runs jobs with one seed, and stores what comes out."""

    seed: int
    load: Callable[[str], Any]
    store: RecordStore | None = None

    def __post_init__(self) -> None:
        self._logs: dict[str, RunLog | None] = {}

    def jobs(self, experiment: Experiment, keeps_runs: bool) -> list[Job]:
        """Return the parts of an experiment, with what is stored of them."""
        places = range(len(experiment.parts))
        find = None if self.store is None else self.store.find
        return [
            Job(experiment, k, keeps_runs, find(experiment, k) if find else None)
            for k in places
        ]

    def run(self, job: Job, n_runs: int) -> None:
        """Measure a part and keep what comes out."""
        paper = job.experiment.paper
        if paper not in self._logs:
            self._logs[paper] = None if self.store is None else self.store.log(paper)
        job.run(Bench(n_runs, self.seed, self.load, self._logs[paper]))
        if self.store is not None and job.record is not None and job.part.run:
            self.store.save(job.experiment, job.place, job.record)

    def run_all(
        self, jobs: Sequence[Job], n_runs: int | None, advance: Callable[[], Any]
    ) -> None:
        """Run each part as often as asked for, or as its experiment states."""
        for job in jobs:
            asked = job.experiment.n_runs if n_runs is None else n_runs
            wanted = job.part.runs_of(asked)
            if not job.is_known(wanted):
                self.run(job, wanted)
            advance()

    def run_within(
        self, jobs: Sequence[Job], n_runs: int | None, seconds: float
    ) -> None:
        """Run as much as fits: first what says little, and fewest runs first.

        The goal of a part is the published number of runs. A step that has begun is
        finished.
        """
        goals = {
            id(job): n_runs or goal_of(job.experiment, job.part)
            for job in jobs
            if job.part.run is not None
        }
        end = perf_counter() + seconds
        while (left := end - perf_counter()) > 0:
            steps = [
                (not job.says_little, job.n_runs, step, place)
                for place, job in enumerate(jobs)
                if job.is_open
                and (step := _next(job.n_runs, goals[id(job)]))
                and job.expected(step) <= left
            ]
            if not steps:
                return
            *_, step, place = min(steps)
            self.run(jobs[place], step)


def _next(n_runs: int, goal: int) -> int:
    """Return the next number of runs up to the goal, 0 if it is reached."""
    if n_runs >= goal:
        return 0
    return min(goal, *(step for step in (*_LADDER, goal) if step > n_runs))
