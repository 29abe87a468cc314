"""``pairsift label``: what it reads, what it refuses, and how it begins and ends."""

import json
import os
import queue
import re
import signal
import subprocess
import sys
import time
import urllib.request

import numpy as np
import pandas as pd
import pytest

import pairsift.webapp._server as server_module
from pairsift.active import ActiveSession
from pairsift.webapp._exports import labels_csv
from tests.webapp.test_server import Caller


@pytest.fixture
def served(monkeypatch):
    """Catch the server that a command would run."""
    found = []

    def run(self):
        found.append(self)
        self._socket.close()

    monkeypatch.setattr(server_module.Server, "run", run)
    return found


def test_table_is_served_without_label_and_id(run, served, wine_csv):
    result = run("label", wine_csv, "--label", "class", "--no-browser")
    assert result.exit_code == 0, result.output
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/#[\w-]{43}\n", result.stdout)
    assert "the same command goes on from" in result.stderr
    (server,) = served
    desk = server.desk
    assert "class" not in desk.samples.columns
    assert desk.features == desk.samples.columns
    assert (desk.title, desk.mode, desk.share) == ("wine.csv", "cards", 0.0)


def test_link_and_session_as_json(run, served, wine_csv):
    result = run("label", wine_csv, "--label", "class", "--no-browser", "--json")
    assert json.loads(result.stdout) == {
        "link": served[0].link,
        "session": f"{wine_csv}.pairsift-session",
    }


def test_session_goes_on_with_the_same_data_only(run, served, wine_csv, monkeypatch):
    def answer(self):
        served.append(self)
        self.desk.session.place(3, "new")
        self._socket.close()

    monkeypatch.setattr(server_module.Server, "run", answer)
    run("label", wine_csv, "--label", "class", "--no-browser")
    path = wine_csv.with_name("wine.csv.pairsift-session")
    with ActiveSession.load(path) as session:
        assert session.piles == [[3]]
    other = run("label", wine_csv, "--no-browser")
    assert other.exit_code == 2
    assert "is not what the session" in other.stderr


def place_by_id(places):
    """Return how a page places rows that it knows by their ids."""

    def answer(self):
        ids = self.desk.samples
        names = [ids.name(row) for row in range(len(ids))]
        for name, pile in places:
            self.desk.session.place(names.index(name), pile)
        self._socket.close()

    return answer


@pytest.fixture
def named(write_csv):
    """Rows with ids, and two columns that are easily taken for each other."""
    rng = np.random.default_rng(6)
    frame = pd.DataFrame({"id": list("pqrstuvw"), "note": list("PQRSTUVW")})
    frame[["a", "b"]] = rng.normal(size=(8, 2))
    return write_csv("named.csv", frame)


NAMED = ("--id", "id", "--drop", "note", "--show", "note", "--no-browser")


def test_rows_in_another_order_are_matched_by_id(run, served, named, monkeypatch):
    places = [("p", "new"), ("w", "new"), ("q", 1)]
    monkeypatch.setattr(server_module.Server, "run", place_by_id(places))
    assert run("label", named, *NAMED).exit_code == 0
    pd.read_csv(named).iloc[[5, 0, 7, 1, 2, 6, 4, 3]].to_csv(named, index=False)
    written = []

    def go_on(self):
        desk = self.desk
        assert [desk.samples.name(r) for r in desk.session.piles[0]] == ["p", "q"]
        shown = desk.samples.table([0, 7])["cells"]
        assert [cells[0][0] for cells in shown] == ["P", "W"]
        place_by_id([("v", 2)])(self)
        written.append(labels_csv(desk))

    monkeypatch.setattr(server_module.Server, "run", go_on)
    result = run("label", named, *NAMED)
    assert result.exit_code == 0, result.output
    lines = written[0].splitlines()
    assert lines[1:] == ["p,1,", "q,1,", "v,2,", "w,2,"]
    with ActiveSession.load(f"{named}.pairsift-session") as session:
        assert session.sample_ids == list("pqrstuvw")
        assert session.piles == [[0, 1], [7, 6]]


@pytest.mark.parametrize("command", ["label", "query"])
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda f: f.rename(columns={"a": "b", "b": "a"}),
            "column 0, counted from 0, is 'a' there and 'b' here",
        ),
        (
            lambda f: f.assign(id=f["id"].to_numpy()[::-1]),
            "other values, first in row 'p', column 'a'",
        ),
        (
            lambda f: f.assign(id=[*"pqrstuvx"]),
            "row 7, counted from 0, is 'w' there and 'x' here",
        ),
        (
            lambda f: f.assign(b=f["b"].where(f["id"] != "s", f["b"].median())),
            "other values, first in row 's', column 'b'",
        ),
    ],
    ids=["names swapped", "ids reversed", "another id", "another value"],
)
def test_what_has_changed_in_the_table_is_said(
    run, served, named, monkeypatch, command, change, message
):
    monkeypatch.setattr(server_module.Server, "run", place_by_id([("p", "new")]))
    run("label", named, *NAMED)
    change(pd.read_csv(named)).to_csv(named, index=False)
    path = named.with_name("named.csv.pairsift-session")
    content = path.read_bytes()
    options = NAMED if command == "label" else NAMED[:4]
    result = run(command, named, *options, answers="n\n")
    assert result.exit_code == 2
    assert message in result.stderr
    assert path.read_bytes() == content


