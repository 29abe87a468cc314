"""Margins with labels: Relief and ReliefF."""

from typing import Any, NamedTuple

import numpy as np

from pairsift import _kernels
from pairsift._checks import check_at_least, check_choice
from pairsift._typing import BoolArray, FloatArray, IndexArray, RandomState
from pairsift.scores._block_margins import (
    NeighborRule,
    block_margins,
    checked_classes,
    drawn_rows,
    is_large,
    miss_weights_of,
)
from pairsift.scores._described_columns import Ramp, described_columns
from pairsift.scores._in_blocks import as_blocks, gathered_rows


def relief_score(
    X: FloatArray,
    labels: Any,
    *,
    ties: str = "share",
    ramp: tuple[float, float] | None = None,
    is_categorical: BoolArray | None = None,
    missing: str = "probability",
    max_samples: int | None = None,
    random_state: RandomState = None,
    n_jobs: int | None = -1,
) -> FloatArray:
    r"""Score features by Relief: one nearest hit and one nearest miss a row.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data; NaN marks missing values.
    labels : array-like of shape (n_samples,)
        Class numbers; rows with -1 are left out of everything.
    ties : {"share", "index"}, default="share"
        Which rows take the last places when rows are equally far: all of them share
        the places left, so that the order of rows does not matter, or the smaller row
        numbers take them.
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
    relieff_score : The same over several neighbours of every class.

    Notes
    -----
    Algorithm 2.1 of [1]_ with T = n, every labelled row once:

    .. math::
        w_f = \frac1n \sum_x \Delta_f(x, M(x))^2 - \Delta_f(x, H(x))^2

    with the nearest hit H of the same and the nearest miss M of any other class, by
    :math:`\sum_f \Delta_f^2`. A row alone in its class has no hit to subtract. For a
    `ramp`, see :func:`relieff_score`.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.
    .. [2] K. Kira, L. A. Rendell, "A practical approach to feature selection",
       ICML, 249-256, 1992.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import relief_score
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [2.0, 0.0], [2.0, 1.0]])
    >>> relief_score(X, [0, 0, 1, 1])
    array([ 1., -1.])
    """
    check_choice(ties, "ties", ("share", "index"))
    rule = NeighborRule(1, True, ties == "share", is_pooled=True)
    draw = max_samples, random_state
    if is_large(X, labels):
        return block_margins(X, labels, is_categorical, missing, draw, rule, ramp)
    rows = labelled_rows(X, labels, is_categorical, missing, *draw, ramp)
    return _mean_margins(rows, rule, n_jobs)


