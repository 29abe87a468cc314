"""SSelect as an estimator."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pairsift import ConstraintError, PairConstraints, SSelect
from pairsift.graphs import similarity_graph
from pairsift.scores import sselect_score
from tests.selectors.builders import problem


def labels_of_few(y):
    return np.where(np.arange(len(y)) % 4 == 0, y, -1)


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"graph": "mutual-knn", "n_neighbors": 9},
        {"graph": "epsilon", "epsilon": 2.5, "kernel": "binary"},
        {"graph": "full", "sigma": 0.7},
        {"sigma": "auto"},
    ],
    ids=str,
)
def test_parameters_reach_the_graph_and_the_score(parameters):
    X, y = problem()
    y = labels_of_few(y)
    S = similarity_graph(X, **parameters)
    for lambda_ in (0.1, 0.6):
        expected = sselect_score(X, S, y, lambda_=lambda_)
        actual = SSelect(lambda_=lambda_, **parameters).fit(X, y).scores_
        assert_allclose(actual, expected, rtol=1e-10)
    assert_allclose(
        SSelect(**parameters).fit(X, y).scores_, sselect_score(X, S, y), rtol=1e-10
    )


def test_unlabelled_rows_shape_the_clusters():
    X, y = problem()
    y = labels_of_few(y)
    alone = SSelect().fit(X[y >= 0], y[y >= 0]).scores_
    assert (SSelect().fit(X, y).scores_ != alone).any()


def test_must_link_groups_are_classes_when_there_are_no_labels():
    X, _ = problem()
    c = PairConstraints([(0, 3), (3, 9), (1, 4)], [(0, 1)], n_samples=40)
    labels = np.full(40, -1)
    labels[[0, 3, 9]] = 0
    labels[[1, 4]] = 1
    selector = SSelect().fit(X, constraints=c)
    assert_array_equal(selector.scores_, SSelect().fit(X, labels).scores_)
    assert selector.n_constraints_used_ == 3


def test_feature_that_follows_labels_and_clusters_is_best(rng):
    X = rng.normal(size=(60, 5))
    y = np.repeat([0, 1], 30)
    X[:, 3] = 8.0 * y + rng.normal(size=60)
    y[np.arange(60) % 10 > 0] = -1
    assert SSelect(sigma="auto").fit(X, y).order_[0] == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "SSelect needs labels or must-link pairs, got neither"),
        ({"y": np.zeros(40)}, "SSelect needs at least two classes, but y has 1"),
    ],
)
def test_fewer_than_two_classes_are_refused(arguments, message):
    X, _ = problem()
    with pytest.raises(ConstraintError, match=message):
        SSelect().fit(X, **arguments)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"lambda_": -0.1}, "The 'lambda_' parameter of SSelect"),
        ({"lambda_": 1.1}, "The 'lambda_' parameter of SSelect"),
        ({"sigma": 1e-9}, "no two rows of X are similar at sigma=1e-09"),
    ],
)
def test_impossible_parameters_are_refused(parameters, message):
    X, y = problem()
    with pytest.raises(ValueError, match=message):
        SSelect(**parameters).fit(X, y)
