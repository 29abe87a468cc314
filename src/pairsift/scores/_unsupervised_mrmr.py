"""Unsupervised mRMR: features that share with all others, and not with those added."""

import numpy as np

from pairsift import _kernels
from pairsift._checks import as_matrix, check_positive
from pairsift._typing import BoolArray, FloatArray, IndexArray
from pairsift.scores._associations import RankAssociations
from pairsift.scores._correlation_search import Quotients, add_features
from pairsift.scores._mrmr import categorical_mask
from pairsift.scores._search import check_n_features


def unsupervised_mrmr_path(
    X: FloatArray,
    *,
    n_features: int | None = None,
    is_categorical: BoolArray | None = None,
    least_redundancy: float = 0.02,
) -> tuple[IndexArray, FloatArray]:
    r"""Add features that share much with all others, and little with those added.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
    n_features : int, default=None
        Number of steps, None for all features.
    is_categorical : ndarray of shape (n_features,), dtype=bool, default=None
        Categorical columns, whose numbers only name categories; None for none.
    least_redundancy : float, default=0.02
        Added to the mean redundancy, in nats. A larger number helps against many
        features of noise, which share nothing with any other.

    Returns
    -------
    order : ndarray of shape (n_features,), dtype=int64
        All features: those added, in order, then the others by their relevance.
    values : ndarray of shape (n_features,)
        Relevance over redundancy of each feature of `order` at the step at which it was
        added, of the others at the last step. At the first step it is the relevance.

    See Also
    --------
    semi_mrmr_path : From a few labels.

    Notes
    -----
    With :math:`\rho` the rank correlation of two features over all n rows, with mean
    ranks for ties, and :math:`r_f` the mean of :math:`\rho^2` of feature f and each of
    the others, the next feature beside those added, S, has the largest

    .. math::
        \Big( 1 - (1 - r_f) \frac{n - 1}{n - 2} \Big)^+ \Big/
        \Big( \frac{1}{|S|} \sum_{s \in S} -\tfrac12 \ln (1 - \rho_{fs}^2) +
        \epsilon \Big)

    with :math:`\epsilon` the `least_redundancy`. By chance alone :math:`\rho^2` is
    1 / (n - 1), and the relevance 0: columns of noise and coin flips come last, as no
    other column goes with them. A feature on which the classes depend, but no other
    feature, comes last, too. Ties go to the smaller index.
    Units change nothing, nor does any growing function of a column. With categorical
    columns the association of :func:`semi_mrmr_path` stands for :math:`\rho^2`.

    All columns are compared with each other in products of blocks; no array is larger
    than `X` or some megabytes. The method is not in the papers.

    Examples
    --------
    Columns 0 and 1 go together, and so do 2 and 3, a little less; 4 is noise:

    >>> import numpy as np
    >>> from pairsift.scores import unsupervised_mrmr_path
    >>> rng = np.random.default_rng(0)
    >>> a, b = rng.normal(size=(2, 200))
    >>> noise = rng.normal(size=(5, 200))
    >>> X = np.array([a + noise[0] / 4, a, b + noise[1] / 2, b, noise[4]]).T
    >>> unsupervised_mrmr_path(X)[0]
    array([1, 2, 3, 0, 4])
    """
    X = as_matrix(X)
    n_steps = check_n_features(n_features, X.shape[1])
    mask = categorical_mask(is_categorical, X.shape[1])
    check_positive(least_redundancy, "least_redundancy")
    # One thread: the rounding of products does not depend on their number.
    with _kernels.one_blas_thread():
        associations = RankAssociations(np.asarray(X, dtype=np.float64), mask)
        relevance = _without_chance(associations.mean_squares(), len(X))
        search = Quotients(relevance, associations.shared_with, least_redundancy)
        return add_features(search, n_steps)


def _without_chance(mean_squares: FloatArray, n_rows: int) -> FloatArray:
    if n_rows < 3:
        return np.zeros(mean_squares.size)
    adjusted = 1.0 - (1.0 - mean_squares) * (n_rows - 1) / (n_rows - 2)
    return np.maximum(adjusted, 0.0)
