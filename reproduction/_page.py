"""One HTML page of what was found: tables, and pictures of the curves."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from string import Template

from matplotlib import rc_context
from matplotlib.figure import Figure

import pairsift
from reproduction._experiment import VERDICTS, Curve, Experiment, curve_of
from reproduction._reproduce import Result
from reproduction._text import (
    HEADER,
    all_cells,
    protocol_text,
    reasons,
    result_text,
    table_rows,
    verdict_counts,
)

_GOOD = ("matches", "within spread", "within noise")
_TEMPLATE = Path(__file__).with_name("page.html")


def write_report(results: Sequence[Result], path: Path, command: str) -> None:
    """Write the page, which needs no other file."""
    cells = all_cells(results)
    given = {judged.verdict for judged in cells}
    meanings = [(word, text) for word, text in VERDICTS.items() if word in given]
    papers = ", ".join(dict.fromkeys(result.experiment.paper for result in results))
    page = Template(_TEMPLATE.read_text(encoding="utf-8")).substitute(
        title=escape(f"{papers}, run again"),
        lead=escape(f"Published values beside ours. {verdict_counts(cells)}"),
        sections="\n".join(map(_section, results)),
        verdicts=_table(("verdict", "meaning"), meanings),
        command=escape(command),
        version=escape(pairsift.__version__),
    )
    path.write_text(page, encoding="utf-8")


def _section(result: Result) -> str:
    experiment, cells, _ = result
    title = f"{experiment.name.capitalize()}: {experiment.title}"
    return "\n".join(
        [
            f"<h2>{escape(title)}</h2>",
            f"<p>{escape(protocol_text(experiment))}</p>",
            f"<p>{escape(result_text(result))}</p>",
            _table(HEADER, table_rows(cells)),
            *(f"<p>{escape(note)}</p>" for note in reasons(cells)),
            *_pictures(result),
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


def _pictures(result: Result) -> list[str]:
    """Draw the curves of a row, or of a column, in one picture for each unit."""
    experiment = result.experiment
    units = {curve_of(experiment, cell)[0]: cell.unit for cell in experiment.cells}
    groups: dict[tuple[str, str], dict[str, Curve]] = {}
    for (row, column), curve in result.curves.items():
        name, of_curve = row, column
        if experiment.picture == "column":
            name, of_curve = column, row
        groups.setdefault((name, units[row, column]), {})[of_curve] = curve
    return [
        f'<figure><img alt="{escape(name)}" src="{_drawn(experiment, unit, curves)}">'
        f"<figcaption>{escape(name)}, mean over the runs.</figcaption></figure>"
        for (name, unit), curves in groups.items()
    ]


def _drawn(experiment: Experiment, unit: str, curves: dict[str, Curve]) -> str:
    """Draw curves with Matplotlib, as an address that contains the picture."""
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    for name, curve in curves.items():
        axes.plot(curve.sizes, curve.values, label=name)
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
