"""Selectors on blocks: on worker processes with little memory, beside one in memory.

Each number is from one run, because the largest take minutes. Without Dask the figures
of a cluster are left out, and said to be.

What is compared is not quite alike. Workers are processes of one thread each; in memory
a fit has as many threads as there are workers where its method has `n_jobs`, and one
where it has none (SemiMRMR, PairLogistic). So ratios of the clock have a ratio of the
time of processors beside them, which counts the work of all threads and processes.
Workers make their blocks anew in every pass, and that is part of their time; in memory
the table is there before the clock runs. What the making took stands beside it.
"""

import os
import shutil
import tempfile
import weakref
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar
from unittest.mock import patch

import numpy as np

from benchmarks._scenario import Scenario
from benchmarks.scenarios.scale_runs import (
    HAS_DASK,
    MEMORY_LIMIT,
    N_WORKERS,
    Lazy,
    Run,
    Took,
    cluster,
    peak_here,
    run_on_blocks,
    took,
)

N_ROUNDS = 2
"""Runs of two tables, or of one worker and of two, by turns: the shorter count."""


class ScaleScenario(Scenario):
    """One figure of the page on scale."""

    reference = ""
    n_features: ClassVar[int] = 50

    def setup(self) -> None:
        self._folder = tempfile.mkdtemp()
        # Scenarios have no end of their own: the folder goes with the scenario.
        weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self.lines: list[str] = []

    def lazy(self, n_samples: int) -> Lazy:
        notes = os.path.join(self._folder, "notes")
        # Also of few rows, every worker has some.
        block_rows = min(self.size["block_rows"], max(n_samples // 8, 1))
        return Lazy(n_samples, self.n_features, block_rows, notes)

    def report(self) -> str:
        if not HAS_DASK:
            return "Dask is not installed: there are no figures of a cluster."
        load = "{:.1f}, {:.1f} and {:.1f}".format(*os.getloadavg())
        said = (
            f"Load of the last 1, 5 and 15 minutes: {load}, ours included. This "
            f"process held {peak_here() / 1e9:.1f} GB at most so far."
        )
        return "\n".join([*self.lines, said])

    def say(self, text: str) -> None:
        self.lines.append(text)

    def wish(self, what: str, value: float, wished: str, *, is_met: bool) -> None:
        """Say what was measured, and what is wished."""
        verdict = "met" if is_met else "FELL SHORT"
        self.say(f"{what}: {value:.2f}, wished {wished}: {verdict}.")

    def run(self, call: Callable[[], Run]) -> Run | None:
        """Run on workers; one that is killed again and again is a figure, too."""
        from distributed import KilledWorker

        try:
            return call()
        except KilledWorker as error:
            self.say(f"DID NOT FINISH: {error}")
            return None

    def compare(self, run: Run, here: Took, most: float | None) -> None:
        """Tell times of a run by those in memory, of equally many rows."""
        clock, cores = run.seconds / here.seconds, run.cpu / here.cpu
        made = f"{run.making:.1f} s of them to make blocks"
        self.say(
            f"In {run.n_passes} passes, and {run.n_gathers} over some blocks. "
            f"{run.cpu:.1f} s of processors, {made}; in memory {here.cpu:.1f} s, "
            f"{here.seconds:.1f} s by the clock, {here.cpu / here.seconds:.1f} cores. "
            f"{clock:.2f} times as long by the clock, {cores:.2f} times the "
            f"processors, {(run.cpu - run.making) / here.cpu:.2f} without making "
            "blocks."
        )
        if most is None:
            return
        wished = f"at most {most}"
        self.wish("time by memory", clock, wished, is_met=clock <= most)
        self.wish("processors by memory", cores, wished, is_met=cores <= most)

    def tell_workers(self, run: Run) -> None:
        """Tell whether blocks were made once in a pass, and memory was enough.

        A pass that fetches rows by number asks for their blocks only: what was made is
        compared with what was asked for, or such a pass would count as none.
        """
        made = run.n_made / run.n_asked
        what = "times that a pass made a block it asked for"
        self.wish(what, made, "at most 1.5", is_met=made <= 1.5)
        limit, peak, lost = MEMORY_LIMIT / 1e6, run.peak / 1e6, run.n_lost
        what, wished = "MB of the largest worker", f"at most {limit:.0f}"
        if np.isnan(peak):
            self.say(f"{what} cannot be known here.")
        else:
            self.wish(what, peak, wished, is_met=peak <= limit)
        self.wish("workers that died", lost, "none", is_met=lost == 0)


def cannot_links(n_samples: int, n_pairs: int, n_same: int = 0) -> Any:
    """Return pairs of rows of different classes, anywhere in the table, and of one."""
    from pairsift import PairConstraints

    rng = np.random.default_rng(0)
    pairs = 2 * rng.integers(0, n_samples // 2, (n_pairs, 2)) + [0, 1]
    # Two rows, an even number apart.
    first = rng.integers(0, n_samples // 2, n_same)
    same = np.column_stack([first, first + 2 * (n_samples // 4)])
    return PairConstraints(same, pairs, n_samples=n_samples)


def placed_rows(n_samples: int, n_rows: int) -> np.ndarray:
    """Return labels of which all but a few are missing."""
    y = np.full(n_samples, -1)
    rows = np.random.default_rng(0).permutation(n_samples)[:n_rows]
    y[rows] = rows % 2
    return y


class LargeTable(ScaleScenario):
    """A method that learns from little, on a table of four times the workers' memory.

    `n_in_memory` rows are ranked in memory, too: times are compared by the row.
    """

    sizes: ClassVar = {
        "n_samples": 20_000_000,
        "n_in_memory": 2_000_000,
        "block_rows": 100_000,
        "n_workers": N_WORKERS,
    }
    quick_sizes: ClassVar = {
        "n_samples": 2_000_000,
        "n_in_memory": 1_000_000,
        "block_rows": 100_000,
        "n_workers": N_WORKERS,
    }
    tiny_sizes: ClassVar = {
        "n_samples": 300,
        "n_in_memory": 250,
        "block_rows": 70,
        "n_workers": 0,
    }
    selector: ClassVar[str]

    def problem(self, n_samples: int) -> tuple[Any, dict[str, Any]]:
        """Return a selector and what it learns from."""
        import pairsift

        how: dict[str, Any] = {"constraints": cannot_links(n_samples, 100)}
        options: dict[str, Any] = {"n_jobs": self.threads}
        if self.selector == "SemiMRMR":
            how, options = {"y": placed_rows(n_samples, 30)}, {}
        if self.selector == "PairLogistic":
            how, options = {"constraints": cannot_links(n_samples, 100, 100)}, {}
        return getattr(pairsift, self.selector)(10, **options), how

    def track_seconds_per_million_rows_in_memory(self) -> float:
        n = self.size["n_in_memory"]
        X = self.lazy(n).in_memory()
        selector, how = self.problem(n)
        # Kernels are compiled before the clock runs.
        small, little = self.problem(200)
        small.fit(X[:200], **little)
        done = took(lambda: selector.fit(X, **how))
        self.in_memory = Took(1e6 * done.seconds / n, 1e6 * done.cpu / n)
        return self.in_memory.seconds

    def track_seconds_per_million_rows_on_workers(self) -> float | None:
        if not HAS_DASK:
            return None
        n = self.size["n_samples"]
        with cluster(self.size["n_workers"]) as client:
            # Workers compile, or load what was compiled, before the clock runs.
            small, little = self.problem(400)
            run_on_blocks(small, self.lazy(400), client, **little)
            selector, how = self.problem(n)
            lazy = self.lazy(n)
            run = self.run(lambda: run_on_blocks(selector, lazy, client, **how))
        if run is None:
            return None
        self.say(f"{self.selector}: {run.seconds:.1f} s for {n:,} rows.")
        here = Took(*(n / 1e6 * figure for figure in self.in_memory))
        self.compare(run, here, 1.6)
        self.tell_workers(run)
        return 1e6 * run.seconds / n


def _large(name: str) -> type[LargeTable]:
    return type(
        f"Large{name}",
        (LargeTable,),
        {
            "__doc__": f"{name} on a table larger than the workers' memory.",
            "__module__": __name__,
            "name": f"scale-{name.lower()}",
            "selector": name,
        },
    )


class DrawnTargets(ScaleScenario):
    """ReliefF with 1,000 judged rows on five million."""

    name = "scale-relieff"
    sizes: ClassVar = {
        "n_samples": 5_000_000,
        "max_samples": 1_000,
        "block_rows": 100_000,
        "n_workers": N_WORKERS,
    }
    quick_sizes: ClassVar = sizes | {"n_samples": 1_000_000}
    tiny_sizes: ClassVar = {
        "n_samples": 300,
        "max_samples": 20,
        "block_rows": 70,
        "n_workers": 0,
    }
    method = "ReliefF"
    most_times: ClassVar[float | None] = None

    def selector(self) -> Any:
        import pairsift

        drawn = {"max_samples": self.size["max_samples"], "random_state": 0}
        return pairsift.ReliefF(10, **drawn, n_jobs=self.threads)

    def track_seconds_in_memory(self) -> float:
        n = self.size["n_samples"]
        X, y = self.lazy(n).in_memory(), np.arange(n) % 2
        self.selector().fit(X[:100], y[:100])
        self.in_memory = took(lambda: self.selector().fit(X, y))
        return self.in_memory.seconds

    def track_seconds_on_workers(self) -> float | None:
        if not HAS_DASK:
            return None
        n = self.size["n_samples"]
        with cluster(self.size["n_workers"]) as client:
            self.warm_up(client)
            run = self.run(lambda: self.on_workers(n, client))
        if run is None:
            return None
        self.say(f"{self.method}: {run.seconds:.1f} s for {n:,} rows.")
        self.compare(run, self.in_memory, self.most_times)
        self.tell_workers(run)
        return run.seconds

    def on_workers(self, n_samples: int, client: Any) -> Run:
        y = np.arange(n_samples) % 2
        return run_on_blocks(self.selector(), self.lazy(n_samples), client, y=y)

    def warm_up(self, client: Any) -> None:
        """Let workers compile, or load what was compiled, before the clock runs."""
        # Few rows would be gathered, and leave the kernels of the workers cold.
        with patch("pairsift.scores._block_margins.FEW_BYTES", 0.0):
            self.on_workers(400, client)


class AllPairsOfRows(DrawnTargets):
    """MultiSURF on 200,000 rows: all pairs of rows, block by block."""

    name = "scale-multisurf"
    sizes: ClassVar = {
        "n_samples": 200_000,
        "block_rows": 20_000,
        "n_workers": N_WORKERS,
    }
    quick_sizes: ClassVar = sizes | {"n_samples": 40_000, "block_rows": 10_000}
    tiny_sizes: ClassVar = {"n_samples": 300, "block_rows": 70, "n_workers": 0}
    method = "MultiSURF"
    most_times = 1.3

    def selector(self) -> Any:
        import pairsift

        return pairsift.MultiSURF(10, n_jobs=self.threads)

    def warm_up(self, client: Any) -> None:
        """As above: of fewer rows, blocks would not share the work out."""
        with patch("pairsift.scores._surf.FEW_ROWS", 100):
            self.on_workers(400, client)


class Growth(ScaleScenario):
    """What blocks cost: few rows, twice the rows, twice the workers; and Parquet."""

    name = "scale-growth"
    sizes: ClassVar = {
        "n_few": 10_000,
        "n_samples": 1_000_000,
        "block_rows": 100_000,
        "n_workers": N_WORKERS,
    }
    quick_sizes: ClassVar = sizes | {"n_samples": 400_000}
    tiny_sizes: ClassVar = {
        "n_few": 60,
        "n_samples": 150,
        "block_rows": 50,
        "n_workers": 0,
    }

    def _selector(self) -> Any:
        import pairsift

        return pairsift.ReliefFSc(10, n_jobs=self.threads)

    def _run(self, n_samples: int, client: Any, **changes: int) -> Run:
        how = {"constraints": cannot_links(n_samples, 100)}
        lazy = replace(self.lazy(n_samples), **changes)
        return run_on_blocks(self._selector(), lazy, client, **how)

    def _compare(
        self, what: str, usual: dict[str, int], other: dict[str, int]
    ) -> float:
        """Return the time of another table by that of the usual one."""
        n = self.size["n_samples"] // 2
        with cluster(self.size["n_workers"]) as client:
            self._run(200, client)
            first, second = (self._run(n, client, **c) for c in (usual, other))
        self.say(
            f"{n:,} rows take {first.seconds:.1f} s, {second.seconds:.1f} s {what}; "
            f"{first.cpu:.1f} and {second.cpu:.1f} s of processors."
        )
        return second.seconds / first.seconds

    def track_times_as_long_with_four_times_the_columns(self) -> float | None:
        if not HAS_DASK:
            return None
        # Blocks of equally many bytes.
        rows, columns = self.size["block_rows"], self.n_features
        usual = {"block_rows": rows, "n_features": columns}
        other = {"block_rows": max(rows // 4, 1), "n_features": 4 * columns}
        return self._compare("with four times the columns", usual, other)

    def track_times_as_long_with_blocks_of_a_quarter(self) -> float | None:
        if not HAS_DASK:
            return None
        rows = self.size["block_rows"]
        other = {"block_rows": max(rows // 4, 1)}
        return self._compare("in blocks of a quarter", {"block_rows": rows}, other)

    def track_seconds_of_few_rows(self) -> float | None:
        """Overhead: rows that take no time in memory, on workers that are warm."""
        if not HAS_DASK:
            return None
        with cluster(self.size["n_workers"]) as client:
            self._run(200, client)
            seconds = self._run(self.size["n_few"], client).seconds
        what = f"seconds of {self.size['n_few']:,} rows"
        self.wish(what, seconds, "below 3", is_met=seconds < 3.0)
        return seconds

    def track_seconds_of_twice_the_rows_by_once(self) -> float | None:
        """Time of n rows and of 2n, on the workers: twice is what is wished."""
        if not HAS_DASK:
            return None
        n = self.size["n_samples"]
        with cluster(self.size["n_workers"]) as client:
            self._run(200, client)
            runs = [
                [self._run(n_rows, client) for n_rows in (n, 2 * n)]
                for _ in range(N_ROUNDS)
            ]
        once, twice = (
            min(some, key=lambda run: run.seconds) for some in zip(*runs, strict=True)
        )
        self.say(
            f"{n:,} rows take {once.seconds:.1f} s, {2 * n:,} rows "
            f"{twice.seconds:.1f} s; {once.cpu:.1f} and {twice.cpu:.1f} s of "
            "processors."
        )
        ratio, what = twice.seconds / once.seconds, "twice the rows by once"
        self.wish(what, ratio, "1.6 to 2.4", is_met=1.6 <= ratio <= 2.4)
        return ratio

    def track_times_faster_with_two_workers(self) -> float | None:
        """One worker process against two."""
        if not HAS_DASK or not self.size["n_workers"]:
            return None
        n, ratio = self.size["n_samples"], 0.0
        # What the client does alone weighs less where rows are many.
        for n_rows in (n, 4 * n):
            ratio = self._times_faster(n_rows)
            what = f"two workers by one, {n_rows:,} rows"
            self.wish(what, ratio, "at least 1.6", is_met=ratio >= 1.6)
        return ratio

    def _times_faster(self, n_samples: int) -> float:
        """Return the time of one worker by that of two."""
        runs: dict[int, list[Run]] = {1: [], 2: []}
        for _ in range(N_ROUNDS):
            for n_workers, done in runs.items():
                with cluster(n_workers) as client:
                    self._run(200, client)
                    done.append(self._run(n_samples, client))
        one, two = (min(runs[k], key=lambda run: run.seconds) for k in (1, 2))
        # The client hands out blocks alone, the rest can be shared.
        shared = two.cpu - two.client_cpu
        possible = one.cpu / (two.client_cpu + shared / 2)
        self.say(
            f"one worker takes {one.seconds:.1f} s, two {two.seconds:.1f} s; of "
            f"{two.cpu:.1f} s of processors {two.client_cpu:.1f} were the client's: by "
            f"that, two could be {possible:.2f} times as fast on cores of their own."
        )
        return one.seconds / two.seconds

    def track_times_in_memory_when_streamed_from_parquet(self) -> float:
        """The time from a Parquet file, by that in memory; both of two threads."""
        import pandas as pd

        from pairsift import distributed

        n = self.size["n_samples"]
        path = os.path.join(self._folder, "table.parquet")
        X = self.lazy(n).in_memory()
        frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(self.n_features)])
        frame.to_parquet(path, row_group_size=self.size["block_rows"])
        pairs = cannot_links(n, 100)
        small = cannot_links(50, 10)
        self._selector().fit(X[:50], constraints=small)
        here = took(lambda: self._selector().fit(frame, constraints=pairs))
        there = took(lambda: distributed.fit(self._selector(), path, constraints=pairs))
        self.say(
            f"{n:,} rows take {here.seconds:.1f} s in memory, {there.seconds:.1f} s "
            f"from Parquet; {here.cpu:.1f} and {there.cpu:.1f} s of processors."
        )
        return there.seconds / here.seconds


SCALE_SCENARIOS = [
    *(_large(name) for name in ("ReliefFSc", "SemiMRMR", "PairLogistic")),
    DrawnTargets,
    AllPairsOfRows,
    Growth,
]
# Scenarios are found again by module and name where memory is measured.
globals().update({scenario.__name__: scenario for scenario in SCALE_SCENARIOS})
