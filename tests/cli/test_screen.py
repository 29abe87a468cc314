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
from pairsift.cli._pages import (
    CARD_HELP,
    CARD_KEYS,
    PAIR_HELP,
    PAIR_KEYS,
    PILE_KEYS,
    CardLine,
    CardPage,
    Line,
    Page,
    PairPage,
    PileHead,
    pile_key,
    pile_keys,
)
from pairsift.cli._screen import Terminal
from pairsift.exceptions import DataError
from pairsift.reports import filled


def page(n_columns=30, *, names=("row 3", "row 9"), lines=None, **changes):
    """A page with a pair, unless it is given another question."""
    if lines is None:
        lines = [
            Line(f"x{j}", "1.5", "2.5", 1.0 - j / 40, False) for j in range(n_columns)
        ]
    fields = {
        "title": "data.csv",
        "progress": "question 1",
        "counts": "0 same, 0 different, 0 unsure",
        "question": PairPage(names, lines, n_columns),
        "top": "best features so far: x0, x1",
        "advice": "",
        "contradiction": "",
        "remark": "",
    }
    return Page(**(fields | changes))


def card(n_piles=3, n_columns=30, order=None, names=None):
    """A card; piles in the order of their nearness, with their numbers as values."""
    numbers = order or range(1, n_piles + 1)
    lines = [
        CardLine(
            f"x{j}",
            "0.5",
            [f"{number}.{j}" for number in numbers],
            [float(number) for number in numbers],
            is_best=j < 2,
        )
        for j in range(n_columns)
    ]
    piles = [PileHead(k, 3 * k, f"row {100 + k}") for k in numbers]
    return CardPage(names or "row 7", piles, lines, n_columns)


def terminal(width=80, height=24):
    return Terminal(
        Console(
            file=StringIO(), width=width, height=height, force_terminal=True,
            _environ={}, color_system=None,
        )
    )  # fmt: skip


def screens(terminal):
    """Return the lines of every page that was drawn."""
    text = terminal._console.file.getvalue()
    return [part.split("\n") for part in text.split("\x1b[2J\x1b[H")[1:]]


def drawn(page, width=80, height=24):
    """Return the lines that a terminal of this size shows."""
    view = terminal(width, height)
    view.show(page)
    return screens(view)[0]


FULL = {
    "contradiction": "row 3 - row 9 - row 12 " * 6,
    "advice": "the best features have not changed for 8 answers: you may stop.",
    "top": "best features so far: "
    + ", ".join(f"some_long_name_{j}" for j in range(5)),
    "remark": "'x' is no answer: s same, d different, u unsure, z undo, q quit.",
    "said": "you said same; the other answers say 3% for 'same'.",
}


@pytest.mark.parametrize("size", [(50, 12), (60, 20), (80, 24), (120, 40), (40, 8)])
@pytest.mark.parametrize("changes", [{}, FULL], ids=["usual", "full"])
@pytest.mark.parametrize("n_columns", [1, 30])
@pytest.mark.parametrize("n_piles", [None, 0, 1, 4, 30])
def test_a_page_fits_the_terminal(size, changes, n_columns, n_piles):
    width, height = size
    if n_piles is not None:
        changes = changes | {"question": card(n_piles, n_columns)}
    lines = drawn(page(n_columns, **changes), width, height)

    # The cursor stands in the last line, which is empty.
    assert len(lines) <= height
    assert lines[-1] == ""
    assert max(map(len, lines)) <= width
    if height >= 12:
        assert "question 1" in lines[0]
        assert any("x0" in line for line in lines)
    text = " ".join(" ".join(lines).split())
    for key, _ in PAIR_KEYS if n_piles is None else CARD_KEYS:
        assert f" {key} " in text


def test_a_small_page_shows_what_matters():
    lines = drawn(page(30), 50, 12)

    assert "0 same, 0 different, 0 unsure" in lines[0]
    assert sum(" x" in line for line in lines[:-4]) >= 4
    assert any(line.rstrip().endswith("2.5   1.00") for line in lines)


