"""Constraint scores 5 to 7: Laplacian scores whose edges constraints weigh anew."""

from typing import Any

import numpy as np
from scipy.sparse import csr_array

from pairsift._blocks import Blocks, Rows
from pairsift._checks import check_choice
from pairsift._typing import FloatArray, PairArray
from pairsift._warnings import warn_caller
from pairsift.graphs import (
    ConstrainedEdges,
    advice_on_sigma,
    constrained_edges,
    degrees,
    laplacian,
    pair_graph,
    quadratic_forms,
    rows_of_pairs,
    spreads,
)
from pairsift.scores._constraint import checked_pairs, nearest_rows_graph
from pairsift.scores._laplacian import negated_ratio
from pairsift.scores._variance import class_scatters

FORMS = ("sum", "matrix")


def constraint_score_5(
    X: FloatArray,
    must_link: Any,
    cannot_link: Any,
    *,
    form: str = "sum",
    n_neighbors: int = 5,
    sigma: float | str = 1.0,
    neighbors: csr_array | None = None,
    n_jobs: int | None = -1,
) -> FloatArray:
    r"""Score features by the constrained Laplacian score (CS5, CLS).

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
    must_link, cannot_link : array-like of shape (n_pairs, 2)
        Pairs of rows, each counted once.
    form : {"sum", "matrix"}, default="sum"
        Which of the two published denominators, see Notes: they are not equal.
    n_neighbors : int, default=5
        Number of nearest neighbours, cut to ``n_samples - 1``.
    sigma : float or "auto", default=1.0
        The :math:`\sigma` of the similarities :math:`w_{ij} = \exp(-d^2/2\sigma^2)`;
        1 suits few features scaled to [0, 1], ``"auto"`` is the mean distance to the
        `n_neighbors`-th neighbour.
    neighbors : csr_array of shape (n_samples, n_samples), default=None
        Graph whose edges join the neighbours, whatever their weights; built with
        `n_neighbors` when None.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        Negated constraint scores; ``-inf`` where the denominator is not positive.

    Notes
    -----
    Equations 17 to 20 of [1]_, negated because small values are preferred. With the
    similarities of neighbours and must-links as :math:`w_{ij}` and their sums as
    :math:`d_i`,

    .. math::
        C^5_f = \frac{\sum_{ij} (x_{if} - x_{jf})^2 w_{ij}}
            {\sum_{(i,j) \in C} (x_{if} - x_{jf})^2 d_i
             + \sum_{i \in U} (x_{if} - \bar f)^2 d_i}

    where C holds both directions of every cannot-link, U the rows in no constraint, and
    :math:`\bar f` is the mean weighted by the :math:`d_i`. As 19 is printed
    (:math:`\alpha = x_{if}` for cannot-links) the first sum is always 0; here it is
    :math:`x_{jf}`, as in [2]_. ``form="matrix"`` is equation 20,
    :math:`f^T L f / f^T L^C D f`: another quantity, which depends on the origin and may
    be negative.

    References
    ----------
    .. [1] A. Salmi, K. Hammouche, L. Macaire, "Similarity-based constraint score
       for feature selection", Knowledge-Based Systems 209, 106429, 2020,
       doi:10.1016/j.knosys.2020.106429.
    .. [2] K. Benabdeslem, M. Hindawi, "Constrained Laplacian score for
       semi-supervised feature selection", ECML PKDD, 204-218, 2011.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import constraint_score_5
    >>> X = np.array([[0.0, 0.0], [1.0, 4.0], [4.0, 2.0], [4.0, 3.0]])
    >>> constraint_score_5(X, [(0, 1)], [(0, 2)], n_neighbors=1).round(3)
    array([-0.013, -0.479])
    """
    blocks, edges = _edges(
        X, must_link, cannot_link, n_neighbors, sigma, neighbors, n_jobs
    )
    if not edges.similarity.any():
        raise ValueError(advice_on_sigma(blocks, sigma, n_neighbors))
    S = edges.graph(np.where(edges.is_must | edges.is_near, edges.similarity, 0.0))
    return _constrained_laplacian_score(blocks, edges, S, degrees(S), form, n_jobs)


