"""Whether spread pairs can be trusted: left-out answers against chance."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_wine
from sklearn.preprocessing import minmax_scale

from pairsift import PairConstraints
from pairsift.active import HeldOut, propagate
from pairsift.active._graph import self_tuning_graph
from pairsift.active._propagation import _diffuse, _normalized
from pairsift.active._trust import _places, held_out
from tests.reference import active as reference


def blobs(seed=0, n_samples=60):
    """Three groups far apart."""
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % 3
    return rng.normal(size=(n_samples, 2)) + 9.0 * np.eye(3)[y][:, :2], y


def random_pairs(y, n_pairs, seed=0):
    """Pairs as somebody would answer who is asked at random."""
    rng = np.random.default_rng(seed)
    pairs = rng.integers(0, len(y), (n_pairs, 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    is_same = y[pairs[:, 0]] == y[pairs[:, 1]]
    return PairConstraints(pairs[is_same], pairs[~is_same], n_samples=len(y))


@pytest.mark.parametrize("kind", ["must", "cannot"])
def test_left_out_answers_are_judged_by_what_the_rest_would_spread(kind):
    X, y = blobs(n_samples=30)
    c = random_pairs(y, 14)
    given, others = c.must_link, c.cannot_link
    if kind == "cannot":
        given, others = others, given
    S = self_tuning_graph(X, "full", 4)
    diffusion = _diffuse(_normalized(S), given, 0.9, "mean-row-max")
    everything = np.column_stack(np.triu_indices(30, 1))
    for answers in (given, others):
        expected, is_spread = [], []
        for n, m in answers:
            rest = [pair for pair in given if not {n, m} & set(pair.tolist())]
            if len(rest) < len(given) / 2:
                continue
            G = reference.propagated(S, rest, 0.9)
            everywhere = G[everything[:, 0], everything[:, 1]]
            # The confidence of a pair itself is one of all, and equal to itself.
            below = (everywhere < G[n, m] * (1 - 1e-9)).sum()
            equal = np.isclose(everywhere, G[n, m], rtol=1e-9, atol=0).sum()
            expected.append((below + 0.5 * equal) / len(everything))
            is_spread.append(G[n, m] >= diffusion.tau)
        assert expected
        places, found = _places(diffusion, answers, everything)
        assert_allclose(places, expected, atol=1.01 / len(everything))
        assert found.tolist() == is_spread


def test_far_groups_are_trusted():
    X, y = blobs()
    for links in ("cannot", "must"):
        result = propagate(random_pairs(y, 60), X, graph="knn", links=links)
        (check,) = result.held_out
        assert check.link == links
        assert check.auc > 0.75
        assert check.contradicted == 0.0
        assert not check.is_chance
        n, m = getattr(result, f"{links}_link").T
        assert ((y[n] == y[m]) == (links == "must")).mean() > 0.95


def test_answers_at_random_are_not_trusted():
    X, y = blobs()
    c = random_pairs(np.random.default_rng(0).permutation(y), 60)
    with pytest.warns(UserWarning, match="cannot-links .* no better than chance"):
        (check,) = propagate(c, X, graph="knn").held_out
    assert abs(check.auc - 0.5) < 2 * check.error


def test_full_graph_of_wine_is_no_better_than_chance_and_the_nearest_rows_are():
    X, y = load_wine(return_X_y=True)
    c = random_pairs(y, 150)
    with pytest.warns(UserWarning, match=r"than \d+ given must-links in \d\d% of"):
        full = propagate(c, minmax_scale(X))
    near = propagate(c, minmax_scale(X), graph="knn")
    right = []
    for result in (full, near):
        n, m = result.cannot_link.T
        right.append((y[n] != y[m]).mean())
    by_chance = 1 - np.mean([(y == label).mean() for label in y])
    assert right[0] < by_chance < right[1]
    assert full.held_out[0].auc < 0.5 < near.held_out[0].auc


def test_without_answers_of_the_other_kind_random_pairs_are_compared():
    X, y = blobs()
    c = PairConstraints.sample(y, 30, random_state=0)
    (check,) = propagate(c, X, graph="knn").held_out
    assert (check.n_others, check.n_answers) == (0, 30)
    assert np.isnan(check.contradicted)
    # Two of three random pairs are cannot-links themselves: 2/3 is the most.
    assert 0.5 < check.auc < 0.75
    assert "random pairs" in str(check)


def test_too_few_answers_tell_nothing():
    X, y = blobs()
    few = propagate(PairConstraints.sample(y, 7, random_state=0), X).held_out[0]
    star = PairConstraints(cannot_link=[(0, j) for j in np.flatnonzero(y == 1)])
    alone = propagate(star, X).held_out[0]
    for check, n_answers in ((few, 7), (alone, 0)):
        assert check.n_answers == n_answers
        assert np.isnan(check.auc)
        assert not check.is_chance
        assert f"too few given cannot-links ({n_answers}, at least 8" in str(check)


def test_both_kinds_are_checked_and_travel():
    X, y = blobs()
    result = propagate(random_pairs(y, 80), X, graph="knn", links="both")
    assert [check.link for check in result.held_out] == ["must", "cannot"]
    assert pickle.loads(pickle.dumps(result)).held_out == result.held_out


def test_many_answers_are_judged_by_some():
    X, y = blobs()
    c = PairConstraints.sample(y, 900, random_state=0)
    P = _normalized(self_tuning_graph(X, "knn", 7))
    diffusion = _diffuse(P, c.cannot_link, 0.99, "mean-row-max")
    check = held_out(diffusion, "cannot", c.must_link, 0.1)
    assert isinstance(check, HeldOut)
    assert 0 < check.n_answers <= 200
