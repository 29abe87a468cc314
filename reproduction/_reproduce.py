"""Run published experiments and put our values beside the published ones."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pairsift.exceptions import DataError
from reproduction._experiment import (
    Cell,
    Curve,
    Experiment,
    MissingData,
    Outcome,
    Paper,
    curve_of,
    goal_of,
)
from reproduction._records import RecordStore
from reproduction._running import Job, Runner, judged
from reproduction.coelho2013 import PAPER as COELHO_2013
from reproduction.hijazi2019 import PAPER as HIJAZI_2019
from reproduction.hijazi2021 import PAPER as HIJAZI_2021
from reproduction.salmi2020 import PAPER as SALMI_2020

if TYPE_CHECKING:
    import pandas as pd

PAPERS: dict[str, Paper] = {
    paper.key: paper for paper in (HIJAZI_2019, HIJAZI_2021, SALMI_2020, COELHO_2013)
}


def experiments(
    paper: str | None = None, table: str | None = None
) -> tuple[Experiment, ...]:
    """Return the published experiments that can be run again.

    Parameters
    ----------
    paper : str, optional
        Such as "hijazi2019"; all papers by default.
    table : str, optional
        Such as "4.2"; all tables and figures of the paper by default.

    Returns
    -------
    tuple of Experiment
        In the order of the papers. A figure that shows the numbers of a table is
        found as that table, and what was published twice as the later one.

    Raises
    ------
    DataError
        If there is no such paper or table; it is a `ValueError`.

    See Also
    --------
    reproduce : Runs them.

    Examples
    --------
    >>> from reproduction import experiments
    >>> [experiment.table for experiment in experiments("salmi2020")][:3]
    ['2', '3', '4']
    """
    if paper is None:
        if table is not None:
            raise DataError(f"paper must be given to find the table {table!r}.")
        return tuple(e for paper in PAPERS.values() for e in paper.experiments)
    if paper not in PAPERS:
        raise DataError(f"paper must be one of {', '.join(PAPERS)}, got {paper!r}.")
    found = PAPERS[paper].experiments
    if table is None:
        return found
    shown = _shown(paper)
    if table not in shown:
        raise DataError(
            f"table must be one of {', '.join(shown)} for {paper}, got {table!r}."
        )
    return (shown[table],)


def _shown(paper: str) -> dict[str, Experiment]:
    """Return by name what shows each table and figure of a source, its own first."""
    shown = {experiment.table: experiment for experiment in PAPERS[paper].experiments}
    for other in PAPERS.values():
        for experiment in other.experiments:
            for name in experiment.also:
                source, _, table = name.rpartition(" ")
                if (source or other.key) == paper:
                    shown.setdefault(table, experiment)
    return shown


def reproduce(
    paper: str | None = None,
    table: str | None = None,
    *,
    n_runs: int | None = None,
    data_dir: str | os.PathLike[str] | None = None,
    random_state: int = 0,
    store: str | os.PathLike[str] | None = None,
    budget: float | None = None,
    advance: Callable[[], Any] | None = None,
) -> pd.DataFrame:
    r"""Run published experiments and put our values beside the published ones.

    The protocol of the paper is followed, also where a better one is known; nothing
    is fitted to the published values.

    Parameters
    ----------
    paper : str, optional
        Such as "hijazi2019"; all papers by default.
    table : str, optional
        Such as "4.2"; all tables and figures of the paper by default.
    n_runs : int, optional
        Number of runs where the protocol draws at random; by default a number that
        each experiment states.
    data_dir : path-like, optional
        Folder of the data files, see :func:`pairsift.datasets.load`.
    random_state : int, default=0
        Seed of the random draws, 0 or larger.
    store : path-like, optional
        Folder for outcomes, made if it is not there. What this code has stored there
        is not run again, so that a run that was interrupted goes on.
    budget : float, optional
        Seconds after which no further part is begun. Parts without a verdict come
        first, then those with few runs; each gets a few runs more before any gets
        many, up to the published number. Outcomes in `store` are shown as they are,
        whatever code they are of; with 0, nothing else is.
    advance : callable, optional
        Called without arguments after each part of an experiment, if there is no
        `budget`.

    Returns
    -------
    DataFrame
        One line a published cell: `paper`, `table`, `row`, `column`, `unit`,
        `published` and its `spread`; `ours`, `our_spread` and `runs`; the
        `difference` ours less published; `verdict` and `note`. Its ``attrs["curves"]``
        lists the curves behind the cells, and those of which cells are the points,
        as dictionaries with `paper`, `table`, `row`, `column`, `sizes` and `values`.
        Its ``attrs["made"]`` tells of each part how it was made: `n_runs`, `seed`,
        `date`, `machine`, `version` and `seconds`, and the runs of its `goal`.

    Raises
    ------
    DataError
        If there is no such paper, table or folder; it is a `ValueError`.
    StorageError
        If `store` holds outcomes of another seed, or something else.
    ValueError


    See Also
    --------
    experiments : What can be run.

    Notes
    -----
    The verdict is "matches" when our value has the printed digits, rounded or cut. If
    not, and the paper prints a spread, it is "within spread" when the difference is
    not larger. If the paper prints none and both values are means over runs, it is
    "within noise" when the difference is at most

    .. math:: 2 s \sqrt{1 / n_{ours} + 1 / n_{published}},

    with s the standard deviation of our runs: two standard errors of the difference
    of two such means; with fewer than three runs of ours it is "too few runs".
    Otherwise it is "differs". Run times are never judged ("time"),
    nor are curves of which the paper prints no number ("figure"). What pairsift cannot
    do yet is "pending"; "no data" is said where a file is missing, "not run" where the
    `budget` ended before.

    Examples
    --------
    >>> from reproduction import reproduce
    >>> found = reproduce("hijazi2021", "figure-5", n_runs=1)
    >>> found.loc[3, ["row", "column", "verdict"]].tolist()
    ['Variance', 'KNN Acc', 'figure']
    >>> len(found.attrs["curves"])
    15
    """
    import pandas as pd

    chosen = experiments(paper, table)
    if n_runs is not None and n_runs < 1:
        raise DataError(f"n_runs must be at least 1, got {n_runs!r}.")
    if random_state < 0:
        raise DataError(f"random_state must be at least 0, got {random_state!r}.")
    if budget is not None and not budget >= 0:
        raise DataError(f"budget must be 0 seconds or more, got {budget!r}.")
    seed = int(random_state)
    kept = None if store is None else RecordStore(Path(store).expanduser(), seed)
    runner = Runner(seed, _loader(data_dir), kept)
    jobs = [job for e in chosen for job in runner.jobs(e, PAPERS[e.paper].keeps_runs)]
    if budget is None:
        runner.run_all(jobs, n_runs, advance or (lambda: None))
    else:
        runner.run_within(jobs, n_runs, budget)
    lines: list[dict[str, Any]] = []
    curves: list[dict[str, Any]] = []
    for experiment in chosen:
        found = judged([job for job in jobs if job.experiment is experiment])
        lines += [_line(experiment, *of_cell) for of_cell in found]
        curves += _curves(experiment, [of_cell[:2] for of_cell in found])
    table_of_cells = pd.DataFrame(lines)
    table_of_cells.attrs["curves"] = curves
    table_of_cells.attrs["made"] = [_made(job) for job in jobs]
    return table_of_cells


def _made(job: Job) -> dict[str, Any]:
    experiment = job.experiment
    made = {} if job.record is None else job.record.made._asdict()
    return {
        "paper": experiment.paper,
        "table": experiment.table,
        "goal": goal_of(experiment, job.part) if job.part.run else 0,
        **made,
    }


def _loader(data_dir: str | os.PathLike[str] | None) -> Callable[[str], Any]:
    from pairsift.datasets import load

    if data_dir is not None and not Path(data_dir).expanduser().is_dir():
        raise DataError(
            f"data_dir must be an existing folder, got {os.fspath(data_dir)!r}."
        )

    @cache
    def attempt(name: str) -> Any:
        # What cannot be had is remembered, too: a download may take long to fail.
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


def _line(
    experiment: Experiment, cell: Cell, ours: Outcome | None, verdict: str, note: str
) -> dict[str, Any]:
    value = None if ours is None else ours.value
    difference = None
    if isinstance(value, float | int) and isinstance(cell.published, float | int):
        difference = value - cell.published
    return {
        "paper": experiment.paper,
        "table": experiment.table,
        "row": cell.key[0],
        "column": cell.key[1],
        "unit": cell.unit,
        "published": cell.published,
        "spread": cell.spread,
        "ours": value,
        "our_spread": None if ours is None else ours.spread,
        "runs": None if ours is None else ours.n_runs,
        "difference": difference,
        "verdict": verdict,
        "note": note,
    }


def _curves(
    experiment: Experiment, found: Sequence[tuple[Cell, Outcome | None]]
) -> list[dict[str, Any]]:
    curves: dict[tuple[str, str], Curve] = {}
    for cell, ours in found:
        if ours is None:
            continue
        name, at = curve_of(experiment, cell)
        if ours.curve is not None:
            curves[name] = ours.curve
        elif at is not None:
            curve = curves.setdefault(name, Curve([], []))
            curve.sizes.append(at)
            curve.values.append(float(ours.value))
    return [
        {
            "paper": experiment.paper,
            "table": experiment.table,
            "row": row,
            "column": column,
            **curve._asdict(),
        }
        for (row, column), curve in curves.items()
    ]
