"""Labels: which rows have one, and what looks wrong about them."""

import warnings

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from pairsift import ConstraintError, PairConstraints
from pairsift.constraints import PileNumbers, encode_labels, read_labels


@pytest.mark.parametrize(
    ("y", "missing_label", "codes"),
    [
        ([-1, 1, -1], None, [0, 1, 0]),
        (np.array([-1, 1, -1]), np.nan, [0, 1, 0]),
        (np.array([-1.0, 1.0, np.nan]), None, [0, 1, -1]),
        ([-1, 0, 1, None], 0, [0, -1, 1, -1]),
        (np.array([2, 3, 2]), 3, [0, -1, 0]),
        (["a", "?", "b", ""], "?", [0, -1, 1, -1]),
        (["a", "auto", "-1"], -1, [1, 2, 0]),
        (np.array([0, 1, -1]), "auto", [0, 1, -1]),
        (np.array([0, 1, -1]), "?", [1, 2, 0]),
        (pd.Series([7, None, 9], dtype="Int64"), 7, [-1, -1, 0]),
    ],
)
def test_the_missing_label_alone_means_unlabelled(y, missing_label, codes):
    assert_array_equal(encode_labels(y, missing_label)[0], codes)


def test_minus_one_is_a_class_of_pairs_when_told_so():
    y = [-1, 1, 1, -1]
    expected = PairConstraints.from_labels(["no", "yes", "yes", "no"])
    assert PairConstraints.from_labels(y, missing_label=None) == expected
    sampled = PairConstraints.sample(y, 4, missing_label=None)
    assert_array_equal(sampled.cannot_link, expected.cannot_link)


@pytest.mark.parametrize(
    ("y", "n_marked"),
    [([1, -1, 1], 1), ([1.0, -1.0, -1.0], 2), ([0, 1, 1, -1], 1), ([True, -1, 0], 1)],
    ids=["one class", "floats", "three values", "a boolean"],
)
def test_minus_one_that_may_be_a_class_is_counted(y, n_marked):
    said = f"-1 in {n_marked} of {len(y)} rows.*pass missing_label=None"
    with pytest.warns(UserWarning, match=said):
        read_labels(y)
    with pytest.warns(UserWarning, match=said):
        PairConstraints.from_labels(y)


@pytest.mark.parametrize(
    "y",
    [[0, 1, -1, -1], [0, 1, 2, -1], ["a", "b", -1], [0, -1, 0], [0, 1, None]],
    ids=["mostly", "other classes", "text", "one class 0", "none"],
)
def test_minus_one_that_means_unlabelled_is_taken_so(y):
    read_labels(y)


def test_a_missing_label_given_is_not_doubted():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert_array_equal(read_labels([1, -1, 1], -1)[0], [0, -1, 0])
        assert_array_equal(read_labels([1, -1, 1], None)[0], [1, 0, 1])


@pytest.mark.parametrize("y", [["a", 1, "b"], np.array([1, "x", 2.0], dtype=object)])
def test_text_among_numbers_is_refused(y):
    with pytest.raises(ValueError, match="y mixes text such as .* with other labels"):
        encode_labels(y)


def test_a_label_of_its_own_for_each_row_is_said():
    with pytest.warns(UserWarning, match="each of the 9 rows has a label of its own"):
        read_labels(np.arange(9))
    # One labelled row of each class is what somebody with little time has.
    read_labels(["a", "b", "c", "d", None])


@pytest.mark.parametrize("empty", [np.nan, None, pd.NA], ids=["nan", "None", "<NA>"])
def test_a_missing_label_that_became_text_is_told(empty):
    y = np.array(["a", "b", empty, empty, "a"], dtype=object)
    assert_array_equal(read_labels(y)[0], [0, 1, -1, -1, 0])
    text = y.astype(str)
    said = f"text '{empty}' in 2 of 5 rows.*pass missing_label='{empty}' if"
    with pytest.warns(UserWarning, match=said):
        codes, _ = read_labels(text)
    assert codes.min() == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert_array_equal(read_labels(text, str(empty))[0], [0, 1, -1, -1, 0])
        assert_array_equal(read_labels(text, None)[0], codes)


