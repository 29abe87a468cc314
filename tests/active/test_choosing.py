"""choose_features: ask, spread and rank in one call is what the parts do."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.feature_selection import VarianceThreshold

from pairsift import (
    SURF,
    ActiveSession,
    PairLogistic,
    RankEnsemble,
    ReliefF,
    ReliefFSc,
    SemiMRMR,
    TuRF,
    choose_features,
    propagate,
    select_constraints,
)


def problem(seed=0, n_samples=60):
    """Columns 1 and 3 tell three groups apart, in [0, 1]."""
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % 3
    X = rng.random((n_samples, 5))
    X[:, 1] = (X[:, 1] + 3 * (y == 1)) / 4
    X[:, 3] = (X[:, 3] + 3 * (y == 2)) / 4
    return X, y


def test_cards_are_placed_by_labels_and_ranked():
    X, y = problem()
    chosen = choose_features(X, y, 15, selector=SemiMRMR(2))
    session = ActiveSession(X)
    for _ in range(15):
        card = session.ask_card()
        same = [p.number for p in card.piles if y[p.shown] == y[card.row]]
        session.place(card.row, same[0] if same else "new")
    expected = SemiMRMR(2).fit(X, session.labels)
    assert_array_equal(chosen.scores_, expected.scores_)
    assert chosen.order_[0] in (1, 3)
    assert chosen.session_.history == session.history
    assert chosen.constraints_ == session.constraints


def test_function_answers_for_cards_or_pairs():
    X, y = problem()
    by_labels = choose_features(X, y, 10)

    def place(card):
        same = [pile.number for pile in card.piles if y[pile.shown] == y[card.row]]
        return same[0] if same else "new"

    assert_array_equal(choose_features(X, place, 10).scores_, by_labels.scores_)

    def answer(i, j):
        return "same" if y[i] == y[j] else "different"

    by_labels = choose_features(X, y, 10, mode="pairs")
    found = choose_features(X, answer, 10, mode="pairs")
    assert_array_equal(found.scores_, by_labels.scores_)
    assert found.constraints_ == by_labels.constraints_


def test_a_function_of_two_rows_is_asked_about_pairs():
    X, y = problem()
    by_labels = choose_features(X, y, 8, mode="pairs")
    found = choose_features(X, lambda i, j: "same" if y[i] == y[j] else "different", 8)
    assert found.session_.history == by_labels.session_.history
    assert_array_equal(found.scores_, by_labels.scores_)


def test_published_framework_is_one_call():
    X, y = problem()
    known = select_constraints(X, y, max_queries=6, strategy="eigenvector")
    options = {"alpha": 0.9, "graph": "full"}
    expected = ReliefFSc(n_neighbors=3).fit(
        X, constraints=propagate(known, X, **options)
    )
    found = choose_features(
        X,
        y,
        6,
        strategy="eigenvector",
        spread=options,
        selector=ReliefFSc(n_neighbors=3),
    )
    assert_array_equal(found.scores_, expected.scores_)
    assert len(found.constraints_) > len(known)


def test_selectors_of_pairs_learn_from_pairs():
    X, y = problem()
    selector = PairLogistic(2)
    chosen = choose_features(X, y, 12, selector=selector)
    assert chosen.n_constraints_used_ == len(chosen.constraints_)
    assert not hasattr(selector, "support_")


@pytest.mark.filterwarnings("ignore:the .*-links spread to other rows may be no better")
def test_text_and_missing_values_are_asked_about_and_spread():
    X, y = problem()
    frame = pd.DataFrame(X, columns=list("abcde"))
    frame["colour"] = np.array(["red", "blue", "green"])[y]
    frame.loc[::9, "a"] = np.nan
    chosen = choose_features(
        frame, y, 12, spread={"alpha": 0.9, "links": "both"}, selector=PairLogistic(1)
    )
    assert chosen.get_feature_names_out().tolist() == ["colour"]


def test_data_that_the_selector_refuses_are_refused_before_the_first_question():
    X, asked = np.random.default_rng(0).normal(size=(20, 3)), []
    X[2, 1] = np.nan

    def oracle(a, b):
        asked.append((a, b))
        return "same"

    with pytest.raises(ValueError, match="SemiMRMR needs complete data"):
        choose_features(X, oracle, 5)
    assert not asked


def test_selectors_of_selectors_take_what_those_take():
    X, y = problem()
    frame = pd.DataFrame(X, columns=list("abcde"))
    frame["colour"] = pd.Categorical(np.array(["red", "blue", "green"])[y])
    frame.loc[::9, "a"] = np.nan
    for selector in (TuRF(), RankEnsemble([("one", ReliefF()), ("other", SURF())])):
        assert choose_features(frame, y, 12, selector=selector).order_[0] == 5


def test_unlabelled_rows_are_unsure_and_rows_run_out():
    X, y = problem(n_samples=8)
    labels = np.where(np.arange(8) < 6, y, -1)
    chosen = choose_features(X, labels, 100)
    assert len(chosen.session_.history) == 8
    assert sum(answer.answer == "unsure" for answer in chosen.session_.history) == 2
    assert (chosen.session_.labels >= 0).sum() == 6


@pytest.mark.filterwarnings("ignore:the .*-links spread to other rows may be no better")
def test_contradictory_answers_stop_nothing_and_are_told_once():
    X, _ = problem(n_samples=9)
    answers = {}

    def careless(i, j):
        answers[i, j] = "different" if len(answers) % 2 else "same"
        return answers[i, j]

    with pytest.warns(UserWarning, match="least supported") as told:
        chosen = choose_features(
            X,
            careless,
            20,
            strategy="random",
            spread={"alpha": 0.5, "links": "both"},
            selector=PairLogistic(),
        )
    assert sum("contradicts" in str(w.message) for w in told) == 1
    assert chosen.session_.conflicts
    assert chosen.constraints_.conflicts() == []


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"n_questions": 0}, ValueError, "n_questions must be a whole number of at"),
        ({"mode": "words"}, ValueError, "mode must be one of 'cards', 'pairs', got"),
        (
            {"mode": "cards", "strategy": "random"},
            ValueError,
            "mode='cards' goes with strategy='sort', got 'random'",
        ),
        ({"strategy": "guess"}, ValueError, "strategy must be one of"),
        ({"spread": "far"}, TypeError, "spread must be True, False or a dict"),
        (
            {"selector": VarianceThreshold()},
            TypeError,
            "must be a selector of pairsift",
        ),
        ({"selector": SemiMRMR}, TypeError, "selector must be a selector of pairsift"),
        ({"oracle": [0, 1]}, ValueError, "one label for each of the 60 rows of X"),
    ],
)
def test_wrong_arguments_are_named(arguments, error, message):
    X, y = problem()
    with pytest.raises(error, match=message):
        choose_features(X, **({"oracle": y} | arguments))
