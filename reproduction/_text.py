"""What was found, in words and as a Markdown page."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from reproduction._experiment import VERDICTS, Experiment
from reproduction._reproduce import PAPERS, experiments

if TYPE_CHECKING:
    import pandas as pd

_MOST_NAMES = 6
_PLURALS = {"matches": "match", "differs": "differ"}
Made = dict[str, Any]
HEADER = ("row", "column", "published", "ours", "difference", "verdict")


def verdict_counts(found: pd.DataFrame) -> str:
    """Count the verdicts, in words."""
    counts = found["verdict"].value_counts()
    said = [
        f"{counts[verdict]} {_PLURALS.get(verdict, verdict)}"
        for verdict in VERDICTS
        if verdict in counts
    ]
    return f"Of {len(found)} cells: {', '.join(said)}."


def by_experiment(found: pd.DataFrame) -> Iterator[tuple[Experiment, pd.DataFrame]]:
    """Go through the experiments of a result, in order."""
    bare = without_attrs(found)
    for (paper, table), lines in bare.groupby(["paper", "table"], sort=False):
        [experiment] = experiments(paper, table)
        yield experiment, lines


def without_attrs(found: pd.DataFrame) -> pd.DataFrame:
    """Return the cells alone: pandas copies all curves whenever rows are taken."""
    bare = found.copy()
    bare.attrs = {}
    return bare


def table_rows(experiment: Experiment, lines: pd.DataFrame) -> list[tuple[str, ...]]:
    """Return the cells of an experiment as text, under `HEADER`."""
    decimals = {cell.key: cell.decimals for cell in experiment.cells}
    rows: list[tuple[str, ...]] = []
    for line in lines.to_dict(orient="records"):
        digits = decimals[line["row"], line["column"]]
        rows.append(
            (
                line["row"],
                line["column"],
                _with_spread(line["published"], line["spread"], digits),
                _with_spread(line["ours"], line["our_spread"], digits),
                _text(line["difference"], digits, sign="+"),
                line["verdict"],
            )
        )
    return rows


def reasons(lines: pd.DataFrame) -> list[str]:
    """Return what is to be said of some rows, each thing once."""
    rows_of: dict[str, dict[str, None]] = {}
    for line in lines.to_dict(orient="records"):
        if line["note"]:
            rows_of.setdefault(line["note"], {})[line["row"]] = None
    return [f"{_listed(list(rows))}: {note}" for note, rows in rows_of.items()]


def _listed(rows: list[str]) -> str:
    """Join names, and only count those after the first few."""
    rest = len(rows) - _MOST_NAMES
    return "; ".join(rows[:_MOST_NAMES]) + (f" and {rest} more" if rest > 0 else "")


def runs_text(lines: pd.DataFrame) -> str:
    """Say how many runs our values are means of."""
    runs = sorted({int(n) for n in lines["runs"].dropna()})
    return f"Runs: {' or '.join(map(str, runs))}." if runs else ""


def made_text(of_parts: Iterable[Made], experiment: Experiment) -> str:
    """Say how the outcomes of an experiment were made: seed, day, machine, time.

    `of_parts` is ``attrs["made"]`` of a result.
    """
    parts = [
        made
        for made in of_parts
        if (made["paper"], made["table"]) == (experiment.paper, experiment.table)
        and "date" in made
    ]
    if not parts:
        return ""
    said = [f"Seed {_joined(made['seed'] for made in parts)}."]
    said.append(f"Made on {_joined(made['date'] for made in parts)}")
    said.append(f"by pairsift {_joined(made['version'] for made in parts)}")
    said.append(f"on {_joined(made['machine'] for made in parts)}.")
    per_run = [made["seconds"] / made["n_runs"] for made in parts if made["seconds"]]
    if len(per_run) == len(parts):
        said.append(f"A run takes {_duration(sum(per_run))} of processor time.")
    notes = [made["note"] for made in parts if made["note"]]
    if notes:
        rest = "" if len(notes) == len(parts) else f" ({len(notes)} of {len(parts)})"
        said.append(f"Outcomes{rest}: {_joined(notes)}.")
    return " ".join(said)


def full_run_text(of_parts: Iterable[Made], paper: str) -> str:
    """Say how long as many runs as published would take, by the runs made."""
    parts = [made for made in of_parts if made["goal"] and made["paper"] == paper]
    timed = [made for made in parts if made.get("seconds")]
    # Times of a few parts say nothing of all.
    if 2 * len(timed) < len(parts) or not parts:
        return ""
    seconds = sum(made["seconds"] / made["n_runs"] * made["goal"] for made in timed)
    of_all = "all" if len(timed) == len(parts) else f"{len(timed)} of {len(parts)}"
    return (
        f"As many runs as published take about {_duration(seconds)} of processor time, "
        f"by the runs made, for {of_all} parts."
    )


def _joined(values: Iterable[Any]) -> str:
    return " and ".join(sorted({str(value) for value in values}))


def _duration(seconds: float) -> str:
    for length, unit in ((3600, "hours"), (60, "minutes")):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds:.0f} seconds" if seconds >= 2 else f"{seconds:.2g} seconds"


def also_text(experiment: Experiment) -> str:
    """Name the tables and figures that show the same numbers."""
    if not experiment.also:
        return ""
    names = [name.replace("figure-", "figure ") for name in experiment.also]
    return f"Its numbers are also those of {' and '.join(names)}."


def markdown(found: pd.DataFrame, command: str, version: str) -> str:
    """Write what was found as a Markdown page, the papers under headings."""
    parts: list[str] = []
    made = found.attrs["made"]
    for key, of_paper in without_attrs(found).groupby("paper", sort=False):
        counts = f"{verdict_counts(of_paper)} {full_run_text(made, str(key))}"
        parts += [
            f"# {key}",
            PAPERS[str(key)].citation,
            counts.strip(),
            f"Written by pairsift {version} with:",
            f"```text\n{command}\n```",
        ]
        for experiment, lines in by_experiment(of_paper):
            parts += _section(experiment, lines, made_text(made, experiment))
    return "\n\n".join(parts) + "\n"


def _section(experiment: Experiment, lines: pd.DataFrame, made: str) -> list[str]:
    table: list[tuple[str, ...]] = [
        HEADER,
        ("---", "---", "---:", "---:", "---:", "---"),
    ]
    table += table_rows(experiment, lines)
    notes = [f"- {note}" for note in reasons(lines)]
    name = experiment.name.capitalize()
    return [
        f"## {name}: {experiment.title}",
        f"{experiment.protocol} {also_text(experiment)}".strip(),
        f"{runs_text(lines)} {verdict_counts(lines)} {made}".strip(),
        "\n".join(f"| {' | '.join(map(_escaped, row))} |" for row in table),
        *(["\n".join(notes)] if notes else []),
    ]


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")


def _with_spread(value: Any, spread: Any, digits: int) -> str:
    text = _text(value, digits)
    deviation = _text(spread, digits)
    return f"{text} ± {deviation}" if deviation else text


def _text(value: Any, digits: int, sign: str = "") -> str:
    if isinstance(value, str):
        return value
    if value is None or math.isnan(value):
        return ""
    # Adding 0 turns -0 into 0.
    return f"{round(value, digits) + 0.0:{sign}.{digits}f}"


def as_document(found: pd.DataFrame) -> list[dict[str, Any]]:
    """Return all that was found, for JSON: a dictionary per experiment."""
    document = []
    for experiment, lines in by_experiment(found):
        cells = lines.drop(columns=["paper", "table"])
        # NaN is what pandas makes of None in a column of numbers.
        cells = cells.astype(object).where(cells.notna(), None)
        name = (experiment.paper, experiment.table)
        document.append(
            {
                "paper": experiment.paper,
                "table": experiment.table,
                "title": experiment.title,
                "protocol": experiment.protocol,
                "made": [
                    made
                    for made in found.attrs["made"]
                    if (made["paper"], made["table"]) == name
                ],
                "cells": cells.to_dict(orient="records"),
                "curves": curves_in(found, experiment),
            }
        )
    return document


def curves_in(found: pd.DataFrame, experiment: Experiment) -> list[dict[str, Any]]:
    """Return the curves of an experiment."""
    name = (experiment.paper, experiment.table)
    curves: list[dict[str, Any]] = found.attrs["curves"]
    return [curve for curve in curves if (curve["paper"], curve["table"]) == name]
