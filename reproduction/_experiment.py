"""A published experiment as data: what was measured, how, and what came out."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from joblib import Memory

from pairsift.exceptions import DataError

MATCHES = "matches"
WITHIN_SPREAD = "within spread"
WITHIN_NOISE = "within noise"
TOO_FEW = "too few runs"
DIFFERS = "differs"
FIGURE = "figure"
TIME = "time"
PENDING = "pending"
NO_DATA = "no data"
NOT_RUN = "not run"

VERDICTS = {
    MATCHES: "equal to the printed digits, rounded or cut",
    WITHIN_SPREAD: "no farther away than the spread the paper prints",
    WITHIN_NOISE: "no spread is printed; no farther away than two standard errors of "
    "the difference of two such means, by the spread of our runs",
    TOO_FEW: "no spread is printed, and one run or two of ours do not show the noise",
    DIFFERS: "farther away than that, or a single run with another result",
    FIGURE: "the paper shows a curve and prints no number",
    TIME: "a run time of another machine: shown, not judged",
    PENDING: "what it needs is not in pairsift yet",
    NO_DATA: "the data set was not found",
    NOT_RUN: "the time was up before",
}
"""The verdicts and their meaning."""

_TIMES = ("ms", "s")
# Two standard errors: one in twenty such differences is larger by chance.
_N_ERRORS = 2.0
# Least number of runs whose spread means something.
_MIN_RUNS = 3
# Least number of runs of a part that takes long.
_MIN_SHARED = 2


@dataclass(frozen=True)
class Cell:
    """One published result; its row and column are its name in the table."""

    row: str
    column: str
    # A number, or text such as a list of features, which is compared as it is. None
    # where the paper only shows a picture.
    published: float | str | None = None
    # The printed standard deviation.
    spread: float | None = None
    # Values in "ms" and "s" are run times, which are not judged.
    unit: str = "%"
    # Number of printed decimals.
    decimals: int = 2
    # Number of runs whose mean was published.
    n_runs: int = 1
    # The reason, where it is known, why our value differs.
    note: str = ""
    # The place of a point on the curve of this row and column; part of its name.
    at: float | None = None

    @property
    def key(self) -> tuple[str, str]:
        """Name of the cell in its table."""
        if self.at is None:
            return self.row, self.column
        return self.row, f"{self.column} at {self.at:g}"


class Curve(NamedTuple):
    """Values at numbers of features, or at what else the horizontal axis shows."""

    sizes: list[float]
    values: list[float]


class Outcome(NamedTuple):
    """Our result for a cell: the value, its standard deviation, the runs."""

    value: float | str
    spread: float | None = None
    n_runs: int = 1
    curve: Curve | None = None


Outcomes = dict[tuple[str, str], Outcome]


class MissingData(DataError):
    """A data set that an experiment needs is not there."""


@dataclass(frozen=True)
class Bench:
    """Settings, data and memory with which parts are run."""

    n_runs: int
    seed: int
    load: Callable[[str], Any]
    """Loads a data set by name, once; raises `MissingData` if it is not there."""
    memory: Memory = field(default_factory=lambda: Memory(None, verbose=0))
    """Keeps values of single runs on disk, if outcomes are stored."""
    found: dict[Hashable, Any] = field(default_factory=dict)
    """Values that several parts need, after the first of them has found them."""

    def generators(self) -> Iterator[np.random.Generator]:
        """Return one source of random numbers per run, the same for every part."""
        for k in range(self.n_runs):
            yield np.random.default_rng([self.seed, k])


@dataclass(frozen=True)
class Part:
    """Cells that are measured together, from one data set as a rule.

    The points of a curve belong to one part. Cells that follow from the other cells of
    the experiment have `derive` in place of `run`. A part without either is pending,
    for the reason given in `note`.
    Of the runs asked for, one in `share` is made, but two at least.
    """

    cells: tuple[Cell, ...]
    run: Callable[[Bench], Outcomes] | None = None
    note: str = ""
    share: int = 1
    derive: Callable[[Outcomes], Outcomes] | None = None

    def runs_of(self, n_asked: int) -> int:
        """Return the number of runs to make when `n_asked` are asked for."""
        return min(n_asked, max(_MIN_SHARED, n_asked // self.share))


@dataclass(frozen=True)
class Experiment:
    """A published table or figure, and how to measure it again."""

    paper: str
    table: str
    title: str
    # The way of measuring, in a sentence or two.
    protocol: str
    parts: tuple[Part, ...]
    # Number of runs unless another one is asked for.
    n_runs: int = 1
    # Curves of one "row", or of one "column", are drawn in one picture.
    picture: str = "row"
    # Title of the horizontal axis of the pictures, which may be logarithmic.
    against: str = "number of features"
    is_log: bool = False
    # True if rows are values on that axis, such as "λ=0.1": then the cells of a column
    # make a curve.
    is_along_rows: bool = False
    # Other tables and figures that show the same numbers, such as "figure-4.5", or
    # "hijazi2019 figure-3.5" in another source.
    also: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Name that a reader of the paper uses."""
        if self.table.startswith("figure-"):
            return self.table.replace("-", " ")
        return f"table {self.table}"

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cells, part by part."""
        return tuple(cell for part in self.parts for cell in part.cells)

    @property
    def is_pending(self) -> bool:
        """Whether nothing of it can be measured yet."""
        return all(part.run is None for part in self.parts)


def curve_of(
    experiment: Experiment, cell: Cell
) -> tuple[tuple[str, str], float | None]:
    """Return the row and column of the cell's curve, and where it lies on it."""
    if not experiment.is_along_rows:
        return (cell.row, cell.column), cell.at
    symbol, _, value = cell.row.partition("=")
    return (symbol, cell.column), float(value)


