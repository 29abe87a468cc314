"""``pairsift query``: ask a person, pair by pair."""

from __future__ import annotations

import shlex
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer
from rich.console import Console

from pairsift._typing import FloatArray
from pairsift.cli._asking import AIM, Asking, TopFeatures
from pairsift.cli._checks import data_warnings, refuse_unusable
from pairsift.cli._console import Messages, print_json, program
from pairsift.cli._keys import opened_keyboard
from pairsift.cli._numbers import as_numbers, filling_notes
from pairsift.cli._options import (
    Categorical,
    DataFile,
    Drop,
    IdColumn,
    Na,
    Quiet,
    Scaled,
)
from pairsift.cli._output import check_kept, check_outputs
from pairsift.cli._ranking import PAIR_METHOD, find_method
from pairsift.cli._screen import Lines, Terminal, View
from pairsift.cli._select import fit_parameters
from pairsift.cli._tables import read_table
from pairsift.exceptions import ConstraintError, DataError
from pairsift.reports import Table

if TYPE_CHECKING:
    from pairsift.active import ActiveSession
    from pairsift.constraints import PairConstraints


class StrategyName(StrEnum):
    """Ways to choose the next pair."""

    sort = "sort"
    uncertainty = "uncertainty"
    eigenvector = "eigenvector"
    random = "random"
    multi_eigenvector = "multi-eigenvector"
    eigenvalue = "eigenvalue"


DEFAULT_STRATEGY = StrategyName.uncertainty.value


class GraphName(StrEnum):
    """Graphs on which pairs are chosen and answers spread."""

    auto = "auto"
    full = "full"
    knn = "knn"


@dataclass(frozen=True)
class Files:
    """What a run reads and writes."""

    data: Path
    session: Path
    out: Path


def query(
    data: DataFile,
    id_column: IdColumn = None,
    drop: Drop = None,
    na: Na = None,
    categorical: Categorical = None,
    session: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Where every answer is kept; a session that exists goes on.",
            show_default="DATA.pairsift-session",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="CSV of the answers (a,b,link), up to date after each of them.",
            show_default="constraints.csv beside DATA",
        ),
    ] = None,
    strategy: Annotated[
        StrategyName | None,
        typer.Option(
            metavar="NAME",
            help=f"How to choose the next pair: {', '.join(StrategyName)}.",
            show_default="uncertainty",
        ),
    ] = None,
    graph: Annotated[
        GraphName | None,
        typer.Option(
            metavar="NAME",
            help="Similarities between all rows (full), or nearest neighbours only "
            "(knn); auto is full up to 3,000 rows.",
            show_default="auto",
        ),
    ] = None,
    max_queries: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Stop at N answers, those of earlier runs counted.",
            show_default=f"ask on; the page counts to {AIM}",
        ),
    ] = None,
    method: Annotated[
        str, typer.Option(metavar="NAME", help="Method that ranks the features.")
    ] = PAIR_METHOD,
    top: Annotated[
        int, typer.Option(metavar="N", min=1, help="Number of best features shown.")
    ] = 5,
    is_scaled: Scaled = True,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print a summary as JSON at the end.")
    ] = False,
    quiet: Quiet = False,
) -> None:
    r"""Ask a person which rows belong together, the pairs that matter most first.

    Keys: s same, d different, u unsure, z undo, b back to a doubtful answer, q quit,
    ? help. Every answer is on disk before the next question; the same command goes on
    where it stopped. In a pipe, answers are read from stdin, one per line.

    [bold]Examples[/]

    pairsift query wine.csv --drop class

    pairsift query wine.csv --id bottle --max-queries 20 --out pairs.csv

    printf 's\nd\n' | pairsift query wine.csv --json
    """
    messages = Messages(quiet)
    files = Files(
        data,
        session or data.with_name(f"{data.name}.pairsift-session"),
        out or data.with_name("constraints.csv"),
    )
    _check_streams()
    selector_class, line = find_method(method)
    selector = selector_class(**fit_parameters(selector_class, line["name"]))
    check_outputs([files.session, files.out], [data])
    check_kept(files.out)
    with messages.progress(f"Reading {data.name}"):
        table = _read(data, id_column, drop or [], na or [], categorical or [])
        refuse_unusable(line, table, has_constraints=True)
        X = as_numbers(table.features, is_scaled=is_scaled)
    _warn(table, messages)
    best = TopFeatures(selector, line, table, top, is_scaled=is_scaled)
    chosen = {"strategy": strategy, "graph": graph}
    with _opened_session(files, X, chosen) as asked:
        _refuse_foreign(files, table, asked)
        asking = _ask(asked, table, files, best, messages, max_queries)
    columns = {"--drop": drop, "--na": na, "--categorical": categorical}
    command = _select_command(files, id_column, columns, line["name"], is_scaled)
    _say_goodbye(asking, files, command, messages)
    if as_json:
        print_json(_as_dict(asking, files, command))


def _check_streams() -> None:
    """Refuse to wait for a person who cannot see the questions."""
    if sys.stdin.isatty() and not Console(stderr=True).is_terminal:
        raise DataError(
            "the questions go to stderr: do not redirect it, or give the answers on "
            "stdin."
        )


def _read(
    data: Path,
    id_column: str | None,
    drop: list[str],
    na: list[str],
    categorical: list[str],
) -> Table:
    table = read_table(data, None, id_column, drop, na=na, categorical=categorical)
    if len(table.features) < 2:
        raise DataError(f"{data} has one row: there is no pair to ask about.")
    names = [name.strip() for name in table.ids or []]
    twice = next((name for name, n in Counter(names).items() if n > 1), None)
    if twice is not None:
        raise DataError(f"--id {id_column}: {twice!r} names more than one row.")
    return table


