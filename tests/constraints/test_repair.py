"""Contradictory answers: the least supported ones are left out, as few as can be."""

import itertools

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pairsift import PairConstraints
from pairsift.constraints._repair import consistent_pairs


def partitions(n_rows):
    """Every way to put rows into groups."""
    if n_rows == 0:
        return [[]]
    return [
        [*groups, group]
        for groups in partitions(n_rows - 1)
        for group in range(max(groups, default=-1) + 2)
    ]


PARTITIONS = {n_rows: np.array(partitions(n_rows)) for n_rows in (4, 6)}


def fewest(c):
    """Try all groups; wrong are must-links between them and cannot-links inside."""
    group = PARTITIONS[c.n_samples]
    n_wrong = np.zeros(len(group), dtype=int)
    for a, b in c.must_link:
        n_wrong += group[:, a] != group[:, b]
    for a, b in c.cannot_link:
        n_wrong += group[:, a] == group[:, b]
    return n_wrong.min()


def problem(links, n_rows):
    pairs = list(itertools.combinations(range(n_rows), 2))
    chosen = {
        kind: [pair for pair, link in zip(pairs, links, strict=True) if link == kind]
        for kind in ("must", "cannot")
    }
    return PairConstraints(chosen["must"], chosen["cannot"], n_samples=n_rows)


def check(c):
    """Return how many were left out after checking all that is promised."""
    kept, left_out = c.without_conflicts()
    assert kept.conflicts() == []
    assert set(kept) | set(left_out) == set(c)
    assert len(kept) + len(left_out) == len(c)
    assert fewest(c) <= len(left_out) <= len(c.conflicts())
    for pair in left_out:
        alone = {f"{pair.link}_link": [(pair.a, pair.b)]}
        assert (kept | PairConstraints(**alone)).conflicts()
    if fewest(c) == 1:
        assert len(left_out) == 1
    return len(left_out)


def test_all_problems_of_four_rows_leave_out_the_fewest():
    for links in itertools.product(["", "must", "cannot"], repeat=6):
        c = problem(links, 4)
        if c.conflicts():
            assert check(c) == fewest(c)


@given(st.lists(st.sampled_from(["", "must", "cannot"]), min_size=15, max_size=15))
def test_six_rows_leave_out_at_most_twice_the_fewest(links):
    c = problem(links, 6)
    assert check(c) <= 2 * fewest(c)


def test_wrong_must_link_between_two_groups_is_found():
    same = [(0, 1), (1, 2), (3, 4), (4, 5)]
    apart = [(0, 3), (1, 4), (2, 5)]
    c = PairConstraints([*same, (2, 3)], apart, n_samples=6)
    kept, left_out = c.without_conflicts()
    assert list(left_out) == [(2, 3, "must")]
    assert kept == PairConstraints(same, apart, n_samples=6)


def test_confirmed_must_link_stays_where_another_can_go():
    # Both chains pass (1, 2) and (2, 3); only (1, 2) is confirmed, through row 9.
    must = [(1, 2), (1, 9), (2, 9), (2, 3), (0, 1)]
    _, left_out = PairConstraints(must, [(1, 3), (0, 3)]).without_conflicts()
    assert list(left_out) == [(2, 3, "must")]


def test_single_contradiction_costs_the_cannot_link():
    c = PairConstraints([("a", "b"), ("b", "c")], [("a", "c")], ids=["a", "b", "c"])
    kept, left_out = c.without_conflicts()
    assert list(left_out) == [("a", "c", "cannot")]
    assert kept.ids == left_out.ids == ("a", "b", "c")


def test_nothing_is_left_out_without_a_contradiction():
    c = PairConstraints([(0, 1)], [(1, 2)], n_samples=3)
    kept, left_out = c.without_conflicts()
    assert kept == c
    assert len(left_out) == 0
    assert left_out.n_samples == 3


@pytest.mark.parametrize("seed", range(3))
def test_many_answers_do_not_take_long(seed):
    rng = np.random.default_rng(seed)
    group = rng.integers(0, 4, 120)
    pairs = np.unique(np.sort(rng.integers(0, 120, (600, 2))), axis=0)
    pairs = pairs[pairs[:, 0] < pairs[:, 1]]
    said = (group[pairs[:, 0]] == group[pairs[:, 1]]) ^ (rng.random(len(pairs)) < 0.1)
    must, cannot = consistent_pairs(pairs[said], pairs[~said])
    kept = PairConstraints(pairs[said][must], pairs[~said][cannot])
    assert kept.conflicts() == []
    # About 60 answers are wrong; leaving out all cannot-links would be 400.
    assert (~must).sum() + (~cannot).sum() < 100
