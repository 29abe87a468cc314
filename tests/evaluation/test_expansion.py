import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from pairsift.datasets import load
from pairsift.evaluation import draw_prototypes, first_rows_split, must_link_expansion
from pairsift.exceptions import DataError
from tests.reference import prototypes as reference


def rates(found):
    return found.nml, found.cnml, found.n_must_link, found.n_expanded


def test_rates_by_hand():
    # Row 2 goes to class 0 though it is of class 1, row 3 to class 1.
    X = [[0.0], [1.0], [2.0], [8.0], [9.0]]

    found = must_link_expansion(X, [0, 0, -1, -1, 1], [0, 0, 1, 1, 1])

    # M: (0, 1). M^SS: the pairs of 0, 1, 2 and the pair (3, 4), of which three are new
    # and one of these right; all of them both ways.
    assert rates(found) == (4.0, 1 / 3, 2, 8)
    assert_array_equal(found.classes, [0, 0, 0, 1, 1])


# Small integers make ties and duplicates; prototypes may be labelled wrongly.
@given(
    seed=st.integers(0, 2**32 - 1),
    n_features=st.integers(1, 3),
    is_tied=st.booleans(),
    is_noisy=st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_rates_as_in_plain_loops(seed, n_features, is_tied, is_noisy):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(18) % 3)
    X = rng.normal(size=(18, n_features)) + y[:, np.newaxis]
    X = X.round() if is_tied else X
    labels = draw_prototypes(y, rng.integers(2, 7), rng)
    truth = rng.permutation(y) if is_noisy else y

    found = must_link_expansion(X, labels, truth)

    assert_allclose(
        rates(found), reference.must_link_expansion(X, labels, truth), rtol=1e-14
    )
    assert_array_equal(
        found.classes, reference.nearest_prototype_classes(X, labels.tolist())
    )


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=20, deadline=None)
def test_permuting_rows_changes_no_rate(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(20, 2)), np.arange(20) % 2
    labels, rows = draw_prototypes(y, 2, rng), rng.permutation(20)

    permuted = must_link_expansion(X[rows], labels[rows], y[rows])

    assert rates(permuted) == rates(must_link_expansion(X, labels, y))


def test_without_new_must_links_their_rate_is_not_a_number():
    found = must_link_expansion([[0.0], [1.0]], [0, 0], [0, 0])

    assert found.nml == 1.0
    assert math.isnan(found.cnml)


def test_equal_prototypes_of_two_classes_stay_apart():
    found = must_link_expansion(np.zeros((4, 1)), [0, 0, 1, 1], [0, 0, 1, 1])

    assert (found.nml, found.n_expanded) == (1.0, 4)


def test_labels_may_be_text_and_tables_frames():
    X = pd.DataFrame({"x": [0.0, 1.0, 2.0, 9.0]})

    found = must_link_expansion(
        X, ["a", "a", None, "b"], pd.Series(["a", "a", "a", "b"], dtype="category")
    )

    assert rates(found) == (3.0, 1.0, 2, 6)
    assert found.classes.tolist() == ["a", "a", "a", "b"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"y_prototypes": [0, 1, -1]}, "two prototypes of one class, got 2 of 2 class"),
        ({"y_prototypes": [-1, -1, -1]}, "y_prototypes must hold at least one label"),
        ({"y_prototypes": [0, 0]}, r"y_prototypes must hold one .* 3 rows of X, .*\(2"),
        ({"y_prototypes": [0.5, 0.5, 1]}, "y_prototypes must hold class labels"),
        ({"y_true": [0, 1]}, r"y_true must hold one label for each of the 3 rows of X"),
        ({"y_true": [0, 1, None]}, "y_true must hold no missing labels, got 1"),
        ({"X": [[np.nan], [0.0], [1.0]]}, "X must be a matrix of finite numbers"),
    ],
)
def test_bad_input_is_named(changes, message):
    arguments = {"X": np.eye(3), "y_prototypes": [0, 0, -1], "y_true": [0, 0, 1]}

    with pytest.raises(DataError, match=message):
        must_link_expansion(**arguments | changes)


@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("name", "fraction", "nml", "cnml"),
    [
        ("wbcd", 0.599, 7956.2, 0.8647),
        ("wdbc", 0.66, 6392.0, 0.8094),
        ("dermatology", 0.5, 174.4, 0.8504),
    ],
)
def test_published_rates_of_three_prototypes(name, fraction, nml, cnml, shared_data):
    # Table 4 of Salmi et al. 2020, means of 100 draws, as these; either mean of CNML
    # has a standard error of 0.006, and of NML one of 0.4 to 0.8 %.
    data = load(name, data_dir=shared_data)
    X = np.where(np.isnan(data.data), np.nanmean(data.data, axis=0), data.data)
    X = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    rows, _ = first_rows_split(data.target, fraction)
    X, y = X[rows], data.target[rows]

    found = [must_link_expansion(X, draw_prototypes(y, 3, s), y) for s in range(100)]

    assert_allclose(np.mean([draw.nml for draw in found]), nml, rtol=0.03)
    assert_allclose(np.mean([draw.cnml for draw in found]), cnml, rtol=0, atol=0.025)


def test_truth_has_to_be_whole(rng):
    X, y = rng.random((12, 2)), np.arange(12) % 2
    prototypes = np.where(np.arange(12) < 4, y, -1)
    with pytest.raises(DataError, match="class of every row, got 8 rows without one"):
        must_link_expansion(X, prototypes, prototypes)
