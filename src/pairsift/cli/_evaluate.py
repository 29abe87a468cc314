"""``pairsift evaluate``: which method works on these data."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from pairsift._file_modes import private_as
from pairsift._formulas import guarded_frame
from pairsift._replacing import replacing
from pairsift._words import count
from pairsift.cli._checks import data_warnings, label_warnings
from pairsift.cli._compared import BASELINES, METHODS, affordable
from pairsift.cli._console import (
    Messages,
    is_terminal,
    print_json,
    print_table,
    print_text,
)
from pairsift.cli._grid import Grid, grid_of
from pairsift.cli._na_words import na_words
from pairsift.cli._options import (
    FORMATS_HELP,
    AsJson,
    Categorical,
    Drop,
    IdColumn,
    KeepNa,
    Na,
    Quiet,
    Seed,
    Unlabelled,
)
from pairsift.cli._output import check_outputs, make_folder
from pairsift.cli._query import ModeName, StrategyName
from pairsift.cli._ranking import as_data_error, find_method
from pairsift.cli._spreading import Spread, SpreadGraph, spread_options
from pairsift.cli._tables import read_table
from pairsift.exceptions import DataError
from pairsift.reports import (
    Evaluation,
    Table,
    plus_minus,
    summary_rows,
    versions,
    write_evaluation,
)

if TYPE_CHECKING:
    from pairsift.evaluation import Comparison

_NUMBERS = (
    *("accuracy", "best", "RE", "RED", "stability", "rank", "seconds"),
    *("precision", "distance"),
)
_FILES = ("runs.csv", "runs.parquet", "summary.csv", "report.html")


def evaluate(
    ctx: typer.Context,
    data: Annotated[list[Path], typer.Argument(help=f"Tables: {FORMATS_HELP}")],
    label: Annotated[
        str,
        typer.Option(
            metavar="COLUMN",
            help="Column of class labels; rows without a label are left out.",
        ),
    ],
    unlabelled: Unlabelled = None,
    methods: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,...",
            help="Some of `pairsift methods`.",
            show_default=f"{METHODS.replace(',', ', ')}; without those that would take "
            "too long",
        ),
    ] = None,
    classifiers: Annotated[
        str,
        typer.Option(metavar="A,B,...", help="Some of 1nn, svm, naive-bayes and tree."),
    ] = "1nn,svm",
    splits: Annotated[
        int, typer.Option(metavar="N", min=1, help="Number of random splits.")
    ] = 10,
    test_size: Annotated[
        float, typer.Option(metavar="PART", help="Part of the rows that is tested.")
    ] = 0.3,
    pairs: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Pairs of training rows that methods of pairs learn from, half of "
            "them cannot-links and half must-links.",
            show_default="40",
        ),
    ] = None,
    questions: Annotated[
        str | None,
        typer.Option(
            metavar="N,N,...",
            help="In place of --pairs: ask N questions about the training rows, which "
            "the labels answer, and learn from the answers only. Several numbers make "
            "a line each; 0 asks nothing, and all gives all labels.",
        ),
    ] = None,
    strategy: Annotated[
        StrategyName | None,
        typer.Option(
            metavar="NAME",
            help=f"How --questions are chosen: {', '.join(StrategyName)}.",
            show_default="sort",
        ),
    ] = None,
    mode: Annotated[
        ModeName | None,
        typer.Option(
            metavar="NAME",
            help="Kind of --questions: cards (where does this row belong?) or pairs.",
            show_default="cards with the strategy sort, else pairs",
        ),
    ] = None,
    is_spread: Spread = False,
    graph: SpreadGraph = None,
    alphas: Annotated[
        str | None,
        typer.Option(
            metavar="A,A,...",
            help="With --spread: how much a row takes from its neighbours, 0 to 1. "
            "Several numbers make a line each.",
            show_default="0.99",
        ),
    ] = None,
    wrong: Annotated[
        float | None,
        typer.Option(
            metavar="PART",
            help="Part of the answers to --questions that is wrong, such as 0.1.",
            show_default="0",
        ),
    ] = None,
    labelled: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Training rows whose labels are known.",
            show_default="all",
        ),
    ] = None,
    grid: Grid = None,
    reference: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Method whose ranking from all labels the others are compared with, "
            "such as fisher: precision and distance in the tables.",
        ),
    ] = None,
    id_column: IdColumn = None,
    drop: Drop = None,
    na: Na = None,
    keep_na: KeepNa = None,
    categorical: Categorical = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Where to write tables, report and finished runs.",
            show_default="DATA-evaluation",
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Where to write the HTML page.",
            show_default="report.html in --out",
        ),
    ] = None,
    jobs: Annotated[
        int,
        typer.Option(metavar="N", help="Number of processes, -1 for one per core."),
    ] = -1,
    seed: Seed = 0,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Compare methods on your data: accuracy, redundancy, stability, time.

    Every method ranks the features of the training rows of every split, and
    classifiers are judged on the other rows. Two lines to compare with are added: the
    features in random order, and all features. A sentence at the end says which method
    is ahead of them. Finished runs are kept: the same command goes on where it was
    interrupted, and more methods or splits are added to it.

    [bold]Examples[/]

    pairsift evaluate sonar.csv --label class --methods relieff,mrmr,laplacian

    pairsift evaluate wine.csv heart.csv --label class --splits 20 --pairs 20

    pairsift evaluate wine.csv --label class --questions 0,10,30,all --wrong 0.1

    pairsift evaluate wine.csv --label class --methods relieff-sc,fcrsc --questions 20
    --strategy eigenvector --spread --graph full --alphas 0.5,0.99 --reference fisher

    pairsift evaluate wine.csv --label class --methods relieff,fisher
    --grid relieff.n_neighbors=1,5,10
    """
    messages = Messages(quiet)
    words = _words(METHODS if methods is None else methods, "--methods")
    found = [find_method(word) for word in words]
    chosen = {method.name: selector_class() for selector_class, method in found}
    ctx.with_resource(private_as(*data))
    folder = out or Path(f"{_stem(data[0])}-evaluation")
    of_grid = grid_of(grid or [], chosen)
    asked = _asked(
        questions,
        {"--pairs": pairs, "--labelled": labelled},
        {
            "--strategy": strategy,
            "--mode": mode,
            "--spread": spread_options(is_spread, graph),
            "--alphas": alphas,
            "--wrong": wrong,
        },
    )
    if reference is not None:
        # A name that is none is a mistake of the user, before any file is read.
        reference = find_method(reference)[1].name
    reading = {
        "na": na_words(na, keep_na),
        "categorical": categorical or [],
        "unlabelled": unlabelled,
    }
    tables = _read(data, label, id_column, drop or [], messages, reading)
    make_folder(folder)
    paths = [folder / name for name in _FILES]
    if report is not None:
        paths[-1] = report
    check_outputs(paths, data)
    options = {
        "classifiers": _words(classifiers, "--classifiers"),
        "n_splits": splits,
        "test_size": test_size,
        "n_pairs": pairs or 40,
        "n_labelled": labelled,
        "random_state": seed,
        "reference": reference,
        "grid": of_grid,
        **asked,
    }
    if methods is None:
        chosen, notes = affordable(chosen, [*tables.values()], options)
        for note in notes:
            messages.note(note)
    results = [
        _compare(name, table, chosen, options, jobs, folder / "finished", messages)
        for name, table in tables.items()
    ]
    evaluation = Evaluation(
        _joined(results),
        {name: table.features.shape for name, table in tables.items()},
        [w for name, table in tables.items() for w in _table_warnings(name, table)],
        options,
    )
    for note in evaluation.result.notes:
        messages.note(note)
    for warning in evaluation.all_warnings:
        messages.warn(warning)
    if all(cell.is_baseline for cell in evaluation.result.cells):
        raise DataError("no method could be fitted: the warnings above say why.")
    _write(evaluation, paths, ctx.obj)
    for path in paths:
        messages.note(f"wrote {path}")
    if as_json:
        print_json(_as_dict(evaluation, paths))
    else:
        _print(evaluation, messages)


