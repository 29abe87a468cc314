"""The SURF family and STIR as selectors: their parameters, and unlabelled rows."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import pairsift
from pairsift import PairConstraints, scores
from tests.selectors.builders import problem

FUNCTIONS = {
    "SURF": scores.surf_score,
    "SURFStar": scores.surf_star_score,
    "SWRFStar": scores.swrf_star_score,
    "MultiSURF": scores.multisurf_score,
    "MultiSURFStar": scores.multisurf_star_score,
    "STIR": scores.stir_score,
}
each_class = pytest.mark.parametrize("name", FUNCTIONS)


@each_class
def test_parameters_reach_the_score(name):
    X, y = problem()
    X[:, 3] = np.round(X[:, 3])
    X[5, 0] = np.nan
    options = {"missing": "distinct", "max_samples": 9, "random_state": 3}
    if name == "STIR":
        options |= {"n_neighbors": 4}
    else:
        options |= {"miss_weighting": "pooled"}
    selector = getattr(pairsift, name)(categorical_features=[3], **options).fit(X, y)
    expected = FUNCTIONS[name](X, y, is_categorical=np.arange(6) == 3, **options)
    assert_array_equal(selector.scores_, expected)


@each_class
def test_unlabelled_rows_are_left_out_and_counted(name):
    X, y = problem()
    y = np.where(np.arange(40) % 4 == 0, -1, y)
    cls = getattr(pairsift, name)
    selector = cls().fit(X, y)
    assert selector.n_labelled_ == 30
    expected = cls().fit(X[y >= 0], y[y >= 0]).scores_
    assert_array_equal(selector.scores_, expected)


@each_class
def test_groups_of_must_links_serve_as_classes(name):
    X, _ = problem()
    pairs = PairConstraints([(0, 1), (1, 2), (7, 8), (8, 9)], n_samples=40)
    cls = getattr(pairsift, name)
    selector = cls().fit(X, constraints=pairs)
    assert (selector.n_constraints_used_, selector.n_labelled_) == (4, 6)
    expected = cls().fit(X[[0, 1, 2, 7, 8, 9]], [0, 0, 0, 1, 1, 1]).scores_
    assert_array_equal(selector.scores_, expected)
