"""Mean ranks over data sets: by Demšar's example, by SciPy, and at their edges."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.stats import f, friedmanchisquare

from pairsift.evaluation import critical_difference
from pairsift.exceptions import DataError


def test_published_critical_values():
    # Demšar 2006, table 5a: q at 0.05 is 1.960 for two and 2.569 for four methods.
    rng = np.random.default_rng(0)
    for n_methods, q in ((2, 1.960), (4, 2.569), (10, 3.164)):
        found = critical_difference(rng.random((14, n_methods)))
        expected = q * np.sqrt(n_methods * (n_methods + 1) / (6 * 14))
        assert_allclose(found.distance, expected, rtol=5e-4)


def test_ranks_by_hand():
    table = pd.DataFrame(
        {"a": [0.5, 0.5, 0.9], "b": [0.7, 0.5, 0.8], "c": [0.6, 0.4, 0.7]}
    )
    found = critical_difference(table)
    # Ranks 3 1 2, then 1.5 1.5 3, then 1 2 3.
    assert found.names == ("b", "a", "c")
    assert_allclose(found.mean_ranks, [4.5 / 3, 5.5 / 3, 8 / 3])
    assert found.n_runs == 3


def test_p_value_is_that_of_iman_and_davenport():
    rng = np.random.default_rng(1)
    accuracies = rng.random((8, 4)).round(1)  # with ties
    chi2 = friedmanchisquare(*accuracies.T).statistic
    statistic = 7 * chi2 / (8 * 3 - chi2)
    expected = f.sf(statistic, 3, 3 * 7)
    assert_allclose(critical_difference(accuracies).p_value, expected, rtol=1e-10)


def test_equal_methods_do_not_differ():
    found = critical_difference(np.ones((5, 3)))
    assert found.p_value == 1.0
    assert found.groups == [("x0", "x1", "x2")]


def test_a_method_that_always_wins():
    found = critical_difference(np.tile([0.9, 0.1], (50, 1)))
    assert found.p_value == 0.0
    assert found.groups == [("x0",), ("x1",)]


def test_groups_overlap():
    # Ranks 1 2 3 and 2 2 2: means 1.5, 2.0 and 2.5; for 40 rows the distance is 0.52.
    table = pd.DataFrame([[3, 2, 1], [1, 1, 1]] * 20, columns=["a", "b", "c"])
    found = critical_difference(table)
    assert_allclose(found.mean_ranks, [1.5, 2.0, 2.5])
    assert 0.5 < found.distance < 1.0
    assert found.groups == [("a", "b"), ("b", "c")]


@pytest.mark.parametrize(
    ("accuracies", "message"),
    [
        ([[0.1, 0.2]], "at least two rows .* got 1 and 2"),
        ([[0.1], [0.2]], "two columns .* got 2 and 1"),
        ([[0.1, np.nan], [0.2, 0.3]], "accuracies must be a matrix of finite numbers"),
    ],
)
def test_what_cannot_be_compared_is_refused(accuracies, message):
    with pytest.raises(DataError, match=message):
        critical_difference(accuracies)


def test_alpha_is_a_probability():
    with pytest.raises(DataError, match="alpha must be above 0 and below 1, got 5"):
        critical_difference([[0.1, 0.2], [0.1, 0.2]], alpha=5)
