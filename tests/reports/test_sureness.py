"""How sure a choice is: counted on halves of what the selector learned from."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator

from pairsift import ConstraintError, PairConstraints
from pairsift.reports import Fit, _sureness
from pairsift.reports._sureness import N_HALVES, Sureness, chosen_again


class Recorder(BaseEstimator):
    """Ranks the columns in turn from another one at each fit; keeps what it got."""

    seen = []  # noqa: RUF012
    n_constraints_used_ = 0

    def __init__(self, n_pairs=0, n_broken=0, period=4):
        self.n_pairs, self.n_broken, self.period = n_pairs, n_broken, period
        self.n_constraints_used_ = n_pairs

    def fit(self, X, y=None, constraints=None, missing_label=None):
        self.seen.append((X, y, constraints))
        if len(self.seen) <= self.n_broken:
            raise ConstraintError("there is no pair left.")
        turn = len(self.seen) % self.period == 0
        self.order_ = np.roll(np.arange(X.shape[1]), -1 if turn else 0)
        return self


@pytest.fixture
def fit():
    """A selector fitted to ten rows that are told apart by what is given."""

    def make(codes=None, pairs=None, **parameters):
        Recorder.seen.clear()
        n_pairs = 0 if pairs is None else len(pairs)
        selector = Recorder(n_pairs, **parameters)
        selector.order_ = np.arange(5)
        X = pd.DataFrame(np.arange(50.0).reshape(10, 5))
        labels = None if codes is None else np.array(codes)
        return Fit(selector, X, labels, labels, pairs, -1)

    return make


def test_features_that_stay_are_counted(fit):
    found = chosen_again(fit(), 2)

    # Every fourth ranking begins with the second column: 1, 2 instead of 0, 1.
    assert found.counts == (15, 20)
    assert found.n_halves == N_HALVES == 20
    assert (found.least, found.n_sure) == (18, 1)
    assert found.of_what == "the 10 rows"


def test_halves_of_rows_differ_and_are_the_same_each_time(fit):
    chosen_again(fit(), 2)
    first = [tuple(X.index) for X, _, _ in Recorder.seen]
    chosen_again(fit(), 2)

    assert first == [tuple(X.index) for X, _, _ in Recorder.seen]
    assert {len(set(rows)) for rows in first} == {5}
    assert len(set(first)) > 10


def test_half_of_every_class_keeps_its_label(fit):
    codes = [0, 0, 0, 0, 1, 1, 1, 2, -1, -1]
    found = chosen_again(fit(codes), 2)

    assert found.of_what == "the 8 labelled rows"
    for X, y, pairs in Recorder.seen:
        assert len(X) == 10
        assert pairs is None
        assert np.bincount(y[y >= 0]).tolist() == [2, 2, 1]
        assert ((y == codes) | (y == -1)).all()


def test_half_of_each_kind_of_pairs_is_kept(fit):
    must = [(0, 1), (2, 3), (4, 5)]
    cannot = [(0, 2), (0, 4), (1, 6), (2, 8)]
    pairs = PairConstraints(must, cannot, n_samples=10)
    found = chosen_again(fit(pairs=pairs), 2)

    assert found.of_what == "the 7 pairs"
    for X, _, half in Recorder.seen:
        assert len(X) == 10
        assert (half.n_must_link, half.n_cannot_link) == (2, 2)
        assert half | pairs == pairs


def test_halves_that_fail_are_left_out(fit):
    found = chosen_again(fit(n_broken=5, period=99), 2)
    assert (found.n_halves, found.counts, found.least) == (15, (15, 15), 14)


def test_too_many_failures_are_said(fit):
    found = chosen_again(fit(n_broken=11), 2)
    assert found == Sureness(
        reason="half of the 10 rows is too few: there is no pair left"
    )


@pytest.mark.parametrize(
    ("seconds", "said"), [(1.0, "20 seconds"), (60.0, "20 minutes")]
)
def test_what_takes_too_long_is_given_up(fit, monkeypatch, seconds, said):
    clock = iter(np.arange(0.0, 1e4, seconds))
    monkeypatch.setattr(_sureness, "perf_counter", lambda: next(clock))
    found = chosen_again(fit(), 2)

    assert found == Sureness(reason=f"20 rankings would take {said}")
    assert len(Recorder.seen) == 1


def test_what_took_a_minute_is_not_even_tried(fit):
    found = chosen_again(fit()._replace(seconds=90.0), 2)

    assert found == Sureness(reason="one ranking takes 90 seconds")
    assert Recorder.seen == []