@pytest.mark.parametrize("texts", [PAIR_HELP, CARD_HELP], ids=["pairs", "cards"])
def test_help_comes_in_screens_that_fit(texts):
    view = terminal(50, 12)
    for _ in view.help(texts):
        pass
    pages = screens(view)

    assert len(pages) > 1
    assert max(map(len, pages)) <= 12
    for shown in pages[:-1]:
        assert "Any key shows the rest." in shown[-2]
    assert "Any key goes back to the question." in pages[-1][-2]
    words = [word for shown in pages for line in shown[:-2] for word in line.split()]
    assert words == " ".join(["pairsift query", *texts]).split()


def test_piles_stand_in_the_order_of_their_keys_and_the_nearest_is_marked():
    lines = drawn(page(question=card(order=[3, 1, 2])), 80, 24)
    keys, sizes, names = (line.split() for line in lines[2:5])

    assert keys == ["1", "2", "→", "3"]
    assert sizes == ["3", "rows", "6", "rows", "9", "rows"]
    assert " ".join(names).endswith("row 7 row 101 row 102 row 103")
    values = next(line for line in lines if " x4 " in line)
    assert values.split() == ["x4", "0.5", "1.4", "2.4", "3.4"]
    assert any(line.startswith(" • x0 ") for line in lines)
    # A card that is looked at again is not given away.
    again = drawn(page(question=card(order=[3, 1, 2]), said="on pile 3"), 80, 24)
    assert "→" not in "".join(again)


def test_piles_without_room_are_named_and_reached():
    question = card(order=[5, 9, 1, 12, 3, 2, 4])
    view = terminal(50, 24)
    for n_turned in range(4):
        view.show(page(question=question), n_turned)
    keys = [part[2].replace("→", "").split() for part in screens(view)]

    # Nearest first decides which are shown, their numbers in which order.
    assert keys == [["1", "5", "9"], ["2", "3", "e"], ["4"], ["1", "5", "9"]]
    first = "".join(screens(view)[0])
    assert "other piles (rows): e (36), 3 (9), 2 (6), 4 (12)" in first
    assert " m more " in first
    assert " m more " not in "".join(drawn(page(question=question), 120, 40))


def test_nine_piles_stand_side_by_side_at_most():
    lines = drawn(page(question=card(12)), 300, 40)

    assert lines[2].split() == ["→", *"123456789"]


def test_the_first_card_has_no_piles():
    text = " ".join(drawn(page(question=card(0)), 80, 24))

    assert "row 7" in text
    assert " pile " in text.split("best features")[0]
    assert " pile " not in text.split("best features")[1]


def test_keys_of_piles_do_not_mean_anything_else():
    from pairsift.cli._keys import ACTIONS

    assert not set(PILE_KEYS) & set(ACTIONS)
    assert [pile_key(k) for k in (1, 9, 10, 25, 26)] == ["1", "9", "a", "x", "#26"]
    heads = [PileHead(k, 1, "") for k in (2, 1, 3, 10, 26, 11, 12)]
    assert pile_keys(heads) == "1-3 a-e"
    assert pile_keys(heads[:2]) == "1 2"


def test_missing_values_of_cards_are_marked():
    lines = [CardLine("gap", "–", ["1", "–"], [np.nan, np.nan])]
    piles = [PileHead(1, 1, "row 1"), PileHead(2, 1, "row 2")]
    shown = drawn(page(question=CardPage("row 0", piles, lines, 1)))

    assert next(s for s in shown if " gap " in s).split() == ["gap", "–", "1", "–"]


def test_wide_tables_show_the_best_features_too():
    lines = [
        Line(f"x{j}", "1", "2", 1.0 - j / 1000, False, is_best=j in (700, 3, 800))
        for j in range(1000)
    ]
    shown = drawn(page(5000, lines=lines))
    names = [line.split()[1] for line in shown if line.startswith(" •")]

    # In the order of their difference, the best are marked.
    assert names == ["x3", "x700", "x800"]
    n_shown = sum("1.00" in line or "0." in line for line in shown)
    assert f" and {5000 - n_shown:,} columns more" in map(str.rstrip, shown)
    few = drawn(page(1000, lines=lines), 50, 12)
    assert sum(line.startswith(" •") for line in few) == 2
    assert sum(line.startswith("   x") for line in few) >= 2


