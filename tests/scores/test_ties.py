"""Levels of scores: rounding ranks nothing, and nothing else is rounded away."""

import numpy as np
import pytest

from pairsift.scores._ties import score_levels


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
