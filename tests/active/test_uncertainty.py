"""Questions of which the pair model is least sure."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from pairsift import ActiveSession, PairLogistic, select_constraints
from pairsift.active import _uncertainty
from pairsift.active._uncertainty import N_FIRST, SMALLEST_PENALTY, WORN


def blobs(seed=0, n=40, d=5):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3
    X = rng.normal(size=(n, d))
    X[:, 1] += 3.0 * y
    return X, y


def answered(session, y, number):
    for _ in range(number):
        i, j = session.ask()
        session.tell(i, j, "same" if y[i] == y[j] else "different")
    return session


def test_the_pair_nearest_one_half_is_asked():
    X, y = blobs()
    session = answered(ActiveSession(X, strategy="uncertainty"), y, 14)
    # So few rows that all pairs are in the pool.
    everything = np.column_stack(np.triu_indices(len(X), 1))
    model = PairLogistic(
        penalty=SMALLEST_PENALTY, n_penalties=15, smallest_penalty=SMALLEST_PENALTY
    ).fit(X, constraints=session.constraints)
    chance = model.predict_link_proba(everything, X)
    asked = [(a.first, a.second) for a in session.history]
    uses = np.bincount(np.ravel(asked), minlength=len(X))
    unsure = np.abs(chance - 0.5) + WORN * uses[everything].sum(axis=1)
    unsure[[tuple(pair) in asked for pair in everything.tolist()]] = np.inf
    i, j = session.ask()
    place = everything.tolist().index([i, j])
    assert_allclose(unsure[place], unsure.min(), atol=1e-3)


def test_first_pairs_join_different_regions():
    rng = np.random.default_rng(0)
    centres = 100.0 * np.eye(4)
    X = np.repeat(centres, 25, axis=0) + rng.normal(size=(100, 4))
    session = ActiveSession(X, strategy="uncertainty")
    regions = []
    for _ in range(N_FIRST):
        i, j = session.ask()
        regions.append((i // 25, j // 25))
        session.tell(i, j, "different")
    assert regions[0][0] != regions[0][1]
    assert {region for pair in regions for region in pair} == {0, 1, 2, 3}
    assert {region for pair in regions[:2] for region in pair} == {0, 1, 2, 3}


@pytest.mark.parametrize("kind", ["same", "different"])
def test_answers_of_one_kind_are_enough_to_go_on(kind):
    X, _ = blobs()
    session = ActiveSession(X, strategy="uncertainty")
    for _ in range(20):
        session.tell(*session.ask(), kind)
    assert len({frozenset((a.first, a.second)) for a in session.history}) == 20


def test_pairs_of_which_somebody_was_unsure_are_not_asked_again():
    X, y = blobs()
    session = ActiveSession(X, strategy="uncertainty")
    for k in range(30):
        i, j = session.ask()
        answer = "same" if y[i] == y[j] else "different"
        session.tell(i, j, "unsure" if k % 3 == 0 else answer)
    assert len({frozenset((a.first, a.second)) for a in session.history}) == 30


def test_every_pair_comes_in_the_end():
    X, y = blobs(n=7)
    session = answered(ActiveSession(X, strategy="uncertainty"), y, 21)
    assert len({frozenset((a.first, a.second)) for a in session.history}) == 21
    with pytest.raises(ValueError, match="all 21 pairs of X have been asked"):
        session.ask()


def test_a_small_pool_that_is_used_up_goes_on_with_the_rest(monkeypatch):
    monkeypatch.setattr(_uncertainty, "POOL", 3)
    X, y = blobs(n=8)
    session = answered(ActiveSession(X, strategy="uncertainty"), y, 28)
    assert len({frozenset((a.first, a.second)) for a in session.history}) == 28


@pytest.mark.filterwarnings("ignore:this answer contradicts")
@pytest.mark.parametrize("rows", ["equal", "two"])
def test_rows_without_differences(rows):
    X = np.zeros((12, 3)) if rows == "equal" else np.arange(6.0).reshape(2, 3)
    session = ActiveSession(X, strategy="uncertainty")
    number = 12 if rows == "equal" else 1
    for k in range(number):
        session.tell(*session.ask(), "same" if k % 2 else "different")
    assert len(session.history) == number


def test_threads_and_history_do_not_matter():
    X, y = blobs(n=200, d=30)
    sessions = [
        answered(ActiveSession(X, strategy="uncertainty", n_jobs=jobs), y, 25)
        for jobs in (1, 2, 7)
    ]
    assert sessions[0].history == sessions[1].history == sessions[2].history
    last = sessions[0].ask()
    sessions[0].tell(*last, "same")
    sessions[0].undo()
    assert sessions[0].ask() == last
    fresh = ActiveSession(X, strategy="uncertainty")
    for a in sessions[0].history:
        fresh.tell(*a)
    assert fresh.ask() == last


def test_seeds_matter():
    X, y = blobs(n=200)
    first, second = (
        select_constraints(
            X, y, max_queries=10, strategy="uncertainty", random_state=seed
        )
        for seed in (0, 1)
    )
    assert first.cannot_link.tolist() != second.cannot_link.tolist()


def test_units_of_the_columns_do_not_matter():
    X, y = blobs(n=100)
    scaled = X * [2.0**-10, 1.0, 2.0**13, 8.0, 2.0**-30]
    asked = [
        answered(ActiveSession(data, strategy="uncertainty"), y, 15).history
        for data in (X, scaled)
    ]
    assert asked[0] == asked[1]


def test_there_is_no_embedding():
    session = ActiveSession(blobs()[0], strategy="uncertainty")
    with pytest.raises(AttributeError, match="strategy='uncertainty' has no embedding"):
        _ = session.embedding_
