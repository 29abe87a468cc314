"""Constraint scores as estimators."""

import re
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import pairsift
from pairsift import (
    ConstraintError,
    ConstraintScore5,
    LaplacianScore,
    PairConstraints,
    scores,
)
from pairsift.graphs import similarity_graph
from pairsift.selectors import find_method
from tests.selectors.builders import problem

NUMBERS = range(1, 8)


def selector(number, **parameters):
    return getattr(pairsift, f"ConstraintScore{number}")(**parameters)


def function(number):
    return getattr(scores, f"constraint_score_{number}")


def some_pairs(y):
    return PairConstraints.sample(y, 12, 9, random_state=3)


def few_labels(y):
    return np.where(np.arange(len(y)) % 5 == 0, y, -1)


@pytest.mark.parametrize("number", NUMBERS)
def test_selector_hands_pairs_to_its_function(number):
    X, y = problem()
    pairs = some_pairs(y)
    arguments = [X, pairs.must_link, pairs.cannot_link]
    if number == 7:
        arguments.append(pairs.groups())
    fitted = selector(number).fit(X, constraints=pairs)
    assert_allclose(fitted.scores_, function(number)(*arguments), rtol=1e-12)
    assert fitted.n_constraints_used_ == 21


@pytest.mark.parametrize("number", NUMBERS)
def test_labels_stand_for_all_their_pairs(number):
    X, y = problem()
    labels = few_labels(y)
    pairs = PairConstraints.from_labels(labels)
    from_labels = selector(number).fit(X, labels)
    assert from_labels.n_constraints_used_ == pairs.n_must_link + pairs.n_cannot_link
    from_pairs = selector(number).fit(X, constraints=pairs)
    assert_allclose(from_labels.scores_, from_pairs.scores_, rtol=1e-10)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_many_labelled_rows_need_no_list_of_pairs(number):
    rng = np.random.default_rng(0)
    y = np.arange(12_000) % 2
    X = rng.random((12_000, 3)) + 0.3 * y[:, None] * [0, 1, 0]
    fitted = selector(number).fit(X[:, :], y)
    assert fitted.n_constraints_used_ == 12_000 * 11_999 // 2
    assert fitted.order_[0] == 1


@pytest.mark.parametrize(
    ("number", "parameters"),
    [
        (2, {"lambda_": 0.7}),
        (3, {"gamma": 3.0, "n_neighbors": 2}),
        (4, {"sigma": 0.4}),
        (5, {"form": "matrix", "n_neighbors": 3, "sigma": 0.7}),
        (6, {"form": "matrix", "n_neighbors": 3, "sigma": 0.7}),
        (7, {"form": "matrix", "gamma": 0.2, "lambda_": 0.3, "sigma": 2.0}),
    ],
)
def test_parameters_reach_the_score(number, parameters):
    X, y = problem()
    pairs = some_pairs(y)
    arguments = [X, pairs.must_link, pairs.cannot_link]
    if number == 7:
        arguments.append(pairs.groups())
    fitted = selector(number, **parameters).fit(X, constraints=pairs)
    expected = function(number)(*arguments, **parameters)
    assert_allclose(fitted.scores_, expected, rtol=1e-12)
    default = selector(number).fit(X, constraints=pairs).scores_
    assert (fitted.scores_ != default).any()


def test_score_4_takes_any_graph():
    X, y = problem()
    pairs = some_pairs(y)
    S = similarity_graph(X, n_neighbors=7, kernel="inverse")
    fitted = selector(4, graph="knn", n_neighbors=7, kernel="inverse")
    fitted.fit(X, constraints=pairs)
    expected = scores.constraint_score_4(X, pairs.must_link, pairs.cannot_link, S=S)
    assert_allclose(fitted.scores_, expected, rtol=1e-12)


def test_score_4_counts_each_row_in_its_own_degree():
    # S20, equations 1 and 3: w_ii = 1. Only the full graph has these edges.
    X, y = problem()
    pairs = some_pairs(y)
    S = similarity_graph(X, graph="full", sigma=1.0) + np.eye(len(X))
    expected = scores.constraint_score_4(X, pairs.must_link, pairs.cannot_link, S=S)
    fitted = selector(4).fit(X, constraints=pairs)
    assert_allclose(fitted.scores_, expected, rtol=1e-12)
    assert LaplacianScore(graph="full", sigma=1.0).fit(X).scores_ == pytest.approx(
        scores.laplacian_score(X, S - np.eye(len(X)))
    )


