"""Results in words, as a Markdown page and for JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

import pairsift
from reproduction._experiment import VERDICTS, Experiment, Judged, goal_of
from reproduction._reproduce import PAPERS, Result
from reproduction._store import Made

_MAX_NAMES = 6
_PLURALS = {"matches": "match", "differs": "differ"}
HEADER = ("row", "column", "published", "ours", "difference", "verdict")


def all_cells(results: Iterable[Result]) -> list[Judged]:
    """Return the cells of all experiments."""
    return [judged for result in results for judged in result.cells]


def verdict_counts(cells: Sequence[Judged]) -> str:
    """Count the verdicts, in words."""
    found = [judged.verdict for judged in cells]
    counts = [
        f"{found.count(verdict)} {_PLURALS.get(verdict, verdict)}"
        for verdict in VERDICTS
        if verdict in found
    ]
    return f"Of {len(found)} cells: {', '.join(counts)}."


def table_rows(cells: Sequence[Judged]) -> list[tuple[str, ...]]:
    """Return cells as text, under `HEADER`."""
    rows: list[tuple[str, ...]] = []
    for judged in cells:
        cell, ours, verdict, _ = judged
        digits = cell.decimals
        rows.append(
            (
                *cell.key,
                _with_spread(cell.published, cell.spread, digits),
                _with_spread(ours.value, ours.spread, digits) if ours else "",
                _text(judged.difference, digits, sign="+"),
                verdict,
            )
        )
    return rows


def reasons(cells: Sequence[Judged]) -> list[str]:
    """Return the notes on cells, each note once and after the names of its rows."""
    rows_of: dict[str, dict[str, None]] = {}
    for cell, _, _, note in cells:
        if note:
            rows_of.setdefault(note, {})[cell.row] = None
    return [f"{_listed(list(rows))}: {note}" for note, rows in rows_of.items()]


def _listed(rows: list[str]) -> str:
    """Join names, and only count those after the first few."""
    rest = len(rows) - _MAX_NAMES
    return "; ".join(rows[:_MAX_NAMES]) + (f" and {rest} more" if rest > 0 else "")


def protocol_text(experiment: Experiment) -> str:
    """Describe the protocol, and name the tables and figures of the same numbers."""
    if not experiment.also:
        return experiment.protocol
    names = [name.replace("figure-", "figure ") for name in experiment.also]
    also = f"Its numbers are also those of {' and '.join(names)}."
    return f"{experiment.protocol} {also}".strip()


def result_text(result: Result) -> str:
    """Describe our values: runs, verdicts, seed, day, machine and time."""
    numbers = sorted({ours.n_runs for _, ours, *_ in result.cells if ours is not None})
    runs = f"Runs: {' or '.join(map(str, numbers))}." if numbers else ""
    made = _made_text([made for _, made in result.made])
    return f"{runs} {verdict_counts(result.cells)} {made}".strip()


def _made_text(parts: Sequence[Made]) -> str:
    if not parts:
        return ""
    texts = [
        f"Seed {_joined(made.seed for made in parts)}.",
        f"Made on {_joined(made.date for made in parts)}",
        f"by pairsift {_joined(made.version for made in parts)}",
        f"on {_joined(made.machine for made in parts)}.",
    ]
    per_run = [made.seconds / made.n_runs for made in parts if made.seconds]
    if len(per_run) == len(parts):
        texts.append(f"A run takes {_duration(sum(per_run))} of processor time.")
    notes = [made.note for made in parts if made.note]
    if notes:
        rest = "" if len(notes) == len(parts) else f" ({len(notes)} of {len(parts)})"
        texts.append(f"Outcomes{rest}: {_joined(notes)}.")
    return " ".join(texts)


def full_run_text(results: Sequence[Result]) -> str:
    """Estimate the time of as many runs as published, by the runs made."""
    parts = [part for r in results for part in r.experiment.parts if part.run]
    times = [
        made.seconds / made.n_runs * goal_of(result.experiment, part)
        for result in results
        for part, made in result.made
        if made.seconds
    ]
    # From the times of a few parts, the time of all cannot be estimated.
    if 2 * len(times) < len(parts) or not parts:
        return ""
    of_all = "all" if len(times) == len(parts) else f"{len(times)} of {len(parts)}"
    return (
        f"As many runs as published take about {_duration(sum(times))} of processor "
        f"time, by the runs made, for {of_all} parts."
    )


def _joined(values: Iterable[Any]) -> str:
    return " and ".join(sorted({str(value) for value in values}))


def _duration(seconds: float) -> str:
    for length, unit in ((3600, "hours"), (60, "minutes")):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds:.0f} seconds" if seconds >= 2 else f"{seconds:.2g} seconds"


def markdown(results: Sequence[Result], command: str) -> str:
    """Write results as a Markdown page, the papers under headings."""
    parts: list[str] = []
    for key, group in groupby(results, lambda result: result.experiment.paper):
        of_paper = list(group)
        counts = verdict_counts(all_cells(of_paper))
        parts += [
            f"# {key}",
            PAPERS[key].citation,
            f"{counts} {full_run_text(of_paper)}".strip(),
            f"Written by pairsift {pairsift.__version__} with:",
            f"```text\n{command}\n```",
        ]
        for result in of_paper:
            parts += _section(result)
    return "\n\n".join(parts) + "\n"


def _section(result: Result) -> list[str]:
    experiment, cells, _ = result
    table = [HEADER, ("---", "---", "---:", "---:", "---:", "---"), *table_rows(cells)]
    notes = [f"- {note}" for note in reasons(cells)]
    return [
        f"## {experiment.name.capitalize()}: {experiment.title}",
        protocol_text(experiment),
        result_text(result),
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
    # Adding 0 turns -0 into 0.
    return "" if value is None else f"{round(value, digits) + 0.0:{sign}.{digits}f}"


def as_document(results: Sequence[Result]) -> list[dict[str, Any]]:
    """Return results for JSON, a dictionary per experiment."""
    return [
        {
            "paper": result.experiment.paper,
            "table": result.experiment.table,
            "title": result.experiment.title,
            "protocol": result.experiment.protocol,
            "made": [made._asdict() for _, made in result.made],
            "cells": [_cell(judged) for judged in result.cells],
            "curves": [
                {"row": row, "column": column, **curve._asdict()}
                for (row, column), curve in result.curves.items()
            ],
        }
        for result in results
    ]


def _cell(judged: Judged) -> dict[str, Any]:
    """Return a cell with our value as a line of a table."""
    cell, ours, verdict, note = judged
    return {
        "row": cell.key[0],
        "column": cell.key[1],
        "unit": cell.unit,
        "published": cell.published,
        "spread": cell.spread,
        "ours": ours and ours.value,
        "our_spread": ours and ours.spread,
        "runs": ours and ours.n_runs,
        "difference": judged.difference,
        "verdict": verdict,
        "note": note,
    }


def lines(results: Sequence[Result]) -> list[dict[str, Any]]:
    """Return all cells as lines of one table."""
    return [
        {"paper": r.experiment.paper, "table": r.experiment.table, **_cell(judged)}
        for r in results
        for judged in r.cells
    ]
