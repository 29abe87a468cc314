"""What a model of the answers thinks; people see it only when they ask."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from pairsift.active import ActiveSession
from pairsift.exceptions import PairsiftError
from pairsift.selectors import PairLogistic
from pairsift.webapp._insight import categorical_mask

# The filters of warnings belong to the process: one thread at a time changes them.
_LOCK = threading.Lock()


def link_probabilities(
    session: ActiveSession, row: int, others: Sequence[int]
) -> list[float] | None:
    """Return the probability that a row is the same as each of some others.

    By a :class:`PairLogistic` of the pairs so far; None as long as they do not suffice.
    """
    said = session.constraints
    rows = np.unique([*said.must_link.ravel(), *said.cannot_link.ravel(), row, *others])
    place = {known: k for k, known in enumerate(rows.tolist())}
    model = PairLogistic(categorical_features=categorical_mask(session))
    try:
        X = session.filled(rows)
        with _quietly():
            model.fit(X, constraints=said.subset(rows))
    except (PairsiftError, ValueError):
        return None
    pairs = np.array([[place[row], place[other]] for other in others])
    found: list[float] = model.predict_link_proba(pairs, X).tolist()
    return found


@contextmanager
def _quietly() -> Iterator[None]:
    """Run without warnings of contradictions, which the page shows by itself."""
    with _LOCK, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
