"""Clusters of all rows from a few labels or pairs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import eigh
from scipy.spatial.distance import cdist

from pairsift._checks import warn_of_clusters
from pairsift._random import as_generator
from pairsift._typing import FloatArray, IndexArray, RandomState
from pairsift.constraints import PairConstraints, refuse_other_order
from pairsift.evaluation._validation import as_matrix, as_prototypes
from pairsift.exceptions import DataError
from pairsift.graphs import full_graph, laplacian, nearest_prototype_classes

_NORMALIZATIONS = {"additive": None, "symmetric": "symmetric"}
# Relative to the largest degree; rounding is some orders of magnitude below.
_TIE = 1e-10
MAX_ROUNDS = 300
N_STARTS = 10


def constrained_spectral_clustering(
    X: ArrayLike,
    labels: ArrayLike | None = None,
    *,
    constraints: PairConstraints | None = None,
    n_clusters: int | None = None,
    sigma: float | str = 1.0,
    normalization: str = "additive",
    random_state: RandomState = 0,
) -> NDArray[Any]:
    r"""Cluster all rows, helped by a few labelled rows or by pairs.

    Similarities of constrained pairs are replaced by 1 and 0, and rows represented by
    the leading eigenvectors of the graph. There, labels spread to the nearest rows,
    and without labels k-means makes the clusters.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Data, all finite and of comparable scales.
    labels : array-like of shape (n_samples,), optional
        Classes of the labelled rows; the others hold -1 (numbers) or None, NaN or
        empty text. There is one cluster for each class.
    constraints : PairConstraints, optional
        Pairs, in place of labels; those that follow from them are added.
    n_clusters : int, optional
        Number of clusters; needed with `constraints`, and only there.
    sigma : float or "auto", default=1.0
        Scale of the similarities :math:`\exp(-d^2 / 2\sigma^2)`; ``"auto"`` is the
        mean distance to the fifth neighbour.
    normalization : {"additive", "symmetric"}, default="additive"
        How degrees are made equal, see Notes. Additive is that of [1]_, symmetric does
        not give clusters of their own to a few rows far from all others.
    random_state : int, Generator, RandomState or None, default=0
        Seed of the clusters that no must-link starts; labels leave nothing to chance.

    Returns
    -------
    ndarray of shape (n_samples,)
        Class of each row as written in `labels`; with `constraints` the number of its
        cluster, at most `n_clusters` of them numbered from 0 by their first rows.

    Raises
    ------
    ValueError
        If the arguments do not fit each other or X (a `DataError`), the constraints
        contradict each other or name rows that X does not have (a `ConstraintError`),
        or `sigma` is not positive.

    See Also
    --------
    prototype_accuracy_curve : Judges rankings by means of these classes.
    constrained_kmeans : Keeps every pair, and takes no matrix of all rows.
    pairsift.graphs.full_graph : The similarities.

    Notes
    -----
    With :math:`A` the similarities of the full graph, in which :math:`A_{ij} = 1` for
    must-links and :math:`A_{ij} = 0` for cannot-links, :math:`D` the diagonal matrix of
    its row sums and :math:`d_{max}` the largest of them, rows are represented by the
    eigenvectors to the k largest eigenvalues of

    .. math::
        N = \frac{A + d_{max} I - D}{d_{max}} \quad \text{or} \quad
        N = D^{-1/2} A D^{-1/2},

    scaled to unit length, where the first is the additive normalisation of [1]_ and
    the second that of [2]_. Then, as in [1]_, labelled rows serve a classifier and
    pairs a clustering. What [1]_ leaves open is decided as follows.

    - From labels, k is the number of classes and each row takes the class of the
      nearest labelled one; labelled rows keep theirs.
    - From pairs, k-means starts at the means of the must-link groups, when there are
      more than k at those that are largest and farthest apart [3]_; clusters left over
      start by k-means++, best of ten. Pairs change similarities and start clusters but
      are not enforced.
    - Eigenvalues equal to the k-th all count, since any choice among their
      eigenvectors would be arbitrary.

    Time is cubic in the number of rows, and memory holds some matrices of
    `n_samples` × `n_samples`.

    References
    ----------
    .. [1] S. D. Kamvar, D. Klein, C. D. Manning, "Spectral learning", IJCAI,
       561-566, 2003.
    .. [2] A. Y. Ng, M. I. Jordan, Y. Weiss, "On spectral clustering: analysis and
       an algorithm", NIPS 14, 849-856, 2001.
    .. [3] M. Bilenko, S. Basu, R. J. Mooney, "Integrating constraints and metric
       learning in semi-supervised clustering", ICML, 2004,
       doi:10.1145/1015330.1015360.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift import PairConstraints
    >>> from pairsift.evaluation import constrained_spectral_clustering
    >>> X = np.array([[0.0], [0.1], [0.2], [0.8], [0.9], [1.0]])
    >>> labels = ["low", None, None, None, None, "high"]
    >>> constrained_spectral_clustering(X, labels, sigma=0.2)
    array(['low', 'low', 'low', 'high', 'high', 'high'], dtype='<U4')
    >>> pairs = PairConstraints(must_link=[(3, 5)], n_samples=6)
    >>> constrained_spectral_clustering(X, constraints=pairs, n_clusters=2, sigma=0.2)
    array([0, 0, 0, 1, 1, 1])
    """
    matrix = as_matrix(X, "X")
    if normalization not in _NORMALIZATIONS:
        names = " or ".join(map(repr, _NORMALIZATIONS))
        raise DataError(f"normalization must be {names}, got {normalization!r}.")
    check_either(labels, constraints)
    if labels is not None:
        codes, classes = as_prototypes(labels, "labels", len(matrix), "X")
        refuse_n_clusters(n_clusters)
        return classes[spread_classes(matrix, codes, sigma, normalization)]
    pairs = check_pairs(constraints, X, len(matrix))
    n_clusters = check_n_clusters(n_clusters, len(matrix))
    S = _similarities(matrix, sigma)
    for linked, value in ((pairs.must_link, 1.0), (pairs.cannot_link, 0.0)):
        S[linked[:, 0], linked[:, 1]] = S[linked[:, 1], linked[:, 0]] = value
    points = _embed(S, n_clusters, normalization)
    seeds = group_seeds(points, pairs.groups(), n_clusters)
    clusters = _clusters(points, seeds, n_clusters, as_generator(random_state))
    return numbered(clusters, n_clusters, matrix)


def spread_classes(
    X: FloatArray, codes: IndexArray, sigma: float | str, normalization: str
) -> IndexArray:
    """Return the class number of every row; `codes` is -1 where it is not known."""
    S = _similarities(X, sigma)
    labelled = np.flatnonzero(codes >= 0)
    known = codes[labelled]
    S[np.ix_(labelled, labelled)] = known[:, np.newaxis] == known
    np.fill_diagonal(S, 0.0)
    n_classes = int(codes.max()) + 1
    return nearest_prototype_classes(_embed(S, n_classes, normalization), codes)


def _similarities(X: FloatArray, sigma: float | str) -> FloatArray:
    # Constraints may be all that joins the rows.
    return full_graph(X, sigma=sigma).rows(0, len(X))


def check_either(labels: Any, constraints: Any) -> None:
    """Refuse both, and neither."""
    if (labels is None) == (constraints is None):
        given = "neither" if labels is None else "both"
        raise DataError(f"give either labels or constraints, got {given}.")


def refuse_n_clusters(n_clusters: int | None) -> None:
    """Refuse a number of clusters beside labels, which have one of their own."""
    if n_clusters is not None:
        raise DataError(
            "n_clusters is the number of classes when labels are given, leave it out; "
            f"got {n_clusters!r}."
        )


def check_n_clusters(n_clusters: int | None, n_samples: int) -> int:
    """Return the number of clusters that pairs need to be given with."""
    is_whole = isinstance(n_clusters, int | np.integer)
    if n_clusters is None or not is_whole or not 1 <= n_clusters <= n_samples:
        raise DataError(
            f"n_clusters must be a whole number from 1 to {n_samples}, the number of "
            f"rows, when constraints are given, got {n_clusters!r}."
        )
    return int(n_clusters)


def numbered(clusters: IndexArray, n_clusters: int, X: FloatArray) -> IndexArray:
    """Return clusters numbered by first rows; warn if equal rows make them fewer."""
    numbers = by_first_rows(clusters)
    n_found = int(numbers.max()) + 1
    if n_found < n_clusters:
        # Cannot-links may part equal rows.
        n_different = max(n_found, len(np.unique(X, axis=0)))
        warn_of_clusters(n_clusters, n_different, "different rows")
    return numbers


def check_pairs(constraints: Any, X: Any, n_samples: int) -> PairConstraints:
    """Return the pairs with those that follow from them."""
    if not isinstance(constraints, PairConstraints):
        kind = type(constraints).__name__
        raise DataError(f"constraints must be a PairConstraints, got a {kind}.")
    refuse_other_order(X, constraints)
    constraints.resolve(n_samples)
    return constraints.closure()


def _embed(S: FloatArray, n_clusters: int, normalization: str) -> FloatArray:
    """Return the unit rows of the leading eigenvectors of N, see the public Notes."""
    # N = I - L / d_max or I - L_sym: its largest eigenvalues are the smallest of L.
    L = laplacian(S, _NORMALIZATIONS[normalization])
    values, vectors = eigh(L, subset_by_index=[0, min(n_clusters, len(L) - 1)])
    last = values[n_clusters - 1] + _TIE * L.diagonal().max()
    if len(values) > n_clusters and values[n_clusters] <= last:
        vectors = eigh(L, subset_by_value=[-np.inf, last])[1]
    else:
        vectors = vectors[:, :n_clusters]
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    # With the symmetric normalisation a row almost without similarities may vanish.
    return np.divide(vectors, length, out=np.zeros_like(vectors), where=length > 0)


def _clusters(
    points: FloatArray, seeds: FloatArray, n_clusters: int, rng: np.random.Generator
) -> IndexArray:
    """Cluster by k-means from the seeds."""
    runs = [
        _k_means(points, fill_up(points, seeds, n_clusters, rng))
        for _ in range(N_STARTS if len(seeds) < n_clusters else 1)
    ]
    return min(runs, key=lambda run: run[1])[0]


def by_first_rows(clusters: IndexArray) -> IndexArray:
    """Return clusters numbered from 0 in the order of their first rows."""
    _, first_rows, numbers = np.unique(clusters, return_index=True, return_inverse=True)
    return first_rows.argsort().argsort()[numbers]


def _k_means(points: FloatArray, centres: FloatArray) -> tuple[IndexArray, float]:
    """Return clusters and their inertia; ties go to the first centre."""
    clusters = np.full(len(points), -1)
    for _ in range(MAX_ROUNDS):
        squared = cdist(points, centres, "sqeuclidean")
        before, clusters = clusters, squared.argmin(axis=1)
        if np.array_equal(clusters, before):
            break
        for c in np.unique(clusters):
            centres[c] = points[clusters == c].mean(axis=0)
    return clusters, float(squared.min(axis=1).sum())


def group_seeds(points: FloatArray, groups: IndexArray, n_clusters: int) -> FloatArray:
    """Means of the must-link groups: the largest, then those large and far from it."""
    n_rows = np.bincount(groups[groups >= 0])
    rows = [np.flatnonzero(groups == g) for g in range(n_rows.size)]
    means = np.array([points[r].mean(axis=0) for r in rows]).reshape(-1, len(points.T))
    chosen: list[int] = []
    weights = n_rows.astype(np.float64)
    for _ in range(min(n_clusters, len(means))):
        chosen.append(int(weights.argmax()))
        squared = cdist(means, means[chosen], "sqeuclidean").min(axis=1)
        weights = n_rows * squared
    return means[chosen]


def fill_up(
    points: FloatArray, seeds: FloatArray, n_clusters: int, rng: np.random.Generator
) -> FloatArray:
    """Add rows as centres by k-means++, until there is one for every cluster."""
    centres = seeds.copy()
    while len(centres) < n_clusters:
        weights = np.ones(len(points))
        if len(centres):
            weights = cdist(points, centres, "sqeuclidean").min(axis=1)
        if not weights.any():
            weights = np.ones(len(points))
        row = rng.choice(len(points), p=weights / weights.sum())
        centres = np.concatenate([centres, points[[row]]])
    return centres
