"""LogisticIRelief and SemiLogisticIRelief as estimators."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import ConvergenceWarning

from pairsift import (
    ConstraintError,
    LogisticIRelief,
    PairConstraints,
    SemiLogisticIRelief,
)
from pairsift.scores import logistic_irelief_score, semi_logistic_irelief_score
from pairsift.selectors import find_method
from tests.selectors.builders import problem

both = pytest.mark.parametrize("selector_class", [LogisticIRelief, SemiLogisticIRelief])


@pytest.mark.parametrize(
    "parameters",
    [{}, {"sigma": 3.0}, {"alpha": 4.0}, {"multi_class": "prior"}, {"tol": 0.1}],
)
def test_parameters_reach_the_score(parameters):
    X, y = problem()
    selector = LogisticIRelief(**parameters).fit(X, y)
    assert_array_equal(selector.scores_, logistic_irelief_score(X, y, **parameters))
    default = LogisticIRelief().fit(X, y)
    assert (selector.scores_ != default.scores_).any() == bool(parameters)
    assert selector.n_labelled_ == 40
    assert set(selector.order_[:2]) == {1, 4}
    has_weight = selector.weights_ > 0.0
    assert_array_equal(selector.scores_[has_weight], selector.weights_[has_weight])
    assert_array_equal(selector.scores_ > 0.0, has_weight)


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"sigma": 3.0},
        {"alpha": 4.0},
        {"beta": 0.5},
        {"rho": 2.0},
        {"multi_class": "nearest-neighbor"},
        {"tol": 0.1},
    ],
)
def test_parameters_reach_the_semi_supervised_score(parameters):
    X, y = problem(n_samples=90)
    few = np.where(np.arange(90) % 5 < 2, y, -1)
    selector = SemiLogisticIRelief(**parameters).fit(X, few)
    expected = semi_logistic_irelief_score(X, few, **parameters)
    assert_array_equal(selector.scores_, expected)
    default = SemiLogisticIRelief().fit(X, few)
    assert (selector.scores_ != default.scores_).any() == bool(parameters)
    assert selector.n_labelled_ == 36
    assert set(selector.order_[:2]) == {1, 4}


def test_unlabelled_rows_matter_to_one_of_them():
    X, y = problem()
    few = np.where(np.arange(40) % 4 < 3, y, -1)
    selector = LogisticIRelief().fit(X, few)
    assert selector.n_labelled_ == 30
    expected = LogisticIRelief().fit(X[few >= 0], few[few >= 0]).scores_
    assert_array_equal(selector.scores_, expected)
    semi = SemiLogisticIRelief().fit(X, few)
    assert (semi.weights_ != selector.weights_).any()
    whole = SemiLogisticIRelief().fit(X, y)
    assert_array_equal(whole.scores_, LogisticIRelief().fit(X, y).scores_)


@both
def test_must_link_groups_are_classes_when_there_are_no_labels(selector_class):
    X, _ = problem()
    c = PairConstraints([(0, 3), (3, 9), (1, 4)], [(0, 1)], n_samples=40)
    labels = np.full(40, -1)
    labels[[0, 3, 9]] = 0
    labels[[1, 4]] = 1
    selector = selector_class().fit(X, constraints=c)
    assert_array_equal(selector.scores_, selector_class().fit(X, labels).scores_)
    assert selector.n_constraints_used_ == 3
    assert selector.n_labelled_ == 5


@both
def test_too_few_steps_are_told(selector_class):
    X, y = problem()
    y = np.where(np.arange(40) % 4 < 3, y, -1)
    name = selector_class.__name__
    with pytest.warns(
        ConvergenceWarning, match=f"^{name} did not conv.* in step 2"
    ) as w:
        selector = selector_class(max_iter=2).fit(X, y)
    assert selector.n_iter_ == 2
    assert w[0].filename == __file__


@both
def test_one_class_is_refused(selector_class):
    X, _ = problem()
    with pytest.raises(ConstraintError, match="IRelief needs at least two classes"):
        selector_class().fit(X, np.zeros(40))


@pytest.mark.parametrize("name", ["lir", "LogisticIRelief", "logistic-i-relief"])
def test_names_on_the_command_line(name):
    assert find_method(name) is LogisticIRelief
    assert find_method("slir") is find_method("mslir") is SemiLogisticIRelief


@pytest.mark.parametrize("seed", [223, 292])
def test_margins_of_classes_that_are_equal_go_to_the_lower_class(seed):
    """On integers they differ by rounding, which led to another minimum."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(8, 40)), int(rng.integers(2, 7))
    X = rng.integers(0, 3, (n, d)).astype(float)
    y = np.where(np.arange(n) % 7 < 4, np.arange(n) % 3, -1)
    expected = SemiLogisticIRelief().fit(X, y).scores_
    units = rng.uniform(0.1, 10.0, d)
    other = SemiLogisticIRelief().fit(X * units + rng.normal(size=d), y).scores_
    assert_allclose(other, expected, atol=1e-6 * np.abs(expected).max())
