"""STIR: a t statistic of the differences to hits and misses."""

from typing import Any

import numpy as np
from scipy.special import stdtr

from pairsift import _kernels
from pairsift._checks import check_at_least, check_choice
from pairsift._typing import BoolArray, FloatArray, RandomState
from pairsift.scores._described_columns import Ramp
from pairsift.scores._relief import labelled_rows

NEIGHBORHOODS = ("relieff", "multisurf")


def stir_score(
    X: FloatArray,
    labels: Any,
    *,
    neighborhood: str = "relieff",
    n_neighbors: int = 10,
    ramp: tuple[float, float] | None = None,
    is_categorical: BoolArray | None = None,
    missing: str = "probability",
    max_samples: int | None = None,
    random_state: RandomState = None,
    n_jobs: int | None = -1,
) -> FloatArray:
    r"""Score features by statistical inference Relief.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data; NaN marks missing values.
    labels : array-like of shape (n_samples,)
        Class numbers; rows with -1 are left out of everything.
    neighborhood : {"relieff", "multisurf"}, default="relieff"
        Neighbours of a row: its nearest hits and its nearest misses of any other class,
        or all rows nearer than its radius in :func:`multisurf_score`.
    n_neighbors : int, default=10
        Number K of nearest hits and of nearest misses; fewer where there are fewer.
        Not used by ``neighborhood="multisurf"``.
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
        Most labelled rows to take the mean over, drawn at random; None for all.
        Neighbours are found among all labelled rows anyway.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the draw.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        The statistic; 0 for a constant feature.

    See Also
    --------
    pairsift.STIR : Has the p-values, and says how far they can be trusted.

    Notes
    -----
    Equations 2.40 to 2.46 of [1]_ after [2]_, with the parenthesis that 2.44 lost: the
    mean difference to the misses M less that to the hits H, over its standard error
    with a pooled variance,

    .. math::
        t_f = \frac{\bar M_f - \bar H_f}
                   {\sigma_f \sqrt{1 / |M| + 1 / |H|}}, \qquad
        \sigma_f^2 = \frac{(|M| - 1) \sigma_{M_f}^2 + (|H| - 1) \sigma_{H_f}^2}
                          {|M| + |H| - 2}

    where :math:`|M|` and :math:`|H|` are the numbers of neighbours of all rows, and
    means and variances give every row that has such neighbours the same weight. Those
    tied at the K-th place share the places that are left, so that the order of the rows
    decides nothing. Ignored differences are left out of the means, variances and
    numbers of a feature. Where the variance is 0 the statistic is 0 or infinite, with
    the sign of the numerator.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.
    .. [2] T. T. Le, R. J. Urbanowicz, J. H. Moore, B. A. McKinney, "STatistical
       Inference Relief (STIR) feature selection", Bioinformatics 35(8),
       1358-1365, 2019.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import stir_score
    >>> X = np.array([[0.0, 0.0], [0.1, 1.0], [1.0, 0.0], [0.8, 1.0]])
    >>> stir_score(X, [0, 0, 1, 1], n_neighbors=1).round(3)
    array([8.854,  -inf])
    """
    return stir_test(
        X,
        labels,
        neighborhood=neighborhood,
        n_neighbors=n_neighbors,
        ramp=ramp,
        is_categorical=is_categorical,
        missing=missing,
        max_samples=max_samples,
        random_state=random_state,
        n_jobs=n_jobs,
    )[0]


def stir_test(
    X: FloatArray,
    labels: Any,
    *,
    neighborhood: str,
    n_neighbors: int,
    ramp: Ramp,
    is_categorical: BoolArray | None,
    missing: str,
    max_samples: int | None,
    random_state: RandomState,
    n_jobs: int | None,
) -> tuple[FloatArray, FloatArray]:
    """Return the statistics and their one-sided p-values."""
    rows = labelled_rows(
        X, labels, is_categorical, missing, max_samples, random_state, ramp
    )
    check_choice(neighborhood, "neighborhood", NEIGHBORHOODS)
    check_at_least(n_neighbors, "n_neighbors", 1)
    numbers, _, means, variances = _kernels.neighbor_moments(
        rows.X,
        rows.starts,
        rows.targets,
        rows.order,
        min(n_neighbors, len(rows.X)) if neighborhood == "relieff" else 0,
        rows.columns,
        n_jobs,
    )
    n_hits, n_misses = numbers
    freedom = np.maximum(n_hits + n_misses - 2.0, 0.0)
    pooled = np.maximum(numbers - 1.0, 0.0) * variances
    pooled[pooled < 1e-26] = 0.0
    difference = means[1] - means[0]
    # What is left of equal differences is rounding.
    difference[np.abs(difference) < 1e-13] = 0.0
    # Without hits, or without misses, the difference of the means is not defined.
    difference[(n_hits == 0.0) | (n_misses == 0.0)] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.sqrt(pooled.sum(axis=0) / freedom * (1.0 / n_misses + 1.0 / n_hits))
        t = np.where(difference == 0.0, 0.0, difference / error)
    p = np.where(freedom > 0.0, stdtr(np.maximum(freedom, 1.0), -t), np.nan)
    t[np.isnan(t)] = np.inf * np.sign(difference[np.isnan(t)])
    p[np.isnan(p)] = 0.5
    return t, p
