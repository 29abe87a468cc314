"""ClusterVarianceScore."""

from numbers import Integral
from typing import Any, ClassVar

import numpy as np

from pairsift._checks import check_squarable
from pairsift._sklearn_compat import Interval
from pairsift._typing import FloatArray, IndexArray, RandomState
from pairsift.scores import cluster_variance_score
from pairsift.selectors._base import BaseScoreSelector, Supervision
from pairsift.selectors._kmeans import k_means
from pairsift.selectors._method import NOTHING, Method
from pairsift.selectors._tables import Table


class ClusterVarianceScore(BaseScoreSelector):
    """Select the features on which the clusters of the rows are narrow.

    Clusters the rows by K-means on all features, and finds out which features the
    clusters come from. Needs no labels and no pairs.
    The data is taken as given: where units differ, scale to [0, 1] first
    (``sklearn.preprocessing.MinMaxScaler``).

    Parameters
    ----------
    n_features_to_select : int or float, default=None
        Number or share of features to select; None keeps all and only ranks.
    n_clusters : int, default=8
        Number of clusters, cut to the number of different rows with a warning. The
        method is sensitive to it.
    n_init : int, default=10
        How often K-means starts anew; the best clusters count.
    random_state : int, Generator, RandomState or None, default=None
        Draws the starts; an int makes the result reproducible.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Near 1 where all clusters are narrow, near 0 where they are as wide as the data;
        ``-inf`` for a constant feature.
    clusters_ : ndarray of shape (n_samples,), dtype=int64
        Cluster number of each row.
    order_ : ndarray of shape (n_features,)
        Feature indices, best first; ties go to the lower index.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature, 1 is best.
    support_ : ndarray of shape (n_features,), dtype=bool
        Mask of the selected features.
    n_features_to_select_ : int
        Number of selected features.
    n_features_in_ : int
        Number of features seen in fit.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the features, when `X` has them.
    n_constraints_used_ : int
        Always 0.

    See Also
    --------
    pairsift.scores.cluster_variance_score : The score for given clusters.

    Notes
    -----
    Equation 3.3 of [1]_ after [2]_: one minus the variance of a feature inside a
    cluster as a share of its variance, averaged over the clusters;
    :func:`pairsift.scores.cluster_variance_score` has the formula.

    [2]_ finds the clusters, and their number, by a Gaussian mixture with rival
    penalisation, and repeats both on the features selected. Here K-means finds them
    once, with a number that is given. Every cluster counts the same, however small.

    For K-means alone, different rows are moved at random by about 1e-8 of the spread of
    each column, so that no row is as near to one centre as to another: rounding would
    decide between them, and does so differently on other processors.

    References
    ----------
    .. [1] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.
    .. [2] H. Zeng, Y. Cheung, "Iterative feature selection in Gaussian mixture
       clustering with automatic model selection", IJCNN, 2277-2282, 2007.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import minmax_scale
    >>> from pairsift import ClusterVarianceScore
    >>> X, _ = load_wine(return_X_y=True)
    >>> selector = ClusterVarianceScore(3, n_clusters=3, random_state=0)
    >>> selector.fit(minmax_scale(X)).get_support(indices=True)
    array([ 6, 11, 12])
    """

    _method: ClassVar = Method(
        name="cluster-variance-score",
        learns_from=NOTHING,
        orientation="maximised",
        cost="O(nkd) per step of K-means with k clusters, O(nd) memory",
        seconds=lambda s, z: 3e-8 * s.n_init * s.n_clusters * z.n * z.d / z.t,
        citation="Zeng, Cheung 2007; Coelho 2013, eq. 3.3",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseScoreSelector._parameter_constraints,
        "n_clusters": [Interval(Integral, 1, None, closed="left")],
        "n_init": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state", np.random.Generator],
    }

    clusters_: IndexArray

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        n_clusters: int = 8,
        n_init: int = 10,
        random_state: RandomState = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_clusters = n_clusters
        self.n_init = n_init
        self.random_state = random_state

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        X = table.X.astype(np.float64)
        check_squarable(X)
        means = k_means(X, self.n_clusters, self.n_init, self.random_state)
        self.clusters_ = means.labels_.astype(np.int64)
        return cluster_variance_score(X, self.clusters_)
