"""Simba as an estimator."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from pairsift import PairConstraints, Simba
from pairsift.scores import simba_score
from tests.selectors.builders import problem


@pytest.mark.parametrize("parameters", [{}, {"n_starts": 2}, {"step": 0.5}])
def test_parameters_reach_the_score(parameters):
    X, y = problem()
    selector = Simba(random_state=3, **parameters).fit(X, y)
    expected = simba_score(X, y, random_state=3, **parameters)
    assert_array_equal(selector.scores_, expected)
    assert selector.n_labelled_ == 40


def test_columns_that_tell_the_classes_are_best():
    X, y = problem(n_samples=120)
    assert set(Simba(random_state=0).fit(X, y).order_[:2]) == {1, 4}


def test_text_and_missing_values_are_taken():
    X, y = problem()
    frame = pd.DataFrame(X).rename(columns=str)
    frame["colour"] = np.where(y == 1, "red", "blue")
    frame.loc[3, "0"] = np.nan
    for missing in ("probability", "ignore"):
        selector = Simba(missing=missing, random_state=0).fit(frame, y)
        assert selector.get_feature_names_out()[selector.order_[0]] == "colour"


def test_must_link_groups_are_classes_when_there_are_no_labels():
    X, _ = problem()
    c = PairConstraints([(0, 3), (3, 9), (1, 4)], [(0, 1)], n_samples=40)
    labels = np.full(40, -1)
    labels[[0, 3, 9]] = 0
    labels[[1, 4]] = 1
    selector = Simba(random_state=0).fit(X, constraints=c)
    expected = Simba(random_state=0).fit(X, labels).scores_
    assert_array_equal(selector.scores_, expected)
    assert (selector.n_constraints_used_, selector.n_labelled_) == (3, 5)
