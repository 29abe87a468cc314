"""PearsonScore as an estimator."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from pairsift import ConstraintError, PairConstraints, PearsonScore
from pairsift.scores import pearson_score
from tests.selectors.builders import problem


def test_labels_reach_the_score():
    X, y = problem()
    few = np.where(np.arange(40) % 4 < 3, y, -1)
    selector = PearsonScore(2).fit(X, few)
    assert_array_equal(selector.scores_, pearson_score(X, few))
    assert_array_equal(selector.get_support(indices=True), [1, 4])
    assert selector.n_constraints_used_ == 0


def test_must_link_groups_are_classes_when_there_are_no_labels():
    X, _ = problem()
    c = PairConstraints([(0, 3), (3, 9), (1, 4)], [(0, 1)], n_samples=40)
    selector = PearsonScore().fit(X, constraints=c)
    assert_array_equal(selector.scores_, pearson_score(X, c.groups()))
    assert selector.n_constraints_used_ == 3


def test_one_class_is_refused():
    X, _ = problem()
    with pytest.raises(
        ConstraintError, match="PearsonScore needs at least two classes"
    ):
        PearsonScore().fit(X, np.zeros(40))
