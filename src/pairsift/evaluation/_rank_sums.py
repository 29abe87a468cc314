"""Which of several methods wins, run by run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from pairsift._typing import IndexArray
from pairsift.evaluation._validation import as_matrix

if TYPE_CHECKING:
    import pandas as pd


def rank_sums(accuracies: ArrayLike | pd.DataFrame) -> IndexArray | pd.Series:
    r"""Sum the ranks of methods over runs; the best method has the smallest sum.

    Averages hide who won how often: here every run counts the same, whatever the
    accuracies it reached.

    Parameters
    ----------
    accuracies : array-like of shape (n_runs, n_methods)
        Accuracy of each method in each run, or any other number of which more is
        better.

    Returns
    -------
    ndarray of shape (n_methods,) or Series
        Sum of the ranks of each method, from `n_runs` (never beaten) to
        ``n_runs * n_methods``; a Series with the names of the columns when
        `accuracies` is a pandas DataFrame.

    Raises
    ------
    DataError
        If `accuracies` is not a matrix of finite numbers; it is a `ValueError`.

    See Also
    --------
    prototype_accuracy_curve : Accuracies in the manner of [1]_.

    Notes
    -----
    With :math:`rank_q^{[c]}` the rank of method c in run q, counted from 1 for the
    highest accuracy, equation 40 of [1]_ is

    .. math::
        R^{[c]} = \sum_q rank_q^{[c]}.

    Equal accuracies share the best of their ranks, as in 1, 2, 2, 4. The text of [1]_
    only says that they have the same rank; a row of its table 5 with the sums 200, 100,
    500, 600, 200, 400 of 100 runs shows that the next rank is left out.

    References
    ----------
    .. [1] A. Salmi, K. Hammouche, L. Macaire, "Similarity-based constraint score
       for feature selection", Knowledge-Based Systems 209, 106429, 2020,
       doi:10.1016/j.knosys.2020.106429.

    Examples
    --------
    >>> from pairsift.evaluation import rank_sums
    >>> rank_sums([[0.9, 0.8, 0.8, 0.7], [0.5, 0.6, 0.7, 0.7]])  # 1 2 2 4, 4 3 1 1
    array([5, 5, 3, 5])
    """
    import pandas as pd
    from scipy.stats import rankdata

    # Accuracies are counts over rows: what differs by rounding only is equal.
    rounded = as_matrix(accuracies, "accuracies").round(12)
    ranks = rankdata(-rounded, method="min", axis=1)
    sums = ranks.sum(axis=0).astype(np.int64)
    if isinstance(accuracies, pd.DataFrame):
        return pd.Series(sums, index=accuracies.columns)
    return sums
