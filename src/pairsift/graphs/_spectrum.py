"""The smooth end of the spectrum of a graph."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.linalg import eigh
from scipy.sparse import csc_array, csr_array, diags_array, eye_array, issparse
from scipy.sparse.csgraph import connected_components, reverse_cuthill_mckee
from scipy.sparse.linalg import (
    ArpackNoConvergence,
    LinearOperator,
    eigsh,
    splu,
)

from pairsift._typing import FloatArray, IndexArray
from pairsift.graphs._forms import degrees

TIED_EIGENVALUES = 1e-9
"""Eigenvalues of the normalised Laplacian, all within [0, 2], that count as equal."""
FAINT = 1e-11
"""Share of the degrees of both its ends below which an edge is left out."""
MAX_DENSE = 1500
"""Nodes of a sparse graph up to which its matrices are made dense at once."""
MAX_FULL = 4000
"""Nodes up to which they are where the graph is dense anyhow, or all else fails."""
MAX_BAND_CELLS = 2**25
"""Cells of a banded matrix up to which it is factored."""
SHIFT = 1e-7
MAX_RESTARTS = 300


class SmoothSpectrum(NamedTuple):
    """Eigenvalues and eigenvectors of the normalised Laplacian, smallest first."""

    component: IndexArray
    """Connected component of each node: these span the null space."""
    values: FloatArray
    """(m,) smallest eigenvalues beside the null space."""
    vectors: FloatArray
    """(n, m) their eigenvectors."""


def smooth_spectrum(S: csr_array | FloatArray, n_vectors: int) -> SmoothSpectrum:
    r"""Find the smoothest eigenvectors of :math:`D^{-1/2} L D^{-1/2}`.

    The null space is known without any computing: it has one vector for each connected
    component, :math:`D^{1/2}` on its nodes. What it leaves of the `n_vectors` is
    computed, together with all eigenvectors whose eigenvalues are tied with the last.

    Parameters
    ----------
    S : csr_array or ndarray of shape (n_samples, n_samples)
        Symmetric similarities, in which every node has edges.
    n_vectors : int
        Number of eigenvectors wanted, the null space among them.

    Returns
    -------
    spectrum : SmoothSpectrum
        Components, and eigenvalues with eigenvectors.

    Notes
    -----
    Up to 1500 nodes, or 4000 of a dense graph, LAPACK finds them. Beyond, Lanczos'
    method does, with fixed starts: on :math:`(L + \epsilon)^{-1}` where the graph is
    thin, so that its matrix can be ordered to a narrow band (then eigenvalues are
    crowded near 0, and factoring is cheap), and on :math:`2 - L` otherwise. It may
    overlook copies of a multiple eigenvalue, so it is repeated beside what was found
    until nothing new turns up. Edges of a sparse graph that are less than 1e-11 of the
    degrees of both ends are left out first: where sigma is small, thousands of rows
    are as good as disconnected, and then known to be so.
    """
    n_nodes = S.shape[0]
    if issparse(S):
        S = _without_faint_edges(S)
    n_components, component = connected_components(S, directed=False)
    component = component.astype(np.int64)
    n_wanted = min(n_vectors, n_nodes) - n_components
    if n_wanted <= 0:
        return SmoothSpectrum(component, np.empty(0), np.empty((n_nodes, 0)))
    d = degrees(S)
    inverse = 1.0 / np.sqrt(d)
    if issparse(S):
        P = csr_array(diags_array(inverse) @ S @ diags_array(inverse))
    else:
        P = inverse[:, None] * S * inverse
    # Unit vectors of the null space, kept as one array: they do not overlap.
    root = np.sqrt(d / np.bincount(component, d)[component])
    most = MAX_DENSE if issparse(S) else MAX_FULL
    if n_nodes <= most or n_wanted >= n_nodes - n_components - 1:
        found = _by_lapack(P, root, component, n_wanted)
    else:
        try:
            found = _by_lanczos(P, root, component, n_wanted)
        except ArpackNoConvergence:
            if n_nodes > MAX_FULL:
                raise ValueError(
                    "the smoothest eigenvectors of the graph are too many to be told "
                    "apart: choose another sigma (for example 'auto') or n_clusters."
                ) from None
            found = _by_lapack(P, root, component, n_wanted)
    return SmoothSpectrum(component, *found)


def _without_faint_edges(S: csr_array) -> csr_array:
    """Leave out edges, stored zeros among them, too weak to change an eigenvalue."""
    edges = S.tocoo()
    d = degrees(S)
    weaker = np.minimum(d[edges.row], d[edges.col])
    is_kept = edges.data > FAINT * weaker
    places = (edges.row[is_kept], edges.col[is_kept])
    return csr_array((edges.data[is_kept], places), shape=S.shape)


def _by_lapack(
    P: csr_array | FloatArray, root: FloatArray, component: IndexArray, n_wanted: int
) -> tuple[FloatArray, FloatArray]:
    matrix = -(csr_array(P).toarray() if issparse(P) else P)
    matrix[np.diag_indices_from(matrix)] += 1.0
    # Moves the null space to the far end, at 2, where it carries no weight.
    is_together = component[:, None] == component
    matrix += np.where(is_together, 2.0 * root[:, None] * root, 0.0)
    most = len(root) - component.max() - 1
    n_found = 0
    while True:
        n_found = min(max(2 * n_found, n_wanted + 8), most)
        values, vectors = eigh(matrix, subset_by_index=[0, n_found - 1])
        if n_found == most or values[-1] > values[n_wanted - 1] + TIED_EIGENVALUES:
            is_needed = values <= values[n_wanted - 1] + TIED_EIGENVALUES
            return np.clip(values[is_needed], 0.0, 2.0), vectors[:, is_needed]


def _by_lanczos(
    P: csr_array | FloatArray, root: FloatArray, component: IndexArray, n_wanted: int
) -> tuple[FloatArray, FloatArray]:
    search = _Search(P, root, component)
    values, vectors, _ = search.find(n_wanted, 0.0)
    search.add(values, vectors)
    is_finished = False
    while not is_finished and search.values.size < len(root) - component.max() - 1:
        last = np.sort(search.values)[n_wanted - 1] + TIED_EIGENVALUES
        # What comes next need only be known well enough to be left out.
        for tol in (1e-6, 0.0):
            values, vectors, errors = search.find(1, tol)
            is_finished = bool(values[0] - errors[0] > last)
            if is_finished:
                break
        else:
            search.add(values, vectors)
    order = np.argsort(search.values, kind="stable")
    values = search.values[order]
    order = order[values <= values[n_wanted - 1] + TIED_EIGENVALUES]
    return np.clip(search.values[order], 0.0, 2.0), search.vectors[:, order]


class _Search:
    """Lanczos' method beside the null space and what was found so far."""

    def __init__(
        self, P: csr_array | FloatArray, root: FloatArray, component: IndexArray
    ) -> None:
        self.P, self.root, self.component = P, root, component
        self.values, self.vectors = np.empty(0), np.empty((len(root), 0))
        self.rng = np.random.default_rng(0)
        self.bend = _inverse(P) if issparse(P) and _is_thin(P) else self._shift

    def find(self, n_new: int, tol: float) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the next eigenvalues, eigenvectors, and bounds of their errors."""
        operator = LinearOperator(
            (len(self.root), len(self.root)), matvec=self._apply, dtype=np.float64
        )
        _, vectors = eigsh(
            operator,
            n_new,
            which="LA",
            # Another start every time: of a multiple eigenvalue, Lanczos' method sees
            # only the part of its start, which it found last time.
            v0=self.rng.standard_normal(len(self.root)),
            ncv=min(max(2 * n_new + 1, 40), len(self.root)),
            maxiter=MAX_RESTARTS,
            tol=tol,
        )
        vectors, _ = np.linalg.qr(
            np.column_stack([self._beside_known(v) for v in vectors.T])
        )
        images = vectors - self.P @ vectors
        values = (images * vectors).sum(axis=0)
        return values, vectors, np.linalg.norm(images - values * vectors, axis=0)

    def add(self, values: FloatArray, vectors: FloatArray) -> None:
        self.values = np.append(self.values, values)
        self.vectors = np.column_stack([self.vectors, vectors])

    def _apply(self, v: FloatArray) -> FloatArray:
        return self._beside_known(self.bend(self._beside_known(v.ravel())))

    def _shift(self, v: FloatArray) -> FloatArray:
        return v + np.asarray(self.P @ v)

    def _beside_known(self, v: FloatArray) -> FloatArray:
        null_parts = np.bincount(self.component, self.root * v)
        v = v - self.root * null_parts[self.component]
        return v - self.vectors @ (self.vectors.T @ v)


def _is_thin(P: csr_array) -> bool:
    order = reverse_cuthill_mckee(P, symmetric_mode=True)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    edges = P.tocoo()
    width = np.abs(place[edges.row] - place[edges.col]).max(initial=0)
    return bool((width + 1) * len(order) <= MAX_BAND_CELLS)


def _inverse(P: csr_array) -> Callable[[FloatArray], FloatArray]:
    factors = splu(
        csc_array((1.0 + SHIFT) * eye_array(P.shape[0]) - P),
        permc_spec="MMD_AT_PLUS_A",
        diag_pivot_thresh=0.0,
        options={"SymmetricMode": True},
    )
    solve: Callable[[FloatArray], FloatArray] = factors.solve
    return solve
