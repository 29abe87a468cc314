"""Pages for a terminal, and tables as numbers."""

from io import StringIO

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from rich.console import Console
from scipy.spatial.distance import pdist

from pairsift.cli import _numbers
from pairsift.cli._numbers import Differences, as_numbers
from pairsift.cli._screen import Line, Page, Terminal
from pairsift.exceptions import DataError


def page(n_columns=30, **changes):
    lines = [Line(f"x{j}", "1.5", "2.5", 1.0 - j / 40, False) for j in range(n_columns)]
    fields = {
        "title": "data.csv",
        "progress": "question 1",
        "counts": "0 same, 0 different, 0 unsure",
        "couple": ("row 3", "row 9"),
        "lines": lines,
        "n_columns": n_columns,
        "top": "best features so far: x0, x1",
        "contradiction": "",
        "remark": "",
    }
    return Page(**(fields | changes))


def drawn(page, width=80, height=24):
    """Return the lines that a terminal of this size shows."""
    console = Console(
        file=StringIO(), width=width, height=height, force_terminal=True, _environ={},
        color_system=None,
    )  # fmt: skip
    Terminal(console).show(page)
    text = console.file.getvalue()
    return text.removeprefix("\x1b[2J\x1b[H").split("\n")


@pytest.mark.parametrize("height", [20, 24, 40])
@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("contradiction", ["", "row 3 - row 9 - row 12 " * 6])
def test_a_page_fits_the_terminal(width, height, contradiction):
    lines = drawn(page(contradiction=contradiction), width, height)

    # The cursor stands in the last line, which is empty.
    assert len(lines) <= height
    assert max(map(len, lines)) <= width
    assert "question 1" in lines[0]
    assert any("s same" in line for line in lines)


def test_columns_left_out_are_counted():
    lines = drawn(page(30))
    n_shown = sum(line.startswith(" x") for line in lines)

    assert f" and {30 - n_shown} columns that differ no more than these" in map(
        str.rstrip, lines
    )
    assert "columns that differ" not in "".join(drawn(page(4)))


def test_long_names_keep_their_ends():
    names = ("sample of the third campaign 1", "sample of the third campaign 2")
    header = next(line for line in drawn(page(couple=names)) if "together" in line)

    assert "aign 1" in header
    assert "aign 2" in header


def test_differences_are_told_by_kind():
    lines = [
        Line("x", "0", "1", 1.0, False),
        Line("colour", "red", "blue", 1.0, True),
        Line("form", "round", "round", 0.0, True),
        Line("size", "–", "3", np.nan, False),
    ]
    text = {
        line.split()[0]: line for line in drawn(page(4, lines=lines)) if line.strip()
    }

    assert text["x"].rstrip().endswith("██████████ 1.00")
    assert text["colour"].rstrip().endswith("differs")
    assert text["form"].rstrip().endswith("equal")
    assert text["size"].rstrip().endswith("missing")


def test_differences_by_hand():
    frame = pd.DataFrame(
        {
            "x": [0.0, 5.0, 10.0],
            "same": [1, 1, 1],
            "colour": ["red", "blue", None],
            "flag": [True, True, False],
            "gap": [1.0, np.nan, 3.0],
        }
    )
    differences = Differences(frame)

    assert_array_equal(differences.between(0, 1), [0.5, 0.0, 1.0, 0.0, np.nan])
    assert_array_equal(differences.between(0, 2), [1.0, 0.0, np.nan, 1.0, 1.0])


def test_distances_of_mixed_columns_by_hand():
    frame = pd.DataFrame(
        {"x": [0.0, 5.0, 10.0], "colour": ["red", "red", "blue"], "gap": [1, None, 3]}
    )
    # Differences 0.5, 0, 0.5 / 1, 1, 1 / 0.5, 1, 0.5: the gap is filled with 2.
    expected = np.sqrt([0.25 + 0.25, 3.0, 0.25 + 1.0 + 0.25])

    assert_allclose(pdist(as_numbers(frame)), expected)


def test_a_missing_word_lies_between_the_known_ones():
    X = as_numbers(pd.DataFrame({"colour": ["red", "blue", None]}))

    assert_allclose(X[2], X[:2].mean(axis=0))


def test_numbers_are_kept_unscaled_on_demand():
    frame = pd.DataFrame({"x": [0.0, 5.0], "empty": [np.nan, np.nan]})

    assert_array_equal(as_numbers(frame, is_scaled=False), [[0.0, 0.0], [5.0, 0.0]])


def test_text_with_too_many_values_is_refused(monkeypatch):
    monkeypatch.setattr(_numbers, "MOST_VALUES", 2)
    frame = pd.DataFrame({"name": ["a", "b", "c"]})

    with pytest.raises(DataError, match="column 'name' is text with 3 different"):
        as_numbers(frame)


def test_a_table_of_empty_text_is_refused():
    with pytest.raises(DataError, match="all columns are empty"):
        as_numbers(pd.DataFrame({"x": pd.Series([None, None], dtype=object)}))
