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


NASTY = "=cmd|'/C calc'!A0"


@pytest.fixture
def nasty(tmp_path, wine):
    """A table whose first column and all row ids are formulas, as CSV and Parquet."""
    table = wine.rename(columns={"alcohol": NASTY}).assign(
        id=[*map("@{}".format, wine.index)]
    )
    table.to_csv(tmp_path / "nasty.csv", index=False)
    table.to_parquet(tmp_path / "nasty.parquet")
    return tmp_path / "nasty.csv"


def test_names_of_a_ranking_are_guarded_for_spreadsheets_only(run, nasty, tmp_path):
    for suffix in ("csv", "tsv", "json", "parquet"):
        out = tmp_path / f"out.{suffix}"
        words = ["--method", "fisher-score", "--label", "class", "--id", "id"]
        assert run("select", nasty, *words, "--out", out, "-q").exit_code == 0
    csv = pd.read_csv(tmp_path / "out.csv")["feature"]
    tsv = pd.read_csv(tmp_path / "out.tsv", sep="\t")["feature"]
    json = pd.read_json(tmp_path / "out.json")["feature"]
    parquet = pd.read_parquet(tmp_path / "out.parquet")["feature"]
    for names in (csv, tsv):
        assert f"'{NASTY}" in set(names)
        assert NASTY not in set(names)
    for names in (json, parquet):
        assert NASTY in set(names)


@pytest.mark.parametrize(
    "options", [["nasty.csv"], ["nasty.parquet"], ["nasty.parquet", "--stream"]]
)
def test_a_column_is_found_by_its_name_in_a_ranking_file(run, nasty, tmp_path, options):
    words = ["--method", "fisher-score", "--label", "class", "--drop", "id", "--json"]
    dropped = run(
        "select", tmp_path / options[0], *words, "--drop", f"'{NASTY}", *options[1:]
    )
    assert dropped.exit_code == 0, dropped.stderr
    assert "cmd" not in dropped.stdout


def test_pairs_and_piles_of_guarded_ids_come_back(run, nasty, tmp_path):
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("a,b,link\n@1,@2,must\n@4,@100,cannot\n")
    spread, drop = tmp_path / "spread.csv", ["--id", "id", "--drop", "class"]
    done = run("propagate", nasty, *drop, "--constraints", pairs, "--out", spread)
    assert done.exit_code == 0, done.stderr
    assert spread.read_text().splitlines()[1].startswith("'@")
    read = [
        run("select", file, *drop, "--constraints", spread, *more, "-q").stdout
        for file, more in [
            (nasty, []),
            (nasty.with_suffix(".parquet"), ["--no-stream"]),
        ]
    ]
    assert read[0] == read[1] != ""
    blocks = run(
        "select", nasty.with_suffix(".parquet"), *drop, "--stream", "--constraints",
        spread, "--method", "constraint-score-1", "-q",
    )  # fmt: skip
    assert blocks.exit_code == 0, blocks.stderr

    labels, out = tmp_path / "labels.csv", tmp_path / "asked.csv"
    files = ["--out", out, "--labels", labels, "--session", tmp_path / "s.session"]
    done = run("query", nasty, *drop, *files, "--json", answers="n\nn\n1\n")
    assert done.exit_code == 0, done.stderr
    for file, option in ((labels, "--labels"), (out, "--constraints")):
        assert "\n'@" in file.read_text()
        assert run("select", nasty, *drop, option, file).exit_code == 0


def test_files_of_a_comparison_are_guarded(run, nasty, tmp_path):
    data = nasty.rename(tmp_path / "=2+3.csv")
    words = ["--label", "class", "--drop", "id", "--out", tmp_path / "out", "-q"]
    quick = ["--methods", "fisher-score", "--splits", 2, "--classifiers", "1nn"]
    done = run("evaluate", data, *words, *quick)
    assert done.exit_code == 0, done.stderr
    written = [file.read_text() for file in (tmp_path / "out").glob("*.csv")]
    assert len(written) == 2
    for text in written:
        assert "'=2+3" in text
        assert ",=2" not in text
        assert "\n=2" not in text
