"""Published experiments on the command line."""

import re

import pandas as pd
import pytest

from pairsift.cli._reproduce import seconds_of
from pairsift.papers import experiments


@pytest.fixture
def wine_only(tmp_path):
    """A folder without files: only Wine is installed."""
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


def test_experiments_are_listed(run):
    lines = run("reproduce").stdout.splitlines()
    assert lines[0] == "paper\ttable\tcells\truns\ttitle\talso"
    listed = [tuple(line.split("\t")[:2]) for line in lines[1:]]
    assert listed == [(e.paper, e.table) for e in experiments()]


def test_experiments_are_listed_as_json(run, strict_json):
    document = strict_json(run("reproduce", "--json").stdout)
    assert [line["table"] for line in document] == [e.table for e in experiments()]


def test_cells_are_printed_beside_ours(run, wine_only):
    result = run("reproduce", "hijazi2019", "4.3", "--data-dir", wine_only)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "table\trow\tcolumn\tpublished\tours\tdifference\tverdict"
    assert "4.3\tWine\tACS d\t5,7,8\t5,7,8\t\tmatches" in lines
    assert "4.3\tHeart\tACS Acc\t79.26\t\t\tno data" in lines
    assert "Of 42 cells: 5 match, 2 differ, 35 no data." in result.stderr
    assert "Heart: data set 'heart' was not found" in result.stderr


def test_quiet_prints_cells_only(run, wine_only):
    result = run("reproduce", "hijazi2019", "4.3", "--data-dir", wine_only, "-q")
    assert result.stderr == ""


def test_json_has_cells_and_curves(run, wine_only, strict_json):
    result = run(*("reproduce", "hijazi2019", "4.3", "--data-dir", wine_only, "--json"))
    [document] = strict_json(result.stdout)
    assert document["table"] == "4.3"
    assert len(document["cells"]) == 42
    assert document["cells"][0]["ours"] is None
    curve = document["curves"][0]
    assert (curve["row"], curve["column"]) == ("Wine", "ACS Acc")
    assert curve["sizes"] == list(range(1, 14))


@pytest.mark.slow
def test_runs_and_seed_are_handed_on(run, wine_only, strict_json):
    words = ["reproduce", "hijazi2019", "3.2", "--data-dir", wine_only, "--json"]
    cells = {}
    for seed in (0, 0, 1):
        result = run(*words, "--runs", 2, "--seed", seed)
        [document] = strict_json(result.stdout)
        cells.setdefault(seed, []).append(document["cells"])
    assert cells[0][0] == cells[0][1]
    assert cells[0][0] != cells[1][0]
    assert {cell["runs"] for cell in cells[0][0]} == {None, 1, 2}


def test_files_are_written(run, wine_only, tmp_path, strict_json):
    words = ["reproduce", "hijazi2019", "4.3", "--data-dir", wine_only]
    for suffix in ("csv", "json", "md"):
        out = tmp_path / f"cells.{suffix}"
        assert f"wrote {out}" in run(*words, "--out", out).stderr
    assert len(pd.read_csv(tmp_path / "cells.csv")) == 42
    [document] = strict_json((tmp_path / "cells.json").read_text("utf-8"))
    assert len(document["cells"]) == 42
    page = (tmp_path / "cells.md").read_text("utf-8")
    assert "| Wine | ACS d | 5,7,8 | 5,7,8 |  | matches |" in page


def test_the_report_has_cells_curves_and_meanings(run, wine_only, tmp_path):
    report = tmp_path / "report.html"
    run(
        *("reproduce", "hijazi2019", "4.3", "--data-dir", wine_only),
        *("--report", report),
    )
    page = report.read_text("utf-8")
    assert "Table 4.3: ReliefF-Sc with actively chosen constraints" in page
    assert "5,7,8" in page
    assert page.count("<figure>") == 1
    assert "PACS Acc" in page
    assert "equal to the printed digits" in page
    assert "pairsift reproduce hijazi2019 4.3" in page


@pytest.mark.slow
def test_points_are_drawn_against_what_is_varied(run, wine_only, tmp_path):
    report = tmp_path / "report.html"
    run(
        *("reproduce", "hijazi2019", "figure-4.7", "--data-dir", wine_only),
        *("--report", report),
    )
    page = report.read_text("utf-8")
    # One picture for each reading; with one data set, one curve in it.
    assert page.count("<figure>") == 2
    assert ">a</text>" in page
    assert "number of features" not in page


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["kira1992"], "paper must be one of hijazi2019, hijazi2021"),
        (["hijazi2019", "9.9"], "table must be one of 3.2, 3.3, 4.2, 4.3, 4.4"),
        (["hijazi2019", "--data-dir", "nowhere"], "--data-dir must be an existing"),
        (["hijazi2019", "--out", "cells.xls"], "must end in one of .csv, .json, .md"),
        (["hijazi2019", "--out", "nowhere/a.csv"], "there is no folder 'nowhere'"),
        (["hijazi2019", "--runs", "0"], "--runs"),
        (["hijazi2019", "--seed", "-1"], "--seed"),
    ],
)
def test_mistakes_are_said_in_one_line(refused, words, text):
    assert text in refused("reproduce", *words)


def test_what_is_stored_is_shown_without_a_run(run, wine_only, tmp_path):
    words = ["reproduce", "hijazi2019", "4.3", "--data-dir", wine_only]
    words += ["--store", tmp_path / "outcomes"]
    first = run(*words).stdout
    assert (tmp_path / "outcomes" / "hijazi2019.json").exists()
    again = run(*words, "--budget", "0").stdout
    assert again == first.replace("no data", "not run")


def test_a_page_tells_how_it_was_made(run, wine_only, tmp_path):
    out = tmp_path / "page.md"
    words = ["reproduce", "hijazi2019", "4.3", "--data-dir", wine_only]
    result = run(*words, "--budget", "1h", "--out", out)
    assert "of processor time" not in result.stderr
    page = out.read_text("utf-8")
    assert "Runs: 1. Of 42 cells: 5 match, 2 differ, 35 no data. Seed 0. Made" in page
    assert "Its numbers are also those of figure 4.6." in page


def test_the_time_of_a_full_run_is_told(run, wine_only):
    words = ["reproduce", "hijazi2021", "figure-5", "--data-dir", wine_only]
    said = run(*words, "--runs", 1).stderr
    assert re.search(r"published take about .* of processor time, .* all parts\.", said)


@pytest.mark.parametrize(
    ("text", "seconds"), [("90s", 90), ("30m", 1800), ("1.5h", 5400), ("0", 0)]
)
def test_budgets_are_read(text, seconds):
    assert seconds_of(text) == seconds


@pytest.mark.parametrize("text", ["30", "m", "-5m", "half an hour", "5 d"])
def test_a_wrong_budget_is_named(run, text):
    result = run("reproduce", "hijazi2019", f"--budget={text}")
    assert result.exit_code == 2
    assert "--budget takes a number of seconds, minutes or hours" in result.stderr


def test_a_store_of_another_seed_is_named(run, wine_only, tmp_path):
    words = ["reproduce", "hijazi2019", "4.3", "--data-dir", wine_only]
    words += ["--store", tmp_path / "outcomes"]
    run(*words)
    result = run(*words, "--seed", 1)
    assert result.exit_code == 2
    assert "holds outcomes of the seed 0, got 1" in result.stderr
