"""Sessions on blocks are those in memory, and read blocks as seldom as can be."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from pairsift import ActiveSession, SemiMRMR, distributed
from pairsift.active import _sorting, map_rows
from pairsift.exceptions import StorageError
from tests.distributed.problems import as_frame, source, table


def mixed():
    """Return rows with text and missing values, and their classes."""
    X, y = table(3)
    X[::7, 1] = np.nan
    return as_frame(X), y


def place(session, y):
    """Place the next card where it belongs, and return it."""
    card = session.ask_card()
    same = [pile for pile in card.piles if y[pile.shown] == y[card.row]]
    session.place(card.row, same[0].number if same else "new")
    return card


class Read:
    """Blocks that note when they are read."""

    def __init__(self, X, edges):
        self.numbers = []
        cuts = np.split(X, edges)
        readers = [
            lambda i=i: self.numbers.append(i) or cuts[i] for i in range(len(cuts))
        ]
        self.source = distributed.StreamedSource(readers)


@pytest.mark.parametrize("edges", [[], [20], [1, 1, 5, 33]])
def test_it_asks_what_a_session_in_memory_asks(edges):
    X, y = mixed()
    here, there = ActiveSession(X), distributed.session(source(X, edges))
    for _ in range(15):
        assert place(here, y) == place(there, y)
    assert here.ask() == there.ask()
    for session in (here, there):
        session.tell(3, 17, "different")
    assert there.settled == here.settled
    assert there.next_rows(9) == here.next_rows(9)
    assert there.n_drawn_ == here.n_drawn_
    assert_array_equal(there.labels, here.labels)
    assert_allclose(map_rows(there).places, map_rows(here).places)
    rows = np.array([5, 2, 5])
    assert_array_equal(there.filled(rows), here.filled(rows))


def test_labels_rank_the_features_of_the_blocks():
    X, y = table(5)
    session = distributed.session(source(X, [7, 21]), random_state=2)
    for _ in range(20):
        place(session, y)
    there = distributed.fit(SemiMRMR(2), source(X, [13]), session.labels)
    assert_allclose(there.scores_, SemiMRMR(2).fit(X, session.labels).scores_)


def test_an_answer_reads_no_block_and_a_row_outside_the_draw_one(monkeypatch):
    monkeypatch.setattr(_sorting, "MAX_DRAWN", 20)
    X, y = table(1)
    read = Read(X, [10, 20, 30])
    session = distributed.session(read.source)
    place(session, y)
    read.numbers.clear()
    for _ in range(19):
        place(session, y)
    assert 0.0 <= session.settled <= 1.0
    assert read.numbers == []
    row = session.ask_card().row
    assert row not in session._questions.sorter.drawn
    assert read.numbers == [row // 10]
    session.place(row, "new")
    session.doubtful_cards()
    assert read.numbers == [row // 10]


def test_a_saved_session_goes_on_with_the_data_given_again(tmp_path, monkeypatch):
    monkeypatch.setattr(_sorting, "MAX_DRAWN", 12)
    X, y = mixed()
    path = tmp_path / "session.db"
    session = distributed.session(source(X, [8]), random_state=3)
    place(session, y)
    session.save(path)
    place(session, y)
    card = session.ask_card()
    session.close()
    with distributed.load_session(path, source(X, [5, 30])) as again:
        assert again.ask_card() == card
        assert len(again.history) == 2
        assert again.settings == session.settings
        place(again, y)
    assert len(distributed.load_session(path, source(X, [])).history) == 3
    assert path.stat().st_size < 100_000


def test_a_session_is_refused_without_its_data(tmp_path):
    X, _ = table(3)
    path, whole = tmp_path / "blocks.db", tmp_path / "whole.db"
    session = distributed.session(source(X, [8]))
    session.save(path)
    session.close()
    with pytest.raises(StorageError, match=r"40 rows in blocks.*load_session\(path, X"):
        ActiveSession.load(path)
    with pytest.raises(StorageError, match="X has 39 rows, the session .* has 40"):
        distributed.load_session(path, source(X[1:], [8]))
    with pytest.raises(StorageError, match="is not what the session .* began with"):
        distributed.load_session(path, source(X[::-1], [8]))
    memory = ActiveSession(X)
    memory.save(whole)
    memory.close()
    with pytest.raises(StorageError, match=r"holds its data.*ActiveSession.load\(path"):
        distributed.load_session(whole, source(X, [8]))


@pytest.mark.parametrize("strategy", ["eigenvector", "eigenvalue", "uncertainty"])
def test_strategies_that_compare_all_rows_are_refused(strategy):
    X, _ = table(3)
    with pytest.raises(ValueError, match=f"'{strategy}' compares all.*strategy='sort'"):
        distributed.session(source(X, [8]), strategy=strategy)


def test_random_pairs_need_no_row():
    X, _ = table(3)
    session = distributed.session(source(X, [8]), strategy="random")
    assert session.ask() == ActiveSession(X, strategy="random").ask()


def test_what_needs_all_rows_says_so():
    X, _ = table(3)
    session = distributed.session(source(X, [8]))
    with pytest.raises(AttributeError, match=r"in blocks, not in memory: filled\(rows"):
        session.X  # noqa: B018
    with pytest.raises(AttributeError, match="in blocks, not in memory"):
        session.filled()
    empty = np.full((4, 2), np.nan)
    with pytest.raises(ValueError, match="missing values only"):
        distributed.session(source(empty, [2]))


def test_rows_are_taken_in_any_order():
    X, _ = mixed()
    numbers = [39, 0, 8, 8]
    found = distributed.take_rows(source(X, [8, 30]), numbers)
    assert found.equals(X.iloc[numbers].reset_index(drop=True))
    for wrong in ([], [40], [-1]):
        with pytest.raises(ValueError, match="numbers must be rows from 0 to 39"):
            distributed.take_rows(source(X, [8]), wrong)


@pytest.mark.dask
def test_a_dask_collection_has_its_own_door():
    da = pytest.importorskip("dask.array")
    X, y = table(3)
    lazy = da.from_array(X, chunks=(9, 2))
    with pytest.raises(TypeError, match=r"call pairsift.distributed.session\(X\)"):
        ActiveSession(lazy)
    session = distributed.session(lazy)
    assert place(session, y) == place(ActiveSession(X), y)
    assert_array_equal(distributed.take_rows(lazy, [9, 3]), X[[9, 3]])