def _words(text: str, option: str) -> list[str]:
    words = [word.strip() for word in text.split(",") if word.strip()]
    if not words:
        raise DataError(f"{option} takes names with commas between them, got {text!r}.")
    return words


def _stem(path: Path) -> str:
    return path.name.partition(".")[0] or path.name


def _asked(
    questions: str | None, others: dict[str, Any], options: dict[str, Any]
) -> dict[str, Any]:
    """Return what the library is told about the questions."""
    if questions is None:
        given = [option for option, value in options.items() if value is not None]
        if given:
            raise DataError(f"{given[0]} goes with --questions: say how many to ask.")
        return {}
    for option, value in others.items():
        if value is not None:
            raise DataError(f"--questions goes without {option}: drop one.")
    strategy = options["--strategy"] or StrategyName.sort
    mode = options["--mode"]
    if mode == ModeName.cards and strategy != StrategyName.sort:
        raise DataError(
            f"--mode cards goes with --strategy sort, got {strategy}: drop one."
        )
    numbers = [_number_of(word) for word in _words(questions, "--questions")]
    return {
        "questions": numbers[0] if len(numbers) == 1 else numbers,
        "strategy": str(strategy),
        "mode": None if mode is None else str(mode),
        "spread": options["--spread"] or False,
        "alphas": _alphas(options["--alphas"], options["--spread"]),
        "wrong": options["--wrong"] or 0.0,
    }


