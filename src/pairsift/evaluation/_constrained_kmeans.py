"""K-means that keeps must-links together and cannot-links apart."""

from __future__ import annotations

from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import cdist

from pairsift._checks import check_at_least, check_squarable
from pairsift._random import as_generator
from pairsift._typing import FloatArray, IndexArray, PairArray, RandomState
from pairsift.constraints import PairConstraints
from pairsift.evaluation._clustering import (
    MAX_ROUNDS,
    N_STARTS,
    check_either,
    check_n_clusters,
    check_pairs,
    fill_up,
    group_seeds,
    numbered,
    refuse_n_clusters,
)
from pairsift.evaluation._validation import as_matrix, as_prototypes
from pairsift.exceptions import ConstraintError

# Beside one per group: how often a group may be placed before a search gives up.
MAX_TRIES = 20_000
# A round must lower the sum of squares by this share of it.
MIN_GAIN = 1e-12


def constrained_kmeans(
    X: ArrayLike,
    labels: ArrayLike | None = None,
    *,
    constraints: PairConstraints | None = None,
    n_clusters: int | None = None,
    n_starts: int = N_STARTS,
    random_state: RandomState = 0,
) -> NDArray[Any]:
    """Cluster all rows by k-means, with every label or pair kept.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Data, all finite and of comparable scales.
    labels : array-like of shape (n_samples,), optional
        Classes of the labelled rows; the others hold -1 (numbers) or None, NaN or
        empty text. There is one cluster for each class.
    constraints : PairConstraints, optional
        Pairs, in place of labels; those that follow from them are kept, too.
    n_clusters : int, optional
        Number of clusters; needed with `constraints`, and only there.
    n_starts : int, default=10
        How often k-means starts from other centres; the clusters with the smallest sum
        of squares are taken. Labels leave nothing to chance, and start once.
    random_state : int, Generator, RandomState or None, default=0
        Seed of the centres.

    Returns
    -------
    ndarray of shape (n_samples,)
        Class of each row as written in `labels`; with `constraints` the number of its
        cluster, at most `n_clusters` of them numbered from 0 by their first rows.

    Raises
    ------
    ValueError
        If the arguments do not fit each other or X (a `DataError`), or the constraints
        contradict each other, name rows that X does not have, or cannot be kept with
        this number of clusters (a `ConstraintError`).

    See Also
    --------
    constrained_spectral_clustering : Clusters of any shape; pairs are not enforced.

    Notes
    -----
    The algorithm COP-k-means of [1]_, with which prototypes were spread to all rows
    before [2]_ took the spectral one: each row goes to the nearest centre that no
    cannot-link forbids, and centres move to the means of their rows, in turns. What
    [1]_ leaves open is decided as follows.

    - Rows joined by must-links, and by what follows from them, move as one, to the
      centre with the smallest sum of squared distances.
    - [1]_ takes rows as they come and gives up where one finds no cluster. Here the
      group with the fewest clusters left is placed first [3]_, then those that it
      leaves fewest, and a wrong turn is taken back. Whether the cannot-links can be
      kept with k clusters at all is searched for once, before anything else, and where
      not, the message names rows that cannot be parted. This question is hard: a search
      that takes 20,000 turns and one per group is given up, and told so.
    - A round counts only if it lowers the sum of squares, so that rounds end.
    - The first start is at the means of must-link groups, those that are largest and
      farthest apart, as in :func:`constrained_spectral_clustering`; other starts, and
      clusters left over, by k-means++. A cluster without rows keeps its centre.
    - From labels, clusters start at the means of the classes, labelled rows keep
      theirs, and nothing is forbidden to the other rows.

    Time is O(nkd) per round for n rows, k clusters and d features, and at most
    :math:`O(g^2 k)` for g groups with cannot-links; memory is O(nd + nk).

    References
    ----------
    .. [1] K. Wagstaff, C. Cardie, S. Rogers, S. Schrödl, "Constrained k-means
       clustering with background knowledge", ICML, 577-584, 2001.
    .. [2] A. Salmi, K. Hammouche, L. Macaire, "Similarity-based constraint score
       for feature selection", Knowledge-Based Systems 209, 106429, 2020,
       doi:10.1016/j.knosys.2020.106429.
    .. [3] D. Brélaz, "New methods to color the vertices of a graph", Communications
       of the ACM 22(4), 251-256, 1979.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift import PairConstraints
    >>> from pairsift.evaluation import constrained_kmeans
    >>> X = np.array([[0.0], [0.1], [0.2], [0.8], [0.9], [1.0]])
    >>> constrained_kmeans(X, ["low", None, None, None, None, "high"])
    array(['low', 'low', 'low', 'high', 'high', 'high'], dtype='<U4')
    >>> pairs = PairConstraints(must_link=[(0, 5)], cannot_link=[(2, 3), (0, 4)])
    >>> constrained_kmeans(X, constraints=pairs, n_clusters=3)
    array([0, 1, 1, 2, 2, 0])
    """
    matrix = as_matrix(X, "X")
    check_squarable(matrix)
    check_either(labels, constraints)
    check_at_least(n_starts, "n_starts", 1)
    if labels is not None:
        codes, classes = as_prototypes(labels, "labels", len(matrix), "X")
        refuse_n_clusters(n_clusters)
        return classes[_from_classes(matrix, codes)]
    pairs = check_pairs(constraints, X, len(matrix))
    n_clusters = check_n_clusters(n_clusters, len(matrix))
    groups = _groups_of_all(pairs, len(matrix))
    problem = _as_problem(matrix, groups, pairs.cannot_link, n_clusters)
    rng = as_generator(random_state)
    seeds = group_seeds(matrix, pairs.groups(), n_clusters)
    runs = []
    for start in range(n_starts):
        given = seeds if start == 0 else seeds[:0]
        runs.append(_run(problem, fill_up(matrix, given, n_clusters, rng)))
    return numbered(min(runs, key=lambda run: run[1])[0][groups], n_clusters, matrix)


