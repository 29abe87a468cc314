"""A data set as reports show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Table:
    """A data set: features, and what is known of its rows."""

    features: pd.DataFrame
    labels: NDArray[Any] | None = None
    ids: list[str] | None = None
    unlabelled_words: tuple[str, ...] = ()
    """Words in the label column, such as NA, that were read as no label."""
    missing_label: int | None = -1
    """Label that means "no label", beside an empty cell; None if there is none."""
    notes: tuple[str, ...] = ()
    """How the file was read."""
    label_notes: tuple[str, ...] = ()
    """How the labels were read, if they are classes."""
    n_drawn_from: int | None = None
    """Number of rows of the file, when only some of them were drawn."""


def row_name(row: int, ids: Sequence[str] | None) -> str:
    """Return the id of a row, its number when rows have no ids."""
    return str(row) if ids is None else ids[row]


def filled(features: pd.DataFrame) -> pd.DataFrame:
    """Fill missing values with the mean of their column, or its most frequent word."""
    if not features.isna().to_numpy().any():
        return features
    complete = features.copy()
    numbers = set(features.select_dtypes("number"))
    for name in features.columns[features.isna().any()]:
        known = features[name].dropna()
        if known.empty:
            complete[name] = 0.0
        elif name in numbers:
            complete[name] = features[name].astype(np.float64).fillna(known.mean())
        else:
            complete[name] = features[name].fillna(known.mode().iloc[0])
    return complete
