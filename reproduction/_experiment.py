"""A published experiment as data: what was measured, how, and what came out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from pairsift.exceptions import DataError
from reproduction._run_log import RunLog

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
    TOO_FEW: "no spread is printed, and two runs of ours or one tell nothing of noise",
    DIFFERS: "farther away than that, or a single run with another result",
    FIGURE: "the paper shows a curve and prints no number",
    TIME: "a run time, of another machine: shown, not judged",
    PENDING: "what it needs is not in pairsift yet",
    NO_DATA: "the data set was not found",
    NOT_RUN: "the time was up before",
}
"""What the verdicts mean."""

_TIMES = ("ms", "s")
# Two standard errors: one in twenty such differences is larger by chance.
_N_ERRORS = 2.0
# Least number of runs whose spread means something.
_FEWEST_RUNS = 3
# Least number of runs of a part that takes long.
_FEWEST_SHARED = 2


@dataclass(frozen=True)
class Cell:
    """One published result.

    Parameters
    ----------
    row, column : str
        Where it stands in the table; together they name the cell.
    published : float or str, optional
        The printed value. Text, such as a list of features, is compared as it is. None
        where the paper only shows a picture.
    spread : float, optional
        The printed standard deviation.
    unit : str, default="%"
        What it is measured in; "ms" and "s" are run times, which are not judged.
    decimals : int, default=2
        Number of printed decimals.
    n_runs : int, default=1
        Number of runs whose mean was published.
    note : str, default=""
        Why it is known not to come out.
    at : float, optional
        Where it lies on a curve of this row and column, if it is a point of one; then
        it belongs to its name.

    Examples
    --------
    >>> from reproduction import Cell
    >>> Cell("Wine", "Relief-Sc", 97.9, n_runs=10).key
    ('Wine', 'Relief-Sc')
    >>> Cell("Wine", "Relief-Sc", at=0.5).key
    ('Wine', 'Relief-Sc at 0.5')
    """

    row: str
    column: str
    published: float | str | None = None
    spread: float | None = None
    unit: str = "%"
    decimals: int = 2
    n_runs: int = 1
    note: str = ""
    at: float | None = None

    @property
    def key(self) -> tuple[str, str]:
        """Name of the cell in its table."""
        if self.at is None:
            return self.row, self.column
        return self.row, f"{self.column} at {self.at:g}"


class Curve(NamedTuple):
    """The values of which a cell tells one, against the numbers of features.

    Or against what else is on the horizontal axis of the experiment.
    """

    sizes: list[float]
    values: list[float]


class Outcome(NamedTuple):
    """What we got for a cell: the value, its standard deviation, the runs."""

    value: float | str
    spread: float | None = None
    n_runs: int = 1
    curve: Curve | None = None


Outcomes = dict[tuple[str, str], Outcome]


class MissingData(DataError):
    """A data set that an experiment needs is not there."""


@dataclass(frozen=True)
class Bench:
    """What a part of an experiment is run with."""

    n_runs: int
    seed: int
    load: Callable[[str], Any]
    """Loads a data set by name, once; raises `MissingData` if it is not there."""
    log: RunLog | None = None
    """Values of single runs that were made before."""

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
        return min(n_asked, max(_FEWEST_SHARED, n_asked // self.share))


@dataclass(frozen=True)
class Experiment:
    """A published table or figure, and how to measure it again.

    Parameters
    ----------
    paper, table : str
        Which one, such as "hijazi2019" and "4.2".
    title : str
        What it shows.
    protocol : str
        How it is measured, in a sentence or two.
    parts : tuple of Part
        Its cells and the functions that measure them.
    n_runs : int, default=1
        Number of runs unless told otherwise.
    picture : {"row", "column"}, default="row"
        Which curves belong into one picture: those of a row or those of a column.
    against : str, default="number of features"
        What is on the horizontal axis of the pictures.
    is_log : bool, default=False
        Whether that axis is logarithmic.
    is_along_rows : bool, default=False
        Whether the rows are values of what is on that axis, such as "λ=0.1": then the
        cells of a column make a curve.
    also : tuple of str, default=()
        Other tables and figures that show the numbers of this one, such as
        "figure-4.5", or "hijazi2019 figure-3.5" in another source.

    Examples
    --------
    >>> from reproduction import experiments
    >>> [experiment] = experiments("hijazi2019", "3.2")
    >>> experiment.name, len(experiment.cells), experiment.n_runs
    ('table 3.2', 20, 100)
    """

    paper: str
    table: str
    title: str
    protocol: str
    parts: tuple[Part, ...]
    n_runs: int = 1
    picture: str = "row"
    against: str = "number of features"
    is_log: bool = False
    is_along_rows: bool = False
    also: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """How a reader of the paper calls it."""
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
    keeps_runs: bool = False
    """Whether its protocols keep the values of single runs, so that more runs cost
    no more than the new ones."""


class Column(NamedTuple):
    """How the cells of a column of a table are printed."""

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
    if cell.n_runs > 1 and ours.n_runs < _FEWEST_RUNS:
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


Judged = tuple[Cell, Outcome | None, str, str]


def judge_part(part: Part, outcomes: Outcomes) -> list[Judged]:
    """Return for each cell our outcome, the verdict and what is to be said of it."""
    found: list[Judged] = []
    for cell in part.cells:
        verdict = judge(cell, outcomes[cell.key])
        note = cell.note or part.note if verdict == DIFFERS else ""
        found.append((cell, outcomes[cell.key], verdict, note))
    return found


def without_outcome(part: Part, verdict: str, note: str) -> list[Judged]:
    """Return the cells of a part that was not measured, and why."""
    return [(cell, None, verdict, note) for cell in part.cells]
