"""The file of a session: nothing is lost, nothing invented, whatever happens to it."""

import copy
import errno
import os
import pickle
import shutil
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from pairsift import ConstraintError, PairConstraints
from pairsift.active import ActiveSession
from pairsift.exceptions import StorageError
from tests.active.test_session import STRATEGIES, answered, blobs


def events_of(path):
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT kind, first, second FROM events ORDER BY number")
    events = rows.fetchall()
    connection.close()
    return events


def add_event(path, *event):
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(
            "INSERT INTO events (time, kind, first, second) VALUES (0, ?, ?, ?)", event
        )
    connection.close()


def saved(path, n_samples=40):
    session = ActiveSession(blobs(n_samples=n_samples)[0], strategy="random")
    session.save(path)
    return session


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_loaded_session_goes_on_where_it_stopped(tmp_path, strategy):
    X, y = blobs(3)
    expected = answered(ActiveSession(X, strategy=strategy), y, 12).history
    with ActiveSession(X, strategy=strategy) as session:
        answered(session, y, 3)
        session.save(tmp_path / "s.db")
        answered(session, y, 3)
        session.tell(*session.ask(), "unsure")
        session.undo()
    with ActiveSession.load(tmp_path / "s.db") as session:
        assert session.history == expected[:6]
        assert answered(session, y, 6).history == expected


def test_file_keeps_what_was_taken_back(tmp_path):
    X, _ = blobs()
    with ActiveSession(X) as session:
        session.tell(0, 1, "same")
        session.undo()
        session.save(tmp_path / "s.db")
        session.tell(0, 1, "different")
        session.undo()
    rows = sqlite3.connect(tmp_path / "s.db").execute(
        "SELECT kind, first, second FROM events ORDER BY number"
    )
    undo = ("undo", None, None)
    assert rows.fetchall() == [("same", 0, 1), undo, ("different", 0, 1), undo]


def test_data_comes_back_bit_by_bit(tmp_path, monkeypatch):
    monkeypatch.setattr("pairsift.active._storage.CHUNK_CELLS", 10)
    X, _ = blobs()
    with ActiveSession(X) as session:
        session.save(tmp_path / "s.db")
    with ActiveSession.load(tmp_path / "s.db") as session:
        assert_array_equal(session.X, X)
        assert session.settings["strategy"] == "sort"


def test_files_that_are_no_sessions_are_refused(tmp_path):
    X, _ = blobs()
    session = ActiveSession(X)
    (tmp_path / "text").write_text("no database at all, " * 100)
    with pytest.raises(StorageError, match="text is not a session file"):
        ActiveSession.load(tmp_path / "text")
    with pytest.raises(StorageError, match="there is no session file"):
        ActiveSession.load(tmp_path / "nothing")
    with pytest.raises(StorageError, match="exists already"):
        session.save(tmp_path / "text")
    with pytest.raises(StorageError, match="cannot be opened"):
        session.save(tmp_path / "no folder" / "s.db")


def test_answers_that_cannot_be_kept_are_refused(tmp_path):
    X, _ = blobs()
    session = ActiveSession(X)
    session.save(tmp_path / "s.db")
    session.tell(0, 1, "same")
    (tmp_path / "s.db").unlink()
    with pytest.raises(StorageError, match="is gone, and the answer with it"):
        session.tell(2, 3, "same")
    assert len(session.history) == 1
    session.save(tmp_path / "t.db")
    session.tell(2, 3, "same")
    session.close()
    with pytest.raises(StorageError, match="the session is closed: load it again"):
        session.tell(4, 5, "same")
    assert len(ActiveSession.load(tmp_path / "t.db").history) == 2


