"""Warnings about the data."""

import numpy as np
import pandas as pd
import pytest

from pairsift import FisherScore, PairConstraints, ReliefFSc, VarianceScore
from pairsift.cli._checks import data_warnings, use_warnings


def frame(**columns):
    rng = np.random.default_rng(0)
    return pd.DataFrame({"x": rng.random(12), "z": rng.random(12)} | columns)


def test_clean_data_gives_no_warning():
    assert data_warnings(frame()) == []


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"same": 1}, "column 'same' is constant"),
        ({"none": np.nan}, "column 'none' is constant"),
        ({"u": 1, "v": "a"}, "columns 'u', 'v' are constant"),
        ({"gap": [np.nan] * 2 + [1.5, 2.5] * 5}, "missing values in 'gap' (2)"),
        ({"number": range(12)}, "column 'number' has a different value in every row"),
        ({"name": list("abcdefghijkl")}, "'name' has a different value"),
    ],
    ids=["constant", "empty", "constants", "missing", "counter", "name"],
)
def test_a_doubtful_column_is_named(columns, said):
    assert any(said in warning for warning in data_warnings(frame(**columns)))


def test_a_copied_column_is_named_with_its_original():
    data = frame()
    data["copy"] = data["x"]

    assert data_warnings(data) == ["column 'copy' is a copy of 'x'."]


def test_repeated_rows_are_counted():
    data = frame()

    assert data_warnings(pd.concat([data, data.iloc[:3]])) == [
        "3 rows repeat earlier rows."
    ]


def test_numbers_for_names_hint_at_a_missing_header():
    data = frame().rename(columns={"x": "5.1", "z": "5.1.1"})

    assert "does the file lack a header line" in data_warnings(data)[0]


METHOD = ReliefFSc._method
PAIRS = PairConstraints(must_link=[(0, 1)], cannot_link=[(0, 2), (1, 2)], n_samples=3)


def test_unused_must_links_are_counted():
    assert use_warnings(METHOD, 2, None, PAIRS) == [
        "1 must-link is not used: relieff-sc learns from cannot-links (or labels)."
    ]


def test_used_must_links_are_not_warned_of():
    assert use_warnings(METHOD, 3, None, PAIRS) == []


def test_constraints_beside_labels_are_unused_when_labels_decide():
    assert len(use_warnings(FisherScore._method, 0, [0, 1, 1], PAIRS)) == 2


def test_knowledge_given_to_an_unsupervised_method_is_unused():
    method = VarianceScore._method

    assert use_warnings(method, 0, [0, 1, 1], PAIRS) == [
        "the labels and constraints are not used: variance-score uses none."
    ]
    assert use_warnings(method, 0, None, None) == []


def test_warnings_reach_stderr_and_json(run, write_csv, strict_json):
    rng = np.random.default_rng(0)
    data = write_csv("d.csv", {"x": rng.random(20), "same": 1, "y": range(20)})
    select = ["select", data, "--label", "y", "--top", "1"]
    document = strict_json(run(*select, "--json").stdout)

    assert document["warnings"][0].startswith("column 'same' is constant")
    # Raised as a Python warning while the labels are read, told once.
    assert document["warnings"][1].startswith("each of the 20 rows has a label")
    assert len(document["warnings"]) == 2
    for warning in document["warnings"]:
        assert f"pairsift: warning: {warning}" in run(*select).stderr
