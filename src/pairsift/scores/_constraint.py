"""Constraint scores 1 to 4: must-links against cannot-links, by their squares."""

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from pairsift._blocks import Blocks, OneBlock, Rows
from pairsift._checks import check_squarable_range
from pairsift._typing import BoolArray, FloatArray, IndexArray, PairArray
from pairsift.constraints import as_pairs
from pairsift.graphs import (
    edge_list,
    full_graph,
    pair_graph,
    quadratic_forms,
    similarity_graph,
    unlabelled_rows,
)
from pairsift.scores._in_blocks import as_blocks
from pairsift.scores._laplacian import laplacian_score, negated_ratio
from pairsift.scores._variance import class_moments


def constraint_score_1(X: FloatArray, must_link: Any, cannot_link: Any) -> FloatArray:
    r"""Score features by how near must-links and how far cannot-links are (CS1).

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
    must_link, cannot_link : array-like of shape (n_pairs, 2)
        Pairs of rows; a pair given twice counts twice.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        Negated constraint scores; ``-inf`` where all cannot-links are 0 apart.

    Notes
    -----
    Equation 8 of [1]_, negated because small values are preferred:

    .. math::
        C^1_f = \frac{\sum_{(i,j) \in M} (x_{if} - x_{jf})^2}
                     {\sum_{(i,j) \in C} (x_{if} - x_{jf})^2}

    References
    ----------
    .. [1] A. Salmi, K. Hammouche, L. Macaire, "Similarity-based constraint score
       for feature selection", Knowledge-Based Systems 209, 106429, 2020,
       doi:10.1016/j.knosys.2020.106429.
    .. [2] D. Zhang, S. Chen, Z.-H. Zhou, "Constraint score: a new filter method for
       feature selection with pairwise constraints", Pattern Recognition 41(5),
       1440-1451, 2008.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import constraint_score_1
    >>> X = np.array([[0.0, 0.0], [1.0, 4.0], [4.0, 2.0]])
    >>> constraint_score_1(X, must_link=[(0, 1)], cannot_link=[(0, 2)])
    array([-0.0625, -4.    ])
    """
    blocks, must, cannot = checked_pairs(X, must_link, cannot_link)
    return fit_constraint_score_1(sums_of_pairs(blocks, must, cannot))


def constraint_score_2(
    X: FloatArray, must_link: Any, cannot_link: Any, *, lambda_: float = 0.1
) -> FloatArray:
    r"""Score features by must-links minus weighted cannot-links (CS2).

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
    must_link, cannot_link : array-like of shape (n_pairs, 2)
        Pairs of rows; a pair given twice counts twice.
    lambda_ : float, default=0.1
        Weight of the cannot-links.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        Negated constraint scores; 0 for a constant feature.

    Notes
    -----
    Equations 9 and 11 of [1]_, negated because small values are preferred:

    .. math::
        C^2_f = \sum_{(i,j) \in M} (x_{if} - x_{jf})^2
                - \lambda \sum_{(i,j) \in C} (x_{if} - x_{jf})^2
              = f^T L^M f - \lambda f^T L^C f

    Every pair counts once, which makes the sums equal to the matrix form; summed over
    both directions, as 9 prints it, all scores double. [1]_ uses
    :math:`\lambda = 1`, [2]_ 0.1.

    References
    ----------
    .. [1] A. Salmi, K. Hammouche, L. Macaire, "Similarity-based constraint score
       for feature selection", Knowledge-Based Systems 209, 106429, 2020,
       doi:10.1016/j.knosys.2020.106429.
    .. [2] D. Zhang, S. Chen, Z.-H. Zhou, "Constraint score: a new filter method for
       feature selection with pairwise constraints", Pattern Recognition 41(5),
       1440-1451, 2008.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import constraint_score_2
    >>> X = np.array([[0.0, 0.0], [1.0, 4.0], [4.0, 2.0]])
    >>> constraint_score_2(X, [(0, 1)], [(0, 2)], lambda_=0.5)
    array([  7., -14.])
    """
    blocks, must, cannot = checked_pairs(X, must_link, cannot_link)
    return fit_constraint_score_2(sums_of_pairs(blocks, must, cannot), lambda_)


