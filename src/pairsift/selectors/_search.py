"""What the forward searches share."""

from typing import ClassVar

import numpy as np

from pairsift._typing import FloatArray, IndexArray
from pairsift.selectors._base import BaseScoreSelector


class ForwardSearch(BaseScoreSelector):
    """Base of the selectors that add one feature after the other."""

    _searches_all: ClassVar[tuple[str | None, ...]] = (None, "auto")
    """Numbers of features for which the search goes on to the end."""

    path_scores_: FloatArray

    def _n_steps(self, n_features: int) -> int:
        if self.n_features_to_select in (None, "auto"):
            return n_features
        return self._number_to_select(n_features)

    def _place_scores(self, order: IndexArray) -> FloatArray:
        """Score features by their place, -1 for the first."""
        scores = np.empty(order.size)
        scores[order] = -np.arange(1.0, order.size + 1)
        return scores
