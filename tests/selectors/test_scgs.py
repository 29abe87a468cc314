"""SCGS as an estimator."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import ConvergenceWarning

from pairsift import SCGS, ConstraintError, PairConstraints
from pairsift.graphs import similarity_graph
from pairsift.scores import scgs_score
from tests.selectors.builders import problem


def test_labels_alone_give_classes_and_all_pairs():
    X, y = problem()
    y[::3] = -1
    selector = SCGS().fit(X, y)
    assert_array_equal(selector.scores_, scgs_score(X, y, similarity_graph(X)))
    n_labelled = (y >= 0).sum()
    assert selector.n_constraints_used_ == n_labelled * (n_labelled - 1) / 2


def test_labels_and_pairs_are_both_used():
    X, y = problem()
    c = PairConstraints.sample(y, 15, 10, random_state=1)
    y[::3] = -1
    selector = SCGS().fit(X, y, constraints=c)
    expected = scgs_score(
        X, y, similarity_graph(X), must_link=c.must_link, cannot_link=c.cannot_link
    )
    assert_array_equal(selector.scores_, expected)
    assert selector.n_constraints_used_ == 25
    assert (expected != SCGS().fit(X, y).scores_).any()


def test_must_link_groups_are_classes_when_there_are_no_labels():
    X, _ = problem()
    must, cannot = [(0, 3), (3, 9), (1, 4)], [(0, 1), (5, 7)]
    labels = np.full(40, -1)
    labels[[0, 3, 9]] = 0
    labels[[1, 4]] = 1
    c = PairConstraints(must, cannot, n_samples=40)
    selector = SCGS().fit(X, constraints=c)
    S = similarity_graph(X)
    expected = scgs_score(X, labels, S, must_link=must, cannot_link=cannot)
    assert_array_equal(selector.scores_, expected)
    assert selector.n_constraints_used_ == 5
    assert selector.coef_.shape == (2, 6)


def test_pairs_outside_of_the_rows_leave_the_labels():
    X, y = problem()
    c = PairConstraints(cannot_link=[(0, 1)], n_samples=40)
    rows = np.arange(2, 40)
    selector = SCGS().fit(X[rows], y[rows], constraints=c, sample_ids=rows)
    assert selector.n_constraints_used_ == 0
    without = SCGS(beta=0).fit(X[rows], y[rows])
    assert_array_equal(selector.scores_, without.scores_)
    assert without.n_constraints_used_ == 0


def test_parameters_reach_the_program():
    X, y = problem()
    default = SCGS().fit(X, y).scores_
    for parameters in (
        {"alpha": 0.5},
        {"beta": 0.2},
        {"gamma": 0.2},
        {"penalty": "l21"},
        {"tol": 1e-3},
    ):
        expected = scgs_score(X, y, similarity_graph(X), **parameters)
        assert_array_equal(SCGS(**parameters).fit(X, y).scores_, expected)
        assert (expected != default).any()
    for options in ({"n_neighbors": 9}, {"sigma": "auto"}):
        expected = scgs_score(X, y, similarity_graph(X, **options))
        assert_array_equal(SCGS(**options).fit(X, y).scores_, expected)


def test_no_graph_is_built_that_is_not_used():
    X, y = problem()
    selector = SCGS(gamma=0, sigma=1e-9).fit(X, y)
    assert_array_equal(selector.scores_, scgs_score(X, y))


@pytest.mark.parametrize("penalty", ["l1", "l21"])
def test_weights_are_stored(penalty):
    X, y = problem()
    selector = SCGS(alpha=0.5, penalty=penalty).fit(X, y)
    norms = np.linalg.norm(selector.coef_, axis=0)
    has_weight = norms > 0
    assert 0 < has_weight.sum() < 6
    assert_allclose(selector.scores_[has_weight], norms[has_weight])
    assert (selector.scores_[~has_weight] <= 0).all()
    assert selector.n_iter_ > 0


def test_relevant_features_are_found():
    X, y = problem()
    assert set(SCGS().fit(X, y).order_[:2]) == {1, 4}


def test_too_few_steps_are_warned_of():
    X, y = problem()
    with pytest.warns(ConvergenceWarning, match="SCGS did not converge: .* 2 steps"):
        SCGS(max_iter=2).fit(X, y)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "SCGS needs labels or must-link pairs, got neither"),
        (
            {"constraints": PairConstraints([], [(0, 1)], n_samples=40)},
            "SCGS needs at least two classes, but the must-links make 0 classes",
        ),
    ],
)
def test_fewer_than_two_classes_are_refused(arguments, message):
    X, _ = problem()
    with pytest.raises(ConstraintError, match=message):
        SCGS().fit(X, **arguments)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"alpha": 0}, "The 'alpha' parameter of SCGS"),
        ({"alpha": 1.5}, "The 'alpha' parameter of SCGS"),
        ({"beta": -1}, "The 'beta' parameter of SCGS"),
        ({"gamma": -1}, "The 'gamma' parameter of SCGS"),
        ({"penalty": "l2"}, "The 'penalty' parameter of SCGS"),
        ({"max_iter": 0}, "The 'max_iter' parameter of SCGS"),
        ({"tol": 0}, "The 'tol' parameter of SCGS"),
        ({"sigma": 1e-9}, "no two rows of X are similar at sigma=1e-09"),
    ],
)
def test_impossible_parameters_are_refused(parameters, message):
    X, y = problem()
    with pytest.raises(ValueError, match=message):
        SCGS(**parameters).fit(X, y)


def test_contradictory_pairs_beside_labels_are_evidence():
    X, y = problem()
    # Unlabelled rows, so that the labels contradict none of the pairs.
    y = np.where(np.arange(len(y)) < 3, -1, y)
    c = PairConstraints([(0, 1), (1, 2)], [(0, 2)], n_samples=len(y))
    with pytest.warns(UserWarning, match="must-link chain 0 - 1 - 2: each pair"):
        assert SCGS().fit(X, y, constraints=c).n_constraints_used_ == 3
