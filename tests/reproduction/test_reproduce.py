"""The table of ours beside theirs, and the page made of it."""

import re
from pathlib import Path

import pandas as pd
import pytest

from pairsift.exceptions import DataError
from reproduction import experiments, reproduce
from reproduction._experiment import VERDICTS
from reproduction._reproduce import PAPERS
from reproduction._text import markdown, reasons, table_rows, verdict_counts

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
STORED = ROOT / "reproduction" / "outcomes"
COLUMNS = [
    *("paper", "table", "row", "column", "unit", "published", "spread", "ours"),
    *("our_spread", "runs", "difference", "verdict", "note"),
]


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    # Only Wine is installed; the other data sets are missing.
    folder = tmp_path_factory.mktemp("empty")
    return reproduce("hijazi2019", "3.2", n_runs=3, data_dir=folder)


def test_there_is_a_line_for_each_cell(found):
    [experiment] = experiments("hijazi2019", "3.2")
    assert list(found.columns) == COLUMNS
    assert [*zip(found["row"], found["column"], strict=True)] == [
        cell.key for cell in experiment.cells
    ]


def test_differences_are_ours_less_theirs(found):
    known = found[found["verdict"] != "no data"]
    assert len(known) == 5
    pd.testing.assert_series_equal(
        known["difference"].astype(float),
        (known["ours"] - known["published"]).astype(float),
        check_names=False,
    )


def test_missing_files_are_named(found):
    missing = found[found["row"] == "Sonar"]
    assert set(missing["verdict"]) == {"no data"}
    assert missing["note"].str.contains("sonar.csv").all()
    assert missing["ours"].isna().all()


def test_a_missing_file_is_looked_for_once(monkeypatch, tmp_path):
    tried = []

    def load(name, data_dir):
        tried.append(name)
        raise DataError("not there")

    monkeypatch.setattr("pairsift.datasets.load", load)
    reproduce("hijazi2019", "4.4", data_dir=tmp_path)
    assert sorted(tried) == ["colon", "segmentation_train", "wine"]


def test_the_same_seed_gives_the_same_table(found, tmp_path):
    again = reproduce("hijazi2019", "3.2", n_runs=3, data_dir=tmp_path)
    other = reproduce("hijazi2019", "3.2", n_runs=3, data_dir=tmp_path, random_state=1)
    # Notes name the folder.
    pd.testing.assert_frame_equal(
        again.drop(columns="note"), found.drop(columns="note")
    )
    assert not again["ours"].equals(other["ours"])


def test_each_part_is_counted(tmp_path):
    steps = []
    reproduce(
        "hijazi2019",
        "3.2",
        n_runs=1,
        data_dir=tmp_path,
        advance=lambda: steps.append(1),
    )
    [experiment] = experiments("hijazi2019", "3.2")
    assert len(steps) == len(experiment.parts) == 4


@pytest.mark.parametrize(
    ("arguments", "options", "text"),
    [
        (["kira1992"], {}, "^paper must be one of hijazi2019, .*, got 'kira1992'"),
        (["hijazi2019", "9"], {}, "^table must be one of 3.2, .* for hijazi2019, got"),
        ([None, "4.2"], {}, "^paper must be given to find the table '4.2'"),
        (["hijazi2019"], {"n_runs": 0}, "^n_runs must be at least 1, got 0"),
        (["hijazi2019"], {"random_state": -1}, "^random_state .* at least 0, got -1"),
        (["hijazi2019"], {"data_dir": "nowhere"}, "^data_dir must be an existing"),
    ],
)
def test_wrong_arguments_are_named(arguments, options, text):
    with pytest.raises(ValueError, match=text):
        reproduce(*arguments, **options)


def test_tables_and_cells_stand_once():
    tables = [(e.paper, e.table) for e in experiments()]
    assert len(tables) == len(set(tables))
    for experiment in experiments():
        keys = [cell.key for cell in experiment.cells]
        assert len(keys) == len(set(keys)), experiment.table
        assert experiment.picture in ("row", "column")