def test_columns_to_show_need_not_be_features(run, served, write_csv):
    frame = {"a": [1, 2, 3], "b": [3, 2, 1], "note": ["x", "y", "z"]}
    path = write_csv("t.csv", frame)
    options = ("--drop", "note", "--show", "note", "--show", "a", "--no-browser")
    result = run("label", path, *options, "--person", "Ann", "--mode", "pairs")
    assert result.exit_code == 0, result.output
    desk = served[0].desk
    assert desk.samples.columns == ["note", "a"]
    assert desk.features == ["a", "b"]
    assert (desk.person, desk.mode) == ("Ann", "pairs")


def test_texts_pictures_and_pixels_are_shown(run, served, write_csv, tmp_path):
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "a.png").write_bytes(b"x")
    frame = {
        "p": [1, 2, 3],
        "q": [3, 2, 1],
        "say": ["x", None, "z"],
        "f": ["a.png"] * 3,
    }
    path = write_csv("t.csv", frame)
    options = ("--text", "say", "--drop", "f")
    run("label", path, *options, "--no-browser", "--session", tmp_path / "1")
    assert served[-1].desk.samples.looks.texts == ["x", "", "z"]
    photo = tmp_path / "photos" / "a.png"
    options = ("--image", "f", "--images", photo.parent, "--drop", "say")
    run("label", path, *options, "--no-browser", "--session", tmp_path / "2")
    assert served[-1].desk.samples.looks.images.files == [photo] * 3
    options = ("--pixels", "1x2", "--drop", "say", "--drop", "f")
    run("label", path, *options, "--no-browser", "--session", tmp_path / "3")
    assert served[-1].desk.samples.looks.pixels == (1, 2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--pixels", "28"], "--pixels must be height x width, such as 28x28"),
        (["--pixels", "3x3"], "--pixels 3x3 needs 9 columns of numbers"),
        (["--text", "a", "--image", "b"], "--image and --text cannot be combined"),
        (["--show", "sice"], "no column 'sice' to show (did you mean 'size'?)"),
        (["--image", "size"], "none of the pictures is a file in"),
        (["--text", "nothing"], "no column 'nothing' for --drop"),
        (["--listen", "203.0.113.7"], "cannot listen at 203.0.113.7"),
    ],
)
def test_mistakes_are_told_in_one_line(run, served, write_csv, options, message):
    path = write_csv("t.csv", {"size": [1, 2, 3], "a": [1, 5, 2], "b": [2, 3, 1]})
    result = run("label", path, "--no-browser", *options)
    assert result.exit_code == 2
    assert message in result.stderr.splitlines()[-1]
    assert served == []


def test_rows_that_cannot_be_compared_or_told_apart_are_refused(refused, write_csv):
    one = write_csv("one.csv", {"x": [1.5]})
    assert "one.csv has one row" in refused("label", one)
    twice = write_csv("twice.csv", {"id": ["p", "q", "q"], "x": range(3)})
    said = refused("label", twice, "--id", "id")
    assert "--id id: 'q' names more than one row" in said


def test_listening_to_others_says_what_it_means(run, served, wine_csv):
    result = run("label", wine_csv, "--no-browser", "--listen", "0.0.0.0")
    assert "nothing is encrypted (no TLS)" in result.stderr
    assert served[0].desk.share == 0.1


def test_labels_of_the_page_are_read_by_select(run, served, wine_csv, tmp_path):
    def answer(self):
        session = self.desk.session
        for row, pile in [(0, "new"), (1, 1), (100, "new"), (101, 2)]:
            session.place(row, pile)
        session.rename(1, "good")
        (tmp_path / "labels.csv").write_text(labels_csv(self.desk), newline="")
        self._socket.close()

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(server_module.Server, "run", answer)
        run("label", wine_csv, "--label", "class", "--no-browser")
    text = (tmp_path / "labels.csv").read_text()
    assert text.splitlines()[:2] == ["row,pile,name", "0,1,good"]
    options = ("--drop", "class", "--labels", tmp_path / "labels.csv", "--json")
    result = run("select", wine_csv, *options)
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)


def test_missing_extra_says_what_to_install(run, wine_csv, monkeypatch):
    monkeypatch.setattr("pairsift.webapp._label.find_spec", lambda name: None)
    result = run("label", wine_csv)
    assert result.exit_code == 2
    assert "with its extra label, such as 'pairsift[cli,label]'" in result.stderr