def as_first_format(path):
    """Rewrite a session file as pairsift 0.1 wrote it."""
    connection = sqlite3.connect(path)
    connection.executescript(
        """
        CREATE TABLE old (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            time REAL NOT NULL,
            kind TEXT NOT NULL CHECK (kind IN ('must', 'cannot', 'unsure', 'undo')),
            first INTEGER,
            second INTEGER
        );
        INSERT INTO old SELECT number, time, replace(replace(
            kind, 'same', 'must'), 'different', 'cannot'), first, second FROM events;
        DROP TABLE events;
        ALTER TABLE old RENAME TO events;
        DELETE FROM about WHERE key IN
            ('checksum', 'version', 'feature_names', 'sample_ids');
        ALTER TABLE chunks DROP COLUMN checksums;
        UPDATE about SET value = 'pairsift session 1' WHERE key = 'format';
        UPDATE about SET value = '{"strategy": "random", "graph": "auto",
            "n_neighbors": 7, "random_state": 0}' WHERE key = 'settings';
        """
    )
    connection.close()


def test_files_of_the_first_format_are_read_and_go_on(tmp_path):
    X, y = blobs(3)
    with ActiveSession(X, strategy="random") as session:
        session.save(tmp_path / "s.db")
        session.tell(0, 1, "same")
        session.undo()
        expected = answered(session, y, 4).history
        constraints = session.constraints
    as_first_format(tmp_path / "s.db")
    with ActiveSession.load(tmp_path / "s.db") as session:
        assert session.history == expected
        assert session.constraints == constraints
        answered(session, y, 2)
    with ActiveSession.load(tmp_path / "s.db") as session:
        assert session.history[:4] == expected
        assert len(session.history) == 6


@pytest.mark.parametrize(
    "event", [("undo", None, None), ("unsure", 3, 500), ("mast", 3, 5)]
)
def test_damaged_files_are_refused(tmp_path, event):
    X, _ = blobs()
    with ActiveSession(X) as session:
        session.save(tmp_path / "s.db")
    with sqlite3.connect(tmp_path / "s.db") as connection:
        connection.execute(
            "INSERT INTO events (time, kind, first, second) VALUES (0, ?, ?, ?)", event
        )
    connection.close()
    with pytest.raises(StorageError, match="s.db is damaged"):
        ActiveSession.load(tmp_path / "s.db")


# ----------------------------------------------------------------------------- threads


def test_threads_lose_no_answer(tmp_path):
    pairs = [(i, j) for i in range(40) for j in range(i)][:80]
    with saved(tmp_path / "s.db") as session:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda pair: session.tell(*pair, "same"), pairs))
        assert {(a.first, a.second) for a in session.history} == set(pairs)
        told = [("same", a.first, a.second) for a in session.history]
    assert events_of(tmp_path / "s.db") == told


def test_only_one_thread_answers_for_a_pair(tmp_path):
    start = threading.Barrier(8)

    def tell(k):
        start.wait()
        try:
            session.tell(k % 2, 1 - k % 2, "different")
        except ConstraintError:
            return 0
        return 1

    with saved(tmp_path / "s.db") as session, ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(tell, range(8))) == 1
    assert len(events_of(tmp_path / "s.db")) == 1


def test_both_answers_for_a_pair_open_with_a_warning(tmp_path):
    with saved(tmp_path / "s.db") as session:
        session.tell(3, 5, "same")
    add_event(tmp_path / "s.db", "different", 5, 3)
    with pytest.warns(UserWarning, match=r"holds two answers for \(3, 5\): the later"):
        session = ActiveSession.load(tmp_path / "s.db")
    with session:
        assert [a.answer for a in session.history] == ["same", "different"]
        assert session.constraints == PairConstraints([], [(3, 5)], n_samples=40)
        (conflict,) = session.conflicts
        assert conflict.cannot_link == (3, 5)
        assert conflict.chain == (3, 5)
        session.tell(1, 2, "same")


