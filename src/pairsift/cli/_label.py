"""``pairsift label``: let people sort samples in a browser."""

from __future__ import annotations

import re
import threading
import webbrowser
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pairsift.cli._console import Messages, print_json
from pairsift.cli._draws import draw_notes, more_columns, read_or_draw
from pairsift.cli._ending import ended_by_sigterm
from pairsift.cli._loading import Reading
from pairsift.cli._na_words import na_words
from pairsift.cli._options import (
    AsJson,
    AskedRows,
    Categorical,
    DataFile,
    Drop,
    IdColumn,
    KeepNa,
    Na,
    Quiet,
)
from pairsift.cli._output import check_outputs
from pairsift.cli._session_rows import in_session_order
from pairsift.cli._tables import scale
from pairsift.exceptions import DataError
from pairsift.reports import Table

if TYPE_CHECKING:
    import pandas as pd

    from pairsift.webapp import Desk, Looks


class ModeName(StrEnum):
    """Kinds of question."""

    cards = "cards"
    pairs = "pairs"


def label(
    ctx: typer.Context,
    data: DataFile,
    id_column: IdColumn = None,
    label_column: Annotated[
        str | None,
        typer.Option(
            "--label",
            metavar="COLUMN",
            help="Column of known labels: not shown, and no feature.",
        ),
    ] = None,
    show: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN",
            help="Column to show, also one that is no feature; repeat for more.",
            show_default="all features",
        ),
    ] = None,
    image: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="Column of the files of pictures."),
    ] = None,
    images: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Folder of all pictures.",
            show_default="that of DATA",
        ),
    ] = None,
    pixels: Annotated[
        str | None,
        typer.Option(
            metavar="HxW",
            help="The features are the pixels of a picture, such as 28x28.",
        ),
    ] = None,
    text: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="Column of texts to show.")
    ] = None,
    drop: Drop = None,
    na: Na = None,
    keep_na: KeepNa = None,
    categorical: Categorical = None,
    mode: Annotated[
        ModeName,
        typer.Option(
            metavar="NAME",
            help="Sort samples onto piles (cards), or compare two of them (pairs).",
        ),
    ] = ModeName.cards,
    max_samples: AskedRows = None,
    session: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Where every answer is kept; a session that exists goes on.",
            show_default="beside DATA",
        ),
    ] = None,
    person: Annotated[
        str, typer.Option(metavar="NAME", help="Who answers, if the page is not told.")
    ] = "",
    port: Annotated[
        int,
        typer.Option(
            min=0, max=65535, help="Port of the page.", show_default="a free one"
        ),
    ] = 0,
    has_browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")
    ] = True,
    listen: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Let others come in, by an address of this machine.",
            show_default="this machine only",
        ),
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Name under which a proxy asks for the page; repeat for more.",
        ),
    ] = None,
    twice: Annotated[
        float,
        typer.Option(
            metavar="SHARE",
            min=0.0,
            max=1.0,
            help="With --listen, share of the cards that two people answer.",
        ),
    ] = 0.1,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Let people sort samples in a browser, and watch the features settle.

    The page runs on this machine, and only the printed link lets a browser in. Every
    answer is on disk before the page says "saved"; the same command goes on where it
    stopped, also with the session of `pairsift query`. Ctrl-C ends it.

    [bold]Examples[/]

    pairsift label wine.csv --label class

    pairsift label birds.csv --id name --image file --images photos

    pairsift label digits.csv --label digit --pixels 8x8 --mode pairs
    """
    from pairsift.webapp import require_label_extra

    require_label_extra()
    messages = Messages(quiet)
    ctx.with_resource(ended_by_sigterm())
    file = session or data.with_name(f"{data.name}.pairsift-session")
    check_outputs([file], [data])
    look = Look(show or [], image, images or data.parent, pixels, text)
    look.check()
    with messages.progress(f"Reading {data.name}"):
        left_out = [*(drop or []), *look.columns]
        reading = Reading(
            label_column,
            id_column,
            left_out,
            na_words(na, keep_na),
            categorical or [],
            None,
        )
        table = read_or_draw(data, reading, max_samples)
        desk = _desk(data, table, look, reading.na, file)
    for note in [*draw_notes(table), *table.notes]:
        messages.note(note)
    desk.title, desk.mode, desk.person = data.name, mode.value, person
    desk.share = twice if listen else 0.0
    with desk.session:
        server = _server(desk, messages, listen, port, tuple(allow_host or ()))
        # The link is the result of the command: it is printed even with --quiet.
        if as_json:
            print_json({"link": server.link, "session": str(file)})
        else:
            typer.echo(server.link)
        _serve(server, messages, has_browser)
    messages.note(
        f"stopped; the same command goes on from {file}. Files, on the page, has the "
        "ranking, the labels and the report."
    )


@dataclass(frozen=True)
class Look:
    """How samples are to be shown, in the words of the command line."""

    show: list[str]
    image: str | None
    folder: Path
    pixels: str | None
    text: str | None

    @property
    def columns(self) -> list[str]:
        """Columns of pictures or texts, which are no features."""
        return [column for column in (self.image, self.text) if column is not None]

    def check(self) -> None:
        """Refuse what cannot be shown, before anything is read."""
        given = {"--image": self.image, "--pixels": self.pixels, "--text": self.text}
        chosen = [option for option, value in given.items() if value is not None]
        if len(chosen) > 1:
            options = " and ".join(chosen)
            raise DataError(f"{options} cannot be combined: give one of them.")
        self.size()

    def size(self) -> tuple[int, int] | None:
        """Return height and width of a picture of pixels."""
        if self.pixels is None:
            return None
        found = re.fullmatch(r"([1-9][0-9]{0,3})x([1-9][0-9]{0,3})", self.pixels)
        if found is None:
            raise DataError(
                f"--pixels must be height x width, such as 28x28, got {self.pixels!r}."
            )
        return int(found[1]), int(found[2])


def _desk(data: Path, table: Table, look: Look, na: Sequence[str], file: Path) -> Desk:
    from pairsift.active import ActiveSession
    from pairsift.webapp import Desk, Samples, open_session

    frame = _all_columns(data, table, [*look.show, *look.columns], na)
    table, frame = in_session_order(table, frame, file)
    shown = frame[look.show] if look.show else table.features
    samples = Samples(shown, table.ids, _looks(frame, look))
    session = open_session(
        ActiveSession, scale(table.features), file, sample_ids=table.ids
    )
    return Desk(session, samples, table.features)


def _server(
    desk: Desk,
    messages: Messages,
    listen: str | None,
    port: int,
    hosts: tuple[str, ...],
) -> Any:
    """Return the server of the page, and say who can reach it."""
    from pairsift.webapp import make_server

    address = {} if listen is None else {"address": listen}
    server = make_server(desk, port=port, hosts=hosts, **address)
    if not server.is_local:
        messages.warn(
            f"everyone who can reach {listen} and has the link can see the data and "
            "answer, and nothing is encrypted (no TLS): use it in a network that you "
            "trust."
        )
    n_answers = len(desk.session.history)
    if n_answers:
        messages.note(f"resumed with {n_answers} answers.")
    return server


def _serve(server: Any, messages: Messages, has_browser: bool) -> None:
    """Serve until Ctrl-C."""
    messages.note("open the link in a browser; Ctrl-C ends the page.")
    try:
        with suppress(KeyboardInterrupt):
            if has_browser:
                _open_browser(server, messages)
            server.run()
    finally:
        server.door.invitation.remove()


def _open_browser(server: Any, messages: Messages) -> None:
    """Open the page without the token among the arguments of a process."""
    try:
        file = server.invite()
    except OSError as error:
        messages.warn(
            "no browser was opened, because a temporary file could not be written "
            f"({error.strerror or error}): open the link yourself."
        )
        return
    # Some browser commands return when the browser is closed, so do not wait for them.
    threading.Thread(target=webbrowser.open, args=(file.as_uri(),), daemon=True).start()


def _all_columns(
    data: Path, table: Table, wanted: list[str], na: Sequence[str]
) -> pd.DataFrame:
    """Return the features, with columns that are shown but are none."""
    lacking = [name for name in wanted if name not in table.features]
    if not lacking:
        return table.features
    return table.features.join(more_columns(data, table, lacking, na))


def _looks(frame: pd.DataFrame, look: Look) -> Looks:
    from pairsift.webapp import Looks, find_images

    if look.image is not None:
        return Looks(images=find_images(frame[look.image].tolist(), look.folder))
    if look.text is not None:
        cells = frame[look.text].astype(object).where(frame[look.text].notna(), "")
        return Looks(texts=[str(cell) for cell in cells])
    return Looks(pixels=look.size())