def constraint_score_3(
    X: FloatArray,
    must_link: Any,
    cannot_link: Any,
    *,
    gamma: float = 100.0,
    n_neighbors: int = 5,
    neighbors: csr_array | None = None,
    n_jobs: int | None = -1,
) -> FloatArray:
    r"""Score features by must-links and neighbours over cannot-links (CS3, LSDF).

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
    must_link, cannot_link : array-like of shape (n_pairs, 2)
        Pairs of rows, each counted once.
    gamma : float, default=100.0
        Weight of a must-link beside that of two neighbours, 1.
    n_neighbors : int, default=5
        Number of nearest neighbours, cut to ``n_samples - 1``.
    neighbors : csr_array of shape (n_samples, n_samples), default=None
        Graph whose edges join the neighbours, whatever their weights; built with
        `n_neighbors` when None.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        Negated constraint scores; ``-inf`` where all cannot-links are 0 apart.

    Notes
    -----
    Equations 12 and 13 of [1]_, negated because small values are preferred:

    .. math::
        C^3_f = \frac{f^T L^{KNN1} f}{f^T L^C f}, \qquad
        w^{KNN1}_{ij} = \begin{cases}
            \gamma & (i,j) \in M \\
            1 & i \text{ or } j \text{ in no constraint, neighbours}
        \end{cases}

    LSDF [2]_ maximises the reciprocal, which gives the same order.

    References
    ----------
    .. [1] A. Salmi, K. Hammouche, L. Macaire, "Similarity-based constraint score
       for feature selection", Knowledge-Based Systems 209, 106429, 2020,
       doi:10.1016/j.knosys.2020.106429.
    .. [2] J. Zhao, K. Lu, X. He, "Locality sensitive semi-supervised feature
       selection", Neurocomputing 71, 1842-1849, 2008.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import constraint_score_3
    >>> X = np.array([[0.0, 0.0], [1.0, 4.0], [4.0, 2.0], [4.0, 3.0]])
    >>> constraint_score_3(X, [(0, 1)], [(0, 2)], gamma=2.0, n_neighbors=1)
    array([-0.6875, -8.5   ])
    """
    blocks, must, cannot = checked_pairs(X, must_link, cannot_link)
    if neighbors is None:
        neighbors = nearest_rows_graph(blocks, n_neighbors, n_jobs)
    sums = sums_of_pairs(blocks, _once(must), _once(cannot))
    return fit_constraint_score_3(blocks, sums, neighbors, gamma=gamma, n_jobs=n_jobs)


def constraint_score_4(
    X: FloatArray,
    must_link: Any,
    cannot_link: Any,
    *,
    sigma: float | str = 1.0,
    S: Any = None,
    n_jobs: int | None = -1,
) -> FloatArray:
    r"""Score features by the Laplacian score times constraint score 1 (CS4).

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
    must_link, cannot_link : array-like of shape (n_pairs, 2)
        Pairs of rows; a pair given twice counts twice.
    sigma : float or "auto", default=1.0
        The :math:`\sigma` of the full Gaussian graph; ``"auto"`` is the mean distance
        to the fifth neighbour.
    S : csr_array, FullGraph or ndarray of shape (n_samples, n_samples), default=None
        Graph of the Laplacian score, taken as it is; when None the full Gaussian graph,
        in which each row has an edge to itself.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        Negated constraint scores; ``-inf`` where either denominator is 0.

    Notes
    -----
    Equations 14 to 16 of [1]_, negated because small values are preferred:

    .. math::
        C^4_f = \frac{\tilde f^T L \tilde f}{\tilde f^T D \tilde f}
                \cdot \frac{f^T L^M f}{f^T L^C f}

    By equations 1 and 3 the degrees in D count each row with itself, with weight 1. The
    sum form 15 of the Laplacian score is twice as large.

    References
    ----------
    .. [1] A. Salmi, K. Hammouche, L. Macaire, "Similarity-based constraint score
       for feature selection", Knowledge-Based Systems 209, 106429, 2020,
       doi:10.1016/j.knosys.2020.106429.
    .. [2] M. Kalakech, P. Biela, L. Macaire, D. Hamad, "Constraint scores for
       semi-supervised feature selection: a comparative study", Pattern
       Recognition Letters 32, 656-665, 2011.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import constraint_score_4
    >>> X = np.array([[0.0, 0.0], [1.0, 4.0], [4.0, 2.0]])
    >>> constraint_score_4(X, [(0, 1)], [(0, 2)], S=np.ones((3, 3)) - np.eye(3))
    array([-0.09375, -6.     ])
    """
    blocks, must, cannot = checked_pairs(X, must_link, cannot_link)
    if S is None:
        S = full_graph(blocks, sigma=sigma, loops=True, n_jobs=n_jobs)
    return fit_constraint_score_4(
        blocks, sums_of_pairs(blocks, must, cannot), S, n_jobs
    )


