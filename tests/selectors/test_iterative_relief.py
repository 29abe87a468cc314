"""IterativeRelief as an estimator."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import ConvergenceWarning

from pairsift import ConstraintError, IterativeRelief, PairConstraints
from pairsift.scores import iterative_relief_score
from tests.selectors.builders import problem


@pytest.mark.parametrize(
    "parameters", [{}, {"radius": 3.0}, {"missing": "ignore"}, {"tol": 0.1}]
)
def test_parameters_reach_the_score(parameters):
    X, y = problem()
    X[:, 3] = np.round(X[:, 3])
    X[5, 0] = np.nan
    selector = IterativeRelief(categorical_features=[3], **parameters).fit(X, y)
    mask = np.arange(6) == 3
    expected = iterative_relief_score(X, y, is_categorical=mask, **parameters)
    assert_array_equal(selector.scores_, expected)
    assert selector.n_labelled_ == 40
    assert set(selector.order_[:2]) == {1, 4}
    positive = np.maximum(selector.scores_, 0.0)
    assert_allclose(selector.weights_, positive / np.linalg.norm(positive))


def test_unlabelled_rows_are_counted_out():
    X, y = problem()
    few = np.where(np.arange(40) % 4 < 3, y, -1)
    selector = IterativeRelief().fit(X, few)
    assert selector.n_labelled_ == 30
    expected = IterativeRelief().fit(X[few >= 0], few[few >= 0])
    assert_array_equal(selector.scores_, expected.scores_)


def test_must_link_groups_are_classes_when_there_are_no_labels():
    X, _ = problem()
    c = PairConstraints([(0, 3), (3, 9), (1, 4)], [(0, 1)], n_samples=40)
    labels = np.full(40, -1)
    labels[[0, 3, 9]] = 0
    labels[[1, 4]] = 1
    selector = IterativeRelief().fit(X, constraints=c)
    expected = IterativeRelief().fit(X, labels)
    assert_array_equal(selector.scores_, expected.scores_)
    assert selector.n_constraints_used_ == 3
    assert selector.n_labelled_ == 5


def test_too_few_steps_are_told():
    X, y = problem()
    with pytest.warns(ConvergenceWarning, match="Relief did not converge.* in step 2"):
        selector = IterativeRelief(max_iter=2).fit(X, y)
    assert selector.n_iter_ == 2


def test_column_that_separates_the_classes_is_the_best():
    # In the weighted space the classes are far from each other, and still met.
    X, y = problem()
    X[:, 2] = y
    selector = IterativeRelief().fit(X, y)
    assert selector.order_[0] == 2


def test_one_class_is_refused():
    X, _ = problem()
    with pytest.raises(ConstraintError, match="IterativeRelief needs at least two cla"):
        IterativeRelief().fit(X, np.zeros(40))
