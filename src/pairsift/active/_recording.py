"""Every event of a session is written down before it counts."""

from __future__ import annotations

import time
from typing import Any

from pairsift._typing import BoolArray, FloatArray
from pairsift.active._answers import Event, warn_of
from pairsift.active._state import SessionState
from pairsift.active._storage import SessionFile
from pairsift.exceptions import StorageError


class RecordedSession(SessionState):
    """The side of a session that writes; see `ActiveSession`."""

    def __init__(
        self,
        X: FloatArray,
        is_categorical: BoolArray,
        settings: dict[str, Any],
        n_jobs: int | None,
    ) -> None:
        super().__init__(X, is_categorical, settings, n_jobs)
        self._asked: tuple[int, int] | None = None
        self._file: SessionFile | None = None
        self._is_closed = False

    def _record(self, *events: Event) -> None:
        """Write events down, then act on them."""
        if self._is_closed:
            raise StorageError(
                "the session is closed: load it again to go on, or save it anew."
            )
        now = time.time()
        dated = [event._replace(time=now) for event in events]
        if self._file is not None:
            self._file.append(*dated)
        for event in dated:
            self._act_on(event)
        self._asked = None

    def _record_and_warn(self, *events: Event) -> None:
        before = set(self._piles.contradicted)
        self._record(*events)
        made = self._piles.contradicted - before
        if made:
            warn_of(next(c for c in self.conflicts if c.cannot_link in made))
