"""LMFS as an estimator."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.exceptions import ConvergenceWarning

from pairsift import LMFS, complete_labels
from pairsift.datasets import make_xor
from pairsift.scores import lmfs_score
from tests.selectors.builders import problem


def test_attributes_follow_from_the_training():
    X, y = problem()
    selector = LMFS(n_starts=2, random_state=1).fit(X, y)
    assert_array_equal(selector.scores_, lmfs_score(X, y, n_starts=2, random_state=1))
    assert_array_equal(np.flatnonzero(selector.released_), [1, 4])
    assert_array_equal(selector.support_, selector.released_)
    assert selector.optimality_ <= selector.tol
    assert (np.diff(selector.errors_) <= 0).all()
    assert selector.n_iter_ == selector.n_first_ + selector.errors_.size - 1
    assert selector.hidden_weights_.shape == (6, 5)


def test_held_features_are_ordered_by_their_first_weights():
    X, y = problem()
    selector = LMFS(None, n_starts=2, random_state=0).fit(X, y)
    held = [j for j in selector.order_ if not selector.released_[j]]
    assert selector.support_.all()
    assert (np.diff(selector.first_scores_[held]) <= 0).all()
    assert_array_equal(np.sort(selector.order_[:2]), [1, 4])


def test_a_released_copy_is_selected_although_its_weights_vanish():
    data = make_xor(300, noise=0.1, shuffle_columns=False, random_state=0)
    selector = LMFS(n_starts=5, hidden_bound=4.0, random_state=0)
    selector.fit(data.data, data.target)
    assert selector.released_[:2].all()
    assert_array_equal(selector.support_, selector.released_)
    assert not selector.released_[4:].any()


def test_all_features_constant():
    selector = LMFS(random_state=0).fit(np.ones((6, 2)), [0, 1] * 3)
    assert selector.n_features_to_select_ == 1
    assert selector.n_iter_ == 0


def test_few_labels_alone_spread_or_completed():
    X, y = problem(n_samples=60)
    few = np.where(np.arange(60) < 12, y, -1)
    options = {"n_starts": 2, "hidden_bound": 1.0, "random_state": 0}
    supervised = LMFS(2, **options).fit(X, few)
    spread = LMFS(2, unlabelled="nearest", **options).fit(X, few)
    assert not np.array_equal(supervised.scores_, spread.scores_)
    assert_array_equal(spread.get_support(indices=True), [1, 4])
    completed = complete_labels(X, few, random_state=0)
    assert completed.max() > 2
    LMFS(2, **options).fit(X, completed)


def test_too_few_steps_are_told():
    X, y = problem()
    with pytest.warns(ConvergenceWarning, match="LMFS did not converge"):
        LMFS(max_iter=1, tol=1e-9, n_starts=1, random_state=0).fit(X, y)
