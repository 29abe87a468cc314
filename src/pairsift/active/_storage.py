"""A session on disk: one SQLite file with the data and a journal of events."""

from __future__ import annotations

import json
import os
import sqlite3
import uuid
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from pairsift._typing import FloatArray
from pairsift.active._answers import Event
from pairsift.active._file_lock import FileLock, is_same_file
from pairsift.exceptions import StorageError

FORMAT = "pairsift session 3"
# The data are in blocks elsewhere: the file has some rows, by which to know them again.
BLOCKS_FORMAT = "pairsift session 3 of blocks"
# The first format had other words and let no other be written.
FIRST_FORMAT = "pairsift session 1"
# The second did not say who answered, and knew no acts on piles.
SECOND_FORMAT = "pairsift session 2"
CHUNK_CELLS = 2**20
COLUMNS = "kind, first, second, shown, replaces, person, seconds, text, time"
SQLITE_HEADER = b"SQLite format 3\0"
# Columns that the second format lacks.
ADDED = (
    "person TEXT NOT NULL DEFAULT ''",
    "seconds REAL",
    "text TEXT NOT NULL DEFAULT ''",
)
EVENTS = f"""
CREATE TABLE events (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    time REAL NOT NULL,
    kind TEXT NOT NULL,
    first INTEGER,
    second INTEGER,
    shown TEXT,
    replaces INTEGER NOT NULL DEFAULT 0,
    {", ".join(ADDED)}
);
"""
SCHEMA = f"""
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE chunks (number INTEGER PRIMARY KEY, cells BLOB NOT NULL);
{EVENTS}
"""
NEW_FORMAT = f"UPDATE about SET value = '{FORMAT}' WHERE key = 'format';"
RENEWALS = {
    FIRST_FORMAT: f"""
ALTER TABLE events RENAME TO old_events;
{EVENTS}
INSERT INTO events (number, time, kind, first, second) SELECT number, time,
    CASE kind WHEN 'must' THEN 'same' WHEN 'cannot' THEN 'different' ELSE kind END,
    first, second FROM old_events;
DROP TABLE old_events;
{NEW_FORMAT}
""",
    SECOND_FORMAT: "".join(f"ALTER TABLE events ADD COLUMN {c};" for c in ADDED)
    + NEW_FORMAT,
}


class SessionFile:
    """The file of one session, locked for this process as long as it is open.

    Of several sessions of a process on one file, the first that answers goes on, and
    the others have to be loaded again: `append` refuses a journal that has grown.

    Every event is on disk before `append` returns: SQLite writes its journal and waits
    for the disk at each commit, and undoes what a killed process left half-written.
    A connection lasts for one transaction, so that a forked child inherits none.
    """

    def __init__(self, path: Path, lock: FileLock) -> None:
        self.path, self._lock = path, lock
        # Held open, so that no file that takes its place can get its number.
        self._descriptor = os.open(path, os.O_RDONLY)
        self._finalizer = weakref.finalize(self, os.close, self._descriptor)
        self._owner = os.getpid()
        self._last = 0

    @classmethod
    def create(
        cls,
        path: Path,
        X: FloatArray,
        settings: dict[str, Any],
        events: list[Event],
        n_rows: int | None = None,
    ) -> SessionFile:
        """Write a new file, which must not exist.

        n_rows : of data in blocks, of which X are some rows; None if X are all.
        """
        path = path.resolve()
        if not path.parent.is_dir():
            raise StorageError(f"{path} cannot be opened: there is no such folder.")
        if path.exists():
            raise _exists(path)
        # Written beside under a name of its own: a killed process leaves no half file.
        part = path.with_name(f"{path.name}.{uuid.uuid4().hex[:8]}.part")
        with _lock_unless_failed(path) as lock:
            try:
                with _transaction(part, mode="rwc") as connection:
                    _write(connection, X, settings, events, n_rows)
                _give_name(part, path)
            finally:
                for left in (part, part.with_name(f"{part.name}-journal")):
                    left.unlink(missing_ok=True)
            file = cls(path, lock)
            file._last = len(events)
        return file

    @classmethod
    def open(cls, path: Path) -> SessionFile:
        """Open an existing file."""
        path = path.resolve()
        if not path.is_file():
            raise StorageError(f"there is no session file {path}.")
        with _lock_unless_failed(path) as lock:
            file = cls(path, lock)
            file._check_format()
        return file

    def read_n_rows(self) -> int | None:
        """Return the number of rows of data in blocks, None if the file has all."""
        with _transaction(self.path) as connection:
            known = _about(connection, "n_rows")
        return int(known) if known else None

    def read_data(self) -> FloatArray:
        """Return the rows the session is about, or some of them."""
        with _transaction(self.path) as connection:
            X = np.empty(json.loads(_about(connection, "shape")))
            cells, start = X.reshape(-1), 0
            chunks = connection.execute("SELECT cells FROM chunks ORDER BY number")
            for (blob,) in chunks:
                chunk = np.frombuffer(blob, dtype="<f8")
                cells[start : start + chunk.size] = chunk
                start += chunk.size
        if start != cells.size:
            raise ValueError(f"it holds {start} cells for {cells.size}")
        return X

    def read_settings(self) -> dict[str, Any]:
        """Return the parameters of the session."""
        with _transaction(self.path) as connection:
            return json.loads(_about(connection, "settings"))

    def read_events(self) -> list[Event]:
        """Return the journal, oldest event first."""
        lines = f"SELECT {COLUMNS} FROM events ORDER BY number"
        with _transaction(self.path) as connection:
            events = [_as_event(*line) for line in connection.execute(lines)]
            self._last = _last_number(connection)
        return events

    def append(self, *events: Event) -> None:
        """Write events, all or none; they are on disk when this returns."""
        self._check_owner()
        self._check_identity()
        try:
            with _transaction(self.path) as connection:
                if _last_number(connection) != self._last:
                    raise StorageError(
                        f"another process or session has written to {self.path}: "
                        "load it again."
                    )
                for event in events:
                    _insert(connection, event)
                last = _last_number(connection)
        except sqlite3.Error as error:
            raise StorageError(
                f"the answer could not be written to {self.path}: {error}."
            ) from error
        self._last = last
        # Replaced while it was written, the file has taken the answer with it.
        self._check_identity()

    def close(self) -> None:
        """Give the file free."""
        self._finalizer()
        self._lock.release()

    def _check_owner(self) -> None:
        if os.getpid() != self._owner:
            raise StorageError(
                f"{self.path} belongs to the process that opened it, and this is a "
                "fork of it: answer there, or load the file here when that is closed."
            )

    def _check_identity(self) -> None:
        if not is_same_file(self._descriptor, self.path):
            fate = "was replaced by another file" if self.path.exists() else "is gone"
            raise StorageError(
                f"{self.path} {fate}, and the answer with it: save the session under "
                "another name."
            )

    def _check_format(self) -> None:
        """Refuse what is no session file, without a change; renew older formats."""
        with self.path.open("rb") as stream:
            is_ours = stream.read(len(SQLITE_HEADER)) == SQLITE_HEADER
        if is_ours:
            with _transaction(self.path) as connection:
                known = _about(connection, "format")
                is_ours = known in (FORMAT, BLOCKS_FORMAT, *RENEWALS)
                if known in RENEWALS:
                    _run(connection, RENEWALS[known])
        if not is_ours:
            raise StorageError(f"{self.path} is not a session file of pairsift.")


