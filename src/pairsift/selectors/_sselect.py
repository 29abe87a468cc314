"""SSelect."""

from numbers import Real
from typing import Any, ClassVar

from pairsift._docstrings import documented_like
from pairsift._sklearn_compat import Interval
from pairsift._typing import FloatArray
from pairsift.scores import sselect_score
from pairsift.selectors._base import FromClasses, Supervision
from pairsift.selectors._cost import graph_seconds
from pairsift.selectors._graphs import OnGraph
from pairsift.selectors._method import CLASSES_AND_ROWS, Method
from pairsift.selectors._tables import Table


@documented_like(sselect_score)
class SSelect(OnGraph, FromClasses):
    r"""Select features whose two clusters are separate and fit the labels (sSelect).

    Learns from a few labels and from all rows.
    {learns}
    {units}

    Parameters
    ----------
    {n_features_to_select, lambda_, graph, n_neighbors, kernel, epsilon, sigma, n_jobs}

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Negated scores, so that higher is better; ``-inf`` for a constant feature.
    {fitted}

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
    {zhao2007sdm, coelho2013}

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift import SSelect
    {wine_01}
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
