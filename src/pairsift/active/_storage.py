"""A session on disk: one SQLite file with the data and a journal of events."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import uuid
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from pairsift._file_modes import create, restrict
from pairsift._typing import FloatArray
from pairsift._version import __version__
from pairsift._words import listing
from pairsift.active._answers import Event
from pairsift.active._file_lock import FileLock, is_same_file
from pairsift.active._stored import (
    Stored,
    about_checksum,
    as_event,
    as_line,
    as_names,
    as_settings,
    as_shape,
    complaint_about,
    differing_rows,
    is_intact,
    row_checksums,
    without_absurd,
)
from pairsift.exceptions import StorageError

FORMAT = "pairsift session 3"
# The data are in blocks elsewhere: the file has some rows, by which to know them again.
BLOCKS_FORMAT = "pairsift session 3 of blocks"
# The first format had other words and let no other be written.
FIRST_FORMAT = "pairsift session 1"
# The second did not say who answered, and knew no acts on piles.
SECOND_FORMAT = "pairsift session 2"
CHUNK_CELLS = 2**20
# Formats that this version does not know, if their number is higher.
ANY_FORMAT = re.compile(r"pairsift session (\d+)( of blocks)?")
COLUMNS = "kind, first, second, shown, replaces, person, seconds, text, time, checksum"
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
    {", ".join(ADDED)},
    checksum INTEGER
);
"""
SCHEMA = f"""
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE chunks (number INTEGER PRIMARY KEY, cells BLOB NOT NULL,
    checksums BLOB);
{EVENTS}
"""
# Columns that files lack which were written before there were checksums.
CHECKSUMS = {"chunks": "checksums BLOB", "events": "checksum INTEGER"}
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

    def __init__(self, path: Path, lock: FileLock | None) -> None:
        self.path, self._lock = path, lock
        # Held open, so that no file that takes its place can get its number.
        self._descriptor = os.open(path, os.O_RDONLY)
        self._finalizer = weakref.finalize(self, os.close, self._descriptor)
        self._owner = os.getpid()
        self._last = 0

    @classmethod
    def create(cls, path: Path, stored: Stored) -> SessionFile:
        """Write a new file, which must not exist."""
        path = path.resolve()
        if not path.parent.is_dir():
            raise StorageError(f"{path} cannot be opened: there is no such folder.")
        if path.exists():
            raise _exists(path)
        # Written beside under a name of its own: a killed process leaves no half file.
        part = path.with_name(f"{path.name}.{uuid.uuid4().hex[:8]}.part")
        with _lock_unless_failed(path) as lock:
            try:
                create(part)
                with _transaction(part) as connection:
                    _write(connection, stored)
                _give_name(part, path)
            finally:
                for left in (part, part.with_name(f"{part.name}-journal")):
                    left.unlink(missing_ok=True)
            file = cls(path, lock)
            file._last = len(stored.events)
        return file

    @classmethod
    def open(cls, path: Path) -> SessionFile:
        """Open an existing file."""
        path = path.resolve()
        if not path.is_file():
            raise StorageError(f"there is no session file {path}.")
        if not _is_writable(path):
            # The file can only be read, so no lock is needed.
            with _explained(path):
                return cls(path, None)
        with _lock_unless_failed(path) as lock:
            file = cls(path, lock)
        return file

    def read(self) -> Stored:
        """Return what the file holds; ValueError if that cannot be a session."""
        _refuse_other_files(self.path)
        reading = _copy if self._lock is None else _transaction
        with _explained(self.path), reading(self.path) as connection:
            _check_schema(connection, self.path)
            _renew(connection)
            stored = _read(connection)
            self._last = _last_number(connection)
        if self._lock is not None:
            restrict(self.path)
        return stored

    def append(self, *events: Event) -> None:
        """Write events, all or none; they are on disk when this returns."""
        self._check_owner()
        self._check_identity()
        if self._lock is None:
            raise StorageError(
                f"{self.path} takes no answers, {_why_not_writable(self.path)} may "
                "only be read: save the session in another folder, and go on there."
            )
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
        if self._lock is not None:
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


