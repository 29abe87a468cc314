"""How samples are shown: places of values, differences, words and pixels."""

import numpy as np
import pandas as pd
import pytest

from pairsift.webapp._samples import Looks, Samples


def test_place_is_the_share_of_lower_values_with_ties_halved():
    frame = pd.DataFrame({"a": [1.0, 2.0, 2.0, 4.0, np.nan]})
    samples = Samples(frame, None)
    places = [samples.table([row])["cells"][0][0] for row in range(5)]
    assert places == [["1", 0.125], ["2", 0.5], ["2", 0.5], ["4", 0.875], [None, None]]


def test_columns_that_differ_most_come_first():
    frame = pd.DataFrame(
        {
            "equal": [1.0, 1.0, 5.0, 9.0],
            "far": [0.0, 9.0, 1.0, 2.0],
            "word": ["x", "y", "x", "x"],
            "gone": [np.nan, 1.0, 2.0, 3.0],
            "none": [np.nan, np.nan, 1.0, 2.0],
        }
    )
    samples = Samples(frame, ["a", "b", "c", "d"])
    assert samples.gaps(0, 1).tolist() == [0.0, 0.75, 1.0, 0.5, 0.0]
    table = samples.table([0, 1])
    assert table["columns"] == ["word", "far", "gone", "equal", "none"]
    assert table["cells"][1][0] == ["y", None]
    found = samples.differences(0, 1, most=5)
    assert [d["column"] for d in found] == ["word", "far", "gone"]
    assert found[2] == {"column": "gone", "card": None, "pile": "1"}
    # Symmetric, and nothing differs from itself.
    assert np.array_equal(samples.gaps(1, 0), samples.gaps(0, 1))
    assert not samples.gaps(2, 2).any()


def test_columns_are_found_by_name_in_any_case():
    samples = Samples(pd.DataFrame(np.zeros((2, 3)), columns=["Ab", "aB", "c"]), None)
    assert samples.table([0, 1], find="AB")["columns"] == ["Ab", "aB"]
    assert samples.table([0, 1], find="x")["total"] == 0
    assert samples.table([0, 1], first=1, most=1)["columns"] == ["aB"]


def test_numbers_are_written_short_and_whole_numbers_whole():
    frame = pd.DataFrame({"a": [1 / 3], "b": [1234567.0], "c": [True], "d": [2**40]})
    cells = Samples(frame, None).table([0])["cells"][0]
    assert [cell[0] for cell in cells] == ["0.333333", "1234567", "True", str(2**40)]


def test_words_that_differ_are_marked():
    texts = ["the red old house", "the blue old house"]
    samples = Samples(pd.DataFrame({"a": [1, 2]}), None, Looks(texts=texts))
    assert samples.words(0, 1) == {
        "card": [["the ", False], ["red ", True], ["old house", False]],
        "pile": [["the ", False], ["blue ", True], ["old house", False]],
    }
    assert samples.sample(0)["text"] == texts[0]


def test_pixels_are_scaled_to_shades():
    frame = pd.DataFrame([[0, 8], [16, 4]])
    samples = Samples(frame, None, Looks(pixels=(1, 2)))
    assert samples.sample(1)["pixels"] == {
        "height": 1,
        "width": 2,
        "values": [255, 64],
    }
    with pytest.raises(ValueError, match="--pixels 2x2 needs 4 columns of numbers"):
        Samples(frame, None, Looks(pixels=(2, 2)))


def test_long_cells_are_cut():
    samples = Samples(pd.DataFrame({"a": ["x" * 1000]}), None)
    text = samples.table([0])["cells"][0][0][0]
    assert len(text) == 300
    assert text.endswith("…")
