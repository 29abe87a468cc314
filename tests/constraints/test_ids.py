"""Pairs of rows that have ids: given, listed, found again, written."""

import copy
import datetime
import pickle

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_array_equal
from sklearn.utils.validation import _is_arraylike, _num_samples, indexable

from pairsift import ConstraintError, PairConstraints
from pairsift.constraints import sample_ids_of

IDS = ["P1", "P2", "P3", "P4", "P5"]


def patients():
    return PairConstraints([("P4", "P1")], [("P2", "P5"), ("P1", "P2")], ids=IDS)


def test_pairs_of_ids_are_pairs_of_their_rows():
    c = patients()
    assert_array_equal(c.must_link, [[0, 3]])
    assert_array_equal(c.cannot_link, [[0, 1], [1, 4]])
    assert (c.n_samples, c.ids) == (5, tuple(IDS))
    assert c == PairConstraints([(0, 3)], [(0, 1), (1, 4)], n_samples=5)


@pytest.mark.parametrize(
    "ids",
    [
        [40, 7, 19],
        np.array([40, 7, 19]),
        pd.Index(["x", "y", "z"]),
        pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)]),
        pd.DatetimeIndex(["2024-01-01", "2024-01-02", "2024-01-03"]),
        pl.Series(["x", "y", "z"]),
        [datetime.date(2024, 1, day) for day in (1, 2, 3)],
        [frozenset({1}), 2.5, "three"],
    ],
    ids=["int", "array", "index", "multi", "time", "polars", "date", "mixed"],
)
def test_any_hashable_value_is_an_id(ids):
    listed = list(ids)
    c = PairConstraints([(listed[2], listed[0])], [(listed[1], listed[2])], ids=ids)
    assert_array_equal(c.must_link, [[0, 2]])
    assert_array_equal(c.cannot_link, [[1, 2]])
    assert [pair.a for pair in c] == [listed[0], listed[1]]


def test_pairs_of_ids_may_be_an_array_or_a_table():
    table = pd.DataFrame({"a": ["P4"], "b": ["P1"]})
    for pairs in (table, table.to_numpy(), np.array([["P4", "P1"]])):
        assert_array_equal(PairConstraints(pairs, ids=IDS).must_link, [[0, 3]])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"must_link": [("P1", "P9")]},
            r"must_link pair \('P1', 'P9'\): no row has the id 'P9'; ids are such as",
        ),
        ({"cannot_link": [(0, 1)]}, r"cannot_link pair \(0, 1\): no row has the id 0"),
        ({"cannot_link": [("P2", "P2")]}, r"\('P2', 'P2'\) joins a row with itself"),
        ({"must_link": ("P1", "P2")}, "must_link must be pairs of ids, got 'P1'"),
        ({"must_link": "P1"}, "must_link must be pairs of ids, got 'P1'"),
        ({"must_link": [("P1",)]}, r"must_link must be pairs of ids, got \('P1',\)"),
        ({"must_link": 5}, "must_link must be pairs of ids, got 5"),
        ({"must_link": [5]}, "must_link must be pairs of ids, got 5"),
        ({"must_link": [(["P1"], "P2")]}, r"no row has the id \['P1'\]"),
        (
            {"must_link": [("P1", "P2")], "cannot_link": [("P2", "P1")]},
            r"pair \('P1', 'P2'\) is both a must-link and a cannot-link",
        ),
        ({"n_samples": 6}, "ids must name all rows, got 5 ids and n_samples=6"),
        ({"ids": ["a", "b", "a"]}, "ids must name each row once, 'a' occurs twice"),
        ({"ids": ["a", None]}, "ids must name every row, row 1 has none"),
        ({"ids": [1.0, np.nan]}, "ids must name every row, row 1 has none"),
        ({"ids": pd.Index(["a", pd.NA])}, "ids must name every row, row 1 has none"),
        ({"ids": [["a"], ["b"]]}, r"other hashable values, row 0 has \['a'\]"),
        ({"ids": "abc"}, "ids must be one id for each row, .* got str"),
        ({"ids": 5}, "ids must be one id for each row, .* got int"),
        ({"ids": pd.DataFrame({"x": [1]})}, "one id for each row, .* got DataFrame"),
    ],
)
def test_impossible_ids_are_refused_in_a_sentence(arguments, message):
    with pytest.raises(ConstraintError, match=message):
        PairConstraints(**{"ids": IDS} | arguments)


