"""PairConstraints: what is stored, derived, refused, written and read."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_array_equal

from pairsift import ConflictingConstraintsError, ConstraintError, PairConstraints

N_ROWS = 8
PAIRS = st.lists(
    st.tuples(st.integers(0, N_ROWS - 1), st.integers(0, N_ROWS - 1)).filter(
        lambda pair: pair[0] != pair[1]
    ),
    max_size=8,
)


def test_pairs_are_stored_sorted_and_once():
    c = PairConstraints(must_link=[(4, 3), (1, 0), (3, 4)], cannot_link=[(5, 2)])
    assert_array_equal(c.must_link, [[0, 1], [3, 4]])
    assert_array_equal(c.cannot_link, [[2, 5]])
    assert c.must_link.dtype == np.int64
    assert (c.n_must_link, c.n_cannot_link, c.n_samples) == (2, 1, None)
    assert repr(c) == "PairConstraints(2 must-link, 1 cannot-link, n_samples=None)"


def test_nothing_given_is_no_pairs():
    c = PairConstraints()
    assert c.must_link.shape == c.cannot_link.shape == (0, 2)
    assert c.conflicts() == []
    assert c.closure() == c


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"must_link": [(0, 9)], "n_samples": 9}, r"must_link pair \(0, 9\) is out of"),
        ({"cannot_link": [(-1, 2)]}, r"cannot_link pair \(-1, 2\) is out of range"),
        ({"cannot_link": [(2, 2)]}, r"pair \(2, 2\) joins a row with itself"),
        (
            {"must_link": [(1, 2)], "cannot_link": [(2, 1)]},
            r"pair \(1, 2\) is both a must-link and a cannot-link",
        ),
        ({"must_link": [(1, 2, 3)]}, r"shape \(n_pairs, 2\); got shape \(1, 3\)"),
        ({"must_link": [("a", "b")]}, "must be pairs of row numbers"),
        ({"must_link": [("a", "b")]}, "for pairs of ids make PairConstraints"),
        (
            {"must_link": PairConstraints([(0, 1)])},
            "must_link must be pairs of row numbers, got a PairConstraints: pass its",
        ),
        ({"must_link": [(1, 2), (3,)]}, "must_link must be pairs of row numbers"),
        ({"must_link": 5}, "must_link must be pairs of row numbers, got 5"),
        ({"must_link": [(0.5, 1)]}, "whole row numbers"),
        ({"n_samples": -1}, "n_samples must be a whole number of at least 0, got -1"),
    ],
)
def test_impossible_pairs_are_refused_by_name(arguments, message):
    with pytest.raises(ConstraintError, match=message):
        PairConstraints(**arguments)


def test_object_is_immutable_and_not_array_like():
    c = PairConstraints(cannot_link=[(0, 1)], n_samples=3)
    with pytest.raises(AttributeError, match="immutable"):
        c.n_samples = 5
    with pytest.raises(AttributeError, match="immutable"):
        del c.must_link
    with pytest.raises(ValueError, match="read-only"):
        c.cannot_link[0, 0] = 7
    for attribute in ("__len__", "shape", "__array__", "__getitem__", "__iter__"):
        assert not hasattr(c, attribute)


def test_copies_and_pickles_are_equal():
    c = PairConstraints(must_link=[(0, 1)], cannot_link=[(0, 2)], n_samples=3)
    for other in (copy.deepcopy(c), pickle.loads(pickle.dumps(c))):
        assert other == c
        assert hash(other) == hash(c)
    assert c != PairConstraints(must_link=[(0, 1)], cannot_link=[(0, 2)], n_samples=4)
    assert c != "something else"


# From labels


@pytest.mark.parametrize(
    "y",
    [
        ["a", None, "b", "a", ""],
        np.array(["a", np.nan, "b", "a", None], dtype=object),
        np.array(["a", -1, "b", "a", -1], dtype=object),
        [0, -1, 7, 0, -1],
        [0.0, np.nan, 7.0, 0.0, -1.0],
    ],
    ids=["text", "nan", "object", "integer", "float"],
)
def test_labelled_rows_make_all_pairs(y):
    c = PairConstraints.from_labels(y)
    assert_array_equal(c.must_link, [[0, 3]])
    assert_array_equal(c.cannot_link, [[0, 2], [2, 3]])
    assert c.n_samples == 5


@pytest.mark.parametrize("nothing", [np.nan, -1, None, ""])
def test_unlabelled_rows_of_a_list_of_text_are_no_class(nothing):
    c = PairConstraints.from_labels(["a", "b", nothing, "a"])
    assert_array_equal(c.cannot_link, [[0, 1], [1, 3]])


def test_text_minus_one_is_a_class():
    with pytest.warns(UserWarning, match="holds the text '-1'"):
        pairs = PairConstraints.from_labels(["-1", "1", "-1"])
    assert pairs.n_cannot_link == 2


def test_pandas_and_polars_labels_are_read():
    import pandas as pd
    import polars as pl

    expected = PairConstraints.from_labels(["a", None, "b"])
    assert PairConstraints.from_labels(pd.Series(["a", pd.NA, "b"])) == expected
    assert (
        PairConstraints.from_labels(pd.Series(["a", None, "b"], dtype="category"))
        == expected
    )
    assert PairConstraints.from_labels(pl.Series(["a", None, "b"])) == expected
    integers = pd.Series([1, None, 2], dtype="Int64")
    assert PairConstraints.from_labels(integers) == expected


def test_missing_label_beside_a_single_class_one_does_not_warn_of_minus_one():
    assert PairConstraints.from_labels([1.0, np.nan, 1.0]).n_must_link == 1


@pytest.mark.parametrize("y", [[1.5, 2.5, None], [1.0, np.inf]])
def test_numbers_that_are_no_classes_are_refused_in_a_list(y):
    with pytest.raises(ValueError, match="continuous target"):
        PairConstraints.from_labels(y)


def test_continuous_target_is_refused():
    with pytest.raises(ValueError, match="continuous target .*0.5"):
        PairConstraints.from_labels([0.5, 1.0, 2.0])


def test_two_dimensional_labels_are_refused():
    with pytest.raises(ValueError, match=r"one-dimensional.*\(2, 1\)"):
        PairConstraints.from_labels([[1], [2]])


def test_too_many_pairs_to_list_are_refused():
    with pytest.raises(ConstraintError, match="draw some of them"):
        PairConstraints.from_labels(np.arange(20_000) % 2)


# Random sampling


def test_sample_draws_the_asked_numbers_of_right_pairs(rng):
    y = rng.integers(0, 3, size=60)
    c = PairConstraints.sample(y, n_cannot_link=25, n_must_link=15, random_state=1)
    assert (c.n_cannot_link, c.n_must_link, c.n_samples) == (25, 15, 60)
    assert (y[c.must_link[:, 0]] == y[c.must_link[:, 1]]).all()
    assert (y[c.cannot_link[:, 0]] != y[c.cannot_link[:, 1]]).all()


def test_the_seed_of_a_sample_is_its_fourth_argument():
    y = np.arange(30) % 3
    by_place = PairConstraints.sample(y, 5, 5, 7)
    assert by_place == PairConstraints.sample(y, 5, 5, random_state=7)
    assert by_place != PairConstraints.sample(y, 5, 5)


def test_sample_of_all_pairs_is_from_labels(rng):
    y = np.where(rng.random(30) < 0.3, -1, rng.integers(0, 3, size=30))
    everything = PairConstraints.from_labels(y)
    drawn = PairConstraints.sample(
        y, everything.n_cannot_link, everything.n_must_link, random_state=0
    )
    assert drawn == everything


def test_sample_asking_for_too_many_says_how_many_exist():
    with pytest.raises(ConstraintError, match="n_cannot_link=5 .*the 4 that exist"):
        PairConstraints.sample([1, 1, 2, 2, -1], n_cannot_link=5)
    with pytest.raises(ConstraintError, match="n_must_link=3 .*the 2 that exist"):
        PairConstraints.sample([1, 1, 2, 2, -1], n_cannot_link=0, n_must_link=3)


def test_sample_limits_how_often_a_row_is_used(rng):
    y = rng.integers(0, 2, size=20)
    c = PairConstraints.sample(y, n_cannot_link=5, n_must_link=3, max_per_sample=1)
    rows = np.concatenate([c.must_link.ravel(), c.cannot_link.ravel()])
    assert np.bincount(rows).max() == 1
    with pytest.raises(
        ConstraintError, match="were not found within max_per_sample: 1?[0-9]"
    ):
        PairConstraints.sample(y, n_cannot_link=11, max_per_sample=1)


@pytest.mark.parametrize("seed", range(30))
def test_limited_sample_is_found_where_one_exists(seed):
    c = PairConstraints.sample(
        ["a", "b", "c", "c"], 2, max_per_sample=1, random_state=seed
    )
    assert c.n_cannot_link == 2


def test_limited_sample_of_many_rows_lists_no_pairs():
    y = np.arange(16_000) % 2
    assert PairConstraints.sample(y, 20, max_per_sample=1).n_cannot_link == 20


def test_sample_depends_on_the_seed_only(rng):
    y = rng.integers(0, 3, size=100)
    first = PairConstraints.sample(y, random_state=3)
    assert first == PairConstraints.sample(y, random_state=3)
    assert first != PairConstraints.sample(y, random_state=4)
    old = PairConstraints.sample(y, random_state=np.random.RandomState(3))
    assert old == PairConstraints.sample(y, random_state=np.random.RandomState(3))


def test_every_pair_is_equally_likely():
    y = [0, 0, 0, 1, 1]
    counts = np.zeros((5, 5))
    for seed in range(3000):
        a, b = PairConstraints.sample(
            y, n_cannot_link=1, random_state=seed
        ).cannot_link[0]
        counts[a, b] += 1
    drawn = counts[counts > 0]
    assert drawn.size == 6
    # 3000 draws of 6 pairs: 500 each, standard deviation 20.
    assert abs(drawn - 500).max() < 100


# Closure and conflicts


def test_closure_adds_what_follows():
    c = PairConstraints(must_link=[(0, 1), (1, 2), (4, 5)], cannot_link=[(2, 4)])
    closed = c.closure()
    assert_array_equal(closed.must_link, [[0, 1], [0, 2], [1, 2], [4, 5]])
    assert_array_equal(
        closed.cannot_link, [[0, 4], [0, 5], [1, 4], [1, 5], [2, 4], [2, 5]]
    )


def test_conflict_shows_the_chain():
    c = PairConstraints(must_link=[(3, 4), (4, 9), (9, 7)], cannot_link=[(7, 3)])
    (conflict,) = c.conflicts()
    assert conflict.cannot_link == (3, 7)
    assert conflict.chain == (3, 4, 9, 7)
    message = r"cannot-link \(3, 7\) contradicts the must-link chain 3 - 4 - 9 - 7"
    with pytest.raises(ConflictingConstraintsError, match=message):
        c.closure()


def naive_closure(must, cannot):
    """Apply the two rules until nothing new follows."""
    must = {frozenset(pair) for pair in must}
    cannot = {frozenset(pair) for pair in cannot}
    while True:
        more = {a ^ b for a in must for b in must if len(a & b) == 1} - must
        apart = {a ^ b for a in must for b in cannot if len(a & b) == 1} - cannot
        if not more and not apart:
            return must, cannot
        must |= more
        cannot |= apart


@given(must=PAIRS, cannot=PAIRS)
def test_closure_and_conflicts_agree_with_the_rules(must, cannot):
    must_set = {frozenset(pair) for pair in must}
    cannot = [pair for pair in cannot if frozenset(pair) not in must_set]
    c = PairConstraints(must, cannot, n_samples=N_ROWS)
    entailed_must, entailed_cannot = naive_closure(must, cannot)
    contradicted = {frozenset(pair) for pair in cannot} & entailed_must
    assert {frozenset(x.cannot_link) for x in c.conflicts()} == contradicted
    for conflict in c.conflicts():
        links = zip(conflict.chain, conflict.chain[1:], strict=False)
        assert all(frozenset(link) in must_set for link in links)
        assert {conflict.chain[0], conflict.chain[-1]} == set(conflict.cannot_link)
    if not contradicted:
        closed = c.closure()
        assert {frozenset(p) for p in closed.must_link.tolist()} == entailed_must
        assert {frozenset(p) for p in closed.cannot_link.tolist()} == entailed_cannot
        assert closed.closure() == closed


def test_groups_are_the_must_link_components():
    c = PairConstraints(must_link=[(5, 2), (2, 6), (0, 3)], n_samples=8)
    assert_array_equal(c.groups(), [0, -1, 1, 0, -1, 1, 1, -1])
    assert_array_equal(PairConstraints(n_samples=2).groups(), [-1, -1])
    assert_array_equal(PairConstraints(must_link=[(0, 2)]).groups(), [0, -1, 0])


# Subset and resolution


def test_subset_keeps_and_renumbers_inner_pairs():
    c = PairConstraints(must_link=[(0, 4)], cannot_link=[(1, 4), (2, 3)], n_samples=5)
    part = c.subset([4, 1, 2])
    assert part.n_samples == 3
    assert part.n_must_link == 0
    assert_array_equal(part.cannot_link, [[0, 1]])
    assert c.subset([False, True, True, False, True]).n_cannot_link == 1
    assert c.subset([]).n_samples == 0


def test_subset_refuses_a_row_that_occurs_twice():
    c = PairConstraints(cannot_link=[(0, 1)], n_samples=3)
    with pytest.raises(ConstraintError, match="indices must hold each row once, 0 occ"):
        c.subset([0, 1, 0])


@given(pairs=PAIRS, rows=st.permutations(range(N_ROWS)), size=st.integers(0, N_ROWS))
def test_subset_pairs_point_at_the_same_rows(pairs, rows, size):
    c = PairConstraints(cannot_link=pairs, n_samples=N_ROWS)
    kept = np.array(rows[:size], dtype=np.int64)
    found = {frozenset(kept[pair].tolist()) for pair in c.subset(kept).cannot_link}
    expected = {
        frozenset(pair) for pair in c.cannot_link.tolist() if set(pair) <= set(kept)
    }
    assert found == expected


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        ([0, 1], r"each of the 3 rows of X, got shape \(2,\); in a pipeline put the s"),
        ([0, 1, 5], "holds 5, but the constraints refer to 5 samples"),
        (["a", "b", "c"], "must be row numbers"),
    ],
)
def test_wrong_sample_ids_are_refused(ids, message):
    c = PairConstraints(cannot_link=[(0, 1)], n_samples=5)
    with pytest.raises(ConstraintError, match=f"sample_ids .*{message}"):
        c.resolve(3, ids)


def test_other_number_of_rows_is_refused_with_the_reason():
    c = PairConstraints(cannot_link=[(0, 1)], n_samples=5)
    message = "refer to 5 samples, but X has 4 rows. Inside cross-validation"
    with pytest.raises(ConstraintError, match=message):
        c.resolve(4)
    unknown = PairConstraints(cannot_link=[(0, 4)])
    with pytest.raises(ConstraintError, match=r"pair \(0, 4\) is out of range"):
        unknown.resolve(4)


# Union


def test_union_joins_pairs_of_the_same_data():
    a = PairConstraints(must_link=[(0, 1)], n_samples=4)
    b = PairConstraints(cannot_link=[(1, 2)])
    joined = a | b
    assert (joined.n_must_link, joined.n_cannot_link, joined.n_samples) == (1, 1, 4)
    with pytest.raises(ConstraintError, match="4 samples cannot be joined .* 5"):
        a | PairConstraints(n_samples=5)
    with pytest.raises(ConstraintError, match="both a must-link and a cannot-link"):
        a | PairConstraints(cannot_link=[(1, 0)])
    with pytest.raises(TypeError, match="unsupported operand"):
        a | [(0, 1)]


# Files


def test_csv_round_trip_with_row_numbers(tmp_path):
    c = PairConstraints(must_link=[(0, 1)], cannot_link=[(1, 2), (0, 3)], n_samples=4)
    c.to_csv(tmp_path / "pairs.csv")
    lines = (tmp_path / "pairs.csv").read_text().split()
    assert lines == ["a,b,link", "0,1,must", "0,3,cannot", "1,2,cannot"]
    assert PairConstraints.from_csv(tmp_path / "pairs.csv", n_samples=4) == c


def test_csv_round_trip_with_row_ids(tmp_path):
    ids = ["p 7", "x,y", 'q"', "9"]
    c = PairConstraints(must_link=[(0, 1)], cannot_link=[(2, 3)], n_samples=4)
    c.to_csv(tmp_path / "pairs.csv", ids=ids)
    assert PairConstraints.from_csv(tmp_path / "pairs.csv", ids=ids) == c


def test_ids_of_a_series_are_taken_by_position(tmp_path):
    import pandas as pd

    ids = pd.Series(["r0", "r1 ", "r2", "r3"]).iloc[[2, 0, 3, 1]]
    c = PairConstraints(cannot_link=[(0, 1), (1, 3)], n_samples=4)
    c.to_csv(tmp_path / "pairs.csv", ids=ids)
    assert (tmp_path / "pairs.csv").read_text().split()[1:] == [
        "r2,r0,cannot",
        "r0,r1,cannot",
    ]
    assert PairConstraints.from_csv(tmp_path / "pairs.csv", ids=ids) == c


@pytest.mark.parametrize(
    ("ids", "message"),
    [(["a"], "got 1 ids and a pair with row 1"), (["a", "a"], "each row once, 'a'")],
)
def test_ids_that_do_not_name_the_rows_are_not_written(tmp_path, ids, message):
    with pytest.raises(ConstraintError, match=message):
        PairConstraints(cannot_link=[(0, 1)]).to_csv(tmp_path / "pairs.csv", ids=ids)


@pytest.mark.parametrize("separator", [";", "\t"])
def test_files_of_spreadsheets_have_other_separators(tmp_path, separator):
    path = tmp_path / "pairs.csv"
    path.write_text(separator.join(["a", "b", "link\nx,1", "y", "same\n"]))
    c = PairConstraints.from_csv(path, ids=["y", "x,1", "z"])
    assert c == PairConstraints(must_link=[(0, 1)], n_samples=3)


def test_file_in_another_encoding_is_named(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_bytes("a,b,link\nä,b,must\n".encode("latin-1"))
    with pytest.raises(ConstraintError, match=r"pairs.csv is no UTF-8 text"):
        PairConstraints.from_csv(path, ids=["ä", "b"])


@pytest.mark.parametrize(
    ("text", "ids", "message"),
    [
        ("a,b\n0,1\n", None, "lacks the column 'link'"),
        ("", None, "lacks the column 'a'.*has none"),
        ("a,b,link\n0,1,maybe\n", None, "line 2: link is 'maybe', accepted are"),
        ("a,b,link\n0,1,must\n0,x,must\n", None, "line 3: 'x' is no row number"),
        ("a,b,link\n0,x,must\n", ["0", "1"], "line 2: no row .* has the id 'x'"),
        ("a,b,link\n0,1\n", None, "line 2: link is ''"),
        ("a,b,link\n0,1,must\n", ["0", "0"], "ids must name each row once, '0'"),
    ],
)
def test_unreadable_csv_names_the_line(tmp_path, text, ids, message):
    path = tmp_path / "pairs.csv"
    path.write_text(text)
    with pytest.raises(ConstraintError, match=message):
        PairConstraints.from_csv(path, ids=ids)


# Coherence


def test_coherence_by_hand():
    # The must-link 0-1 lies along the first axis; 2-3 is parallel and overlaps it,
    # 4-5 is parallel but beyond it, 0-6 is at a right angle and only touches.
    X = np.array([[0, 0], [1, 0], [0.5, 1], [2, 1], [3, 1], [4, 1], [0, 5]])
    for pair, expected in (((2, 3), 0.0), ((4, 5), 1.0), ((0, 6), 1.0)):
        c = PairConstraints(must_link=[(0, 1)], cannot_link=[pair], n_samples=7)
        assert c.coherence(X) == expected
    both = PairConstraints([(0, 1)], [(2, 3), (4, 5)], n_samples=7)
    assert both.coherence(X) == 0.5
    assert PairConstraints(cannot_link=[(0, 1)], n_samples=7).coherence(X) == 1.0


def test_coherence_agrees_with_plain_loops(rng):
    X = rng.normal(size=(20, 3)) + 100.0
    c = PairConstraints.sample(rng.integers(0, 3, size=20), 12, 9, random_state=0)

    def overlaps(a, b, c, d):
        """Whether segment a-b, projected on the line c-d, shares a stretch with c-d."""
        axis = d - c
        ends = sorted([(a - c) @ axis / (axis @ axis), (b - c) @ axis / (axis @ axis)])
        return min(ends[1], 1.0) - max(ends[0], 0.0) > 0

    n_coherent = sum(
        not overlaps(X[i], X[j], X[k], X[l]) and not overlaps(X[k], X[l], X[i], X[j])
        for i, j in c.must_link
        for k, l in c.cannot_link
    )
    assert c.coherence(X) == n_coherent / (9 * 12)


def test_coherence_refuses_other_data(rng):
    c = PairConstraints(must_link=[(0, 1)], cannot_link=[(0, 2)], n_samples=3)
    with pytest.raises(ConstraintError, match="refer to 3 samples"):
        c.coherence(rng.normal(size=(4, 2)))
    with pytest.raises(ValueError, match="rows and columns, got an array of shape"):
        c.coherence(rng.normal(size=3))
    for wrong in (np.nan, np.inf):
        with pytest.raises(ValueError, match="X contains"):
            c.coherence(np.full((3, 2), wrong))


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_coherence_does_not_depend_on_the_scale(rng, scale):
    X = rng.normal(size=(20, 3))
    c = PairConstraints.sample(rng.integers(0, 3, size=20), 12, 9, random_state=0)
    assert c.coherence(X * scale) == c.coherence(X)


# Informativeness


def test_informativeness_by_hand():
    c = PairConstraints([(0, 1), (1, 2)], [(0, 3), (2, 4)], n_samples=5)
    for clusters, expected in (
        ([0, 0, 0, 1, 1], 0.0),
        (["a", "a", "b", "a", "b"], 0.75),
        ([0, 0, 0, 0, 0], 0.5),
        # Rows in no cluster are alone: both must-links are denied.
        ([-1, -1, -1, -1, -1], 0.5),
        ([0, 0, None, None, None], 0.25),
    ):
        assert c.informativeness(clusters) == expected
    assert PairConstraints(n_samples=2).informativeness([0, 1]) == 0.0


def test_informativeness_agrees_with_plain_loops(rng):
    c = PairConstraints.sample(rng.integers(0, 3, size=30), 25, 17, random_state=0)
    clusters = rng.integers(-1, 4, size=30)
    n_denied = 0
    for a, b, link in c:
        together = clusters[a] == clusters[b] and clusters[a] != -1
        n_denied += together == (link == "cannot")
    assert c.informativeness(clusters) == n_denied / 42


def test_informativeness_refuses_other_rows():
    c = PairConstraints(must_link=[(0, 1)], cannot_link=[(0, 2)], n_samples=3)
    for wrong in ([0, 1], [0, 1, 2, 3]):
        with pytest.raises(ConstraintError, match="each of the 3 rows that the"):
            c.informativeness(wrong)
    free = PairConstraints(must_link=[(0, 4)])
    assert free.informativeness([0, 0, 0, 0, 1, 1]) == 1.0
    with pytest.raises(ConstraintError, match="each of the 5 rows that the"):
        free.informativeness([0, 0, 0])
    with pytest.raises(ConstraintError, match="clusters must be one-dimensional"):
        c.informativeness([[0], [1], [2]])


def test_a_notebook_shows_the_first_pairs():
    c = PairConstraints([("<b>1", "2")], [("2", "3")], ids=["<b>1", "2", "3"])
    table = c._repr_html_()
    assert "<caption>PairConstraints(1 must-link, 1 cannot-link" in table
    assert "<tr><td>&lt;b&gt;1</td><td>2</td><td>must</td></tr>" in table
    assert "<b>" not in table
    many = PairConstraints.from_labels(np.zeros(100, dtype=int))._repr_html_()
    assert many.count("<tr>") == 12
    assert "and 4,940 more" in many
    assert "<tr>" not in PairConstraints(n_samples=3)._repr_html_()
