"""Run the published experiments: ``python -m reproduction [PAPER [TABLE]]``."""

from __future__ import annotations

import argparse
import json
import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from pairsift.exceptions import PairsiftError
from reproduction._reproduce import Result, Runner, experiments
from reproduction._text import (
    HEADER,
    all_cells,
    as_document,
    full_run_text,
    lines,
    markdown,
    reasons,
    table_rows,
    verdict_counts,
)

SUFFIXES = (".csv", ".json", ".md")
_UNITS = {"s": 1, "m": 60, "h": 3600}


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the arguments, run and print."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.paper is None:
        _print_list()
        return
    words = sys.argv[1:] if arguments is None else arguments
    command = f"python -m reproduction {shlex.join(words)}"
    if options.report is not None:
        # Before anything is run, because Matplotlib may not be installed.
        from reproduction._page import write_report
    try:
        chosen = experiments(options.paper, options.table)
        runner = Runner(
            n_runs=options.runs,
            data_dir=options.data_dir,
            seed=options.seed,
            store=options.store,
            budget=options.budget,
        )
        results = []
        for experiment in chosen:
            results.append(runner.measure(experiment))
            _print(results[-1])
    except PairsiftError as error:
        parser.error(str(error))
    print(verdict_counts(all_cells(results)), full_run_text(results))
    if options.out is not None:
        _write(results, options.out, command)
    if options.report is not None:
        write_report(results, options.report, command)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m reproduction",
        description="Run published experiments and put our values beside theirs.",
    )
    add = parser.add_argument
    add("paper", nargs="?", help="such as hijazi2019; without it, all are listed")
    add("table", nargs="?", help="such as 4.2 or figure-9; all of the paper by default")
    add("--data-dir", type=Path, metavar="FOLDER", help="where the data files are")
    add("--runs", type=int, metavar="N", help="number of runs (default: as listed)")
    add("--seed", type=int, default=0, metavar="N", help="seed of the random draws")
    add("--store", type=Path, metavar="FOLDER", help="keep outcomes there, and go on")
    add(
        "--budget",
        type=seconds_of,
        metavar="TIME",
        help="start no further part after a time such as 90s, 30m or 2h; with --store, "
        "0 only shows what is stored",
    )
    add("--out", type=_out, metavar="FILE", help="write all cells: .csv, .json or .md")
    add("--report", type=_in_folder, metavar="FILE", help="write one HTML page")
    return parser


def seconds_of(text: str) -> float:
    """Read a time such as 30m."""
    if text.strip() == "0":
        return 0.0
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smh])", text.strip())
    if found is None:
        raise argparse.ArgumentTypeError(
            f"must be a number of seconds, minutes or hours such as 90s, 30m or 2h, "
            f"got {text!r}"
        )
    return float(found[1]) * _UNITS[found[2]]


def _in_folder(text: str) -> Path:
    path = Path(text)
    if not path.parent.is_dir():
        folder = str(path.parent)
        raise argparse.ArgumentTypeError(f"there is no folder {folder!r} for {text!r}")
    return path


def _out(text: str) -> Path:
    path = _in_folder(text)
    if path.suffix.lower() not in SUFFIXES:
        accepted = ", ".join(SUFFIXES)
        raise argparse.ArgumentTypeError(f"must end in one of {accepted}, got {text!r}")
    return path


def _print_list() -> None:
    header = ("paper", "table", "cells", "runs", "title", "also")
    _print_table(
        header,
        [
            (
                *(e.paper, e.table, str(len(e.cells))),
                "pending" if e.is_pending else str(e.n_runs),
                *(e.title, ", ".join(e.also)),
            )
            for e in experiments()
        ],
    )


def _print(result: Result) -> None:
    experiment, cells, _ = result
    print(f"{experiment.paper}, {experiment.name}: {experiment.title}")
    _print_table(HEADER, table_rows(cells))
    for note in reasons(cells):
        print(note)
    print(flush=True)


def _print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    for line in (header, *rows):
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        print("  ".join(cells).rstrip())


def _write(results: Sequence[Result], path: Path, command: str) -> None:
    suffix = path.suffix.lower()
    if suffix == ".csv":
        text = pd.DataFrame(lines(results)).to_csv(index=False)
    elif suffix == ".json":
        document = as_document(results)
        text = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)
    else:
        text = markdown(results, command)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