def test_all_pairs_are_counted_and_listed():
    c = patients()
    assert len(c) == 3
    assert list(c) == [
        ("P1", "P4", "must"),
        ("P1", "P2", "cannot"),
        ("P2", "P5", "cannot"),
    ]
    first = next(iter(c))
    assert (first.a, first.b, first.link) == ("P1", "P4", "must")
    expected = pd.DataFrame(list(c), columns=["a", "b", "link"])
    pd.testing.assert_frame_equal(c.to_frame(), expected)
    numbers = PairConstraints(cannot_link=[(1, 0)])
    assert list(numbers) == [(0, 1, "cannot")]
    assert numbers.to_frame().to_numpy().tolist() == [[0, 1, "cannot"]]
    empty = PairConstraints()
    assert len(empty) == 0
    assert list(empty.to_frame().columns) == ["a", "b", "link"]


def test_length_is_hidden_from_what_would_cut_it():
    c = patients()
    for name in ("__len__", "__iter__", "__getitem__", "shape", "__array__"):
        assert not hasattr(c, name)
    assert not _is_arraylike(c)
    for function in (_num_samples, indexable):
        with pytest.raises(TypeError):
            function(c)
    assert np.asarray(c).shape == ()
    with pytest.raises(AttributeError, match="not array-like and hides '__len__'"):
        c.__len__  # noqa: B018


def test_copies_pickles_and_hashes_keep_the_ids():
    c = patients()
    assert joblib.hash(c) == joblib.hash(patients())
    for other in (copy.copy(c), copy.deepcopy(c), pickle.loads(pickle.dumps(c))):
        assert other == c
        assert hash(other) == hash(c)
        assert other.ids == c.ids


def test_what_is_derived_keeps_the_ids():
    c = patients()
    assert list(c.closure())[-1] == ("P2", "P5", "cannot")
    part = c.subset([4, 1, 3])
    assert part.ids == ("P5", "P2", "P4")
    assert list(part) == [("P5", "P2", "cannot")]
    joined = c | PairConstraints([(2, 4)])
    assert list(joined)[1] == ("P3", "P5", "must")
    with pytest.raises(ConstraintError, match="with other ids, or ids in another"):
        c | PairConstraints(ids=IDS[::-1])


@pytest.mark.parametrize("kind", [list, np.array, pd.Index, pd.Series])
def test_rows_of_a_fold_are_found_by_id(kind):
    must, cannot = patients().resolve(3, kind(["P5", "P1", "P2"]))
    assert must.size == 0
    assert sorted(map(sorted, cannot.tolist())) == [[0, 2], [1, 2]]


def test_whole_numbers_may_be_ids_in_any_order():
    c = PairConstraints(cannot_link=[(30, 10)], ids=[10, 20, 30])
    _, cannot = c.resolve(2, np.array([30, 10]))
    assert sorted(cannot[0].tolist()) == [0, 1]
    assert c.resolve(2, [30, 20])[1].size == 0


@pytest.mark.parametrize(
    ("sample_ids", "message"),
    [
        ([0, 1], "sample_ids holds 0, which is no id of the constraints; pass"),
        (["P1"], "for each of the 2 rows of X, got 1; in a pipeline put the selector"),
        (["P1", None], "sample_ids must name every row, row 1 has none"),
    ],
)
def test_wrong_ids_of_a_fold_are_refused(sample_ids, message):
    with pytest.raises(ConstraintError, match=message):
        patients().resolve(2, sample_ids)


def test_fold_without_ids_is_told_to_pass_them():
    with pytest.raises(ConstraintError, match="also pass sample_ids=the ids of all"):
        patients().resolve(3)
    with pytest.raises(ConstraintError, match=r"PairConstraints\(..., ids=...\)"):
        PairConstraints([(0, 1)]).resolve(2, ["P1", "P2"])


def test_pair_holds_for_the_first_copies_of_its_rows():
    rows = ["P5", "P2", "P5", "P1", "P2"]
    must, cannot = patients().resolve(5, rows)
    assert must.size == 0
    assert sorted(map(sorted, cannot.tolist())) == [[0, 1], [1, 3]]
    numbers = PairConstraints(cannot_link=[(0, 1), (1, 4)], n_samples=5)
    _, cannot = numbers.resolve(5, [4, 1, 4, 0, 1])
    assert sorted(map(sorted, cannot.tolist())) == [[0, 1], [1, 3]]


# ----------------------------------------------------------------------------------
# The index of a data frame


