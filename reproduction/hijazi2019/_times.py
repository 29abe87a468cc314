"""Run times of the thesis of 2019, tables 3.4 to 3.7: shown, not judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from reproduction._experiment import (
    Bench,
    Cell,
    Column,
    Experiment,
    Outcome,
    Outcomes,
    Part,
    read_cells,
)
from reproduction._protocols import median_time
from reproduction.hijazi2019._protocol import (
    CONSTRAINED,
    UNCONSTRAINED,
    Data,
    Task,
    random_pairs,
    split_of,
)
from reproduction.hijazi2019._tables import CHAPTER_3, KEY

_DATA = {
    data.row: data for data in CHAPTER_3 if data.row in ("ColonCancer", "Leukemia")
}
# All pairs of training rows of two classes.
_MOST = {"ColonCancer": 220, "Leukemia": 297}
_FEWEST = 5
_METHODS = ("Relief-Sc", "Simba-Sc")
_N_RUNS = 20

_TABLE_3_4 = """
    5   |  27.4  103.7 | 129.8  329.6
    15  |  33.3  252.9 | 134.7  590.9
    25  |  39.3  393.4 | 152.8  880.7
    35  |  45.4  551   | 168.6 1176.1
    Max | 149.3 3893.3 | 548.4 9297.2
"""
_TABLE_3_5 = """
    5   | 27.4  103.7 | 129.8  329.6
    15  | 27.4  226.6 | 129.8  516.1
    25  | 27.4  336.2 | 129.8  745.9
    35  | 27.4  457.2 | 129.8  980.2
    Max | 27.4 2582.3 | 129.8 6852.1
"""
_TABLE_3_6 = """
    220 | 1.7e5 -
    297 | -     5.6e5
"""
_TABLE_3_7 = """
    Fisher    | 687.6 1708.8
    Laplacian |  43.4  110.9
"""

Settings = Callable[[Data, str], Data]


def _number(data: Data, row: str) -> int:
    return _MOST[data.row] if row == "Max" else int(row)


def _with_constraints(data: Data, row: str) -> Data:
    return data._replace(n_pairs=_number(data, row))


def _with_starts(data: Data, row: str) -> Data:
    return data._replace(n_pairs=_FEWEST, n_starts=_number(data, row))


def _with_both(data: Data, row: str) -> Data:
    return data._replace(n_pairs=int(row), n_starts=int(row))


def _time(data: Data, method: str, bench: Bench) -> Outcome:
    """Take the time to score all features, with other constraints in each run."""
    split = split_of(data, bench)
    calls: list[Callable[[], object]] = []
    for rng in bench.generators():
        task = Task(data, split, rng)
        if method in UNCONSTRAINED:
            calls.append(partial(UNCONSTRAINED[method], task))
        else:
            pairs = random_pairs(task, method)
            calls.append(partial(CONSTRAINED[method], task, pairs))
    return median_time(calls)


def _warm_up(data: Data, method: str, bench: Bench) -> None:
    """Make a small run that is not counted: compiled code is loaded in it."""
    few = data._replace(n_pairs=_FEWEST, n_starts=1)
    _time(few, method, replace(bench, n_runs=1))


def _times(
    cells: tuple[Cell, ...], data: Data, settings: Settings, bench: Bench
) -> Outcomes:
    outcomes: Outcomes = {}
    for cell in cells:
        method = cell.column.removeprefix(data.row).strip() or cell.row
        _warm_up(data, method, bench)
        outcomes[cell.key] = _time(settings(data, cell.row), method, bench)
    return outcomes


def _experiment(
    table: str,
    title: str,
    text: str,
    columns: Mapping[str, str],
    settings: Settings,
    n_runs: int = _N_RUNS,
) -> Experiment:
    """Make a table of times; `columns` maps each column to its data set."""
    decimals = 0 if table == "3.6" else 1
    cells = read_cells(text, [Column(name, "ms", decimals) for name in columns])
    by_data = {
        row: tuple(cell for cell in cells if columns[cell.column] == row)
        for row in _DATA
    }
    return Experiment(
        KEY,
        table,
        title,
        "Time to score the features of the training rows, in milliseconds, after a "
        "small run that is not counted; constraints are drawn anew in each run. Ours "
        "is the median, theirs the mean, on another machine.",
        tuple(
            Part(of_data, partial(_times, of_data, _DATA[row], settings))
            for row, of_data in by_data.items()
        ),
        n_runs,
    )


_BY_METHOD = {f"{row} {method}": row for row in _DATA for method in _METHODS}
TIMES = (
    _experiment(
        "3.4",
        "Run times against the number of constraints",
        *(_TABLE_3_4, _BY_METHOD, _with_constraints),
    ),
    _experiment(
        "3.5",
        "Run times against the number of starts of Simba-Sc, five constraints",
        *(_TABLE_3_5, _BY_METHOD, _with_starts),
    ),
    _experiment(
        "3.6",
        "Run times of Simba-Sc with all constraints and as many starts",
        *(_TABLE_3_6, {f"{row} Simba-Sc": row for row in _DATA}, _with_both),
        n_runs=1,
    ),
    _experiment(
        "3.7",
        "Run times of the Fisher and the Laplacian score",
        *(_TABLE_3_7, {row: row for row in _DATA}, lambda data, _: data),
    ),
)
