"""Exit codes, streams and what is said when something is wrong."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import pairsift
from pairsift.cli import _main

PROGRAM = [sys.executable, "-m", "pairsift"]


def run_program(*arguments, **options):
    command = [*PROGRAM, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, **options)


def test_version_is_printed(run):
    assert run("--version").stdout == f"pairsift {pairsift.__version__}\n"


def test_help_shows_examples(run):
    result = run("--help")

    assert result.exit_code == 0
    assert "pairsift select wine.csv --label class --top 5" in result.stdout


def test_no_command_shows_help(run):
    result = run()

    assert result.exit_code == 0
    assert "Usage: pairsift" in result.stdout


@pytest.mark.subprocess
def test_importing_pairsift_does_not_load_the_command_line():
    # Rich is loaded by scikit-learn itself from version 1.9 on.
    loaded = "import pairsift, sys; print({'typer', 'pairsift.cli'} & {*sys.modules})"
    result = subprocess.run([sys.executable, "-c", loaded], capture_output=True)

    assert result.stdout.split() == [b"set()"]


@pytest.mark.subprocess
def test_results_go_to_stdout_and_messages_to_stderr(wine_csv):
    result = run_program("select", wine_csv, "--label", "class", "--top", "5")

    assert result.returncode == 0
    assert result.stdout.splitlines()[0] == "rank\tfeature\tscore\tselected"
    assert len(result.stdout.splitlines()) == 14
    assert "selected 5" in result.stderr


def test_quiet_says_nothing_beside_the_result(run, wine_csv):
    result = run("select", wine_csv, "--label", "class", "--quiet")

    assert result.stdout.count("\n") == 14
    assert result.stderr == ""


@pytest.mark.subprocess
def test_a_mistake_is_one_line_and_exit_code_2_in_a_real_process(tmp_path):
    result = run_program("select", tmp_path / "nothing.csv")

    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.startswith("pairsift: error: there is no file")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("place", [0, 1, 3], ids=["first", "middle", "last"])
def test_debug_shows_the_traceback_wherever_it_stands(run, tmp_path, place):
    arguments = ["select", str(tmp_path / "nothing.csv"), "--quiet"]
    arguments.insert(place, "--debug")
    result = run(*arguments)

    assert result.exit_code == 2
    assert "Traceback" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["selct"], "No such command 'selct'"),
        (["select"], "Missing argument"),
        (["select", "wine.csv", "--lable", "class"], "--lable"),
        (["select", "wine.csv", "--top", "0"], "--top"),
        (["--nothing"], "--nothing"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_usage_is_one_line_and_exit_code_2(run, arguments, said):
    result = run(*arguments)

    assert result.exit_code == 2
    assert result.stderr.startswith("pairsift: error: ")
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


def test_an_internal_failure_is_one_line_and_exit_code_1(run, wine_csv, monkeypatch):
    def fail(*_, **__):
        raise KeyError("something\nnobody thought of")

    monkeypatch.setattr("pairsift.cli._loading.rank_features", fail)
    result = run("select", wine_csv, "--label", "class")

    assert result.exit_code == 1
    assert "unexpected KeyError" in result.stderr
    assert "--debug" in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("error", [KeyboardInterrupt, _main.typer.Abort])
def test_an_interruption_is_one_line_and_exits_with_130(
    run, wine_csv, monkeypatch, error
):
    def interrupt(*_, **__):
        raise error

    monkeypatch.setattr("pairsift.cli._loading.rank_features", interrupt)
    result = run("select", wine_csv, "--label", "class")

    assert result.exit_code == 130
    assert result.stderr == "pairsift: stopped.\n"


def test_an_interrupt_that_compiled_code_lost_exits_with_130_too(
    run, wine_csv, monkeypatch
):
    def interrupt(*_, **__):
        raise SystemError("returned a result with an exception set") from (
            KeyboardInterrupt()
        )

    monkeypatch.setattr("pairsift.cli._loading.rank_features", interrupt)
    result = run("select", wine_csv, "--label", "class")

    assert result.exit_code == 130
    assert result.stderr == "pairsift: stopped.\n"


def test_too_little_memory_is_said_so(run, wine_csv, monkeypatch):
    def fail(*_, **__):
        raise MemoryError("Unable to allocate 9 TiB")

    monkeypatch.setattr("pairsift.cli._loading.rank_features", fail)
    result = run("select", wine_csv, "--label", "class")

    assert result.exit_code == 1
    assert "not enough memory: Unable to allocate 9 TiB" in result.stderr


@pytest.mark.subprocess
@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
def test_a_reader_that_leaves_early_is_no_error(wine_csv):
    read_end, write_end = os.pipe()
    os.close(read_end)
    command = [*PROGRAM, "select", str(wine_csv), "--label", "class", "--quiet"]
    result = subprocess.run(command, stdout=write_end, stderr=subprocess.PIPE)
    os.close(write_end)

    assert result.returncode == 1
    assert result.stderr == b""


@pytest.mark.subprocess
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_one_line(wine_csv):
    with Path("/dev/full").open("w") as full:
        command = [*PROGRAM, "select", str(wine_csv), "--label", "class", "--quiet"]
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE)

    assert result.returncode != 0
    assert b"Traceback" not in result.stderr


@pytest.mark.subprocess
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_control_c_ends_a_real_process_with_one_line(wine_csv):
    # The fit waits until it is interrupted, after a line that says it has begun.
    script = (
        "import signal, sys, time\n"
        # A shell's background jobs, and all they start, ignore it.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "import pairsift.cli._loading as loading\n"
        "def wait(*_, **__):\n"
        "    print('begun', flush=True)\n"
        "    time.sleep(60)\n"
        "loading.rank_features = wait\n"
        "from pairsift.cli import main\n"
        f"sys.argv[1:] = ['select', {str(wine_csv)!r}, '--label', 'class']\n"
        "main()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout.readline() == b"begun\n"
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)

    assert process.returncode == 130
    assert said == b"pairsift: stopped.\n"


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["evaluate", "x.csv", "--label", "y", "--runs", "3"], "--splits"),
        (["select", "x.csv", "--topp", "3"], "--top"),
        (["evaluate", "x.csv", "--quit"], "--quiet"),
        # Nothing is like these: no hint is better than three unrelated options.
        (["select", "x.csv", "--runs", "3"], None),
        (["demo", "--top", "3"], None),
        (["--colour"], None),
    ],
)
def test_an_unknown_option_is_answered_with_a_similar_one_or_none(refused, words, hint):
    # Click's words for it have changed.
    said = refused(*words).replace("'", "")
    hints = rf"( \(Possible options: {hint}\)\.|\. Did you mean {hint}\?)"
    assert re.search(rf"No such option:? --\w+{hints if hint else '[.]'} See ", said)
