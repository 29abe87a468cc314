"""Semi-supervised mRMR: classes spread to the rows beside, redundancy of all rows."""

from typing import Any

from pairsift._checks import as_matrix, check_positive
from pairsift._typing import BoolArray, FloatArray, IndexArray
from pairsift.scores._correlation_path import correlation_path
from pairsift.scores._correlation_search import MIN_REDUNDANCY
from pairsift.scores._irelief import class_codes
from pairsift.scores._mrmr import categorical_mask
from pairsift.scores._search import check_n_features


def semi_mrmr_path(
    X: FloatArray,
    labels: Any,
    *,
    n_features: int | None = None,
    is_categorical: BoolArray | None = None,
    least_redundancy: float = MIN_REDUNDANCY,
) -> tuple[IndexArray, FloatArray]:
    r"""Add features that tell classes apart, spread from few rows to all.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
    labels : array-like of shape (n_samples,)
        Class numbers, at least two of them, and -1 for unlabelled rows.
    n_features : int, default=None
        Number of steps, None for all features.
    is_categorical : ndarray of shape (n_features,), dtype=bool, default=None
        Categorical columns, whose numbers only name categories; None for none.
    least_redundancy : float, default=0.01
        Added to the mean redundancy, in nats. A larger number helps against many
        features of noise, which share nothing with any other: 0.05 was better
        with forty of them, and level without.

    Returns
    -------
    order : ndarray of shape (n_features,), dtype=int64
        All features: those added, in order, then the others by their relevance.
    values : ndarray of shape (n_features,)
        Relevance over redundancy of each feature of `order` at the step at which it was
        added, of the others at the last step. At the first step it is the relevance.

    See Also
    --------
    mrmr_path : With ``estimator="correlation"``, from labelled rows alone.

    Notes
    -----
    Every row takes the class of the labelled row at the smallest distance
    :math:`\sum_f \Delta_f`, the differences divided by the range of the column (0 or 1
    for a categorical one). Labelled rows at equal distances, up to rounding, share the
    row between their classes, so that the order of rows does not matter. With n rows in
    K classes, and :math:`\eta^2_f` the share of the variance of feature f between them,
    the next feature beside those added, S, has the largest

    .. math::
        \Big( 1 - (1 - \eta^2_f) \frac{n - 1}{n - K} \Big)^+ \Big/
        \Big( \frac{1}{|S|} \sum_{s \in S} -\tfrac12 \ln (1 - \rho_{fs}^2) +
        \epsilon \Big)

    where :math:`\rho` is the rank correlation over all rows, with mean ranks for ties,
    and :math:`\epsilon` the `least_redundancy`. Ties go to the smaller index. Units
    change nothing, and any other growing function of a column changes its relevance
    only.

    - The variance of a categorical column is that of its indicators, added: the share
      between classes is Goodman and Kruskal's :math:`\tau`. Two categories have the
      relevance of a column of 0 and 1.
    - A column of numbers and one of q + 1 categories share :math:`a^2 = \eta^2` of the
      ranks between the categories, two columns of q + 1 and p + 1 categories
      :math:`a^2 = \chi^2 / (n \min(p, q))`, Cramér's :math:`V^2`. By chance this is
      :math:`m / (n - 1)`, with m the larger of p and q. To make it 1 / (n - 1), as
      :math:`\rho^2` is by chance, :math:`1 - a^2` is multiplied by
      :math:`(n - 2) / (n - 1 - m)`, and 1 at most. Again, two categories are a column
      of 0 and 1. As many categories as rows share nothing with any column.
    - The logarithm ends at :math:`1 - \rho^2 = 10^{-12}`: copies share 13.8 nats.
    - A constant column has the relevance 0.

    Only one column is compared with all others in a step, by one product of a matrix
    and a vector. The method is not in the papers.

    Examples
    --------
    Six labels, of 150 rows, tell that columns 0 and 2 matter; column 3 is a copy:

    >>> import numpy as np
    >>> from pairsift.scores import semi_mrmr_path
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(150) % 3
    >>> X = rng.normal(size=(150, 3))
    >>> X[:, 0] += 4 * (y == 1)
    >>> X[:, 2] += 4 * (y == 2)
    >>> X = np.column_stack([X, X[:, 0]])
    >>> semi_mrmr_path(X, np.where(np.arange(150) < 6, y, -1))[0]
    array([2, 0, 3, 1])
    """
    X = as_matrix(X)
    codes = class_codes(labels, len(X))
    n_steps = check_n_features(n_features, X.shape[1])
    mask = categorical_mask(is_categorical, X.shape[1])
    check_positive(least_redundancy, "least_redundancy")
    order, values, _ = correlation_path(
        X, codes, mask, n_steps, is_spread=True, least_redundancy=least_redundancy
    )
    return order, values
