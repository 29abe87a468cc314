"""One HTML page of what was found: tables, and pictures of the curves."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import Any

import pandas as pd

import pairsift
from reproduction._experiment import VERDICTS, Experiment, curve_of
from reproduction._text import (
    HEADER,
    also_text,
    by_experiment,
    curves_in,
    made_text,
    reasons,
    runs_text,
    table_rows,
    verdict_counts,
)

_GOOD = ("matches", "within spread", "within noise")
_TEMPLATE = Path(__file__).with_name("page.html")


def write_report(found: pd.DataFrame, path: Path, command: str) -> None:
    """Write the page, which needs no other file."""
    sections = [
        _section(found, experiment, lines) for experiment, lines in by_experiment(found)
    ]
    said = set(found["verdict"])
    meanings = [(word, text) for word, text in VERDICTS.items() if word in said]
    papers = ", ".join(dict.fromkeys(found["paper"]))
    page = Template(_TEMPLATE.read_text(encoding="utf-8")).substitute(
        title=escape(f"{papers}, run again"),
        lead=escape(f"Published values beside ours. {verdict_counts(found)}"),
        sections="\n".join(sections),
        verdicts=_table(("verdict", "meaning"), meanings),
        command=escape(command),
        version=escape(pairsift.__version__),
    )
    path.write_text(page, encoding="utf-8")


def _section(found: pd.DataFrame, experiment: Experiment, lines: pd.DataFrame) -> str:
    counts = f"{runs_text(lines)} {verdict_counts(lines)}"
    texts = [
        f"{experiment.protocol} {also_text(experiment)}",
        f"{counts} {made_text(found.attrs['made'], experiment)}",
    ]
    title = f"{experiment.name.capitalize()}: {experiment.title}"
    return "\n".join(
        [
            f"<h2>{escape(title)}</h2>",
            *(f"<p>{escape(text.strip())}</p>" for text in texts),
            _table(HEADER, table_rows(experiment, lines)),
            *(f"<p>{escape(note)}</p>" for note in reasons(lines)),
            *_pictures(experiment, curves_in(found, experiment)),
        ]
    )


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table whose rows are coloured by the verdict, their last cell."""
    lines = [f"<tr>{''.join(f'<th>{escape(name)}</th>' for name in header)}</tr>"]
    for row in rows:
        kind = "good" if row[-1] in _GOOD else "bad" if row[-1] == "differs" else ""
        cells = "".join(f"<td>{escape(cell)}</td>" for cell in row)
        lines.append(f'<tr class="{kind}">{cells}</tr>')
    return "\n".join(["<table>", *lines, "</table>"])


def _pictures(experiment: Experiment, curves: Sequence[dict[str, Any]]) -> list[str]:
    """Draw the curves of a row, or of a column, in one picture for each unit."""
    units = {curve_of(experiment, cell)[0]: cell.unit for cell in experiment.cells}
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for curve in curves:
        unit = units[curve["row"], curve["column"]]
        groups.setdefault((curve[experiment.picture], unit), []).append(curve)
    return [
        f'<figure><img alt="{escape(name)}" src="{_drawn(experiment, unit, group)}">'
        f"<figcaption>{escape(name)}, mean over the runs.</figcaption></figure>"
        for (name, unit), group in groups.items()
    ]


def _drawn(experiment: Experiment, unit: str, curves: Sequence[dict[str, Any]]) -> str:
    """Draw curves with Matplotlib, as an address that contains the picture."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    other = {"row": "column", "column": "row"}[experiment.picture]
    for curve in curves:
        axes.plot(curve["sizes"], curve["values"], label=curve[other])
    axes.set_xlabel(experiment.against)
    axes.set_ylabel(f"accuracy in {unit}" if unit == "%" else unit)
    if experiment.is_log:
        axes.set_xscale("log")
    axes.legend(fontsize="small")
    file = io.BytesIO()
    with rc_context({"svg.fonttype": "none"}):
        figure.savefig(file, format="svg", metadata={"Date": None})
    encoded = base64.b64encode(file.getvalue()).decode("ascii")
    return f"data:image/svg+xml;base64,{encoded}"
