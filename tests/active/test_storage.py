"""The file of a session: nothing is lost, nothing invented, whatever happens to it."""

import copy
import errno
import os
import pickle
import shutil
import sqlite3
import stat
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from pairsift import ConstraintError, PairConstraints
from pairsift._file_modes import private_as
from pairsift._version import __version__
from pairsift.active import ActiveSession, Answer, Note, PileChange, Placement
from pairsift.exceptions import StorageError
from tests.active.test_session import STRATEGIES, answered, blobs

posix = pytest.mark.skipif(os.name != "posix", reason="modes and links of POSIX")
FILES = Path(__file__).parent / "files"


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


def test_a_file_without_checksums_opens_with_all_answers(tmp_path):
    """It was written before files had checksums, ids and the version."""
    path = tmp_path / "s.db"
    shutil.copy(FILES / "format3.pairsift-session", path)
    expected = [
        Placement(0, "new", (), None),
        Placement(1, 1, (0,), 0),
        Answer(2, 0, "different"),
        Answer(3, 4, "unsure"),
        Placement(5, 1, (2, 1), 1),
        Answer(6, 7, "different"),
        PileChange("name", 0, 1, "ripe"),
        PileChange("move", 1, 2, "", (Answer(1, 2, "same"), Answer(1, 0, "different"))),
    ]
    X = np.random.default_rng(3).normal(size=(12, 3))
    X[2, 1] = np.nan
    with ActiveSession.load(path) as session:
        assert session.history == expected
        assert session.piles == [[0, 5], [2, 1]]
        assert session.names == {1: "ripe"}
        assert session.records[0].person == "Ada"
        assert_array_equal(session.X, X)
        assert session.feature_names is None
        assert session.sample_ids is None
        session.tell(8, 9, "different")
    with ActiveSession.load(path) as session:
        assert session.history == [*expected, Answer(8, 9, "different")]


def changed(path, statement, *values):
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(statement, values)
    connection.close()


@pytest.mark.parametrize(
    ("entry", "value", "message"),
    [
        ("shape", "[1000000000000, 4]", "holds 160 cells for 4000000000000"),
        ("shape", "[40.0, 4]", "the shape of its data is"),
        ("shape", "{}", "the shape of its data is"),
        ("settings", "[]", "its settings are"),
        ("settings", '{"n_neighbors": 7.5}', "its setting 'n_neighbors' is 7.5"),
        ("settings", '{"random_state": true}', "its setting 'random_state' is True"),
        (
            "settings",
            '{"categorical_features": [1.5]}',
            r"its setting 'categorical_features' is \[1.5\]",
        ),
        ("settings", '{"copy": false}', "its settings are"),
        ("settings", "[" * 100_000, "is damaged"),
    ],
)
def test_entries_of_wrong_types_are_damage(tmp_path, entry, value, message):
    path = tmp_path / "s.db"
    saved(path).close()
    changed(path, "UPDATE about SET value = ? WHERE key = ?", value, entry)
    with pytest.raises(StorageError, match=message):
        ActiveSession.load(path)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("first", 0.5),
        ("first", -3),
        ("second", "one"),
        ("person", b"Ada"),
        ("seconds", "soon"),
        ("seconds", float("inf")),
        ("time", "now"),
        ("replaces", 7),
        ("shown", '{"0": 1}'),
        ("shown", "[true]"),
        ("text", b"x"),
    ],
)
def test_answers_of_wrong_types_are_damage(tmp_path, column, value):
    path = tmp_path / "s.db"
    with saved(path) as session:
        session.tell(0, 1, "same")
    changed(path, f"UPDATE events SET {column} = ?", value)
    with pytest.raises(StorageError, match="a line of its journal has cells of wrong"):
        ActiveSession.load(path)


def test_text_that_is_no_utf8_is_damage(tmp_path):
    path = tmp_path / "s.db"
    saved(path).close()
    content = path.read_bytes()
    place = content.index(b"CREATE TABLE about")
    path.write_bytes(content[:place] + b"CREATE \xffABLE" + content[place + 12 :])
    with pytest.raises(StorageError, match=r"s\.db cannot be opened: .*no UTF-8"):
        ActiveSession.load(path)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    "form", ["pairsift session 4", "pairsift session 12 of blocks"]
)
def test_files_of_a_newer_pairsift_are_said_to_be(tmp_path, form):
    path = tmp_path / "s.db"
    saved(path).close()
    changed(path, "UPDATE about SET value = ? WHERE key = 'format'", form)
    changed(path, "UPDATE about SET value = '7.1' WHERE key = 'version'")
    content = path.read_bytes()
    with pytest.raises(StorageError, match=r"by a newer pairsift \(7\.1, and this one"):
        ActiveSession.load(path)
    assert path.read_bytes() == content


