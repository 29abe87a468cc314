"""Rows whose nearest other row has their class, for a subset and one more feature."""

import numpy as np

from pairsift._kernels._jit import N_BLOCKS, kernel, on_threads, sum_of_blocks
from pairsift._kernels.relief._cells import share_of_ties
from pairsift._typing import FloatArray, IndexArray

# Features taken together: their columns of some thousand rows stay in the cache.
CHUNK_FEATURES = 128
# As many rows nearest in the subset bound the distance to the nearest of all.
N_GUESSES = 8


def neighbor_hits(
    X: FloatArray,
    features: IndexArray,
    D: FloatArray,
    classes: IndexArray,
    train: IndexArray,
    test: IndexArray,
    skip_self: bool,
    n_terms: int,
    n_jobs: int | None = -1,
) -> FloatArray:
    """Count the test rows whose nearest training row has their class.

    Distance: D_ij + (x_i - x_j)², for each feature alone. Where several rows are tied
    as the nearest (distances agree up to rounding), the share of them that has the
    class counts.

    X : (n, d); features : (m,) columns; D : (n, n) squared distances in the subset;
    classes : (n,); train : rows in ascending order; test : rows; skip_self : whether a
    row is no neighbour of itself; n_terms : how many squares a distance sums. Returns
    (m,) counts.
    """
    # As elsewhere: the differences of decimals like 0.6, 0.7 and 0.8 are wrong by more
    # than the sums.
    rounding = share_of_ties(n_terms)
    parts = [
        slice(start, min(start + CHUNK_FEATURES, features.size))
        for start in range(0, features.size, CHUNK_FEATURES)
    ]
    chunks = [np.take(X, features[part], axis=1) for part in parts]

    def add(first, last, hits):
        for part, chunk in zip(parts, chunks, strict=True):
            for block in range(first, last):
                rows = test[
                    block * test.size // N_BLOCKS : (block + 1) * test.size // N_BLOCKS
                ]
                sums = hits[block, part]
                _add_hits(chunk, D, classes, train, rows, skip_self, rounding, sums)

    cost = 0.4 * test.size * train.size * features.size
    return sum_of_blocks(n_jobs, features.size, add, cost=cost)


def add_squares(x: FloatArray, n_jobs: int | None, out: FloatArray) -> None:
    """D_ij ← D_ij + (x_i - x_j)²; x : (n,), out : (n, n)."""

    def add(first, last):
        _add_squares(x, first, last, out)

    on_threads(n_jobs, x.size, add, cost=1.0 * out.size)


@kernel()
def _add_squares(x, first, last, D):
    for i in range(first, last):
        row, x_i = D[i], x[i]
        for j in range(x.size):
            delta = x[j] - x_i
            row[j] += delta * delta


@kernel()
def _add_hits(X, D, classes, train, rows, skip_self, rounding, hits):
    best = np.empty(X.shape[1])
    n_tied, n_same = np.empty(X.shape[1]), np.empty(X.shape[1])
    guesses = np.empty(N_GUESSES, dtype=np.int64)
    nearest = np.empty(N_GUESSES)
    for r in range(rows.size):
        i = rows[r]
        skipped = i if skip_self else -1
        x, distances = X[i], D[i]
        n_guesses = _guess(distances, train, skipped, guesses, nearest)
        best[:] = np.inf
        for g in range(n_guesses):
            _shorten(distances[guesses[g]], X[guesses[g]], x, best)
        # A row farther in the subset alone is nearer for no feature; the margin is
        # more than rounding.
        most = best.max() * (1.0 + 1e-9)
        best[:] = np.inf
        n_tied[:] = n_same[:] = 0.0
        for t in range(train.size):
            j = train[t]
            if distances[j] <= most and j != skipped:
                same = 1.0 if classes[j] == classes[i] else 0.0
                _replace(distances[j], X[j], x, same, rounding, best, n_tied, n_same)
        for f in range(hits.size):
            # Without any other row there is no hit.
            hits[f] += n_same[f] / max(n_tied[f], 1.0)


@kernel()
def _guess(distances, train, skipped, rows, nearest):
    """Find the training rows nearest in the subset; return how many there are."""
    n_found = 0
    nearest[:] = np.inf
    for t in range(train.size):
        j = train[t]
        if j == skipped or (n_found == rows.size and distances[j] >= nearest[-1]):
            continue
        n_found = min(n_found + 1, rows.size)
        k = n_found - 1
        while k > 0 and distances[j] < nearest[k - 1]:
            rows[k], nearest[k] = rows[k - 1], nearest[k - 1]
            k -= 1
        rows[k], nearest[k] = j, distances[j]
    return n_found


@kernel()
def _shorten(base, other, x, best):
    """best_f ← min(best_f, base + (other_f - x_f)²)."""
    for f in range(best.size):
        delta = other[f] - x[f]
        distance = base + delta * delta
        best[f] = distance if distance < best[f] else best[f]


@kernel()
def _replace(base, other, x, same, rounding, best, n_tied, n_same):
    """Take a row as the nearest, or one of them, for all features for which it is.

    same : 1 if it has the class of the row at hand, 0 otherwise.
    """
    below, above = 1.0 - rounding, 1.0 + rounding
    for f in range(best.size):
        delta = other[f] - x[f]
        distance = base + delta * delta
        is_nearer = distance < best[f] * below
        more = 1.0 if distance <= best[f] * above else 0.0
        n_tied[f] = 1.0 if is_nearer else n_tied[f] + more
        n_same[f] = same if is_nearer else n_same[f] + more * same
        best[f] = distance if is_nearer else best[f]
