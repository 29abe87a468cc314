"""What the features are to explain in MCFS: the smooth eigenvectors of a graph."""

import numpy as np
from scipy.sparse import csr_array

from pairsift._typing import FloatArray, IndexArray
from pairsift.graphs import FullGraph, degrees
from pairsift.graphs._spectrum import smooth_spectrum


def cluster_targets(
    S: csr_array | FloatArray | FullGraph, n_clusters: int
) -> tuple[IndexArray, FloatArray]:
    """Return the rows that have edges, and smooth targets on them at unit length.

    The targets are the solutions of L y = λ D y with the smallest λ, the constant left
    out. Of a graph in several components, for which λ = 0 has many solutions, the
    largest components are the first targets, 1 inside and 0 outside.
    """
    if isinstance(S, FullGraph):
        S = S.rows(0, S.shape[0])
    d = degrees(S)
    joined = np.flatnonzero(d)
    if joined.size < len(d):
        S, d = S[joined][:, joined], d[joined]
    spectrum = smooth_spectrum(S, n_clusters + 1)
    targets = spectrum.vectors / np.sqrt(d)[:, None]
    sizes = np.bincount(spectrum.component)
    if sizes.size > 1:
        largest = np.argsort(-sizes, kind="stable")[:n_clusters]
        inside = (spectrum.component[:, None] == largest).astype(np.float64)
        targets = np.column_stack([inside, targets])
    targets = targets - targets.mean(axis=0)
    return joined, targets / np.linalg.norm(targets, axis=0)
