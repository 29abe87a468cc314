"""A session on disk: one SQLite file with the data and a journal of events."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pairsift._checks import check_choice
from pairsift._typing import FloatArray
from pairsift.exceptions import StorageError

FORMAT = "pairsift session 2"
# The first format had other words and let no other be written.
FIRST_FORMAT = "pairsift session 1"
KINDS = ("same", "different", "unsure", "undo")
CHUNK_CELLS = 2**20
EVENTS = """
CREATE TABLE events (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    time REAL NOT NULL,
    kind TEXT NOT NULL,
    first INTEGER,
    second INTEGER
);
"""
SCHEMA = f"""
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE chunks (number INTEGER PRIMARY KEY, cells BLOB NOT NULL);
{EVENTS}
"""
RENEWAL = f"""
ALTER TABLE events RENAME TO old_events;
{EVENTS}
INSERT INTO events SELECT number, time,
    CASE kind WHEN 'must' THEN 'same' WHEN 'cannot' THEN 'different' ELSE kind END,
    first, second FROM old_events;
DROP TABLE old_events;
UPDATE about SET value = '{FORMAT}' WHERE key = 'format';
"""


class Event(NamedTuple):
    """A line of the journal: an answer on a couple, or "undo" of the last answer."""

    kind: str
    first: int | None
    second: int | None


class SessionFile:
    """The file of one session, locked as long as it is open.

    Every event is on disk before `append` returns: SQLite writes its journal and waits
    for the disk at each commit, and undoes what a killed process left half-written.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    @classmethod
    def create(
        cls, path: Path, X: FloatArray, settings: dict[str, Any], events: list[Event]
    ) -> SessionFile:
        """Write a new file, which must not exist."""
        if not path.parent.is_dir():
            raise StorageError(f"{path} cannot be opened: there is no such folder.")
        if path.exists():
            raise StorageError(
                f"{path} exists already: load it with ActiveSession.load, or save "
                "under another name."
            )
        # Written beside and renamed when whole: a killed process leaves no half file.
        part = path.with_name(f"{path.name}.part")
        part.unlink(missing_ok=True)
        file = cls(part, _connect(part))
        with file._connection as connection:
            file._run(SCHEMA)
            about = {
                "format": FORMAT,
                "shape": json.dumps(X.shape),
                "settings": json.dumps(settings),
            }
            connection.executemany("INSERT INTO about VALUES (?, ?)", about.items())
            connection.executemany("INSERT INTO chunks VALUES (?, ?)", _chunks(X))
            for event in events:
                file._insert(event)
        file.close()
        part.rename(path)
        return cls.open(path)

    @classmethod
    def open(cls, path: Path) -> SessionFile:
        """Open an existing file."""
        if not path.is_file():
            raise StorageError(f"there is no session file {path}.")
        file = cls(path, _connect(path))
        try:
            format_of_file = file._about("format")
        except sqlite3.DatabaseError:
            format_of_file = ""
        if format_of_file not in (FORMAT, FIRST_FORMAT):
            file.close()
            raise StorageError(f"{path} is not a session file of pairsift.")
        if format_of_file == FIRST_FORMAT:
            with file._connection as connection:
                connection.execute("BEGIN")
                file._run(RENEWAL)
        return file

    def read_data(self) -> FloatArray:
        """Return the rows the session is about."""
        shape = json.loads(self._about("shape"))
        chunks = self._connection.execute("SELECT cells FROM chunks ORDER BY number")
        cells = b"".join(blob for (blob,) in chunks)
        return np.frombuffer(cells, dtype="<f8").reshape(shape).astype(np.float64)

    def read_settings(self) -> dict[str, Any]:
        """Return the parameters of the session."""
        return json.loads(self._about("settings"))

    def read_events(self) -> list[Event]:
        """Return the journal, oldest event first."""
        rows = "SELECT kind, first, second FROM events ORDER BY number"
        events = [Event(*row) for row in self._connection.execute(rows)]
        for event in events:
            check_choice(event.kind, "an event of the journal", KINDS)
        return events

    def append(self, event: Event) -> None:
        """Write an event; it is on disk when this returns."""
        if not self.path.exists():
            raise StorageError(
                f"{self.path} is gone, and the answer with it: save the session under "
                "another name."
            )
        try:
            with self._connection:
                self._insert(event)
        except sqlite3.Error as error:
            raise StorageError(
                f"the answer could not be written to {self.path}: {error}."
            ) from error

    def close(self) -> None:
        """Close the file and give it free."""
        self._connection.close()

    def _run(self, statements: str) -> None:
        """Run statements inside the open transaction, which executescript would end."""
        for statement in filter(str.strip, statements.split(";")):
            self._connection.execute(statement)

    def _about(self, key: str) -> str:
        row = self._connection.execute("SELECT value FROM about WHERE key = ?", [key])
        found = row.fetchone()
        return found[0] if found else ""

    def _insert(self, event: Event) -> None:
        self._connection.execute(
            "INSERT INTO events (time, kind, first, second) VALUES (?, ?, ?, ?)",
            [time.time(), *event],
        )


def _connect(path: Path) -> sqlite3.Connection:
    """Open a file for this process alone."""
    try:
        connection = sqlite3.connect(path, timeout=0.2, check_same_thread=False)
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("PRAGMA synchronous = EXTRA")
        # The lock is taken by the first transaction and kept until the file is closed.
        connection.execute("BEGIN EXCLUSIVE")
        connection.commit()
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise StorageError(
                f"{path} is in use by another process: close that session first."
            ) from error
        raise StorageError(f"{path} cannot be opened: {error}.") from error
    except sqlite3.DatabaseError as error:
        raise StorageError(f"{path} is not a session file of pairsift.") from error
    return connection


def _chunks(X: FloatArray) -> Iterator[tuple[int, bytes]]:
    """Rows in pieces, because SQLite holds no cell larger than a gigabyte."""
    step = max(CHUNK_CELLS // X.shape[1], 1)
    for number, start in enumerate(range(0, len(X), step)):
        rows = np.ascontiguousarray(X[start : start + step], dtype="<f8")
        yield number, rows.tobytes()