def test_classes_that_differ_in_case_or_spaces_only_are_told():
    y = ["yes", "no", "No", "yes "] * 2
    with pytest.warns(UserWarning, match="'No' and 'no', which differ in case") as told:
        classes = read_labels(y)[1]
    assert len(told) == 1
    assert classes.size == 4
    assert read_labels(["yes", "no", "nope", "yes"])[1].size == 3


@pytest.mark.filterwarnings("ignore:y holds -1")
def test_too_few_pairs_of_minus_one_and_one_name_the_reading():
    y = np.where(np.arange(40) % 2, 1, -1)
    said = (
        r"the 0 that exist .* -1 in 20 of 40 rows was read as 'no label', which leaves "
        "one class: if -1 is a class, pass missing_label=None, or code the classes as "
        r"0 and 1\.$"
    )
    with pytest.raises(ConstraintError, match=said):
        PairConstraints.sample(y)
    with pytest.raises(ConstraintError, match=r"the 20 labelled rows\.$"):
        PairConstraints.sample(y, missing_label=-1)


def test_too_few_pairs_of_other_labels_do_not_name_minus_one():
    with pytest.raises(ConstraintError, match=r"the 3 labelled rows\.$"):
        PairConstraints.sample([5, 6, 7, -1], 9)


def test_a_session_of_one_pile_has_no_cannot_link():
    y = np.array([-1, 1, 1, -1])
    with pytest.warns(UserWarning, match="-1 in 2 of 4 rows"):
        pairs = PairConstraints.from_labels(y)
    assert pairs.n_cannot_link == 0
    assert pairs.must_link.tolist() == [[1, 2]]


def test_numbers_of_piles_are_not_doubted():
    y = np.array([0, 1, 1, 0, -1]).view(PileNumbers)
    assert_array_equal(read_labels(y)[0], [0, 1, 1, 0, -1])
    # Rows of a fold are numbers of piles, too.
    assert_array_equal(read_labels(y[[1, 2, 4]])[0], [0, 0, -1])
    assert type(y + 1) is np.ndarray
    assert isinstance(y.max(), np.integer)
    assert repr(y) == "array([ 0,  1,  1,  0, -1])"


def test_many_different_numbers_are_told_to_be_a_target():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 60, 178)
    y[:9] = -1
    n_classes = np.unique(y[9:]).size
    said = f"{n_classes} different numbers in 169 labelled rows.*take RReliefF"
    with pytest.warns(UserWarning, match=said):
        read_labels(y)
    with pytest.warns(UserWarning, match=said):
        read_labels(np.where(y < 0, np.nan, y))


@pytest.mark.parametrize(
    "y",
    [np.arange(400) % 21, np.arange(40) % 20, [f"class {i % 30}" for i in range(60)]],
    ids=["few for the rows", "twenty", "text"],
)
def test_many_rows_of_each_class_or_few_classes_are_no_target(y):
    assert read_labels(y)[1].size >= 20


@pytest.mark.parametrize("word", ["-1", "-1.0", " -1", "nan"])
@pytest.mark.parametrize("form", [list, np.array, pd.Series, pd.Categorical])
def test_words_for_no_label_are_doubted(word, form):
    y = form([word] * 8 + ["0"] * 2 + ["1"] * 2)
    expected = f"y holds the text {word!r} in 8 of 12 rows, taken as a class"
    with pytest.warns(UserWarning, match=expected):
        PairConstraints.from_labels(y)
    few = PairConstraints.from_labels(y, missing_label=word)
    assert (few.n_must_link, few.n_cannot_link) == (2, 4)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        PairConstraints.from_labels(y, missing_label=None)
