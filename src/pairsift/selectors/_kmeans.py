"""K-means, on threads where they help and cannot hang."""

import os
from contextlib import nullcontext

import numpy as np
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_limits

from pairsift._checks import warn_of_clusters
from pairsift._random import as_generator
from pairsift._typing import FloatArray, RandomState

# A step over fewer cells, times clusters, takes less than waking the threads.
MANY_CELLS = 10_000_000
# Share of the spread of a column by which rows are moved.
HAIR = 1e-8
_is_forked = False


def _note_fork() -> None:
    global _is_forked
    _is_forked = True


# The threads of OpenMP stay behind in the parent, and libgomp waits for them for ever.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_note_fork)


def k_means(
    X: FloatArray, n_clusters: int, n_init: int, random_state: RandomState
) -> KMeans:
    """Fit K-means with at most as many clusters as there are different rows."""
    seed = int(as_generator(random_state).integers(2**31))
    distinct, place = np.unique(X, axis=0, return_inverse=True)
    warn_of_clusters(n_clusters, len(distinct), "different rows")
    n_clusters = min(n_clusters, len(distinct))
    # A row as near to two centres would go where rounding, another on each processor,
    # sends it. Equal rows move together.
    moves = np.random.default_rng(seed).normal(size=distinct.shape)
    X = X + HAIR * X.std(axis=0) * moves[place.ravel()]
    means = KMeans(n_clusters, n_init=n_init, random_state=seed)
    # Arrays, whatever the global setting of scikit-learn is.
    means.set_output(transform="default")
    is_alone = _is_forked or X.size * n_clusters < MANY_CELLS
    with threadpool_limits(1, "openmp") if is_alone else nullcontext():
        return means.fit(X)