@pytest.mark.parametrize("name", ["ConstraintScore7", "SCGS"])
def test_labels_that_deny_the_pairs_are_refused(name):
    X, y = problem()
    wrong = PairConstraints([(0, 1)], [(0, 2)], n_samples=40)
    message = r"rows \(0, 1\) are a must-link, but of two classes in y"
    with pytest.raises(ConstraintError, match=message):
        getattr(pairsift, name)().fit(X, y, constraints=wrong)
    wrong = PairConstraints([(0, 3)], [(1, 4)], n_samples=40)
    message = r"rows \(1, 4\) are a cannot-link, but of the same class in y"
    with pytest.raises(ConstraintError, match=message):
        getattr(pairsift, name)().fit(X, y, constraints=wrong)


@pytest.mark.parametrize(
    ("number", "message"),
    [
        (1, r"needs must-link and cannot-link pairs or labels, got neither: .*must_l"),
        (2, r"needs must-link or cannot-link pairs or labels, got neither"),
        (3, r"needs cannot-link pairs or labels, got neither: pass .*cannot_link=\["),
        (5, r"needs must-link or cannot-link pairs or labels, got neither"),
    ],
)
def test_nothing_at_all_is_answered_with_what_is_needed(number, message):
    X, _ = problem()
    with pytest.raises(ConstraintError, match=message):
        selector(number).fit(X)
    with pytest.raises(ConstraintError, match="pairs, but constraints hold none"):
        selector(number).fit(X, constraints=PairConstraints(n_samples=40))


def test_scores_that_are_all_undefined_are_warned_of():
    X, _ = problem()
    with pytest.warns(UserWarning, match="no feature has a defined ConstraintScore6"):
        selector(6).fit(X, np.zeros(40, dtype=int))


def test_too_many_labels_to_weigh_their_pairs_are_refused(monkeypatch):
    method = ConstraintScore5._method
    few = replace(method.learns_from, most_pairs=100)
    monkeypatch.setattr(ConstraintScore5, "_method", replace(method, learns_from=few))
    X, y = problem()
    with pytest.raises(ConstraintError, match="more than the 100 that can be listed"):
        selector(5).fit(X, y)


def test_score_7_prefers_labels_as_classes():
    X, y = problem()
    pairs = some_pairs(y)
    fitted = selector(7).fit(X, y, constraints=pairs)
    expected = scores.constraint_score_7(X, pairs.must_link, pairs.cannot_link, y)
    assert_array_equal(fitted.scores_, expected)


def test_aliases_are_the_same_classes():
    assert pairsift.LSDF is pairsift.ConstraintScore3
    assert pairsift.CLS is pairsift.ConstraintScore5
    assert pairsift.CCLS is pairsift.ConstraintScore7
    assert find_method("LSDF") is find_method("constraint-score-3") is pairsift.LSDF
    assert find_method("EnsCLS") is pairsift.EnsembleConstraintScore


@pytest.mark.parametrize("number", [1, 4])
def test_no_must_links_are_refused_where_the_numerator_needs_them(number):
    X, _ = problem()
    name = f"ConstraintScore{number}"
    only_cannot = PairConstraints(cannot_link=[(0, 1), (0, 2)], n_samples=40)
    message = rf"{name} needs must-link pairs, but constraints hold none \(2 cannot"
    with pytest.raises(ConstraintError, match=message):
        selector(number).fit(X, constraints=only_cannot)
    single = np.full(40, -1)
    single[:3] = [0, 1, 2]
    message = f"{name} needs must-link pairs, but y has 3 classes of one row each"
    with pytest.raises(ConstraintError, match=message):
        selector(number).fit(X, single)


