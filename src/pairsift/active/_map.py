"""A map of the rows: their two principal coordinates."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pairsift._kernels import one_blas_thread
from pairsift._typing import FloatArray, IndexArray
from pairsift.active._data import as_points, ranges
from pairsift.active._state import SessionState

# Cells of the rows that are drawn for the map.
MAX_CELLS = 2_000_000
# Share of the rows that are the next cards, if not all are drawn.
SHARE_AHEAD = 0.4


class RowMap(NamedTuple):
    """Places of rows on a plane.

    Parameters
    ----------
    rows : ndarray of shape (n_rows,), dtype=int64
        The rows that are on the map.
    places : ndarray of shape (n_rows, 2)
        Where they lie.
    """

    rows: IndexArray
    places: FloatArray


def map_rows(session: SessionState, max_samples: int = 1_500) -> RowMap:
    """Place rows so that similar ones lie near to each other.

    Parameters
    ----------
    session : ActiveSession
        Whose rows.
    max_samples : int, default=1500
        Number of rows at most. If there are more, the next cards and others are drawn;
        sorted rows are on the map always.

    Returns
    -------
    map : RowMap
        The two principal coordinates of the columns scaled by their range, with one
        column per category. A missing value is the mean of its column.
    """
    X = session._X
    is_categorical = np.zeros(X.shape[1], dtype=bool)
    is_categorical[session.settings["categorical_features"]] = True
    rng = np.random.default_rng(session.settings["random_state"])
    n_drawn = min(max_samples, max(MAX_CELLS // X.shape[1], 50))
    # People look for the card that they are asked about.
    ahead = session.next_rows(int(SHARE_AHEAD * n_drawn))
    drawn = list(dict.fromkeys([*ahead, *rng.permutation(len(X)).tolist()]))[:n_drawn]
    rows = np.union1d(drawn, np.flatnonzero(session.labels >= 0))
    scale = np.where(is_categorical, 1.0, ranges(X)[1])
    with np.errstate(over="ignore", invalid="ignore"):
        points = np.nan_to_num(as_points(X[rows], is_categorical, scale))
    points -= points.mean(axis=0)
    with one_blas_thread():
        places = _first_two(points)
    return RowMap(rows, places)


def _first_two(points: FloatArray) -> FloatArray:
    """Return the first two principal coordinates; zeros where there is none."""
    n_rows, n_columns = points.shape
    is_wide = n_columns > n_rows
    gram = points @ points.T if is_wide else points.T @ points
    values, vectors = np.linalg.eigh(gram)
    values, vectors = np.maximum(values[::-1][:2], 0.0), vectors[:, ::-1][:, :2]
    found = vectors * np.sqrt(values) if is_wide else points @ vectors
    # The sign of an eigenvector is arbitrary: its largest entry is positive.
    found *= np.where(
        found[np.abs(found).argmax(axis=0), range(found.shape[1])] < 0, -1, 1
    )
    places = np.zeros((n_rows, 2))
    places[:, : found.shape[1]] = found
    return places
