"""Who is joined to whom (H19 section 1.3)."""

import numpy as np
from scipy.sparse import coo_array, csr_array

from pairsift._blocks import Blocks, Rows
from pairsift._checks import available_memory, check_choice
from pairsift._typing import FloatArray, PairArray
from pairsift.graphs._full_graph import full_graph
from pairsift.graphs._in_blocks import as_blocks, rows_of_pairs
from pairsift.graphs._nearest import (
    EDGE_BYTES,
    Edges,
    edges_within,
    joined_edges,
    nearest_edges,
    nearest_neighbors,
)
from pairsift.graphs._weights import (
    advice_on_sigma,
    scales_of,
    unit_rows,
    weights_of,
)

GRAPHS = ("knn", "mutual-knn", "epsilon", "full")
BLOCK_CELLS = 2**22


def similarity_graph(
    X: Rows,
    *,
    graph: str = "knn",
    n_neighbors: int = 5,
    epsilon: float | None = None,
    kernel: str = "gaussian",
    sigma: float | str = 1.0,
    n_jobs: int | None = -1,
) -> csr_array | FloatArray:
    r"""Build a weighted undirected graph of the rows of X.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Data without missing values, taken as given.
    graph : {"knn", "mutual-knn", "epsilon", "full"}, default="knn"
        Which rows are joined: those of which either is among the nearest neighbours
        of the other, those of which both are, those nearer than `epsilon`, or all.
    n_neighbors : int, default=5
        Number of nearest neighbours, at most ``n_samples - 1`` of them, and more where
        rows are tied: all rows as near as the last neighbour are neighbours. Also the
        neighbour whose distance is the local scale of ``"self-tuning"`` and the mean
        of which is ``sigma="auto"``.
    epsilon : float, default=None
        Distance below which two rows are joined in the epsilon graph.
    kernel : str, default="gaussian"
        "gaussian", "self-tuning", "inverse", "cosine" or "binary": weight of an edge,
        see Notes. The epsilon graph of the literature is ``"binary"``.
    sigma : float or "auto", default=1.0
        Scale of the Gaussian and inverse kernels; ``"auto"`` is the mean distance to
        the `n_neighbors`-th neighbour.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Returns
    -------
    S : csr_array or ndarray of shape (n_samples, n_samples)
        Symmetric similarities with a zero diagonal; dense for the full graph, sparse
        otherwise.

    See Also
    --------
    full_graph : The full graph of many rows, never stored.

    Notes
    -----
    With the Euclidean distance :math:`d` between rows n and m, the weights are (section
    1.3 of [1]_)

    ============  =====================================================
    gaussian      :math:`\exp(-d^2 / 2\sigma^2)`
    self-tuning   :math:`\exp(-d^2 / 2\sigma_n\sigma_m)`, :math:`\sigma_n` the distance
                  from n to its `n_neighbors`-th neighbour
    inverse       :math:`1 / (d^2/\sigma^2 + 1)`
    cosine        :math:`|\cos(x_n, x_m)|`, 0 for a row of zeros
    binary        1
    ============  =====================================================

    A scale of zero (duplicated rows) makes equal rows similar by 1 and others by 0.

    Because all rows that are tied with the last neighbour (their distances agree up to
    rounding) are neighbours, the graph does not depend on the order of the rows. Where
    that makes more than 2²³ neighbours, which takes thousands of copies of a row, those
    tied are taken from the top of `X` instead, and a warning says so.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.graphs import similarity_graph
    >>> X = np.array([[0.0], [1.0], [3.0]])
    >>> similarity_graph(X, n_neighbors=1, kernel="binary").toarray()
    array([[0., 1., 0.],
           [1., 0., 1.],
           [0., 1., 0.]])
    """
    blocks = as_blocks(X)
    check_choice(graph, "graph", GRAPHS)
    if graph == "full":
        S = full_graph(
            blocks, n_neighbors=n_neighbors, kernel=kernel, sigma=sigma, n_jobs=n_jobs
        )
        return S.whole()
    kth = None
    if graph == "epsilon":
        edges = _epsilon_edges(blocks, epsilon, n_jobs)
        if kernel == "self-tuning" or sigma == "auto":
            kth = nearest_neighbors(blocks, n_neighbors, n_jobs=n_jobs)[1][:, -1]
    else:
        edges, kth = nearest_edges(blocks, n_neighbors, n_jobs)
    first, second, squared = edges
    scales = scales_of(len(blocks), kernel, sigma, kth)
    if kernel == "cosine":
        weights = _cosines(blocks, np.column_stack([first, second]))
    else:
        weights = weights_of(kernel, squared, scales[first], scales[second])
    if kernel == "gaussian" and weights.size and not weights.any():
        raise ValueError(advice_on_sigma(blocks, sigma, n_neighbors))
    shape = (len(blocks), len(blocks))
    directed = coo_array((weights, (first, second)), shape=shape).tocsr()
    if graph == "mutual-knn":
        return csr_array(directed.minimum(directed.T))
    return csr_array(directed.maximum(directed.T))


def _cosines(blocks: Blocks, pairs: PairArray) -> FloatArray:
    """|cos| of the rows of each pair."""
    cosines = np.empty(len(pairs))
    step = max(BLOCK_CELLS // blocks.shape[1], 1)
    for some in rows_of_pairs(blocks, pairs):
        units, found = unit_rows(some.X), cosines[some.part]
        for start in range(0, found.size, step):
            first, second = some.pairs[start : start + step].T
            found[start : start + step] = np.einsum(
                "ij,ij->i", units[first], units[second]
            )
    return np.abs(cosines)


def _epsilon_edges(blocks: Blocks, epsilon: float | None, n_jobs: int | None) -> Edges:
    """Both directions of every edge shorter than epsilon."""
    if epsilon is None:
        raise ValueError("graph='epsilon' needs epsilon, a distance; got None.")
    # Edges up to the number before are those below.
    most = np.full(len(blocks), np.nextafter(epsilon**2, -np.inf))
    n_edges = available_memory() / EDGE_BYTES
    found = edges_within(blocks, np.arange(len(blocks)), most, n_edges, n_jobs)
    if found is None:
        raise ValueError(
            f"more than {n_edges / 2:.0f} pairs of rows are nearer than "
            f"epsilon={epsilon}, too many for the memory that is left: choose epsilon "
            "smaller, or take a graph of nearest neighbours."
        )
    return joined_edges(found)
