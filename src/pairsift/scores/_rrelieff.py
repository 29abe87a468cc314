"""RReliefF: Relief for a numeric target."""

from typing import Any

import numpy as np

from pairsift import _kernels
from pairsift._checks import as_matrix, check_at_least, check_choice, check_positive
from pairsift._random import as_generator
from pairsift._typing import BoolArray, FloatArray, IndexArray, RandomState
from pairsift.scores._described_columns import described_columns


def rrelieff_score(
    X: FloatArray,
    target: Any,
    *,
    n_neighbors: int = 70,
    sigma: float | None = 20.0,
    ties: str = "share",
    ramp: tuple[float, float] | None = None,
    is_categorical: BoolArray | None = None,
    missing: str = "probability",
    max_samples: int | None = None,
    random_state: RandomState = None,
    n_jobs: int | None = -1,
) -> FloatArray:
    r"""Score features by RReliefF, for a numeric target.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data; NaN marks missing values.
    target : array-like of shape (n_samples,)
        A number for each row, not all the same; rows with NaN are left out of
        everything.
    n_neighbors : int, default=70
        Number K of nearest rows; all other rows when there are fewer.
    sigma : float or None, default=20.0
        How fast the weights of neighbours fall with their rank; None for equal weights.
    ties : {"share", "index"}, default="share"
        What rows equally far do with the weights of their ranks: share them equally, or
        the smaller row numbers take the smaller ranks.
    ramp : tuple of two floats or None, default=None
        ``(low, high)``, shares of the range of a feature: differences of numbers up to
        `low` count as 0, from `high` on as 1, and linearly between. None is the share
        itself, see :func:`pairsift.scores.relieff_score`.
    is_categorical : ndarray of shape (n_features,), dtype=bool, default=None
        Categorical columns; None for none.
    missing : {"probability", "ignore", "constant", "distinct"}, default="probability"
        Difference to a missing value (NaN): the probability of another value, in its
        class where there are classes (ReliefD), left out (ReliefC), one minus one over
        the number of values (ReliefB), or 1 to a known and 0 to a missing value
        (Relieved-F).
    max_samples : int, default=None
        Number of rows drawn as i below; None for all. Neighbours are found among all
        rows anyway.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the draw.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        The weight of every feature, from -1 to 1; 0 for a constant one.

    See Also
    --------
    relieff_score : The same for classes.

    Notes
    -----
    In place of hits and misses, [1]_ and [2]_ estimate the probability that two near
    rows differ on the target, on a feature A, or on both, by sums over rows i and their
    K nearest rows j, by :math:`\sum_A \Delta_A`:

    .. math::
        N_{dC} &= \sum_{i,j} \Delta_y(i, j)\, d(i, j), \qquad
        N_{dA} = \sum_{i,j} \Delta_A(i, j)\, d(i, j), \\
        N_{dC \& dA} &= \sum_{i,j} \Delta_y(i, j)\, \Delta_A(i, j)\, d(i, j), \\
        w_A &= \frac{N_{dC \& dA}}{N_{dC}} -
               \frac{N_{dA} - N_{dC \& dA}}{m - N_{dC}}

    for m rows i. :math:`\Delta` is the difference divided by the range (or 0 and 1 for
    a categorical feature), of the target y too, over the rows whose target is known.
    The weights :math:`d(i, j)` of a row i are proportional to
    :math:`\exp(-(rank(i, j) / \sigma)^2)`, or equal, and add up to 1; K = 70 and
    :math:`\sigma` = 20 are the values of [2]_.

    Decisions. If m rows are equally far from i (up to rounding) and take the ranks r to
    r + m - 1, each has the mean of the weights of these ranks, 0 behind the K-th, so
    that the order of rows changes nothing. Without classes, "probability" takes the
    frequencies of values among all rows. Differences that are ignored are left out, the
    other weights of row i add up to 1, and m counts the rows with any. If the target is
    the same, or as different as can be, for all near rows, the quotient 0 / 0 is 0.

    References
    ----------
    .. [1] M. Robnik-Šikonja, I. Kononenko, "An adaptation of Relief for attribute
       estimation in regression", ICML, 296-304, 1997.
    .. [2] M. Robnik-Šikonja, I. Kononenko, "Theoretical and empirical analysis of
       ReliefF and RReliefF", Machine Learning 53, 23-69, 2003.
    .. [3] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import rrelieff_score
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [2.0, 0.0], [2.0, 1.0]])
    >>> rrelieff_score(X, [1.5, 1.5, 3.0, 3.0], sigma=None)
    array([ 1. , -0.5])
    """
    X = as_matrix(X, allow_nan=True)
    known, unit = _known_target(target, len(X))
    check_at_least(n_neighbors, "n_neighbors", 1)
    check_choice(ties, "ties", ("share", "index"))
    if sigma is not None:
        check_positive(sigma, "sigma")
    X = X[known]
    differs, agrees, differs_both, agrees_on_target = _kernels.target_sums(
        X,
        unit,
        _drawn_rows(len(X), max_samples, random_state),
        _rank_weights(min(n_neighbors, len(X) - 1), sigma),
        ties == "share",
        described_columns(X, is_categorical, missing, None, ramp),
        n_jobs,
    )
    # m - N_dC and N_dA - N_dC&dA, each summed by itself, are 0 where they should be.
    return _quotient(differs_both, differs) - _quotient(agrees_on_target, agrees)


def _known_target(target: Any, n_samples: int) -> tuple[BoolArray, FloatArray]:
    """Return which rows have a target, and their targets scaled to [0, 1]."""
    try:
        y = np.asarray(target, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"target must hold numbers, got {target!r}.") from None
    if y.shape != (n_samples,):
        raise ValueError(
            f"target must hold a number for each of the {n_samples} rows of X, or NaN, "
            f"got an array of shape {y.shape}."
        )
    known = ~np.isnan(y)
    y = y[known]
    if np.isinf(y).any():
        raise ValueError("target contains infinity, numbers must be finite.")
    if y.size == 0 or y.min() == y.max():
        raise ValueError(
            f"target must hold at least two different numbers, got {target!r}."
        )
    # Halves: the difference of two finite numbers may be infinite.
    low, high = y.min() / 2.0, y.max() / 2.0
    return known, (y / 2.0 - low) / (high - low)


def _drawn_rows(
    n_rows: int, max_samples: int | None, random_state: RandomState
) -> IndexArray:
    if max_samples is None:
        return np.arange(n_rows)
    check_at_least(max_samples, "max_samples", 1)
    n_drawn = min(max_samples, n_rows)
    return np.sort(as_generator(random_state).choice(n_rows, n_drawn, replace=False))


def _rank_weights(n_ranks: int, sigma: float | None) -> FloatArray:
    """Weights of the ranks 1, 2, ..., the first of which is 1: sums never vanish."""
    ranks = np.arange(1.0, n_ranks + 1.0)
    if sigma is None:
        return np.ones(n_ranks)
    with np.errstate(over="ignore", under="ignore"):
        return np.exp(-(ranks**2 - 1.0) / float(sigma) / float(sigma))


def _quotient(part: FloatArray, whole: FloatArray) -> FloatArray:
    return np.divide(part, whole, out=np.zeros(part.size), where=whole > 0.0)
