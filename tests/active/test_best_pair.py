"""The best of all pairs, against all pairs."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from pairsift.active._best_pair import best_pair
from tests.reference import active as reference

NONE = np.empty((0, 2), dtype=np.int64)


def products(u, g):
    return np.abs(u[:, None] - u) * np.abs(g[:, None] - g)


def clouds(rng, kind, n_samples):
    u, g = rng.normal(size=(2, n_samples))
    return {
        "random": (u, g),
        "grid": (np.round(u), np.round(g)),
        "falling": (u, -(u**3) + 1e-3 * g),
        "rising": (u, u.copy()),
        "parabola": (u, u**2),
        "copies": (np.repeat(u, 3)[:n_samples], np.repeat(g, 3)[:n_samples]),
        "flat": (u, np.zeros(n_samples)),
    }[kind]


@pytest.mark.parametrize(
    "kind", ["random", "grid", "falling", "rising", "parabola", "copies", "flat"]
)
@pytest.mark.parametrize("n_samples", [2, 3, 7, 40, 200])
def test_best_pair_is_the_best_of_all(rng, kind, n_samples):
    for _ in range(5):
        u, g = clouds(rng, kind, n_samples)
        n, m, utility = best_pair(u, g, NONE)
        assert (n, m) == reference.best_pair(products(u, g))
        assert np.isclose(utility, products(u, g)[n, m], rtol=1e-9)


@pytest.mark.parametrize("kind", ["random", "grid", "copies", "flat"])
def test_asked_pairs_are_passed_over_to_the_last(rng, kind):
    u, g = clouds(rng, kind, 9)
    asked = []
    for _ in range(36):
        expected = reference.best_pair(products(u, g), asked)
        pairs = np.array(asked, dtype=np.int64).reshape(-1, 2)
        n, m, _ = best_pair(u, g, pairs)
        assert (n, m) == expected
        asked.append((n, m))
    assert best_pair(u, g, np.array(asked))[:2] == (-1, -1)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=2, max_size=30)
)
def test_best_pair_of_any_points(points):
    u, g = np.array(points, dtype=float).T
    assert best_pair(u, g, NONE)[:2] == reference.best_pair(products(u, g))


@pytest.mark.slow
def test_long_staircases_are_compared_by_blocks(rng):
    """All points on both staircases: boxes decide which are compared."""
    x = np.sort(rng.random(3000))
    u = np.concatenate([x, x - 0.5])
    g = np.concatenate([1 - x, 0.5 - x])
    n, m, _ = best_pair(u, g, NONE)
    assert (n, m) == reference.best_pair(products(u, g))
