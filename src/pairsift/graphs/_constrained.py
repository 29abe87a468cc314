"""Graphs made of what people said: constraint graphs, and neighbours with them."""

from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array, csr_array

from pairsift._blocks import Rows
from pairsift._typing import BoolArray, FloatArray, IndexArray, PairArray
from pairsift.graphs._weights import gaussian_weights


def pair_graph(
    pairs: PairArray, n_samples: int, weights: FloatArray | float = 1.0
) -> csr_array:
    """Return the graph whose edges are these pairs (S20 eq. 6 and 7).

    Parameters
    ----------
    pairs : ndarray of shape (n_pairs, 2), dtype=int64
        Row numbers; the weights of a pair given twice, or both ways, add up.
    n_samples : int
        Number of rows there are.
    weights : float or ndarray of shape (n_pairs,), default=1.0
        Weight of each pair.

    Returns
    -------
    S : csr_array of shape (n_samples, n_samples)
        Symmetric, with a zero diagonal.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.graphs import pair_graph
    >>> pair_graph(np.array([[0, 2]]), 3).toarray()
    array([[0., 0., 1.],
           [0., 0., 0.],
           [1., 0., 0.]])
    """
    both_ways = np.concatenate([pairs, pairs[:, ::-1]])
    weight = np.tile(np.broadcast_to(weights, len(pairs)), 2).astype(np.float64)
    cells = (weight, (both_ways[:, 0], both_ways[:, 1]))
    return csr_array(coo_array(cells, shape=(n_samples, n_samples)))


class ConstrainedEdges(NamedTuple):
    """The pairs of rows that are neighbours or constrained, each of them once."""

    pairs: PairArray
    """Their rows, the smaller first."""
    is_must: BoolArray
    is_cannot: BoolArray
    is_near: BoolArray
    """Either row is among the nearest neighbours of the other."""
    is_free: BoolArray
    """Either row is in no constraint."""
    similarity: FloatArray
    """The Gaussian weight :math:`w_{ij}` of the pair."""
    is_unlabelled: BoolArray
    """Of every row: it is in no constraint."""

    def graph(self, weights: FloatArray) -> csr_array:
        """Return the graph with these weights on the pairs."""
        return pair_graph(self.pairs, self.is_unlabelled.size, weights)


def constrained_edges(
    X: Rows,
    must_link: PairArray,
    cannot_link: PairArray,
    neighbors: csr_array,
    sigma: float | str,
    *,
    n_neighbors: int = 5,
    n_jobs: int | None = -1,
) -> ConstrainedEdges:
    """Bring neighbours and constraints together.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
    must_link, cannot_link : ndarray of shape (n_pairs, 2), dtype=int64
        Row numbers, in any order.
    neighbors : csr_array of shape (n_samples, n_samples)
        Graph that joins neighbours; its weights are not read.
    sigma : float or "auto"
        The σ of the Gaussian similarity.
    n_neighbors, n_jobs : int
        As in :func:`gaussian_weights`.

    Returns
    -------
    edges : ConstrainedEdges
        All pairs that are joined by a constraint or by `neighbors`.
    """
    n_samples = len(X)
    is_unlabelled = unlabelled_rows(n_samples, must_link, cannot_link)
    must, cannot = _keys(must_link, n_samples), _keys(cannot_link, n_samples)
    near = _keys(edge_list(neighbors), n_samples)
    keys = np.unique(np.concatenate([must, cannot, near]))
    pairs = np.column_stack(np.divmod(keys, n_samples))
    return ConstrainedEdges(
        pairs,
        _is_among(keys, must),
        _is_among(keys, cannot),
        _is_among(keys, near),
        is_unlabelled[pairs].any(axis=1),
        gaussian_weights(X, pairs, sigma, n_neighbors=n_neighbors, n_jobs=n_jobs),
        is_unlabelled,
    )


def unlabelled_rows(n_samples: int, *constraints: PairArray) -> BoolArray:
    """Tell which rows are in none of the constraints."""
    is_unlabelled = np.ones(n_samples, dtype=bool)
    for pairs in constraints:
        is_unlabelled[pairs.ravel()] = False
    return is_unlabelled


def edge_list(S: csr_array) -> PairArray:
    """Return the pairs of rows joined in a symmetric graph, the smaller row first."""
    first = np.repeat(np.arange(S.shape[0]), np.diff(S.indptr))
    second = S.indices.astype(np.int64)
    return np.column_stack([first, second])[first < second]


def _keys(pairs: PairArray, n_samples: int) -> IndexArray:
    return pairs.min(axis=1) * n_samples + pairs.max(axis=1)


def _is_among(keys: IndexArray, some: IndexArray) -> BoolArray:
    """Tell which of the sorted keys are some of them."""
    is_among = np.zeros(keys.size, dtype=bool)
    is_among[np.searchsorted(keys, some)] = True
    return is_among