@contextmanager
def _lock_unless_failed(path: Path) -> Iterator[FileLock]:
    """Lock a file, and give it free again only if it could not be opened."""
    lock = FileLock(path)
    try:
        with _explained(path):
            yield lock
    except BaseException:
        lock.release()
        raise


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Say which file it was that could not be opened."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise StorageError(f"{path} cannot be opened: {error}.") from error


@contextmanager
def _transaction(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a file for one transaction, taken back if it fails."""
    connection = _connect(path, "rw")
    try:
        connection.execute("PRAGMA synchronous = EXTRA")
        connection.execute("BEGIN IMMEDIATE")
        yield connection
        connection.execute("COMMIT")
    except UnicodeDecodeError as error:
        # Where SQLite repeats damaged text in a message.
        raise sqlite3.DatabaseError(f"its text is no UTF-8, {error}") from error
    finally:
        connection.close()


@contextmanager
def _copy(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a copy in memory of a file that may only be read."""
    original = _connect(path, "ro")
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        original.backup(connection)
        yield connection
    except UnicodeDecodeError as error:
        raise sqlite3.DatabaseError(f"its text is no UTF-8, {error}") from error
    finally:
        connection.close()
        original.close()


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{path.as_uri()}?mode={mode}", uri=True, timeout=1.0, isolation_level=None
    )


def _is_writable(path: Path) -> bool:
    # SQLite keeps its own journal in the folder.
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK | os.X_OK)


def _why_not_writable(path: Path) -> str:
    if os.access(path, os.W_OK):
        return f"because its folder {path.parent}"
    return "because the file"


def _refuse_other_files(path: Path) -> None:
    """Refuse what is no database, before SQLite takes an empty file for one."""
    with _explained(path), path.open("rb") as stream:
        if stream.read(len(SQLITE_HEADER)) != SQLITE_HEADER:
            raise _no_session(path)


def _no_session(path: Path) -> StorageError:
    return StorageError(f"{path} is not a session file of pairsift.")