class _Component(NamedTuple):
    """Groups that cannot-links hold together, and one way to keep them apart."""

    groups: IndexArray
    """(m,)"""
    apart: list[IndexArray]
    """For each group the places of those it must not be with."""
    possible: IndexArray
    """(m,) clusters that keep the cannot-links, whatever the distances."""


class _Problem(NamedTuple):
    """Groups of rows that move as one."""

    means: FloatArray
    """(g, d)"""
    n_rows: FloatArray
    """(g,)"""
    components: list[_Component]


def _from_classes(X: FloatArray, codes: IndexArray) -> IndexArray:
    """Return the class of every row; labelled rows keep theirs."""
    is_labelled = codes >= 0
    n_classes = int(codes.max()) + 1
    clusters = codes
    total = np.inf
    for _ in range(MAX_ROUNDS):
        known = clusters >= 0
        centres = _means(X[known], clusters[known], n_classes)
        squared = cdist(X, centres, "sqeuclidean")
        new = np.where(is_labelled, codes, squared.argmin(axis=1))
        before, total = total, float(squared[np.arange(len(X)), new].sum())
        if total >= before - MIN_GAIN * before:
            break
        clusters = new
    return clusters


def _means(points: FloatArray, clusters: IndexArray, n_clusters: int) -> FloatArray:
    return np.array([points[clusters == c].mean(axis=0) for c in range(n_clusters)])


def _groups_of_all(pairs: PairConstraints, n_rows: int) -> IndexArray:
    """Group of each row; a row without must-links is one of its own."""
    groups = np.full(n_rows, -1, dtype=np.int64)
    linked = pairs.groups()
    groups[: linked.size] = linked
    is_alone = groups < 0
    groups[is_alone] = linked.max(initial=-1) + 1 + np.arange(is_alone.sum())
    return groups


