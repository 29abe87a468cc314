"""Margins to all rows within a radius: SURF, SURF*, SWRF*, MultiSURF, MultiSURF*."""

from typing import Any, TypeAlias

import numpy as np

from pairsift import _kernels
from pairsift._checks import check_choice
from pairsift._typing import BoolArray, FloatArray, RandomState
from pairsift.scores._in_blocks import as_blocks
from pairsift.scores._relief import LabelledRows, labelled_rows

MISS_WEIGHTING = ("prior", "pooled")
# Up to this many rows all distances are taken at once, by the process that calls.
FEW_ROWS = 2000


def surf_score(
    X: FloatArray,
    labels: Any,
    *,
    miss_weighting: str = "prior",
    ramp: tuple[float, float] | None = None,
    is_categorical: BoolArray | None = None,
    missing: str = "probability",
    max_samples: int | None = None,
    random_state: RandomState = None,
    n_jobs: int | None = -1,
) -> FloatArray:
    r"""Score features by SURF: all rows nearer than the mean distance of two rows.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data; NaN marks missing values.
    labels : array-like of shape (n_samples,)
        Class numbers; rows with -1 are left out of everything.
    miss_weighting : {"prior", "pooled"}, default="prior"
        Misses of more than two classes: the mean over each class weighted by its
        prior, as in ReliefF, or one mean over all of them.
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
        The mean margin of every feature; 0 for a constant one.

    See Also
    --------
    surf_star_score, swrf_star_score : Far rows count, too.
    multisurf_score, multisurf_star_score : Every row has a radius of its own.

    Notes
    -----
    After [1]_ and the review [2]_. With the distance :math:`d(x, z) = \sum_f
    \Delta_f(x, z)` of ReliefF, the radius T is the mean distance over the n(n-1)/2
    pairs of different rows; a row is near when :math:`d < T`. Over all n labelled
    rows x, of class y(x),

    .. math::
        w_f = \frac1n \sum_x \left[ \sum_{c \ne y(x)} \frac{P(c)}{1 - P(y(x))}
              \, \overline{\Delta_f(x, M)}_{M \in near(x, c)} -
              \overline{\Delta_f(x, H)}_{H \in near(x, y(x))} \right]

    where a bar is a mean, 0 over nothing. Distances that agree with T up to rounding
    are not near. The radius is that of all labelled rows even when `max_samples` of
    them are drawn as x. Where no column of two rows is known, they are not near, and
    their distance does not count in T.

    References
    ----------
    .. [1] C. S. Greene, N. M. Penrod, J. Kiralis, J. H. Moore, "Spatially Uniform
       ReliefF (SURF) for computationally-efficient filtering of gene-gene
       interactions", BioData Mining 2:5, 2009.
    .. [2] R. J. Urbanowicz, R. S. Olson, P. Schmitt, M. Meeker, J. H. Moore,
       "Benchmarking Relief-based feature selection methods for bioinformatics
       data mining", Journal of Biomedical Informatics 85, 168-188, 2018.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import surf_score
    >>> X = np.array([[0.0, 0.0], [0.1, 1.0], [1.0, 0.0], [0.9, 1.0]])
    >>> surf_score(X, [0, 0, 1, 1]).round(3)
    array([ 0.8, -1. ])
    """
    rows = labelled_rows(
        X, labels, is_categorical, missing, max_samples, random_state, ramp
    )
    radius = _mean_distance(rows, missing, n_jobs)
    rule = _kernels.Surf(_kernels.SAME_RADIUS, radius)
    return _mean_margins(X, rows, rule, miss_weighting, n_jobs)


def surf_star_score(
    X: FloatArray,
    labels: Any,
    *,
    miss_weighting: str = "prior",
    ramp: tuple[float, float] | None = None,
    is_categorical: BoolArray | None = None,
    missing: str = "probability",
    max_samples: int | None = None,
    random_state: RandomState = None,
    n_jobs: int | None = -1,
) -> FloatArray:
    """Score features by SURF*: near rows as in SURF, and far rows the other way round.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data; NaN marks missing values.
    labels : array-like of shape (n_samples,)
        Class numbers; rows with -1 are left out of everything.
    miss_weighting : {"prior", "pooled"}, default="prior"
        Misses of more than two classes: the mean over each class weighted by its
        prior, as in ReliefF, or one mean over all of them.
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
        The mean margin of every feature; 0 for a constant one.

    See Also
    --------
    surf_score : Near rows only.

    Notes
    -----
    After [1]_: the score of SURF, less the same expression over the rows with
    :math:`d > T`. Differences to far rows of the same class speak for a feature, those
    to far rows of other classes against it.

    References
    ----------
    .. [1] C. S. Greene, D. S. Himmelstein, J. Kiralis, J. H. Moore, "The
       informative extremes: using both nearest and farthest individuals can
       improve Relief algorithms in the domain of human genetics", EvoBIO,
       182-193, 2010.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import surf_star_score
    >>> X = np.array([[0.0, 0.0], [0.1, 1.0], [1.0, 0.0], [0.9, 1.0]])
    >>> surf_star_score(X, [0, 0, 1, 1]).round(3)
    array([-0.1, -2. ])
    """
    rows = labelled_rows(
        X, labels, is_categorical, missing, max_samples, random_state, ramp
    )
    radius = _mean_distance(rows, missing, n_jobs)
    rule = _kernels.Surf(_kernels.SAME_RADIUS, radius, with_far=True)
    return _mean_margins(X, rows, rule, miss_weighting, n_jobs)


