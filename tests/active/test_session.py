"""Ask, tell, undo, save and load."""

import functools

import numpy as np
import pytest
from numpy.testing import assert_allclose

from pairsift import ConstraintError, PairConstraints
from pairsift.active import (
    ActiveSession,
    Note,
    _graph as graphs_of_sessions,
    select_constraints,
)
from pairsift.exceptions import StorageError
from pairsift.graphs import similarity_graph
from tests.reference import active as reference

STRATEGIES = [
    "eigenvector",
    "random",
    "multi-eigenvector",
    "eigenvalue",
    "uncertainty",
]


def blobs(seed=0, n_samples=36, n_classes=3):
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % n_classes
    X = rng.normal(size=(n_samples, 4)) + 1.5 * rng.normal(size=(n_classes, 4))[y]
    return X, y


published = functools.partial(ActiveSession, strategy="eigenvector")


def truth(y):
    return lambda i, j: "same" if y[i] == y[j] else "different"


def answered(session, y, n_questions):
    for _ in range(n_questions):
        i, j = session.ask()
        session.tell(i, j, truth(y)(i, j))
    return session


def published_questions(X, y, n_questions, k=7):
    """Algorithm 4.1 with eigendecompositions, no pair twice."""
    S = similarity_graph(X, graph="full", kernel="self-tuning", n_neighbors=k)
    asked = []
    for _ in range(n_questions):
        v = reference.second_eigenvector(S)[2]
        row = int(np.argmin(np.abs(v)))
        known = [tuple(sorted(pair)) for pair in asked]
        n, m = reference.best_pair(reference.sensitivities(S, row), known)
        asked.append((m, n) if m == row else (n, m))
        S[n, m] = S[m, n] = float(y[n] == y[m])
    return asked


@pytest.mark.parametrize("seed", range(6))
def test_questions_are_the_published_ones(seed):
    X, y = blobs(seed)
    session = answered(published(X, graph="full"), y, 12)
    pairs = [(a.first, a.second) for a in session.history]
    assert pairs == published_questions(X, y, 12)


def test_large_sessions_ask_as_small_ones(monkeypatch):
    """Step by step and with the factor of a full graph, the pairs are the same."""
    X, y = blobs(1, n_samples=60)
    expected = answered(published(X, graph="full"), y, 15).history
    monkeypatch.setattr("pairsift.active._spectrum.FEW_ROWS", 0)
    assert answered(published(X, graph="full"), y, 15).history == expected


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_no_pair_is_asked_twice_and_the_last_is_found(strategy):
    X, y = blobs(n_samples=7, n_classes=2)
    session = answered(ActiveSession(X, strategy=strategy, n_neighbors=3), y, 21)
    pairs = {tuple(sorted((a.first, a.second))) for a in session.history}
    assert len(pairs) == 21
    with pytest.raises(ConstraintError, match="all 21 pairs of X have been asked"):
        session.ask()


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("graph", ["full", "knn"])
def test_same_answers_same_questions(strategy, graph):
    X, y = blobs(2)
    sessions = [
        answered(ActiveSession(X, strategy=strategy, graph=graph, n_jobs=n_jobs), y, 10)
        for n_jobs in (1, 2, None)
    ]
    assert sessions[0].history == sessions[1].history == sessions[2].history


def test_asking_again_changes_nothing():
    X, _ = blobs()
    session = ActiveSession(X)
    assert session.ask() == session.ask()
    i, j = session.ask()
    session.tell(i, j, "unsure")
    assert session.ask() != (i, j)
    assert session.constraints == PairConstraints(n_samples=36)


def test_uncertain_row_comes_first():
    X, _ = blobs()
    session = published(X)
    i, j = session.ask()
    assert session.uncertain_ == int(np.argmin(np.abs(session.embedding_)))
    assert session.uncertain_ in (i, j)
    assert i == session.uncertain_


def test_undo_brings_the_question_back():
    X, y = blobs()
    session = answered(published(X), y, 5)
    before, embedding = session.history, session.embedding_.copy()
    question = session.ask()
    session.tell(*question, "different")
    session.ask()
    assert session.undo() == (*question, "different")
    assert session.history == before
    assert_allclose(session.embedding_, embedding, atol=1e-12)
    assert session.ask() == question
    for _ in range(5):
        session.undo()
    with pytest.raises(ConstraintError, match="no answer to take back"):
        session.undo()


