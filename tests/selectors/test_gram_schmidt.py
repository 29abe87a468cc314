"""GramSchmidt as an estimator: the probe finds the number of features."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pairsift import ConstraintError, GramSchmidt, PairConstraints
from pairsift.scores import gram_schmidt_path
from tests.selectors.builders import problem


@pytest.mark.parametrize("risk", [1e-6, 0.01, 0.2, 1.0])
def test_number_of_features_is_where_the_risk_is_reached(risk):
    X, y = problem(n_samples=60, n_features=12)
    _, cosines, risks = gram_schmidt_path(X, y)
    selector = GramSchmidt(risk=risk).fit(X, y)
    n = np.count_nonzero(risks <= risk)
    assert selector.n_features_to_select_ == n
    assert_allclose(selector.probe_risk_, risks[: n + 1])
    assert_allclose(selector.path_scores_, cosines[: n + 1])
    assert {1, 4} <= set(selector.get_support(indices=True))


def test_a_number_goes_on_whatever_the_risk():
    X, y = problem()
    order, cosines, risks = gram_schmidt_path(X, y)
    for wanted, n_steps in ((None, 6), (4, 4), (0.5, 3)):
        selector = GramSchmidt(wanted, risk=1e-9).fit(X, y)
        assert_array_equal(selector.order_[:n_steps], order[:n_steps])
        assert_array_equal(selector.path_scores_, cosines[:n_steps])
        assert_array_equal(selector.probe_risk_, risks[:n_steps])
    whole = GramSchmidt(None).fit(X, y)
    expected = np.minimum.accumulate(cosines)
    assert_array_equal(whole.scores_[whole.order_], expected)


def test_one_feature_stays_when_none_is_better_than_a_probe(rng):
    X, y = rng.normal(size=(20, 3)), np.arange(20) % 2
    selector = GramSchmidt(risk=1e-6).fit(X, y)
    assert selector.n_features_to_select_ == 1
    assert selector.probe_risk_[0] > 1e-6


def test_copies_are_not_selected():
    X, y = problem()
    twice = np.column_stack([X, 2 * X + 1])
    selector = GramSchmidt(risk=1e-4).fit(twice, y)
    assert_array_equal(selector.support_[:6], GramSchmidt(risk=1e-4).fit(X, y).support_)
    assert not selector.support_[6:].any()


def test_groups_of_must_links_are_classes_when_there_are_no_labels():
    X, _ = problem()
    c = PairConstraints([(0, 3), (3, 9), (1, 4)], [(0, 1)], n_samples=40)
    selector = GramSchmidt(None).fit(X, constraints=c)
    assert_array_equal(selector.order_, gram_schmidt_path(X, c.groups())[0])
    with pytest.raises(ConstraintError, match="GramSchmidt needs labels or must-link"):
        GramSchmidt().fit(X)


@pytest.mark.parametrize("risk", [0, 1.5, "small"])
def test_impossible_risk_is_refused(risk):
    X, y = problem()
    with pytest.raises(ValueError, match="The 'risk' parameter of GramSchmidt"):
        GramSchmidt(risk=risk).fit(X, y)
