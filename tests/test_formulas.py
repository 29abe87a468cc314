"""Guards of cells that a spreadsheet would run as a formula."""

import numpy as np
import pandas as pd
import pytest

from pairsift._formulas import guarded, guarded_frame, id_among, name_among, unguarded

COMMAND = "=cmd|'/C calc'!A0"


@pytest.mark.parametrize("cell", [COMMAND, "+x", "-x", "@x", "\tx", "\rx", "'=x"])
def test_a_formula_gets_a_guard_that_comes_off_again(cell):
    assert guarded(cell) == f"'{cell}"
    assert unguarded(guarded(cell)) == cell
    assert unguarded(guarded(guarded(cell))) == guarded(cell)


@pytest.mark.parametrize("cell", ["-2.5", "+1e3", "x=1", "'quoted'", "", "'-2.5", 3])
def test_other_cells_stay_as_they_are(cell):
    assert guarded(cell) == cell
    assert unguarded(str(cell)) == str(cell)


def test_different_texts_stay_different_under_guards():
    rng = np.random.default_rng(0)
    texts = {"".join(rng.choice(list("'=-1@"), 4)) for _ in range(500)}
    assert len({guarded(text) for text in texts}) == len(texts)


def test_names_and_cells_of_a_frame_are_guarded_and_numbers_stay():
    frame = pd.DataFrame({"=a": ["@b", "c"], "score": [-1.5, 2.0], "n": [-1, 2]})
    found = guarded_frame(frame)
    assert found.columns.tolist() == ["'=a", "score", "n"]
    assert found["'=a"].tolist() == ["'@b", "c"]
    assert found.dtypes.astype(str).tolist()[1:] == ["float64", "int64"]


def test_an_id_of_a_file_is_the_one_without_guard_if_both_exist():
    assert id_among("'=x", {"=x", "'=x"}) == "=x"
    assert id_among("''=x", {"=x", "'=x"}) == "'=x"
    assert id_among("'=x", {"'=x"}) == "'=x"
    assert id_among("'=x", {"y"}) == "'=x"


def test_a_name_that_somebody_typed_is_taken_as_typed_if_it_is_known():
    assert name_among("'=x", ["=x"]) == "=x"
    assert name_among("'=x", ["=x", "'=x"]) == "'=x"
