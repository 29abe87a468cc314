"""What must not change scores: order, units, threads, the form of the data."""

import numba
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.selectors.builders import (
    SELECTORS,
    build,
    each_selector,
    each_selector_that,
    each_way_to_fit,
    fit_arguments,
    problem,
)
from tests.selectors.promises import (
    COLUMN_ORDER,
    ROW_ORDER,
    SUBSET_SEARCH,
    TIES_BY_ROW,
    UNITS,
)


@each_selector_that(lambda name: name not in COLUMN_ORDER)
def test_permuting_columns_permutes_scores(name, rng):
    X, y = problem()
    order = rng.permutation(6)
    arguments = fit_arguments(name, y)
    expected = build(name).fit(X, **arguments).scores_[order]
    actual = build(name).fit(X[:, order], **arguments).scores_
    # The same terms summed in another order: a few units in the last place.
    assert_allclose(actual, expected, rtol=1e-9, atol=1e-12)


def assert_rows_have_no_order(name, X, y, order):
    """Fit the rows as they are and in another order: the scores are the same."""
    arguments = fit_arguments(name, y)
    expected = build(name).fit(X, **arguments).scores_
    if "y" in arguments:
        arguments = {"y": arguments["y"][order]}
    if "constraints" in arguments:
        arguments = {"constraints": arguments["constraints"].subset(order)}
    actual = build(name).fit(X[order], **arguments).scores_
    assert_allclose(actual, expected, rtol=1e-9, atol=1e-11)


@each_selector_that(lambda name: name not in ROW_ORDER)
def test_permuting_rows_changes_nothing(name, rng):
    X, y = problem()
    assert_rows_have_no_order(name, X, y, rng.permutation(len(X)))


@each_selector_that(lambda name: name not in ROW_ORDER | TIES_BY_ROW)
def test_permuting_tied_rows_changes_nothing(name, rng):
    """Thirds, in which many rows are equally far from each other, and copies."""
    X, y = problem()
    X = np.round(X) / 3.0
    X[30:] = X[:10]
    assert_rows_have_no_order(name, X, y, rng.permutation(len(X)))


@each_selector_that(lambda name: name in UNITS)
def test_units_matter_where_the_table_of_promises_says_so(name, rng):
    """Those of the others do not, see `test_units.py`."""
    X, y = problem()
    arguments = fit_arguments(name, y)
    expected = build(name).fit(X, **arguments).scores_
    other = X * rng.uniform(0.01, 100, size=6) + rng.normal(size=6)
    actual = build(name).fit(other, **arguments).scores_
    assert not np.allclose(actual, expected, rtol=1e-8, atol=1e-11)


@pytest.mark.slow  # all together
@each_selector_that(lambda name: "n_jobs" in SELECTORS[name]().get_params())
def test_any_number_of_threads_gives_equal_bits(name):
    uncompiled = SUBSET_SEARCH | {"IRelief", "LogisticIRelief", "Simba"}
    if name in uncompiled and numba.config.DISABLE_JIT:
        pytest.skip("a search over so many rows takes hours without compiled loops")
    # More than one block of 256 rows, each of which is cut for the threads.
    X, y = problem(n_samples=300, n_features=20)
    arguments = fit_arguments(name, y)
    results = [
        build(name, n_jobs=n_jobs).fit(X, **arguments).scores_
        for n_jobs in (1, 5, None)
    ]
    for result in results[1:]:
        assert_array_equal(result, results[0])


@pytest.mark.slow
@each_selector
def test_memory_form_of_the_data_does_not_matter(name):
    X, y = problem()
    # Eighths are exact in single precision: rounding the values moves no neighbour.
    X = np.round(8 * X) / 8
    arguments = fit_arguments(name, y)
    expected = build(name).fit(X, **arguments).scores_
    read_only = X.copy()
    read_only.setflags(write=False)
    for data in (X.astype(np.float32), np.asfortranarray(X), read_only):
        before = data.copy()
        scores = build(name).fit(data, **arguments).scores_
        assert scores.dtype == np.float64
        assert_allclose(scores, expected, rtol=1e-12)
        assert_array_equal(data, before)


@each_way_to_fit
def test_lists_are_data(name):
    X, y = problem()
    arguments = fit_arguments(name, y)
    expected = build(name).fit(X, **arguments).scores_
    assert_array_equal(build(name).fit(X.tolist(), **arguments).scores_, expected)
