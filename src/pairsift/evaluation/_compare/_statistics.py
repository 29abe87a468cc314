"""Statistics of runs on splits of one data set, which are not independent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pairsift._typing import FloatArray
from pairsift.evaluation import _errors
from pairsift.evaluation._compare._cells import Cell
from pairsift.evaluation._stability import stability
from pairsift.exceptions import DataError


def stability_at(cells: list[Cell], size: int, n_features: int) -> float:
    """Stability of the best features, NaN where it is not defined."""
    if len(cells) < 2 or size >= n_features:
        return float("nan")
    supports = np.zeros((len(cells), n_features), dtype=bool)
    for run, cell in enumerate(cells):
        supports[run, cell.order[:size]] = True
    return stability(supports).value


def mean_and_error(runs: ArrayLike, cells: list[Cell]) -> tuple[Any, Any]:
    """Mean of runs on splits of one data set, and its standard error."""
    return _errors.mean_and_error(runs, cells[0].n_test / cells[0].n_train)


def quantile(n_runs: int, confidence: float) -> float:
    """How many standard errors reach to the ends of a confidence interval."""
    from scipy.stats import t

    if not 0 < confidence < 1:
        raise DataError(f"confidence must be above 0 and below 1, got {confidence!r}.")
    return float(t.ppf((1.0 + confidence) / 2, n_runs - 1)) if n_runs > 1 else np.nan


def duel_of(first: Any, second: Any, cells: list[Cell]) -> dict[str, Any]:
    """Compare the scores of two selectors, split by split."""
    from scipy.stats import t

    # What differs by rounding only is equal.
    gain = (first - second).dropna().to_numpy().round(12)
    result = {
        "difference": float(gain.mean()) if gain.size else np.nan,
        "standard_error": np.nan,
        "n_better": int((gain > 0).sum()),
        "n_worse": int((gain < 0).sum()),
        "n_equal": int((gain == 0).sum()),
        "p_value": np.nan,
    }
    if gain.size < 2:
        return result
    mean, error = mean_and_error(gain, cells)
    if error > 0:
        p_value = 2.0 * float(t.sf(abs(mean) / error, gain.size - 1))
    else:
        p_value = 0.0 if mean else 1.0
    return result | {"standard_error": float(error), "p_value": p_value}


def places_of(order: Sequence[int], n_features: int) -> FloatArray:
    """Rank of every feature; those left out share the places that remain."""
    places = np.full(n_features, (len(order) + 1 + n_features) / 2)
    places[list(order)] = np.arange(1, len(order) + 1)
    return places