def constraint_score_6(
    X: FloatArray,
    must_link: Any,
    cannot_link: Any,
    *,
    form: str = "sum",
    n_neighbors: int = 5,
    sigma: float | str = 1.0,
    neighbors: csr_array | None = None,
    n_jobs: int | None = -1,
) -> FloatArray:
    r"""Score features by the second constrained Laplacian score (CS6).

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
    must_link, cannot_link : array-like of shape (n_pairs, 2)
        Pairs of rows, each counted once.
    form : {"sum", "matrix"}, default="sum"
        Which of the two published denominators, see :func:`constraint_score_5`.
    n_neighbors : int, default=5
        Number of nearest neighbours, cut to ``n_samples - 1``.
    sigma : float or "auto", default=1.0
        The :math:`\sigma` of the similarities :math:`w_{ij} = \exp(-d^2/2\sigma^2)`;
        1 suits few features scaled to [0, 1], ``"auto"`` is the mean distance to the
        `n_neighbors`-th neighbour.
    neighbors : csr_array of shape (n_samples, n_samples), default=None
        Graph whose edges join the neighbours, whatever their weights; built with
        `n_neighbors` when None.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        Negated constraint scores; ``-inf`` where the denominator is not positive.

    Notes
    -----
    Equations 21 to 23 of [1]_, negated because small values are preferred. As
    :func:`constraint_score_5`, with the degrees :math:`d_i` (and mean) of the graph of
    neighbours alone, and in the numerator

    .. math::
        w^{KNN3}_{ij} = \begin{cases}
            w_{ij}^2 + w_{ij} & (i,j) \in C, \text{ neighbours} \\
            w_{ij}^2 & (i,j) \in M, \text{ not neighbours} \\
            w_{ij} & i \text{ or } j \text{ in no constraint, neighbours}
        \end{cases}

    References
    ----------
    .. [1] A. Salmi, K. Hammouche, L. Macaire, "Similarity-based constraint score
       for feature selection", Knowledge-Based Systems 209, 106429, 2020,
       doi:10.1016/j.knosys.2020.106429.
    .. [2] K. Benabdeslem, M. Hindawi, "Efficient semi-supervised feature selection:
       constraint, relevance, and redundancy", IEEE Transactions on Knowledge
       and Data Engineering 26, 1131-1143, 2014.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import constraint_score_6
    >>> X = np.array([[0.0, 0.0], [1.0, 4.0], [4.0, 2.0], [4.0, 3.0]])
    >>> constraint_score_6(X, [(0, 1)], [(0, 2)], n_neighbors=1).round(3)
    array([-0.012, -0.477])
    """
    blocks, edges = _edges(
        X, must_link, cannot_link, n_neighbors, sigma, neighbors, n_jobs
    )
    if not edges.similarity.any():
        raise ValueError(advice_on_sigma(blocks, sigma, n_neighbors))
    w = edges.similarity
    weights = np.select(
        [
            edges.is_cannot & edges.is_near,
            edges.is_must & ~edges.is_near,
            edges.is_free & edges.is_near,
        ],
        [w**2 + w, w**2, w],
    )
    d = degrees(edges.graph(np.where(edges.is_near, w, 0.0)))
    S = edges.graph(weights)
    return _constrained_laplacian_score(blocks, edges, S, d, form, n_jobs)