@pytest.mark.parametrize("number", [1, 3, 4])
def test_no_cannot_links_are_refused_where_the_denominator_needs_them(number):
    X, _ = problem()
    name = f"ConstraintScore{number}"
    only_must = PairConstraints([(0, 3), (0, 6)], n_samples=40)
    message = rf"{name} needs cannot-link pairs, but constraints hold none \(2 must"
    with pytest.raises(ConstraintError, match=message):
        selector(number).fit(X, constraints=only_must)
    with pytest.raises(ConstraintError, match=f"{name} needs .* y has 1 class"):
        selector(number).fit(X, np.zeros(40, dtype=int))


@pytest.mark.parametrize("number", [2, 5, 6, 7])
@pytest.mark.parametrize("kind", ["must_link", "cannot_link"])
def test_one_kind_of_pairs_is_enough_for_the_others(number, kind):
    X, y = problem()
    pairs = some_pairs(y)
    one_kind = PairConstraints(**{kind: getattr(pairs, kind)}, n_samples=40)
    if number == 7 and kind == "cannot_link":
        with pytest.raises(ConstraintError, match="needs labels or must-link pairs"):
            selector(number).fit(X, constraints=one_kind)
        return
    fitted = selector(number).fit(X, constraints=one_kind)
    assert np.isfinite(fitted.scores_).all()


@pytest.mark.parametrize("number", [5, 6])
def test_matrix_form_needs_cannot_links(number):
    X, _ = problem()
    only_must = PairConstraints([(0, 3), (0, 6)], n_samples=40)
    message = "with form='matrix' needs cannot-link pairs, got only 2 must-link"
    with pytest.raises(ConstraintError, match=message):
        selector(number, form="matrix").fit(X, constraints=only_must)


@pytest.mark.parametrize("number", [1, 3, 4, 5, 6, 7])
def test_a_feature_without_denominator_is_worst(number):
    X, y = problem()
    X[:, 3] = 0.7
    fitted = selector(number).fit(X, constraints=some_pairs(y))
    assert np.isneginf(fitted.scores_[3])
    assert fitted.ranking_[3] == 6
    assert np.isfinite(np.delete(fitted.scores_, 3)).all()


@pytest.mark.parametrize("number", [3, 5, 6, 7])
def test_more_neighbours_than_rows_are_all_rows(number):
    X, y = problem(n_samples=12)
    pairs = PairConstraints.sample(y, 6, 4, random_state=0)
    many = selector(number, n_neighbors=500).fit(X, constraints=pairs)
    all_rows = selector(number, n_neighbors=11).fit(X, constraints=pairs)
    assert_array_equal(many.scores_, all_rows.scores_)


@pytest.mark.parametrize("number", [4, 5, 6, 7])
@pytest.mark.parametrize("sigma", [0, -1.0])
def test_sigma_has_to_be_positive(number, sigma):
    X, y = problem()
    with pytest.raises(ValueError, match="'sigma' parameter of ConstraintScore"):
        selector(number, sigma=sigma).fit(X, constraints=some_pairs(y))


def test_rows_in_two_far_groups_make_a_disconnected_graph_and_finite_scores():
    X, y = problem()
    X[20:] += 1e4
    pairs = some_pairs(y)
    for number in (3, 5, 6, 7):
        fitted = selector(number, n_neighbors=2).fit(X, constraints=pairs)
        assert np.isfinite(fitted.scores_).all()


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("ConstraintScore4", {}),
        ("ConstraintScore5", {}),
        ("ConstraintScore6", {}),
        (
            "EnsembleConstraintScore",
            {"n_replicates": 2, "feature_share": 1.0, "random_state": 0},
        ),
        ("SCGS", {}),
    ],
)
def test_wide_data_need_another_sigma_and_the_error_tells_which(name, options, rng):
    X = rng.random((20, 12_000))
    pairs = PairConstraints([(0, 2), (1, 3)], [(0, 1), (2, 3)], n_samples=20)
    selector = getattr(pairsift, name)(**options)
    with pytest.raises(ValueError, match="at sigma=1.0, .*take sigma=") as caught:
        selector.fit(X, constraints=pairs)
    sigma = float(re.search("take sigma=([0-9.]+),", str(caught.value))[1])
    told = selector.set_params(sigma=sigma).fit(X, constraints=pairs).scores_
    auto = selector.set_params(sigma="auto").fit(X, constraints=pairs).scores_
    assert np.isfinite(auto).all()
    assert_allclose(told, auto, rtol=0.05)
