"""Piles that people merge, move cards between, name, and look at twice."""

import sqlite3
import warnings
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from pairsift import ConstraintError, PairConstraints
from pairsift.active import ActiveSession, Note
from pairsift.active._answers import Event, check_event
from tests.active.test_piles import N, new_session, state
from tests.active.test_session import blobs


def sorted_session():
    """Piles 1: 0, 1, 2; 2: 3, 4; 3: 5. Card 2 was compared with 1, and 4 with 3."""
    session = new_session()
    for row, pile in [(0, "new"), (1, 1), (3, "new"), (2, 1), (4, 2), (5, "new")]:
        session.place(row, pile)
    assert session.piles == [[0, 1, 2], [3, 4], [5]]
    return session


def pile_of(session, row):
    return set(np.flatnonzero(session.labels == session.labels[row]).tolist())


# ------------------------------------------------------------------------------- merge


def test_merged_piles_are_one_without_a_contradiction():
    session = sorted_session()
    assert session.constraints.n_cannot_link > 0
    session.merge(3, 1)
    assert session.piles == [[0, 1, 2, 5], [3, 4]]
    assert session.conflicts == []
    must = session.constraints.must_link.tolist()
    assert [0, 5] in must
    # What kept the other piles apart still stands.
    apart = session.constraints.closure().cannot_link.tolist()
    assert [2, 4] in apart
    assert [0, 5] not in apart


def test_undo_splits_what_was_merged_and_redo_merges_it():
    session = sorted_session()
    before = state(session)
    session.merge(1, 2)
    after = state(session)
    assert session.undo().answer == "merge"
    assert state(session) == before
    assert session.redo().pile == 1
    assert state(session) == after


def test_merge_says_what_is_wrong():
    session = sorted_session()
    with pytest.raises(ConstraintError, match="there is no pile 7: the piles are"):
        session.merge(1, 7)
    with pytest.raises(ConstraintError, match="there is no pile True"):
        session.merge(True, 2)
    with pytest.raises(ConstraintError, match="pile 2 cannot be merged with itself"):
        session.merge(2, 2)


# -------------------------------------------------------------------------------- move


def test_moved_card_leaves_the_others_together():
    session = sorted_session()
    # Row 1 is what holds 2 on the pile.
    session.move(1, 2)
    assert session.piles == [[0, 2], [3, 4, 1], [5]]
    assert session.conflicts == []
    assert [0, 2] in session.constraints.must_link.tolist()
    assert [0, 1] in session.constraints.cannot_link.tolist()


def test_card_is_moved_to_a_new_pile_or_to_none():
    session = sorted_session()
    session.move(4, "new")
    assert session.piles == [[0, 1, 2], [3], [5], [4]]
    assert session.history[-1].pile == "new"
    session.move(1, "unsure")
    assert session.labels[1] == -1
    assert pile_of(session, 0) == {0, 2}
    # It is not asked about again, but may be put on a pile.
    assert session.ask_card().row not in (1, 4)
    session.move(1, 2)
    assert pile_of(session, 3) == {1, 3}


def test_last_card_takes_its_pile_along():
    session = sorted_session()
    session.rename(3, "alone")
    session.move(5, 1)
    assert session.piles == [[0, 1, 2, 5], [3, 4]]
    assert session.names == {}
    session.undo()
    assert session.names == {3: "alone"}


def test_card_moved_to_its_own_pile_is_confirmed():
    session = sorted_session()
    before = session.piles, session.constraints
    session.move(1, 1)
    assert (session.piles, session.constraints) == before
    assert session.records[-1].kind == "move"


def test_replacing_a_card_replaces_its_moves():
    session = sorted_session()
    session.move(4, 1)
    session.place(4, "new", replace=True)
    assert [sorted(pile) for pile in session.piles] == [[0, 1, 2], [3], [5], [4]]


def test_open_card_is_placed_not_moved():
    session = sorted_session()
    with pytest.raises(ConstraintError, match="row 7 was not placed yet: place it"):
        session.move(7, 1)
    with pytest.raises(ConstraintError, match="no pile 9 for row 4: the piles are"):
        session.move(4, 9)
    with pytest.raises(ConstraintError, match="row must be a whole number"):
        session.move(99, 1)


# ------------------------------------------------------------- names, repeats, opinions


