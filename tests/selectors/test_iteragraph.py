"""IteraGraphFS: rounds of a selector and of labels spread over a graph."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.ensemble import RandomForestClassifier

from pairsift import MRMR, FisherScore, IteraGraphFS, ReliefF, RReliefF, VarianceScore
from pairsift.selectors._iteragraph import _confidence
from tests.reference import harmonic as reference
from tests.selectors.builders import problem


def few_labels(y):
    return np.where(np.arange(len(y)) % 7 < 2, y, -1)


def rounds(selector, X, labels, n_features, n_rounds, share):
    """The method in plain loops: ranking and mean confidence of each round."""
    scaled = (X - X.mean(axis=0)) / X.std(axis=0)
    known, found, seen = labels.copy(), [], []
    for _ in range(n_rounds):
        order = selector.fit(X, known).order_
        subset = sorted(order[:n_features].tolist())
        if subset in seen:
            break
        seen.append(subset)
        f = reference.probabilities(
            scaled[:, subset].tolist(), labels.tolist(), None, 300
        )
        sure = [reference.confidence(row) for row in f]
        others = [r for r in range(len(X)) if labels[r] < 0]
        found.append((order.copy(), sum(sure[r] for r in others) / len(others)))
        others.sort(key=lambda r: -sure[r])
        known = labels.copy()
        for r in others[: round(share * len(others))]:
            known[r] = int(np.argmax(f[r]))
    return found


@pytest.mark.parametrize(("inner", "share"), [(FisherScore(), 0.5), (ReliefF(), 0.8)])
def test_rounds_agree_with_plain_loops(inner, share):
    X, y = problem(seed=3, n_samples=27)
    labels = few_labels(y)
    selector = IteraGraphFS(inner, 2, n_rounds=4, share=share).fit(X, labels)
    expected = rounds(inner, X, labels, 2, 4, share)
    confidences = [c for _, c in expected]
    assert_allclose(selector.confidences_, confidences, atol=1e-6)
    assert selector.best_round_ == np.argmax(confidences)
    assert_array_equal(selector.order_, expected[selector.best_round_][0])


def test_confidence_of_two_classes_is_the_published_one(rng):
    f = rng.random(20)
    found = _confidence(np.column_stack([f, 1 - f]))
    assert_allclose(found, np.abs(f - 0.5) / 0.5)
    assert_allclose(_confidence(np.eye(3)), 1.0)
    assert_allclose(_confidence(np.full((1, 4), 0.25)), 0.0)


@pytest.mark.parametrize("seed", [0, 1])
def test_features_of_the_classes_come_before_noise(seed):
    rng = np.random.default_rng(seed)
    y = np.arange(200) % 2
    X = rng.normal(size=(200, 12))
    X[:, :3] += 2 * y[:, None]
    labels = np.where(np.arange(200) // 2 % 10 == 0, y, -1)
    selector = IteraGraphFS(n_features_to_select=3).fit(X, labels)
    assert set(selector.order_[:3]) == {0, 1, 2}


def test_the_first_round_is_the_selector_alone():
    X, y = problem()
    labels = few_labels(y)
    selector = IteraGraphFS(ReliefF(), 3, n_rounds=1).fit(X, labels)
    assert_array_equal(selector.scores_, ReliefF().fit(X, labels).scores_)
    assert selector.confidences_.shape == (1,)


def test_with_all_labels_nothing_is_spread():
    X, y = problem()
    selector = IteraGraphFS(n_features_to_select=2).fit(X, y)
    assert_array_equal(selector.scores_, FisherScore().fit(X, y).scores_)
    assert selector.confidences_.tolist() == [1.0]


def test_a_search_is_ranked_as_it_ranks_itself():
    X, y = problem()
    selector = IteraGraphFS(MRMR(estimator="correlation"), 2).fit(X, few_labels(y))
    assert_array_equal(selector.order_, selector.selector_.order_)


@pytest.mark.parametrize(
    "given", [FisherScore, RandomForestClassifier(), VarianceScore(), RReliefF()]
)
def test_what_does_not_learn_from_classes_is_refused(given):
    X, y = problem()
    with pytest.raises(TypeError, match="selector must be a selector of pairsift that"):
        IteraGraphFS(given).fit(X, y)


def test_more_rows_than_memory_are_refused(monkeypatch):
    monkeypatch.setattr("pairsift._checks.LITTLE_MEMORY", 0.0)
    monkeypatch.setattr("pairsift._checks.available_memory", lambda: 100.0)
    X, y = problem()
    with pytest.raises(ValueError, match="similarities of 40 rows.*SemiMRMR"):
        IteraGraphFS().fit(X, few_labels(y))