def _warn(table: Table, messages: Messages) -> None:
    for note in table.notes:
        messages.note(note)
    for warning in data_warnings(table.features):
        messages.warn(warning)
    for note in filling_notes(table.features):
        messages.note(note)


@contextmanager
def _opened_session(
    files: Files, X: FloatArray, chosen: dict[str, Any]
) -> Iterator[ActiveSession]:
    """Go on with a session, or begin one; one without answers leaves no file."""
    from pairsift.active import ActiveSession

    given: dict[str, Any] = {
        name: str(value) for name, value in chosen.items() if value is not None
    }
    is_new = not files.session.exists()
    if is_new:
        session = ActiveSession(X, **{"strategy": DEFAULT_STRATEGY, **given})
        session.save(files.session)
    else:
        session = ActiveSession.load(files.session)
    try:
        with session:
            _refuse_other_data(session, files, X)
            _refuse_other_settings(session, files, given)
            yield session
    finally:
        if is_new and not session.history:
            files.session.unlink(missing_ok=True)


def _refuse_other_data(session: ActiveSession, files: Files, X: FloatArray) -> None:
    kept = session.X
    if kept.shape == X.shape and np.allclose(kept, X, rtol=1e-9, atol=1e-12):
        return
    raise DataError(
        f"{files.data} is not what the session {files.session} began with "
        f"({_shape(kept)} as numbers there, {_shape(X)} here, or other values): give "
        "the same data and options, or begin another one with --session and --out."
    )


def _shape(X: FloatArray) -> str:
    return f"{X.shape[0]} x {X.shape[1]}"


def _refuse_other_settings(
    session: ActiveSession, files: Files, given: dict[str, str]
) -> None:
    for name, value in given.items():
        kept = session.settings[name]
        if value != kept:
            raise DataError(
                f"the session {files.session} has --{name} {kept}, not {value}: leave "
                "the option out, or begin another one with --session and --out."
            )


def _refuse_foreign(files: Files, table: Table, session: ActiveSession) -> None:
    """Do not overwrite pairs that are not from this session."""
    from pairsift.constraints import PairConstraints

    if not files.out.exists():
        return
    try:
        kept = PairConstraints.from_csv(files.out, table.ids, session.n_samples)
        is_ours = _links(kept) <= _links(session.constraints)
    except ConstraintError:
        # Rows that this table does not have.
        is_ours = False
    if not is_ours:
        raise DataError(
            f"{files.out} holds pairs that are not from the session {files.session}: "
            "give another file with --out."
        )


def _links(pairs: PairConstraints) -> set[tuple[str, int, int]]:
    links = {"must": pairs.must_link, "cannot": pairs.cannot_link}
    return {(kind, a, b) for kind, rows in links.items() for a, b in rows.tolist()}


def _ask(
    session: ActiveSession,
    table: Table,
    files: Files,
    best: TopFeatures,
    messages: Messages,
    max_queries: int | None,
) -> Asking:
    with ExitStack() as stack:
        reader = stack.enter_context(opened_keyboard())
        view: View = Lines(messages)
        if reader.is_person:
            console = Console(stderr=True, highlight=False)
            stack.enter_context(console.screen())
            view = Terminal(console)
        asking = Asking(
            session, table, files.data.name, files.out, best, view, reader, max_queries
        )
        if session.history:
            asking.remark = f"resumed with {len(session.history)} answers."
            asking.write()
        asking.run()
    return asking


def _select_command(
    files: Files,
    id_column: str | None,
    columns: dict[str, list[str] | None],
    method: str,
    is_scaled: bool,
) -> str:
    words = [program(), "select", str(files.data), "--constraints", str(files.out)]
    if id_column is not None:
        words += ["--id", id_column]
    for option, values in columns.items():
        words += [word for value in values or [] for word in (option, value)]
    if method != PAIR_METHOD:
        words += ["--method", method]
    return shlex.join(words if is_scaled else [*words, "--no-scale"])


def _say_goodbye(
    asking: Asking, files: Files, command: str, messages: Messages
) -> None:
    counts = asking.counts()
    if not any(counts.values()):
        messages.note("no answers, nothing written.")
        return
    n_answers = sum(counts.values())
    number = f"{n_answers} of {asking.aim}" if n_answers < asking.aim else n_answers
    messages.note(
        f"{number} {'answer' if number == 1 else 'answers'} ({counts['same']} same, "
        f"{counts['different']} different, {counts['unsure']} unsure) in {files.out}; "
        f"the same command goes on from {files.session}."
    )
    if asking.contradiction():
        messages.warn(
            f"{asking.contradiction()}: b, pressed when you go on, goes back to these "
            "answers."
        )
    elif asking.best():
        for doubt in asking.doubts():
            messages.warn(f"worth a second look (key b): {doubt}")
        messages.note(f"next: {command}")
    else:
        messages.note(f"{asking.lacking()}: answer some more.")


def _as_dict(asking: Asking, files: Files, command: str) -> dict[str, Any]:
    counts = asking.counts()
    best = asking.best()
    return {
        "data": str(files.data),
        "session": str(files.session),
        "constraints": str(files.out),
        "n_rows": asking.session.n_samples,
        "n_answers": sum(counts.values()),
        "n_must_link": counts["same"],
        "n_cannot_link": counts["different"],
        "n_unsure": counts["unsure"],
        "contradiction": asking.contradiction() or None,
        "method": asking.top.method["name"],
        "best_features": best,
        "next": command if best else None,
    }
