"""The graph that joins all rows, summed and never stored (H19 section 1.3)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pairsift import _kernels
from pairsift._blocks import Blocks, OneBlock, Rows
from pairsift._checks import check_memory
from pairsift._typing import FloatArray
from pairsift.graphs._in_blocks import as_blocks, targets_of
from pairsift.graphs._nearest import nearest_neighbors
from pairsift.graphs._weights import (
    advice_on_sigma,
    scales_of,
    unit_rows,
    weights_of,
)

ROWS_AT_ONCE = 32
GOLDEN = (5**0.5 - 1) / 2


def full_graph(
    X: Rows,
    *,
    n_neighbors: int = 5,
    kernel: str = "gaussian",
    sigma: float | str = 1.0,
    loops: bool = False,
    n_jobs: int | None = -1,
) -> FullGraph:
    """Join all rows of X, without storing the weights.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Data without missing values, taken as given.
    n_neighbors : int, default=5
        The neighbour whose distance is the scale, see :func:`similarity_graph`.
    kernel : str, default="gaussian"
        Weight of an edge, see :func:`similarity_graph`.
    sigma : float or "auto", default=1.0
        Scale of the kernel, see :func:`similarity_graph`.
    loops : bool, default=False
        Whether each row has an edge to itself, of weight 1, which counts in its degree.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

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
    blocks = as_blocks(X)
    kth = None
    if kernel == "self-tuning" or sigma == "auto":
        kth = nearest_neighbors(blocks, n_neighbors, n_jobs=n_jobs)[1][:, -1]
    scales = scales_of(len(blocks), kernel, sigma, kth)
    return FullGraph(blocks, kernel, scales, n_neighbors, loops)