@pytest.mark.parametrize("strategy", [*STRATEGIES, "sort"])
@pytest.mark.parametrize("place", [0, 2, 4])
def test_an_older_answer_is_replaced_as_if_it_had_been_the_last(
    tmp_path, strategy, place
):
    X, y = blobs()
    session = answered(ActiveSession(X, strategy=strategy), y, 5)
    session.save(tmp_path / "s.db")
    before = session.history
    old = before[place]
    session.tell(old.second, old.first, "unsure", replace=True)
    rest = [answer for answer in before if answer != old]
    assert session.history == [*rest, (old.second, old.first, "unsure")]
    direct = ActiveSession(X, strategy=strategy)
    for answer in session.history:
        direct.tell(*answer)
    question = session.ask()
    assert question == direct.ask()
    session.close()
    with ActiveSession.load(tmp_path / "s.db") as loaded:
        assert loaded.history == direct.history
        assert loaded.ask() == question
        # The journal keeps what was said before, and undo brings it back.
        assert loaded.undo() == (old.second, old.first, "unsure")
        assert loaded.history == before


def test_an_answer_that_cannot_be_written_changes_nothing(tmp_path):
    X, y = blobs()
    session = answered(ActiveSession(X), y, 3)
    before = session.history
    session.save(tmp_path / "s.db")
    (tmp_path / "s.db").unlink()
    with pytest.raises(StorageError, match="is gone"):
        session.tell(*before[0][:2], "unsure", replace=True)
    assert session.history == before
    session.close()


def test_any_pair_may_be_told():
    X, _ = blobs()
    session = ActiveSession(X)
    session.tell(3, 1, "same")
    session.tell(2, 5, "different")
    assert session.constraints == PairConstraints([(1, 3)], [(2, 5)], n_samples=36)
    assert session.history[0] == (3, 1, "same")
    assert "36 rows, strategy='sort', 1 same, 1 different" in repr(session)


@pytest.mark.parametrize(
    ("pair", "answer", "message"),
    [
        ((0, 36), "same", r"\(0, 36\) is out of range"),
        ((4, 4), "same", r"\(4, 4\)"),
        (
            (0, 1),
            "must",
            "answer must be one of 'same', 'different', 'unsure', got 'must'",
        ),
        ((1, 0), "same", r"pair \(1, 0\) was answered already, 'different': take answ"),
    ],
)
def test_impossible_answers_are_refused(pair, answer, message):
    X, _ = blobs()
    session = ActiveSession(X)
    session.tell(0, 1, "different")
    with pytest.raises(ValueError, match=message):
        session.tell(*pair, answer)
    assert len(session.history) == 1


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"strategy": "guess"}, "strategy must be one of 'sort', 'eigenvector'"),
        ({"graph": "star"}, "graph must be one of 'auto', 'full', 'knn', got 'star'"),
        ({"n_neighbors": 0}, "n_neighbors must be a whole number of at least 1"),
        ({"random_state": -1}, "random_state must be a whole number of at least 0"),
    ],
)
def test_wrong_parameters_are_named(parameters, message):
    X, _ = blobs()
    with pytest.raises(ValueError, match=message):
        ActiveSession(X, **parameters)


def test_data_without_pairs_is_refused():
    with pytest.raises(ValueError, match="minimum of 2 is required by ActiveSession"):
        ActiveSession(np.zeros((1, 3)))
    with pytest.raises(ValueError, match="X holds missing values only"):
        ActiveSession(np.full((3, 3), np.nan))


def test_random_pairs_have_no_embedding():
    X, _ = blobs()
    with pytest.raises(AttributeError, match="strategy='random' has no embedding"):
        _ = ActiveSession(X, strategy="random").embedding_


def test_equal_rows_are_no_trouble():
    X = np.repeat(np.eye(3), 4, axis=0)
    session = published(X, n_neighbors=2)
    for _ in range(5):
        session.tell(*session.ask(), "unsure")
    assert len(session.history) == 5


# ---------------------------------------------------------------- disconnected graphs


def far_groups():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 2))
    X[10:20] += 100.0
    X[20:] -= 50.0
    return X


@pytest.mark.parametrize("graph", ["knn", "full"])
def test_components_are_joined_by_their_nearest_rows(graph):
    X = far_groups()
    if graph == "full":
        X[10:20] += 1e6
    S = graphs_of_sessions.working_graph(X, graph, 3)
    S = S.toarray() if graph == "knn" else S
    group = np.repeat([0, 1, 2], 10)
    is_bridge = (S > 0) & (group[:, None] != group)
    distance = np.linalg.norm(X[:, None] - X, axis=2)
    for a, b in [(0, 1), (0, 2)]:
        between = is_bridge & (group[:, None] == a) & (group == b)
        assert between.sum() >= 1
        if graph == "knn":
            nearest = distance[group == a][:, group == b].min()
            assert distance[between].tolist() == [nearest]
    v = reference.second_eigenvector(S)[2]
    assert np.ptp(v) > 0
    session = published(X, graph=graph, n_neighbors=3)
    i, j = session.ask()
    assert i != j