def test_name_stays_with_the_pile():
    session = sorted_session()
    session.rename(2, "  tall  ")
    assert session.names == {2: "tall"}
    session.merge(1, 2)
    assert session.names == {1: "tall"}
    session.rename(1, "")
    assert session.names == {}


def test_name_must_be_short_valid_text():
    session = sorted_session()
    with pytest.raises(ConstraintError, match="name must be text of at most 200"):
        session.rename(1, "x" * 201)
    with pytest.raises(ConstraintError, match="name must be valid Unicode"):
        session.rename(1, "\ud800")


def test_second_answer_is_kept_but_moves_nothing():
    session = sorted_session()
    before = session.piles, session.constraints
    session.repeat(1, 2, note=Note("Ben"))
    session.repeat(1, "new", note=Note("Cem"))
    assert (session.piles, session.constraints) == before
    assert [r.text for r in session.records[-2:]] == ["", "new"]
    assert session.history[-2].pile == 2
    with pytest.raises(ConstraintError, match="row 8 was not placed yet"):
        session.repeat(8, 1)


def test_opinion_is_recorded_and_is_no_answer():
    session = sorted_session()
    n_answers = len(session.history)
    session.undo()
    session.note_opinion(7, note=Note("Ann"))
    session.note_opinion(7, 8)
    assert session.n_undone == 1
    assert session.redo().row == 5
    assert len(session.history) == n_answers
    seen = [r for r in session.records if r.kind == "opinion"]
    assert [(r.rows, r.person) for r in seen] == [((7,), "Ann"), ((7, 8), "")]


def test_records_say_who_when_how_long_and_what_stands(tmp_path):
    session = ActiveSession(blobs()[0])
    session.place(0, "new", note=Note("Ann", 1.5))
    session.save(tmp_path / "s.db")
    session.place(1, 1, note=Note("Ben", 0.25))
    session.undo(note=Note("Ann"))
    session.tell(2, 3, "same")
    session.close()
    with ActiveSession.load(tmp_path / "s.db") as loaded:
        records = loaded.records
    assert records == session.records
    told = [(r.kind, r.rows, r.shown, r.person, r.seconds, r.stands) for r in records]
    assert told == [
        ("new", (0,), (), "Ann", 1.5, True),
        ("same", (1, 0), (0,), "Ben", 0.25, False),
        ("undo", (), None, "Ann", None, False),
        ("same", (2, 3), None, "", None, True),
    ]
    times = [r.time for r in records]
    assert times == sorted(times)
    assert times[0] > 1.7e9


def test_note_must_make_sense():
    session = new_session()
    with pytest.raises(ConstraintError, match="seconds of a note must be a pos"):
        session.place(0, "new", note=Note("Ann", float("nan")))
    with pytest.raises(ConstraintError, match="person must be text"):
        session.place(0, "new", note=Note(3))


def test_pairs_from_elsewhere_are_taken_at_once(tmp_path):
    session = sorted_session()
    session.save(tmp_path / "s.db")
    given = PairConstraints([(0, 1), (6, 7)], [(6, 0)])
    assert session.tell_all(given, note=Note("file")) == 2
    assert pile_of(session, 6) == {6, 7}
    assert session.tell_all(given) == 0
    session.close()
    with ActiveSession.load(tmp_path / "s.db") as loaded:
        assert state(loaded) == state(session)


def test_other_people_get_other_cards():
    session = new_session()
    first = session.ask_card().row
    second = session.ask_card(without={first}).row
    assert first != second
    with pytest.raises(ConstraintError, match="all 9 rows of X are sorted"):
        session.ask_card(without=range(N))
    session.place(first, "new")
    assert session.card(second).row == second
    assert [pile.rows for pile in session.card(second).piles] == [[first]]


def test_settled_path_ends_in_settled_and_ignores_names():
    X, y = blobs(n_samples=60)
    session, values = ActiveSession(X), []
    for _ in range(12):
        card = session.ask_card()
        same = [pile for pile in card.piles if y[pile.shown] == y[card.row]]
        session.place(card.row, same[0].number if same else "new")
        values.append(session.settled)
    session.rename(1, "one")
    assert_allclose(session.settled_path(), values)
    assert_allclose(session.settled_path(3), values[-3:])
    assert_allclose(session.settled_path(99), values)
    assert session.settled == values[-1]


# ------------------------------------------------------------------------ any sequence