class FullGraph:
    """The graph that joins all rows; its weights are computed when they are summed.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
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
        X: Rows,
        kernel: str,
        scales: FloatArray,
        n_neighbors: int = 5,
        loops: bool = False,
    ) -> None:
        self._blocks = as_blocks(X)
        self.shape = (len(self._blocks), len(self._blocks))
        self._kernel, self._scales = kernel, scales
        self._n_neighbors, self._loop = n_neighbors, float(loops)
        if isinstance(self._blocks, OneBlock):
            self._all = _Rows.of(self._blocks.X, 0, scales, kernel)

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
        n_samples = self.shape[0]
        check_memory(
            4 * 8 * (stop - start) * n_samples,
            f"the similarities of all {n_samples} rows",
            "take a graph of nearest neighbours, or some of the rows",
        )
        return self._all.part(start, stop).similarities(self._all, self._kernel)

    def whole(self) -> FloatArray:
        """Return all similarities.

        Returns
        -------
        S : ndarray of shape (n_samples, n_samples)
            Similarities; of a row to itself 0, or 1 with loops.
        """
        S = self._edges(0, self.shape[0])
        self._refuse_no_edges(S)
        np.fill_diagonal(S, self._loop)
        return S

    def sums(self, X: Rows, n_jobs: int | None = -1) -> tuple[FloatArray, FloatArray]:
        """Return the degrees of all rows and the quadratic forms of the columns of X.

        Parameters
        ----------
        X : ndarray of shape (n_samples, n_features)
            The features, not always those between which the distances are.
        n_jobs : int or None, default=-1
            Number of threads: -1 for all cores, None as in joblib.

        Returns
        -------
        d : ndarray of shape (n_samples,)
            Degrees.
        forms : ndarray of shape (n_features,)
            Quadratic forms.
        """
        features = X.X if isinstance(X, OneBlock) else X
        if isinstance(self._blocks, OneBlock) and not isinstance(features, Blocks):
            d, forms = self._sums_in_memory(features, n_jobs)
        elif X is self._blocks:
            d, forms = self._sums_in_passes()
        else:
            raise ValueError(
                "X must be the rows of the graph where these are in blocks, got other "
                "features."
            )
        self._refuse_no_edges(d)
        return d + self._loop, forms

    def _sums_in_memory(
        self, X: FloatArray, n_jobs: int | None
    ) -> tuple[FloatArray, FloatArray]:
        n_samples, everyone = self.shape[0], self._all._replace(features=X)
        d = np.empty(n_samples)
        n_strips = -(-n_samples // ROWS_AT_ONCE)
        forms = np.zeros((n_strips, X.shape[1]))
        # Later rows have more rows before them: every thread gets some of each.
        order = np.argsort(np.arange(n_strips) * GOLDEN % 1.0)

        def add(first: int, last: int) -> None:
            for strip in order[first:last]:
                start = strip * ROWS_AT_ONCE
                part = slice(start, start + ROWS_AT_ONCE)
                rows = everyone.part(part.start, part.stop)
                d[part] = rows.add_sums(everyone, self._kernel, forms[strip])

        cost = 0.2 * n_samples * (self._all.points.size + X.size)
        _kernels.on_threads(n_jobs, n_strips, add, cost=cost)
        return d, forms.sum(axis=0)

    def _sums_in_passes(self) -> tuple[FloatArray, FloatArray]:
        """Sum over all pairs of blocks: some rows at a time travel to all of them."""
        blocks, scales, kernel = self._blocks, self._scales, self._kernel
        d, forms = np.empty(len(blocks)), np.zeros(blocks.shape[1])
        for some in targets_of(blocks, np.arange(len(blocks))):
            rows = _Rows.of(blocks.rows(some), int(some[0]), scales[some], kernel)
            d[some], more = blocks.reduce(
                _sums_of_block, _add_sums, rows, kernel, by_row=scales
            )
            forms += more
        return d, forms

    def _refuse_no_edges(self, weights: FloatArray) -> None:
        if self._kernel == "gaussian" and len(weights) > 1 and not weights.any():
            sigma = float(self._scales[0])
            raise ValueError(advice_on_sigma(self._blocks, sigma, self._n_neighbors))


class _Rows(NamedTuple):
    """Rows of a full graph that follow one another.

    first : number of the first; points : (n, d), between which the distances are;
    scales : (n,) of the kernel; features : (n, f), whose forms are summed.
    """

    first: int
    points: FloatArray
    scales: FloatArray
    features: FloatArray

    @staticmethod
    def of(X: FloatArray, first: int, scales: FloatArray, kernel: str) -> _Rows:
        """Return rows whose values are the features, too."""
        return _Rows(first, unit_rows(X) if kernel == "cosine" else X, scales, X)

    def part(self, start: int, stop: int) -> _Rows:
        """Return some of the rows, by their places among these."""
        arrays = (array[start:stop] for array in self[1:])
        return _Rows(self.first + start, *arrays)

    def similarities(self, others: _Rows, kernel: str) -> FloatArray:
        """Return the similarities of these rows and others, 0 of one to itself."""
        if kernel == "cosine":
            S = np.abs(self.points @ others.points.T)
        else:
            squared = _kernels.squared_distances(others.points, self.points)
            S = weights_of(kernel, squared, self.scales[:, None], others.scales)
        own = np.arange(len(S)) + self.first - others.first
        is_among = (own >= 0) & (own < S.shape[1])
        S[is_among, own[is_among]] = 0.0
        return S

    def add_sums(self, others: _Rows, kernel: str, forms: FloatArray) -> FloatArray:
        """Add the forms of edges to others before; return the sums of all weights."""
        S = self.similarities(others, kernel)
        start = self.first - others.first
        _kernels.add_rows_of_forms(others.features, self.features, S, start, forms)
        return S.sum(axis=1)


def _sums_of_block(
    X: FloatArray, first_row: int, scales: FloatArray, rows: _Rows, kernel: str
) -> tuple[FloatArray, FloatArray]:
    """Return the sums of weights from some rows to those of a block, and the forms."""
    others = _Rows.of(X, first_row, scales, kernel)
    d, forms = np.empty(len(rows.points)), np.zeros(X.shape[1])
    for start in range(0, d.size, ROWS_AT_ONCE):
        part = rows.part(start, start + ROWS_AT_ONCE)
        d[start : start + ROWS_AT_ONCE] = part.add_sums(others, kernel, forms)
    return d, forms


def _add_sums(
    first: tuple[FloatArray, FloatArray], later: tuple[FloatArray, FloatArray]
) -> tuple[FloatArray, FloatArray]:
    return first[0] + later[0], first[1] + later[1]