def goal_of(experiment: Experiment, part: Part) -> int:
    """Return the number of runs that are as many as published."""
    return max(experiment.n_runs, *(cell.n_runs for cell in part.cells))


@dataclass(frozen=True)
class Paper:
    """The experiments of a publication."""

    key: str
    citation: str
    experiments: tuple[Experiment, ...]


class Column(NamedTuple):
    """The form in which the cells of a column are printed."""

    name: str
    unit: str = "%"
    decimals: int = 2
    n_runs: int = 1


def read_cells(text: str, columns: Sequence[Column]) -> tuple[Cell, ...]:
    """Read a table typed as in print: a line per row, ``name | value value ...``.

    Values stand between blanks: a number, ``number±spread``, text without blanks, or
    ``-`` where the table has none.
    """
    cells = []
    for line in filter(None, map(str.strip, text.splitlines())):
        name, _, rest = line.partition("|")
        values = rest.replace("|", " ").split()
        for value, column in zip(values, columns, strict=True):
            if value != "-":
                published, spread = _read_value(value)
                cells.append(
                    Cell(
                        name.strip(),
                        column.name,
                        published,
                        spread,
                        column.unit,
                        column.decimals,
                        column.n_runs,
                    )
                )
    return tuple(cells)


def points(cells: Sequence[Cell], grid: Sequence[float]) -> tuple[Cell, ...]:
    """Repeat each cell at the points of a grid: a curve."""
    return tuple(replace(cell, at=x) for cell in cells for x in grid)


def with_reading(cells: Sequence[Cell], name: str, reading: str) -> tuple[Cell, ...]:
    """Repeat the cells of a row or column, where its text can be read in another way.

    Those whose row or column begins with the word come again after all cells, with
    `reading` in its place.
    """
    word = re.compile(rf"^{name}\b")
    again = []
    for cell in cells:
        row, column = (word.sub(reading, text) for text in cell.key)
        if (row, column) != cell.key:
            again.append(replace(cell, row=row, column=column))
    return (*cells, *again)


def _read_value(text: str) -> tuple[float | str, float | None]:
    value, _, spread = text.partition("±")
    try:
        return float(value), float(spread) if spread else None
    except ValueError:
        return text, None


def judge(cell: Cell, ours: Outcome) -> str:
    """Compare our outcome with the published one."""
    if cell.unit in _TIMES:
        return TIME
    if cell.published is None:
        return FIGURE
    if isinstance(ours.value, str) or isinstance(cell.published, str):
        return MATCHES if ours.value == cell.published else DIFFERS
    if _has_digits(ours.value, cell.published, cell.decimals):
        return MATCHES
    distance = abs(ours.value - cell.published)
    if cell.spread is not None:
        return WITHIN_SPREAD if distance <= cell.spread else DIFFERS
    if cell.n_runs > 1 and ours.n_runs < _MIN_RUNS:
        return TOO_FEW
    if ours.spread is None:
        return DIFFERS
    error = ours.spread * np.sqrt(1 / ours.n_runs + 1 / cell.n_runs)
    return WITHIN_NOISE if distance <= _N_ERRORS * error else DIFFERS


def _has_digits(value: float, published: float, decimals: int) -> bool:
    """Whether the value, rounded or cut, has the printed digits."""
    scaled = value * 10.0**decimals
    printed = round(published * 10.0**decimals)
    # Tiny: 100 * 0.29 is a little less than 29, and halves are rounded either way.
    tiny = 1e-9 * max(1.0, abs(scaled))
    cut = np.trunc(scaled + np.copysign(tiny, scaled))
    return printed in (cut, np.round(scaled - tiny), np.round(scaled + tiny))


class Judged(NamedTuple):
    """A cell with our outcome, the verdict, and the reason if one is known."""

    cell: Cell
    ours: Outcome | None
    verdict: str
    note: str

    @property
    def difference(self) -> float | None:
        """Our value minus the published one, None where one is not a number."""
        ours = None if self.ours is None else self.ours.value
        if isinstance(ours, float | int) and isinstance(
            self.cell.published, float | int
        ):
            return ours - self.cell.published
        return None


def judge_part(part: Part, outcomes: Outcomes) -> list[Judged]:
    """Judge our outcome of each cell of a part."""
    found: list[Judged] = []
    for cell in part.cells:
        verdict = judge(cell, outcomes[cell.key])
        note = cell.note or part.note if verdict == DIFFERS else ""
        found.append(Judged(cell, outcomes[cell.key], verdict, note))
    return found


def without_outcome(part: Part, verdict: str, note: str) -> list[Judged]:
    """Return the cells of a part that was not measured, and why."""
    return [Judged(cell, None, verdict, note) for cell in part.cells]
