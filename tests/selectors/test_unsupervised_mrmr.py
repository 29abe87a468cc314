"""UnsupervisedMRMR as an estimator."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from pairsift import UnsupervisedMRMR
from pairsift.scores import unsupervised_mrmr_path
from tests.selectors.builders import problem


@pytest.mark.parametrize(("wanted", "n_steps"), [(None, 6), (4, 4), (0.5, 3), (1, 1)])
def test_order_and_values_are_those_of_the_path(wanted, n_steps):
    X, _ = problem()
    selector = UnsupervisedMRMR(wanted).fit(X)
    order, values = unsupervised_mrmr_path(X, n_features=n_steps)
    assert_array_equal(selector.order_, order)
    assert_array_equal(selector.path_scores_, values[:n_steps])
    assert_array_equal(np.sort(order[:n_steps]), selector.get_support(indices=True))


def test_scores_are_0_for_noise_and_below_1(rng):
    X = rng.normal(size=(100, 3))
    X = np.column_stack([X, X[:, :2] + 0.1 * rng.normal(size=(100, 2))])
    X = np.column_stack([X, np.ones(100)])
    scores = UnsupervisedMRMR().fit(X).scores_
    assert 0.5 < scores.max() < 1.0
    assert scores[5] == 0.0
    assert scores[2] < 0.01


@pytest.mark.parametrize("seed", range(5))
def test_a_coin_flip_and_an_outlier_come_after_what_goes_together(seed):
    rng = np.random.default_rng(seed)
    y = np.arange(120) % 3
    X = rng.normal(size=(120, 4)) + 2.0 * rng.normal(size=(3, 4))[y]
    coin = rng.integers(0, 2, 120)
    outlier = rng.normal(size=120)
    outlier[0] = 1e6
    selector = UnsupervisedMRMR().fit(np.column_stack([coin, X, outlier]))
    assert set(selector.order_[-2:]) == {0, 5}


def test_text_columns_are_categories(rng):
    X = pd.DataFrame({"a": rng.normal(size=60), "noise": rng.normal(size=60)})
    X["kind"] = np.where(X["a"] > 0, "high", "low")
    selector = UnsupervisedMRMR(1).fit(X)
    assert selector.get_feature_names_out().tolist() != ["noise"]
    numbers = X.assign(kind=(X["kind"] == "high").astype(float))
    again = UnsupervisedMRMR(1, categorical_features=["kind"]).fit(numbers)
    assert_array_equal(again.scores_, selector.scores_)


@pytest.mark.parametrize("shape", [(20, 4000), (4000, 20)])
def test_neither_all_pairs_of_rows_nor_of_columns_are_stored(shape, rng):
    X = rng.normal(size=shape)
    tracemalloc.start()
    UnsupervisedMRMR(5).fit(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 30 * X.nbytes < 4000 * 4000 * 8
