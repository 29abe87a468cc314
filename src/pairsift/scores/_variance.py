"""Scores made of variances: variance score and Fisher score."""

from typing import Any, NamedTuple

import numpy as np

from pairsift._blocks import Blocks, Rows
from pairsift._checks import check_squarable_range
from pairsift._typing import FloatArray, IndexArray
from pairsift.constraints import encode_labels
from pairsift.scores._in_blocks import as_blocks


def variance_score(X: FloatArray) -> FloatArray:
    r"""Score features by their variance.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data, taken as given: scale it first if the units differ.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        Population variances; exactly 0 for a constant feature.

    Notes
    -----
    Equation 1.21 of [1]_: :math:`V_f = \frac1n \sum_i (x_{if} - \mu_f)^2`.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import variance_score
    >>> variance_score(np.array([[0.0, 5.0], [2.0, 5.0]]))
    array([1., 0.])
    """
    moments = group_moments(as_blocks(X), None, 1)
    return moments.scatters[0] / moments.sizes[0]


def fisher_score(X: FloatArray, labels: Any) -> FloatArray:
    r"""Score features by the scatter between classes over the scatter within them.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
    labels : array-like of shape (n_samples,)
        Class numbers; rows with -1 are left out of everything.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        Fisher scores; 0 for a constant feature, infinite for one that is constant in
        every class but not over all.

    Notes
    -----
    Equation 1.27 of [1]_, with population variances:

    .. math::
        F_f = \frac{\sum_c n_c (\mu_f^c - \mu_f)^2}{\sum_c n_c (\sigma_f^c)^2}

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import fisher_score
    >>> X = np.array([[0.0, 0.0], [1.0, 4.0], [4.0, 0.0], [5.0, 4.0]])
    >>> fisher_score(X, np.array([0, 0, 1, 1]))
    array([16.,  0.])
    """
    between, within = class_moments(X, labels).between_and_within()
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = between / within
    return np.where(between > 0, ratio, 0.0)


class Moments(NamedTuple):
    """Sizes, means and scatters of groups of rows, and the extremes of all of them.

    sizes : (c,); means : (c, d), counted from an origin, exactly 0 for a feature that
    equals it everywhere; scatters : (c, d), sums of squared deviations from the mean,
    exactly 0 for a feature that is constant in the group; low, high : (d,).
    """

    sizes: FloatArray
    means: FloatArray
    scatters: FloatArray
    low: FloatArray
    high: FloatArray

    @property
    def mean(self) -> FloatArray:
        """The mean of all rows, (d,)."""
        return (self.sizes[:, None] * self.means).sum(axis=0) / self.sizes.sum()

    def between_and_within(self) -> tuple[FloatArray, FloatArray]:
        """Return the scatter between and within the groups, (d,) each."""
        between = (self.sizes[:, None] * (self.means - self.mean) ** 2).sum(axis=0)
        return between, self.scatters.sum(axis=0)


def class_scatters(X: Rows, labels: Any) -> tuple[FloatArray, FloatArray]:
    """Return the scatter between and within the classes, for every feature."""
    return class_moments(X, labels).between_and_within()


def class_moments(X: Any, labels: Any) -> Moments:
    """Return the moments of the classes, counted from the first labelled row."""
    blocks = as_blocks(X)
    codes, classes = encode_labels(labels)
    if codes.shape != (len(blocks),) or classes.size == 0:
        raise ValueError(
            f"labels must hold a class number for each of the {len(blocks)} rows of X, "
            f"and not only -1, got {labels!r}."
        )
    return group_moments(blocks, codes, classes.size)


def group_moments(blocks: Blocks, codes: IndexArray | None, n_groups: int) -> Moments:
    """Return the moments of the groups `codes` of rows, none of which is empty.

    codes : (n,), -1 for no group; None for all rows in one.
    """
    first = 0 if codes is None else int((codes >= 0).argmax())
    origin = blocks.rows(np.array([first]))[0]
    if codes is None:
        moments = blocks.reduce(_moments_of_all, merge_moments, origin)
    else:
        moments = blocks.reduce(
            _moments_of_groups, merge_moments, n_groups, origin, by_row=codes
        )
    # Refused after all: only now the extremes of the rows that count are known.
    check_squarable_range(moments.low, moments.high)
    return moments


def _moments_of_all(X: FloatArray, first_row: int, origin: FloatArray) -> Moments:
    return _stacked([X], origin)


def _moments_of_groups(
    X: FloatArray, first_row: int, codes: IndexArray, n_groups: int, origin: FloatArray
) -> Moments:
    return _stacked([X[codes == c] for c in range(n_groups)], origin)


def _stacked(groups: list[FloatArray], origin: FloatArray) -> Moments:
    """Return the moments of groups of rows, which may be empty."""
    sizes = np.array([len(rows) for rows in groups], dtype=np.float64)
    means = np.zeros((len(groups), origin.size))
    scatters = np.zeros(means.shape)
    low, high = np.full(origin.size, np.inf), np.full(origin.size, -np.inf)
    with np.errstate(over="ignore", invalid="ignore"):
        for c, rows in enumerate(groups):
            if len(rows):
                # Counted from its own first value a constant column is 0, whatever the
                # rounding.
                shifted = rows - rows[0]
                mean = shifted.mean(axis=0)
                means[c] = (rows[0] - origin) + mean
                scatters[c] = ((shifted - mean) ** 2).sum(axis=0)
                low = np.minimum(low, rows.min(axis=0))
                high = np.maximum(high, rows.max(axis=0))
    return Moments(sizes, means, scatters, low, high)


def merge_moments(first: Moments, second: Moments) -> Moments:
    """Join the moments of two sets of rows, counted from one origin."""
    sizes = first.sizes + second.sizes
    share = (second.sizes / np.maximum(sizes, 1.0))[:, None]
    with np.errstate(over="ignore", invalid="ignore"):
        # The mean of an empty group is no number to compare with.
        is_new = (first.sizes == 0.0)[:, None]
        between = np.where(is_new | (share == 0.0), 0.0, second.means - first.means)
        means = np.where(is_new, second.means, first.means + share * between)
        scatters = first.scatters + second.scatters
        scatters += first.sizes[:, None] * share * between**2
    low = np.minimum(first.low, second.low)
    return Moments(sizes, means, scatters, low, np.maximum(first.high, second.high))