def swrf_star_score(
    X: FloatArray,
    labels: Any,
    *,
    miss_weighting: str = "prior",
    ramp: tuple[float, float] | None = None,
    is_categorical: BoolArray | None = None,
    missing: str = "probability",
    max_samples: int | None = None,
    random_state: RandomState = None,
    n_jobs: int | None = -1,
) -> FloatArray:
    r"""Score features by SWRF*: every row counts, by a sigmoid of its distance.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data; NaN marks missing values.
    labels : array-like of shape (n_samples,)
        Class numbers; rows with -1 are left out of everything.
    miss_weighting : {"prior", "pooled"}, default="prior"
        Misses of more than two classes: the mean over each class weighted by its
        prior, as in ReliefF, or one mean over all of them.
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
        The mean margin of every feature; 0 for a constant one.

    See Also
    --------
    surf_star_score : Near and far, without anything between.

    Notes
    -----
    After [1]_: in place of 1 for near and -1 for far rows, a row at distance d counts

    .. math::
        s(d) = \frac{2}{1 + \exp(-(T - d) / (u / 4))} - 1 = \tanh \frac{2 (T - d)}{u}

    with the mean T and the standard deviation u of the distances over all pairs of
    different rows, and means over the hits, and over the misses of each class, are of
    :math:`s(d) \Delta_f`. When all distances are equal the scores are 0.

    References
    ----------
    .. [1] M. E. Stokes, S. Visweswaran, "Application of a spatially-weighted Relief
       algorithm for ranking genetic predictors of disease", BioData Mining
       5:20, 2012.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import swrf_star_score
    >>> X = np.array([[0.0, 0.0], [0.1, 1.0], [1.0, 0.0], [0.9, 1.0]])
    >>> swrf_star_score(X, [0, 0, 1, 1]).round(2)
    array([-0.1 , -1.22])
    """
    rows = labelled_rows(
        X, labels, is_categorical, missing, max_samples, random_state, ramp
    )
    center, width = _kernels.distance_moments(rows.X, rows.columns, n_jobs)
    rule = _kernels.Surf(_kernels.SIGMOID, center, width, with_far=True)
    return _mean_margins(X, rows, rule, miss_weighting, n_jobs)


def multisurf_score(
    X: FloatArray,
    labels: Any,
    *,
    miss_weighting: str = "prior",
    ramp: tuple[float, float] | None = None,
    is_categorical: BoolArray | None = None,
    missing: str = "probability",
    max_samples: int | None = None,
    random_state: RandomState = None,
    n_jobs: int | None = -1,
) -> FloatArray:
    r"""Score features by MultiSURF: a radius for every row, with a dead band.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data; NaN marks missing values.
    labels : array-like of shape (n_samples,)
        Class numbers; rows with -1 are left out of everything.
    miss_weighting : {"prior", "pooled"}, default="prior"
        Misses of more than two classes: the mean over each class weighted by its
        prior, as in ReliefF, or one mean over all of them.
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
        The mean margin of every feature; 0 for a constant one.

    See Also
    --------
    surf_score : One radius for all rows.
    multisurf_star_score : Far rows count, too.

    Notes
    -----
    After [1]_: the score of SURF, where a row is near x when its distance is less than
    :math:`T_x - \sigma_x / 2`, with the mean :math:`T_x` and the (population) standard
    deviation :math:`\sigma_x` of the distances of x to all other rows.

    References
    ----------
    .. [1] R. J. Urbanowicz, R. S. Olson, P. Schmitt, M. Meeker, J. H. Moore,
       "Benchmarking Relief-based feature selection methods for bioinformatics
       data mining", Journal of Biomedical Informatics 85, 168-188, 2018.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import multisurf_score
    >>> X = np.array([[0.0, 0.0], [0.1, 0.2], [1.0, 0.1], [0.9, 1.0]])
    >>> multisurf_score(X, [0, 0, 1, 1]).round(3)
    array([ 0.125, -0.525])
    """
    rows = labelled_rows(
        X, labels, is_categorical, missing, max_samples, random_state, ramp
    )
    rule = _kernels.Surf(_kernels.OWN_RADIUS)
    return _mean_margins(X, rows, rule, miss_weighting, n_jobs)


