"""Columns known to be relevant come before noise, from 30 labels among 300 rows."""

import numpy as np
import pytest

from pairsift import FSSFS, LMFS, FSManifold, IteraGraphFS, S3VMSelector

# FeatureClusterMI has its own data: features that all tell the classes are redundant
# to it, so that one of each cluster is what can be asked for.
SELECTORS = {
    "S3VMSelector": S3VMSelector(),
    "IteraGraphFS": IteraGraphFS(),
    "FSManifold": FSManifold(),
}


def shifted(seed):
    """Draw 20 columns, four of which differ between two classes by two deviations."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(300) % 2)
    X = rng.normal(size=(300, 20))
    relevant = np.sort(rng.choice(20, 4, replace=False))
    for f in relevant:
        X[:, f] += 2.0 * rng.permutation(2)[y]
    labels = np.full(300, -1)
    for c in range(2):
        rows = rng.permutation(np.flatnonzero(y == c))[:15]
        labels[rows] = c
    return X, labels, relevant


@pytest.mark.parametrize("name", SELECTORS)
def test_relevant_columns_come_before_noise(name):
    X, labels, relevant = shifted(204)
    order = SELECTORS[name].fit(X, labels).order_
    assert set(order[:4]) == set(relevant)


@pytest.mark.slow
@pytest.mark.parametrize("name", SELECTORS)
def test_relevant_columns_come_before_noise_in_nine_of_ten_draws(name):
    n_found = 0
    for seed in range(100):
        X, labels, relevant = shifted(seed)
        order = SELECTORS[name].fit(X, labels).order_
        n_found += set(order[:4]) == set(relevant)
    assert n_found >= 90


@pytest.mark.slow
def test_a_wrapper_puts_relevant_columns_before_noise():
    X, labels, relevant = shifted(204)
    order = FSSFS(n_trials=3, random_state=0).fit(X, labels).order_
    assert set(order[:4]) == set(relevant)


@pytest.mark.slow
def test_a_wrapper_that_adds_four_features_adds_the_relevant_ones():
    n_found = 0
    for seed in range(10):
        X, labels, relevant = shifted(seed)
        selector = FSSFS(n_features_to_select=4, n_trials=3, random_state=0)
        n_found += set(selector.fit(X, labels).order_[:4]) == set(relevant)
    assert n_found >= 9


@pytest.mark.slow
@pytest.mark.parametrize("unlabelled", ["ignore", "nearest"])
def test_a_network_puts_relevant_columns_before_noise(unlabelled):
    """Not in every draw: noise may tell 30 rows apart."""
    n_found = 0
    for seed in range(10):
        X, labels, relevant = shifted(seed)
        selector = LMFS(unlabelled=unlabelled, random_state=seed).fit(X, labels)
        n_found += set(selector.order_[:4]) == set(relevant)
    assert n_found >= 9