def relieff_score(
    X: FloatArray,
    labels: Any,
    *,
    n_neighbors: int = 10,
    ties: str = "share",
    ramp: tuple[float, float] | None = None,
    is_categorical: BoolArray | None = None,
    missing: str = "probability",
    max_samples: int | None = None,
    random_state: RandomState = None,
    n_jobs: int | None = -1,
) -> FloatArray:
    r"""Score features by ReliefF: nearest hits, and nearest misses of every class.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data; NaN marks missing values.
    labels : array-like of shape (n_samples,)
        Class numbers; rows with -1 are left out of everything.
    n_neighbors : int, default=10
        Number K of hits, and of misses of every other class; where a class has fewer,
        the mean is taken over those there are, and over none it is 0.
    ties : {"share", "index"}, default="share"
        Which rows take the last places when rows are equally far: all of them share
        the places left, so that the order of rows does not matter, or the smaller row
        numbers take them.
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

    Notes
    -----
    Equation 2.4 of [1]_, over all n labelled rows x, of class y(x):

    .. math::
        w_f = \frac1n \sum_x \left[ \sum_{c \ne y(x)} \frac{P(c)}{1 - P(y(x))}
              \frac1K \sum_{k=1}^K \Delta_f(x, M_k(x, c)) -
              \frac1K \sum_{k=1}^K \Delta_f(x, H_k(x)) \right]

    with the nearest hits :math:`H_k` and misses :math:`M_k` by
    :math:`\sum_f \Delta_f`, where :math:`\Delta_f` is the difference on feature f
    divided by its range (or 0 and 1 for a categorical feature). P, ranges and the
    probabilities of missing values come from the labelled rows.

    Equation 2.4 leaves ties open. If m rows are as far as the K-th neighbour and r of
    the K places are theirs, each counts r/m (Relieved-F averages in the same way), and
    scores do not depend on the order of rows.

    Differences that are ignored are left out of the means over k, and a row x for which
    one of these means has no difference left is left out of the mean over x.

    With a `ramp` (low, high), the difference of two numbers that are a share t of the
    range apart is :math:`\Delta_f = \min(\max((t - low) / (high - low), 0), 1)`, in
    distances and in margins. [1]_ names it as the remedy for tables of numbers and
    categories, where a category that differs counts 1 and a number less.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.
    .. [2] I. Kononenko, "Estimating attributes: analysis and extensions of RELIEF",
       ECML, 171-182, 1994.
    .. [3] R. Kohavi, G. H. John, "Wrappers for feature subset selection",
       Artificial Intelligence 97(1-2), 273-324, 1997.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import relieff_score
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [2.0, 0.0], [2.0, 1.0]])
    >>> relieff_score(X, [0, 0, 1, 1], n_neighbors=2)
    array([ 1. , -0.5])
    """
    check_at_least(n_neighbors, "n_neighbors", 1)
    check_choice(ties, "ties", ("share", "index"))
    rule = NeighborRule(n_neighbors, False, ties == "share", is_pooled=False)
    draw = max_samples, random_state
    if is_large(X, labels):
        return block_margins(X, labels, is_categorical, missing, draw, rule, ramp)
    rows = labelled_rows(X, labels, is_categorical, missing, *draw, ramp)
    return _mean_margins(rows, rule, n_jobs)


def _mean_margins(
    rows: "LabelledRows", rule: NeighborRule, n_jobs: int | None
) -> FloatArray:
    miss_weights = np.empty((0, 0)) if rule.is_pooled else rows.miss_weights()
    n_neighbors = min(rule.n_neighbors, len(rows.X))
    sums, n_known = _kernels.relief_sums(
        rows.X,
        rows.starts,
        rows.targets,
        rows.order,
        miss_weights,
        n_neighbors,
        rule.squared,
        rule.share,
        rows.columns,
        n_jobs,
    )
    return sums / np.maximum(n_known, 1.0)


class LabelledRows(NamedTuple):
    """The labelled rows, sorted by their classes."""

    X: FloatArray
    starts: IndexArray
    """Where each class begins, and the number of rows."""
    order: IndexArray
    """Number of each row among the labelled rows as they were given."""
    targets: IndexArray
    """The rows whose margins are taken."""
    columns: "_kernels.Columns"

    def miss_weights(self) -> FloatArray:
        """P(c) / (1 - P(y)), shape (n_classes, n_classes), for class y and miss c."""
        return miss_weights_of(np.diff(self.starts))


def labelled_rows(
    X: FloatArray,
    labels: Any,
    is_categorical: BoolArray | None,
    missing: str,
    max_samples: int | None,
    random_state: RandomState,
    ramp: Ramp = None,
) -> LabelledRows:
    """Check what all scores of this family are given, and sort the labelled rows.

    Of data in blocks the labelled rows are gathered.
    """
    blocks = as_blocks(X, allow_nan=True)
    codes = checked_classes(labels, len(blocks))
    labelled = np.flatnonzero(codes >= 0)
    order = np.argsort(codes[labelled], kind="stable")
    X, codes = gathered_rows(blocks, labelled[order]), codes[labelled[order]]
    targets = np.arange(len(X))
    if max_samples is not None:
        drawn = drawn_rows(len(X), max_samples, random_state)
        targets = np.flatnonzero(np.isin(order, drawn))
    return LabelledRows(
        X,
        np.searchsorted(codes, np.arange(codes.max() + 2)),
        order,
        targets,
        described_columns(X, is_categorical, missing, codes, ramp),
    )
