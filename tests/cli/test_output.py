"""Outputs: whole or not at all, links stay links, pipes and devices get the bytes."""

import os
import stat
import threading
from pathlib import Path

import pandas as pd
import pytest

from pairsift._replacing import replacing
from pairsift.cli._output import check_outputs
from pairsift.exceptions import DataError

posix = pytest.mark.skipif(os.name == "nt", reason="links, pipes and modes of POSIX")
has_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")


def write(path, text="new"):
    with replacing(path) as draft:
        draft.write_text(text)


def files(folder):
    return sorted(path.name for path in folder.iterdir())


@posix
@pytest.mark.parametrize("is_there", [True, False], ids=["old", "new"])
def test_a_link_stays_a_link(tmp_path, is_there):
    target = tmp_path / "far" / "target.csv"
    target.parent.mkdir()
    if is_there:
        target.write_text("old")
    link = tmp_path / "link.csv"
    link.symlink_to(target)
    check_outputs([link], [])
    write(link)

    assert link.is_symlink()
    assert target.read_text() == "new"
    assert files(target.parent) == ["target.csv"]


@posix
def test_a_link_to_nowhere_and_a_circle_are_refused(tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "nowhere" / "x")
    (tmp_path / "b").symlink_to(tmp_path / "b")
    with pytest.raises(DataError, match="there is no folder"):
        check_outputs([tmp_path / "a"], [])
    with pytest.raises(DataError, match="cannot write"):
        write(tmp_path / "a")
    check_outputs([tmp_path / "c"], [tmp_path / "b"])


@posix
def test_the_mode_of_an_old_file_is_kept_and_a_new_one_has_the_usual(tmp_path):
    old, new, usual = tmp_path / "old", tmp_path / "new", tmp_path / "usual"
    old.write_text("old")
    old.chmod(0o640)
    usual.write_text("")
    write(old)
    write(new)

    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert new.stat().st_mode == usual.stat().st_mode


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "kept.csv"
    path.write_text("old")

    def fail(error):
        with replacing(path) as draft:
            draft.write_text("half")
            raise error

    with pytest.raises(DataError, match="cannot write .*kept.csv: No space"):
        fail(OSError(28, "No space left on device"))
    with pytest.raises(KeyboardInterrupt):
        fail(KeyboardInterrupt)

    assert path.read_text() == "old"
    assert files(tmp_path) == ["kept.csv"]


@posix
def test_a_file_in_a_read_only_folder_is_written_in_place(tmp_path, monkeypatch):
    path = tmp_path / "r.csv"
    path.write_text("old and long")
    before = path.stat().st_ino
    # Root may write anywhere, whatever the mode says.
    monkeypatch.setattr(os, "access", lambda where, _: Path(where) != tmp_path)
    write(path)

    assert path.read_text() == "new"
    assert path.stat().st_ino == before


def read_pipe(path):
    """Read a pipe in the background, as the next program would."""
    got = []
    reader = threading.Thread(target=lambda: got.append(path.read_bytes()))
    reader.start()
    return got, reader


@posix
def test_a_pipe_gets_the_bytes_and_stays_a_pipe(run, wine_csv, tmp_path):
    pipe = tmp_path / "ranking.csv"
    os.mkfifo(pipe)
    got, reader = read_pipe(pipe)
    result = run("select", wine_csv, "--label", "class", "--out", pipe)
    reader.join(timeout=30)
    file = tmp_path / "file.csv"
    run("select", wine_csv, "--label", "class", "--out", file)

    assert result.exit_code == 0, result.stderr
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert got == [file.read_bytes()]
    assert "is a pipe or a device" in run("query", wine_csv, "--out", pipe).stderr


@has_full
@pytest.mark.parametrize("command", ["select", "propagate", "link"])
def test_a_full_device_is_an_error(refused, wine_csv, write_csv, tmp_path, command):
    if command == "propagate":
        pairs = write_csv("p.csv", "a,b,link\n0,100,cannot\n")
        words = ["--drop", "class", "--constraints", pairs, "--out", "/dev/full"]
    else:
        words = ["--label", "class", "--report", "/dev/full"]
    if command == "link":
        link = tmp_path / "report.html"
        link.symlink_to("/dev/full")
        words[-1] = link
        command = "select"
    said = refused(command, wine_csv, *words, "--quiet")

    assert f"cannot write {words[-1]}: No space left on device." in said
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


@posix
def test_every_format_of_a_ranking_follows_a_link(run, wine_csv, tmp_path):
    for name in ("r.csv", "r.json", "r.parquet", "r.html"):
        target, link = tmp_path / f"target-{name}", tmp_path / name
        target.write_text("old")
        link.symlink_to(target)
        option = "--report" if name == "r.html" else "--out"
        result = run("select", wine_csv, "--label", "class", option, link)
        assert result.exit_code == 0, result.stderr
        assert link.is_symlink()
        assert target.read_bytes() != b"old"
    assert len(pd.read_parquet(tmp_path / "r.parquet")) == 13
    assert not [name for name in files(tmp_path) if name.startswith(".")]
