"""How settled the features are, found step by step as answers come and go."""

import numpy as np
from numpy.testing import assert_array_equal

from pairsift import ActiveSession
from pairsift.active._settling import Settling


def test_steps_give_what_all_answers_give_at_once(rng):
    classes = rng.integers(0, 3, size=80)
    X = rng.normal(size=(80, 6)) + 2.0 * classes[:, None] * (np.arange(6) < 3)
    session = ActiveSession(X, random_state=0)
    is_categorical = np.zeros(6, dtype=bool)
    stepwise = Settling(X, is_categorical, np.arange(80), 0)
    for turn in range(24):
        act = rng.integers(0, 6)
        if act == 0 and session.history:
            session.undo()
        elif act == 1 and session.n_undone:
            session.redo()
        elif act == 2 and session.piles:
            session.move(session.piles[0][0], "new")
        else:
            card = session.ask_card()
            fits = [
                p.number for p in card.piles if classes[p.shown] == classes[card.row]
            ]
            session.place(
                card.row, "unsure" if act == 3 else fits[0] if fits else "new"
            )
        answers = session._journal.marked()
        at_once = Settling(X, is_categorical, np.arange(80), 0)
        n_last = None if turn % 7 == 6 else 3
        assert_array_equal(
            stepwise.path(answers, n_last), at_once.path(answers, n_last)
        )
        assert stepwise.of(answers) == at_once.of(answers)
