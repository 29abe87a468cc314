"""``pairsift reproduce``: the published experiments, ours beside theirs."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pairsift._formulas import guarded_frame
from pairsift._replacing import replacing
from pairsift._version import __version__
from pairsift.cli._console import Messages, print_json, print_table
from pairsift.cli._output import check_outputs
from pairsift.exceptions import DataError
from pairsift.reports import (
    Line,
    Section,
    figure,
    html_table,
    line_picture,
    paragraph,
    write_page,
)

if TYPE_CHECKING:
    import pandas as pd

    from pairsift.papers import Experiment

SUFFIXES = (".csv", ".json", ".md")
_NUMBERS = ("published", "ours", "difference")
_STYLES = {"matches": "green", "within spread": "green", "within noise": "green"}
_STYLES |= {"differs": "red"}
_CLASSES = {verdict: "good" for verdict, style in _STYLES.items() if style == "green"}
_CLASSES |= {"differs": "bad"}


def reproduce(
    ctx: typer.Context,
    paper: Annotated[
        str | None,
        typer.Argument(help="Such as hijazi2019.", show_default="list what there is"),
    ] = None,
    table: Annotated[
        str | None,
        typer.Argument(
            help="Such as 4.2 or figure-9.", show_default="all of the paper"
        ),
    ] = None,
    data_dir: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Where the data files are.",
            show_default="installed, cached or downloaded",
        ),
    ] = None,
    runs: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Number of runs where the protocol draws at random.",
            show_default="as listed",
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(metavar="N", min=0, help="Seed of the random draws.")
    ] = 0,
    store: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Keep outcomes and single runs there: the same command goes on where "
            "it was interrupted.",
        ),
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Do as much as fits into a time such as 30m, 90s or 2h, cells without "
            "a verdict first, up to the published number of runs; with --store, 0 "
            "only shows what is there.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write all cells: .csv, .json or .md."),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a self-contained HTML page."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print results and errors only.")
    ] = False,
) -> None:
    """Run the published experiments again and compare.

    Each published value stands beside ours, with the difference and a verdict:
    matches, within spread, within noise, differs. Run times are only shown.

    [bold]Examples[/]

    pairsift reproduce

    pairsift reproduce hijazi2019 4.2 --data-dir data

    pairsift reproduce hijazi2021 figure-9 --runs 3 --report sonar.html

    pairsift reproduce salmi2020 --data-dir data --store outcomes --budget 30m
    """
    if out is not None and out.suffix.lower() not in SUFFIXES:
        accepted = ", ".join(SUFFIXES)
        raise DataError(f"--out {out}: the name must end in one of {accepted}.")
    check_outputs([out, report], [])
    seconds = None if budget is None else seconds_of(budget)
    if data_dir is not None and not data_dir.is_dir():
        raise DataError(
            f"--data-dir must be an existing folder, got {str(data_dir)!r}."
        )
    from pairsift import papers

    chosen = papers.experiments(paper, table)
    if paper is None:
        _print_list(chosen, as_json)
        return
    messages = Messages(quiet)
    n_parts = sum(len(experiment.parts) for experiment in chosen)
    what = chosen[0].name if len(chosen) == 1 else f"{len(chosen)} tables and figures"
    total = n_parts if seconds is None else None
    with messages.progress(f"{paper}, {what}", total) as advance:
        found = papers.reproduce(
            paper,
            table,
            n_runs=runs,
            data_dir=data_dir,
            random_state=seed,
            store=store,
            budget=seconds,
            advance=advance,
        )
    if out is not None:
        _write(found, out, ctx.obj)
        messages.note(f"wrote {out}")
    if report is not None:
        _write_report(found, report, ctx.obj, runs, seed)
        messages.note(f"wrote {report}")
    if as_json:
        print_json(_as_document(found))
    else:
        _print(found, messages)


def seconds_of(text: str) -> float:
    """Read a time such as 30m."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smh])|0", text.strip())
    if found is None:
        raise DataError(
            f"--budget takes a number of seconds, minutes or hours such as 90s, 30m or "
            f"2h, got {text!r}."
        )
    return float(found[1] or 0) * {"s": 1, "m": 60, "h": 3600, None: 0}[found[2]]


def _print_list(chosen: Sequence[Experiment], as_json: bool) -> None:
    header = ["paper", "table", "cells", "runs", "title", "also"]
    rows = [
        (
            *(e.paper, e.table, len(e.cells), 0 if e.is_pending else e.n_runs),
            *(e.title, ", ".join(e.also)),
        )
        for e in chosen
    ]
    if as_json:
        print_json([dict(zip(header, row, strict=True)) for row in rows])
        return
    texts = [
        [*(str(value) if value else "pending" for value in row[:4]), *row[4:]]
        for row in rows
    ]
    print_table(header, texts, right=["cells", "runs"], whole=header[:4])


