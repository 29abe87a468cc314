"""Enough rows: growing draws until the choice stays."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

import pairsift
from pairsift import PairConstraints, distributed
from tests.distributed.problems import source


def problem(n_rows=3000, n_features=8, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_features))
    y = (X[:, 2] - X[:, 5] > 0).astype(int)
    return X, y


def test_sizes_double_until_two_agreements():
    X, y = problem()
    enough = distributed.enough_rows(pairsift.FisherScore(2), X, y, first=50)
    assert_array_equal(enough.sizes, 50 * 2 ** np.arange(enough.sizes.size))
    assert np.isnan(enough.agreement[0])
    assert enough.is_enough
    assert min(enough.agreement[-2:]) >= 0.9
    assert not any(
        min(enough.agreement[k - 1 : k + 1]) >= 0.9
        for k in range(2, enough.sizes.size - 1)
    )
    assert set(enough.chosen) == {2, 5}
    assert enough.n_rows == enough.sizes[-1] == enough.rows.size
    fitted = pairsift.FisherScore(2).fit(X[enough.rows], y[enough.rows])
    assert_array_equal(enough.selector.scores_, fitted.scores_)


def test_agreement_is_the_jaccard_index_of_the_chosen():
    X = np.random.default_rng(1).normal(size=(400, 12))
    y = np.arange(400) % 2
    enough = distributed.enough_rows(
        pairsift.FisherScore(4), X, y, first=50, agreement=1.01
    )
    # Noise is chosen: two draws share some features, rarely all.
    assert enough.sizes.tolist() == [50, 100, 200, 400]
    assert not enough.is_enough
    possible = [k / (8 - k) for k in range(5)]
    assert all(np.isclose(share, possible).any() for share in enough.agreement[1:])
    assert len(set(enough.agreement[1:])) > 1


@pytest.mark.parametrize("kind", ["blocks", "frames", "path"])
def test_blocks_give_the_draws_of_memory(kind, tmp_path):
    X, y = problem(1500)
    here = distributed.enough_rows(pairsift.FisherScore(2), X, y, first=20)
    if kind == "blocks":
        there = source(X, [0, 100, 900])
    else:
        frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(8)])
        there = source(frame, [700])
    if kind == "path":
        pytest.importorskip("pyarrow")
        frame.to_parquet(tmp_path / "t.parquet", row_group_size=400)
        there = tmp_path / "t.parquet"
    found = distributed.enough_rows(pairsift.FisherScore(2), there, y, first=20)
    assert_array_equal(found.rows, here.rows)
    assert_array_equal(found.agreement, here.agreement)
    assert_array_equal(found.selector.scores_, here.selector.scores_)


def test_rows_are_gathered_for_three_doublings_in_one_pass():
    X, y = problem(1000)
    passes = []

    class Counted(distributed.StreamedSource):
        def reduce(self, partial, merge, numbers, own, shared):
            passes.append(len(numbers))
            return super().reduce(partial, merge, numbers, own, shared)

    blocks = Counted([lambda: X[:500], lambda: X[500:]], sizes=[500, 500])
    options = {"first": 10, "agreement": 1.01, "max_samples": 320}
    enough = distributed.enough_rows(pairsift.FisherScore(2), blocks, y, **options)
    assert enough.sizes.tolist() == [10, 20, 40, 80, 160, 320]
    # The first row, then draws of up to 80 rows and of up to 1280.
    assert passes == [1, 2, 2]


def test_what_people_told_is_in_every_draw():
    X, y = problem()
    labels = np.where(np.arange(len(y)) % 300 == 7, y, -1)
    enough = distributed.enough_rows(pairsift.FisherScore(2), X, labels, first=40)
    assert np.isin(np.flatnonzero(labels >= 0), enough.rows).all()
    pairs = PairConstraints(cannot_link=[[5, 2900], [17, 2801]], n_samples=len(X))
    enough = distributed.enough_rows(
        pairsift.ReliefFSc(2, n_neighbors=2), X, constraints=pairs, first=30
    )
    assert np.isin([5, 17, 2801, 2900], enough.rows).all()
    assert enough.selector.n_constraints_used_ == 2


def test_rare_classes_have_rows_in_every_draw():
    codes = np.zeros(2000, dtype=int)
    codes[:30] = 1
    order = distributed.rows_in_turn(codes, np.array([77]), 0)
    assert sorted(order) == list(range(2000))
    assert order[0] == 77
    assert (codes[order[:40]] == 1).sum() >= 10


def test_selector_is_left_as_it_was_and_must_choose():
    X, y = problem(300)
    selector = pairsift.FisherScore()
    with pytest.raises(ValueError, match="chooses all 8 features.*n_features_to_sel"):
        distributed.enough_rows(selector, X, y, first=50)
    assert not hasattr(selector, "scores_")
    with pytest.raises(ValueError, match="y has 299 labels, X has 300 rows"):
        distributed.enough_rows(selector, X, y[1:], first=50)
