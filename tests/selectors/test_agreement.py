"""Pairs that agree with the labels no better than chance, and those that do."""

import warnings

import numpy as np
import pytest

from pairsift import ConstraintScore1, PairConstraints, PairsDisagreeWarning
from pairsift.selectors import _agreement
from pairsift.selectors._agreement import warn_of_disagreement

NONE = np.empty((0, 2), dtype=np.int64)


def pairs_of(y, n_must, n_cannot, seed=0):
    c = PairConstraints.sample(y, n_cannot, n_must, random_state=seed)
    return c.must_link, c.cannot_link


def is_warned(labels, must, cannot):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn_of_disagreement(labels, must, cannot)
    return bool(caught)


def classes(*sizes, seed=0):
    y = np.repeat(np.arange(len(sizes)), sizes)
    return np.random.default_rng(seed).permutation(y)


@pytest.mark.parametrize("sizes", [(50, 50, 50), (75, 75), (135, 15), (15,) * 10])
@pytest.mark.parametrize("numbers", [(20, 0), (0, 20), (10, 10), (1, 19), (90, 60)])
def test_right_pairs_are_never_warned_of(sizes, numbers):
    y = classes(*sizes)
    for seed in range(20):
        assert not is_warned(y, *pairs_of(y, *numbers, seed=seed))


@pytest.mark.parametrize("sizes", [(50, 50, 50), (75, 75)])
@pytest.mark.parametrize("numbers", [(20, 0), (0, 30), (10, 20), (90, 60)])
def test_pairs_of_shuffled_rows_are_warned_of(rng, sizes, numbers):
    y = classes(*sizes)
    must, cannot = pairs_of(y, *numbers)
    n_warned = sum(is_warned(rng.permutation(y), must, cannot) for _ in range(100))
    # Five in 100 is twice the share that passes in simulations of these cases.
    assert n_warned >= 95


def test_pairs_that_share_rows_do_not_pass_more_often(rng):
    # All pairs of 30 rows: a binomial test lets a quarter of the shuffles pass.
    y = classes(135, 15)
    few = np.full(150, -1)
    few[:30] = y[:30]
    c = PairConstraints.from_labels(few, missing_label=-1)
    shuffles = [rng.permutation(y) for _ in range(100)]
    n_warned = sum(is_warned(y, c.must_link, c.cannot_link) for y in shuffles)
    assert n_warned >= 88


def test_numbers_of_the_warning_by_hand():
    # 180 of the 380 ordered pairs of rows lie inside a class, a share of 0.474. Each
    # first row is of class 0, as the second after it is, and the third is of class 1.
    y = np.tile([0, 0, 1, 1], 5)
    first, second = np.arange(0, 20, 4), np.arange(1, 20, 4)
    cannot = np.stack(np.meshgrid(first, second), axis=-1).reshape(-1, 2)[:20]
    must = cannot + np.array([0, 1])
    message = (
        r"^0 of 20 cannot-links lie between two classes of y, where chance gives 10.5: "
        "the rows of X may have been resampled or reordered before the selector"
    )
    with pytest.warns(PairsDisagreeWarning, match=message):
        warn_of_disagreement(y, NONE, cannot)
    message = (
        r"0 of 20 must-links lie inside a class of y, where chance gives 9.5, and 1 of "
        r"1 cannot-links lie between two classes of y, where chance gives 0.5: the rows"
    )
    with pytest.warns(PairsDisagreeWarning, match=message):
        warn_of_disagreement(y, must, np.array([[0, 2]]))


def test_fewer_than_twenty_pairs_with_labelled_ends_are_no_evidence():
    y = classes(50, 50)
    wrong = np.argwhere((y[:, None] != y) & np.tri(100, k=-1, dtype=bool))
    assert is_warned(y, wrong[:20], NONE)
    assert not is_warned(y, wrong[:19], NONE)
    unlabelled = y.copy()
    unlabelled[wrong[19]] = -1
    assert (unlabelled[wrong[:20]] < 0).any()
    assert not is_warned(unlabelled, wrong[:20], NONE)


@pytest.mark.parametrize("y", [np.zeros(50, int), np.arange(50), np.full(50, -1)])
def test_labels_that_tell_no_pairs_apart_are_no_evidence(y):
    pairs = np.column_stack([np.arange(49), np.arange(1, 50)])
    assert not is_warned(y, pairs[:25], pairs[25:])


def test_of_many_pairs_some_are_tested(monkeypatch):
    y = classes(50, 50)
    must, cannot = pairs_of(y, 195, 105)
    n_counted = []
    original = _agreement._agreeing

    def count(labels, must, cannot):
        n_counted.append(len(must) + len(cannot))
        return original(labels, must, cannot)

    monkeypatch.setattr(_agreement, "_agreeing", count)
    monkeypatch.setattr(_agreement, "MAX_PAIRS", 150)
    # 65 % of these must-links are right: better than chance, and nearer to it than to
    # all of them, so that no shuffle can be left out.
    assert not is_warned(y, np.concatenate([must, cannot]), NONE)
    assert n_counted == [300] + 500 * [100]


def test_warning_can_be_silenced_and_comes_from_the_line_of_fit(rng):
    y = classes(30, 30)
    X = rng.normal(size=(60, 3))
    c = PairConstraints(*pairs_of(y, 20, 20))
    other = np.tile([0, 1], 30)
    with pytest.warns(PairsDisagreeWarning) as caught:
        ConstraintScore1(1).fit(X, other, constraints=c)
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PairsDisagreeWarning)
        ConstraintScore1(1).fit(X, other, constraints=c)
