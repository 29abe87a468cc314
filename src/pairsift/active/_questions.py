"""What to ask next, given the answers so far."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import Any

import numpy as np

from pairsift._typing import BoolArray, FloatArray
from pairsift.active._answers import links_of
from pairsift.active._piles import Piles
from pairsift.active._settling import Settling
from pairsift.active._sorting import Sorter
from pairsift.active._strategies import (
    Eigenvalue,
    Eigenvector,
    MultiEigenvector,
    RandomPairs,
    SpectralPairs,
    Strategy,
)
from pairsift.active._uncertainty import Uncertainty
from pairsift.exceptions import ConstraintError

CHOOSERS: dict[str, type[Strategy]] = {
    "eigenvector": Eigenvector,
    "random": RandomPairs,
    "multi-eigenvector": MultiEigenvector,
    "eigenvalue": Eigenvalue,
    "uncertainty": Uncertainty,
}
STRATEGIES = ("sort", *CHOOSERS)


class Questions:
    """Chooses pairs by the strategy of a session, and cards; each built when needed."""

    def __init__(
        self,
        X: FloatArray,
        is_categorical: BoolArray,
        settings: dict[str, Any],
        n_jobs: int | None,
    ) -> None:
        self._X, self._is_categorical = X, is_categorical
        self._settings, self._n_jobs = settings, n_jobs
        # What the strategy has been told.
        self._told: dict[tuple[int, int], str] = {}

    @cached_property
    def sorter(self) -> Sorter:
        """The order in which rows are sorted."""
        return Sorter(self._X, self._is_categorical, self._settings["random_state"])

    @cached_property
    def settling(self) -> Settling:
        """The features that the piles choose."""
        seed = self._settings["random_state"]
        return Settling(self._X, self._is_categorical, self.sorter.drawn, seed)

    @cached_property
    def _chooser(self) -> Strategy:
        settings = dict(self._settings)
        chooser = CHOOSERS[settings.pop("strategy")]
        return chooser(self._X, self._is_categorical, n_jobs=self._n_jobs, **settings)

    def next_pair(self, piles: Piles) -> tuple[int, int]:
        """Return the next pair to ask about."""
        if self._settings["strategy"] == "sort":
            i, j = self.sorter.next_pair(piles)
            if i < 0:
                raise self._all_sorted(piles)
            return i, j
        links = links_of(piles.said)
        pairs = np.array(sorted(links), dtype=np.int64).reshape(-1, 2)
        i, j = self._informed(links).next_pair(pairs)
        if i < 0:
            raise ConstraintError(f"all {len(pairs)} pairs of X have been asked.")
        return i, j

    def next_row(self, piles: Piles, without: Collection[int] = ()) -> int:
        """Return the next row to sort."""
        row = self.sorter.next_row(piles, without)
        if row < 0:
            raise self._all_sorted(piles)
        return row

    def spectral(self, piles: Piles) -> SpectralPairs:
        """Return a strategy that has an embedding, with all answers."""
        strategy = self._settings["strategy"]
        is_sort = strategy == "sort"
        chooser = None if is_sort else self._informed(links_of(piles.said))
        if not isinstance(chooser, SpectralPairs):
            raise AttributeError(f"strategy={strategy!r} has no embedding.")
        return chooser

    def _informed(self, links: dict[tuple[int, int], str]) -> Strategy:
        """Return the strategy after it was told what has changed."""
        for pair, answer in self._told.items():
            if links.get(pair) != answer:
                self._chooser.take_back(*pair, answer)
        for pair, answer in links.items():
            if self._told.get(pair) != answer:
                self._chooser.take(*pair, answer)
        self._told = links
        return self._chooser

    def _all_sorted(self, piles: Piles) -> ConstraintError:
        n_unsure = len(piles.passed - piles.number.keys())
        unsure = f", but for {n_unsure} unsure" if n_unsure else ""
        return ConstraintError(f"all {len(self._X)} rows of X are sorted{unsure}.")