def test_cells_are_written_with_the_printed_decimals(found):
    [experiment] = experiments("hijazi2019", "3.2")
    rows = table_rows(experiment, found)
    assert rows[0] == ("Sonar", "Simba-Sc Acc", "58.65", "", "", "no data")
    whole = [row for row in rows if row[:2] == ("Wine", "all features Acc")]
    assert whole == [("Wine", "all features Acc", "96.59", "96.59", "+0.00", "matches")]


def test_counts_and_reasons_are_said_once(found):
    assert verdict_counts(found).startswith("Of 20 cells: ")
    assert verdict_counts(found).endswith("15 no data.")
    # Sonar, Soybean and Heart are missing, each in five cells.
    said = reasons(found)
    assert len(said) == 3
    assert said[0].startswith("Sonar: data set 'sonar' was not found")


def test_a_reason_of_very_many_rows_names_the_first(found):
    rows = [f"row {k}" for k in range(9)]
    lines = pd.DataFrame({"row": rows, "note": ["lost"] * 9})
    [said] = reasons(lines)
    assert said == "row 0; row 1; row 2; row 3; row 4; row 5 and 3 more: lost"


def test_the_page_has_a_row_for_each_cell(found):
    page = markdown(found, "pairsift reproduce hijazi2019 3.2", "1.2.3")
    assert page.startswith("# hijazi2019\n\nS. Hijazi, ")
    assert "Written by pairsift 1.2.3" in page
    assert "## Table 3.2: Relief-Sc and Simba-Sc on four data sets" in page
    rows = [line for line in page.splitlines() if line.startswith("| ")]
    assert len(rows) == 2 + len(found)
    assert "| Wine | all features Acc | 96.59 | 96.59 | +0.00 | matches |" in rows


def test_a_bar_in_a_name_does_not_break_the_page(found):
    changed = found.assign(verdict="a|b")
    page = markdown(changed, "", "")
    assert "a\\|b" in page


def test_every_verdict_is_explained(found):
    assert set(found["verdict"]) <= set(VERDICTS)


@pytest.mark.parametrize(
    "page", sorted((DOCS / "reproduction").glob("*.md")), ids=lambda page: page.stem
)
def test_a_page_of_the_documentation_has_every_published_cell(page):
    text = page.read_text("utf-8")
    listed = re.findall(r"^## (?:Table|Figure) (\S+): ", text, re.M)
    tables = [experiment.table for experiment in experiments(page.stem)]
    assert listed == [table.removeprefix("figure-") for table in tables]
    lines = re.findall(r"^\| (?!---|row \|)(.*?) \| (.*?) \| (.*?) \|", text, re.M)
    cells = [cell for e in experiments(page.stem) for cell in e.cells]
    assert [line[:2] for line in lines] == [cell.key for cell in cells]
    for line, cell in zip(lines, cells, strict=True):
        if isinstance(cell.published, float | int) and cell.spread is None:
            assert line[2] == f"{cell.published:.{cell.decimals}f}"
    assert page.stem in (DOCS / "reproduction.md").read_text("utf-8")


@pytest.mark.parametrize("paper", PAPERS)
def test_a_page_of_the_documentation_is_written_from_stored_outcomes(paper):
    folder = DOCS / "reproduction"
    page = (folder / f"{paper}.md").read_text("utf-8")
    found = reproduce(paper, store=STORED, budget=0)
    assert "not run" not in set(found["verdict"])
    written = markdown(found, page.split("```")[1].removeprefix("text\n").strip(), "")
    assert written == re.sub("(Written by pairsift) [^ ]* ", r"\1  ", page)


@pytest.mark.parametrize("paper", PAPERS)
def test_each_section_states_runs_seed_date_and_machine(paper):
    page = (DOCS / "reproduction" / f"{paper}.md").read_text("utf-8")
    _, *sections = page.split("\n## ")
    assert len(sections) == len(experiments(paper))
    for section in sections:
        stated = section.split("\n\n")[2]
        made = r"^Runs: \d.* Seed \d+\. Made on \d{4}-\d\d-\d\d.* by pairsift .* on ."
        assert re.search(made, stated), section[:40]
