"""Piles, undo and contradictions: what the answers of a session add up to."""

import sys
import warnings

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from numpy.testing import assert_array_equal

from pairsift import ConstraintError, PairConstraints
from pairsift.active import ActiveSession, Answer, DoubtfulCard, Placement
from pairsift.active._answers import Event, conflicts_of
from pairsift.active._piles import Piles

N = 9


def session_of_rows(*positions, **given):
    """A session of rows on a line."""
    return ActiveSession(np.array(positions, dtype=float)[:, None], **given)


def new_session():
    return session_of_rows(*range(N))


def state(session):
    """All that can be seen of the answers."""
    return (
        session.history,
        session.piles,
        session.labels.tolist(),
        session.constraints,
        session.conflicts,
    )


# ----------------------------------------------------------------------------- by hand


def test_same_answers_make_piles_and_join_them():
    session = new_session()
    session.tell(3, 1, "same")
    session.tell(5, 6, "same")
    session.tell(1, 7, "same")
    assert session.piles == [[1, 3, 7], [6, 5]]
    session.tell(7, 5, "same")
    # The smaller number stays, and the larger is not given again.
    assert session.piles == [[1, 3, 7, 6, 5]]
    session.tell(0, 2, "same")
    assert_array_equal(session.labels, [3, 1, 3, 1, -1, 1, 1, 1, -1])


def test_row_different_from_all_piles_is_a_new_one():
    session = new_session()
    session.tell(4, 2, "different")
    assert session.piles == [[2], [4]]
    session.tell(6, 2, "different")
    assert session.labels[6] == -1
    session.tell(4, 6, "different")
    assert session.piles == [[2], [4], [6]]


def test_piles_that_become_one_may_leave_a_row_apart_from_all():
    session = new_session()
    session.tell(4, 2, "different")
    session.tell(6, 7, "same")
    session.tell(8, 2, "different")
    session.tell(8, 4, "different")
    assert session.piles == [[2], [4], [7, 6]]
    session.tell(6, 4, "same")
    assert session.piles == [[2], [4, 7, 6], [8]]


class PilesThatLookAtAllRows(Piles):
    """Piles that begin where a row is apart from all, found by asking each row."""

    def _begin_where_apart(self):
        for row in [row for row in self._apart if row in self._loose]:
            if all(self.are_apart(row, number) for number in self.rows):
                self._begin(row)


def random_events(rng, n_events, n_rows):
    """Answers on pairs, and acts on piles, of which some merge and some take apart."""
    events = []
    for _ in range(n_events):
        kind = rng.choice(
            ["different", "same", "unsure", "move", "merge"],
            p=[0.6, 0.1, 0.05, 0.15, 0.1],
        )
        a, b = map(int, rng.choice(n_rows, 2, replace=False))
        event = Event(str(kind), a, b)
        if kind == "move" and rng.random() < 0.4:
            event = event._replace(second=-1, text=str(rng.choice(["new", "unsure"])))
        events.append(event)
    return events


def test_piles_begin_where_asking_each_row_begins_them():
    rng = np.random.default_rng(8)
    n_begun = 0
    for _ in range(150):
        n_rows = int(rng.integers(4, 14))
        events = random_events(rng, 40, n_rows)
        piles, others = Piles([]), PilesThatLookAtAllRows([])
        for event in events:
            piles.take(event)
            others.take(event)
            assert list(piles.rows.items()) == list(others.rows.items())
        n_begun += piles._n_piles
    assert n_begun > 500


def n_steps(work):
    """Count the steps of the interpreter that some work takes."""
    counted = 0

    def count(frame, event, _):
        nonlocal counted
        frame.f_trace_opcodes = True
        counted += event == "opcode"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        work()
    finally:
        sys.settrace(before)
    return counted


