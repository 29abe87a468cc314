"""IRelief as an estimator."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import ConvergenceWarning

from pairsift import ConstraintError, IRelief, PairConstraints
from pairsift.scores import irelief_score
from tests.selectors.builders import problem


@pytest.mark.parametrize(
    "parameters", [{}, {"sigma": 2.0}, {"multi_class": "nearest"}, {"tol": 0.1}]
)
def test_parameters_reach_the_score(parameters):
    X, y = problem()
    selector = IRelief(**parameters).fit(X, y)
    assert_array_equal(selector.scores_, irelief_score(X, y, **parameters))
    assert selector.n_labelled_ == 40
    assert set(selector.order_[:2]) == {1, 4}
    positive = np.maximum(selector.scores_, 0.0)
    assert_allclose(selector.weights_, positive / np.linalg.norm(positive))


def test_unlabelled_rows_are_counted_out():
    X, y = problem()
    few = np.where(np.arange(40) % 4 < 3, y, -1)
    selector = IRelief().fit(X, few)
    assert selector.n_labelled_ == 30
    expected = IRelief().fit(X[few >= 0], few[few >= 0])
    assert_array_equal(selector.scores_, expected.scores_)


def test_must_link_groups_are_classes_when_there_are_no_labels():
    X, _ = problem()
    c = PairConstraints([(0, 3), (3, 9), (1, 4)], [(0, 1)], n_samples=40)
    labels = np.full(40, -1)
    labels[[0, 3, 9]] = 0
    labels[[1, 4]] = 1
    selector = IRelief().fit(X, constraints=c)
    assert_array_equal(selector.scores_, IRelief().fit(X, labels).scores_)
    assert selector.n_constraints_used_ == 3
    assert selector.n_labelled_ == 5


def test_too_few_steps_are_told():
    X, y = problem()
    with pytest.warns(ConvergenceWarning, match="IRelief did not converge.* in step 2"):
        selector = IRelief(max_iter=2).fit(X, y)
    assert selector.n_iter_ == 2


def test_one_class_is_refused():
    X, _ = problem()
    with pytest.raises(ConstraintError, match="IRelief needs at least two classes"):
        IRelief().fit(X, np.zeros(40))
