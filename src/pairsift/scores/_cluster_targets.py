"""What the features are to explain in MCFS: the smooth eigenvectors of a graph."""

from itertools import pairwise

import numpy as np
from scipy.sparse import csr_array

from pairsift._checks import warn_of_clusters
from pairsift._typing import FloatArray, IndexArray
from pairsift.graphs import (
    TIED_EIGENVALUES,
    FullGraph,
    SmoothSpectrum,
    check_graph,
    degrees,
    smooth_spectrum,
)
from pairsift.scores._columns import centred_columns, unit_columns


def cluster_targets(
    X: FloatArray, S: csr_array | FloatArray | FullGraph, n_clusters: int
) -> tuple[IndexArray, FloatArray]:
    """Return the rows that have edges, and smooth targets on them at unit length.

    The targets are the solutions of L y = λ D y with the smallest λ, the constant left
    out. Of a graph in several components, for which λ = 0 has many solutions, the
    largest components are the first targets, 1 inside and 0 outside.
    """
    check_graph(S, X)
    if isinstance(S, FullGraph):
        S = S.whole()
    d = degrees(S)
    joined = np.flatnonzero(d)
    if joined.size < 3:
        raise ValueError(
            f"MCFS needs at least 3 rows that are similar to others, got {joined.size} "
            f"of {len(d)}: take more rows, or choose sigma (for example 'auto'), "
            "n_neighbors or epsilon larger."
        )
    warn_of_clusters(n_clusters, joined.size - 1, "eigenvectors there are")
    if joined.size < len(d):
        S, d = S[joined][:, joined], d[joined]
    spectrum = smooth_spectrum(S, n_clusters + 1)
    columns, root = centred_columns(X[joined]), np.sqrt(d)[:, None]
    components = _component_targets(spectrum.component, columns, n_clusters)
    n_left = n_clusters - int(spectrum.component.max())
    vectors = _eigenvector_targets(spectrum, root * columns, n_left)
    targets = np.hstack([components, vectors / root])
    return joined, unit_columns(centred_columns(targets))


def _component_targets(
    component: IndexArray, columns: FloatArray, n_clusters: int
) -> FloatArray:
    """Return 1 inside and 0 outside of the largest components, if there are several.

    Where more are tied than there are places, their principal axes take these.
    """
    sizes = np.bincount(component)
    if sizes.size == 1:
        return np.empty((component.size, 0))
    largest = np.argsort(-sizes, kind="stable")
    least = sizes[largest[:n_clusters][-1]]
    tied, n_larger = np.flatnonzero(sizes == least), int((sizes > least).sum())
    inside = (component[:, None] == largest[:n_clusters]).astype(np.float64)
    if n_larger + tied.size <= n_clusters:
        return inside
    members = csr_array(
        (np.ones(component.size), (component, np.arange(component.size)))
    )
    axes = _principal_axes((members @ columns)[tied], n_clusters - n_larger)
    values = np.zeros((sizes.size, axes.shape[1]))
    values[tied] = axes
    return np.hstack([inside[:, :n_larger], values[component]])


def _eigenvector_targets(
    spectrum: SmoothSpectrum, columns: FloatArray, n_places: int
) -> FloatArray:
    """Return the smoothest eigenvectors; of a multiple eigenvalue, principal axes."""
    starts = np.flatnonzero(
        np.diff(spectrum.values, prepend=-np.inf) > TIED_EIGENVALUES
    )
    targets: list[FloatArray] = [np.empty((len(columns), 0))]
    for first, last in pairwise([*starts.tolist(), spectrum.values.size]):
        vectors = spectrum.vectors[:, first:last]
        if last - first > 1:
            axes = _principal_axes(vectors.T @ columns, n_places - first)
            vectors = vectors @ axes
        targets.append(vectors)
    return np.hstack(targets)


def _principal_axes(parts: FloatArray, n_axes: int) -> FloatArray:
    """Return the axes along which the columns have the largest parts.

    Any orthogonal axes of the space would do; these depend neither on the solver nor
    on the order of rows and columns.
    """
    return np.linalg.svd(parts, full_matrices=False)[0][:, :n_axes]