ACTS = st.lists(
    st.tuples(
        st.sampled_from(
            ["place", "tell", "merge", "move", "name", "repeat", "undo", "redo"]
        ),
        st.integers(0, N - 1),
        st.integers(0, N - 1),
        st.sampled_from(["same", "different", "unsure", "new"]),
    ),
    max_size=25,
)


def act(session, kind, row, other, word):
    numbers = sorted(set(session.labels.tolist()) - {-1})
    pile = numbers[other % len(numbers)] if numbers else 1
    goal = word if word in ("new", "unsure") else pile
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            if kind in ("undo", "redo"):
                getattr(session, kind)()
            elif kind == "merge":
                session.merge(numbers[row % len(numbers)] if numbers else 1, pile)
            elif kind == "name":
                session.rename(pile, word)
            elif kind == "tell":
                session.tell(row, other, "same" if word == "new" else word)
            else:
                getattr(session, kind)(row, goal)
        except ConstraintError:
            return


def components(session):
    """The rows that "same" answers join, by following them one by one."""
    together = {row: {row} for row in range(N)}
    for a, b, answer in session._piles.said:
        if answer == "same":
            joined = together[a] | together[b]
            together.update(dict.fromkeys(joined, joined))
    return together


@pytest.mark.slow
@settings(max_examples=150)
@given(ACTS)
def test_piles_are_what_same_answers_join(acts):
    session = new_session()
    for given_act in acts:
        act(session, *given_act)
    together = components(session)
    for pile in session.piles:
        assert together[pile[0]] == set(pile)
    assert sum(map(len, session.piles)) == (session.labels >= 0).sum()
    assert set(session.names) <= set(session.labels.tolist())
    # What is counted on the way is what the journal holds.
    piles, records = session._piles, session.records
    loose = piles._apart.keys() - piles.number.keys()
    numbers = {
        row: Counter(piles.number[r] for r in piles._apart[row] if r in piles.number)
        for row in loose
    }
    assert piles._loose._rows_of == numbers
    for row in loose:
        assert row in piles._loose.apart_from(len(numbers[row]))
    assert session.version == len(records)
    for row in range(N):
        n_about = sum(record.rows[:1] == (row,) for record in records)
        assert session.n_answers_on(row) == n_about


@pytest.mark.slow
@settings(max_examples=60)
@given(ACTS)
def test_undoing_and_doing_again_changes_nothing(acts):
    session = new_session()
    for given_act in acts:
        act(session, *given_act)
    states = [state(session)]
    for _ in range(len(session.history)):
        session.undo()
        states.append(state(session))
    assert session.piles == []
    for expected in states[-2::-1]:
        session.redo()
        assert state(session) == expected


@pytest.mark.slow
@settings(max_examples=20)
@given(ACTS)
def test_file_holds_all_acts(tmp_path_factory, acts):
    path = tmp_path_factory.mktemp("session") / "s.db"
    with new_session() as session:
        session.save(path)
        for given_act in acts:
            act(session, *given_act)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        kept = ActiveSession.load(path)
    with kept:
        assert state(kept) == state(session)
        assert kept.names == session.names
        assert kept.records == session.records


# --------------------------------------------------------------------------- old files


def test_file_of_the_second_format_is_read_and_goes_on(tmp_path):
    path = tmp_path / "s.db"
    with ActiveSession(blobs()[0]) as session:
        session.save(path)
        session.place(0, "new")
        session.place(1, 1)
    connection = sqlite3.connect(path)
    with connection:
        for column in ("person", "seconds", "text"):
            connection.execute(f"ALTER TABLE events DROP COLUMN {column}")
        connection.execute(
            "UPDATE about SET value = 'pairsift session 2' WHERE key = 'format'"
        )
    connection.close()
    with ActiveSession.load(path) as loaded:
        assert state(loaded) == state(session)
        loaded.rename(1, "first", note=Note("Ann"))
    with ActiveSession.load(path) as loaded:
        assert loaded.names == {1: "first"}
        assert_array_equal(loaded.labels, session.labels)


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (Event("merge", 1), "row 1 is merged with no other"),
        (Event("move", 1, 99), "row must be a whole number"),
        (Event("opinion", -1), "row must be a whole number"),
    ],
)
def test_journal_with_nonsense_is_refused(event, message):
    with pytest.raises(ConstraintError, match=message):
        check_event(event, N)
