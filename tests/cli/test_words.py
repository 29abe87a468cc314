"""Text for people: nothing of it commands a terminal or turns a page around."""

import json

import numpy as np
import pytest

from pairsift._words import escape, printable, visible
from pairsift.cli._console import Messages, print_json, print_table, print_text

NASTY = "\x1b[31mred\x9b\x07 \u202eevil\u2066\ufeff"
SHOWN = r"\u001b[31mred\u009b\u0007 \u202eevil\u2066\ufeff"


def test_control_characters_are_shown_as_escapes():
    assert visible(NASTY) == SHOWN
    assert visible("\udc80") == r"\udc80"
    assert visible("Müller 日本 ‰ 👩‍🔬 a\tb\n") == "Müller 日本 ‰ 👩‍🔬 a\tb\n"


def test_cells_are_one_line_that_cannot_command_the_terminal():
    assert printable("\x1b[31mred\nnext\tcell\x07") == r"\u001b[31mred next cell\u0007"
    assert printable(0.1 + 0.2) == "0.3"
    assert printable(np.int64(7)) == "7"


def test_a_page_shows_controls_and_markup_alike():
    assert escape(f"<b>{NASTY}") == f"&lt;b&gt;{SHOWN}"


@pytest.mark.parametrize("is_terminal", [True, False])
def test_nothing_is_printed_raw(monkeypatch, capsys, is_terminal):
    if is_terminal:
        monkeypatch.setenv("FORCE_COLOR", "1")
        monkeypatch.setenv("NO_COLOR", "1")
        monkeypatch.setenv("COLUMNS", "200")
    print_table([NASTY], [[NASTY]], caption=None)
    print_text(NASTY)
    messages = Messages()
    messages.note(f"first {NASTY}\nsecond")
    messages.warn(NASTY)
    out, err = capsys.readouterr()

    assert out.count(SHOWN) == 3
    assert err.count(SHOWN) == 2
    assert len(err.splitlines()) == 2
    for raw in "\x9b\x07\u202e\u2066\ufeff":
        assert raw not in out + err
    assert "\x1b[31m" not in out + err


def test_json_holds_the_characters_but_does_not_print_them(capsys):
    print_json({NASTY: "\udc80"})
    text = capsys.readouterr().out

    assert json.loads(text) == {NASTY: "\udc80"}
    assert not set("\x1b\x9b\u202e\u2066\ufeff") & set(text)


def test_names_from_a_table_are_shown_escaped(run, write_csv, tmp_path):
    rng = np.random.default_rng(0)
    columns = {f"{NASTY}{j}": rng.random(12) for j in range(2)} | {"\x1b[2Jsame": 1}
    data = write_csv("d.csv", columns)
    page = tmp_path / "r.html"
    result = run("select", data, "--report", page)
    refused = run("select", data, "--label", "\x1b[31mred")
    text = result.output + refused.output + page.read_text(encoding="utf-8")

    assert result.exit_code == 0
    assert refused.exit_code == 2
    assert f"{SHOWN}0" in result.stdout
    assert r"\u001b[2Jsame" in result.stderr or r"\x1b[2Jsame" in result.stderr
    assert f"{SHOWN}0" in page.read_text(encoding="utf-8")
    assert not set("\x1b\x9b\x07\u202e\u2066\ufeff") & set(text)