@pytest.mark.parametrize("is_loose", [True, False])
def test_steps_grow_with_the_number_of_different_answers(is_loose):
    """Rows stay loose if they are compared with each other, and not with a pile."""
    steps = []
    for n_pairs in (250, 500):
        firsts = range(1, 2 * n_pairs, 2) if is_loose else [0] * n_pairs
        events = [Event("different", a, 2 * k + 2) for k, a in enumerate(firsts)]
        session = ActiveSession(np.arange(2.0 * n_pairs + 1)[:, None])
        steps.append(n_steps(lambda s=session, e=events: s._take_all(e)))
        assert len(session.history) == n_pairs
        steps.append(n_steps(session.undo))
        assert len(session.history) == n_pairs - 1
    loading, undoing, loading_twice, undoing_twice = steps
    assert loading_twice < 2.2 * loading
    assert undoing_twice < 2.2 * undoing


def test_steps_of_loading_grow_with_the_number_of_undone_answers():
    steps = []
    for n_pairs in (100, 200):
        events = [Event("different", k, k + 1) for k in range(n_pairs)]
        events += [Event("undo")] * n_pairs
        session = ActiveSession(np.arange(n_pairs + 1.0)[:, None])
        steps.append(n_steps(lambda s=session, e=events: s._take_all(e)))
        assert session.n_undone == n_pairs
    assert steps[1] < 2.2 * steps[0]


def test_unsure_sorts_nothing_and_passes_the_row():
    session = session_of_rows(*range(4))
    first = session.ask_card().row
    session.place(first, "unsure")
    assert session.ask_card().row != first
    assert (session.labels == -1).all()
    assert session.constraints == PairConstraints(n_samples=4)
    row, other = session.ask()
    session.tell(row, other, "unsure")
    assert session.ask_card().row == other


def test_cards_and_pairs_mix():
    session = session_of_rows(0, 1, 10, 11, 20, 21)
    session.place(0, "new")
    session.tell(2, 0, "different")
    session.place(1, 1)
    session.place(3, 2)
    session.tell(4, 5, "same")
    assert session.piles == [[0, 1], [2, 3], [5, 4]]
    assert session.history == [
        Placement(0, "new", (), None),
        Answer(2, 0, "different"),
        Placement(1, 1, (0, 2), 0),
        Placement(3, 2, (2, 1), 2),
        Answer(4, 5, "same"),
    ]
    expected = PairConstraints(
        [(0, 1), (2, 3), (4, 5)], [(0, 2), (1, 2), (1, 3)], n_samples=6
    )
    assert session.constraints == expected
    assert session.conflicts == []
    assert "2 same, 1 different" not in repr(session)
    assert "1 same, 1 different, 0 unsure, 3 cards" in repr(session)


def test_answers_are_replaced_where_they_stood():
    session = session_of_rows(0, 1, 10, 11, 20, 21)
    session.place(0, "new")
    session.place(2, "new")
    session.place(4, "new")
    session.place(3, 1)
    session.place(3, 2, replace=True)
    assert session.piles == [[0], [2, 3], [4]]
    # Row 3 was compared with row 2, and stays where it was placed when that leaves.
    session.place(2, 3, replace=True)
    assert session.labels.tolist() == [1, -1, 3, 2, 3, -1]
    assert session.conflicts == []
    session.undo()
    session.undo()
    assert session.piles == [[0, 3], [2], [4]]
    session.tell(1, 0, "different")
    session.tell(0, 1, "same", replace=True)
    assert session.history[-1] == Answer(0, 1, "same")
    assert session.conflicts == []


def test_a_card_placed_anew_takes_no_other_card_along():
    session = session_of_rows(0, 1, 2, 3, 10, 11)
    session.place(1, "new")
    session.place(4, "new")
    session.place(0, 1)
    session.place(2, 1)  # compared with row 1
    session.place(5, 2)
    session.place(1, 2, replace=True)
    assert session.piles == [[0, 2], [4, 5, 1]]
    assert session.conflicts == []
    assert session.constraints.must_link.tolist() == [[0, 2], [1, 4], [4, 5]]
    # The pile whose first row has gone keeps its number, also for cards to come.
    session.place(3, 1)
    assert session.labels.tolist() == [1, 2, 1, 1, 2, 2]
    session.undo()
    session.undo()
    assert session.piles == [[1, 0, 2], [4, 5]]