def _alphas(text: str | None, spread: dict[str, Any] | None) -> list[float] | None:
    """Return how far answers are spread, None for the usual."""
    if text is None:
        return None
    if spread is None:
        raise DataError("--alphas goes with --spread: add it, or drop --alphas.")
    try:
        return [float(word) for word in _words(text, "--alphas")]
    except ValueError as error:
        raise DataError(
            f"--alphas takes numbers with commas between them, got {text!r}."
        ) from error


def _number_of(word: str) -> int | str:
    if not word.isdecimal() and word != "all":
        raise DataError(
            f"--questions takes numbers with commas between them, or all, got {word!r}."
        )
    return word if word == "all" else int(word)


def _read(
    paths: Sequence[Path],
    label: str,
    id_column: str | None,
    drop: Sequence[str],
    messages: Messages,
    reading: dict[str, Any],
) -> dict[str, Table]:
    tables: dict[str, Table] = {}
    for path in paths:
        name = _stem(path)
        if name in tables:
            raise DataError(f"two data files are called {name!r}: rename one.")
        with messages.progress(f"Reading {path.name}"):
            whole = read_table(path, label, id_column, drop, **reading)
            tables[name] = _labelled(whole, path)
        for note in [*whole.notes, *whole.label_notes]:
            messages.note(note)
        n_left_out = len(whole.features) - len(tables[name].features)
        if n_left_out:
            rows = count(
                n_left_out, "row without a label is", "rows without a label are"
            )
            messages.warn(f"{name}: {rows} left out.")
    return tables


def _labelled(table: Table, path: Path) -> Table:
    """Leave rows without a label out."""
    from pairsift.constraints import encode_labels

    with as_data_error():
        codes, classes = encode_labels(table.labels, table.missing_label)
    if classes.size == 0:
        raise DataError(f"{path} has no labelled row.")
    rows = np.flatnonzero(codes >= 0)
    labels = np.asarray(table.labels, dtype=object)[rows]
    if table.missing_label is None:
        # The text "-1" is a class everywhere, the number is not.
        labels = np.array([str(label) for label in labels], dtype=object)
    return Table(table.features.iloc[rows], labels, None, table.unlabelled_words)


def _table_warnings(name: str, table: Table) -> list[str]:
    found = [*data_warnings(table.features), *label_warnings(table)]
    return [f"{name}: {warning}" for warning in found]