def multisurf_star_score(
    X: FloatArray,
    labels: Any,
    *,
    miss_weighting: str = "prior",
    ramp: tuple[float, float] | None = None,
    is_categorical: BoolArray | None = None,
    missing: str = "probability",
    max_samples: int | None = None,
    random_state: RandomState = None,
    n_jobs: int | None = -1,
) -> FloatArray:
    r"""Score features by MultiSURF*: near rows as in MultiSURF, far rows reversed.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data; NaN marks missing values.
    labels : array-like of shape (n_samples,)
        Class numbers; rows with -1 are left out of everything.
    miss_weighting : {"prior", "pooled"}, default="prior"
        Misses of more than two classes: the mean over each class weighted by its
        prior, as in ReliefF, or one mean over all of them.
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
        The mean margin of every feature; 0 for a constant one.

    See Also
    --------
    multisurf_score : Near rows only.

    Notes
    -----
    After [1]_: the score of MultiSURF, less the same expression over the rows farther
    than :math:`T_x + \sigma_x / 2`. The authors count far rows by sameness
    :math:`1 - \Delta_f`, which is the same wherever a row has far hits and far misses;
    where it has one kind only, theirs adds a constant to all features, ours none.

    References
    ----------
    .. [1] D. Granizo-Mackenzie, J. H. Moore, "Multiple threshold spatially uniform
       ReliefF for the genetic analysis of complex human diseases", EvoBIO,
       1-10, 2013.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import multisurf_star_score
    >>> X = np.array([[0.0, 0.0], [0.1, 0.2], [1.0, 0.1], [0.9, 1.0]])
    >>> multisurf_star_score(X, [0, 0, 1, 1]).round(3)
    array([-0.775, -1.25 ])
    """
    rows = labelled_rows(
        X, labels, is_categorical, missing, max_samples, random_state, ramp
    )
    rule = _kernels.Surf(_kernels.OWN_RADIUS, with_far=True)
    return _mean_margins(X, rows, rule, miss_weighting, n_jobs)


def _mean_margins(
    X: Any,
    rows: LabelledRows,
    rule: "_kernels.Surf",
    miss_weighting: str,
    n_jobs: int | None,
) -> FloatArray:
    """Return the mean margins of the targets.

    Data in blocks hand all labelled rows to those who work on blocks, and each takes
    some of the fixed parts of the targets: scores have equal bits for any chunks.
    """
    check_choice(miss_weighting, "miss_weighting", MISS_WEIGHTING)
    is_pooled = miss_weighting == "pooled"
    weights = np.empty((0, 0)) if is_pooled else rows.miss_weights()
    blocks = as_blocks(X, allow_nan=True)
    if blocks.n_blocks > 1 and len(rows.X) > FEW_ROWS:
        sums, n_known = blocks.reduce(
            _sums_on_block, _stacked, len(blocks), rows, weights, rule
        )
    else:
        sums, n_known = _sums(rows, weights, rule, n_jobs)
    return sums.sum(axis=0) / np.maximum(n_known.sum(axis=0), 1.0)


Sums: TypeAlias = tuple[FloatArray, FloatArray]


def _sums(
    rows: LabelledRows,
    weights: FloatArray,
    rule: "_kernels.Surf",
    n_jobs: int | None,
    parts: tuple[int, int] | None = None,
) -> Sums:
    return _kernels.surf_sums(
        rows.X, rows.starts, rows.targets, weights, rule, rows.columns, n_jobs, parts
    )


def _sums_on_block(
    X: FloatArray,
    first_row: int,
    n_rows: int,
    rows: LabelledRows,
    weights: FloatArray,
    rule: "_kernels.Surf",
) -> Sums:
    """Sum over as many parts of the targets as the block has its share of rows."""
    n_parts = _kernels.number_of_blocks(rows.targets.size)
    start, stop = (n_parts * row // n_rows for row in (first_row, first_row + len(X)))
    if start == stop:
        return np.zeros((0, X.shape[1])), np.zeros((0, X.shape[1]))
    return _sums(rows, weights, rule, 1, (start, stop))


def _stacked(first: Sums, later: Sums) -> Sums:
    return np.concatenate([first[0], later[0]]), np.concatenate([first[1], later[1]])


def _mean_distance(rows: LabelledRows, missing: str, n_jobs: int | None) -> float:
    """Mean distance of two different rows; one sort per column where that is enough."""
    is_ignored = missing == "ignore" and np.isnan(rows.X).any()
    if is_ignored or rows.columns.has_ramp:
        return _kernels.distance_moments(rows.X, rows.columns, n_jobs)[0]
    means = _kernels.mean_distances(rows.X, rows.columns, n_jobs)
    return float(means.mean())