def test_copies_answer_alone_and_without_the_file(tmp_path):
    session = ActiveSession(blobs(n_samples=40)[0], strategy="random")
    session.tell(0, 1, "same")
    twin = pickle.loads(pickle.dumps(session))
    twin.tell(2, 3, "same")
    assert (len(session.history), len(twin.history)) == (1, 2)
    with session:
        session.save(tmp_path / "s.db")
        with pytest.raises(StorageError, match="the session is closed"):
            copy.deepcopy(session).tell(2, 3, "same")
        session.tell(2, 3, "same")


# ----------------------------------------------------------------- what befalls a file


def test_replaced_file_takes_no_answer(tmp_path):
    """As a sync or a backup tool replaces files."""
    path = tmp_path / "s.db"
    session = saved(path)
    session.tell(0, 1, "same")
    shutil.copy(path, tmp_path / "backup")
    (tmp_path / "backup").replace(path)
    with pytest.raises(StorageError, match=r"s\.db was replaced by another file"):
        session.tell(2, 3, "same")
    assert len(session.history) == 1
    session.save(tmp_path / "t.db")
    session.tell(2, 3, "same")
    session.close()
    assert len(events_of(path)) == 1
    assert len(events_of(tmp_path / "t.db")) == 2


def test_file_rewritten_in_place_takes_no_answer(tmp_path):
    path = tmp_path / "s.db"
    with saved(path) as session:
        add_event(path, "same", 8, 9)
        with pytest.raises(StorageError, match="or session has written to .*s.db"):
            session.tell(2, 3, "same")
        assert session.history == []


def test_relative_path_outlives_a_change_of_folder(tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    with saved("s.db") as session:
        monkeypatch.chdir(tmp_path / "elsewhere")
        session.tell(0, 1, "same")
    assert len(events_of(tmp_path / "s.db")) == 1


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0 and then nonsense" * 90])
def test_files_that_are_no_sessions_stay_as_they_are(tmp_path, content):
    path = tmp_path / "other"
    path.write_bytes(content)
    with pytest.raises(StorageError, match="not a session file|not a database"):
        ActiveSession.load(path)
    assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


def test_database_of_others_stays_as_it_is(tmp_path):
    path = tmp_path / "other"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE events (kind TEXT)")
    connection.close()
    content = path.read_bytes()
    with pytest.raises(StorageError, match="not a session file"):
        ActiveSession.load(path)
    assert path.read_bytes() == content


def test_failed_load_gives_the_file_free(tmp_path):
    path = tmp_path / "s.db"
    saved(path).close()
    add_event(path, "mast", 3, 5)
    for _ in range(2):
        with pytest.raises(StorageError, match=r"s\.db is damaged: .* got 'mast'"):
            ActiveSession.load(path)
    assert list(tmp_path.iterdir()) == [path]


def test_data_cut_short_are_damaged(tmp_path):
    path = tmp_path / "s.db"
    saved(path).close()
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("UPDATE about SET value = '[41, 4]' WHERE key = 'shape'")
    connection.close()
    with pytest.raises(StorageError, match="holds 160 cells for 164"):
        ActiveSession.load(path)


# ------------------------------------------------------- file systems that offer little


def test_saving_needs_no_hard_links(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    with saved(tmp_path / "s.db") as session:
        session.tell(0, 1, "same")
        with pytest.raises(StorageError, match="exists already"):
            ActiveSession(np.eye(3)).save(tmp_path / "s.db")
    assert len(events_of(tmp_path / "s.db")) == 1


def test_without_locks_a_second_writer_is_noticed(tmp_path, monkeypatch):
    def refuse(_):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("pairsift.active._file_lock._lock", refuse)
    path = tmp_path / "s.db"
    with saved(path) as session:
        # Another process does not know what this one has locked.
        monkeypatch.setattr("pairsift.active._file_lock._HELD", {})
        other = ActiveSession.load(path)
        other.tell(0, 1, "same")
        other.close()
        with pytest.raises(StorageError, match="or session has written to"):
            session.tell(2, 3, "same")
