"""SSelect."""

from numbers import Real
from typing import Any, ClassVar

from pairsift._sklearn_compat import Interval
from pairsift._typing import FloatArray
from pairsift.scores import sselect_score
from pairsift.selectors._base import FromClasses, Supervision
from pairsift.selectors._cost import graph_seconds
from pairsift.selectors._graphs import OnGraph
from pairsift.selectors._method import CLASSES_AND_ROWS, Method
from pairsift.selectors._tables import Table


class SSelect(OnGraph, FromClasses):
    r"""Select features whose two clusters are separate and fit the labels (sSelect).

    Learns from a few labels and from all rows.
    Given pairs and no labels, the groups of rows joined by must-links serve as classes.
    The data is taken as given: where units differ, scale to [0, 1] first
    (``sklearn.preprocessing.MinMaxScaler``).

    Parameters
    ----------
    n_features_to_select : int or float, default=None
        Number or share of features to select; None keeps all and only ranks.
    lambda_ : float, default=0.1
        Weight of the separation of the clusters, from 0 to 1; their agreement with
        the labels weighs the rest.
    graph : {"knn", "mutual-knn", "epsilon", "full"}, default="knn"
        Which rows are joined, see :func:`pairsift.graphs.similarity_graph`. The full
        graph is never stored, but takes time in proportion to n_samples².
    n_neighbors : int, default=5
        Number of nearest neighbours, cut to ``n_samples - 1``.
    kernel : str, default="gaussian"
        "gaussian", "self-tuning", "inverse", "cosine" or "binary": weight of an edge.
    epsilon : float, default=None
        Distance below which rows are joined in the epsilon graph.
    sigma : float or "auto", default=1.0
        The :math:`\sigma` of :math:`\exp(-d^2/2\sigma^2)`; ``"auto"`` is the mean
        distance to the `n_neighbors`-th neighbour.
    n_jobs : int or None, default=-1
        Number of threads: -1 for all cores, None as in joblib.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Negated scores, so that higher is better; ``-inf`` for a constant feature.
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
    pairsift.scores.sselect_score : The same as a function on arrays.

    Notes
    -----
    After [1]_, outlined in section 3.3 of [2]_: `lambda_` times the Laplacian score of
    a feature, and for the rest how little the sign of the centred feature g tells
    about the labels; :func:`pairsift.scores.sselect_score` has the formula.

    It is minimised, and stored negated. The mutual information is normalised by the
    geometric mean of the entropies, and is 0 where either of them is; :math:`g \ge 0`
    makes one cluster and :math:`g < 0` the other, where g counts as 0 when rounding
    alone makes it differ. A feature has two clusters, however many classes there are.

    References
    ----------
    .. [1] Z. Zhao, H. Liu, "Semi-supervised feature selection via spectral
       analysis", SDM 7, 641-646, 2007.
    .. [2] F. Coelho, "Semi-supervised feature selection", PhD thesis, Universidade
       Federal de Minas Gerais and Université catholique de Louvain, 2013.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift import SSelect
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import minmax_scale
    >>> X, y = load_wine(return_X_y=True)
    >>> X = minmax_scale(X)
    >>> y[np.arange(len(y)) % 10 > 0] = -1
    >>> SSelect(3).fit(X, y).get_support(indices=True)
    array([ 0,  9, 12])
    """

    _method: ClassVar = Method(
        name="sselect",
        learns_from=CLASSES_AND_ROWS,
        orientation="minimised",
        cost="O(n²d) time, O(nk) memory",
        seconds=graph_seconds,
        citation="Zhao, Liu 2007, SDM; Coelho 2013, section 3.3",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **FromClasses._parameter_constraints,
        **OnGraph._graph_constraints,
        "lambda_": [Interval(Real, 0, 1, closed="both")],
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        lambda_: float = 0.1,
        graph: str = "knn",
        n_neighbors: int = 5,
        kernel: str = "gaussian",
        epsilon: float | None = None,
        sigma: float | str = 1.0,
        n_jobs: int | None = -1,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.lambda_ = lambda_
        self.graph = graph
        self.n_neighbors = n_neighbors
        self.kernel = kernel
        self.epsilon = epsilon
        self.sigma = sigma
        self.n_jobs = n_jobs

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        return sselect_score(
            table.X,
            self._similarities(table.X),
            supervision.labels,
            lambda_=self.lambda_,
            n_jobs=self.n_jobs,
        )