class PairSums(NamedTuple):
    """All that the pairs mean to these scores, given as pairs or as labels."""

    must: FloatArray
    """Sum of (x_i - x_j)² over the must-links, for every feature."""
    cannot: FloatArray
    """The sum over the cannot-links."""
    is_free: BoolArray
    """Rows in no constraint."""


def sums_of_pairs(X: Rows, must: PairArray, cannot: PairArray) -> PairSums:
    """Return the sums over listed pairs; of data in blocks only their rows are read."""
    blocks = as_blocks(X)
    is_free = unlabelled_rows(len(blocks), must, cannot)
    rows = np.unique(np.concatenate([must, cannot]))
    if not isinstance(blocks, OneBlock) and 0 < rows.size <= blocks.rows_at_once:
        low, high, _ = blocks.extremes
        check_squarable_range(low, high)
        # One pass for both kinds of pairs.
        must, cannot = np.searchsorted(rows, must), np.searchsorted(rows, cannot)
        blocks = OneBlock(blocks.rows(rows))
    return PairSums(pair_forms(blocks, must), pair_forms(blocks, cannot), is_free)


def sums_of_classes(X: FloatArray, labels: IndexArray) -> PairSums:
    """Return the sums over all pairs of labelled rows.

    By the sizes, means and scatters of the classes, without listing any pair.
    """
    moments = class_moments(X, labels)
    sizes, scatters, n = moments.sizes, moments.scatters, moments.sizes.sum()
    must = (sizes[:, None] * scatters).sum(axis=0)
    cannot = ((n - sizes)[:, None] * scatters).sum(axis=0)
    cannot += n * moments.between_and_within()[0]
    return PairSums(must, cannot, labels < 0)


def fit_constraint_score_1(sums: PairSums) -> FloatArray:
    """Score as :func:`constraint_score_1`, from sums over the pairs."""
    return negated_ratio(sums.must, sums.cannot)


def fit_constraint_score_2(sums: PairSums, lambda_: float) -> FloatArray:
    """Score as :func:`constraint_score_2`, from sums over the pairs."""
    return lambda_ * sums.cannot - sums.must


def fit_constraint_score_3(
    X: Rows,
    sums: PairSums,
    neighbors: csr_array,
    *,
    gamma: float,
    n_jobs: int | None,
) -> FloatArray:
    """Score as :func:`constraint_score_3`, from sums over the pairs."""
    near = edge_list(neighbors)
    free = pair_graph(near[sums.is_free[near].any(axis=1)], len(X))
    spread = quadratic_forms(free, X, n_jobs=n_jobs)
    return negated_ratio(gamma * sums.must + spread, sums.cannot)


def fit_constraint_score_4(
    X: Rows, sums: PairSums, S: Any, n_jobs: int | None
) -> FloatArray:
    """Score as :func:`constraint_score_4`, from sums over the pairs."""
    first = laplacian_score(X, S, n_jobs=n_jobs)
    second = fit_constraint_score_1(sums)
    is_undefined = np.isneginf(first) | np.isneginf(second)
    with np.errstate(invalid="ignore"):
        return np.where(is_undefined, -np.inf, -(first * second))


def pair_forms(X: Rows, pairs: PairArray) -> FloatArray:
    """Sum of (x_i - x_j)² over the pairs, for every feature."""
    return quadratic_forms(pair_graph(pairs, len(X)), X)


def checked_pairs(
    X: Rows, must_link: Any, cannot_link: Any
) -> tuple[Blocks, PairArray, PairArray]:
    """Return the rows as blocks, and the pairs as row numbers."""
    blocks = as_blocks(X)
    must = as_pairs(must_link, len(blocks), name="must_link")
    return blocks, must, as_pairs(cannot_link, len(blocks), name="cannot_link")


def nearest_rows_graph(X: Rows, n_neighbors: int, n_jobs: int | None) -> csr_array:
    return similarity_graph(X, n_neighbors=n_neighbors, kernel="binary", n_jobs=n_jobs)


def _once(pairs: PairArray) -> PairArray:
    return np.unique(np.sort(pairs, axis=1), axis=0)
