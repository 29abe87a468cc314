"""Clusters of features by entropies and mutual informations (Quinzán et al.)."""

from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.sparse import csr_array
from scipy.stats import rankdata

from pairsift._checks import as_matrix, check_at_least, check_memory
from pairsift._typing import BoolArray, FloatArray, IndexArray
from pairsift.graphs import cut_linkage
from pairsift.information import discrete_mask
from pairsift.scores._fcrsc import representative_scores, representatives
from pairsift.scores._irelief import class_codes

# Distances that agree to this are tied; counts make many ties.
DECIMALS = 10
# Counted at once: cells of a part of the features with all.
MAX_COUNTS = 5e6


class FeatureTree(NamedTuple):
    """Scores, and the clusters of features that they come from."""

    scores: FloatArray
    """(d,) relevances, shifted for those that represent no cluster."""
    relevance: FloatArray
    """(d,) information about the classes, on labelled rows."""
    representatives: IndexArray
    """(n_clusters,)"""
    clusters: IndexArray
    """(d,) cluster numbers, counted in the order of their first features."""
    linkage: FloatArray
    """(d - 1, 4) the merges, as SciPy's."""
    distances: FloatArray
    """(d, d) S."""


def feature_cluster_mi_score(
    X: FloatArray,
    labels: Any,
    *,
    n_clusters: int | None = None,
    entropy_weight: float = 1.0,
    relevance_weight: float = 1.0,
    n_bins: int = 4,
    discrete_features: Any = "auto",
) -> FloatArray:
    r"""Score features by relevance, the most relevant one of each cluster first.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
    labels : array-like of shape (n_samples,)
        Class numbers, at least two of them, and -1 for unlabelled rows.
    n_clusters : int, default=None
        Number of clusters; None is half of the number of features, rounded up.
    entropy_weight : float, default=1.0
        Weight :math:`\alpha_1` of what features do not tell about each other.
    relevance_weight : float, default=1.0
        Weight :math:`\alpha_2` of what two features tell about the classes beside each
        other; both weights must not be 0.
    n_bins : int, default=4
        Number of values, about equally frequent, into which a continuous column is cut.
    discrete_features : "auto", bool or ndarray of shape (n_features,), default="auto"
        Discrete columns: all, none, or a mask. ``"auto"`` takes a column for discrete
        when it has at most :math:`\max(10, \sqrt n)` distinct values, and at most half
        as many as rows, among all rows.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        What a representative tells about the classes, in nats; for every other feature
        this is shifted down by the range of all and one, below all representatives.

    See Also
    --------
    pairsift.FeatureClusterMI : The same as a selector, with the clusters.
    ssfc_path : Eliminates the less relevant of the two most similar features.

    Notes
    -----
    Equation 3.14 of [1]_, after [2]_. Features are clustered by Ward's method with

    .. math::
        S(f, g) = \alpha_1 \big( H(f | g) + H(g | f) \big) +
                  \alpha_2 \big( I(f; y | g) + I(g; y | f) \big)

    as their distance, the first term from all rows, the second from labelled ones, and
    of each cluster the feature with the largest I(f; y) is the representative. Features
    that can stand for each other, also for telling the classes, are near.

    Decisions where the sources leave a choice:

    - The thesis calls S a similarity; it is a distance, 0 for copies.
    - H(f | g) is an entropy, and a distance, for discrete columns only: between
      continuous ones it is negative without bound. Continuous columns are cut by their
      ranks into `n_bins` values; equal numbers stay together. Few, because cells of
      f, g and y are counted on the labelled rows, which are few. Frequencies are taken
      as they are, so that both terms are at least 0, by
      :math:`H(f | g) = H(f) - I(f; g)` and :math:`I(f; y | g) = I(f, g; y) - I(g; y)`.
    - Ward's update of distances is applied to S as it is to Euclidean distances.
    - The number of clusters is not given. One feature of each of k clusters is the
      published choice of k features; noise is far from everything, and has most of few
      clusters. With more clusters than features wanted, the best representatives are
      taken, which leaves noise out.
    - I(f; y) is of one feature at a time, as published. Features by which two classes
      differ by two standard deviations are found from 40 labels. Where classes are the
      sign of a sum of three, clusters are right with 40 labels of 400 rows, but noise
      comes before one of the three in more than half of the draws, and by correlation
      with the classes still in 3 of 10; 100 labels are enough.
    - Of equal relevances the lower index represents; of equal distances, up to ten
      digits, SciPy's first are merged.

    The distances are stored: memory is :math:`O(d^2)`.

    References
    ----------
    .. [1] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.
    .. [2] I. Quinzán, J. M. Sotoca, F. Pla, "Clustering-based feature selection in
       semi-supervised problems", ISDA, 535-540, 2009,
       doi:10.1109/ISDA.2009.211.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import feature_cluster_mi_score
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 3))
    >>> X[:, 2] = X[:, 0] + 0.1 * X[:, 2]
    >>> y = np.where(np.arange(200) < 60, X[:, 0] > 0, -1)
    >>> feature_cluster_mi_score(X, y).round(1)
    array([ 0.6,  0.1, -0.9])
    """
    return fit_feature_cluster_mi(
        X,
        labels,
        n_clusters=n_clusters,
        entropy_weight=entropy_weight,
        relevance_weight=relevance_weight,
        n_bins=n_bins,
        discrete_features=discrete_features,
    ).scores


