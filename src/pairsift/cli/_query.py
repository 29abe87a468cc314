"""``pairsift query``: let a person sort rows, card by card or pair by pair."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from pairsift._words import printable
from pairsift.cli._asking import Asking
from pairsift.cli._best import BestFeatures
from pairsift.cli._checks import data_warnings
from pairsift.cli._console import Messages, print_json, program
from pairsift.cli._draws import draw_notes, read_or_draw
from pairsift.cli._ending import ended_by_sigterm
from pairsift.cli._keys import opened_keyboard
from pairsift.cli._loading import Reading
from pairsift.cli._na_words import na_words
from pairsift.cli._numbers import refuse_names
from pairsift.cli._options import (
    AskedRows,
    Categorical,
    DataFile,
    Drop,
    IdColumn,
    KeepNa,
    Na,
    Quiet,
    Scaled,
)
from pairsift.cli._output import check_kept, check_outputs
from pairsift.cli._page_texts import AIM
from pairsift.cli._piles_file import check_piles
from pairsift.cli._query_end import Ending, Files
from pairsift.cli._ranking import as_data_error
from pairsift.cli._screen import Lines, Terminal, View
from pairsift.cli._session_rows import in_session_order
from pairsift.cli._tables import scale
from pairsift.exceptions import ConstraintError, DataError
from pairsift.reports import Table

if TYPE_CHECKING:
    import pandas as pd

    from pairsift.active import ActiveSession
    from pairsift.constraints import PairConstraints


class ModeName(StrEnum):
    """Kinds of question."""

    cards = "cards"
    pairs = "pairs"


class StrategyName(StrEnum):
    """Ways to choose the next pair; cards are sorted."""

    sort = "sort"
    uncertainty = "uncertainty"
    eigenvector = "eigenvector"
    random = "random"
    multi_eigenvector = "multi-eigenvector"
    eigenvalue = "eigenvalue"


class GraphName(StrEnum):
    """Graphs on which pairs are chosen and answers spread."""

    auto = "auto"
    full = "full"
    knn = "knn"


def query(
    ctx: typer.Context,
    data: DataFile,
    mode: Annotated[
        ModeName | None,
        typer.Option(
            metavar="NAME",
            help="Sort rows onto piles (cards), or compare two rows (pairs); a session "
            "may be continued in the other mode.",
            show_default="cards, or pairs with a --strategy other than sort",
        ),
    ] = None,
    id_column: IdColumn = None,
    drop: Drop = None,
    na: Na = None,
    keep_na: KeepNa = None,
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
            help="CSV of the pairs (a,b,link), up to date after each answer.",
            show_default="constraints.csv beside DATA",
        ),
    ] = None,
    labels: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="CSV of the piles at the end (row or id, and pile), for `select "
            "--labels`.",
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the ranking as an HTML page."),
    ] = None,
    strategy: Annotated[
        StrategyName | None,
        typer.Option(
            metavar="NAME",
            help=f"How to choose the next pair: {', '.join(StrategyName)}.",
            show_default="sort",
        ),
    ] = None,
    graph: Annotated[
        GraphName | None,
        typer.Option(
            metavar="NAME",
            help="Similarities between all rows (full), or nearest neighbours only "
            "(knn), for the strategies eigenvector, multi-eigenvector and eigenvalue; "
            "auto is full up to 3,000 rows.",
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
    max_samples: AskedRows = None,
    method: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Method that ranks the features.",
            show_default="semi-mrmr from two piles on, else pair-logistic",
        ),
    ] = None,
    top: Annotated[
        int, typer.Option(metavar="N", min=1, help="Number of best features shown.")
    ] = 5,
    is_scaled: Scaled = True,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print a summary as JSON at the end.")
    ] = False,
    quiet: Quiet = False,
) -> None:
    r"""Let a person sort rows onto piles, and rank the features by the piles.

    Keys: 1 to 9 place the row on a pile, n on a new one; with --mode pairs, s same and
    d different; u unsure, z undo, y redo, b back to a doubtful answer, q quit, ? help.
    Every answer is on disk before the next question; the same command goes on where it
    stopped. In a pipe, answers are read from stdin, one per line.

    [bold]Examples[/]

    pairsift query wine.csv --drop class

    pairsift query wine.csv --id bottle --max-queries 20 --report wine.html

    pairsift query wine.csv --drop class --mode pairs

    printf 'n\nn\n1\n' | pairsift query wine.csv --json
    """
    messages = Messages(quiet)
    ctx.with_resource(ended_by_sigterm())
    files = Files(
        data,
        session or data.with_name(f"{data.name}.pairsift-session"),
        out or data.with_name("constraints.csv"),
        labels,
        report,
    )
    _check_streams()
    _refuse_strategy(mode, strategy)
    check_outputs([files.session, files.out, labels, report], [data])
    check_kept(files.out)
    check_piles(labels)
    with messages.progress(f"Reading {data.name}"):
        reading = Reading(
            None, id_column, drop or [], na_words(na, keep_na), categorical or [], None
        )
        table = _read(data, reading, max_samples)
        table, _ = in_session_order(table, table.features, files.session)
        best = BestFeatures(method, table, top, is_scaled=is_scaled)
        rows = scale(table.features) if is_scaled else table.features
    _warn(table, messages)
    chosen = {"strategy": strategy, "graph": graph}
    with _opened_session(files, rows, table.ids, chosen) as asked:
        _refuse_foreign(files, table, asked)
        asking = _ask(asked, table, files, best, messages, mode, max_queries)
        columns = {
            "--drop": drop,
            "--na": na,
            "--keep-na": keep_na,
            "--categorical": categorical,
        }
        command = _select_command(files, id_column, columns, is_scaled)
        ending = Ending(asking, files, messages, ctx.obj, command)
        summary = ending.run(as_json=as_json)
    if as_json:
        print_json(summary)


def _refuse_strategy(mode: ModeName | None, strategy: StrategyName | None) -> None:
    if mode == ModeName.cards and strategy not in (None, StrategyName.sort):
        raise DataError(
            f"--mode cards goes with --strategy sort, not {strategy}: leave one out."
        )


def _check_streams() -> None:
    """Refuse to wait for a person who cannot see the questions."""
    if sys.stdin.isatty() and not Console(stderr=True).is_terminal:
        raise DataError(
            "the questions go to stderr: do not redirect it, or give the answers on "
            "stdin."
        )


def _read(data: Path, reading: Reading, max_samples: int | None) -> Table:
    """Read a table, or a draw of its rows, that can be asked about."""
    table = read_or_draw(data, reading, max_samples)
    refuse_names(table.features.select_dtypes(exclude="number"))
    return table


def _warn(table: Table, messages: Messages) -> None:
    for note in [*draw_notes(table), *table.notes]:
        messages.note(note)
    for warning in data_warnings(table.features):
        messages.warn(warning)
    if table.features.isna().to_numpy().any():
        messages.note(
            "in distances, a missing value counts as an average one; a ranking from "
            "piles takes the mean of its column, or the most frequent word."
        )


@contextmanager
def _opened_session(
    files: Files,
    rows: pd.DataFrame,
    ids: list[str] | None,
    chosen: dict[str, Any],
) -> Iterator[ActiveSession]:
    """Go on with a session, or begin one; one without answers leaves no file."""
    from pairsift.active import ActiveSession

    given: dict[str, Any] = {
        name: str(value) for name, value in chosen.items() if value is not None
    }
    with as_data_error():
        new = ActiveSession(rows, **given, sample_ids=ids)
    is_new = not files.session.exists()
    if is_new:
        new.save(files.session)
    with warnings.catch_warnings():
        # The page says so when answers contradict each other.
        warnings.filterwarnings("ignore", message=".* holds two answers for")
        session = new if is_new else ActiveSession.load(files.session)
    try:
        with session:
            _refuse_other_data(session, files, new)
            _refuse_other_settings(session, files, given)
            yield session
    finally:
        if is_new and not session.history:
            files.session.unlink(missing_ok=True)


def _refuse_other_data(
    session: ActiveSession, files: Files, new: ActiveSession
) -> None:
    from pairsift.active import difference

    found = difference(session, new)
    if found is not None:
        raise DataError(
            f"{files.data} is not what the session {files.session} began with, "
            f"{found}: give the same data and options, or begin another one with "
            "--session and --out."
        )


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
        # After a kill, the file may be a step behind the session.
        known = (session.constraints, session.previous_constraints)
        is_ours = any(_links(kept) <= _links(pairs) for pairs in known)
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
    best: BestFeatures,
    messages: Messages,
    mode: ModeName | None,
    max_queries: int | None,
) -> Asking:
    is_sorting = session.settings["strategy"] == "sort"
    with ExitStack() as stack:
        reader = stack.enter_context(opened_keyboard())
        view: View = Lines(messages)
        if reader.is_person:
            console = Console(stderr=True, highlight=False)
            stack.enter_context(console.screen())
            view = Terminal(console)
        asking = Asking(
            session,
            table,
            printable(files.data.name),
            files.out,
            best,
            view,
            reader,
            str(mode or (ModeName.cards if is_sorting else ModeName.pairs)),
            max_queries,
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
    is_scaled: bool,
) -> list[str]:
    """Return the command that ranks again, without what it learns from."""
    words = [program(), "select", str(files.data)]
    if id_column is not None:
        words += ["--id", id_column]
    for option, values in columns.items():
        words += [word for value in values or [] for word in (option, value)]
    return words if is_scaled else [*words, "--no-scale"]
