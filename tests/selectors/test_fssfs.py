"""FSSFS: votes of random parts of the rows, against plain loops."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from pairsift import FSSFS, NearestNeighborForward
from tests.reference import fssfs as reference
from tests.selectors.builders import problem


def shifted(seed, n_samples=200, n_features=8):
    """Columns 0 to 2 tell two classes apart; one row in ten is labelled."""
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % 2
    X = rng.normal(size=(n_samples, n_features))
    X[:, :3] += 2.5 * y[:, None] * [1, -1, 1]
    return X, np.where(np.arange(n_samples) // 2 % 10 == 0, y, -1)


@pytest.mark.slow
@pytest.mark.parametrize("judge", ["labelled", "all"])
@pytest.mark.parametrize("model", [None, KNeighborsClassifier(1)])
def test_search_agrees_with_plain_loops(model, judge):
    X, y = problem(n_samples=27, n_features=5)
    labels = np.where(np.arange(27) % 5 < 2, y, -1)
    options = {"n_trials": 3, "share": 0.4, "cv": 3, "judge": judge}
    selector = FSSFS(model, 3, random_state=5, **options).fit(X, labels)
    scaled = (X - X.mean(axis=0)) / X.std(axis=0)
    expected = reference.fssfs(
        *(model or GaussianNB(), scaled, labels.tolist(), 3, 3, 0.4, 3, judge),
        np.random.default_rng(5),
    )
    assert selector.order_.tolist() == expected[0]
    assert_allclose(selector.path_scores_, expected[1])
    assert_allclose(selector.votes_, expected[2])


@pytest.mark.parametrize("seed", [0, 1])
def test_features_of_the_classes_come_before_noise(seed):
    X, labels = shifted(seed)
    selector = FSSFS(n_features_to_select=3, n_trials=5, random_state=0).fit(X, labels)
    assert set(selector.order_[:3]) == {0, 1, 2}


def test_judged_on_its_own_labels_it_ends_with_the_first_feature():
    X, labels = shifted(1)
    selector = FSSFS(judge="all", n_trials=3, random_state=0).fit(X, labels)
    assert selector.n_features_to_select_ == 1
    assert selector.path_scores_[0] < 1.0
    with_labels = FSSFS(n_trials=3, random_state=0).fit(X, labels)
    assert with_labels.n_features_to_select_ > 1


def test_auto_stops_where_the_accuracy_does_not_rise():
    X, labels = shifted(2)
    found = FSSFS(n_trials=3, random_state=0).fit(X, labels)
    n_found = found.n_features_to_select_
    assert found.path_scores_.size == found.votes_.size == n_found
    assert (np.diff(found.path_scores_) > 0).all()
    longer = FSSFS(n_features_to_select=n_found + 1, n_trials=3, random_state=0).fit(
        X, labels
    )
    assert_array_equal(longer.order_[:n_found], found.order_[:n_found])
    assert longer.path_scores_[-1] <= found.path_scores_[-1]
    assert (found.scores_[found.order_[n_found:]] == 0.0).all()


@pytest.mark.slow
def test_without_unlabelled_rows_it_is_a_supervised_wrapper():
    X, y = problem(n_samples=30)
    model = KNeighborsClassifier(1)
    # One fold per row: nothing is left to chance.
    selector = FSSFS(model, 2, cv=30, n_trials=1, random_state=0).fit(X, y)
    expected = NearestNeighborForward(2).fit(X, y)
    assert_array_equal(selector.order_[:2], expected.order_[:2])
    assert_allclose(selector.path_scores_, expected.path_scores_)


def test_constant_features_come_last():
    X, labels = shifted(0)
    X[:, 1] = 3.0
    selector = FSSFS(n_features_to_select=None, n_trials=1, random_state=0)
    assert selector.fit(X, labels).order_[-1] == 1
    only = FSSFS(n_trials=1).fit(np.ones((200, 2)), labels)
    assert only.order_.tolist() == [0, 1]


def test_too_many_fits_and_what_is_no_classifier_are_refused():
    X, labels = shifted(0)
    with pytest.raises(ValueError, match=r"would fit 2400000 classifiers.*SemiMRMR"):
        FSSFS(n_features_to_select=1, n_trials=100_000).fit(X, labels)
    for given in (GaussianNB, "bayes"):
        with pytest.raises(TypeError, match="estimator must be a classifier such as"):
            FSSFS(given).fit(X, labels)