def test_a_second_look_says_what_was_said():
    said = "you said same; the other answers say 3% for 'same'."
    text = " ".join(" ".join(drawn(page(said=said))).split())

    assert said in text
    assert "z leave it" in text


def test_columns_left_out_are_counted():
    lines = drawn(page(30))
    n_shown = sum(line.startswith(" x") for line in lines)

    assert f" and {30 - n_shown} columns more" in map(str.rstrip, lines)
    assert "more" not in "".join(drawn(page(4)))


def test_long_names_keep_their_ends():
    names = ("sample of the third campaign 1", "sample of the third campaign 2")
    header = next(line for line in drawn(page(names=names)) if "together" in line)

    assert "aign 1" in header
    assert "aign 2" in header


def test_differences_are_told_by_kind():
    lines = [
        Line("x", "0", "1", 1.0, False),
        Line("colour", "red", "blue", 1.0, True),
        Line("form", "round", "round", 0.0, True),
        Line("size", "–", "3", np.nan, False),
        Line("far", "0", "9", 9.0, False),
    ]
    text = {
        line.split()[0]: line for line in drawn(page(4, lines=lines)) if line.strip()
    }

    assert text["x"].rstrip().endswith("██████████ 1.00")
    assert text["far"].rstrip().endswith("██████████ >1")
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


def test_differences_within_rows_by_hand():
    frame = pd.DataFrame(
        {
            "x": [0.0, 5.0, 10.0],
            "colour": ["red", "red", None],
            "shape": ["a", "b", "b"],
            "empty": [np.nan] * 3,
        }
    )
    differences = Differences(frame)

    assert_array_equal(differences.within([0, 1, 2]), [1.0, 0.0, 1.0, 0.0])
    assert_array_equal(differences.within([1]), [0.0] * 4)


def test_missing_values_are_filled_by_hand():
    frame = pd.DataFrame(
        {
            "x": [1.0, np.nan, 4.0],
            "word": ["a", None, "a"],
            "whole": pd.array([1, None, 2], dtype="Int64"),
            "empty": [np.nan] * 3,
            "kind": pd.Categorical(["u", "u", None]),
        }
    )
    complete = filled(frame)

    assert complete["x"].tolist() == [1.0, 2.5, 4.0]
    assert complete["word"].tolist() == ["a", "a", "a"]
    assert complete["whole"].tolist() == [1.0, 1.5, 2.0]
    assert complete["empty"].tolist() == [0.0] * 3
    assert complete["kind"].tolist() == ["u"] * 3
    assert frame["x"].isna().any()


def test_an_outlier_does_not_flatten_the_differences():
    # 41 values 0, 1, ..., 40: the middle 90 % go from 2 to 38.
    x = np.arange(41.0)
    frame = pd.DataFrame({"x": x, "far": x, "low": x, "rare": (x == 40).astype(float)})
    frame.loc[40, "far"], frame.loc[0, "low"] = 1e9, -1e300
    differences = Differences(frame)

    assert_allclose(differences.between(3, 12), [0.25, 0.25, 0.25, 0.0])
    assert differences.between(3, 40)[1] > 1e7
    # Where nearly all values are equal, the whole width counts.
    assert differences.between(3, 40)[3] == 1.0


@pytest.mark.parametrize("value", [0.0, 1e308])
def test_differences_at_the_ends_of_what_numbers_can_be(value):
    frame = pd.DataFrame(
        {"x": [-value, value, 0.0, np.nan], "empty": np.full(4, np.nan)}
    )
    differences = Differences(frame)

    assert_array_equal(np.isnan(differences.between(0, 3)), [True, True])
    assert differences.between(2, 2)[0] == 0.0


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
    monkeypatch.setattr(_numbers, "MAX_VALUES", 2)
    frame = pd.DataFrame({"name": ["a", "b", "c"]})

    with pytest.raises(DataError, match="column 'name' is text with 3 different"):
        as_numbers(frame)


def test_a_table_of_empty_text_is_refused():
    with pytest.raises(DataError, match="all columns are empty"):
        as_numbers(pd.DataFrame({"x": pd.Series([None, None], dtype=object)}))
