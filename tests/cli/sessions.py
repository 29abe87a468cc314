"""What ``pairsift query`` has left on disk."""

import pandas as pd

from pairsift.active import ActiveSession
from pairsift.constraints import PairConstraints


def session_of(data):
    """Return the history and the constraints of a session."""
    with ActiveSession.load(f"{data}.pairsift-session") as session:
        return session.history, session.constraints


def written_by(data):
    """Return the constraints beside the data."""
    n_rows = len(pd.read_csv(data))
    return PairConstraints.from_csv(data.with_name("constraints.csv"), None, n_rows)