@pytest.mark.parametrize("few", [400, 0])
def test_tight_clusters_far_apart_are_no_trouble(monkeypatch, few):
    monkeypatch.setattr("pairsift.active._spectrum.FEW_ROWS", few)
    rng = np.random.default_rng(1)
    y = rng.integers(0, 5, 90)
    X = rng.normal(size=(90, 2)) * 0.02 + rng.uniform(0, 3, (5, 2))[y]
    for graph in ("full", "knn"):
        session = answered(published(X, graph=graph), y, 8)
        assert len(session.history) == 8


def test_symmetric_data_ask_the_same_after_undo_and_load(tmp_path):
    """Equal eigenvalues: the vector is arbitrary, and still the same every time."""
    X = np.array([(a, b) for a in range(6) for b in range(6)], dtype=float)
    session = published(X, graph="full", n_neighbors=4)
    session.save(tmp_path / "s.db")
    for step in range(8):
        question = session.ask()
        session.tell(*question, "same")
        session.ask()
        session.undo()
        assert session.ask() == question
        session.tell(*question, "different" if step % 2 else "same")
        session.close()
        session = ActiveSession.load(tmp_path / "s.db")
    session.close()


# ----------------------------------------------------------------------------- oracles


def test_labels_are_an_oracle_and_missing_ones_unsure():
    X, y = blobs()
    c = select_constraints(X, y, max_queries=9)
    assert c.n_must_link + c.n_cannot_link == 9
    unknown = np.full(36, -1)
    assert select_constraints(X, unknown, max_queries=9).n_cannot_link == 0
    named = np.array(["a", "b", "c"])[y]
    assert select_constraints(X, named, max_queries=9) == c


def test_selection_stops_at_so_many_cannot_links_or_questions():
    X, y = blobs()
    assert select_constraints(X, y).n_cannot_link == 20
    assert select_constraints(X, y, 4).n_cannot_link == 4
    both = select_constraints(X, y, n_cannot_link=4, max_queries=2)
    assert both.n_must_link + both.n_cannot_link == 2
    everything = select_constraints(X[:5], y[:5], max_queries=1000, n_neighbors=2)
    assert everything.n_must_link + everything.n_cannot_link == 10


def test_selection_by_sorting_ends_when_all_rows_are_sorted():
    X, y = blobs(n_samples=10)
    c = select_constraints(X, y, None, 45, strategy="sort")
    assert len(c) < 45
    assert len(c.closure()) == 45


def test_contradicting_answers_are_reported_with_their_chain():
    X, _ = blobs(n_samples=6)
    order = iter(["same", "same", "different"] * 10)
    with pytest.warns(UserWarning, match="contradict each other .* must-link chain"):
        select_constraints(X, lambda i, j: next(order), max_queries=15, n_neighbors=2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_cannot_link": None}, "give max_queries, n_cannot_link or both"),
        ({"max_queries": 0}, "max_queries must be a whole number of at least 1"),
        ({"n_cannot_link": 0}, "n_cannot_link must be a whole number of at least 1"),
    ],
)
def test_how_much_to_ask_has_to_be_said(arguments, message):
    X, y = blobs()
    with pytest.raises(ValueError, match=message):
        select_constraints(X, y, **arguments)
    with pytest.raises(ValueError, match="one label for each of the 36 rows"):
        select_constraints(X, y[:-1], max_queries=3)
    with pytest.raises(ValueError, match="answer must be one of"):
        select_constraints(X, lambda i, j: True, max_queries=3)


def test_session_keeps_its_own_copy_of_the_data():
    X, _ = blobs()
    mine = X.copy()
    session = ActiveSession(mine)
    expected = ActiveSession(X).ask()
    mine *= 0
    assert session.ask() == expected


@pytest.mark.parametrize(
    ("note", "said"),
    [
        (
            Note("a", "x"),
            "seconds of a note must be a positive number or None, got 'x'",
        ),
        (Note("a", [1]), r"got \[1\]: write note=Note\(person, seconds\)"),
        ("a", r"note must be a Note, got 'a': write note=Note\(person, seconds\)"),
    ],
    ids=["text", "list", "a name"],
)
def test_a_wrong_note_is_refused(note, said):
    session = ActiveSession(blobs()[0])
    with pytest.raises(ConstraintError, match=said):
        session.place(3, "new", note=note)
    with pytest.raises(ConstraintError, match=said):
        session.tell(0, 1, "same", note=note)
    assert session.history == []


def test_wrong_rows_and_piles_are_refused_with_what_is_accepted():
    session = ActiveSession(blobs()[0])
    with pytest.raises(ConstraintError, match="two different rows, such as .* ask"):
        session.tell(3, 3, "same")
    with pytest.raises(ConstraintError, match="got 'maybe': .*such as card.row"):
        session.place("maybe", "unsure")
    with pytest.raises(ConstraintError, match="or say 'new' or 'unsure'"):
        session.place(3, "maybe")
