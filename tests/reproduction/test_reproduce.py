"""The table of ours beside theirs, and the page made of it."""

import re
from pathlib import Path

import pandas as pd
import pytest

import pairsift
from pairsift.exceptions import DataError
from reproduction._experiment import VERDICTS, Cell, Judged
from reproduction._reproduce import PAPERS, experiments, reproduce
from reproduction._text import lines, markdown, reasons, table_rows, verdict_counts
from tests.reproduction.parts import cells_of

ROOT = Path(__file__).parents[2]
STORED = ROOT / "reproduction" / "outcomes"
COLUMNS = [
    *("paper", "table", "row", "column", "unit", "published", "spread", "ours"),
    *("our_spread", "runs", "difference", "verdict", "note"),
]


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    # Only Wine is installed; the other data sets are missing.
    folder = tmp_path_factory.mktemp("empty")
    [result] = reproduce("hijazi2019", "3.2", n_runs=3, data_dir=folder)
    return result


@pytest.fixture
def found(result):
    return pd.DataFrame(lines([result]))


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

    monkeypatch.setattr("reproduction._reproduce.load", load)
    reproduce("hijazi2019", "4.4", data_dir=tmp_path)
    assert sorted(tried) == ["colon", "segmentation_train", "wine"]


def test_the_same_seed_gives_the_same_table(found, tmp_path):
    again = cells_of("hijazi2019", "3.2", n_runs=3, data_dir=tmp_path)
    other = cells_of("hijazi2019", "3.2", n_runs=3, data_dir=tmp_path, seed=1)
    # Notes name the folder.
    pd.testing.assert_frame_equal(
        again.drop(columns="note"), found.drop(columns="note")
    )
    assert not again["ours"].equals(other["ours"])


@pytest.mark.parametrize(
    ("arguments", "options", "text"),
    [
        (["kira1992"], {}, "^paper must be one of hijazi2019, .*, got 'kira1992'"),
        (["hijazi2019", "9"], {}, "^table must be one of 3.2, .* for hijazi2019, got"),
        ([None, "4.2"], {}, "^paper must be given to find the table '4.2'"),
        (["hijazi2019"], {"n_runs": 0}, "^n_runs must be at least 1, got 0"),
        (["hijazi2019"], {"seed": -1}, "^seed must be at least 0, got -1"),
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


def test_cells_are_written_with_the_printed_decimals(result):
    rows = table_rows(result.cells)
    assert rows[0] == ("Sonar", "Simba-Sc Acc", "58.65", "", "", "no data")
    whole = [row for row in rows if row[:2] == ("Wine", "all features Acc")]
    assert whole == [("Wine", "all features Acc", "96.59", "96.59", "+0.00", "matches")]


def test_counts_and_reasons_are_given_once(result):
    assert verdict_counts(result.cells).startswith("Of 20 cells: ")
    assert verdict_counts(result.cells).endswith("15 no data.")
    # Sonar, Soybean and Heart are missing, each in five cells.
    said = reasons(result.cells)
    assert len(said) == 3
    assert said[0].startswith("Sonar: data set 'sonar' was not found")


def test_a_reason_of_very_many_rows_names_the_first():
    cells = [Judged(Cell(f"row {k}", "Acc"), None, "no data", "lost") for k in range(9)]
    [said] = reasons(cells)
    assert said == "row 0; row 1; row 2; row 3; row 4; row 5 and 3 more: lost"


def test_the_page_has_a_row_for_each_cell(result):
    page = markdown([result], "python -m reproduction hijazi2019 3.2")
    assert page.startswith("# hijazi2019\n\nS. Hijazi, ")
    assert f"Written by pairsift {pairsift.__version__}" in page
    assert "python -m reproduction hijazi2019 3.2" in page
    assert "## Table 3.2: Relief-Sc and Simba-Sc on four data sets" in page
    rows = [line for line in page.splitlines() if line.startswith("| ")]
    assert len(rows) == 2 + len(result.cells)
    assert "| Wine | all features Acc | 96.59 | 96.59 | +0.00 | matches |" in rows


def test_a_bar_in_a_name_does_not_break_the_page(result):
    changed = [judged._replace(verdict="a|b") for judged in result.cells]
    page = markdown([result._replace(cells=changed)], "")
    assert "a\\|b" in page


def test_every_verdict_is_explained(result):
    assert {judged.verdict for judged in result.cells} <= set(VERDICTS)


@pytest.fixture(scope="module", params=PAPERS)
def page(request):
    """Key and text of a page of the documentation, as `make docs` writes it."""
    found = reproduce(request.param, store=STORED, budget=0)
    assert "not run" not in {cell.verdict for each in found for cell in each.cells}
    return request.param, markdown(found, "")


def test_a_page_of_the_documentation_has_every_published_cell(page):
    paper, text = page
    listed = re.findall(r"^## (?:Table|Figure) (\S+): ", text, re.M)
    tables = [experiment.table for experiment in experiments(paper)]
    assert listed == [table.removeprefix("figure-") for table in tables]
    rows = re.findall(r"^\| (?!---|row \|)(.*?) \| (.*?) \| (.*?) \|", text, re.M)
    cells = [cell for e in experiments(paper) for cell in e.cells]
    assert [row[:2] for row in rows] == [cell.key for cell in cells]
    for row, cell in zip(rows, cells, strict=True):
        if isinstance(cell.published, float | int) and cell.spread is None:
            assert row[2] == f"{cell.published:.{cell.decimals}f}"


def test_each_section_states_runs_seed_date_and_machine(page):
    paper, text = page
    _, *sections = text.split("\n## ")
    assert len(sections) == len(experiments(paper))
    for section in sections:
        stated = section.split("\n\n")[2]
        made = r"^Runs: \d.* Seed \d+\. Made on \d{4}-\d\d-\d\d.* by pairsift .* on ."
        assert re.search(made, stated), section[:40]


def test_the_site_has_a_page_per_paper():
    text = (ROOT / "docs" / "reproduction.md").read_text("utf-8")
    assert re.findall(r"^reproduction/(\w+)$", text, re.M) == list(PAPERS)