def _compare(
    name: str,
    table: Table,
    chosen: dict[str, Any],
    options: dict[str, Any],
    jobs: int,
    folder: Path,
    messages: Messages,
) -> Comparison:
    from pairsift.evaluation import compare

    labels: Any = table.labels
    n_done, n_cells = 0, 0
    with ExitStack() as stack:
        advance: Callable[..., None] | None = None

        def move(done: int, n_all: int) -> None:
            nonlocal advance, n_done, n_cells
            if advance is None:
                verb = "Asking and comparing" if "questions" in options else "Comparing"
                bar = messages.progress(f"{verb} on {name}", n_all)
                advance = stack.enter_context(bar)
                if done:
                    before = f"{done} of {n_all} runs were finished before."
                    messages.note(f"{name}: {before}")
            advance(done - n_done)
            n_done, n_cells = done, n_all

        def tell(line: Comparison) -> None:
            for text in _line_texts(line):
                messages.note(f"{name}: {text}")

        try:
            with as_data_error():
                return compare(
                    [*BASELINES, *chosen.items()],
                    table.features,
                    labels,
                    **options,
                    n_jobs=jobs,
                    store=folder / name,
                    progress=move,
                    on_line=tell,
                    name=name,
                )
        except KeyboardInterrupt:
            kept = count(n_done, "run is", "runs are")
            messages.note(
                f"interrupted: {kept} kept, of {n_cells} on {name}; the same command "
                "goes on."
            )
            raise


def _line_texts(line: Comparison) -> list[str]:
    """Return the accuracy of a line that is finished, by all classifiers."""
    found = [
        f"{plus_minus(s.mean_accuracy, s.standard_error)} by {s.classifier}"
        for s in line.summary().itertuples()
    ]
    return [f"{line.cells[0].selector}: accuracy {', '.join(found)}"] if found else []


def _joined(results: list[Comparison]) -> Comparison:
    from pairsift.evaluation import Comparison

    return Comparison.join(results)


def _write(evaluation: Evaluation, paths: list[Path], command: str) -> None:
    runs, parquet, summary, report = paths
    with replacing(runs) as draft:
        evaluation.result.to_csv(draft)
    with replacing(parquet) as draft:
        evaluation.result.to_parquet(draft)
    with replacing(summary) as draft:
        guarded_frame(evaluation.summary).to_csv(draft, index=False)
    write_evaluation(report, evaluation, command)


def _print(evaluation: Evaluation, messages: Messages) -> None:
    header, rows = summary_rows(evaluation)
    if is_terminal():
        header, rows = fitting(header, rows, shutil.get_terminal_size().columns)
    print_table(header, rows, right=_NUMBERS, whole=("method", *_NUMBERS))
    if is_terminal():
        print_text(evaluation.explained(is_short="RE" not in header))
    for verdict in evaluation.result.verdicts():
        # A pipe gets the table alone.
        say = print_text if is_terminal() else messages.note
        say(verdict)


def fitting(
    header: list[str], rows: list[list[str]], width: int
) -> tuple[list[str], list[list[str]]]:
    """Leave out what a terminal has no room for: report and files hold it."""
    widths = [max(map(len, column)) + 3 for column in zip(header, *rows, strict=True)]
    kept = dict(zip(header, widths, strict=True))
    for name in ("RE", "RED", "seconds", "stability", "best"):
        if sum(kept.values()) >= width:
            del kept[name]
    places = [header.index(name) for name in kept]
    return list(kept), [[row[j] for j in places] for row in rows]


def _as_dict(evaluation: Evaluation, paths: list[Path]) -> dict[str, Any]:
    result = evaluation.result
    return {
        "summary": _records(evaluation.summary),
        "duels": _records(result.duels()),
        "verdicts": result.verdicts(),
        "failures": _records(result.failures),
        "notes": result.notes,
        "warnings": evaluation.all_warnings,
        "parameters": evaluation.parameters,
        "files": [str(path) for path in paths],
        "versions": versions(),
    }


def _records(frame: Any) -> list[dict[str, Any]]:
    return [
        {
            key: None if isinstance(value, float) and math.isnan(value) else value
            for key, value in record.items()
        }
        for record in frame.to_dict(orient="records")
    ]
