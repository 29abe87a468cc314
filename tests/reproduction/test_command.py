"""`python -m reproduction`: what is printed, written and refused."""

import base64
import json
import re
from argparse import ArgumentTypeError

import pandas as pd
import pytest

from reproduction.__main__ import main, seconds_of
from reproduction._reproduce import experiments

TABLE = ("hijazi2019", "4.3")


@pytest.fixture
def wine_only(tmp_path):
    """A folder without files: only Wine is installed."""
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


@pytest.fixture
def run(capsys, wine_only):
    """Run the program in process and return what it prints."""

    def invoke(*words):
        main([*map(str, words), "--data-dir", str(wine_only)])
        return capsys.readouterr().out

    return invoke


def test_experiments_are_listed(run):
    header, *lines = run().splitlines()
    assert header.split() == ["paper", "table", "cells", "runs", "title", "also"]
    listed = [tuple(line.split()[:2]) for line in lines]
    assert listed == [(e.paper, e.table) for e in experiments()]


def test_cells_are_printed_beside_ours(run):
    text = re.sub(" +", " ", run(*TABLE))
    lines = text.splitlines()
    assert lines[0].startswith("hijazi2019, table 4.3: ReliefF-Sc with actively")
    assert lines[1] == "row column published ours difference verdict"
    assert "Wine ACS d 5,7,8 5,7,8 matches" in lines
    assert "Heart ACS Acc 79.26 no data" in lines
    assert "Of 42 cells: 5 match, 2 differ, 35 no data." in text
    assert "Heart: data set 'heart' was not found" in text


@pytest.mark.slow
def test_runs_and_seed_are_handed_on(run, tmp_path):
    out = tmp_path / "cells.json"
    cells = []
    for seed in (0, 0, 1):
        run("hijazi2019", "3.2", "--out", out, "--runs", 2, "--seed", seed)
        [document] = json.loads(out.read_text("utf-8"))
        cells.append(document["cells"])
    assert cells[0] == cells[1]
    assert cells[0] != cells[2]
    assert {cell["runs"] for cell in cells[0]} == {None, 1, 2}


def test_files_are_written(run, tmp_path):
    for suffix in ("csv", "json", "md"):
        run(*TABLE, "--out", tmp_path / f"cells.{suffix}")
    assert len(pd.read_csv(tmp_path / "cells.csv")) == 42
    [document] = json.loads((tmp_path / "cells.json").read_text("utf-8"))
    assert len(document["cells"]) == 42
    assert document["cells"][0]["ours"] is None
    curve = document["curves"][0]
    assert (curve["row"], curve["column"]) == ("Wine", "ACS Acc")
    assert curve["sizes"] == list(range(1, 14))
    page = (tmp_path / "cells.md").read_text("utf-8")
    assert "| Wine | ACS d | 5,7,8 | 5,7,8 |  | matches |" in page


def pictures(page):
    """Texts of the pictures of a page."""
    found = re.findall(r'src="data:image/svg\+xml;base64,([^"]*)"', page)
    return [base64.b64decode(picture).decode("utf-8") for picture in found]


@pytest.mark.slow
def test_the_report_has_cells_curves_and_meanings(run, tmp_path):
    pytest.importorskip("matplotlib")
    report = tmp_path / "report.html"
    run(*TABLE, "--report", report)
    page = report.read_text("utf-8")
    assert "Table 4.3: ReliefF-Sc with actively chosen constraints" in page
    assert "<td>5,7,8</td>" in page
    [picture] = pictures(page)
    assert ">PACS Acc<" in picture
    assert ">number of features<" in picture
    assert "equal to the printed digits" in page
    assert "python -m reproduction hijazi2019 4.3" in page


@pytest.mark.slow
def test_points_are_drawn_against_what_is_varied(run, tmp_path):
    pytest.importorskip("matplotlib")
    report = tmp_path / "report.html"
    run("hijazi2019", "figure-4.7", "--report", report)
    drawn = pictures(report.read_text("utf-8"))
    # One picture for each reading; with one data set, one curve in it.
    assert len(drawn) == 2
    assert all(">a<" in picture for picture in drawn)
    assert not any("number of features" in picture for picture in drawn)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["kira1992"], "paper must be one of hijazi2019, hijazi2021"),
        (["hijazi2019", "9.9"], "table must be one of 3.2, 3.3, 4.2, 4.3, 4.4"),
        (
            ["hijazi2019", "--data-dir", "nowhere"],
            "data_dir must be an existing",
        ),
        (["hijazi2019", "--out", "cells.xls"], "must end in one of .csv, .json, .md"),
        (["hijazi2019", "--out", "nowhere/a.csv"], "there is no folder 'nowhere'"),
        (["hijazi2019", "--runs", "0"], "n_runs must be at least 1, got 0"),
        (["hijazi2019", "--seed", "-1"], "seed must be at least 0, got -1"),
        (["hijazi2019", "--budget", "half an hour"], "--budget: must be a number of"),
    ],
)
def test_mistakes_are_named(capsys, words, text):
    with pytest.raises(SystemExit, match="2"):
        main(words)
    assert text in capsys.readouterr().err


def test_what_is_stored_is_shown_without_a_run(run, tmp_path):
    words = [*TABLE, "--store", tmp_path / "outcomes"]
    first = run(*words).splitlines()
    again = run(*words, "--budget", "0").splitlines()
    assert [line for line in again if "matches" in line] == [
        line for line in first if "matches" in line
    ]
    assert again[-1].startswith("Of 42 cells: 5 match, 2 differ, 35 not run.")


def test_a_page_states_how_it_was_made(run, tmp_path):
    out = tmp_path / "page.md"
    run(*TABLE, "--out", out)
    page = out.read_text("utf-8")
    assert "Runs: 1. Of 42 cells: 5 match, 2 differ, 35 no data. Seed 0. Made" in page
    assert "Its numbers are also those of figure 4.6." in page


@pytest.mark.slow
def test_the_time_of_a_full_run_is_printed(run):
    said = run("hijazi2021", "figure-5", "--runs", 1)
    assert re.search(r"published take about .* of processor time, .* all parts\.", said)


@pytest.mark.parametrize(
    ("text", "seconds"), [("90s", 90), ("30m", 1800), ("1.5h", 5400), ("0", 0)]
)
def test_budgets_are_read(text, seconds):
    assert seconds_of(text) == seconds


@pytest.mark.parametrize("text", ["30", "m", "-5m", "half an hour", "5 d"])
def test_a_wrong_budget_is_named(text):
    with pytest.raises(ArgumentTypeError, match="must be a number of seconds, min"):
        seconds_of(text)


def test_a_store_of_another_seed_is_named(run, tmp_path, capsys):
    words = [*TABLE, "--store", tmp_path / "outcomes"]
    run(*words)
    with pytest.raises(SystemExit, match="2"):
        run(*words, "--seed", 1)
    assert "of the seed 0, got 1" in capsys.readouterr().err