def _as_problem(
    X: FloatArray, groups: IndexArray, cannot_link: PairArray, n_clusters: int
) -> _Problem:
    """Find what cannot-links join, and a way to keep each, or refuse."""
    n_rows = np.bincount(groups).astype(np.float64)
    means = np.zeros((n_rows.size, X.shape[1]))
    np.add.at(means, groups, X)
    ends = np.unique(groups[cannot_link].reshape(-1, 2), axis=0)
    size = (n_rows.size, n_rows.size)
    apart = coo_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=size)
    apart = (apart + apart.T).tocsr()
    number = connected_components(apart, directed=False)[1]
    components = []
    for c in np.unique(number[ends[:, 0]]):
        members = np.flatnonzero(number == c)
        part = apart[members][:, members]
        near = np.split(part.indices, part.indptr[1:-1])
        equal = np.zeros((members.size, n_clusters))
        possible = _place(near, equal, is_interchangeable=True)
        if possible is None or possible[0] < 0:
            rows = np.flatnonzero(np.isin(groups, members)).tolist()
            _refuse(rows, n_clusters, is_proven=possible is None)
        components.append(_Component(members, near, possible))
    return _Problem(means / n_rows[:, None], n_rows, components)


def _refuse(rows: list[int], n_clusters: int, *, is_proven: bool) -> NoReturn:
    some = ", ".join(map(str, rows[:6])) + (", ..." if len(rows) > 6 else "")
    found = "cannot be kept" if is_proven else "could not be kept in a limited search"
    raise ConstraintError(
        f"the cannot-links between rows {some} ({len(rows)} rows, with those that "
        f"must-links join to them) {found} with n_clusters={n_clusters}: take more "
        "clusters, or leave cannot-links out; constrained_spectral_clustering does not "
        "enforce them."
    )


def _run(problem: _Problem, centres: FloatArray) -> tuple[IndexArray, float]:
    """Return the cluster of each group, and the sum of squares between groups."""
    clusters, squared = _assign(problem, centres)
    total = np.inf
    for _ in range(MAX_ROUNDS):
        for c in np.unique(clusters):
            is_inside = clusters == c
            weights = problem.n_rows[is_inside]
            centres[c] = np.average(problem.means[is_inside], axis=0, weights=weights)
        new, squared = _assign(problem, centres)
        rows = np.arange(len(new))
        kept = float(squared[rows, clusters].sum())
        total = float(squared[rows, new].sum())
        if total >= kept - MIN_GAIN * kept:
            return clusters, kept
        clusters = new
    return clusters, total


def _assign(problem: _Problem, centres: FloatArray) -> tuple[IndexArray, FloatArray]:
    """Place every group at its nearest centre that cannot-links allow."""
    squared = cdist(problem.means, centres, "sqeuclidean") * problem.n_rows[:, None]
    clusters = squared.argmin(axis=1)
    for component in problem.components:
        placed = _place(component.apart, squared[component.groups])
        if placed is None or placed[0] < 0:
            placed = component.possible
        clusters[component.groups] = placed
    return clusters, squared


def _place(
    apart: list[IndexArray], costs: FloatArray, *, is_interchangeable: bool = False
) -> IndexArray | None:
    """Give each group the cheapest cluster that no neighbour has, fewest choices first.

    None where there is no way, and -1 for all where the search was given up.
    is_interchangeable : of clusters that no group has yet, only the first is tried.
    """
    n_groups, n_clusters = costs.shape
    by_cost = np.argsort(costs, axis=1, kind="stable").tolist()
    n_blocking = np.zeros((n_groups, n_clusters), dtype=np.int64)
    clusters = np.full(n_groups, -1)
    turns: list[tuple[int, list[int]]] = []
    for _ in range(MAX_TRIES + n_groups):
        if len(turns) == n_groups:
            return clusters
        n_open = np.where(clusters < 0, (n_blocking == 0).sum(axis=1), n_clusters + 1)
        group = int(n_open.argmin())
        last = int(clusters.max()) + 1 if is_interchangeable else n_clusters
        free = n_blocking[group] == 0
        turns.append((group, [c for c in by_cost[group] if free[c] and c <= last]))
        # Take back turns that leave no choice, then make the next one.
        while not turns[-1][1]:
            turns.pop()
            if not turns:
                return None
            group = turns[-1][0]
            n_blocking[apart[group], clusters[group]] -= 1
            clusters[group] = -1
        group, choices = turns[-1]
        clusters[group] = choices.pop(0)
        n_blocking[apart[group], clusters[group]] += 1
    return np.full(n_groups, -1)
