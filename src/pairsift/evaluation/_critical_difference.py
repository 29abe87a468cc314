"""Whether several methods differ over several data sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from pairsift._typing import FloatArray
from pairsift.evaluation._validation import as_matrix
from pairsift.exceptions import DataError

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class CriticalDifference:
    """Mean ranks of methods, and how far apart chance may bring them.

    Parameters
    ----------
    names : tuple of str
        The methods, best mean rank first.
    mean_ranks : ndarray of shape (n_methods,)
        Mean rank of each of them, 1 is best.
    distance : float
        Mean ranks closer than this do not differ (Nemenyi's test).
    p_value : float
        Probability of mean ranks so different, were all methods alike (Friedman's
        test); if it is large, `distance` is not to be looked at.
    n_runs : int
        Number of data sets.
    alpha : float
        Level of the test behind `distance`.

    See Also
    --------
    critical_difference : Computes it.
    """

    names: tuple[str, ...]
    mean_ranks: FloatArray
    distance: float
    p_value: float
    n_runs: int
    alpha: float

    @property
    def groups(self) -> list[tuple[str, ...]]:
        """Largest groups of methods that do not differ, best first."""
        found: list[tuple[int, int]] = []
        for first, rank in enumerate(self.mean_ranks):
            # Rounding may not part what lies exactly the distance apart.
            within = self.mean_ranks <= rank + self.distance + 1e-9
            last = int(np.flatnonzero(within)[-1])
            if not found or last > found[-1][1]:
                found.append((first, last))
        return [self.names[first : last + 1] for first, last in found]


def critical_difference(
    accuracies: ArrayLike | pd.DataFrame, *, alpha: float = 0.05
) -> CriticalDifference:
    r"""Compare methods over data sets by their mean ranks.

    Parameters
    ----------
    accuracies : array-like of shape (n_runs, n_methods)
        Accuracy of each method on each data set, or any other number of which more is
        better, such as ``Comparison.scores()``; a DataFrame names the methods.
    alpha : float, default=0.05
        Probability of seeing a difference where there is none.

    Returns
    -------
    CriticalDifference
        The methods, best first, their mean ranks and the distance between mean ranks
        from which on they differ.

    Raises
    ------
    DataError
        If `accuracies` is not a matrix of finite numbers with at least two rows and
        two columns, or `alpha` is out of range; it is a `ValueError`.

    See Also
    --------
    compare : Measures such accuracies on one data set.
    rank_sums : Sums of ranks without a test.

    Notes
    -----
    As [1]_ recommends. Methods are ranked on every data set, 1 for the best, equal
    ones sharing the mean of their ranks. With :math:`R_j` the mean rank of method
    :math:`j` of :math:`k` over :math:`N` data sets, Friedman's statistic, divided by
    its correction for ties :math:`c`, and that of Iman and Davenport are

    .. math::
        \chi_F^2 = \frac{12 N}{c \, k (k + 1)} \left( \sum_j R_j^2 -
            \frac{k (k + 1)^2}{4} \right), \qquad
        F_F = \frac{(N - 1) \chi_F^2}{N (k - 1) - \chi_F^2},

    the latter with :math:`k - 1` and :math:`(k - 1)(N - 1)` degrees of freedom, which
    gives `p_value`. Two methods differ (Nemenyi) when their mean ranks do by

    .. math::
        CD = q_\alpha \sqrt{\frac{k (k + 1)}{6 N}},

    where :math:`q_\alpha` is the quantile of the studentized range divided by
    :math:`\sqrt 2`. The rows have to be independent: data sets, not splits of one.

    References
    ----------
    .. [1] J. Demšar, "Statistical comparisons of classifiers over multiple data
       sets", JMLR 7, 1-30, 2006.

    Examples
    --------
    >>> import pandas as pd
    >>> from pairsift.evaluation import critical_difference
    >>> table = pd.DataFrame(
    ...     {"relieff": [0.9, 0.8, 0.7], "variance": [0.8, 0.6, 0.6]},
    ...     index=["wine", "sonar", "heart"],
    ... )
    >>> found = critical_difference(table)
    >>> found.names, found.mean_ranks
    (('relieff', 'variance'), array([1., 2.]))
    >>> round(found.distance, 3)  # three data sets are few
    1.132
    """
    import pandas as pd
    from scipy.stats import rankdata, studentized_range

    matrix = as_matrix(accuracies, "accuracies")
    n_runs, n_methods = matrix.shape
    if n_runs < 2 or n_methods < 2:
        raise DataError(
            "accuracies must have at least two rows (data sets) and two columns "
            f"(methods), got {n_runs} and {n_methods}."
        )
    if not isinstance(alpha, float | np.floating) or not 0 < alpha < 1:
        raise DataError(f"alpha must be above 0 and below 1, got {alpha!r}.")
    names = [f"x{j}" for j in range(n_methods)]
    if isinstance(accuracies, pd.DataFrame):
        names = [str(column) for column in accuracies.columns]
    # What differs by rounding only is equal.
    ranks = rankdata(-matrix.round(12), axis=1)
    mean_ranks = ranks.mean(axis=0)
    order = np.argsort(mean_ranks, kind="stable")
    quantile = studentized_range.ppf(1.0 - alpha, n_methods, np.inf) / np.sqrt(2.0)
    return CriticalDifference(
        names=tuple(names[j] for j in order),
        mean_ranks=mean_ranks[order],
        distance=float(quantile * np.sqrt(n_methods * (n_methods + 1) / (6 * n_runs))),
        p_value=_friedman(ranks),
        n_runs=n_runs,
        alpha=float(alpha),
    )


def _friedman(ranks: FloatArray) -> float:
    """Return the p-value of Iman and Davenport's form of Friedman's test."""
    from scipy.stats import f

    n_runs, n_methods = ranks.shape
    # Sums of squares make the correction for ties without counting them.
    middle = (n_methods + 1) / 2
    total = np.sum((ranks - middle) ** 2)
    between = n_runs * np.sum((ranks.mean(axis=0) - middle) ** 2)
    if between <= 1e-12:
        return 1.0
    # The part of the squares that methods do not explain.
    rest = total - between
    if rest <= 1e-12 * total:
        return 0.0
    statistic = (n_runs - 1) * between / rest
    return float(f.sf(statistic, n_methods - 1, (n_methods - 1) * (n_runs - 1)))