def test_a_card_may_leave_its_pile_empty():
    session = session_of_rows(0, 1, 10, 11)
    session.place(0, "new")
    session.place(2, "new")
    session.place(0, 2, replace=True)
    assert session.piles == [[2, 0]]
    # A pile that is taken away takes its number with it.
    session.place(1, "new")
    assert session.labels.tolist() == [2, 3, 2, -1]


@pytest.mark.parametrize(
    ("row", "pile", "message"),
    [
        (0, 1, r"card 0 was answered already, 'new': take answers back with undo\(\)"),
        (1, 2, r"there is no pile 2 for row 1: the piles are \[1\], or say 'new'"),
        (1, True, "there is no pile True for row 1"),
        (1, "here", "there is no pile 'here' for row 1"),
        (1, [1], r"there is no pile \[1\] for row 1"),
        (6, 1, "row must be a whole number from 0 to 5, got 6"),
        (-1, 1, "row must be a whole number from 0 to 5, got -1"),
        (0.5, 1, "row must be a whole number from 0 to 5, got 0.5"),
    ],
)
def test_impossible_placements_are_refused(row, pile, message):
    session = session_of_rows(*range(6))
    session.place(0, "new")
    with pytest.raises(ValueError, match=message):
        session.place(row, pile)
    assert len(session.history) == 1


def test_cards_among_rows_of_another_pile_are_doubtful():
    session = session_of_rows(0, 1, 2, 3, 20, 21, 22, 23, 40, 4)
    for row in (0, 4, 8):
        session.place(row, "new")
    for row in (1, 2, 3, 6):
        session.place(row, 1)
    session.place(5, 2)
    session.place(7, 2)
    # Fewer than ten rows do not tell.
    assert session.doubtful_cards() == []
    session.place(9, 1)
    # Row 8 lies alone, and that is no reason for doubt.
    assert session.doubtful_cards() == [DoubtfulCard(6, 1, 2)]
    card = session.card(6)
    # Piles that it was said to be different from come last.
    assert (card.row, [pile.number for pile in card.piles]) == (6, [1, 2, 3])
    session.place(6, 2, replace=True)
    assert session.doubtful_cards() == []


@pytest.mark.parametrize("step", ["place", "replace", "undo", "redo"])
def test_pairs_before_the_last_step_are_known(step):
    session = session_of_rows(0, 1, 10, 11)
    for row, pile in enumerate(["new", 1, "new", 2]):
        session.place(row, pile)
    session.undo()
    before = session.constraints
    if step == "place":
        session.place(3, 1)
    elif step == "replace":
        session.place(0, 2, replace=True)
    else:
        getattr(session, step)()
    assert session.previous_constraints == before != session.constraints


# ---------------------------------------------------------------------- contradictions


def test_contradictions_are_told_at_once_with_their_chain():
    session = session_of_rows(0, 1, 10, 11)
    session.tell(0, 1, "same")
    session.tell(2, 1, "same")
    with pytest.warns(
        UserWarning, match="contradicts the must-link chain 0 - 1 - 2; un"
    ):
        session.tell(0, 2, "different")
    (conflict,) = session.conflicts
    assert (conflict.cannot_link, conflict.chain) == ((0, 2), (0, 1, 2))
    # It stands, and more answers are welcome; only new contradictions are told.
    session.tell(3, 0, "same")
    assert session.piles == [[1, 0, 2, 3]]
    session.undo()
    session.undo()
    assert session.conflicts == []


