"""Levels of scores: rounding ranks nothing, and nothing else is rounded away."""

import numpy as np
import pytest

from pairsift.scores._ties import score_levels, tied_scores


@pytest.mark.parametrize(
    ("scores", "levels"),
    [
        ([3.0, 1.0, 2.0, 1.0], [2, 0, 1, 0]),
        ([0.1 + 0.2, 0.3, -0.3, -0.1 - 0.2], [1, 1, 0, 0]),
        ([1.0, 1.0 + 1e-9], [0, 1]),
        # Small scores beside large ones are not tied.
        ([1e20, 1e-4, 2e-4, 0.0], [3, 1, 2, 0]),
        ([np.inf, -np.inf, 0.0, -np.inf, np.inf], [2, 0, 1, 0, 2]),
        ([np.inf, -np.inf], [1, 0]),
        ([1.7e308, -1.7e308], [1, 0]),
        ([5.0], [0]),
    ],
)
def test_levels_by_hand(scores, levels):
    assert score_levels(np.array(scores)).tolist() == levels


@pytest.mark.parametrize(
    ("scores", "least", "order"),
    [
        ([3.0, 1.0, 2.0, 1.0], 0.0, [0, 2, 1, 3]),
        # Equal up to rounding: in the order of the columns.
        ([0.3, 0.1 + 0.2, 1.0], 0.0, [2, 0, 1]),
        ([1.0, 1.0 + 1e-8], 0.0, [1, 0]),
        # Small scores beside large ones are not tied, unless they are rounding.
        ([1e-13, 2e-13, 5.0], 0.0, [2, 1, 0]),
        ([1e-13, 2e-13, 5.0], 1.0, [2, 0, 1]),
        ([-np.inf, 0.0, np.inf, -np.inf, np.inf], 1.0, [2, 4, 1, 0, 3]),
        # All are compared with the best of the group, so that groups do not grow.
        ([1.0 - 1.5e-9, 1.0 - 0.75e-9, 1.0], 0.0, [1, 2, 0]),
    ],
)
def test_groups_by_hand(scores, least, order):
    tied = tied_scores(np.array(scores), least)
    assert np.argsort(-tied, kind="stable").tolist() == order
    assert (tied[order][1:] <= tied[order][:-1]).all()
