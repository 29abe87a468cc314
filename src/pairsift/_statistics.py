"""Corrections for the number of tests, for selectors, sessions and evaluation."""

import numpy as np

from pairsift._typing import FloatArray


def holm(p_values: FloatArray) -> FloatArray:
    """Correct p-values for their number (Holm 1979); NaN stay and are not counted."""
    corrected = p_values.copy()
    known = np.flatnonzero(~np.isnan(p_values))
    order = known[np.argsort(p_values[known], kind="stable")]
    times = np.arange(order.size, 0, -1)
    corrected[order] = np.minimum(np.maximum.accumulate(p_values[order] * times), 1.0)
    return corrected
