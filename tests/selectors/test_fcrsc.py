"""FCRSC as an estimator."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.cluster.hierarchy import dendrogram, is_valid_linkage

from pairsift import FCRSC, PairConstraints, ReliefFSc
from pairsift.scores import fcrsc_score
from tests.selectors.builders import problem


def redundant_problem():
    """Columns 6 and 7 are nearly columns 4 and 0."""
    X, y = problem()
    noise = np.random.default_rng(1).normal(scale=0.05, size=(len(X), 2))
    return np.column_stack([X, X[:, [4, 0]] + noise]), y


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"n_clusters": 3},
        {"linkage_method": "average"},
        {"graph": "lasso"},
        {"graph": "lasso", "alpha": 1e-5},
        {"n_neighbors": 2},
        {"exclude": "self"},
        {"ties": "index"},
        {"null": "must-links"},
        {"null": "random-pairs", "random_state": 3},
    ],
)
def test_parameters_reach_the_score(parameters):
    X, y = redundant_problem()
    c = PairConstraints.sample(y, 15, 9, random_state=0)
    selector = FCRSC(symmetric=False, **parameters).fit(X, constraints=c)
    assert_array_equal(
        selector.scores_,
        fcrsc_score(X, c.cannot_link, must_link=c.must_link, **parameters),
    )


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("source", ["pairs", "labels"])
def test_margins_are_those_of_relieff_sc(symmetric, source):
    X, y = redundant_problem()
    given = {"y": y}
    if source == "pairs":
        given = {"constraints": PairConstraints.sample(y, 15, random_state=0)}
    selector = FCRSC(symmetric=symmetric).fit(X, **given)
    margins = ReliefFSc(symmetric=symmetric).fit(X, **given)
    assert_array_equal(selector.margins_, margins.margins_)
    assert_array_equal(selector.weights_, margins.weights_)
    assert selector.n_constraints_used_ == margins.n_constraints_used_


@pytest.mark.parametrize("null", [None, "random-pairs"])
def test_fitted_attributes_tell_one_story(null):
    X, y = redundant_problem()
    selector = FCRSC(null=null).fit(X, y)
    z, chosen = ReliefFSc(null=null).fit(X, y).scores_, selector.representatives_
    assert selector.n_clusters_ == selector.n_features_to_select_ == chosen.size
    assert selector.n_clusters_ == selector.clusters_.max() + 1
    for c, best in enumerate(chosen):
        members = np.flatnonzero(selector.clusters_ == c)
        assert best == members[z[members].argmax()]
    assert_array_equal(np.flatnonzero(selector.support_), np.sort(chosen))
    assert_array_equal(selector.order_[: chosen.size], chosen[np.argsort(-z[chosen])])
    rest = np.setdiff1d(np.arange(8), chosen)
    assert_array_equal(selector.order_[chosen.size :], rest[np.argsort(-z[rest])])
    assert abs(selector.feature_graph_ - selector.feature_graph_.T).max() == 0.0
    assert (selector.feature_graph_gaps_ < 1e-10).all()


def test_order_of_rows_does_not_matter():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 4, size=(48, 6)).astype(float)
    X[::4] = X[1::4]
    y, order = rng.integers(0, 3, size=48), rng.permutation(48)
    selector = FCRSC().fit(X, y)
    moved = FCRSC().fit(X[order], y[order])
    assert_allclose(moved.scores_, selector.scores_, atol=1e-11)
    assert_array_equal(moved.clusters_, selector.clusters_)
    published = FCRSC(ties="index").fit(X, y).scores_
    moved = FCRSC(ties="index").fit(X[order], y[order])
    assert abs(moved.scores_ - published).max() > 1e-3


def test_of_two_columns_alike_one_is_selected():
    X, y = redundant_problem()
    selector = FCRSC().fit(X, y)
    assert selector.clusters_[4] == selector.clusters_[6]
    assert selector.clusters_[0] == selector.clusters_[7]
    assert selector.support_[[4, 6]].sum() == 1
    assert ReliefFSc(2).fit(X, y).support_[[4, 6]].all()


@pytest.mark.parametrize("graph", ["simplex", "lasso"])
def test_linkage_is_one_of_scipy(graph):
    X, y = redundant_problem()
    selector = FCRSC(graph=graph, alpha=1e-6).fit(X, y)
    assert is_valid_linkage(selector.linkage_)
    drawn = dendrogram(selector.linkage_, no_plot=True)
    assert sorted(drawn["leaves"]) == list(range(8))
    heights = selector.linkage_[:, 2]
    top = max(1.0, selector.feature_graph_.max())
    assert_allclose(heights[0], top - selector.feature_graph_.max())
    assert (np.diff(heights) >= 0).all()


def test_number_of_features_and_of_clusters_are_two_things():
    X, y = redundant_problem()
    selector = FCRSC(2, n_clusters=5).fit(X, y)
    assert (selector.n_clusters_, selector.support_.sum()) == (5, 2)
    assert FCRSC(n_clusters=8).fit(X, y).support_.all()
    assert FCRSC(None).fit(X, y).support_.all()


def test_copies_are_never_selected_twice():
    X, y = redundant_problem()
    once = FCRSC().fit(X, y)
    many = FCRSC().fit(np.column_stack([X, 2.0 * X + 3.0, X]), y)
    assert many.n_clusters_ == once.n_clusters_
    assert_array_equal(many.clusters_, np.tile(once.clusters_, 3))
    assert many.support_[8:].sum() == 0


def test_constant_columns_are_one_cluster_of_their_own():
    X, y = redundant_problem()
    X[:, [1, 3]] = [5.0, 7.0]
    selector = FCRSC().fit(X, y)
    alone = selector.clusters_[1]
    assert_array_equal(np.flatnonzero(selector.clusters_ == alone), [1, 3])


def test_one_feature_and_two():
    X, y = problem()
    one = FCRSC().fit(X[:, [4]], y)
    assert (one.n_clusters_, one.linkage_.shape) == (1, (0, 4))
    # Weights sum to 1: with one other feature, all of it goes there.
    two = FCRSC().fit(X[:, [4, 0]], y)
    assert two.n_clusters_ == 1
    assert_array_equal(two.support_, [True, False])


def test_wanted_number_of_clusters_has_to_be_possible():
    X, y = problem()
    with pytest.raises(ValueError, match="n_clusters=7 asks for more than the 6"):
        FCRSC(n_clusters=7).fit(X, y)
    with pytest.raises(ValueError, match="n_clusters"):
        FCRSC(n_clusters=0).fit(X, y)
    with pytest.warns(UserWarning, match="n_clusters=1 joins"):
        FCRSC(n_clusters=1).fit(np.column_stack([X, np.ones(40)]), y)


@pytest.mark.parametrize("linkage_method", ["complete", "average", "ward"])
def test_other_linkages_change_the_clusters_only(linkage_method):
    X, y = redundant_problem()
    single = FCRSC().fit(X, y)
    other = FCRSC(linkage_method=linkage_method).fit(X, y)
    assert_array_equal(other.margins_, single.margins_)
    assert is_valid_linkage(other.linkage_)
    assert not np.array_equal(other.linkage_, single.linkage_)
    assert other.n_clusters_ == other.n_features_to_select_
    with pytest.raises(ValueError, match="linkage_method"):
        FCRSC(linkage_method="median").fit(X, y)
