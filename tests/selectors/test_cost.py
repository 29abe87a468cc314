"""Estimates of time, and results that do not depend on how the work is cut."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.dummy import DummyClassifier

import pairsift
from pairsift import estimate_seconds
from pairsift._kernels import watching
from pairsift.selectors._cost import Problem, seconds_of
from tests.selectors.builders import SELECTORS, build, fit_arguments, problem


@pytest.mark.parametrize("name", SELECTORS)
def test_an_estimate_grows_with_the_problem(name):
    selector = build(name)
    seconds = estimate_seconds(selector, 1000, 100, n_jobs=2)

    assert 0.0 < seconds < np.inf
    assert estimate_seconds(selector, 4000, 100, n_jobs=2) > seconds
    assert estimate_seconds(selector, 1000, 400, n_jobs=2) > seconds
    assert estimate_seconds(selector, 1000, 100, n_jobs=1) >= seconds


def test_data_in_the_place_of_its_shape_are_refused_with_the_right_call():
    X, y = problem()
    with pytest.raises(TypeError, match=r"write estimate_seconds\(selector, \*X.shape"):
        estimate_seconds(pairsift.ReliefF(), X, y)


@pytest.mark.parametrize(
    ("selector", "rows", "columns"),
    [
        (pairsift.VarianceScore(), 4, 4),
        (pairsift.ReliefF(), 16, 4),
        (pairsift.ReliefF(max_samples=100), 4, 4),
        (pairsift.NearestNeighborForward(), 16, 16),
        (pairsift.NearestNeighborForward(1), 16, 4),
    ],
    ids=str,
)
def test_four_times_the_rows_or_columns_take(selector, rows, columns):
    seconds = estimate_seconds(selector, 10_000, 1000)
    of_rows = estimate_seconds(selector, 40_000, 1000)
    of_columns = estimate_seconds(selector, 10_000, 4000)

    assert of_rows / seconds == pytest.approx(rows, rel=0.02)
    assert of_columns / seconds == pytest.approx(columns, rel=0.02)


def test_pairs_count_where_pairs_are_learned_from():
    selector = pairsift.SimbaSc()
    few = estimate_seconds(selector, 1000, 10, n_pairs=100)

    assert estimate_seconds(selector, 1000, 10, n_pairs=300) == pytest.approx(3 * few)
    # All pairs of labelled rows.
    every = estimate_seconds(selector, 1000, 10, n_pairs=20 * 19 // 2)
    assert estimate_seconds(selector, 1000, 10, n_labelled=20) == pytest.approx(every)


def test_an_ensemble_takes_as_long_as_its_members():
    members = [pairsift.ReliefF(n_jobs=1), pairsift.VarianceScore()]
    total = sum(estimate_seconds(member, 500, 50) for member in members)

    assert estimate_seconds(pairsift.RankEnsemble(members), 500, 50) == total


def test_an_estimator_of_others_counts_nothing():
    assert seconds_of(DummyClassifier(), Problem(10, 10, 10, 45, 2, 1)) == 0.0


def test_a_wrong_parameter_is_refused_as_by_fit():
    with pytest.raises(ValueError, match="'max_samples' parameter of ReliefF"):
        estimate_seconds(pairsift.ReliefF(max_samples="many"), 100, 10)


@pytest.mark.parametrize(
    "name", ["ReliefF", "MultiSURF", "RReliefF", "LaplacianScore", "Simba", "MRMR"]
)
def test_estimates_agree_with_what_kernels_report(name):
    X, y = problem(n_samples=500, n_features=20)
    told = []
    with watching(told.append):
        build(name).fit(X, X[:, 0] if name == "RReliefF" else y)
    estimate = 1e9 * estimate_seconds(build(name), *X.shape, n_classes=3, n_jobs=1)

    # The bar of the command line is drawn from both.
    assert 0.2 * estimate < sum(told) < 5.0 * estimate


@pytest.mark.slow
@pytest.mark.parametrize("name", SELECTORS)
def test_watching_and_short_parts_change_no_bit(name, monkeypatch):
    X, y = problem()
    arguments = fit_arguments(name, y)
    expected = build(name).fit(X, **arguments).scores_
    monkeypatch.setattr("pairsift._kernels._jit.PART_COST", 1e-3)
    for n_jobs in (1, 3) if "n_jobs" in build(name).get_params() else (None,):
        options = {} if n_jobs is None else {"n_jobs": n_jobs}
        with watching(lambda cost: None):
            actual = build(name, **options).fit(X, **arguments).scores_
        assert_array_equal(actual, expected)
