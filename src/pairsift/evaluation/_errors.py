"""The standard error of a mean, by one rule for splits and for data sets."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike


def mean_and_error(runs: ArrayLike, overlap: float) -> tuple[Any, Any]:
    """Return the mean of runs, along the first axis, and its standard error.

    Parameters
    ----------
    runs : array-like of shape (n_runs, ...)
        One value of each run.
    overlap : float
        Test rows per training row where the runs are random splits of one data set.
        Their training rows overlap, so that the runs are not independent, and n of them
        have the variance :math:`s^2 (1/n + n_{test} / n_{train})` [1]_. 0 where runs
        share no rows, as those on different data sets: the usual :math:`s^2 / n`.

    Returns
    -------
    mean : float or ndarray
        Mean of the runs.
    error : float or ndarray
        Its standard error, NaN for one run.

    References
    ----------
    .. [1] C. Nadeau, Y. Bengio, "Inference for the generalization error", Machine
       Learning 52(3), 239-281, 2003.
    """
    values = np.asarray(runs, dtype=np.float64)
    mean = values.mean(axis=0)
    if len(values) < 2:
        return mean, np.full_like(mean, np.nan)
    return mean, values.std(axis=0, ddof=1) * np.sqrt(1.0 / len(values) + overlap)
