import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from numpy.testing import assert_array_equal

from pairsift.evaluation import rank_sums
from pairsift.exceptions import DataError
from tests.reference import prototypes as reference


def test_the_rank_after_a_tie_is_left_out():
    sums = rank_sums([[0.9, 0.8, 0.8, 0.7]])

    assert sums.dtype == np.int64
    assert_array_equal(sums, [1, 2, 2, 4])


def test_a_row_of_the_published_table():
    # Salmi et al. 2020, table 5, ORL with 4 prototypes: the same order in 100 runs.
    accuracies = np.tile([0.9, 0.95, 0.7, 0.6, 0.9, 0.8], (100, 1))

    assert_array_equal(rank_sums(accuracies), [200, 100, 500, 600, 200, 400])


# Few values: most runs have ties.
@given(seed=st.integers(0, 2**32 - 1), n_methods=st.integers(1, 6))
@settings(max_examples=40, deadline=None)
def test_sums_as_in_plain_loops_for_any_order_of_runs_and_methods(seed, n_methods):
    rng = np.random.default_rng(seed)
    accuracies = rng.integers(4, size=(7, n_methods)) / 3
    methods = rng.permutation(n_methods)

    sums = rank_sums(accuracies)

    assert_array_equal(sums, reference.rank_sums(accuracies.tolist()))
    permuted = rank_sums(accuracies[rng.permutation(7)][:, methods])
    assert_array_equal(permuted, sums[methods])


def test_columns_of_a_frame_keep_their_names():
    frame = pd.DataFrame({"ours": [0.9, 0.8], "theirs": [0.7, 0.8]})

    sums = rank_sums(frame)

    pd.testing.assert_series_equal(sums, pd.Series({"ours": 2, "theirs": 3}))


@pytest.mark.parametrize(
    ("accuracies", "message"),
    [
        ([[0.5, np.nan]], "accuracies must be a matrix of finite numbers.*NaN"),
        ([0.5, 0.6], "accuracies must be a matrix"),
        (np.zeros((0, 2)), "accuracies must be .*0 sample"),
        ([["a", "b"]], "accuracies must be a matrix of finite numbers"),
    ],
)
def test_bad_input_is_named(accuracies, message):
    with pytest.raises(DataError, match=message):
        rank_sums(accuracies)


def test_accuracies_equal_up_to_rounding_are_tied():
    assert rank_sums([[0.1 + 0.2, 0.3]]).tolist() == [1, 1]
