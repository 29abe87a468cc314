"""Sorting by cards and pairs: which row next, which pile first, and when to stop."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_wine
from threadpoolctl import threadpool_limits

from pairsift import ConstraintError, SemiMRMR
from pairsift.active import ActiveSession, _sorting
from pairsift.active._piles import Piles
from pairsift.active._sorting import Sorter, draw_pairs, k_means, medoid_order
from tests.active.test_piles import session_of_rows, state


def place_truly(session, y):
    """Place the next card as somebody does who knows the classes."""
    card = session.ask_card()
    same = [pile.number for pile in card.piles if y[pile.shown] == y[card.row]]
    session.place(card.row, same[0] if same else "new")
    return card


def tell_truly(session, y):
    i, j = session.ask()
    session.tell(i, j, "same" if y[i] == y[j] else "different")
    return i, j


def assert_sorted_as(session, y):
    """Rows with labels have the same label if and only if they are of one class."""
    known = np.flatnonzero(session.labels >= 0)
    labels = session.labels[known]
    same = labels[:, None] == labels
    assert_array_equal(same, y[known][:, None] == y[known])


# ------------------------------------------------------------------------ order of rows


def clusters(*sizes):
    """Groups of rows far apart on a line, each with one row in its middle."""
    groups = [100.0 * k + np.linspace(-1, 1, size) for k, size in enumerate(sizes)]
    return np.concatenate(groups)[:, None]


def test_medoids_of_large_clusters_come_first(monkeypatch):
    monkeypatch.setattr(_sorting, "N_CLUSTERS", 4)
    points = clusters(3, 9, 5, 7)
    order = medoid_order(points, np.random.default_rng(0))
    assert order[:4].tolist() == [3 + 4, 17 + 3, 12 + 2, 1]
    # Then rows from clusters of their own among twice as many, and so on.
    assert np.unique(order).size == order.size


def test_clusters_are_those_of_their_centres():
    rng = np.random.default_rng(1)
    points = rng.normal(size=(60, 3))
    cluster, centres = k_means(points, 5, rng)
    distance = np.linalg.norm(points[:, None] - centres, axis=2)
    assert_array_equal(cluster, distance.argmin(axis=1))
    means = [points[cluster == c].mean(axis=0) for c in range(5)]
    assert_allclose(centres, means)


@pytest.mark.parametrize("n_samples", [2, 3, 30, 300])
def test_every_row_comes_once(n_samples):
    X = np.random.default_rng(0).normal(size=(n_samples, 2))
    order = Sorter(X, np.zeros(2, dtype=bool))._order
    assert sorted(order) == list(range(n_samples))


def test_copies_of_rows_are_no_trouble():
    session = ActiveSession(np.repeat(np.eye(3), 40, axis=0))
    y = np.repeat([0, 1, 2], 40)
    for _ in range(30):
        place_truly(session, y)
    assert_sorted_as(session, y)


def test_order_depends_on_the_seed_and_not_on_threads():
    X = np.random.default_rng(0).normal(size=(500, 40))
    orders = []
    for threads, seed in [(1, 0), (2, 0), (2, 1)]:
        with threadpool_limits(threads):
            sorter = Sorter(X, np.zeros(40, dtype=bool), seed)
            orders.append(sorter._order.tolist())
    assert orders[0] == orders[1] != orders[2]


def test_units_do_not_matter():
    X, y = load_wine(return_X_y=True)
    sessions = [ActiveSession(X), ActiveSession(X * 2.0 ** np.arange(13) - 5.0)]
    for _ in range(20):
        cards = [place_truly(session, y) for session in sessions]
        assert cards[0] == cards[1]


def test_many_rows_are_drawn_from_and_it_is_said(monkeypatch):
    monkeypatch.setattr(_sorting, "MAX_DRAWN", 100)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 3))
    session = ActiveSession(X)
    assert session.n_drawn_ == 100
    assert ActiveSession(X[:80]).n_drawn_ == 80
    sorter = session._questions.sorter
    assert set(sorter._order[:40]) <= set(sorter.drawn.tolist())
    assert sorted(sorter._order) == list(range(400))


# ---------------------------------------------------------------------- likeliest piles


def test_pairs_go_through_the_piles_nearest_first():
    session = session_of_rows(0.0, 0.1, 5.0, 5.2, 9.0, 20.0)
    for row in (0, 2, 5):
        session.place(row, "new")
    session.place(3, 2)
    # The next row, 1 or 4, is nearest to its first partner, which is of another pile
    # than the second one.
    row, first = session.ask()
    nearest = {1: [0, 2, 5], 4: [3, 0, 5]}[row]
    assert first == nearest[0]
    for partner in nearest:
        assert session.ask() == session.ask() == (row, partner)
        session.tell(row, partner, "different")
    assert session.piles[-1] == [row]


def test_the_first_pair_compares_the_first_two_rows_and_makes_their_piles():
    session = session_of_rows(*range(8))
    order = session._questions.sorter._order
    assert session.ask() == (order[1], order[0])
    session.tell(*session.ask(), "unsure")
    assert session.ask() == (order[2], order[0])
    session.tell(*session.ask(), "different")
    assert session.piles == [[order[0]], [order[2]]]
    assert session.ask()[0] == order[3]


def test_cards_show_the_nearest_row_of_every_pile_likeliest_first():
    session = session_of_rows(0.0, 1.0, 6.0, 7.0, 30.0)
    assert session._questions.sorter.card(0, Piles([])).piles == []
    session.place(0, "new")
    session.place(1, 1)
    session.place(3, "new")
    session.place(4, "new")
    assert session.ask_card() == session.ask_card()
    card = session.ask_card()
    assert card.row == 2
    assert card.piles == [(2, [3], 3), (1, [0, 1], 1), (3, [4], 4)]
    assert card.piles[1].shown == 1
    # A pile from which it was said to be different is the last.
    session.tell(2, 3, "different")
    assert [pile.number for pile in session.ask_card().piles] == [1, 3, 2]


def area_under_curve(same, different):
    wins = [float(d > s) + 0.5 * (d == s) for d in different for s in same]
    return np.mean(wins)


def test_columns_weigh_by_how_well_they_tell_the_piles_apart():
    rng = np.random.default_rng(0)
    y = np.array([0, 0, 0, 1, 1, 2, 2, 2])
    X = np.column_stack([y + 0.01 * rng.normal(size=8), rng.integers(3, size=8)])
    session = ActiveSession(X)
    for row, label in enumerate(y.tolist()):
        is_new = label not in y[:row]
        session.place(row, "new" if is_new else label + 1)
    expected = []
    for column in (X / np.ptp(X, axis=0)).T:
        gaps = {True: [], False: []}
        for a in range(8):
            for b in range(a):
                gaps[bool(y[a] == y[b])].append(abs(column[a] - column[b]))
        expected.append(area_under_curve(gaps[True], gaps[False]))
    weights = session._questions.sorter._weights(session._piles)
    assert_allclose(weights, expected)
    assert weights[0] > 0.99 > weights[1]


@pytest.mark.parametrize("most_listed", [0, 10_000])
def test_drawn_pairs_are_distinct_and_of_their_kind(monkeypatch, most_listed):
    monkeypatch.setattr(_sorting, "MAX_LISTED", most_listed)
    number = np.random.default_rng(0).permutation([1] * 2 + [4] * 3 + [7] * 90)
    same, different = draw_pairs(number, np.random.default_rng(1))
    for pairs, kind in ((same, True), (different, False)):
        assert len({frozenset(pair) for pair in pairs.tolist()}) == 200
        assert ((number[pairs[:, 0]] == number[pairs[:, 1]]) == kind).all()
        # Rows of every pile are among them, where chance would hardly leave one out.
        assert {4, 7} <= set(number[pairs.ravel()].tolist()) or kind


def test_few_pairs_among_many_rows_are_all_found():
    number = np.arange(5000)
    number[[3, 70, 4000]] = 9999
    same, different = draw_pairs(number, np.random.default_rng(0))
    assert {frozenset(pair) for pair in same.tolist()} == {
        *(frozenset(pair) for pair in [(3, 70), (3, 4000), (70, 4000)])
    }
    assert len(different) == 200
    same, different = draw_pairs(np.zeros(400, dtype=int), np.random.default_rng(0))
    assert (len(same), len(different)) == (200, 0)


def test_every_pair_is_drawn_as_often(monkeypatch):
    monkeypatch.setattr(_sorting, "MAX_LISTED", 0)
    monkeypatch.setattr(_sorting, "N_LEARNED", 2)
    number, rng, n_draws = np.array([5, 2, 5, 2, 5]), np.random.default_rng(0), 2000
    found = np.zeros((5, 5))
    for _ in range(n_draws):
        for pairs in draw_pairs(number, rng):
            np.add.at(found, (pairs.min(axis=1), pairs.max(axis=1)), 1)
    is_same = number[:, None] == number
    upper = np.triu(np.ones((5, 5), dtype=bool), k=1)
    # Two of 4 pairs of one pile, and two of 6 pairs of two piles.
    assert_allclose(found[upper & is_same] / n_draws, 1 / 2, atol=0.06)
    assert_allclose(found[upper & ~is_same] / n_draws, 1 / 3, atol=0.06)


def test_differences_of_categories_and_missing_values():
    frame = pd.DataFrame({"x": [0.0, 4.0, 1.0, np.nan], "c": ["a", "b", "a", None]})
    sorter = ActiveSession(frame)._questions.sorter
    rows = np.array([0, 0, 0])
    difference = sorter._differences(rows, np.array([1, 2, 3]))
    assert_allclose(difference[:2], [[1.0, 1.0], [0.25, 0.0]])
    # By the mean difference between rows: 2/3 of 1, 1/4 and 3/4; 2/3 for the text.
    assert_allclose(difference[2], [2 / 3, 2 / 3], atol=0.05)


def test_numbers_whose_range_overflows_tell_nothing():
    X = np.array([[1e308, 0.0], [-1e308, 1.0], [0.0, 0.2], [5.0, 0.9]])
    session = ActiveSession(X)
    y = np.array([0, 1, 0, 1])
    for _ in range(4):
        place_truly(session, y)
    assert_sorted_as(session, y)


# ------------------------------------------------------------------ people who answer


@pytest.mark.parametrize("mode", ["cards", "pairs", "mixed"])
def test_all_of_wine_is_sorted_rightly(mode):
    X, y = load_wine(return_X_y=True)
    session = ActiveSession(X)
    k = 0
    while (session.labels < 0).any():
        by_card = {"cards": True, "pairs": False, "mixed": k % 3 == 0}[mode]
        (place_truly if by_card else tell_truly)(session, y)
        k += 1
    for ask in (session.ask, session.ask_card):
        with pytest.raises(ConstraintError, match="all 178 rows of X are sorted"):
            ask()
    assert_sorted_as(session, y)
    assert len(session.piles) == 3
    assert session.conflicts == []


def test_sorted_pairs_label_many_rows_and_cards_one_each():
    X, y = load_wine(return_X_y=True)
    by_pairs, by_cards = ActiveSession(X), ActiveSession(X)
    for _ in range(30):
        tell_truly(by_pairs, y)
        place_truly(by_cards, y)
    assert (by_cards.labels >= 0).sum() == 30
    assert 15 <= (by_pairs.labels >= 0).sum() < 30
    assert_sorted_as(by_pairs, y)


def test_labels_rank_features():
    X, y = load_wine(return_X_y=True)
    session = ActiveSession(X)
    for _ in range(20):
        place_truly(session, y)
    given = np.where(session.labels >= 0, y, -1)
    from_piles = SemiMRMR(5).fit(X, session.labels)
    assert_array_equal(from_piles.order_, SemiMRMR(5).fit(X, given).order_)


def test_other_strategies_take_cards_too():
    X, y = load_wine(return_X_y=True)
    for strategy in ("eigenvector", "uncertainty", "random"):
        session = ActiveSession(X, strategy=strategy)
        for _ in range(6):
            place_truly(session, y)
            tell_truly(session, y)
        told = {frozenset(a[:2]) for said in session.history for a in said.pairs()}
        assert frozenset(session.ask()) not in told


def test_threads_place_cards_without_loss(tmp_path):
    start = threading.Barrier(8)
    with session_of_rows(*range(40)) as session:
        session.save(tmp_path / "s.db")
        session.place(0, "new")

        def place(first):
            start.wait()
            for row in range(first, 40, 8):
                session.place(row, 1)
                if row < 32:
                    session.ask_card()

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(place, [8, *range(1, 8)]))
        expected = state(session)
        assert (session.labels == 1).all()
    with ActiveSession.load(tmp_path / "s.db") as session:
        assert state(session) == expected


def test_loaded_session_goes_on_with_the_same_cards(tmp_path):
    X, y = load_wine(return_X_y=True)
    session, other = ActiveSession(X), ActiveSession(X)
    session.save(tmp_path / "s.db")
    for _ in range(5):
        assert place_truly(session, y) == place_truly(other, y)
        assert tell_truly(session, y) == tell_truly(other, y)
    session.undo()
    session.close()
    with ActiveSession.load(tmp_path / "s.db") as session:
        session.redo()
        assert state(session) == state(other)
        assert place_truly(session, y) == place_truly(other, y)


# ------------------------------------------------------------------------- when to stop


def test_settled_compares_what_is_chosen_now_and_eight_answers_ago():
    X, y = load_wine(return_X_y=True)
    session = ActiveSession(X)
    chosen = [set()]
    for k in range(14):
        place_truly(session, y)
        now = set()
        if len(session.piles) > 1:
            now = set(SemiMRMR(6).fit(X, session.labels).order_[:6].tolist())
        before = ([set()] * 8 + chosen)[-8:]
        expected = np.mean([len(now & then) / 6 for then in before])
        assert session.settled == pytest.approx(expected), k
        chosen.append(now)
    session.undo()
    session.redo()
    assert session.settled == pytest.approx(expected)


@pytest.mark.parametrize("mode", ["cards", "pairs"])
def test_unsure_answers_settle_nothing(mode):
    X, y = load_wine(return_X_y=True)
    session = ActiveSession(X)
    for _ in range(6):
        place_truly(session, y)
    before = session.settled
    assert 0.0 < before < 1.0
    for _ in range(9):
        if mode == "cards":
            session.place(session.ask_card().row, "unsure")
        else:
            session.tell(*session.ask(), "unsure")
    assert session.settled == before


def test_nothing_is_settled_before_there_are_two_piles():
    session = session_of_rows(*range(6))
    assert session.settled == 0.0
    session.place(0, "new")
    assert session.settled == 0.0


def test_settled_with_text_and_missing_values():
    X, y = load_wine(return_X_y=True)
    frame = pd.DataFrame(X[:, :4]).assign(kind=np.array(["a", "b", "c"])[y])
    frame.columns = frame.columns.astype(str)
    frame.iloc[::5, 0] = np.nan
    frame.iloc[1::5, 4] = None
    frame["nothing"] = np.nan
    session = ActiveSession(frame)
    for _ in range(25):
        place_truly(session, y)
    assert 0.0 < session.settled <= 1.0


def test_suggested_questions_are_the_rows_near_zero():
    X, _ = load_wine(return_X_y=True)
    session = ActiveSession(X / np.ptp(X, axis=0), strategy="eigenvector")
    v = session.embedding_
    n_near = int((np.abs(v) <= 0.1 * np.sqrt(np.mean(v**2))).sum())
    assert session.suggested_questions_ == n_near > 1
    with pytest.raises(AttributeError, match="strategy='sort' has no embedding"):
        _ = ActiveSession(X).suggested_questions_


def test_a_notebook_shows_cards_and_piles():
    X = np.random.default_rng(0).normal(size=(30, 3))
    session = ActiveSession(X)
    first = session.ask_card()
    assert f"<caption>Card: row {first.row}</caption>" in first._repr_html_()
    assert "<tr>" not in session._repr_html_()
    for row in range(12):
        session.place(row, "new" if row < 2 else 1)
    session.rename(2, "<i>good</i>")
    card = session.card(20)
    shown = {pile.number: pile.shown for pile in card.piles}
    assert f"<td>1</td><td>11</td><td>{shown[1]}</td>" in card._repr_html_()
    table = session._repr_html_()
    assert "<caption>ActiveSession(30 rows, strategy=&#x27;sort&#x27;" in table
    assert "<td>2</td><td>&lt;i&gt;good&lt;/i&gt;</td><td>1</td><td>1</td>" in table
    assert "<td>0, 2, 3, 4, 5 and 6 more</td>" in table