@pytest.mark.slow
@pytest.mark.subprocess
@pytest.mark.skipif(os.name != "posix", reason="modes of files and a script in sh")
def test_browser_is_started_without_a_secret_in_its_arguments(wine_csv, tmp_path):
    folder, seen = tmp_path / "temporary", tmp_path / "seen"
    folder.mkdir()
    browser = tmp_path / "browser"
    # The command stays, as some browsers do until they are closed.
    browser.write_text(f'#!/bin/sh\necho "$@" >{seen}.part; mv {seen}.part {seen}\n'
                       "exec sleep 60\n")  # fmt: skip
    browser.chmod(0o700)
    code = "import sys; from pairsift.cli import main; sys.argv[0] = 'pairsift'; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "label", str(wine_csv)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "BROWSER": f"{browser} %s", "TMPDIR": str(folder)},
        start_new_session=True,
    )
    try:
        caller = Caller(process.stdout.readline().strip())
        wait_for(seen.exists)
        (page,) = folder.glob("*.html")
        assert seen.read_text().split() == [page.as_uri()]
        assert page.stat().st_mode & 0o777 == 0o600
        text = page.read_text()
        (invited,) = set(re.findall(rf"http://{caller.host}/#([\w-]{{43}})", text))
        assert caller.token not in text
        assert enter(caller, invited) == (200, {"entered": True})
        assert not page.exists()
        status, said = enter(caller, invited)
        assert status == 401
        assert "open the link that `pairsift label` printed" in said["error"]
        assert enter(caller, caller.token)[0] == 200
    finally:
        # The browser is in this session of processes, too.
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=60)
    assert process.returncode == 0


def enter(caller, token):
    return caller.ask("POST", "/api/enter", json.dumps({"token": token}), Cookie="")


def wait_for(is_so, seconds=60):
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_file_for_the_browser_goes_with_the_command(
    run, served, wine_csv, tmp_path, monkeypatch
):
    opened = queue.SimpleQueue()
    monkeypatch.setattr("webbrowser.open", opened.put)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    result = run("label", wine_csv, "--label", "class", "--quiet")
    assert result.stderr == ""
    address = opened.get(timeout=30)
    assert address.startswith(f"{tmp_path.as_uri()}/pairsift-label-")
    assert not list(tmp_path.glob("*.html"))


def test_full_temporary_folder_leaves_the_printed_link(
    run, served, wine_csv, tmp_path, monkeypatch
):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    result = run("label", wine_csv, "--label", "class")
    assert result.exit_code == 0
    assert result.stdout.strip() == served[0].link
    assert "no browser was opened" in result.stderr
    assert not opened


def started(*words):
    code = "import sys; from pairsift.cli import main; sys.argv[0] = 'pairsift'; main()"
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, words)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.slow
@pytest.mark.subprocess
@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("command", ["label", "query"])
def test_sigterm_leaves_no_lock(wine_csv, command):
    options = ["--no-browser"] if command == "label" else []
    process = started(command, wine_csv, "--drop", "class", *options)
    lock = wine_csv.with_name("wine.csv.pairsift-session.lock")
    if command == "label":
        process.stdout.readline()
    else:
        process.stdin.write("n\n")
        process.stdin.flush()
        assert any("card 2 of" in line for line in process.stderr)
    assert lock.exists()
    process.terminate()
    process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGTERM
    assert not lock.exists()


@pytest.mark.slow
@pytest.mark.subprocess
@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_ends_it_in_order(wine_csv):
    process = started("label", wine_csv, "--no-browser")
    link = process.stdout.readline().strip()
    with urllib.request.urlopen(link.partition("#")[0], timeout=30) as page:
        assert b"pairsift label" in page.read()
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "stopped; the same command goes on from" in said
    assert "Traceback" not in said
    session = wine_csv.with_name("wine.csv.pairsift-session")
    ActiveSession.load(session).close()


def test_json_of_numbers_is_valid(run, served, write_csv):
    """Infinite and missing values never reach the page as NaN."""
    path = write_csv("t.csv", "a,b\n1,2\n,5\n3,\n")
    run("label", path, "--no-browser")
    desk = served[0].desk
    text = json.dumps(desk.samples.table([0, 1, 2]), allow_nan=False)
    assert "null" in text
    assert np.isnan(desk.session.X).sum() == 2


def test_query_goes_on_with_what_was_done_to_piles(run, served, wine_csv, monkeypatch):
    def arrange(self):
        session = self.desk.session
        for row, pile in [(0, "new"), (1, 1), (100, "new"), (101, 2), (150, "new")]:
            session.place(row, pile)
        session.rename(1, "good")
        session.move(101, 1)
        session.repeat(0, 1)
        session.merge(2, 3)
        self._socket.close()

    monkeypatch.setattr(server_module.Server, "run", arrange)
    run("label", wine_csv, "--label", "class", "--no-browser")
    result = run("query", wine_csv, "--drop", "class", answers="z\ny\nz\nz\nz\n1\nb\n")
    assert result.exit_code == 0, result.stderr
    assert "Traceback" not in result.stderr
    path = wine_csv.with_name("wine.csv.pairsift-session")
    with ActiveSession.load(path) as session:
        kinds = [record.kind for record in session.records]
    assert kinds[:9] == [*["new", "same"] * 2, "new", "name", "move", "repeat", "merge"]
    assert kinds[9:14] == ["undo", "redo", "undo", "undo", "undo"]
