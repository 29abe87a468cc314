"""FCRSC: margins from cannot-link pairs, one feature of each cluster first."""

from numbers import Integral, Real
from typing import Any, ClassVar

from scipy.sparse import csr_array

from pairsift._sklearn_compat import Interval, StrOptions
from pairsift._typing import FloatArray, IndexArray, RandomState
from pairsift.graphs import FEATURE_GRAPHS, LINKAGES
from pairsift.scores import fit_fcrsc
from pairsift.selectors._base import N_JOBS, BaseScoreSelector, Supervision
from pairsift.selectors._cost import margin_seconds
from pairsift.selectors._margins import ConstrainedRelief
from pairsift.selectors._method import CANNOT_LINKS, Method
from pairsift.selectors._tables import Table


class FCRSC(ConstrainedRelief):
    """Select relevant features that are not redundant (FCRSC).

    Features that can be rebuilt from one another are clustered, without any pairs or
    labels; of each cluster the feature with the largest margin of :class:`ReliefFSc`
    is selected. The number of features is found on the way. Numbers without missing
    values are needed; columns are scaled to [0, 1] here.

    Parameters
    ----------
    n_features_to_select : "auto", int, float or None, default="auto"
        Number or share of features to select; ``"auto"`` is the number of clusters,
        None keeps all and only ranks.
    n_clusters : int, default=None
        Number of clusters; None merges up to the second level of the hierarchy.
    linkage_method : {"single", "complete", "average", "ward"}, default="single"
        Similarity of two clusters: that of their most similar features, as published,
        of their least similar ones, the mean of all, or by the growth of the distances
        inside a cluster.
    graph : {"simplex", "lasso"}, default="simplex"
        Weights by which features are rebuilt from others: not negative, or of any sign
        and with a penalty.
    alpha : float, default=0.001
        Penalty of ``graph="lasso"``, see :func:`pairsift.graphs.feature_graph`.
    n_neighbors : int, default=10
        Number K of near-hits on either side; where there are fewer candidates the mean
        is taken over those there are.
    symmetric : bool, default=True
        Average both directions of every pair, so that the numbering of the rows
        cannot change the result. False is the published sum over (n, m), with the
        smaller row number as n.
    exclude : {"pair", "self"}, default="pair"
        Which rows are no near-hits of an end of a pair: both ends, or only itself as
        published.
    null : {"random-pairs", "must-links"} or None, default=None
        Pairs whose mean margin is subtracted from that of the cannot-links, as in
        :class:`ReliefSc`. None is published.
    ties : {"share", "index"}, default="share"
        Which rows take the last places when rows are equally far: all of them share
        the places left, so that the order of rows does not matter, or the smaller row
        numbers take them.
    random_state : int, Generator, RandomState or None, default=0
        Seed of the random pairs; nothing else is random.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        The scores of :class:`ReliefFSc`, margins z (minus their `null`), for the
        representatives; those of the other features are shifted down by the range of
        all and one, below all representatives.
    margins_ : ndarray of shape (n_features,)
        The margins z of all features, as those of :class:`ReliefFSc`.
    weights_ : ndarray of shape (n_features,)
        The weights w, as those of :class:`ReliefFSc`.
    clusters_ : ndarray of shape (n_features,)
        Cluster number of each feature, counted in the order of their first features.
    representatives_ : ndarray of shape (n_clusters,)
        The feature that stands for each cluster.
    n_clusters_ : int
        Number of clusters.
    feature_graph_ : csr_array of shape (n_features, n_features)
        Similarities of the features.
    feature_graph_gaps_ : ndarray of shape (n_features,)
        Optimality gap of each feature's row of the graph.
    linkage_ : ndarray of shape (n_features - 1, 4)
        The merges in the format of :mod:`scipy.cluster.hierarchy`, of which the first
        ``n_features - n_clusters_`` make the clusters. A distance is the largest
        possible similarity, 1 (or more, the largest there is, in a lasso graph), less
        the similarity of the two clusters by `linkage_method`.
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
        Number of must-links and cannot-links used.

    See Also
    --------
    ReliefFSc : The margins alone.
    pairsift.graphs.feature_graph : The graph, with formula and decisions.
    pairsift.plotting.plot_dendrogram : A picture of the clusters.

    Notes
    -----
    Section 3.3 of [1]_ and algorithms 1 to 3 of [2]_. With the graph S of
    :func:`pairsift.graphs.feature_graph` on columns scaled to [0, 1], as in the papers'
    experiments, features are merged by single linkage: always the two clusters that
    hold the most similar features of different clusters. The papers stop when
    "clusters of features start being merged together instead of merging individual
    features"; here this is before the first merge of two clusters that both have two
    members or more. A feature without any similarity stays alone.

    Decisions where the papers leave a choice:

    - Merges of the same similarity (up to rounding) are looked at together, so that the
      order of the columns cannot matter: those that join features one by one to a
      cluster are made, those that would join clusters are not.
    - Columns that are the same, in whatever units, are one member: they are merged
      first, and copies change nothing else.
    - Features are ranked by z and not by w, as in :class:`ReliefFSc`, and those that do
      not represent a cluster follow after those that do, by z as well.
    - The rule for the number of clusters is unstable when features are few: on 100
      draws of two thirds of the rows, Wine (13 features) gave 3 to 10 clusters, and
      Sonar (60 features) 40 in the mean, as published, with a deviation of 3.
    - The thesis names other linkages and takes single linkage, to merge clusters "on
      the most similar features". `linkage_method` has three of the others, with the
      same rule for where to stop. ``"ward"`` takes the distances for Euclidean ones,
      which they are not, as SciPy does: a merge is as far as it lets the squared
      distances inside of clusters grow. Median and centroid linkage are left out:
      their distances need not grow from merge to merge. The graph is sparse: two
      clusters with a pair of features that share nothing are never merged by
      ``"complete"``, except to get `n_clusters`.
    - Clusters joined by tied similarities are merged at once, with each linkage.
    - A wanted `n_clusters` takes the first merges of `linkage_`, in which ties go to
      the lower index.

    Cannot-links or labels are needed for the margins only: clusters do not depend on
    them. Mirror images (x and 1 - x) are as far apart as can be on the simplex.

    References
    ----------
    .. [1] S. Hijazi, "Semi-supervised margin-based feature selection for
       classification", PhD thesis, Université du Littoral Côte d'Opale and
       Lebanese University, 2019, HAL tel-02489733.
    .. [2] S. Hijazi, V. T. Hoang, "A constrained feature selection approach based
       on feature clustering and hypothesis margin maximization", 2021.

    Examples
    --------
    >>> from pairsift import FCRSC, PairConstraints
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> pairs = PairConstraints.sample(y, n_cannot_link=20, random_state=0)
    >>> selector = FCRSC().fit(X, constraints=pairs)
    >>> selector.clusters_
    array([0, 1, 0, 0, 2, 3, 3, 0, 3, 1, 3, 3, 3])
    >>> selector.get_feature_names_out()[:3].tolist()
    ['alcohol', 'magnesium', 'color_intensity']
    """

    _accepts_missing: ClassVar[bool] = False
    _accepts_categorical: ClassVar[bool] = False
    _method: ClassVar = Method(
        name="fcrsc",
        learns_from=CANNOT_LINKS,
        orientation="maximised",
        cost="O((n + k²)d² + pnd) time, k weights per feature, O(d²) memory",
        seconds=lambda s, z: (
            3e-11 * (z.d * min(z.n, z.d)) ** 2 / z.t + margin_seconds(z)
        ),
        citation="Hijazi 2019, algorithm 3.5; Hijazi, Hoang 2021",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_features_to_select": [
            *BaseScoreSelector._parameter_constraints["n_features_to_select"],
            StrOptions({"auto"}),
        ],
        "n_clusters": [None, Interval(Integral, 1, None, closed="left")],
        "linkage_method": [StrOptions(set(LINKAGES))],
        "graph": [StrOptions(set(FEATURE_GRAPHS))],
        "alpha": [Interval(Real, 0, None, closed="neither")],
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "symmetric": ["boolean"],
        "exclude": [StrOptions({"pair", "self"})],
        "null": ConstrainedRelief._parameter_constraints["null"],
        "ties": ConstrainedRelief._parameter_constraints["ties"],
        "random_state": ConstrainedRelief._parameter_constraints["random_state"],
        "n_jobs": N_JOBS,
    }

    # What ReliefFSc lets choose and the papers do not.
    metric: ClassVar[str] = "manhattan"
    must_link_weight: ClassVar[float] = 0.0
    ramp: ClassVar[None] = None
    missing: ClassVar[str] = "probability"

    margins_: FloatArray
    feature_graph_: csr_array
    clusters_: IndexArray

    def __init__(
        self,
        n_features_to_select: int | float | str | None = "auto",
        *,
        n_clusters: int | None = None,
        linkage_method: str = "single",
        graph: str = "simplex",
        alpha: float = 0.001,
        n_neighbors: int = 10,
        symmetric: bool = True,
        exclude: str = "pair",
        null: str | None = None,
        ties: str = "share",
        random_state: RandomState = 0,
        n_jobs: int | None = -1,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_clusters = n_clusters
        self.linkage_method = linkage_method
        self.graph = graph
        self.alpha = alpha
        self.n_neighbors = n_neighbors
        self.symmetric = symmetric
        self.exclude = exclude
        self.null = null
        self.ties = ties
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        fit = fit_fcrsc(
            table.X,
            self._margins(table, supervision, self.n_neighbors),
            n_clusters=self.n_clusters,
            linkage_method=self.linkage_method,
            graph=self.graph,
            alpha=self.alpha,
            n_jobs=self.n_jobs,
        )
        found = fit.redundancy
        self.feature_graph_, self.feature_graph_gaps_ = found.similarity, found.gaps
        self.linkage_, self.clusters_ = found.linkage, found.clusters
        self.representatives_ = fit.representatives
        self.n_clusters_ = self.representatives_.size
        return fit.scores

    def _best_number(self) -> int:
        return self.n_clusters_
