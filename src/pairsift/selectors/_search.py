"""What the forward searches share."""

import numpy as np

from pairsift._typing import FloatArray, IndexArray
from pairsift.scores import SEARCH_TIE
from pairsift.selectors._base import BaseScoreSelector


class ForwardSearch(BaseScoreSelector):
    """Base of the selectors that add one feature after the other."""

    path_scores_: FloatArray
    _places: IndexArray

    def _n_steps(self, n_features: int) -> int:
        if self.n_features_to_select in (None, "auto"):
            return n_features
        return self._number_to_select(n_features)

    def _entry_scores(self, order: IndexArray, gains: FloatArray) -> FloatArray:
        """Score features by what each brought when it came in, in this order.

        At least 0, and at most the score of the feature before, so that scores fall
        along the order. Features not reached have what they offered at the last step.
        """
        self._places = np.empty(order.size, dtype=np.int64)
        self._places[order] = np.arange(order.size)
        return np.minimum.accumulate(np.maximum(gains, 0.0))[self._places]

    def _quotient_scores(
        self, order: IndexArray, values: FloatArray, n_steps: int, least: float
    ) -> FloatArray:
        """Score features by the share of relevance in relevance plus redundancy.

        least : what the search adds to the redundancy.
        """
        self.path_scores_ = values[:n_steps]
        quotients = np.maximum(values, 0.0)
        # The first step knows no redundancy, and has the relevance alone.
        quotients[: 1 if n_steps > 1 else None] /= least
        return self._entry_scores(order, quotients / (1.0 + quotients))

    def _rise_scores(
        self, order: IndexArray, values: FloatArray, start: float
    ) -> FloatArray:
        """Score features by how much the value of the set rose with each.

        values : of the first 1, 2, ... features of the order, then of the last step
            with each of the others in place of its feature. start : without features.
        """
        n_steps = self.path_scores_.size
        before = np.concatenate([[start], values[: n_steps - 1]])
        others = np.full(values.size - n_steps, before[-1])
        rises = values - np.append(before, others)
        # What is left of two values that agree up to rounding is no rise.
        rises[rises <= SEARCH_TIE * np.abs(values)] = 0.0
        return self._entry_scores(order, rises)

    def _merit(self) -> FloatArray:
        return -self._places.astype(np.float64)