def test_the_version_that_wrote_the_file_is_kept(tmp_path):
    path = tmp_path / "s.db"
    saved(path).close()
    connection = sqlite3.connect(path)
    found = connection.execute("SELECT value FROM about WHERE key = 'version'")
    assert found.fetchall() == [(__version__,)]
    connection.close()


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        (
            "CREATE TRIGGER greedy AFTER INSERT ON events BEGIN "
            "DELETE FROM events WHERE number = new.number; END",
            "trigger 'greedy'",
        ),
        ("CREATE VIEW other AS SELECT * FROM events", "view 'other'"),
    ],
)
def test_files_that_act_by_themselves_are_refused(tmp_path, statement, name):
    path = tmp_path / "s.db"
    saved(path).close()
    changed(path, statement)
    content = path.read_bytes()
    with pytest.raises(StorageError, match=f"holds the {name}, which no session has"):
        ActiveSession.load(path)
    assert path.read_bytes() == content


# --------------------------------------------------------------------------- checksums


def test_damaged_data_are_named_and_keep_no_answer_back(tmp_path):
    path = tmp_path / "s.db"
    with saved(path) as session:
        session.tell(0, 1, "same")
        history, X = session.history, session.X.copy()
    content = path.read_bytes()
    for row, bit in ((3, 0), (17, 54)):
        cell = X[row, 2].tobytes()
        other = (int.from_bytes(cell, "little") ^ 1 << bit).to_bytes(8, "little")
        assert content.count(cell) == 1
        content = content.replace(cell, other)
    path.write_bytes(content)
    with pytest.warns(UserWarning, match="checksums of rows 3, 17 do not fit: compare"):
        session = ActiveSession.load(path)
    with session:
        assert session.history == history
        differs = np.argwhere(session.X != X)
        assert differs.tolist() == [[3, 2], [17, 2]]
        session.tell(2, 3, "different")


@pytest.mark.parametrize("value", [np.inf, -1e300, np.nan])
def test_cells_that_no_data_hold_are_missing_in_damaged_rows(tmp_path, value):
    path = tmp_path / "s.db"
    with saved(path) as session:
        X = session.X.copy()
    damaged = X.copy()
    damaged[5, 1] = value
    changed(path, "UPDATE chunks SET cells = ?", damaged.tobytes())
    with pytest.warns(UserWarning, match="the checksums of row 5 do not fit: compare"):
        session = ActiveSession.load(path)
    with session:
        X[5, 1] = np.nan
        assert_array_equal(session.X, X)


def test_rows_that_have_changed_places_are_damaged(tmp_path, monkeypatch):
    monkeypatch.setattr("pairsift.active._storage.CHUNK_CELLS", 80)
    path = tmp_path / "s.db"
    saved(path).close()
    changed(path, "UPDATE chunks SET number = 1 - number + 10")
    with pytest.warns(UserWarning, match="checksums of rows 0, 1, 2, .* and 30 more"):
        ActiveSession.load(path).close()


def test_damaged_answers_are_named_and_open(tmp_path):
    path = tmp_path / "s.db"
    with saved(path) as session:
        session.tell(0, 1, "same", note=Note("Ada", 2))
        session.tell(2, 3, "different")
        session.place(5, "unsure")
    changed(path, "UPDATE events SET second = 4 WHERE second = 3")
    with pytest.warns(UserWarning, match="of the answers on row 2 and 4 do not fit: c"):
        session = ActiveSession.load(path)
    with session:
        assert session.history[1] == Answer(2, 4, "different")


def test_lost_answers_are_counted(tmp_path):
    path = tmp_path / "s.db"
    with saved(path) as session:
        for row in (1, 2, 3):
            session.tell(0, row, "same")
    changed(path, "DELETE FROM events WHERE number > 1")
    with pytest.warns(
        UserWarning, match="is damaged, 2 of 3 answers are lost: compare"
    ):
        session = ActiveSession.load(path)
    with session:
        assert session.history == [Answer(0, 1, "same")]


