"""Counts over all columns at once, against pandas column by column."""

import sys

import numpy as np
import pandas as pd
import pytest

from pairsift.cli._checks import refuse_unusable
from pairsift.cli._tables import check_cells, scale
from pairsift.reports import Table, data_warnings, method_of, repeated_label
from pairsift.reports._column_codes import ColumnCodes
from pairsift.selectors import FisherScore


def table_of(rng):
    """Few rows of every kind of column, so that cells, rows and columns repeat."""
    n = 12
    frame = pd.DataFrame(
        {
            "float": rng.choice([0.0, -0.0, 1.5, np.nan], n),
            "short": rng.choice([0.0, 1.5, np.nan], n).astype(np.float32),
            "int": rng.integers(0, 2, n),
            "byte": rng.integers(0, 2, n).astype(np.int8),
            "large": rng.choice(np.array([2**64 - 1, 2**63, 0], np.uint64), n),
            "bool": rng.integers(0, 2, n) == 1,
            "word": rng.choice(np.array(["a", "b", None], dtype=object), n),
            "category": pd.Categorical(rng.choice(["a", "b"], n)),
            "nullable": pd.array(rng.choice([1, 2, None], n), dtype="Int64"),
            "none": np.nan,
        }
    )
    copies = {f"{name} again": frame[name].copy() for name in frame}
    swapped = frame["word"].map({"a": "b", "b": "a"})
    return frame.assign(**copies, swapped=swapped)


@pytest.mark.parametrize("seed", range(20))
def test_counts_are_those_of_pandas(seed):
    frame = table_of(np.random.default_rng(seed))
    rows = frame.iloc[np.r_[0:12, 3, 3, 7]].reset_index(drop=True)
    codes = ColumnCodes(rows)
    assert codes.n_values().tolist() == rows.nunique().tolist()
    assert codes.n_copied_rows() == rows.duplicated().sum()
    assert (codes.is_missing == rows.isna().to_numpy()).all()


@pytest.mark.parametrize("seed", range(5))
def test_copies_are_told_as_pandas_finds_them(seed):
    frame = table_of(np.random.default_rng(seed)).drop(columns=["none", "none again"])
    told = [text for text in data_warnings(frame) if "is a copy of" in text]
    expected = []
    for j, name in enumerate(frame):
        first = next(c for c in frame.columns[: j + 1] if frame[c].equals(frame[name]))
        if first != name and frame[name].nunique() > 1:
            expected.append(f"column {name!r} is a copy of {first!r}.")
    assert told == expected


def test_a_table_without_varying_columns_has_copied_rows_and_no_copied_columns():
    frame = pd.DataFrame(np.ones((3, 4))).rename(columns=str)
    told = data_warnings(frame.add_prefix("x"))
    assert any("2 rows repeat" in text for text in told)
    assert not any("is a copy" in text for text in told)


@pytest.mark.parametrize("seed", range(20))
def test_columns_that_repeat_labels_are_found_among_those_that_do_not(seed):
    rng = np.random.default_rng(seed)
    codes = rng.integers(-1, 3, 30)
    swapped = np.array([np.nan, 7.0, 5.0, 6.0])[codes + 1]
    merged = np.array([np.nan, 7.0, 5.0, 5.0])[codes + 1]
    split = np.where(codes == 0, np.cumsum(codes == 0) % 2, codes + 5)
    words = np.array(["z", "a", "b", "c"])[codes + 1]
    gaps = np.where(rng.random(30) < 0.2, np.nan, swapped)
    frame = pd.DataFrame(
        {"no": split, "yes": swapped, "few": merged, "words": words, "gaps": gaps}
    )
    found = [text.split("'")[1] for text in repeated_label(frame, codes)]
    assert found == ["yes", "words", "gaps"]


def count_calls(function, *arguments):
    """Count the calls of Python and C functions that a call makes."""
    n_calls = 0

    def count(frame, event, argument):
        nonlocal n_calls
        n_calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        function(*arguments)
    finally:
        sys.setprofile(None)
    return n_calls


@pytest.mark.parametrize("kind", ["numbers", "constants"])
def test_a_column_more_takes_no_pandas_operation_more(kind):
    labels = np.repeat([0, 1], 5)
    method = method_of(FisherScore)

    def look(frame):
        check_cells(frame)
        scale(frame)
        data_warnings(frame)
        repeated_label(frame, labels)
        refuse_unusable(method, Table(frame, labels), False)

    def calls(n_columns):
        X = np.random.default_rng(0).normal(size=(10, n_columns))
        X = X if kind == "numbers" else np.ones_like(X)
        frame = pd.DataFrame(X).add_prefix("x")
        look(frame)
        return count_calls(look, frame)

    # One operation of pandas on a column takes a hundred calls and more.
    assert (calls(1200) - calls(200)) / 1000 < 40
