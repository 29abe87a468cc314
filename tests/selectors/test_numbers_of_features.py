"""How many features a selector selects, and how they are ordered."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pairsift import PairLogistic
from pairsift.selectors._search import ForwardSearch
from tests.selectors.builders import (
    SELECTORS,
    WAYS_TO_FIT,
    build,
    each_selector,
    each_selector_that,
    fit_arguments,
    problem,
)
from tests.selectors.promises import (
    FINDS_NUMBER,
    LEAVES_COPIES_OUT,
    ROW_ORDER,
    SCORES_BY_NUMBER,
    SCORES_ZERO,
    SUBSET_SEARCH,
)


@pytest.mark.slow
@each_selector
def test_fitted_attributes_belong_together(name):
    X, y = problem()
    selector = build(name, n_features_to_select=2).fit(X, **fit_arguments(name, y))
    assert selector.scores_.shape == (6,)
    assert selector.scores_.dtype == np.float64
    assert not np.isnan(selector.scores_).any()
    assert_array_equal(np.sort(selector.order_), np.arange(6))
    assert (np.diff(selector.scores_[selector.order_]) <= 0).all()
    assert_array_equal(selector.ranking_[selector.order_], np.arange(1, 7))
    assert_array_equal(selector.support_, selector.ranking_ <= 2)
    assert selector.n_features_to_select_ == 2
    assert selector.n_features_in_ == 6
    assert_array_equal(selector.transform(X), X[:, selector.support_])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "wanted", "n_selected"),
    [
        *(
            (name, *case)
            for name in SELECTORS
            if name in SCORES_BY_NUMBER.union(WAYS_TO_FIT)
            for case in [(None, 6), (1, 1), (0.5, 3)]
        ),
        # How a number is rounded is code of the base class.
        *(("FisherScore", *case) for case in [(6, 6), (0.01, 1), (1.0, 6)]),
        ("FisherScore", 0.1 + 0.2 + 0.2, 3),
    ],
)
def test_number_of_features_is_a_count_a_share_or_all(name, wanted, n_selected):
    X, y = problem()
    selector = build(name, n_features_to_select=wanted)
    selector.fit(X, **fit_arguments(name, y))
    assert selector.support_.sum() == selector.n_features_to_select_ == n_selected
    assert selector.n_features_to_select == wanted


@each_selector_that(lambda name: name in FINDS_NUMBER.union(WAYS_TO_FIT))
@pytest.mark.parametrize("wanted", [0, -1, 1.5, "auto", "many"])
def test_impossible_number_of_features_is_refused(name, wanted):
    if wanted == "auto" and name in FINDS_NUMBER:
        wanted = "automatic"
    X, y = problem()
    with pytest.raises(ValueError, match="n_features_to_select"):
        build(name, n_features_to_select=wanted).fit(X, **fit_arguments(name, y))


@each_selector_that(lambda name: name in SCORES_BY_NUMBER.union(WAYS_TO_FIT))
def test_more_features_than_there_are_is_refused(name):
    X, y = problem()
    with pytest.raises(
        ValueError, match="n_features_to_select=7 .*the 6 features of X"
    ):
        build(name, n_features_to_select=7).fit(X, **fit_arguments(name, y))


@each_selector_that(
    lambda name: issubclass(SELECTORS[name], ForwardSearch | PairLogistic)
)
@pytest.mark.parametrize("wanted", [None, 2])
def test_scores_of_a_search_fall_to_0_for_what_tells_nothing(name, wanted):
    X, y = problem(n_samples=60)
    X[:, [0, 5]] = 3.0
    selector = build(name, n_features_to_select=wanted).fit(X, **fit_arguments(name, y))
    scores = selector.scores_[selector.order_]
    assert scores[0] > 0.0
    assert (np.diff(scores) <= 0.0).all()
    assert (selector.scores_[[0, 5]] == 0.0).all()
    # Ties are ordered by the search, and not by the index alone.
    assert_array_equal(np.argsort(-selector._merit(), kind="stable"), selector.order_)


@each_selector_that(
    lambda name: name not in SUBSET_SEARCH | LEAVES_COPIES_OUT | ROW_ORDER.keys()
)
def test_ties_go_to_the_lower_index(name):
    X, y = problem()
    X = np.column_stack([X, X])
    selector = build(name).fit(X, **fit_arguments(name, y))
    assert_allclose(selector.scores_[:6], selector.scores_[6:], rtol=1e-9)
    tied = selector.scores_[:6] == selector.scores_[6:]
    assert (selector.ranking_[:6] < selector.ranking_[6:])[tied].all()


@each_selector_that(lambda name: name not in SUBSET_SEARCH)
def test_constant_feature_is_never_better_than_any_other(name):
    X, y = problem()
    X[:, 2] = 0.1
    selector = build(name).fit(X, **fit_arguments(name, y))
    if name in SCORES_ZERO:
        assert selector.scores_[2] == 0.0
    else:
        assert selector.ranking_[2] == 6
