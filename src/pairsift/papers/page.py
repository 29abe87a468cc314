"""What was found, in words and as a Markdown page."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pairsift.papers._experiment import VERDICTS, Experiment
from pairsift.papers._reproduce import PAPERS, experiments

if TYPE_CHECKING:
    import pandas as pd

_MOST_NAMES = 6
_PLURALS = {"matches": "match", "differs": "differ"}
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
    for (paper, table), lines in found.groupby(["paper", "table"], sort=False):
        [experiment] = experiments(paper, table)
        yield experiment, lines


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


def markdown(found: pd.DataFrame, command: str, version: str) -> str:
    """Write what was found as a Markdown page, the papers under headings."""
    parts: list[str] = []
    for key, of_paper in found.groupby("paper", sort=False):
        parts += [
            f"# {key}",
            PAPERS[str(key)].citation,
            verdict_counts(of_paper),
            f"Made by pairsift {version} with:",
            f"```text\n{command}\n```",
        ]
        for experiment, lines in by_experiment(of_paper):
            parts += _section(experiment, lines)
    return "\n\n".join(parts) + "\n"


def _section(experiment: Experiment, lines: pd.DataFrame) -> list[str]:
    table: list[tuple[str, ...]] = [
        HEADER,
        ("---", "---", "---:", "---:", "---:", "---"),
    ]
    table += table_rows(experiment, lines)
    notes = [f"- {note}" for note in reasons(lines)]
    name = experiment.name.capitalize()
    return [
        f"## {name}: {experiment.title}",
        experiment.protocol,
        f"{runs_text(lines)} {verdict_counts(lines)}".strip(),
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