def fit_feature_cluster_mi(
    X: FloatArray,
    labels: Any,
    *,
    n_clusters: int | None,
    entropy_weight: float,
    relevance_weight: float,
    n_bins: int,
    discrete_features: Any,
) -> FeatureTree:
    """Score as :func:`feature_cluster_mi_score`, and tell how features cluster."""
    check_at_least(n_bins, "n_bins", 2)
    _check_weights(entropy_weight, relevance_weight)
    X = as_matrix(X)
    n_features = X.shape[1]
    n_clusters = _number(n_clusters, n_features)
    check_memory(
        4 * 8.0 * n_features**2,
        f"distances of {n_features} features",
        "select with SemiMRMR, which keeps no table of features, or drop features "
        "with CollinearityFilter first",
    )
    codes = class_codes(labels, len(X))
    values = _cut(X, discrete_mask(X, discrete_features), n_bins)
    apart = _conditional_entropies(values)
    is_labelled = codes >= 0
    found = _conditional_relevance(values[:, is_labelled], codes[is_labelled])
    relevance, beside = found
    S = float(entropy_weight) * apart + float(relevance_weight) * beside
    S = np.maximum(np.round(S, DECIMALS), 0.0)
    merges = np.empty((0, 4))
    if n_features > 1:
        merges = linkage(S[np.triu_indices(n_features, 1)], method="ward")
    clusters = cut_linkage(merges, n_features - n_clusters)
    chosen = representatives(relevance, clusters)
    scores = representative_scores(relevance, chosen)
    return FeatureTree(scores, relevance, chosen, clusters, merges, S)


def _number(n_clusters: int | None, n_features: int) -> int:
    if n_clusters is None:
        return -(-n_features // 2)
    check_at_least(n_clusters, "n_clusters", 1)
    if n_clusters > n_features:
        raise ValueError(
            f"n_clusters={n_clusters} asks for more than the {n_features} features of "
            "X."
        )
    return int(n_clusters)


def _check_weights(entropy_weight: Any, relevance_weight: Any) -> None:
    weights = {"entropy_weight": entropy_weight, "relevance_weight": relevance_weight}
    for name, value in weights.items():
        if not isinstance(value, Real) or not 0.0 <= float(value) < 1e100:
            raise ValueError(f"{name} must be a number of at least 0, got {value!r}.")
    if entropy_weight == 0 and relevance_weight == 0:
        raise ValueError(
            "entropy_weight and relevance_weight must not both be 0, as all features "
            "would be equal."
        )


def _cut(X: FloatArray, is_discrete: BoolArray, n_bins: int) -> IndexArray:
    """Value numbers of all columns, (d, n); continuous ones are cut by their ranks."""
    cut = np.empty(X.shape[::-1], dtype=np.int64)
    for j, x in enumerate(X.T):
        if not is_discrete[j]:
            x = np.floor((rankdata(x) - 0.5) / len(x) * n_bins)
        cut[j] = np.unique(x, return_inverse=True)[1].reshape(-1)
    return cut


def _conditional_entropies(values: IndexArray) -> FloatArray:
    """H(f | g) + H(g | f) of all pairs, (d, d)."""
    both = _joint_entropies(values)
    alone = both.diagonal()
    return np.asarray(2.0 * both - np.add.outer(alone, alone))


def _conditional_relevance(
    values: IndexArray, codes: IndexArray
) -> tuple[FloatArray, FloatArray]:
    """I(f; y), (d,), and I(f; y | g) + I(g; y | f) of all pairs, (d, d)."""
    shares = np.bincount(codes) / codes.size
    # I(f, g; y) = H(f, g) - H(f, g | y), a mean over the classes.
    told = _joint_entropies(values)
    for c in np.flatnonzero(shares):
        told -= shares[c] * _joint_entropies(values[:, codes == c])
    relevance = told.diagonal().copy()
    return relevance, 2.0 * told - np.add.outer(relevance, relevance)


def _joint_entropies(values: IndexArray) -> FloatArray:
    """H(f, g) of all pairs of columns, (d, d), by observed frequencies."""
    n_features, n_rows = values.shape
    offsets = np.concatenate([[0], np.cumsum(values.max(axis=1) + 1)])
    ones = np.ones(values.size)
    columns = (values.T + offsets[:-1]).ravel()
    starts = np.arange(0, values.size + 1, n_features)
    # A row for each sample, a column for each value of each feature.
    has_value = csr_array((ones, columns, starts), shape=(n_rows, offsets[-1]))
    feature_of = np.repeat(np.arange(n_features), np.diff(offsets))
    sums = np.empty((n_features, n_features))
    step = max(1, int(MAX_COUNTS // values.size))
    for first in range(0, n_features, step):
        last = min(first + step, n_features)
        part = has_value[:, offsets[first] : offsets[last]]
        counts = (part.T @ has_value).tocoo()
        left = feature_of[counts.row + offsets[first]] - first
        cells = left * n_features + feature_of[counts.col]
        terms = counts.data * np.log(counts.data)
        total = np.bincount(cells, terms, (last - first) * n_features)
        sums[first:last] = total.reshape(-1, n_features)
    return np.log(n_rows) - sums / n_rows