def constraint_score_7(
    X: FloatArray,
    must_link: Any,
    cannot_link: Any,
    labels: Any,
    *,
    form: str = "sum",
    gamma: float = 0.9,
    lambda_: float = 0.5,
    n_neighbors: int = 5,
    sigma: float | str = 1.0,
    neighbors: csr_array | None = None,
    n_jobs: int | None = -1,
) -> FloatArray:
    r"""Score features by the constraint compensated Laplacian score (CS7, CCLS).

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
    must_link, cannot_link : array-like of shape (n_pairs, 2)
        Pairs of rows, each counted once.
    labels : array-like of shape (n_samples,)
        Class of each prototype, -1 (or None, NaN or empty text) for the other rows.
    form : {"sum", "matrix"}, default="sum"
        Which of the two published denominators, see Notes: they are not equal.
    gamma : float, default=0.9
        Share of the similarity that two neighbours lose by a cannot-link.
    lambda_ : float, default=0.5
        Weight of a must-link between rows that are not neighbours.
    n_neighbors : int, default=5
        Number of nearest neighbours, cut to ``n_samples - 1``.
    sigma : float or "auto", default=1.0
        The :math:`\sigma` of the similarities :math:`w_{ij} = \exp(-d^2/2\sigma^2)`;
        1 suits few features scaled to [0, 1], ``"auto"`` is the mean distance to the
        `n_neighbors`-th neighbour.
    neighbors : csr_array of shape (n_samples, n_samples), default=None
        Graph whose edges join the neighbours, whatever their weights; built with
        `n_neighbors` when None.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        Negated constraint scores; ``-inf`` where the denominator is not positive.

    Notes
    -----
    Equations 24 to 31 of [1]_, negated because small values are preferred:

    .. math::
        C^7_f = \frac{\sum_{ij} (x_{if} - x_{jf})^2 w_{ij}}
            {\sum_i (x_{if} - \bar f)^2 d_i + \Sigma^b_f - \Sigma^w_f}, \qquad
        w_{ij} = \begin{cases}
            1 & (i,j) \in M, \text{ neighbours} \\
            \lambda & (i,j) \in M, \text{ not neighbours} \\
            (1-\gamma) \exp(-d^2/2\sigma^2) & (i,j) \in C, \text{ neighbours} \\
            \exp(-d^2/2\sigma^2) & i \text{ or } j \text{ in no constraint, neighbours}
        \end{cases}

    :math:`d_i` and :math:`\bar f` are degrees and weighted mean of this graph,
    :math:`\Sigma^b = \sum_l n_l (\mu_l - \mu)^2` and :math:`\Sigma^w = \sum_l n_l
    \sigma_l^2` the scatter between and within the classes of prototypes (population
    variances; a class of one prototype adds nothing to the latter). The weights are
    those of 30, because 25 lost a minus. ``form="matrix"`` is equation 29, in which
    between and within change sign.

    References
    ----------
    .. [1] A. Salmi, K. Hammouche, L. Macaire, "Similarity-based constraint score
       for feature selection", Knowledge-Based Systems 209, 106429, 2020,
       doi:10.1016/j.knosys.2020.106429.
    .. [2] X.-K. Yang, L. He, D. Qu, W.-Q. Zhang, M. T. Johnson, "Semi-supervised
       feature selection for audio classification based on constraint
       compensated Laplacian score", EURASIP Journal on Audio, Speech, and Music
       Processing, 9, 2016.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import constraint_score_7
    >>> X = np.array([[0.0, 0.0], [1.0, 4.0], [4.0, 2.0], [4.0, 3.0]])
    >>> labels = np.array([0, 0, 1, -1])
    >>> scores = constraint_score_7(
    ...     X, [(0, 1)], [(0, 2), (1, 2)], labels, n_neighbors=1
    ... )
    >>> scores.round(3)
    array([ -0.122, -64.085])
    """
    check_choice(form, "form", FORMS)
    blocks, edges = _edges(
        X, must_link, cannot_link, n_neighbors, sigma, neighbors, n_jobs
    )
    if not edges.similarity.any():
        warn_caller(
            "only must-links count: " + advice_on_sigma(blocks, sigma, n_neighbors)
        )
    between, within = class_scatters(blocks, labels)
    weights = np.select(
        [
            edges.is_must & edges.is_near,
            edges.is_must,
            edges.is_cannot & edges.is_near,
            edges.is_free & edges.is_near,
        ],
        [1.0, float(lambda_), (1.0 - gamma) * edges.similarity, edges.similarity],
    )
    S = edges.graph(weights)
    separation = between - within if form == "sum" else within - between
    return negated_ratio(
        2.0 * quadratic_forms(S, blocks, n_jobs=n_jobs),
        spreads(degrees(S), blocks) + separation,
    )


def _constrained_laplacian_score(
    blocks: Blocks,
    edges: ConstrainedEdges,
    S: csr_array,
    d: FloatArray,
    form: str,
    n_jobs: int | None,
) -> FloatArray:
    """Constraint score 5 or 6, with its graph and the degrees of its denominator."""
    check_choice(form, "form", FORMS)
    numerator = quadratic_forms(S, blocks, n_jobs=n_jobs)
    cannot = edges.pairs[edges.is_cannot]
    if form == "matrix":
        return negated_ratio(numerator, _mixed_forms(blocks, cannot, d))
    weighed = pair_graph(cannot, len(blocks), d[cannot].sum(axis=1))
    apart = quadratic_forms(weighed, blocks)
    spread = spreads(d, blocks, edges.is_unlabelled)
    return negated_ratio(2.0 * numerator, apart + spread)


def _mixed_forms(blocks: Blocks, pairs: PairArray, d: FloatArray) -> FloatArray:
    """Sum f'LDf for every column f, with L of the graph of some pairs and degrees d."""
    forms = np.zeros(blocks.shape[1])
    for some in rows_of_pairs(blocks, pairs):
        L = laplacian(pair_graph(some.pairs, some.rows.size))
        # L does not see the origin: counted from a row, a constant feature is 0.
        shifted = some.X - some.X[0]
        forms += ((L @ shifted) * (d[some.rows, None] * some.X)).sum(axis=0)
    return forms


def _edges(
    X: Rows,
    must_link: Any,
    cannot_link: Any,
    n_neighbors: int,
    sigma: float | str,
    neighbors: csr_array | None,
    n_jobs: int | None,
) -> tuple[Blocks, ConstrainedEdges]:
    blocks, must, cannot = checked_pairs(X, must_link, cannot_link)
    if neighbors is None:
        neighbors = nearest_rows_graph(blocks, n_neighbors, n_jobs)
    edges = constrained_edges(
        blocks, must, cannot, neighbors, sigma, n_neighbors=n_neighbors, n_jobs=n_jobs
    )
    return blocks, edges
