"""Who is joined to whom, and how strongly (H19 section 1.3)."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.spatial.distance import cdist

from pairsift import _kernels
from pairsift._checks import as_matrix, check_choice, check_memory, is_positive
from pairsift._docstrings import documented
from pairsift._typing import FloatArray, IndexArray, PairArray
from pairsift.graphs._nearest import nearest_edges, nearest_neighbors

GRAPHS = ("knn", "mutual-knn", "epsilon", "full")
KERNELS = ("gaussian", "self-tuning", "inverse", "cosine", "binary")
BLOCK_CELLS = 2**22
ROWS_AT_ONCE = 32
GOLDEN = (5**0.5 - 1) / 2


@documented
def similarity_graph(
    X: FloatArray,
    *,
    graph: str = "knn",
    n_neighbors: int = 5,
    epsilon: float | None = None,
    kernel: str = "gaussian",
    sigma: float | str = 1.0,
    n_jobs: int | None = None,
) -> csr_array | FloatArray:
    r"""Build a weighted undirected graph of the rows of X.

    Parameters
    ----------
    {X_complete}
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
    {n_jobs}

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
    {hijazi2019}

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
    X = as_matrix(X)
    check_choice(graph, "graph", GRAPHS)
    if graph == "full":
        S = full_graph(
            X, n_neighbors=n_neighbors, kernel=kernel, sigma=sigma, n_jobs=n_jobs
        )
        return S.whole()
    kth = None
    if graph == "epsilon":
        if epsilon is None:
            raise ValueError("graph='epsilon' needs epsilon, a distance; got None.")
        first, second, squared = _edges_within(X, epsilon)
        if kernel == "self-tuning" or sigma == "auto":
            kth = nearest_neighbors(X, n_neighbors, n_jobs=n_jobs)[1][:, -1]
    else:
        (first, second, squared), kth = nearest_edges(X, n_neighbors, n_jobs)
    scales = _scales(len(X), kernel, sigma, kth)
    points = _unit_rows(X) if kernel == "cosine" else X
    weights = _weights(points, squared, first, second, kernel, scales)
    if kernel == "gaussian" and weights.size and not weights.any():
        raise ValueError(advice_on_sigma(X, sigma, n_neighbors))
    directed = coo_array((weights, (first, second)), shape=(len(X), len(X))).tocsr()
    if graph == "mutual-knn":
        return csr_array(directed.minimum(directed.T))
    return csr_array(directed.maximum(directed.T))


@documented
def full_graph(
    X: FloatArray,
    *,
    n_neighbors: int = 5,
    kernel: str = "gaussian",
    sigma: float | str = 1.0,
    loops: bool = False,
    n_jobs: int | None = None,
) -> FullGraph:
    """Join all rows of X, without storing the weights.

    Parameters
    ----------
    {X_complete}
    n_neighbors : int, default=5
        The neighbour whose distance is the scale, see :func:`similarity_graph`.
    kernel : str, default="gaussian"
        Weight of an edge, see :func:`similarity_graph`.
    sigma : float or "auto", default=1.0
        Scale of the kernel, see :func:`similarity_graph`.
    loops : bool, default=False
        Whether each row has an edge to itself, of weight 1, which counts in its degree.
    {n_jobs}

    Returns
    -------
    S : FullGraph of shape (n_samples, n_samples)
        What :func:`degrees`, :func:`quadratic_forms` and
        :func:`pairsift.scores.laplacian_score` take in place of an array.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.graphs import degrees, full_graph
    >>> degrees(full_graph(np.array([[0.0], [1.0], [3.0]]), kernel="inverse"))
    array([0.6, 0.7, 0.3])
    """
    X = as_matrix(X)
    kth = None
    if kernel == "self-tuning" or sigma == "auto":
        kth = nearest_neighbors(X, n_neighbors, n_jobs=n_jobs)[1][:, -1]
    scales = _scales(len(X), kernel, sigma, kth)
    return FullGraph(X, kernel, scales, n_neighbors, loops)