def test_damaged_names_are_not_taken(tmp_path):
    path = tmp_path / "s.db"
    session = ActiveSession(np.eye(3), sample_ids=["x", "y", "z"])
    session.save(path)
    session.close()
    with ActiveSession.load(path) as session:
        assert session.sample_ids == ["x", "y", "z"]
    changed(path, "UPDATE about SET value = replace(value, 'x', 'w')")
    with pytest.warns(
        UserWarning, match="of its settings and names does not fit: comp"
    ):
        session = ActiveSession.load(path)
    with session:
        assert session.sample_ids is None


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.* is damaged, ")
def test_no_flipped_byte_changes_a_session_in_silence(tmp_path):
    path = tmp_path / "s.db"
    session = ActiveSession(blobs(n_samples=12)[0], sample_ids=range(12))
    session.save(path)
    for row in range(6):
        session.place(row, "new" if row < 2 else row % 2 + 1, note=Note("Ada", 1))
    session.undo()
    session.close()

    def state(session):
        known = session.settings, session.sample_ids
        return session.records, session.X.tobytes(), known

    expected, content = state(session), path.read_bytes()
    rng = np.random.default_rng(4)
    n_opened = 0
    for place in rng.choice(np.flatnonzero(np.frombuffer(content, "u1")), 150):
        damaged = bytearray(content)
        damaged[place] ^= 1 << rng.integers(8)
        path.write_bytes(damaged)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                opened = ActiveSession.load(path)
            except StorageError:
                continue
            finally:
                path.unlink()
        n_opened += 1
        opened.close()
        assert caught or state(opened) == expected
    assert n_opened > 50


# ------------------------------------------------------------------ who may read a file


def mode_of(path):
    return stat.S_IMODE(path.stat().st_mode)


@posix
@pytest.mark.parametrize(
    ("mode", "expected"), [(0o600, 0o600), (0o640, 0o640), (0o444, 0o644)]
)
def test_a_session_and_its_lock_have_the_mode_of_the_table(tmp_path, mode, expected):
    table, path = tmp_path / "table.csv", tmp_path / "s.db"
    table.write_text("")
    table.chmod(mode)
    with private_as(table):
        session = saved(path)
    assert mode_of(path) == expected
    assert mode_of(tmp_path / "s.db.lock") == expected
    session.close()
    # The lock of a session that is loaded without a table is as private as that.
    with ActiveSession.load(path):
        assert mode_of(tmp_path / "s.db.lock") == expected


@posix
def test_a_session_without_a_table_is_its_owners_alone(tmp_path):
    with saved(tmp_path / "s.db"):
        assert mode_of(tmp_path / "s.db") == 0o600
        assert mode_of(tmp_path / "s.db.lock") == 0o600


@posix
def test_an_open_session_becomes_as_private_as_the_table(tmp_path):
    table, path = tmp_path / "table.csv", tmp_path / "s.db"
    saved(path).close()
    path.chmod(0o644)
    with ActiveSession.load(path):
        # Somebody has chosen this mode.
        assert mode_of(path) == 0o644
    table.write_text("")
    table.chmod(0o640)
    with private_as(table), ActiveSession.load(path):
        assert mode_of(path) == 0o640
        assert mode_of(tmp_path / "s.db.lock") == 0o640


@posix
def test_the_mode_of_a_file_that_is_no_session_stays(tmp_path):
    table, path = tmp_path / "table.csv", tmp_path / "other"
    for file, mode in ((table, 0o600), (path, 0o644)):
        file.write_text("no database at all, " * 100)
        file.chmod(mode)
    with private_as(table), pytest.raises(StorageError, match="not a session file"):
        ActiveSession.load(path)
    assert mode_of(path) == 0o644


@posix
def test_a_lock_that_is_a_link_is_refused(tmp_path):
    path = tmp_path / "s.db"
    saved(path).close()
    (tmp_path / "s.db.lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StorageError, match=r"s\.db\.lock, the lock .* is a link"):
        ActiveSession.load(path)
    assert not (tmp_path / "elsewhere").exists()


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
