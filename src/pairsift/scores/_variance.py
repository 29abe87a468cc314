"""Scores made of variances: variance score and Fisher score."""

import numpy as np

from pairsift._checks import as_matrix, check_squarable
from pairsift._docstrings import documented
from pairsift._typing import FloatArray, IndexArray


@documented
def variance_score(X: FloatArray) -> FloatArray:
    r"""Score features by their variance.

    Parameters
    ----------
    {X_as_given}

    Returns
    -------
    scores : ndarray of shape (n_features,)
        Population variances; exactly 0 for a constant feature.

    Notes
    -----
    Equation 1.21 of [1]_: :math:`V_f = \frac1n \sum_i (x_{if} - \mu_f)^2`.

    References
    ----------
    {hijazi2019}

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import variance_score
    >>> variance_score(np.array([[0.0, 5.0], [2.0, 5.0]]))
    array([1., 0.])
    """
    X = as_matrix(X)
    check_squarable(X)
    return _scatter(X) / len(X)


@documented
def fisher_score(X: FloatArray, labels: IndexArray) -> FloatArray:
    r"""Score features by the scatter between classes over the scatter within them.

    Parameters
    ----------
    {X}
    labels : ndarray of shape (n_samples,), dtype=int64
        Class number of each row; rows with -1 are left out.

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
    {hijazi2019}

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import fisher_score
    >>> X = np.array([[0.0, 0.0], [1.0, 4.0], [4.0, 0.0], [5.0, 4.0]])
    >>> fisher_score(X, np.array([0, 0, 1, 1]))
    array([16.,  0.])
    """
    between, within = class_scatters(X, labels)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = between / within
    return np.where(between > 0, ratio, 0.0)


def class_scatters(X: FloatArray, labels: IndexArray) -> tuple[FloatArray, FloatArray]:
    """Return the scatter between and within the classes, for every feature."""
    sizes, means, scatters = class_moments(X, labels)
    overall_mean = (sizes[:, None] * means).sum(axis=0) / sizes.sum()
    between = (sizes[:, None] * (means - overall_mean) ** 2).sum(axis=0)
    return between, scatters.sum(axis=0)


def class_moments(
    X: FloatArray, labels: IndexArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return sizes (c,), means (c, d) and scatters (c, d) of the classes.

    Means are counted from the first labelled row, so that those of a constant feature
    are exactly 0.
    """
    X, labels = as_matrix(X), np.asarray(labels)
    if labels.shape != (len(X),) or not (labels >= 0).any():
        raise ValueError(
            f"labels must hold a class number for each of the {len(X)} rows of X, and "
            f"not only -1, got {labels!r}."
        )
    labelled, labels = X[labels >= 0], labels[labels >= 0]
    check_squarable(labelled)
    members = [labelled[labels == c] - labelled[0] for c in np.unique(labels)]
    return (
        np.array([len(rows) for rows in members], dtype=np.float64),
        np.array([rows.mean(axis=0) for rows in members]),
        np.array([_scatter(rows) for rows in members]),
    )


def _scatter(X: FloatArray) -> FloatArray:
    """Sum of squared deviations from the mean, exactly 0 for a constant column."""
    # Counted from its own first value a constant column is 0, whatever the rounding.
    shifted = X - X[0]
    return ((shifted - shifted.mean(axis=0)) ** 2).sum(axis=0)
