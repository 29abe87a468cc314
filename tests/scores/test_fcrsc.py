"""FCRSC's score against its algorithm in plain steps."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pairsift.graphs import feature_graph
from pairsift.scores import fcrsc_score, relieff_sc_score
from pairsift.scores._fcrsc import representative_scores, representatives
from tests.reference import feature_graph as reference

PAIRS = [(0, 7), (3, 11), (12, 5)]


def data(rng, n_samples=20):
    X = rng.normal(size=(n_samples, 4))
    near = X[:, [0, 2, 2]] + 0.2 * rng.normal(size=(n_samples, 3))
    return np.column_stack([X, near])


@pytest.mark.parametrize("seed", range(5))
def test_representatives_come_first_by_margin(seed):
    X = data(np.random.default_rng(seed))
    scores = fcrsc_score(X, PAIRS, n_neighbors=3)
    z = relieff_sc_score(X, PAIRS, n_neighbors=3)
    scaled = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    S = feature_graph(scaled)[0].toarray()
    best = {max(part, key=lambda j: z[j]) for part in reference.clusters(S)}
    expected = sorted(best, key=lambda j: -z[j])
    expected += sorted(set(range(7)) - best, key=lambda j: -z[j])
    assert 1 < len(best) < 7
    assert_array_equal(np.argsort(-scores), expected)
    assert_array_equal(scores[list(best)], z[list(best)])


def test_scores_by_hand():
    # Two clusters, {0, 2} and {1}: 2 is redundant, and shifted by the range and one.
    z = np.array([3.0, -1.0, 2.0])
    chosen = representatives(z, np.array([0, 1, 0]))
    assert_array_equal(chosen, [0, 1])
    assert_array_equal(representative_scores(z, chosen), [3.0, -1.0, -3.0])


def test_equal_margins_go_to_the_lower_index():
    z = np.zeros(4)
    chosen = representatives(z, np.array([0, 0, 1, 1]))
    assert_array_equal(chosen, [0, 2])
    assert_array_equal(representative_scores(z, chosen), [0.0, -1.0, 0.0, -1.0])
    # Up to rounding: the last place of a sum is no reason to prefer a copy.
    nearly = np.array([0.1 + 0.2, 0.3, 0.3, 0.1 + 0.2])
    assert_array_equal(representatives(nearly, np.array([0, 0, 1, 1])), [0, 2])


@pytest.mark.parametrize("graph", ["simplex", "lasso"])
def test_units_do_not_matter(rng, graph):
    X = data(rng)
    moved = X * rng.uniform(0.01, 100.0, size=7) + rng.normal(size=7)
    expected = fcrsc_score(X, PAIRS, graph=graph)
    assert_allclose(fcrsc_score(moved, PAIRS, graph=graph), expected, rtol=1e-9)


def test_copies_in_other_units_are_redundant_and_change_nothing_else(rng):
    X = data(rng)
    scores = fcrsc_score(X, PAIRS)
    # All columns twice: the nearest rows stay the nearest, and so do the margins.
    twice = fcrsc_score(np.column_stack([X, 3.0 * X - 7.0]), PAIRS)
    z = relieff_sc_score(X, PAIRS)
    assert_allclose(twice[:7], scores, rtol=1e-9)
    assert_allclose(twice[7:], z - np.ptp(z) - 1.0, rtol=1e-9)


def test_too_few_clusters_are_told(rng):
    X = np.column_stack([rng.normal(size=(20, 3)), np.ones(20)])
    with pytest.warns(UserWarning, match="n_clusters=1 joins features without any"):
        fcrsc_score(X, PAIRS, n_clusters=1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"graph": "knn"}, "graph must be one of 'simplex', 'lasso', got 'knn'"),
        ({"linkage_method": "median"}, "linkage_method must be one of 'single', 'co"),
        ({"n_clusters": 9}, "n_clusters=9 asks for more than the 7 features"),
        ({"n_clusters": 0}, "n_clusters must be a whole number of at least 1"),
        ({"alpha": -1.0}, "alpha must be a positive number"),
        ({"n_neighbors": 0}, "n_neighbors must be a whole number"),
        ({"cannot_link": [(0, 99)]}, "cannot_link"),
    ],
)
def test_impossible_arguments_are_refused(rng, arguments, message):
    with pytest.raises(ValueError, match=message):
        fcrsc_score(**{"X": data(rng), "cannot_link": PAIRS} | arguments)


def test_a_range_that_overflows_is_refused():
    with pytest.raises(ValueError, match="scale it first"):
        fcrsc_score(np.array([[-1.7e308, 1.0], [1.7e308, 0.0]] * 3), [(0, 1)])