def test_cards_may_contradict_pairs():
    session = session_of_rows(0, 1, 10, 11)
    session.place(0, "new")
    session.tell(1, 0, "different")
    with pytest.warns(UserWarning, match=r"cannot-link \(0, 1\) contradicts the must"):
        session.place(1, 1)
    assert session.piles == [[0, 1]]
    # Of two words on one pair, the last stands.
    assert session.constraints == PairConstraints([(0, 1)], n_samples=4)


def test_a_person_who_guesses_is_never_stopped():
    rng = np.random.default_rng(0)
    session = ActiveSession(rng.normal(size=(120, 3)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(30):
            session.tell(*session.ask(), rng.choice(["same", "different", "unsure"]))
            card = session.ask_card()
            numbers = [pile.number for pile in card.piles]
            choice = rng.integers(len(numbers) + 2)
            session.place(card.row, [*numbers, "new", "unsure"][choice])
            i, j = rng.permutation(120)[:2]
            session.tell(i, j, rng.choice(["same", "different"]), replace=True)
            if rng.random() < 0.5:
                session.undo()
    assert session.conflicts
    assert sorted(row for rows in session.piles for row in rows) == sorted(
        np.flatnonzero(session.labels >= 0)
    )


# ------------------------------------------------------------------ any order of steps

rows = st.integers(0, N - 1)
steps = st.one_of(
    st.tuples(st.just("tell"), rows, rows, st.sampled_from(["same", "different"])),
    st.tuples(st.just("tell"), rows, rows, st.just("unsure")),
    st.tuples(st.just("place"), rows, st.integers(0, 5)),
    st.tuples(st.just("undo")),
    st.tuples(st.just("redo")),
)


def take(session, step, replace):
    """Take a step if it can be taken; tell whether it could."""
    kind, *arguments = step
    try:
        if kind == "tell":
            session.tell(*arguments, replace=replace)
        elif kind == "place":
            row, choice = arguments
            numbers = sorted(set(session.labels.tolist()) - {-1})
            choices = [*numbers, "new", "unsure"]
            session.place(row, choices[choice % len(choices)], replace=replace)
        else:
            getattr(session, kind)()
    except ConstraintError:
        return False
    return True


def joined(session):
    """Rows that "same" holds together, by spreading labels until nothing changes."""
    group = list(range(N))
    same = [p[:2] for said in session.history for p in said.pairs() if p[2] == "same"]
    for _ in range(N):
        for a, b in same:
            group[a] = group[b] = min(group[a], group[b])
    return group


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(steps, st.booleans()), max_size=25))
@pytest.mark.filterwarnings("ignore:this answer contradicts")
def test_undo_and_redo_restore_any_state(tape):
    session = new_session()
    past, future = [state(session)], []
    for step, replace in tape:
        if not take(session, step, replace):
            assert state(session) == past[-1]
            continue
        if step[0] == "undo":
            future.append(past.pop())
        elif step[0] == "redo":
            past.append(future.pop())
        else:
            past.append(state(session))
            future = []
        assert state(session) == past[-1]
        found = {conflict.cannot_link for conflict in conflicts_of(session.history)}
        assert session._piles.contradicted == found
        labels, group = session.labels, joined(session)
        for a in range(N):
            for b in range(a):
                if labels[a] >= 0 and labels[b] >= 0:
                    assert (labels[a] == labels[b]) == (group[a] == group[b])


@settings(max_examples=8, deadline=None)
@given(st.lists(st.tuples(steps, st.booleans()), max_size=12))
@pytest.mark.filterwarnings("ignore:this answer contradicts", "ignore:.*two answers")
def test_any_session_is_the_same_after_a_load(tmp_path_factory, tape):
    path = tmp_path_factory.mktemp("sessions") / "s.db"
    with new_session() as session:
        session.save(path)
        for step, replace in tape:
            take(session, step, replace)
        expected, undone = state(session), len(session._journal.undone)
    with ActiveSession.load(path) as session:
        assert state(session) == expected
        assert len(session._journal.undone) == undone
