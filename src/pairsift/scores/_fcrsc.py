"""FCRSC: the best feature, by constrained margin, of each cluster of features."""

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from pairsift._checks import as_matrix, check_choice
from pairsift._typing import FloatArray, IndexArray, RandomState
from pairsift._warnings import warn_caller
from pairsift.graphs import (
    FEATURE_GRAPHS,
    LINKAGES,
    cluster_features,
    distinct_columns,
    feature_graph,
)
from pairsift.scores._margins import relieff_sc_score

# Columns that are the same in other units agree to this after scaling.
DECIMALS = 12
# Margins that agree to this, relative to the largest, are tied.
TIED = 1e-12


class Redundancy(NamedTuple):
    """Which features are alike."""

    similarity: csr_array
    gaps: FloatArray
    linkage: FloatArray
    clusters: IndexArray


class FCRSCFit(NamedTuple):
    """Scores, and the clusters of features that they come from."""

    scores: FloatArray
    representatives: IndexArray
    redundancy: Redundancy


def fcrsc_score(
    X: FloatArray,
    cannot_link: Any,
    *,
    n_clusters: int | None = None,
    linkage_method: str = "single",
    graph: str = "simplex",
    alpha: float = 0.001,
    n_neighbors: int = 10,
    exclude: str = "pair",
    must_link: Any = (),
    null: str | None = None,
    ties: str = "share",
    random_state: RandomState = 0,
    n_jobs: int | None = -1,
) -> FloatArray:
    """Score features by their margins, representatives of clusters first.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Data without missing values; columns are scaled to [0, 1] here.
    cannot_link : array-like of shape (n_pairs, 2)
        Ordered pairs (n, m) of rows, used as given.
    n_clusters : int, default=None
        Number of clusters; None merges up to the second level of the hierarchy.
    linkage_method : {"single", "complete", "average", "ward"}, default="single"
        Similarity of two clusters: that of their most similar features, as published,
        of their least similar ones, the mean of all, or by the growth of the distances
        inside a cluster.
    graph : {"simplex", "lasso"}, default="simplex"
        Kind of the graph, see :func:`pairsift.graphs.feature_graph`.
    alpha : float, default=0.001
        Penalty of ``graph="lasso"``.
    n_neighbors : int, default=10
        Number K of near-hits on either side, see :func:`relieff_sc_score`.
    exclude : {"pair", "self"}, default="pair"
        Which rows are no near-hits of an end of a pair: both ends, or only itself as
        published.
    must_link : array-like of shape (n_pairs, 2), default=()
        Ordered pairs of rows that belong together, for ``null="must-links"``.
    null : {"random-pairs", "must-links"} or None, default=None
        Pairs whose mean margin is subtracted from that of the cannot-links: random
        pairs of rows, or the must-links. None is published, and biased, see Notes.
    ties : {"share", "index"}, default="share"
        Which rows take the last places when rows are equally far: all of them share
        the places left, so that the order of rows does not matter, or the smaller row
        numbers take them.
    random_state : int, Generator, RandomState or None, default=0
        Seed of the random pairs; nothing else is random.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Returns
    -------
    scores : ndarray of shape (n_features,)
        The margin z of a representative (minus its null), and below all of them, by the
        range of z and one, the shifted margin of every other feature.

    See Also
    --------
    pairsift.FCRSC : The same as a selector, with the clusters; its Notes hold here.
    pairsift.graphs.feature_graph : The similarities.

    Notes
    -----
    Algorithm 3.5 of [1]_: features are clustered by single linkage on the graph, and
    of every cluster the feature with the largest z of :func:`relieff_sc_score` is the
    representative. Ties, up to rounding, go to the lower index.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift.scores import fcrsc_score
    >>> a, b = np.array([0.0, 0.0, 1.0, 1.0]), np.array([0.0, 1.0, 0.0, 1.0])
    >>> X = np.column_stack([a, b, 5 * a])
    >>> fcrsc_score(X, [(0, 2)], n_neighbors=1, n_clusters=2)
    array([ 1.,  0., -1.])
    """
    X = as_matrix(X)
    check_choice(graph, "graph", FEATURE_GRAPHS)
    check_choice(linkage_method, "linkage_method", LINKAGES)
    z = relieff_sc_score(
        X,
        cannot_link,
        n_neighbors=n_neighbors,
        exclude=exclude,
        must_link=must_link,
        null=null,
        ties=ties,
        random_state=random_state,
        n_jobs=n_jobs,
    )
    fit = fit_fcrsc(
        X,
        z,
        n_clusters=n_clusters,
        linkage_method=linkage_method,
        graph=graph,
        alpha=alpha,
        n_jobs=n_jobs,
    )
    return fit.scores


def fit_fcrsc(X: FloatArray, z: FloatArray, **options: Any) -> FCRSCFit:
    """Score as :func:`fcrsc_score`, from margins z, and tell how features cluster."""
    found = _find_redundancy(X, **options)
    chosen = representatives(z, found.clusters)
    return FCRSCFit(representative_scores(z, chosen), chosen, found)


def _find_redundancy(
    X: FloatArray,
    *,
    n_clusters: int | None,
    linkage_method: str,
    graph: str,
    alpha: float,
    n_jobs: int | None,
) -> Redundancy:
    """Scale the columns to [0, 1], join the similar ones and cluster them."""
    scaled = _unit_ranges(X)
    S, gaps = feature_graph(scaled, kind=graph, alpha=alpha, n_jobs=n_jobs)
    copy_of = distinct_columns(scaled)[1]
    found = cluster_features(S, copy_of, n_clusters, linkage_method)
    if found.is_joined_without_similarity:
        warn_caller(f"n_clusters={n_clusters} joins features without any similarity.")
    return Redundancy(S, gaps, found.linkage, found.clusters)


def representatives(z: FloatArray, clusters: IndexArray) -> IndexArray:
    """Feature with the largest margin of each cluster, ties to the lower index."""
    largest = np.full(clusters.max() + 1, -np.inf)
    np.maximum.at(largest, clusters, z)
    # Where all margins are 0, rounding must not choose.
    is_largest = z >= largest[clusters] - TIED * max(np.abs(z).max(), 1.0)
    features = np.flatnonzero(is_largest)
    _, place = np.unique(clusters[features], return_index=True)
    return features[place].astype(np.int64)


def representative_scores(z: FloatArray, chosen: IndexArray) -> FloatArray:
    """Margins, shifted below those of all representatives for the other features."""
    scores = z - (np.ptp(z) + 1.0)
    scores[chosen] = z[chosen]
    return scores


def _unit_ranges(X: FloatArray) -> FloatArray:
    low = X.min(axis=0)
    with np.errstate(over="ignore"):
        span = np.asarray(X.max(axis=0) - low, dtype=np.float64)
    if not np.isfinite(span).all():
        raise ValueError(
            "X holds numbers so large that their range overflows: scale it first."
        )
    scaled = (X - low) / np.where(span > 0, span, 1.0)
    return np.round(scaled, DECIMALS)
