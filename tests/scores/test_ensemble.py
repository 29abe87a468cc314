"""The ensemble of constraint scores."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pairsift.scores import constraint_score_6, ensemble_constraint_score

MUST, CANNOT = np.array([[0, 9], [3, 4]]), np.array([[0, 3], [9, 4], [0, 4]])


def test_whole_share_of_features_and_no_free_row_is_constraint_score_6(rng):
    """Nothing is left to chance when every row is constrained."""
    X = rng.random((4, 3))
    must, cannot = [(0, 1)], [(0, 2), (1, 3)]
    scores = ensemble_constraint_score(
        X, must, cannot, feature_share=1.0, n_replicates=3, n_neighbors=2
    )
    expected = constraint_score_6(X, must, cannot, n_neighbors=2)
    assert_allclose(scores, expected, rtol=1e-12)


def test_views_keep_constrained_rows_and_are_averaged(rng):
    """The same draws by hand, one after the other."""
    X = rng.random((20, 5))
    constrained = [0, 3, 4, 9]
    free = np.setdiff1d(np.arange(20), constrained)
    draws = np.random.default_rng(7)
    values = [[] for _ in range(5)]
    for _ in range(6):
        rows = np.union1d(constrained, draws.choice(free, free.size))
        features = np.sort(draws.choice(5, 2, replace=False))
        number = {int(row): k for k, row in enumerate(rows)}
        must = [(number[a], number[b]) for a, b in MUST.tolist()]
        cannot = [(number[a], number[b]) for a, b in CANNOT.tolist()]
        view = constraint_score_6(X[np.ix_(rows, features)], must, cannot)
        for f, score in zip(features, view, strict=True):
            values[f].append(score)
    expected = [np.mean(v) if v else -np.inf for v in values]
    scores = ensemble_constraint_score(
        X, MUST, CANNOT, n_replicates=6, random_state=np.random.default_rng(7)
    )
    assert_allclose(scores, expected, rtol=1e-12)


def test_same_seed_same_scores_on_any_number_of_threads(rng):
    X = rng.random((60, 8))
    first = ensemble_constraint_score(X, MUST, CANNOT, random_state=1, n_jobs=1)
    for n_jobs in (2, 3):
        again = ensemble_constraint_score(
            X, MUST, CANNOT, random_state=1, n_jobs=n_jobs
        )
        assert_array_equal(again, first)
    other = ensemble_constraint_score(X, MUST, CANNOT, random_state=2)
    assert (other != first).any()


def test_feature_in_no_view_is_worst(rng):
    X = rng.random((20, 4))
    scores = ensemble_constraint_score(
        X, MUST, CANNOT, n_replicates=1, feature_share=0.5, random_state=0
    )
    assert np.isneginf(scores).sum() == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_replicates": 0}, "n_replicates must be a whole number of at least 1"),
        ({"feature_share": 0.0}, "feature_share must be above 0 and at most 1, got 0"),
        ({"feature_share": 1.5}, "feature_share must be above 0 and at most 1"),
        ({"sigma": 0.0}, "sigma must be a positive number"),
    ],
)
def test_wrong_arguments_are_named(rng, arguments, message):
    with pytest.raises(ValueError, match=message):
        ensemble_constraint_score(rng.random((20, 4)), MUST, CANNOT, **arguments)