@contextmanager
def _lock_unless_failed(path: Path) -> Iterator[FileLock]:
    """Lock a file, and give it free again only if it could not be opened."""
    lock = FileLock(path)
    try:
        yield lock
    except BaseException as error:
        lock.release()
        if isinstance(error, sqlite3.Error | OSError):
            raise StorageError(f"{path} cannot be opened: {error}.") from error
        raise


@contextmanager
def _transaction(path: Path, mode: str = "rw") -> Iterator[sqlite3.Connection]:
    """Open a file for one transaction, taken back if it fails."""
    connection = sqlite3.connect(
        f"{path.as_uri()}?mode={mode}", uri=True, timeout=1.0, isolation_level=None
    )
    try:
        connection.execute("PRAGMA synchronous = EXTRA")
        connection.execute("BEGIN IMMEDIATE")
        yield connection
        connection.execute("COMMIT")
    finally:
        connection.close()


def _exists(path: Path) -> StorageError:
    return StorageError(
        f"{path} exists already: load it with ActiveSession.load, or save under "
        "another name."
    )


def _give_name(part: Path, path: Path) -> None:
    """Let a new file appear under its name, unless there is one already."""
    try:
        try:
            os.link(part, path)
        except FileExistsError:
            raise
        except OSError:
            # No hard links here: reserve the name, then put the file in its place.
            os.close(os.open(path, os.O_CREAT | os.O_EXCL))
            part.replace(path)
    except FileExistsError as error:
        raise _exists(path) from error
    if os.name == "posix":
        # The new name itself has to reach the disk, too.
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _write(
    connection: sqlite3.Connection,
    X: FloatArray,
    settings: dict[str, Any],
    events: list[Event],
    n_rows: int | None,
) -> None:
    _run(connection, SCHEMA)
    about = {
        "format": FORMAT if n_rows is None else BLOCKS_FORMAT,
        "shape": json.dumps(X.shape),
        "settings": json.dumps(settings),
        "n_rows": "" if n_rows is None else str(n_rows),
    }
    connection.executemany("INSERT INTO about VALUES (?, ?)", about.items())
    connection.executemany("INSERT INTO chunks VALUES (?, ?)", _chunks(X))
    for event in events:
        _insert(connection, event)


def _run(connection: sqlite3.Connection, statements: str) -> None:
    """Run statements inside the open transaction, which executescript would end."""
    for statement in filter(str.strip, statements.split(";")):
        connection.execute(statement)


def _about(connection: sqlite3.Connection, key: str) -> str:
    try:
        row = connection.execute("SELECT value FROM about WHERE key = ?", [key])
    except sqlite3.OperationalError as error:
        if "no such table" not in str(error):
            raise
        return ""
    found = row.fetchone()
    return found[0] if found else ""


def _insert(connection: sqlite3.Connection, event: Event) -> None:
    rows = (row if row >= 0 else None for row in (event.first, event.second))
    shown = None if event.shown is None else json.dumps(event.shown)
    said = (event.person, event.seconds, event.text, event.time)
    connection.execute(
        f"INSERT INTO events ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [event.kind, *rows, shown, event.replaces, *said],
    )


def _as_event(
    kind: str,
    first: int | None,
    second: int | None,
    shown: str | None,
    replaces: int,
    *said: Any,
) -> Event:
    first, second = (-1 if row is None else row for row in (first, second))
    compared = None if shown is None else tuple(json.loads(shown))
    return Event(kind, first, second, compared, bool(replaces), *said)


def _last_number(connection: sqlite3.Connection) -> int:
    return connection.execute("SELECT max(number) FROM events").fetchone()[0] or 0


def _chunks(X: FloatArray) -> Iterator[tuple[int, bytes]]:
    """Rows in pieces, because SQLite holds no cell larger than a gigabyte."""
    step = max(CHUNK_CELLS // X.shape[1], 1)
    for number, start in enumerate(range(0, len(X), step)):
        rows = np.ascontiguousarray(X[start : start + step], dtype="<f8")
        yield number, rows.tobytes()