def frame(index):
    return pd.DataFrame({"a": np.arange(float(len(index)))}, index=index)


@pytest.mark.parametrize(
    "index",
    [["P5", "P4", "P3", "P2", "P1"], ["P2", "P5"], ["P1", "P1", "P2"]],
    ids=["reordered", "some", "copies"],
)
def test_index_of_ids_names_the_rows(index):
    assert sample_ids_of(frame(index), patients()) == index


def test_index_of_whole_numbers_names_the_rows():
    X = frame([30, 10, 20])
    c = PairConstraints([(10, 20)], ids=X.index)
    assert sample_ids_of(X.iloc[[2, 0, 1]], c) == [20, 30, 10]
    whole = frame(range(4))
    c = PairConstraints([(1, 2)], ids=whole.index)
    assert sample_ids_of(whole.iloc[[3, 1, 0, 2]], c) == [3, 1, 0, 2]
    assert sample_ids_of(whole.iloc[2:], c) == [2, 3]


@pytest.mark.parametrize(
    "X",
    [
        np.zeros((5, 1)),
        pl.DataFrame({"a": [1.0] * 5}),
        frame(range(5)),
        frame(["a", "b", "c", "d", "e"]),
    ],
    ids=["array", "polars", "default index", "other index"],
)
def test_without_an_index_of_ids_rows_are_in_their_order(X):
    assert sample_ids_of(X, patients()) is None


def test_default_index_is_no_choice_of_rows():
    c = PairConstraints([(1, 2)], ids=range(4))
    # A sampler that makes a new frame of three rows numbers them 0 to 2, whatever they
    # are, so the number of rows has to be refused.
    assert sample_ids_of(frame(range(3)), c) is None


def test_given_sample_ids_win_over_the_index():
    ids = ["P2", "P1"]
    assert sample_ids_of(frame(["P4", "P5"]), patients(), ids) is ids


def test_index_means_nothing_to_constraints_without_ids():
    c = PairConstraints([(0, 1)], n_samples=2)
    assert sample_ids_of(frame([1, 0]), c) is None
    assert sample_ids_of(frame([1, 0]), None) is None


def test_default_index_beside_the_same_numbers_in_another_order_is_refused():
    c = PairConstraints([(0, 2)], ids=[2, 0, 1])
    with pytest.raises(ConstraintError, match="the same numbers in another order: p"):
        sample_ids_of(frame(range(3)), c)
    assert sample_ids_of(frame(range(3)), c, c.ids) == (2, 0, 1)


def test_index_of_which_some_values_are_ids_is_refused():
    with pytest.raises(ConstraintError, match="index of X holds 'P9', which is no id"):
        sample_ids_of(frame(["P1", "P9"]), patients())


def test_measures_of_whole_data_refuse_another_order():
    c = patients()
    assert c.coherence(frame(IDS)) == c.coherence(np.arange(5.0)[:, None])
    with pytest.raises(ConstraintError, match="or another order, by its index: pass X"):
        c.coherence(frame(IDS[::-1]))


def test_contradiction_names_the_ids():
    c = PairConstraints([("P1", "P2"), ("P2", "P3")], [("P1", "P3")], ids=IDS)
    message = r"cannot-link \(P1, P3\) contradicts the must-link chain P1 - P2 - P3"
    with pytest.raises(ConstraintError, match=message):
        c.check_consistent()


def test_ids_are_written_and_read_back(tmp_path):
    path = tmp_path / "pairs.csv"
    c = PairConstraints([(2, 7)], [("x", 2)], ids=[7, 2, "x"])
    c.to_csv(path)
    assert path.read_text().split() == ["a,b,link", "7,2,must", "2,x,cannot"]
    again = PairConstraints.from_csv(path, ids=[7, 2, "x"])
    assert again == c
    assert list(again) == list(c)
    c.to_csv(path, ids=["r0", "r1", "r2"])
    assert path.read_text().split()[1:] == ["r0,r1,must", "r1,r2,cannot"]


def test_file_may_say_same_and_different(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("a,b,link\n0,1,same\n1,2,Different\n0,2,cannot\n3,4,must\n")
    c = PairConstraints.from_csv(path, n_samples=5)
    assert c == PairConstraints([(0, 1), (3, 4)], [(1, 2), (0, 2)], n_samples=5)
    c.to_csv(path)
    assert {line.split(",")[2] for line in path.read_text().split()[1:]} == {
        "must",
        "cannot",
    }