@documented
class FullGraph:
    """The graph that joins all rows; its weights are computed when they are summed.

    Parameters
    ----------
    {X}
    kernel : str
        Weight of an edge, see :func:`similarity_graph`.
    scales : ndarray of shape (n_samples,)
        The scale of the kernel at each row.
    n_neighbors : int, default=5
        Which neighbour to go by in the advice when all weights vanish.
    loops : bool, default=False
        Whether each row has an edge to itself, of weight 1.
    """

    def __init__(
        self,
        X: FloatArray,
        kernel: str,
        scales: FloatArray,
        n_neighbors: int = 5,
        loops: bool = False,
    ) -> None:
        self.shape = (len(X), len(X))
        self._X = _unit_rows(X) if kernel == "cosine" else X
        self._kernel, self._scales = kernel, scales
        self._n_neighbors, self._loop = n_neighbors, float(loops)

    def rows(self, start: int, stop: int) -> FloatArray:
        """Return the rows start, ..., stop - 1 of the similarities.

        Parameters
        ----------
        start, stop : int
            First row, and the one after the last.

        Returns
        -------
        S : ndarray of shape (stop - start, n_samples)
            Similarities; of a row to itself 0, or 1 with loops.
        """
        S = self._edges(start, stop)
        S[np.arange(stop - start), np.arange(start, stop)] = self._loop
        return S

    def _edges(self, start: int, stop: int) -> FloatArray:
        """Return rows of the similarities without those of rows to themselves."""
        check_memory(
            4 * 8 * (stop - start) * len(self._X),
            f"the similarities of all {len(self._X)} rows",
            "take a graph of nearest neighbours, or some of the rows",
        )
        first = np.arange(start, stop)[:, None]
        squared = _kernels.squared_distances(self._X, first.ravel())
        second = np.arange(len(self._X))[None, :]
        S = _weights(self._X, squared, first, second, self._kernel, self._scales)
        S[first - start, first] = 0.0
        return S

    def whole(self) -> FloatArray:
        """Return all similarities.

        Returns
        -------
        S : ndarray of shape (n_samples, n_samples)
            Similarities; of a row to itself 0, or 1 with loops.
        """
        S = self._edges(0, len(self._X))
        self._refuse_no_edges(S)
        np.fill_diagonal(S, self._loop)
        return S

    @documented
    def sums(
        self, X: FloatArray, n_jobs: int | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Return the degrees of all rows and the quadratic forms of the columns of X.

        Parameters
        ----------
        X : ndarray of shape (n_samples, n_features)
            The features, not always those between which the distances are.
        {n_jobs}

        Returns
        -------
        {returns_degrees, returns_forms}
        """
        n_samples = len(X)
        d = np.empty(n_samples)
        n_blocks = -(-n_samples // ROWS_AT_ONCE)
        forms = np.zeros((n_blocks, X.shape[1]))
        # Later rows have more rows before them: every thread gets some of each.
        blocks = np.argsort(np.arange(n_blocks) * GOLDEN % 1.0)

        def add(first: int, last: int) -> None:
            for block in blocks[first:last]:
                start = block * ROWS_AT_ONCE
                S = self._edges(start, min(start + ROWS_AT_ONCE, n_samples))
                d[start : start + len(S)] = S.sum(axis=1)
                _kernels.add_rows_of_forms(X, S, start, forms[block])

        cost = 0.2 * n_samples * (self._X.size + X.size)
        _kernels.on_threads(n_jobs, n_blocks, add, cost=cost)
        self._refuse_no_edges(d)
        return d + self._loop, forms.sum(axis=0)

    def _refuse_no_edges(self, weights: FloatArray) -> None:
        if self._kernel == "gaussian" and len(weights) > 1 and not weights.any():
            sigma = float(self._scales[0])
            raise ValueError(advice_on_sigma(self._X, sigma, self._n_neighbors))


def advice_on_sigma(X: FloatArray, sigma: float | str, n_neighbors: int) -> str:
    """Say that all similarities vanish at a sigma, and at which they do not."""
    auto = nearest_neighbors(X, n_neighbors)[1][:, -1].mean()
    return (
        f"no two rows of X are similar at sigma={sigma}, all weights vanish: take "
        f"sigma={auto:.3g}, which is sigma='auto' for {n_neighbors} neighbours here, "
        "or scale X first."
    )


@documented
def gaussian_weights(
    X: FloatArray,
    pairs: PairArray,
    sigma: float | str,
    *,
    n_neighbors: int = 5,
    n_jobs: int | None = None,
) -> FloatArray:
    r"""Return the Gaussian similarity of some pairs of rows.

    Parameters
    ----------
    {X}
    pairs : ndarray of shape (n_pairs, 2), dtype=int64
        Row numbers.
    sigma : float or "auto"
        The :math:`\sigma` of :math:`\exp(-d^2/2\sigma^2)`; ``"auto"`` is the mean
        distance to the `n_neighbors`-th neighbour.
    n_neighbors : int, default=5
        The neighbour of ``sigma="auto"``.
    {n_jobs}

    Returns
    -------
    weights : ndarray of shape (n_pairs,)
        One similarity per pair.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.graphs import gaussian_weights
    >>> X = np.array([[0.0], [1.0], [3.0]])
    >>> gaussian_weights(X, np.array([[0, 1], [1, 2]]), sigma=1.0).round(3)
    array([0.607, 0.135])
    """
    X = as_matrix(X)
    kth = None
    if sigma == "auto":
        kth = nearest_neighbors(X, n_neighbors, n_jobs=n_jobs)[1][:, -1]
    scales = _scales(len(X), "gaussian", sigma, kth)
    squared = _kernels.pair_distances(X, pairs)
    return _weights(X, squared, pairs[:, 0], pairs[:, 1], "gaussian", scales)


def _scales(
    n_samples: int,
    kernel: str,
    sigma: float | str,
    kth: FloatArray | None,
) -> FloatArray:
    """σ_n σ_m for rows n and m is the product of two of these.

    kth : the distance of each row to its k-th neighbour, None where not needed.
    """
    check_choice(kernel, "kernel", KERNELS)
    if sigma != "auto" and not is_positive(sigma):
        raise ValueError(f"sigma must be a positive number or 'auto', got {sigma!r}.")
    if kth is not None and kernel == "self-tuning":
        return kth
    if kth is not None and sigma == "auto":
        return np.full(n_samples, kth.mean())
    return np.full(n_samples, 1.0 if isinstance(sigma, str) else float(sigma))


def _weights(
    points: FloatArray,
    squared: FloatArray,
    first: IndexArray,
    second: IndexArray,
    kernel: str,
    scales: FloatArray,
) -> FloatArray:
    """Weights of the edges first-second with these squared distances."""
    if kernel == "binary":
        return np.ones(squared.shape)
    if kernel == "cosine":
        return _cosines(points, first, second)
    with np.errstate(all="ignore"):
        scale = scales[first] * scales[second]
        ratio = squared / scale
    ratio[(scale == 0) & (squared == 0)] = 0.0
    return 1.0 / (ratio + 1.0) if kernel == "inverse" else np.exp(-ratio / 2.0)


def _unit_rows(X: FloatArray) -> FloatArray:
    norm = np.linalg.norm(X, axis=1)[:, None]
    return np.divide(X, norm, out=np.zeros_like(X), where=norm > 0)


def _cosines(units: FloatArray, first: IndexArray, second: IndexArray) -> FloatArray:
    if first.ndim == 2:
        return np.abs(units[first.ravel()] @ units[second.ravel()].T)
    cosines = np.empty(first.size)
    step = max(BLOCK_CELLS // units.shape[1], 1)
    for start in range(0, first.size, step):
        edges = slice(start, start + step)
        cosines[edges] = np.einsum(
            "ij,ij->i", units[first[edges]], units[second[edges]]
        )
    return np.abs(cosines)


def _edges_within(X: FloatArray, epsilon: float) -> tuple[Any, Any, Any]:
    """Both directions of every edge shorter than epsilon, and its squared length."""
    step = max(BLOCK_CELLS // len(X), 1)
    found = []
    for start in range(0, len(X), step):
        squared = cdist(X[start : start + step], X, "sqeuclidean")
        is_near = squared < epsilon**2
        is_near[np.arange(len(squared)), np.arange(start, start + len(squared))] = False
        first, second = np.nonzero(is_near)
        found.append((first + start, second, squared[first, second]))
    first, second, squared = (
        np.concatenate(parts) for parts in zip(*found, strict=True)
    )
    return first, second, squared
