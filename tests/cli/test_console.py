"""What is said on a terminal: messages, bars, tables, help."""

import re
from itertools import pairwise

import pytest
import typer

from pairsift.cli import app
from pairsift.cli._console import Messages, print_table

COMMANDS = typer.main.get_command(app).commands


@pytest.fixture
def terminal(monkeypatch, capsys):
    """Take both streams for terminals of 60 columns; read what was written."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "60")

    def read():
        written = capsys.readouterr()
        return plain(written.out + written.err)

    return read


def plain(text):
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text)


def test_a_message_does_not_stick_to_the_bar(terminal):
    messages = Messages()
    with messages.progress("Comparing", 4) as advance:
        advance()
        messages.note("two runs were finished before.")
        advance()
    messages.note("done.")
    lines = re.split(r"[\r\n]", terminal())

    assert any("Comparing" in line for line in lines)
    for said in ("pairsift: two runs were finished before.", "pairsift: done."):
        assert [line for line in lines if said in line] == [said]


def test_messages_are_broken_between_words(terminal):
    text = "a message of many words " * 10 + "with [brackets] and :smile: as given."
    Messages().warn(text)
    lines = terminal().splitlines()

    assert max(map(len, lines)) <= 60
    assert " ".join(" ".join(lines).split()) == f"pairsift: warning: {text}"


def test_quiet_messages_are_not_shown(terminal):
    Messages(quiet=True).note("something")
    assert terminal() == ""


def test_cells_are_broken_between_words(terminal):
    row = ["some-name", "unsupervised", "nothing at all that has to be learned from"]
    print_table(["name", "context", "needs"], [row], whole=["name"])
    shown = terminal()

    words = set(shown.split())
    assert {word for cell in row for word in cell.split()} <= words
    assert max(map(len, shown.splitlines())) <= 60


def test_a_word_wider_than_the_terminal_leaves_room_for_the_others(terminal):
    print_table(["rank", "feature"], [["1", "x" * 200]], whole=["rank"])
    shown = terminal()

    assert shown.count("x") == 200
    assert "rank" in shown


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_help_shows_every_default_whole_at_80_columns(run, monkeypatch, name):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    # Typer takes the width when it is loaded.
    monkeypatch.setattr("typer.rich_utils.MAX_WIDTH", 80)
    shown = plain(run(name, "--help").stdout)

    assert "…" not in shown
    words = set(re.sub(r"[│╭╮╰╯─\[\]()]", " ", shown).split())
    for option in COMMANDS[name].params:
        said = [getattr(option, "help", None) or ""]
        if isinstance(option.show_default, str):
            said.append(option.show_default)
        elif option.default is not None and not option.is_flag:
            said.append(str(option.default))
        for word in re.sub(r"[\[\]()]", " ", " ".join(said)).split():
            assert word in words, (option.name, word)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_lines_of_help_end_where_the_terminal_does(run, monkeypatch, name):
    monkeypatch.setattr("typer.rich_utils.MAX_WIDTH", 80)
    said = run(name, "--help").stdout.partition("╭")[0].splitlines()

    # Not where those of the source end: the next word would not have fitted.
    for line, following in pairwise(map(str.rstrip, said)):
        if line and following:
            assert len(f"{line} {following.split()[0]}") > 79, line
