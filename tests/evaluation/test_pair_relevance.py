"""The relevance of single pairs: by hand, by plain loops, and at its edges."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from pairsift import ConstraintScore1, PairConstraints, ReliefFSc
from pairsift.evaluation import pair_relevance
from pairsift.exceptions import DataError
from pairsift.selectors import ReliefSc


class SumOfCannotLinks(ReliefSc):
    """Score: sum over cannot-links of |difference|, so that changes are known."""

    def _score(self, table, supervision):
        a, b = supervision.cannot_link.T
        return np.abs(table.X[a] - table.X[b]).sum(axis=0)


def test_by_hand():
    X = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 4.0], [0.0, 0.0]])
    pairs = PairConstraints(cannot_link=[(0, 1), (0, 2), (0, 3)], n_samples=4)
    found = pair_relevance(SumOfCannotLinks(), X, pairs)

    assert found.pairs == tuple(pairs)
    # All pairs together score (3, 4), of length 5.
    assert_allclose(found.changes, [[3, 0], [0, 4], [0, 0]])
    assert_allclose(found.relevance, [3 / 5, 4 / 5, 0])
    # Without the second pair the first feature passes the second one.
    assert_allclose(found.rank_changes, [0, 1, 0])


def test_agrees_with_fits_without_each_pair(rng):
    X = rng.normal(size=(20, 4))
    pairs = PairConstraints.sample(np.arange(20) % 3, 6, 4, random_state=1)
    selector = ConstraintScore1()
    found = pair_relevance(selector, X, pairs)

    assert not hasattr(selector, "scores_")
    whole = ConstraintScore1().fit(X, constraints=pairs)
    for number, left_out in enumerate(pairs):
        others = [pair for pair in pairs if pair != left_out]
        part = PairConstraints(
            [(a, b) for a, b, link in others if link == "must"],
            [(a, b) for a, b, link in others if link == "cannot"],
            n_samples=20,
        )
        fit = ConstraintScore1().fit(X, constraints=part)
        change = whole.scores_ - fit.scores_
        assert_allclose(found.changes[number], change)
        expected = np.sqrt((change**2).sum() / (whole.scores_**2).sum())
        assert_allclose(found.relevance[number], expected)
        moved = np.abs(whole.ranking_ - fit.ranking_).mean()
        assert found.rank_changes[number] == moved


def test_ids_are_named(rng):
    pairs = PairConstraints(
        cannot_link=[("a", "b"), ("b", "c")], ids=["a", "b", "c", "d"]
    )
    found = pair_relevance(ReliefFSc(), rng.normal(size=(4, 2)), pairs)
    assert found.pairs == tuple(pairs)
    assert np.isfinite(found.relevance).all()


def test_rows_of_a_frame_are_found_by_its_index(rng):
    X = pd.DataFrame(rng.normal(size=(9, 3)), index=list("abcdefghi"))
    pairs = PairConstraints([("a", "b")], [("c", "d"), ("a", "h")], ids=X.index)
    expected = pair_relevance(ConstraintScore1(), X, pairs)
    shuffled = pair_relevance(ConstraintScore1(), X.iloc[rng.permutation(9)], pairs)
    assert_allclose(shuffled.relevance, expected.relevance, rtol=1e-10)


def test_pair_that_is_needed_is_infinitely_relevant(rng):
    pairs = PairConstraints(must_link=[(0, 1)], cannot_link=[(2, 3)], n_samples=6)
    found = pair_relevance(ConstraintScore1(), rng.normal(size=(6, 2)), pairs)
    assert np.isinf(found.relevance).all()
    assert np.isnan(found.changes).all()
    assert np.isnan(found.rank_changes).all()


def test_infinite_scores_that_stay_do_not_count(rng):
    # A constant feature has the score -inf, with and without any pair.
    X = np.column_stack([rng.normal(size=10), np.ones(10), rng.normal(size=10)])
    pairs = PairConstraints([(0, 1), (2, 3)], [(4, 5), (6, 7), (8, 9)], n_samples=10)
    found = pair_relevance(ConstraintScore1(), X, pairs)
    assert (found.changes[:, 1] == 0).all()
    assert np.isfinite(found.relevance).all()
    assert (found.relevance > 0).all()


def test_refusals(rng):
    X = rng.normal(size=(6, 2))
    one = PairConstraints(cannot_link=[(0, 1)], n_samples=6)
    for wrong in (one, [(0, 1), (1, 2)]):
        with pytest.raises(DataError, match="constraints must be a PairConstraints of"):
            pair_relevance(ReliefFSc(), X, wrong)
    draws = ReliefFSc(null="random-pairs", random_state=None)
    with pytest.raises(DataError, match="ReliefFSc gives other scores at every fit"):
        pair_relevance(
            draws,
            rng.normal(size=(40, 3)),
            PairConstraints(cannot_link=[(0, 1), (2, 3)], n_samples=40),
        )
