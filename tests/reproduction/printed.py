"""The tables as printed: the text of a paper, where it lies beside the project."""

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[3] / "shared" / "papers"
NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e-\d+)?")


def text_of(number):
    """Return the text of the paper that has this number in the folder."""
    found = sorted(FOLDER.glob(f"{number:03d}_*.txt"))
    if not found:
        pytest.skip("the text of the paper is not beside the project")
    return found[0].read_text(encoding="utf-8")


def lines_between(text, start, end):
    return text.partition(start)[2].partition(end)[0].splitlines()


def numbers_in(line):
    # A bold 6 is <b>6</b>, and C¹ is no number of the table.
    return [float(number) for number in NUMBER.findall(re.sub(r"C\^.", "", line))]


def rows_of(experiment, order=None):
    """Published values and spreads by row, columns in the order of the table."""
    rows = {}
    for cell in sorted(experiment.cells, key=order) if order else experiment.cells:
        row = rows.setdefault(cell.row, [])
        row += [value for value in (cell.published, cell.spread) if value is not None]
    return rows


def assert_printed(rows, lines):
    """Each row ends a line, in this order."""
    left = iter(lines)
    for name, row in rows.items():
        assert any(numbers_in(line)[-len(row) :] == row for line in left), name
