"""What the answers tell of the features, found while the person looks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pairsift._typing import BoolArray, IndexArray
from pairsift.active import ActiveSession, map_rows
from pairsift.reports import SAFER
from pairsift.selectors import SemiMRMR
from pairsift.webapp._worker import Worker

# Features that are shown, and rows among which they are ranked.
N_FEATURES = 12
MAX_ROWS = 5_000
# Answers on the line of how settled they are.
MAX_SETTLED = 100
Json = dict[str, Any]


class Insight:
    """Ranks features in a thread of its own."""

    def __init__(self, session: ActiveSession, columns: Sequence[str]) -> None:
        self._session, self._columns = session, list(columns)
        self._known: Json = {"version": -1, "features": [], "settled": []}
        self._before: tuple[list[int], list[int]] | None = None
        self._map: Json | None = None
        self.worker = Worker(self._work)

    def latest(self) -> Json:
        """Return what is known, and of how many events."""
        return self._known

    def map(self) -> Json | None:
        """Return the places of rows, None as long as they are not known."""
        return self._map

    def look(self) -> None:
        """Find out what the present answers tell."""
        version = self._session.version
        labels = self._session.labels
        n_piles = np.unique(labels[labels >= 0]).size
        features = self._rank(labels) if n_piles > 1 else []
        # Shown at once; as long as the version is an old one, the page asks again.
        self._known = {**self._known, "features": features}
        settled = self._session.settled_path(MAX_SETTLED).tolist()
        self._known = {
            "version": version,
            "features": features,
            "settled": [round(value, 4) for value in settled],
            "is_settled": bool(features and settled and settled[-1] >= 1.0),
            "rows": self._n_ranked(),
        }

    def _work(self) -> None:
        try:
            self.look()
            if self._map is None:
                self._map = self._find_map()
        except Exception as error:
            # The page says so, and the next answer is another try.
            self._known = {**self._known, "error": str(error)}

    def _n_ranked(self) -> int:
        return min(self._session.n_samples, MAX_ROWS)

    def _rank(self, labels: IndexArray) -> list[Json]:
        """Return the best features, and how far each has moved since before."""
        order, scores = ranked(self._session, labels, N_FEATURES, MAX_ROWS)
        now = [j for j in order if scores[j] > 0][:N_FEATURES]
        # Looked at twice, the piles have not changed: what moved before is still shown.
        if self._before is None or self._before[1] != now:
            self._before = (self._before[1] if self._before else [], now)
        then = self._before[0]
        return [
            {
                "name": self._columns[j],
                "score": round(scores[j], 4),
                "moved": then.index(j) - place if j in then else None,
                "is_new": bool(then) and j not in then,
            }
            for place, j in enumerate(now)
        ]

    def _find_map(self) -> Json:
        rows, places = map_rows(self._session)
        low, width = places.min(axis=0), np.ptp(places, axis=0)
        unit = (places - low) / np.where(width > 0, width, 1.0)
        return {"rows": rows.tolist(), "places": np.round(unit, 4).tolist()}


def categorical_mask(session: ActiveSession) -> BoolArray:
    """Return which columns of a session are categorical."""
    mask = np.zeros(session.X.shape[1], dtype=bool)
    mask[session.settings["categorical_features"]] = True
    return mask


def ranker(n_features: int | None = None, **parameters: Any) -> SemiMRMR:
    """Return what ranks features from piles.

    The same session then has the same ranking in `query` and `select`.
    """
    return SemiMRMR(n_features, **SAFER["semi-mrmr"], **parameters)


def ranked(
    session: ActiveSession,
    labels: IndexArray,
    n_features: int | None = None,
    max_samples: int | None = None,
) -> tuple[list[int], list[float]]:
    """Return all features, best first, and their scores, from two piles on."""
    rows = np.arange(session.n_samples)
    if max_samples is not None and rows.size > max_samples:
        drawn = np.random.default_rng(0).permutation(rows.size)[:max_samples]
        rows = np.union1d(drawn, np.flatnonzero(labels >= 0))
    n_columns = session.X.shape[1]
    selector = ranker(
        None if n_features is None else min(n_features, n_columns),
        categorical_features=categorical_mask(session),
    )
    selector.fit(session.filled(rows), labels[rows])
    return selector.order_.tolist(), selector.scores_.tolist()