def _check_schema(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse files that act by themselves: a trigger may delete each answer."""
    known = _about(connection, "format")
    if ANY_FORMAT.fullmatch(known) is None:
        raise _no_session(path)
    if known not in (FORMAT, BLOCKS_FORMAT, *RENEWALS):
        version = _about(connection, "version") or "unknown version"
        raise StorageError(
            f"{path} was written by a newer pairsift ({version}, and this one is "
            f"{__version__}): update pairsift to open it."
        )
    acting = connection.execute(
        "SELECT type, name FROM sqlite_master WHERE type IN ('trigger', 'view') "
        "OR sql LIKE 'CREATE VIRTUAL%'"
    ).fetchone()
    if acting is not None:
        raise StorageError(
            f"{path} holds the {acting[0]} {acting[1]!r}, which no session has: it may "
            "change answers, so the file is not opened."
        )


def _renew(connection: sqlite3.Connection) -> None:
    """Bring files of older formats to this one, inside the open transaction."""
    known = _about(connection, "format")
    if known in RENEWALS:
        _run(connection, RENEWALS[known])
    for table, column in CHECKSUMS.items():
        lines = connection.execute(f"SELECT name FROM pragma_table_info('{table}')")
        if column.split()[0] not in {name for (name,) in lines}:
            connection.execute(f"ALTER TABLE {table} ADD COLUMN {column}")


def _read(connection: sqlite3.Connection) -> Stored:
    lines = connection.execute("SELECT key, value FROM about")
    about = {str(key): str(value) for key, value in lines}
    X, damaged = _read_data(connection, as_shape(about.get("shape", "")))
    events, complaints = _read_events(connection)
    if damaged:
        rows = listing(map(str, damaged), most=10)
        noun = "row" if len(damaged) == 1 else "rows"
        complaints.insert(0, f"the checksums of {noun} {rows} do not fit")
    known = about.get("n_rows", "")
    stored = Stored(
        without_absurd(X, np.array(damaged, dtype=np.int64)),
        as_settings(about.get("settings", "")),
        events,
        int(known) if known else None,
        damaged=np.array(damaged, dtype=np.int64),
        complaints=complaints,
    )
    if about.get("checksum", about_checksum(about)) != about_checksum(about):
        # Wrong names would be worse than none.
        complaints.append("the checksum of its settings and names does not fit")
        return stored
    stored.feature_names = as_names(about.get("feature_names", ""), X.shape[1])
    stored.sample_ids = as_names(about.get("sample_ids", ""), stored.n_rows or len(X))
    return stored


def _read_data(
    connection: sqlite3.Connection, shape: tuple[int, int]
) -> tuple[FloatArray, list[int]]:
    """Return the data, and the rows whose checksums do not fit."""
    sizes = "SELECT coalesce(sum(length(cells)), 0), max(typeof(cells)) FROM chunks"
    n_bytes, kind = connection.execute(sizes).fetchone()
    # Before anything of that size is allocated; "blob" is the first of the types.
    if n_bytes != 8 * shape[0] * shape[1] or kind != "blob":
        n_cells = shape[0] * shape[1]
        raise ValueError(f"it holds {n_bytes // 8} cells for {n_cells}")
    X, start, damaged = np.empty(shape), 0, []
    chunks = connection.execute("SELECT cells, checksums FROM chunks ORDER BY number")
    for blob, checksums in chunks:
        rows = np.frombuffer(blob, dtype="<f8").reshape(-1, shape[1])
        X[start : start + len(rows)] = rows
        damaged += differing_rows(rows, start, checksums)
        start += len(rows)
    return X, damaged


def _read_events(connection: sqlite3.Connection) -> tuple[list[Event], list[str]]:
    """Return the journal, oldest event first, and what to complain of."""
    lines = connection.execute(f"SELECT {COLUMNS} FROM events ORDER BY number")
    events, doubtful = [], []
    for line in lines:
        events.append(as_event(line))
        if not is_intact(line):
            doubtful.append(events[-1])
    complaints = [complaint_about(doubtful)] if doubtful else []
    given = "SELECT seq FROM sqlite_sequence WHERE name = 'events'"
    (last,) = connection.execute(given).fetchone() or (0,)
    n_lost = max(last, _last_number(connection)) - len(events)
    if n_lost > 0:
        complaints.append(f"{n_lost} of {n_lost + len(events)} answers are lost")
    return events, complaints


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


def _write(connection: sqlite3.Connection, stored: Stored) -> None:
    _run(connection, SCHEMA)
    n_rows, names, ids = stored.n_rows, stored.feature_names, stored.sample_ids
    about = {
        "format": FORMAT if n_rows is None else BLOCKS_FORMAT,
        "version": __version__,
        "shape": json.dumps(stored.X.shape),
        "settings": json.dumps(stored.settings),
        "n_rows": "" if n_rows is None else str(n_rows),
        "feature_names": "" if names is None else json.dumps(names),
        "sample_ids": "" if ids is None else json.dumps(ids),
    }
    about["checksum"] = about_checksum(about)
    connection.executemany("INSERT INTO about VALUES (?, ?)", about.items())
    connection.executemany("INSERT INTO chunks VALUES (?, ?, ?)", _chunks(stored.X))
    for event in stored.events:
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
    line = as_line(event)
    places = ", ".join("?" * len(line))
    connection.execute(f"INSERT INTO events ({COLUMNS}) VALUES ({places})", line)


def _last_number(connection: sqlite3.Connection) -> int:
    return connection.execute("SELECT max(number) FROM events").fetchone()[0] or 0


def _chunks(X: FloatArray) -> Iterator[tuple[int, bytes, bytes]]:
    """Rows in pieces, because SQLite holds no cell larger than a gigabyte."""
    step = max(CHUNK_CELLS // X.shape[1], 1)
    for number, start in enumerate(range(0, len(X), step)):
        rows = np.ascontiguousarray(X[start : start + step], dtype="<f8")
        yield number, rows.tobytes(), row_checksums(rows, start)