def _print(found: pd.DataFrame, messages: Messages) -> None:
    from pairsift.papers import page

    header = ["table", *page.HEADER]
    rows: list[tuple[str, ...]] = []
    for experiment, lines in page.by_experiment(found):
        rows += [(experiment.table, *row) for row in page.table_rows(experiment, lines)]
    styles = [_STYLES.get(row[-1], "") for row in rows]
    print_table(header, rows, right=_NUMBERS, whole=header[1:], styles=styles)
    messages.note(page.verdict_counts(found))
    for paper in dict.fromkeys(found["paper"]):
        if text := page.full_run_text(found.attrs["made"], paper):
            messages.note(text)
    for note in page.reasons(page.without_attrs(found)):
        messages.note(note)


def _as_document(found: pd.DataFrame) -> list[dict[str, Any]]:
    from pairsift.papers.page import by_experiment

    document = []
    for experiment, lines in by_experiment(found):
        cells = lines.drop(columns=["paper", "table"])
        # NaN is what pandas makes of None in a column of numbers.
        cells = cells.astype(object).where(cells.notna(), None)
        document.append(
            {
                "paper": experiment.paper,
                "table": experiment.table,
                "title": experiment.title,
                "protocol": experiment.protocol,
                "made": [
                    made
                    for made in found.attrs["made"]
                    if (made["paper"], made["table"])
                    == (experiment.paper, experiment.table)
                ],
                "cells": cells.to_dict(orient="records"),
                "curves": _curves(found, experiment),
            }
        )
    return document


def _curves(found: pd.DataFrame, experiment: Experiment) -> list[dict[str, Any]]:
    name = (experiment.paper, experiment.table)
    curves: list[dict[str, Any]] = found.attrs["curves"]
    return [curve for curve in curves if (curve["paper"], curve["table"]) == name]


def _write(found: pd.DataFrame, path: Path, command: str) -> None:
    from pairsift.papers.page import markdown

    suffix = path.suffix.lower()
    if suffix == ".csv":
        with replacing(path) as draft:
            guarded_frame(found).to_csv(draft, index=False)
        return
    text = markdown(found, command, __version__)
    if suffix == ".json":
        document = _as_document(found)
        text = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)
        text += "\n"
    with replacing(path) as draft:
        draft.write_text(text, encoding="utf-8")


def _write_report(
    found: pd.DataFrame, path: Path, command: str, runs: int | None, seed: int
) -> None:
    from pairsift.papers import VERDICTS, page

    sections = []
    made = found.attrs["made"]
    for experiment, lines in page.by_experiment(found):
        rows = page.table_rows(experiment, lines)
        classes = [_CLASSES.get(row[-1], "") for row in rows]
        counts = f"{page.runs_text(lines)} {page.verdict_counts(lines)}"
        parts = [
            paragraph(f"{experiment.protocol} {page.also_text(experiment)}".strip()),
            paragraph(f"{counts} {page.made_text(made, experiment)}".strip()),
            html_table(page.HEADER, rows, numbers=_NUMBERS, classes=classes),
            *(paragraph(note, "soft") for note in page.reasons(lines)),
            *_pictures(experiment, _curves(found, experiment)),
        ]
        title = f"{experiment.name.capitalize()}: {experiment.title}"
        sections.append(Section(title, parts))
    said = set(found["verdict"])
    meanings = [(word, text) for word, text in VERDICTS.items() if word in said]
    sections.append(
        Section("Verdicts", [html_table(["verdict", "what it means"], meanings)])
    )
    papers = ", ".join(dict.fromkeys(found["paper"]))
    write_page(
        path,
        title=f"{papers}, run again",
        lead=f"Published values beside ours. {page.verdict_counts(found)}",
        sections=sections,
        command=command,
        parameters={"runs": runs or "as each experiment states", "seed": seed},
    )


def _pictures(experiment: Experiment, curves: Sequence[dict[str, Any]]) -> list[str]:
    """Draw the curves of a row, or of a column, in one picture for each unit."""
    from pairsift.papers import curve_of

    units = {curve_of(experiment, cell)[0]: cell.unit for cell in experiment.cells}
    other = {"row": "column", "column": "row"}[experiment.picture]
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for curve in curves:
        unit = units[curve["row"], curve["column"]]
        groups.setdefault((curve[experiment.picture], unit), []).append(curve)
    return [
        figure(
            line_picture(
                [_line(curve) for curve in group],
                name=f"{experiment.paper}-{experiment.table}-{number}",
                title=name,
                x_title=experiment.against,
                is_log=experiment.is_log,
                y_title=f"accuracy in {unit}" if unit == "%" else unit,
            ),
            f"{name}, mean over the runs.",
            [curve[other] for curve in group],
        )
        for number, ((name, unit), group) in enumerate(groups.items())
    ]


def _line(curve: dict[str, Any]) -> Line:
    from pairsift.papers import MOST_POINTS

    step = max(1, len(curve["sizes"]) // MOST_POINTS)
    return Line(curve["sizes"][::step], curve["values"][::step])
