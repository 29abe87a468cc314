"""What the forward searches share."""

import numpy as np

from pairsift._typing import FloatArray, IndexArray
from pairsift.selectors._base import BaseScoreSelector


class ForwardSearch(BaseScoreSelector):
    """Base of the selectors that add one feature after the other."""

    path_scores_: FloatArray
    _places: IndexArray

    def _n_steps(self, n_features: int) -> int:
        if self.n_features_to_select in (None, "auto"):
            return n_features
        return self._number_to_select(n_features)

    def _place_scores(self, order: IndexArray) -> FloatArray:
        """Score features by their place, -1 for the first."""
        return (
            self._entry_scores(order, order.size - np.arange(order.size))
            - order.size
            - 1.0
        )

    def _entry_scores(self, order: IndexArray, gains: FloatArray) -> FloatArray:
        """Score features by what each brought when it came in, in this order.

        At least 0, and at most the score of the feature before, so that scores fall
        along the order. Features not reached have what they offered at the last step.
        """
        self._places = np.empty(order.size, dtype=np.int64)
        self._places[order] = np.arange(order.size)
        return np.minimum.accumulate(np.maximum(gains, 0.0))[self._places]

    def _merit(self) -> FloatArray:
        return -self._places.astype(np.float64)
