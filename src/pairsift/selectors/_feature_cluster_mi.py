"""FeatureClusterMI."""

from numbers import Integral, Real
from typing import Any, ClassVar

from pairsift._sklearn_compat import Interval, StrOptions
from pairsift._typing import FloatArray
from pairsift.scores import fit_feature_cluster_mi
from pairsift.selectors._base import BaseScoreSelector, FromClasses, Supervision
from pairsift.selectors._cost import Problem
from pairsift.selectors._method import CLASSES_AND_ROWS, Method
from pairsift.selectors._mrmr import DISCRETE_FEATURES
from pairsift.selectors._tables import Table


def _seconds(s: Any, z: Problem) -> float:
    """Of counted values of all pairs of features, and of Ward's merges."""
    return 1.2e-8 * z.d**2 * (2 * z.n + z.m)


class FeatureClusterMI(FromClasses):
    r"""Select the most relevant feature of each cluster of similar ones.

    Features are clustered by what they do not tell about each other, on all rows, and
    by what they tell about the classes beside each other, on labelled rows. Of each
    cluster the feature that tells most about the classes is taken.
    Given pairs and no labels, the groups of rows joined by must-links serve as classes.
    Only the order of the numbers in a column matters: neither units nor any growing
    function of a column do.

    Parameters
    ----------
    n_features_to_select : "auto", int, float or None, default="auto"
        ``"auto"`` selects one feature per cluster. A number or a share takes the best
        of the ranking, None keeps all and only ranks.
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

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        The relevances of the representatives; those of the other features are shifted
        down by the range of all and one, below all representatives.
    relevance_ : ndarray of shape (n_features,)
        What each feature tells about the classes, in nats.
    clusters_ : ndarray of shape (n_features,)
        Cluster number of each feature, counted in the order of their first features.
    representatives_ : ndarray of shape (n_clusters,)
        The feature that stands for each cluster.
    n_clusters_ : int
        Number of clusters.
    distances_ : ndarray of shape (n_features, n_features)
        The distances S of the features.
    linkage_ : ndarray of shape (n_features - 1, 4)
        The merges in the format of :mod:`scipy.cluster.hierarchy`, of which the first
        ``n_features - n_clusters_`` make the clusters.
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
        Number of must-links that made the classes, 0 when labels did.

    See Also
    --------
    pairsift.scores.feature_cluster_mi_score : The scores, with formula and decisions.
    SSFC : Eliminates the less relevant of two similar features, by permutation tests.
    FCRSC : Clusters of features by a sparse graph, margins from pairs.

    Notes
    -----
    Equation 3.14 of [1]_, after [2]_: the distance of two features is the sum of their
    conditional entropies, plus the sum of what each tells about the classes given the
    other; Ward's method makes the clusters.
    :func:`pairsift.scores.feature_cluster_mi_score` has the formula and what was
    decided where the sources are silent. The published choice of k features is
    ``FeatureClusterMI(n_clusters=k)``. It takes a feature from each part of the data,
    be it noise: noise is far from everything. Features that tell the same about the
    classes are near each other, and all but one of a cluster rank behind the
    representatives: the ranking as a whole is not one by relevance, which is
    `relevance_`.

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
    >>> from pairsift import FeatureClusterMI
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> some_labels = np.where(np.arange(len(y)) % 3 == 0, y, -1)
    >>> selector = FeatureClusterMI(n_clusters=4).fit(X, some_labels)
    >>> selector.get_support(indices=True)
    array([ 6,  9, 10, 12])
    >>> selector.clusters_
    array([0, 1, 2, 1, 2, 3, 3, 1, 3, 0, 1, 3, 2])
    """

    _method: ClassVar = Method(
        name="feature-cluster-mi",
        learns_from=CLASSES_AND_ROWS,
        orientation="maximised",
        cost="O(d²n) time, O(nd + d²) memory",
        seconds=_seconds,
        citation="Quinzán, Sotoca, Pla 2009; Coelho 2013, equation 3.14",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_features_to_select": [
            *BaseScoreSelector._parameter_constraints["n_features_to_select"],
            StrOptions({"auto"}),
        ],
        "n_clusters": [None, Interval(Integral, 1, None, closed="left")],
        "entropy_weight": [Interval(Real, 0, 1e100, closed="left")],
        "relevance_weight": [Interval(Real, 0, 1e100, closed="left")],
        "n_bins": [Interval(Integral, 2, None, closed="left")],
        "discrete_features": DISCRETE_FEATURES,
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | None = "auto",
        *,
        n_clusters: int | None = None,
        entropy_weight: float = 1.0,
        relevance_weight: float = 1.0,
        n_bins: int = 4,
        discrete_features: Any = "auto",
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_clusters = n_clusters
        self.entropy_weight = entropy_weight
        self.relevance_weight = relevance_weight
        self.n_bins = n_bins
        self.discrete_features = discrete_features

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        tree = fit_feature_cluster_mi(
            table.X,
            supervision.labels,
            n_clusters=self.n_clusters,
            entropy_weight=self.entropy_weight,
            relevance_weight=self.relevance_weight,
            n_bins=self.n_bins,
            discrete_features=self.discrete_features,
        )
        self.relevance_, self.distances_ = tree.relevance, tree.distances
        self.clusters_, self.linkage_ = tree.clusters, tree.linkage
        self.representatives_ = tree.representatives
        self.n_clusters_ = tree.representatives.size
        return tree.scores

    def _best_number(self) -> int:
        return self.n_clusters_
