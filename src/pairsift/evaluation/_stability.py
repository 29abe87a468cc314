"""How much a selection changes when the data change a little."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from pairsift._typing import BoolArray
from pairsift.exceptions import DataError


@dataclass(frozen=True)
class Stability:
    """Stability of a selection, with its confidence interval.

    Parameters
    ----------
    value : float
        1 if the same features were selected each time, about 0 if they were as good
        as drawn at random.
    standard_error : float
        Square root of the estimated variance of `value`.
    low, high : float
        Ends of the confidence interval; they may lie beyond 1 and below 0.

    See Also
    --------
    stability : Measures it.
    """

    value: float
    standard_error: float
    low: float
    high: float

    def __float__(self) -> float:
        return self.value


def stability(supports: ArrayLike, confidence: float = 0.95) -> Stability:
    r"""Measure how much the selections of several runs agree.

    A selection that changes with every split of the data says little about the
    features, however accurate it is. This measure is corrected for chance: runs that
    select many of few features agree in some of them without any merit.

    Parameters
    ----------
    supports : array-like of bool of shape (n_runs, n_features)
        Which features each run selected, such as ``selector.support_`` of each run;
        their number may differ from run to run.
    confidence : float, default=0.95
        Probability with which the interval covers the stability, below 1.

    Returns
    -------
    Stability
        The value, its standard error and its confidence interval.

    Raises
    ------
    DataError
        If there are fewer than two runs, or all runs selected all features or none,
        for which the measure is not defined; it is a `ValueError`.

    See Also
    --------
    compare : Measures it for several selectors over splits of a data set.
    ranking_distance : Compares two whole rankings.

    Notes
    -----
    With :math:`z_{i,f}` telling whether run :math:`i` of :math:`M` selected feature
    :math:`f` of :math:`d`, :math:`\hat p_f` the share of runs that did,
    :math:`k_i` the number of features of run :math:`i` and :math:`\bar k` its mean,
    definition 4 of [1]_ is

    .. math::
        \hat\Phi = 1 - \frac{\frac{1}{d} \sum_f \frac{M}{M - 1}
            \hat p_f (1 - \hat p_f)}
            {\frac{\bar k}{d} \left( 1 - \frac{\bar k}{d} \right)}.

    Its variance is estimated as in [1]_ by
    :math:`\frac{4}{M^2} \sum_i (\hat\Phi_i - \bar\Phi)^2` with

    .. math::
        \hat\Phi_i = \frac{1}{\frac{\bar k}{d} (1 - \frac{\bar k}{d})} \left[
            \frac{1}{d} \sum_f z_{i,f} \hat p_f - \frac{k_i \bar k}{d^2} +
            \frac{\hat\Phi}{2} \left( \frac{2 k_i \bar k}{d^2} - \frac{k_i}{d}
            - \frac{\bar k}{d} + 1 \right) \right],

    and the interval is that of a normal distribution, which holds for many runs. Runs
    on overlapping parts of one data set are not independent, as [1]_ assumes: the
    interval is then too narrow.

    References
    ----------
    .. [1] S. Nogueira, K. Sechidis, G. Brown, "On the stability of feature
       selection algorithms", JMLR 18(174), 1-54, 2018.

    Examples
    --------
    >>> from pairsift.evaluation import stability
    >>> stability([[1, 1, 0, 0], [1, 1, 0, 0]]).value
    1.0
    >>> stability([[1, 1, 0, 0], [1, 0, 1, 0]]).value  # as many in common as by chance
    0.0
    """
    from scipy.stats import norm

    selected = _check_supports(supports)
    is_share = isinstance(confidence, float | np.floating)
    if not is_share or not 0 < confidence < 1:
        raise DataError(f"confidence must be above 0 and below 1, got {confidence!r}.")
    n_runs, n_features = selected.shape
    share = selected.mean(axis=0)
    number = selected.sum(axis=1) / n_features
    mean_number = number.mean()
    chance = mean_number * (1.0 - mean_number)
    spread = np.mean(share * (1.0 - share)) * n_runs / (n_runs - 1)
    value = 1.0 - spread / chance
    together = (selected * share).mean(axis=1) - number * mean_number
    half = value / 2 * (2 * number * mean_number - number - mean_number + 1)
    part = (together + half) / chance
    error = 2.0 / n_runs * np.sqrt(np.sum((part - part.mean()) ** 2))
    reach = norm.ppf((1.0 + confidence) / 2) * error
    return Stability(
        float(value), float(error), float(value - reach), float(value + reach)
    )


def _check_supports(supports: ArrayLike) -> BoolArray:
    try:
        given = np.asarray(supports)
    except ValueError:
        raise DataError(
            "supports must hold as many features for each run, got rows of different "
            "lengths."
        ) from None
    if given.ndim != 2 or given.shape[0] < 2 or given.shape[1] == 0:
        raise DataError(
            "supports must have a row for each of at least two runs and a column for "
            f"each feature, got shape {given.shape}."
        )
    if given.dtype.kind not in "biuf" or not np.isin(given, (0, 1)).all():
        raise DataError(
            "supports must hold True and False, or 1 and 0: give masks, such as "
            "selector.support_, and not column numbers."
        )
    selected = given.astype(bool)
    if selected.all() or not selected.any():
        found = "all features" if selected.all() else "no feature"
        raise DataError(
            f"supports must leave something to choose, but every run selected {found}."
        )
    return selected
